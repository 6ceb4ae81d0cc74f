import { useSelector } from '@xstate/react'
import { useRef, useState, type FormEvent } from 'react'
import type { Portal } from '../portal.ts'
import { PlainField } from './PlainField.tsx'

type Field = 'username' | 'password'

/** Messages show once a field was edited or after a submit (specification, section 5). */
export const LoginForm = ({ session }: Pick<Portal, 'session'>) => {
  const form = useRef<HTMLFormElement>(null)
  const [empty, setEmpty] = useState<Partial<Record<Field, boolean>>>({})
  const isBusy = useSelector(session, (snapshot) => snapshot.matches('authenticating'))
  const refusal = useSelector(session, (snapshot) => snapshot.context.loginError)
  const valueOf = (field: Field) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.value ?? ''
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
      <PlainField
        label="Username"
        name="username"
        autoComplete="username"
        error={empty.username ? 'Username is required' : null}
        onEdit={edited('username')}
        autoFocus
      />
      <PlainField
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
