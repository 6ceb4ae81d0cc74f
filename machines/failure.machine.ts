import { assign, setup } from 'xstate'

/** What the error dialog shows: the server's message and the id of the request. */
export type ShownFailure = { message: string; requestId: string | null }

/** The error dialog, "That's an error." (errors 4). A newer failure replaces the one that is shown. */
export const failureMachine = setup({
  types: {
    context: {} as { failure: ShownFailure | null },
    events: {} as { type: 'fail'; failure: ShownFailure } | { type: 'dismiss' },
  },
  actions: {
    keepFailure: assign((_, params: { failure: ShownFailure }) => ({ failure: params.failure })),
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
