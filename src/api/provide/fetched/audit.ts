import { fromPromise } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../../machines/list.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import { auditCalls, type AuditFilters } from '../../../../schemas/api/audit/audit.ts'
import type { ListQuery } from '../../../../schemas/api/paging.ts'
import { saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'
import { memoize } from '../../memoize.ts'
import { provideViews } from '../views.ts'

/** The machines of the screen Audit. */
export const provideAudit = memoize((call: Call) => ({
  /** The entries that pass these filters. */
  list: (filters: AuditFilters) =>
    listMachine.provide({
      actors: {
        load: fromPromise<ListResult, ListQuery>(({ input: { page, size, search }, signal }) =>
          call(auditCalls.list, { query: { ...filters, page, size, search }, signal }),
        ),
      },
    }),
  /** One entry with its values. */
  entry: (id: number) =>
    loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(({ signal }) => call(auditCalls.read, { params: { id }, signal })),
      },
    }),
  /** The file of all entries; its id is the query as JSON. */
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input: { id }, signal }) =>
        call(auditCalls.export, {
          query: JSON.parse(id) as AuditFilters & { format: 'csv' | 'xlsx' },
          signal,
        }),
      ),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file) },
  }),
  views: provideViews(call)['audit']!,
}))
