import type { WidgetProps } from '@rjsf/utils'
import { BaseInput } from '../templates/BaseInput.tsx'

/** A password to be set, never one to sign in with: a password manager offers a new one here. */
export const Password = (props: WidgetProps) => (
  <BaseInput {...props} type="password" options={{ autocomplete: 'new-password', ...props.options }} />
)
