import { assign, fromPromise, setup } from 'xstate'
import type { ListQuery } from '../schemas/api/paging.ts'
import { notProvided } from './errors/notProvided.ts'

export type ListResult = { data: readonly unknown[]; total_length: number }

const firstPage: ListQuery = { page: 1, size: 10, search: '', sort: '', filter: '' }

/**
 * One list (lists 2, lists 4). Each change of the URL sends `query`. Typing in the search box is debounced by
 * 300 ms, a newer query cancels the older one, and rows stay on screen until the next ones arrive.
 */
export const listMachine = setup({
  types: {
    context: {} as {
      query: ListQuery
      /** What the rows and their total were asked for; `query` is ahead of it while others are loaded. */
      shown: ListQuery
      rows: readonly unknown[]
      total: number
      loaded: boolean
    },
    events: {} as { type: 'query'; query: ListQuery } | { type: 'reload' },
  },
  actors: {
    load: fromPromise<ListResult, ListQuery>(() => notProvided()),
  },
  delays: { searchDebounce: 300 },
  guards: {
    isTyping: ({ context }, params: { query: ListQuery }) => params.query.search !== context.query.search,
    isBeyondEnd: ({ context }, params: { found: ListResult }) =>
      params.found.data.length === 0 &&
      params.found.total_length > 0 &&
      context.query.page > Math.ceil(params.found.total_length / context.query.size),
  },
  actions: {
    keepQuery: assign((_, params: { query: ListQuery }) => ({ query: params.query })),
    keepFound: assign(({ context }, params: { found: ListResult }) => ({
      shown: context.query,
      rows: params.found.data,
      total: params.found.total_length,
      loaded: true,
    })),
    showLastPage: (_args, _params: { page: number }) => {},
  },
}).createMachine({
  id: 'list',
  context: {
    query: firstPage,
    shown: firstPage,
    rows: [],
    total: 0,
    loaded: false,
  },
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
      description:
        'Before the first query. That one is loaded without debouncing, even if it has a search text.',
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
    moving: { description: 'The page is past the end; the URL is being changed to the last page.' },
    shown: { on: { reload: 'loading' } },
    failed: { on: { reload: 'loading' } },
  },
})
