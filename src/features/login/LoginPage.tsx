import { useSelector } from '@xstate/react'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { portalName } from '../../../schemas/constants.ts'
import type { Portal } from '../../api/portal.ts'
import './login.css'
import { iconImage } from '../../parts/browser.ts'

type Given = 'name' | 'type' | 'autoComplete' | 'autoFocus' | 'defaultValue'
type LoginFieldProps = Pick<ComponentProps<'input'>, Given> & {
  label: string
  error: string | null
  onEdit: () => void
}

/** A text field of the login page, which does not load the portal's forms (session 1). */
const LoginField = ({ label, error, onEdit, ...input }: LoginFieldProps) => {
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

const sessionEnded = 'Your session has ended. Sign in again to go on where you were.'

type Field = 'username' | 'password'

/** Messages show once a field was edited or after a submit (session 1). */
const LoginForm = ({ session }: Pick<Portal, 'session'>) => {
  const form = useRef<HTMLFormElement>(null)
  const [empty, setEmpty] = useState<Partial<Record<Field, boolean>>>({})
  const isBusy = useSelector(session, (snapshot) => snapshot.matches('authenticating'))
  const { loginError, endedFor } = useSelector(session, (snapshot) => snapshot.context)
  /** Kept while the message about the end goes away with the next attempt. */
  const [given] = useState(endedFor)
  const inputOf = (field: Field) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)
  const valueOf = (field: Field) => inputOf(field)?.value ?? ''
  const checkField = (field: Field) => () =>
    setEmpty((before) => ({ ...before, [field]: valueOf(field) === '' }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const login = { username: valueOf('username'), password: valueOf('password') }
    const nowEmpty = { username: login.username === '', password: login.password === '' }
    setEmpty(nowEmpty)
    const firstEmpty = nowEmpty.username ? 'username' : nowEmpty.password ? 'password' : null
    if (firstEmpty) inputOf(firstEmpty)?.focus()
    else session.send({ type: 'session.login', login })
  }
  return (
    <form ref={form} className="login-form" noValidate onSubmit={submit} aria-busy={isBusy}>
      <LoginField
        label="Username"
        name="username"
        autoComplete="username"
        error={empty.username ? 'Username is required' : null}
        onEdit={checkField('username')}
        defaultValue={given ?? ''}
        autoFocus={given === null}
      />
      <LoginField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={empty.password ? 'Password is required' : null}
        onEdit={checkField('password')}
        autoFocus={given !== null}
      />
      <div className="login-refusal" role="alert">
        {loginError && !isBusy && <p>{loginError}</p>}
        {endedFor !== null && <p className="login-note">{sessionEnded}</p>}
      </div>
      <button type="submit" className="plain-button plain-primary login-submit" aria-disabled={isBusy}>
        {isBusy && <span className="plain-spinner" />}
        Login
      </button>
    </form>
  )
}

/** `terms` is shown in place of the form while the terms must be accepted. */
type LoginPageProps = Pick<Portal, 'session'> & { terms: ReactNode }

/** The login page. It imports neither the forms nor the screens of the portal, so that it loads quickly. */
export const LoginPage = ({ session, terms }: LoginPageProps) => {
  const hasOpenTerms = useSelector(session, (snapshot) => snapshot.matches('termsRequired'))
  return (
    <div className="login">
      <main className={hasOpenTerms ? 'login-card login-wide' : 'login-card'}>
        <header className="login-head">
          <img src={iconImage} alt="" width="36" height="36" />
          <h1>{portalName}</h1>
        </header>
        {hasOpenTerms ? terms : <LoginForm session={session} />}
      </main>
    </div>
  )
}
