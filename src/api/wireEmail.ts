import { fromPromise } from 'xstate'
import { verificationMachine } from '../../machines/verification.machine.ts'
import { emailCalls } from '../../schemas/email.ts'
import type { Portal } from '../portal.ts'
import { once } from './once.ts'

/** The dialog 'Email Validation'. Its success is the session's to learn. */
export const wireEmail = once(({ call, session }: Pick<Portal, 'call' | 'session'>) =>
  verificationMachine.provide({
    actors: {
      requestCode: fromPromise<unknown, { email: string }>(({ input, signal }) => call(emailCalls.request, { body: { email: input.email }, signal })),
      verifyCode: fromPromise<unknown, { email: string; code: string }>(({ input, signal }) =>
        call(emailCalls.verify, { body: { email: input.email, otp: input.code }, signal }),
      ),
    },
    actions: { renewSession: () => session.send({ type: 'session.renew' }) },
  }),
)
