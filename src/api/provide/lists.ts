import { fromPromise } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { ListFileQuery, ListQuery } from '../../../schemas/api/paging.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { callsOf } from '../client.ts'
import { saveDownload } from '../files.ts'
import type { Call } from '../http.ts'
import { memoize } from '../memoize.ts'
import { provideBulk } from './bulk.ts'
import { provideViews } from './views.ts'

/** Rows of one call while all rows of a list are read. */
const rowsPerCall = 100

/** What a list is asked for besides its page: the file and the print of a list hold all pages. */
type WholeList = Pick<ListQuery, 'search' | 'sort' | 'filter'>

type ReadPage = (
  query: WholeList & Pick<ListQuery, 'page' | 'size'>,
  signal: AbortSignal,
) => Promise<{ data: { id: number }[]; total_length: number }>

/** The file of a list, whose id is the query as JSON, and all its rows for printing. */
export const provideListFile = (
  call: Call,
  endpoint: ReturnType<typeof callsOf>['export'],
  readPage: ReadPage,
) => ({
  file: downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input: { id }, signal, self }) =>
        call(endpoint, {
          query: JSON.parse(id) as ListFileQuery,
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file) },
  }),
  allRows: (query: WholeList) =>
    loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(({ signal }) =>
          readAllRows((page) => readPage({ ...query, page, size: rowsPerCall }, signal)),
        ),
      },
    }),
})

/** The machines of the tools of a list: its views, its file, and all its rows for printing. */
export const provideListTools = memoize((call: Call) =>
  memoize((entity: Entity) => ({
    views: provideViews(call)[entity.name]!,
    bulk: memoize((it: Entity) => provideBulk(call, it)),
    ...provideListFile(call, callsOf(entity).export, (query, signal) =>
      call(callsOf(entity).list, { query, signal }),
    ),
  })),
)

/** Every row once, page after page: one that moves to a later page meanwhile is not read twice. */
async function readAllRows(readPage: (page: number) => ReturnType<ReadPage>) {
  const rows = new Map<number, { id: number }>()
  for (let page = 1; ; page += 1) {
    const { data, total_length } = await readPage(page)
    for (const row of data) rows.set(row.id, row)
    if (data.length < rowsPerCall || page * rowsPerCall >= total_length) return [...rows.values()]
  }
}
