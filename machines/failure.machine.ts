import { assign, setup } from 'xstate'

/** The error dialog (specification, section 8): the server's sentence and the id of the request. */
export type Shown = { message: string; requestId: string | null }

/** "That's an error.": open while there is a failure to show; a newer failure replaces the older. */
export const failureMachine = setup({
  types: {
    context: {} as { failure: Shown | null },
    events: {} as { type: 'fail'; failure: Shown } | { type: 'dismiss' },
  },
  actions: {
    keepFailure: assign((_, params: { failure: Shown }) => ({ failure: params.failure })),
    forgetFailure: assign({ failure: null }),
  },
}).createMachine({
  id: 'failure',
  context: { failure: null },
  initial: 'quiet',
  states: {
    quiet: {
      entry: 'forgetFailure',
      on: {
        fail: {
          target: 'shown',
          actions: { type: 'keepFailure', params: ({ event }) => ({ failure: event.failure }) },
        },
      },
    },
    shown: {
      on: {
        fail: { actions: { type: 'keepFailure', params: ({ event }) => ({ failure: event.failure }) } },
        dismiss: 'quiet',
      },
    },
  },
})
