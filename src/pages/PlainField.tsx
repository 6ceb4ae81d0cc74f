import { useId, type ComponentProps } from 'react'

type Props = Pick<ComponentProps<'input'>, 'name' | 'type' | 'autoComplete' | 'autoFocus'> & {
  label: string
  error: string | null
  onEdit: () => void
}

/** A text field of the login page, which does without the portal's forms. */
export const PlainField = ({ label, error, onEdit, ...input }: Props) => {
  const id = useId()
  return (
    <div className="plain-field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        maxLength={input.type === 'password' ? 1000 : 200}
        autoCapitalize="none"
        spellCheck={false}
        aria-required="true"
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onInput={onEdit}
      />
      {error !== null && (
        <p id={`${id}-error`} className="plain-error">
          {error}
        </p>
      )}
    </div>
  )
}
