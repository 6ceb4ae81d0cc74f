import { fromPromise, setup } from 'xstate'

/** The dialog 'Change Password' (session 11): on success it closes, on failure it stays open. */
export const passwordMachine = setup({
  types: {
    context: {} as Record<string, never>,
    events: {} as { type: 'open' } | { type: 'cancel' } | { type: 'save'; password: string },
  },
  actors: {
    changePassword: fromPromise<unknown, { password: string }>(async () => {
      throw new Error('not provided')
    }),
  },
}).createMachine({
  id: 'password',
  context: {},
  initial: 'closed',
  states: {
    closed: { on: { open: 'editing' } },
    editing: { on: { cancel: 'closed', save: 'saving' } },
    saving: {
      invoke: {
        id: 'changePassword',
        src: 'changePassword',
        input: ({ event }) => ({ password: event.type === 'save' ? event.password : '' }),
        onDone: 'closed',
        onError: 'editing',
      },
    },
  },
})
