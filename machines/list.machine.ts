import { assign, fromPromise, setup } from 'xstate'

/** What the URL says of a list: page from 1, size 10 to 100, the search text and '{field}' or '-{field}' to sort by. */
export type Query = { page: number; size: number; search: string; sort: string }
export type Found = { data: readonly unknown[]; total_length: number }

/**
 * One list (specification, section 2). The URL is the truth: it sends `query`; the search box is debounced
 * 300 ms, a newer query cancels the older, and rows stay on screen until the next ones are there.
 */
export const listMachine = setup({
  types: {
    context: {} as { query: Query; rows: readonly unknown[]; total: number; loaded: boolean },
    events: {} as { type: 'query'; query: Query } | { type: 'reload' },
  },
  actors: {
    load: fromPromise<Found, Query>(async () => {
      throw new Error('not provided')
    }),
  },
  delays: { searchDebounce: 300 },
  guards: {
    isTyping: ({ context }, params: { query: Query }) => params.query.search !== context.query.search,
    isBeyondEnd: ({ context }, params: { found: Found }) =>
      params.found.data.length === 0 &&
      params.found.total_length > 0 &&
      context.query.page > Math.ceil(params.found.total_length / context.query.size),
  },
  actions: {
    keepQuery: assign((_, params: { query: Query }) => ({ query: params.query })),
    keepFound: assign((_, params: { found: Found }) => ({
      rows: params.found.data,
      total: params.found.total_length,
      loaded: true,
    })),
    showLastPage: (_args, _params: { page: number }) => {},
  },
}).createMachine({
  id: 'list',
  context: { query: { page: 1, size: 10, search: '', sort: '' }, rows: [], total: 0, loaded: false },
  initial: 'idle',
  on: {
    query: [
      {
        guard: { type: 'isTyping', params: ({ event }) => ({ query: event.query }) },
        target: '.typing',
        actions: { type: 'keepQuery', params: ({ event }) => ({ query: event.query }) },
      },
      { target: '.loading', actions: { type: 'keepQuery', params: ({ event }) => ({ query: event.query }) } },
    ],
  },
  states: {
    idle: {
      description: 'Until the URL has said what to show. That is loaded at once, a search too.',
      on: {
        query: {
          target: 'loading',
          actions: { type: 'keepQuery', params: ({ event }) => ({ query: event.query }) },
        },
      },
    },
    typing: { after: { searchDebounce: 'loading' } },
    loading: {
      on: { reload: { target: 'loading', reenter: true } },
      invoke: {
        id: 'load',
        src: 'load',
        input: ({ context }) => context.query,
        onDone: [
          {
            guard: { type: 'isBeyondEnd', params: ({ event }) => ({ found: event.output }) },
            target: 'moving',
            actions: {
              type: 'showLastPage',
              params: ({ context, event }) => ({
                page: Math.ceil(event.output.total_length / context.query.size),
              }),
            },
          },
          {
            target: 'shown',
            actions: { type: 'keepFound', params: ({ event }) => ({ found: event.output }) },
          },
        ],
        onError: 'failed',
      },
    },
    moving: { description: 'The page is past the end: the URL was asked to go to the last one.' },
    shown: { on: { reload: 'loading' } },
    failed: { on: { reload: 'loading' } },
  },
})
