import { Button } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useEffect, useRef } from 'react'
import { passwordPlaceholder } from '../../../schemas/constants.ts'
import type { FormContext, PasswordChange } from '../context.ts'
import { BaseInput } from '../templates/BaseInput.tsx'

/** A password to be set, never one to sign in with: a password manager offers a new one here. */
export const Password = (props: WidgetProps) => {
  const { passwordChange: passwords } = props.registry.formContext as FormContext
  return passwords ? <ShutPassword {...props} passwords={passwords} /> : <Open {...props} />
}

const Open = (props: WidgetProps & { after?: React.JSX.Element }) => (
  <BaseInput {...props} type="password" options={{ autocomplete: 'new-password', ...props.options }} />
)

/** Of an existing user: ten asterisks until 'Change Password' opens it, empty; pressed again, it is as before. */
const ShutPassword = ({
  passwords: { changing, toggle },
  ...props
}: WidgetProps & { passwords: PasswordChange }) => {
  const { value, onChange, disabled, options } = props
  const wasChanging = useRef(changing)
  useEffect(() => {
    // An empty one is left alone: a change would be taken for an edit and called wrong at once.
    if (wasChanging.current !== changing && value) onChange('')
    wasChanging.current = changing
  }, [changing, value, onChange])
  const isFrozen = disabled && typeof options.reason === 'string'
  return (
    <Open
      {...props}
      disabled={disabled || !changing}
      placeholder={changing ? '' : passwordPlaceholder}
      after={
        props.name === 'password' && !isFrozen ? (
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
