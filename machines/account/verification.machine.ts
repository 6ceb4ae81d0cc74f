import { assign, fromPromise, setup } from 'xstate'
import { failureText } from '../errors/failureText.ts'
import { notProvided } from '../errors/notProvided.ts'

/**
 * The dialog 'Email Validation' (email 2): an email address, then the code that was sent to it. `error` is
 * the message under the field.
 */
export const verificationMachine = setup({
  types: {
    context: {} as { email: string | null; error: string | null },
    events: {} as
      | { type: 'open' }
      | { type: 'close' }
      | { type: 'back' }
      | { type: 'request'; email: string }
      | { type: 'verify'; code: string },
  },
  actors: {
    requestCode: fromPromise<unknown, { email: string }>(() => notProvided()),
    verifyCode: fromPromise<unknown, { email: string; code: string }>(() => notProvided()),
  },
  actions: {
    forget: assign({ email: null, error: null }),
    keepEmail: assign((_, params: { email: string }) => ({ email: params.email })),
    explain: assign((_, params: { error: unknown }) => ({
      error: failureText(params.error),
    })),
    clearError: assign({ error: null }),
    renewSession: () => {},
  },
}).createMachine({
  id: 'verification',
  context: { email: null, error: null },
  initial: 'closed',
  states: {
    closed: { entry: 'forget', on: { open: 'askingEmail' } },
    askingEmail: {
      on: {
        close: 'closed',
        request: {
          target: 'requesting',
          actions: { type: 'keepEmail', params: ({ event }) => ({ email: event.email }) },
        },
      },
    },
    requesting: {
      entry: 'clearError',
      on: { close: 'closed' },
      invoke: {
        id: 'requestCode',
        src: 'requestCode',
        input: ({ context }) => ({ email: context.email ?? '' }),
        onDone: 'askingCode',
        onError: {
          target: 'askingEmail',
          actions: { type: 'explain', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    askingCode: {
      on: { close: 'closed', back: { target: 'askingEmail', actions: 'forget' }, verify: 'verifying' },
    },
    verifying: {
      description: 'It cannot be interrupted, because the session is renewed when it succeeds.',
      entry: 'clearError',
      invoke: {
        id: 'verifyCode',
        src: 'verifyCode',
        input: ({ context, event }) => ({
          email: context.email ?? '',
          code: event.type === 'verify' ? event.code : '',
        }),
        onDone: { target: 'closed', actions: 'renewSession' },
        onError: {
          target: 'askingCode',
          actions: { type: 'explain', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
})
