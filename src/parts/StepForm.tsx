import {
  Button,
  DialogBody,
  DialogFooter,
  FormGroup,
  InputGroup,
  Intent,
  type InputGroupProps,
} from '@blueprintjs/core'
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'

/** What every form of one field is given. */
export type Step = {
  /** The server's message, shown under the field. */
  error: string | null
  isBusy: boolean
  onSubmit: (value: string) => void
}

type InputOptions = { label: string; input: InputGroupProps }
type StepFormProps = Step &
  InputOptions & {
    /** The value of the typed text. */
    parse: (text: string) => string
    /** The message for an invalid value, or null. */
    faultOf: (value: string) => string | null
    submitText: string
    back?: ReactNode
    children?: ReactNode
  }

/**
 * A form of one field. The message of an invalid value is shown once the field was edited and has lost the
 * focus, or Enter was pressed in it; the submit button is disabled until the value is valid, so that Enter
 * sends nothing.
 */
export const StepForm = (props: StepFormProps) => {
  const { label, parse, faultOf, submitText, input, back, children, error, isBusy, onSubmit } = props
  const [value, setValue] = useState('')
  const [isEdited, setEdited] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const fault = faultOf(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fault === null && !isBusy) onSubmit(value)
  }
  return (
    <form noValidate onSubmit={submit}>
      <DialogBody>
        {children}
        <StepInput
          {...{ label, input, value, error, isBusy }}
          message={isBusy ? null : (error ?? (isChecked ? fault : null))}
          onType={(text) => {
            setValue(parse(text))
            setEdited(true)
          }}
          onLeave={() => isEdited && setChecked(true)}
          onEnter={() => setChecked(true)}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {back}
            {/* A loading button hides its text; the label keeps its accessible name. */}
            <Button
              text={submitText}
              aria-label={submitText}
              intent="primary"
              type="submit"
              disabled={fault !== null}
              loading={isBusy}
            />
          </>
        }
      />
    </form>
  )
}

type StepInputProps = InputOptions & {
  value: string
  error: string | null
  message: string | null
  isBusy: boolean
  onType: (text: string) => void
  onLeave: () => void
  onEnter: () => void
}

/** The field and the message under it. It takes the focus when the server refuses the value. */
const StepInput = (props: StepInputProps) => {
  const { label, input, value, error, message, isBusy, onType, onLeave, onEnter } = props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const intent = message === null ? Intent.NONE : Intent.DANGER
  useEffect(() => {
    if (error !== null) field.current?.focus()
  }, [error])
  return (
    <FormGroup
      label={label}
      labelFor={id}
      intent={intent}
      helperText={
        <span id={`${id}-message`} role="alert" className="shell-fault">
          {message}
        </span>
      }
    >
      <InputGroup
        {...input}
        id={id}
        inputRef={field}
        value={value}
        autoFocus
        readOnly={isBusy}
        intent={intent}
        aria-required
        aria-invalid={message !== null}
        aria-describedby={`${id}-message`}
        onChange={({ target }) => onType(target.value)}
        onBlur={onLeave}
        onKeyDown={({ key }) => key === 'Enter' && onEnter()}
      />
    </FormGroup>
  )
}
