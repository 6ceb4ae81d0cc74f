import { findingKinds, type Finding, type FindingKind } from '../../schemas/api/months.ts'
import type { Sql } from '../db/db.ts'
import { formatAmount } from './amounts.ts'
import { allChecks, checkCtes } from './checks.ts'
import { currentLock, monthName } from './months.ts'
import { lockedMonthCtes, monthSource, supersededStatement, type MonthSource } from './monthSource.ts'
import { chainCtes, chainQuery, chainValues, type ChainArrays } from './openMonth.ts'
import { withWaivers, type UnwaivedFinding } from './waivers.ts'

/** The findings of a month, an ISO first day; of a locked month those that its lock kept (months 10). */
export async function monthFindings(sql: Sql, month: string): Promise<Finding[]> {
  const lock = await currentLock(sql, month)
  if (lock) {
    const [row] = await sql.query<{ findings: Finding[] }>('select findings from month_lock where id = $1', [
      lock.id,
    ])
    return row!.findings
  }
  const run = await unreleasedRun(sql, month)
  return queryFindings(sql, await monthSource(sql, month, { agents: null }), run)
}

/**
 * The findings of a lock that is being made, from the snapshot that was just written. `run` is the run that
 * is locked over, read before the lock was inserted, which closes it.
 */
export async function snapshotFindings(
  sql: Sql,
  { month, id }: { month: string; id: number },
  run: UnreleasedRun | null,
): Promise<Finding[]> {
  const [chain] = await sql.query<ChainArrays>(chainQuery, [month])
  const ctes = [chainCtes(4), lockedMonthCtes('$2', '$3'), supersededStatement('$2', '$3')].join(',')
  return queryFindings(sql, { ctes, values: [month, id, null, ...chainValues(chain!)] }, run)
}

type UnreleasedRun = { month: string; total: number; payees: number }

/** The run of the newest lock before a month, while it still pays something (payouts 1); dollars. */
export async function unreleasedRun(sql: Sql, month: string): Promise<UnreleasedRun | null> {
  const [last] = await sql.query<{ month: string | null }>(
    'select max(month) as month from month_lock where reopened_at is null and month < $1',
    [month],
  )
  if (!last?.month) return null
  const { ctes, values } = await monthSource(sql, last.month, { agents: null })
  const [run] = await sql.query<{ total: number; payees: number }>(
    `with recursive ${ctes}
      select coalesce(sum(topay), 0) as total, count(*) as payees from run_payee where topay > 0`,
    values,
  )
  return run!.total > 0 ? { month: last.month, ...run! } : null
}

type FoundRow = Pick<Finding, 'key' | 'where' | 'amount' | 'link'> & {
  kind: FindingKind
  /** Null where it is that of the kind. */
  what: string | null
}

async function queryFindings(
  sql: Sql,
  { ctes, values }: Pick<MonthSource, 'ctes' | 'values'>,
  run: UnreleasedRun | null,
): Promise<Finding[]> {
  const rows = await sql.query<FoundRow>(
    `with recursive ${ctes}, ${checkCtes}
      select kind, key, what, "where", amount, link
      from (${allChecks}) as found (kind, key, what, "where", amount, link) order by "where", key`,
    values,
  )
  const found = [...rows, ...(run ? [findingOfRun(run)] : [])].map(toFinding)
  const order = Object.keys(findingKinds)
  found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return withWaivers(sql, String(values[0]), found)
}

const findingOfRun = ({ month, total, payees }: UnreleasedRun): FoundRow => ({
  kind: 'unreleased-run',
  key: month.slice(0, 7),
  what: `The payout run of ${monthName(month)} is not released`,
  where: `${formatAmount(total)} to ${payees} ${payees === 1 ? 'payee' : 'payees'}`,
  amount: total,
  link: `/payouts?month=${month.slice(0, 7)}`,
})

const toFinding = ({ kind, key, what, where, amount, link }: FoundRow): UnwaivedFinding => ({
  key: key === '' ? kind : `${kind}:${key}`,
  kind,
  severity: findingKinds[kind].severity,
  what: what ?? findingKinds[kind].what,
  where,
  amount,
  link: link && link.replace(/=(.*)$/s, (_, value: string) => `=${encodeURIComponent(value)}`),
})
