import { useSelector } from '@xstate/react'
import { type ComponentProps, type FormEvent, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { portalName } from '../../../schemas/constants.ts'
import type { Portal } from '../../api/portal.ts'
import './login.css'
import { ScreenLoading } from '../../parts/ScreenLoading.tsx'

type LoginFieldProps = Pick<ComponentProps<'input'>, 'name' | 'type' | 'autoComplete' | 'autoFocus'> & {
  label: string
  error: string | null
  onEdit: () => void
}

/** A text field of the login page, which does without the portal's forms. */
export const LoginField = ({ label, error, onEdit, ...input }: LoginFieldProps) => {
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

type Field = 'username' | 'password'

/** Messages show once a field was edited or after a submit (specification, section 5). */
export const LoginForm = ({ session }: Pick<Portal, 'session'>) => {
  const form = useRef<HTMLFormElement>(null)
  const [empty, setEmpty] = useState<Partial<Record<Field, boolean>>>({})
  const isBusy = useSelector(session, (snapshot) => snapshot.matches('authenticating'))
  const refusal = useSelector(session, (snapshot) => snapshot.context.loginError)
  const valueOf = (field: Field) =>
    form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.value ?? ''
  const edited = (field: Field) => () => setEmpty((now) => ({ ...now, [field]: valueOf(field) === '' }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const login = { username: valueOf('username'), password: valueOf('password') }
    const now = { username: login.username === '', password: login.password === '' }
    setEmpty(now)
    const first = now.username ? 'username' : now.password ? 'password' : null
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    else session.send({ type: 'session.login', login })
  }
  return (
    <form ref={form} className="login-form" noValidate onSubmit={submit} aria-busy={isBusy}>
      <LoginField
        label="Username"
        name="username"
        autoComplete="username"
        error={empty.username ? 'Username is required' : null}
        onEdit={edited('username')}
        autoFocus
      />
      <LoginField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={empty.password ? 'Password is required' : null}
        onEdit={edited('password')}
      />
      <div className="login-refusal" role="alert">
        {refusal && !isBusy && <p>{refusal}</p>}
      </div>
      <button type="submit" className="plain-button plain-primary login-submit" aria-disabled={isBusy}>
        {isBusy && <span className="plain-spinner" />}
        Login
      </button>
    </form>
  )
}

/** `terms` is what stands between the password and the portal while the terms are open. */
type LoginPageProps = Pick<Portal, 'session'> & { terms: ReactNode }

/** The way in. It carries none of the portal's weight. */
export const LoginPage = ({ session, terms }: LoginPageProps) => {
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsRequired'))
  return (
    <div className="login">
      <main className={isAsked ? 'login-card login-wide' : 'login-card'}>
        <header className="login-head">
          <img src="/icon.svg" alt="" width="36" height="36" />
          <h1>{portalName}</h1>
        </header>
        {isAsked ? <Suspense fallback={<ScreenLoading />}>{terms}</Suspense> : <LoginForm session={session} />}
      </main>
    </div>
  )
}
