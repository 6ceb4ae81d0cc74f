import type { MonthDetail } from '../../schemas/api/months/months.ts'
import type { Sql } from '../db/db.ts'
import { agentInScope } from '../db/scope.ts'
import { HttpError } from '../http/errors.ts'
import { monthFindingGroups } from '../money/checklist/checklist.ts'
import { expectedProcessors } from '../money/checklist/checks.ts'
import { currentLock, monthName } from '../money/months.ts'
import { filesOf } from '../money/variance/presence.ts'
import { readMonthStates, type StateOptions } from './monthStates.ts'
import { readLockedFigures, readMonthFiles, readTypedStatements } from './monthWork.ts'

/** `scope` holds the ids of the caller's master agents, null for all. */
type DetailOptions = StateOptions & { month: string; scope: readonly number[] | null }

/**
 * One month, an ISO first day: state, processors, findings, files, statements, and what its lock copied. A
 * branch gets locked months alone, of these the net of its own merchants, and none of the lists (months 4).
 * Throws an HttpError: 404 for a month that holds nothing, 403 for an open month and a branch. `second` is
 * another transaction of the same moment, for a part of the checks of an open month.
 */
export async function readMonthDetail(
  sql: Sql,
  { month, scope, ...options }: DetailOptions,
  second: Sql | null = null,
): Promise<MonthDetail> {
  const [summary] = await readMonthStates(sql, options, month)
  if (!summary) throw new HttpError(404, `${monthName(month)} holds nothing`)
  const { state, version } = summary
  if (scope !== null && state === 'open')
    throw new HttpError(403, `${monthName(month)} is open: a branch is told of locked months alone`)
  return {
    month: month.slice(0, 7),
    state,
    version,
    processors: await readProcessors(sql, month, scope),
    ...(scope === null ? await readWholeHouse(sql, month, second) : emptyForBranch),
  }
}

const emptyForBranch = { kinds: [], findings: [], files: [], statements: [], locked: null }

/** What only a caller who sees all master agents gets. */
const readWholeHouse = async (sql: Sql, month: string, second: Sql | null) => ({
  ...(await monthFindingGroups(sql, month, second)),
  files: await readMonthFiles(sql, month),
  statements: await readTypedStatements(sql, month),
  locked: await readLockedFigures(sql, month),
})

/**
 * The processors of a month, an ISO first day. Of a locked month the net is that of the copies of its lock,
 * and those count as expected that had a file or a note that there is none, because the lock asks for one of
 * the two. Of an open month the net is that of its files; a caller with a scope gets no file and no stated
 * total.
 */
async function readProcessors(sql: Sql, month: string, scope: readonly number[] | null) {
  const lock = await currentLock(sql, month)
  const net = lock
    ? `select processor, sum(net) as net from locked_merchant
        where lockid = $3 and ${agentInScope('$2', 'masteragentid')} group by processor`
    : 'select processor, sum(net) as net from file group by processor'
  const seesFiles = '$2::int[] is null'
  return sql.query<MonthDetail['processors'][number]>(
    `with file as materialized (
        select * from (${filesOf('$1::date')}) f where ${seesFiles}),
      held as (${net}),
      stated as (select processor, statednet, nofile from processor_statement
        where month = $1 and ${seesFiles}),
      named as (select f.processor, string_agg(distinct b.filename, ', ' order by b.filename) as file
        from file f join import_batch b on b.id = f.batchid group by f.processor),
      expected as (select processor, true as expected from (${
        lock
          ? `select processor from held union select processor from stated where nofile`
          : expectedProcessors('$1::date')
      }) p)
      select processor, coalesce(e.expected, false) as expected, n.file,
        coalesce(h.net, 0) as net, s.statednet
      from held h full join stated s using (processor) full join expected e using (processor)
        left join named n using (processor)
      order by processor collate "C"`,
    [month, scope, ...(lock ? [lock.id] : [])],
  )
}
