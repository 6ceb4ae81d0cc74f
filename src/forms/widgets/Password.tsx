import { Button } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useEffect, useRef } from 'react'
import { passwordPlaceholder } from '../../../schemas/constants.ts'
import type { FormContext, PasswordChange } from '../context.ts'
import { BaseInput } from '../templates/BaseInput.tsx'

/** A password that is set, not one to sign in with, so a password manager suggests a new one. */
export const Password = (props: WidgetProps) => {
  const { passwordChange } = props.registry.formContext as FormContext
  return passwordChange ? (
    <LockedPassword {...props} passwordChange={passwordChange} />
  ) : (
    <PasswordInput {...props} />
  )
}

const PasswordInput = (props: WidgetProps & { after?: React.JSX.Element }) => (
  <BaseInput {...props} type="password" options={{ autocomplete: 'new-password', ...props.options }} />
)

/**
 * Of an existing user: asterisks until 'Change Password' makes it editable and empty; pressed again, it is
 * locked.
 */
const LockedPassword = ({
  passwordChange: { changing, toggle },
  ...props
}: WidgetProps & { passwordChange: PasswordChange }) => {
  const { value, onChange, disabled, readonly, options } = props
  const wasChanging = useRef(changing)
  useEffect(() => {
    // Not if it is empty: the change would count as an edit and show an error at once.
    if (wasChanging.current !== changing && value) onChange('')
    wasChanging.current = changing
  }, [changing, value, onChange])
  const isReadOnly = (disabled || readonly) && typeof options.reason === 'string'
  return (
    <PasswordInput
      {...props}
      disabled={disabled || !changing}
      placeholder={changing ? '' : passwordPlaceholder}
      after={
        props.name === 'password' && !isReadOnly ? (
          <Button
            size="small"
            variant="minimal"
            text="Change Password"
            aria-pressed={changing}
            active={changing}
            onClick={toggle}
          />
        ) : undefined
      }
    />
  )
}
