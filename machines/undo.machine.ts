import { assign, fromPromise, setup } from 'xstate'
import { notProvided } from './errors/notProvided.ts'

/**
 * Undoing an import or a bulk change after a confirmation (imports 22, bulk 6). The history is reloaded on
 * success and on failure, because a refusal may come from a change of somebody else. Undoing cannot be
 * interrupted.
 */
export const undoMachine = setup({
  types: {
    context: {} as { id: number | null },
    events: {} as { type: 'ask'; id: number } | { type: 'confirm' } | { type: 'cancel' },
  },
  actors: {
    undo: fromPromise<unknown, { id: number | null }>(() => notProvided()),
  },
  actions: {
    keepId: assign((_, params: { id: number }) => ({ id: params.id })),
    forgetId: assign({ id: null }),
    reloadHistory: () => {},
  },
}).createMachine({
  id: 'undo',
  context: { id: null },
  initial: 'idle',
  states: {
    idle: {
      on: {
        ask: {
          target: 'asking',
          actions: { type: 'keepId', params: ({ event }) => ({ id: event.id }) },
        },
      },
    },
    asking: { on: { confirm: 'undoing', cancel: { target: 'idle', actions: 'forgetId' } } },
    undoing: {
      invoke: {
        id: 'undo',
        src: 'undo',
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: 'idle', actions: ['forgetId', 'reloadHistory'] },
        onError: { target: 'idle', actions: ['forgetId', 'reloadHistory'] },
      },
    },
  },
})
