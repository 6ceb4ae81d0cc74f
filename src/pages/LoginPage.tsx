import { useSelector } from '@xstate/react'
import { portalName } from '../../schemas/constants.ts'
import type { loadMachine } from '../../machines/load.machine.ts'
import type { Portal } from '../portal.ts'
import '../styles/login.css'
import { LoginForm } from './LoginForm.tsx'
import { PlainFailure } from './PlainFailure.tsx'
import { TermsStep } from './TermsStep.tsx'

type Props = Pick<Portal, 'session' | 'failure'> & { terms: typeof loadMachine }

/** The way in: username and password and, when they are open, the terms. It carries none of the portal's weight. */
export const LoginPage = ({ session, failure, terms }: Props) => {
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsRequired'))
  return (
    <div className="login">
      <main className={isAsked ? 'login-card login-wide' : 'login-card'}>
        <header className="login-head">
          <img src="/icon.svg" alt="" width="36" height="36" />
          <h1>{portalName}</h1>
        </header>
        {isAsked ? <TermsStep session={session} terms={terms} /> : <LoginForm session={session} />}
      </main>
      <PlainFailure failure={failure} />
    </div>
  )
}
