import { findingKinds, type Finding, type FindingKind } from '../../../schemas/api/months/months.ts'
import type { Sql } from '../../db/db.ts'
import { formatAmount } from '../amounts.ts'
import { currentLock, monthName } from '../months.ts'
import { lockedMonthCtes, monthSource, supersededStatement } from '../monthSource.ts'
import { chainCtes, chainQuery, chainValues, type ChainArrays } from '../openMonth.ts'
import { allChecks, checkCtes } from './checks.ts'
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
  const { ctes, values } = await monthSource(sql, month, { agents: null })
  const rows = await sql.query<FoundRow>(
    `with recursive ${foundCtes(ctes, values.length + 1)} ${foundRows('found')}`,
    [...values, foundKinds],
  )
  return settledFindings(sql, month, rows, run)
}

/**
 * The findings of a lock that is being made, from the snapshot that was just written. `run` is the run that
 * is locked over, read before the lock was inserted, which closes it. Notes that nobody waived, of which a
 * large month has one for every other merchant, are written into the lock by the same statement and are not
 * answered.
 */
export async function snapshotFindings(
  sql: Sql,
  { month, id }: { month: string; id: number },
  run: UnreleasedRun | null,
): Promise<Finding[]> {
  const [chain] = await sql.query<ChainArrays>(chainQuery.copies, [month, id])
  const ctes = [chainCtes(4, '$2'), lockedMonthCtes('$2', '$3'), supersededStatement('$2', '$3')].join(',')
  const values = [month, id, null, ...chainValues(chain!), foundKinds]
  const rows = await sql.query<FoundRow>(
    `with recursive ${foundCtes(ctes, values.length)},
      sorted as materialized (
        select *, severity = 'note' and key not in (select key from month_waiver where month = $1) as isplain
        from found),
      kept as (
        update month_lock set findings = (
          select coalesce(jsonb_agg(jsonb_build_object('key', key, 'kind', kind, 'severity', severity,
            'what', what, 'where', "where", 'amount', amount, 'link', link, 'waiver', null)
            order by n, "where" collate "C", key collate "C"), '[]')
          from sorted where isplain)
        where id = $2)
      ${foundRows('(select * from sorted where not isplain)')}`,
    values,
  )
  return settledFindings(sql, month, rows, run)
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

type FoundRow = UnwaivedFinding & { kind: FindingKind }

/** The kinds as a parameter: what a finding says and how severe it is depends on its kind. */
const foundKinds = JSON.stringify(
  Object.entries(findingKinds).map(([kind, { severity, what }], n) => ({ n, kind, severity, what })),
)

/** `found`: the findings; `kinds` is the number of the parameter with `foundKinds`. */
const foundCtes = (ctes: string, kinds: number) => `${ctes}, ${checkCtes},
  found as materialized (
    select k.n, f.kind, case f.key when '' then f.kind else f.kind || ':' || f.key end as key, k.severity,
      coalesce(f.what, k.what) as what, f."where", f.amount, f.link
    from (${allChecks}) as f (kind, key, what, "where", amount, link)
      join jsonb_to_recordset($${kinds}::jsonb) as k (n int, kind text, severity text, what text)
        on k.kind = f.kind)`

const foundRows = (relation: string) => `
  select key, kind, severity, what, "where", amount, link from ${relation} f
  order by n, "where" collate "C", key collate "C"`

/** The findings with their waivers, in the order of severity and then of the checklist. */
function settledFindings(
  sql: Sql,
  month: string,
  rows: readonly FoundRow[],
  run: UnreleasedRun | null,
): Promise<Finding[]> {
  const found = run ? [...rows, findingOfRun(run)] : [...rows]
  const place = new Map<string, number>(
    Object.entries(findingKinds).map(([kind, { severity }], n) => [kind, severity === 'note' ? n + 100 : n]),
  )
  found.sort((a, b) => place.get(a.kind)! - place.get(b.kind)!)
  return withWaivers(sql, month, found)
}

const findingOfRun = ({ month, total, payees }: UnreleasedRun): FoundRow => ({
  key: `unreleased-run:${month.slice(0, 7)}`,
  kind: 'unreleased-run',
  severity: findingKinds['unreleased-run'].severity,
  what: `The payout run of ${monthName(month)} is not released`,
  where: `${formatAmount(total)} to ${payees} ${payees === 1 ? 'payee' : 'payees'}`,
  amount: total,
  link: `/payouts?month=${month.slice(0, 7)}`,
})
