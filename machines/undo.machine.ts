import { assign, fromPromise, setup } from 'xstate'
import { notProvided } from './errors/notProvided.ts'

/**
 * Undoing an import after a confirmation (imports 22). The history is reloaded on success and on failure,
 * because a refusal may come from a change of somebody else. Undoing cannot be interrupted.
 */
export const undoMachine = setup({
  types: {
    context: {} as { batch: number | null },
    events: {} as { type: 'ask'; batch: number } | { type: 'confirm' } | { type: 'cancel' },
  },
  actors: {
    undo: fromPromise<unknown, { batch: number | null }>(() => notProvided()),
  },
  actions: {
    keepBatch: assign((_, params: { batch: number }) => ({ batch: params.batch })),
    forgetBatch: assign({ batch: null }),
    reloadHistory: () => {},
  },
}).createMachine({
  id: 'undo',
  context: { batch: null },
  initial: 'idle',
  states: {
    idle: {
      on: {
        ask: {
          target: 'asking',
          actions: { type: 'keepBatch', params: ({ event }) => ({ batch: event.batch }) },
        },
      },
    },
    asking: { on: { confirm: 'undoing', cancel: { target: 'idle', actions: 'forgetBatch' } } },
    undoing: {
      invoke: {
        id: 'undo',
        src: 'undo',
        input: ({ context }) => ({ batch: context.batch }),
        onDone: { target: 'idle', actions: ['forgetBatch', 'reloadHistory'] },
        onError: { target: 'idle', actions: ['forgetBatch', 'reloadHistory'] },
      },
    },
  },
})
