import { assign, fromPromise, setup } from 'xstate'
import type { FoundKind } from '../schemas/api/find/find.ts'
import { notProvided } from './errors/notProvided.ts'

/**
 * What is found everywhere by a text (everywhere 1). Typing is debounced by 300 ms, a newer text cancels the
 * search of the older one, and what was found stays until the next answer. `searchable`: has the text a word
 * that is long enough? One that has none is not sent.
 */
export const findMachine = setup({
  types: {
    context: {} as { text: string; found: readonly FoundKind[] },
    events: {} as { type: 'type'; text: string; searchable: boolean } | { type: 'retry' },
  },
  actors: {
    find: fromPromise<readonly FoundKind[], { text: string }>(() => notProvided()),
  },
  delays: { findDebounce: 300 },
  guards: {
    isSearchable: (_, params: { searchable: boolean }) => params.searchable,
  },
  actions: {
    keepText: assign((_, params: { text: string }) => ({ text: params.text })),
    keepFound: assign((_, params: { found: readonly FoundKind[] }) => ({ found: params.found })),
    forgetFound: assign({ found: [] }),
  },
}).createMachine({
  id: 'find',
  context: { text: '', found: [] },
  initial: 'waiting',
  on: {
    type: [
      {
        guard: { type: 'isSearchable', params: ({ event }) => ({ searchable: event.searchable }) },
        target: '.typing',
        actions: { type: 'keepText', params: ({ event }) => ({ text: event.text }) },
      },
      {
        target: '.waiting',
        actions: { type: 'keepText', params: ({ event }) => ({ text: event.text }) },
      },
    ],
  },
  states: {
    waiting: { description: 'Nothing is typed that could be searched for.', entry: 'forgetFound' },
    typing: { after: { findDebounce: 'searching' } },
    searching: {
      invoke: {
        id: 'find',
        src: 'find',
        input: ({ context }) => ({ text: context.text }),
        onDone: {
          target: 'shown',
          actions: { type: 'keepFound', params: ({ event }) => ({ found: event.output }) },
        },
        onError: { target: 'failed', actions: 'forgetFound' },
      },
    },
    shown: {},
    failed: { on: { retry: 'searching' } },
  },
})
