import { listMachine } from '../../machines/list.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails, passes } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens the list | idle | | query, shown = the first page; rows = nothing; total = 0; loaded = no

What the URL says when the screen opens is loaded at once. A page is turned at once; rows stay until the next are there.
idle / typing / moving / shown / failed | asks for page 1 | loading | calls load (the query)               | query = what was asked
idle / typing / moving / shown / failed | asks for page 3 | loading | calls load (the query)               | query = what was asked
idle                                    | searches        | loading | calls load (the query)               | query = what was asked
idle / typing / moving / shown / failed | filters         | loading | calls load (the query)               | query = what was asked

A search waits until nothing was typed for 300 ms, also while the first rows are on their way.
typing / moving / shown / failed        | searches        | typing  | waits 300 ms                         | query = what was asked
typing                                  | 300 ms pass     | loading | calls load (the query)               |

A newer query cancels the older.
loading | asks for page 1 | loading | cancels load; calls load (the query) | query = what was asked
loading | asks for page 3 | loading | cancels load; calls load (the query) | query = what was asked
loading | filters         | loading | cancels load; calls load (the query) | query = what was asked
loading | searches        | typing  | cancels load; waits 300 ms           | query = what was asked

loading         | load answers rows                     | shown  | | shown = the query; rows = two; total = 15; loaded = yes
loading         | load answers that there is nothing    | shown  | | shown = the query; rows = nothing; total = 0; loaded = yes
loading         | load fails                            | failed | |

A page past the end leads to the last one. An empty page that is none of those is shown, or the list would never end moving.
loading, page 3 | load answers none of 15               | moving | showLastPage (2) |
loading, page 1 | load answers none of 15               | shown  | | shown = the query; rows = nothing; total = 15; loaded = yes
loading         | load answers none of 25               | shown  | | shown = the query; rows = nothing; total = 25; loaded = yes

After a record was saved or deleted the list is read again.
loading         | reload | loading | cancels load; calls load (the query) |
shown / failed  | reload | loading | calls load (the query)               |
`

const firstPage = { page: 1, size: 10, search: '', sort: '', filter: '' }
const two = [{ id: 1 }, { id: 2 }]
const none = { data: [], total_length: 0 }

export const list: Spec<typeof listMachine> = {
  machine: listMachine,
  rows: readTable(table),
  starts: { 'opens the list': undefined },
  words: ({ query }) => [`page ${query.page}`],
  stimuli: {
    'asks for page 1': ({ query }) => ({ type: 'query', query: { ...query, page: 1, sort: 'dba' } }),
    'asks for page 3': ({ query }) => ({ type: 'query', query: { ...query, page: 3, sort: '-dba' } }),
    searches: ({ query }) => ({
      type: 'query',
      query: { ...query, page: 1, search: query.search === 'b' ? 'ba' : 'b' },
    }),
    filters: ({ query }) => ({
      type: 'query',
      query: { ...query, page: 1, filter: query.filter === 'status:empty' ? '' : 'status:empty' },
    }),
    reload: { type: 'reload' },
    '300 ms pass': passes(300, 'searchDebounce.list.typing'),
    'load answers rows': answers('load', { data: two, total_length: 15 }),
    'load answers that there is nothing': answers('load', none),
    'load answers none of 15': answers('load', { ...none, total_length: 15 }),
    'load answers none of 25': answers('load', { ...none, total_length: 25 }),
    'load fails': fails('load', new Failure(500, 'Unable to get merchants. Please try again.')),
  },
  values: {
    'the first page': firstPage,
    'the query': ({ after }) => after.query,
    'what was asked': ({ event }) => event.query,
    two,
    nothing: [],
    '0': 0,
    '2': 2,
    '15': 15,
    '25': 25,
  },
  payloads: { showLastPage: (_, { page }: { page: number }) => page },
}
