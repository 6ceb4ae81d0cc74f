import { useSelector } from '@xstate/react'
import { Suspense, type ReactNode } from 'react'
import { portalName } from '../../schemas/constants.ts'
import { Opening } from '../Opening.tsx'
import type { Portal } from '../portal.ts'
import '../styles/login.css'
import { LoginForm } from './LoginForm.tsx'

/** `terms` is what stands between the password and the portal while the terms are open. */
type Props = Pick<Portal, 'session'> & { terms: ReactNode }

/** The way in. It carries none of the portal's weight. */
export const LoginPage = ({ session, terms }: Props) => {
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsRequired'))
  return (
    <div className="login">
      <main className={isAsked ? 'login-card login-wide' : 'login-card'}>
        <header className="login-head">
          <img src="/icon.svg" alt="" width="36" height="36" />
          <h1>{portalName}</h1>
        </header>
        {isAsked ? <Suspense fallback={<Opening />}>{terms}</Suspense> : <LoginForm session={session} />}
      </main>
    </div>
  )
}
