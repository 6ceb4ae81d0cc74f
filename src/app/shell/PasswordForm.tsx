import type { CustomValidator } from '@rjsf/utils'
import { newPassword } from '../../../schemas/api/session.ts'
import { newPassword as loadValidator } from '../../../schemas/api/session.ts?validators'
import { SchemaForm } from '../../forms/SchemaForm.tsx'

type Props = {
  /** The user name under which a password manager stores the new password. */
  username?: string
  busy: boolean
  faults?: Readonly<Record<string, string>>
  onChange?: (dirty: boolean) => void
  onSave: (password: string) => void
  formId: string
}

/** 'Password' and 'Confirm Password' of the dialog 'Change Password'. */
export const PasswordForm = ({ username = '', onSave, ...rest }: Props) => (
  <>
    <input
      className="form-username"
      type="text"
      autoComplete="username"
      form={rest.formId}
      value={username}
      readOnly
      tabIndex={-1}
      aria-hidden
    />
    <SchemaForm
      {...rest}
      schema={newPassword}
      loadValidator={loadValidator}
      customValidate={passwordsMatch}
      onSave={({ password }) => onSave(String(password))}
    />
  </>
)

const passwordsMatch: CustomValidator = (values, errors) => {
  if (values?.confirm_password && values.confirm_password !== values.password)
    errors.confirm_password?.addError('Passwords do not match')
  return errors
}
