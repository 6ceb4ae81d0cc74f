import { assign, fromPromise, setup } from 'xstate'
import { notProvided } from './errors/notProvided.ts'

/** Data that is loaded and shown: the figures of the chart, the text of the terms, the configured links. */
export const loadMachine = setup({
  types: {
    context: {} as { result: unknown },
    events: {} as { type: 'load' },
  },
  actors: {
    load: fromPromise<unknown>(() => notProvided()),
  },
  actions: { keepResult: assign((_, params: { result: unknown }) => ({ result: params.result })) },
}).createMachine({
  id: 'load',
  context: { result: null },
  initial: 'idle',
  states: {
    idle: { on: { load: 'loading' } },
    loading: {
      on: { load: { target: 'loading', reenter: true } },
      invoke: {
        id: 'load',
        src: 'load',
        onDone: {
          target: 'shown',
          actions: { type: 'keepResult', params: ({ event }) => ({ result: event.output }) },
        },
        onError: 'failed',
      },
    },
    shown: { on: { load: 'loading' } },
    failed: { on: { load: 'loading' } },
  },
})
