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
import { codeRules, isCode } from '../../../schemas/api/email.ts'
import { isEmail } from '../../../schemas/fields.ts'

type Step = {
  /** What the server said, shown under the field. */
  error: string | null
  isBusy: boolean
  onSubmit: (value: string) => void
}

type Field = Step & {
  label: string
  /** What of the typed text counts. */
  read: (text: string) => string
  /** What is wrong with it, or null. */
  faultOf: (value: string) => string | null
  submitText: string
  input: InputGroupProps
  back?: ReactNode
  children?: ReactNode
}

/** One field and what is sent with it. A fault is said once the field was left; the button waits for a valid value all the same. */
const StepForm = ({
  label,
  read,
  faultOf,
  submitText,
  input,
  back,
  children,
  error,
  isBusy,
  onSubmit,
}: Field) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState('')
  const [wasLeft, setLeft] = useState(false)
  const fault = faultOf(value)
  const said = isBusy ? null : (error ?? (wasLeft ? fault : null))
  useEffect(() => {
    if (error !== null) field.current?.focus()
  }, [error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fault === null && !isBusy) onSubmit(value)
  }
  return (
    <form noValidate onSubmit={submit}>
      <DialogBody>
        {children}
        <FormGroup
          label={label}
          labelFor={id}
          intent={said === null ? Intent.NONE : Intent.DANGER}
          helperText={
            <span id={`${id}-said`} role="alert" className="shell-fault">
              {said}
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
            intent={said === null ? Intent.NONE : Intent.DANGER}
            aria-required
            aria-invalid={said !== null}
            aria-describedby={`${id}-said`}
            onChange={({ target }) => setValue(read(target.value))}
            onBlur={() => setLeft(value !== '')}
          />
        </FormGroup>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {back}
            {/* A loading button hides its text, but not what it is called. */}
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

const emailFault = (email: string) =>
  email === '' ? 'Email is required' : isEmail(email) ? null : 'Email must be a valid email address'

export const EmailStep = (step: Step) => (
  <StepForm
    {...step}
    label="Email"
    read={(text) => text.trim()}
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
    // As people paste it: '123 456', '123-456'.
    read={(text) => text.replace(/[\s-]/g, '')}
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
