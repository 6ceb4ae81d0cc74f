import { Button } from '@blueprintjs/core'
import { codeRules, isCode } from '../../../schemas/api/accounts/email.ts'
import { isEmail } from '../../../schemas/fields.ts'
import { StepForm, type Step } from '../../parts/StepForm.tsx'

const emailFault = (email: string) =>
  email === '' ? 'Email is required' : isEmail(email) ? null : 'Email must be a valid email address'

export const EmailStep = (step: Step) => (
  <StepForm
    {...step}
    label="Email"
    parse={(text) => text.trim()}
    faultOf={emailFault}
    submitText="Validate"
    input={{ type: 'email', name: 'email', autoComplete: 'email', spellCheck: false }}
  >
    <p>We send a code of {codeRules.digits} digits to this address to see that it is yours.</p>
  </StepForm>
)

const codeFault = (code: string) =>
  code === '' ? 'Code is required' : isCode(code) ? null : `Code must be exactly ${codeRules.digits} digits`

export const CodeStep = ({ email, onBack, ...step }: Step & { email: string; onBack: () => void }) => (
  <StepForm
    {...step}
    label="Code"
    // Codes are often pasted as '123 456' or '123-456'.
    parse={(text) => text.replace(/[\s-]/g, '')}
    faultOf={codeFault}
    submitText="Submit"
    input={{
      type: 'text',
      name: 'code',
      inputMode: 'numeric',
      autoComplete: 'one-time-code',
      className: 'shell-code',
    }}
    back={<Button text="Back" disabled={step.isBusy} onClick={onBack} />}
  >
    <p>
      A code was sent to <strong className="shell-address">{email}</strong>. It is valid for{' '}
      {codeRules.lifetime / 60} minutes.
    </p>
  </StepForm>
)

export const PresentPasswordStep = ({ onCancel, ...step }: Step & { onCancel: () => void }) => (
  <StepForm
    {...step}
    label="Present Password"
    parse={(text) => text}
    faultOf={(text) => (text === '' ? 'Present Password is required' : null)}
    submitText="Confirm"
    input={{ type: 'password', name: 'present', autoComplete: 'current-password' }}
    back={<Button text="Cancel" disabled={step.isBusy} onClick={onCancel} />}
  >
    <p>You signed in more than 10 minutes ago. Please give your present password to change it.</p>
  </StepForm>
)
