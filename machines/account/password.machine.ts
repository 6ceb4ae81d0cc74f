import { assign, fromPromise, setup } from 'xstate'
import { errorProperty } from '../errors/errorProperty.ts'
import { failureText } from '../errors/failureText.ts'
import { notProvided } from '../errors/notProvided.ts'

/**
 * The dialog 'Change Password' (session 11): on success it closes, on failure it stays open. When the
 * sign-in is too long ago, a second dialog asks for the present password, and the new one is sent again.
 * `password` is the new one while it is on its way, `error` the message under the field of the present one.
 */
export const passwordMachine = setup({
  types: {
    context: {} as { password: string; error: string | null },
    events: {} as
      | { type: 'open' }
      | { type: 'cancel' }
      | { type: 'save'; password: string }
      | { type: 'confirm'; password: string },
  },
  actors: {
    changePassword: fromPromise<unknown, { password: string }>(() => notProvided()),
    reauthenticate: fromPromise<unknown, { password: string }>(() => notProvided()),
  },
  guards: {
    needsPresent: (_, params: { error: unknown }) => errorProperty(params.error, 'code') === 'reauthenticate',
  },
  actions: {
    keepPassword: assign((_, params: { password: string }) => ({ password: params.password })),
    forget: assign({ password: '', error: null }),
    explain: assign((_, params: { error: unknown }) => ({
      error: failureText(params.error),
    })),
    clearError: assign({ error: null }),
  },
}).createMachine({
  id: 'password',
  context: { password: '', error: null },
  initial: 'closed',
  states: {
    closed: { entry: 'forget', on: { open: 'editing' } },
    editing: {
      entry: 'forget',
      on: {
        cancel: 'closed',
        save: {
          target: 'saving',
          actions: { type: 'keepPassword', params: ({ event }) => ({ password: event.password }) },
        },
      },
    },
    saving: {
      invoke: {
        id: 'changePassword',
        src: 'changePassword',
        input: ({ context }) => ({ password: context.password }),
        onDone: 'closed',
        onError: [
          {
            guard: { type: 'needsPresent', params: ({ event }) => ({ error: event.error }) },
            target: 'askingPresent',
          },
          { target: 'editing' },
        ],
      },
    },
    askingPresent: {
      description: "The dialog 'Confirm Your Password' over the other.",
      on: { cancel: 'editing', confirm: 'confirming' },
    },
    confirming: {
      entry: 'clearError',
      invoke: {
        id: 'reauthenticate',
        src: 'reauthenticate',
        input: ({ event }) => ({ password: event.type === 'confirm' ? event.password : '' }),
        onDone: 'saving',
        onError: {
          target: 'askingPresent',
          actions: { type: 'explain', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
})
