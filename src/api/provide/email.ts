import { fromPromise } from 'xstate'
import { verificationMachine } from '../../../machines/account/verification.machine.ts'
import { emailCalls } from '../../../schemas/api/accounts/email.ts'
import { memoize } from '../memoize.ts'
import type { Portal } from '../portal.ts'

/** The dialog 'Email Validation'. The session is renewed after success, because its reply has the email. */
export const provideEmailValidation = memoize(({ call, session }: Pick<Portal, 'call' | 'session'>) =>
  verificationMachine.provide({
    actors: {
      requestCode: fromPromise<unknown, { email: string }>(({ input, signal }) =>
        call(emailCalls.request, { body: { email: input.email }, signal }),
      ),
      verifyCode: fromPromise<unknown, { email: string; code: string }>(({ input, signal }) =>
        call(emailCalls.verify, { body: { email: input.email, otp: input.code }, signal }),
      ),
    },
    actions: { renewSession: () => session.send({ type: 'session.renew' }) },
  }),
)
