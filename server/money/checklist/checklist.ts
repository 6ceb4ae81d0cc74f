import {
  findingKinds,
  findingsShown,
  singlyWaivedKind,
  type Finding,
  type KindSum,
} from '../../../schemas/api/months/months.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { formatAmount } from '../amounts.ts'
import { lateWithdrawals, type FoundBefore } from '../late/withdrawals.ts'
import { currentLock, monthName, type MonthAction } from '../months.ts'
import { lockedMonthCtes, monthSource, supersededStatement } from '../monthSource.ts'
import { chainCtes, chainQuery, chainValues, type ChainArrays } from '../openMonth.ts'
import { statementHold } from '../payoutRun.ts'
import { recordMissingCtes } from '../variance/missingSql.ts'
import { checkCtes, checkParts, findingLink } from './checks.ts'
import { newestWaiver, waiverCte, waiverJson } from './waivers.ts'

const columns = 'key, kind, severity, what, "where", amount, link, waiver'
const shownColumns = columns.replace('link', `${findingLink('finding')} as link`)
const order = 'n, "where" collate "C", key collate "C"'

/**
 * The relation `finding` (n, and the columns of a Finding, but for a link that `findingLink` makes of it):
 * common table expressions and parameters.
 */
export type FindingSource = { ctes: string; values: unknown[] }

type Part = keyof typeof checkParts

const keptSource = ({ id }: { id: number }): FindingSource => ({
  ctes: `finding as (select * from locked_finding where lockid = $1)`,
  values: [id],
})

const openSource = (
  { ctes, values }: FindingSource,
  part: Part,
  before: readonly FoundBefore[],
  kind: string | null = null,
): FindingSource => {
  const first = values.length + 1
  // What is found of other months is none of the checks of pay.
  const found = [foundKinds, JSON.stringify(part === 'pay' ? [] : before)]
  return kind === null
    ? { ctes: findingCtes(ctes, first, part), values: [...values, ...found] }
    : {
        ctes: findingCtes(ctes, first, part, `where f.kind = $${first + 2}`),
        values: [...values, ...found, kind],
      }
}

/**
 * The findings of a month, an ISO first day, in the order of `findingOrder`; of a locked month those that its
 * lock kept (months 10). Of an open month those of a part of the checks, or of a kind in it.
 */
async function findingSource(
  sql: Sql,
  month: string,
  part: Part,
  kind: string | null = null,
): Promise<FindingSource> {
  const lock = await currentLock(sql, month)
  if (lock) return keptSource(lock)
  const before = part === 'pay' ? [] : await foundBefore(sql, month)
  return openSource(await monthSource(sql, month, { agents: null }), part, before, kind)
}

/**
 * All findings of a month, and those of two parts of its checks, which have no kind in common; none of a
 * locked month.
 */
export async function findingParts(sql: Sql, month: string) {
  const lock = await currentLock(sql, month)
  if (lock) return { lock, all: keptSource(lock), parts: null }
  const before = await foundBefore(sql, month)
  const source = await monthSource(sql, month, { agents: null })
  const of = (part: Part) => openSource(source, part, before)
  return { lock, all: of('all'), parts: [of('rows'), of('pay')] as const }
}

/** Orders findings of different kinds as `findingOrder` does, by the kinds in it. */
export const compareKinds = (a: string, b: string) => kindNames.indexOf(a) - kindNames.indexOf(b)
export const findingOrder = order

/**
 * All findings of a month, an ISO first day, or those of a kind (months 10). For a kind of an open month
 * PostgreSQL plans the statement without the checks of others, most of the work for a million merchants.
 */
export async function monthFindings(sql: Sql, month: string, kind: string | null = null): Promise<Finding[]> {
  const { ctes, values } = await findingSource(sql, month, 'all', kind)
  const kindParam = `$${values.length + 1}::text`
  return sql.query<Finding>(
    `with recursive ${ctes}
      select ${shownColumns} from finding
      where ${kindParam} is null or kind = ${kindParam} order by ${order}`,
    [...values, kind],
  )
}

type FindingGroups = { kinds: KindSum[]; findings: Finding[] }

/**
 * `findingGroups` of an open month, of which `second`, another transaction of the same moment, works out a
 * part at the same time. All findings of a kind are of one part.
 */
export async function monthFindingGroups(
  sql: Sql,
  month: string,
  second: Sql | null = null,
): Promise<FindingGroups> {
  if (second === null) return findingGroups(sql, month, 'all')
  const parts = await Promise.all([findingGroups(sql, month, 'rows'), findingGroups(second, month, 'pay')])
  const inOrder = <T extends { kind: string }>(items: T[]) =>
    items.sort((a, b) => compareKinds(a.kind, b.kind))
  return {
    kinds: inOrder(parts.flatMap(({ kinds }) => kinds)),
    findings: inOrder(parts.flatMap(({ findings }) => findings)),
  }
}

/**
 * What a month was found to have by kind, counted and summed exactly, with the first findings of each kind:
 * of more than can be shown those that nobody waived, and all of the kind that is waived one by one
 * (months 10). The findings are grouped by kind and person who waived first: distinct names of a million
 * findings would sort all of them.
 */
async function findingGroups(sql: Sql, month: string, part: Part): Promise<FindingGroups> {
  const { ctes, values } = await findingSource(sql, month, part)
  const [found] = await sql.query<FindingGroups>(
    `with recursive ${ctes},
      waiver_sum as (
        select kind, severity, waiver ->> 'username' as by, min(n) as n, count(*) as count,
          sum(amount) as sum
        from finding group by kind, severity, waiver ->> 'username'),
      kind_sum as materialized (
        select kind, min(n) as n, min(severity) as severity, sum(count) as count, sum(sum) as sum,
          coalesce(sum(count) filter (where by is not null), 0) as waived,
          coalesce(sum(sum) filter (where by is not null), 0) as waivedsum,
          coalesce(json_agg(by order by by) filter (where by is not null), '[]') as waivedby
        from waiver_sum group by kind)
    select
      (select coalesce(json_agg(json_build_object('kind', kind, 'severity', severity, 'count', count,
          'sum', sum, 'waived', waived, 'waivedsum', waivedsum, 'waivedby', waivedby) order by n), '[]')
        from kind_sum) as kinds,
      (select coalesce(json_agg(json_build_object('key', f.key, 'kind', f.kind, 'severity', f.severity,
          'what', f.what, 'where', f."where", 'amount', f.amount, 'link', ${findingLink('f')},
          'waiver', f.waiver)
          order by k.n, f.n, f."where" collate "C", f.key collate "C"), '[]')
        from kind_sum k cross join lateral (
          select * from finding where kind = k.kind order by waiver is not null, ${order}
          limit case when k.kind <> '${singlyWaivedKind}' then ${findingsShown} end) f) as findings`,
    values,
  )
  return found!
}

/**
 * Writes the findings of a lock that is being made and what is missing in its month, from the snapshot that
 * was just written, and answers the findings that keep it from being made. `before` is `foundBefore`, read
 * before the lock was inserted, which closes the run before it and the month.
 */
export async function writeFindings(
  tx: Tx,
  { month, username, address }: MonthAction,
  id: number,
  before: readonly FoundBefore[],
): Promise<Finding[]> {
  const [chain] = await tx.query<ChainArrays>(chainQuery.copies, [month, id])
  const ctes = [chainCtes(4, '$2'), lockedMonthCtes('$2', '$3'), supersededStatement('$2', '$3')].join(',')
  const values = [month, id, null, ...chainValues(chain!)]
  const first = values.length + 1
  await tx.query(
    `with recursive ${findingCtes(ctes, first, 'all')},
      ${recordMissingCtes('$2', `$${first + 2}`, `$${first + 3}`)}
      insert into locked_finding (lockid, n, ${columns})
      select $2, row_number() over (order by ${order}), ${shownColumns} from finding`,
    [...values, foundKinds, JSON.stringify(before), username, address],
  )
  return blockingFindings(tx, id)
}

const blockingFindings = (tx: Tx, lockid: number) =>
  tx.query<Finding>(
    `select ${columns} from locked_finding
      where lockid = $1 and severity <> 'note' and (severity = 'stop' or waiver is null) order by n`,
    [lockid],
  )

/**
 * Gives each warning of a lock that is being made, and that nobody waived before, the waiver that was written
 * last: all of them were waived at once.
 */
export const waiveLocked = (tx: Tx, { month, id }: { month: string; id: number }) =>
  tx.query(
    `update locked_finding set waiver = (
        select ${waiverJson} from month_waiver where month = $1 order by id desc limit 1)
      where lockid = $2 and waiver is null and severity = 'warning'`,
    [month, id],
  )

/** A statement that a person holds, with what would be paid of it, in dollars. */
type HeldStatement = { id: number; agent: string; due: number; reason: string }
type ClosedRun = { month: string; total: number; payees: number; held: HeldStatement[] }

/**
 * The run of the newest lock before a month, which the lock of the month closes (payouts 1): what it still
 * pays, in dollars, and the statements whose hold ends with it (payouts 2), because the next run pays what is
 * carried of them.
 */
async function runClosedByLock(sql: Sql, month: string): Promise<ClosedRun | null> {
  const [last] = await sql.query<{ month: string | null }>(
    'select max(month) as month from month_lock where reopened_at is null and month < $1',
    [month],
  )
  if (!last?.month) return null
  const { ctes, values } = await monthSource(sql, last.month, { agents: null })
  const [run] = await sql.query<Omit<ClosedRun, 'month'>>(
    `with recursive ${ctes},
      held as (
        select r.masteragentid as id, a.displayid || ' ' || a.name as agent, r.offer as due,
          ${statementHold('$3::date')} as reason
        from run_statement r join statement s using (masteragentid)
          join run_account a using (masteragentid)
        where r.offer > 0 and not a.isofficeaccount)
      select coalesce(sum(topay), 0) as total, count(*) as payees,
        (select coalesce(jsonb_agg(h order by h.agent), '[]') from held h where h.reason is not null) as held
      from run_payee where topay > 0`,
    values,
  )
  return { month: last.month, ...run! }
}

/** What is found of a month, an ISO first day, by other relations: of another month or version. */
export async function foundBefore(sql: Sql, month: string): Promise<FoundBefore[]> {
  const run = await runClosedByLock(sql, month)
  return [...(run ? runFindings(run) : []), ...(await lateWithdrawals(sql, month))]
}

function runFindings({ month, total, payees, held }: ClosedRun): FoundBefore[] {
  const key = month.slice(0, 7)
  const link = `/payouts?month=${key}`
  const unpaid: FoundBefore = {
    kind: 'unreleased-run',
    key,
    what: `The payout run of ${monthName(month)} is not released`,
    where: `${formatAmount(total)} to ${payees} ${payees === 1 ? 'payee' : 'payees'}`,
    amount: total,
    link,
  }
  const ending = held.map(({ id, agent, due, reason }): FoundBefore => ({
    kind: 'statement-hold',
    key: `${key} ${id}`,
    what: null,
    where: `${agent}, ${monthName(month)}, due ${formatAmount(due)}. ${reason}`,
    amount: due,
    link,
  }))
  return total > 0 ? [unpaid, ...ending] : ending
}

/** The kinds in the order in which their findings stand: stops and warnings before notes. */
const orderedKinds = Object.entries(findingKinds).toSorted(
  ([, a], [, b]) => Number(a.severity === 'note') - Number(b.severity === 'note'),
)
const kindNames = orderedKinds.map(([kind]) => kind)

/** The kinds as a parameter; what a finding says depends on its kind. */
const foundKinds = JSON.stringify(
  orderedKinds.map(([kind, { severity, what }], n) => ({ n, kind, severity, what })),
)

/**
 * `finding`: what a part of the checks finds and what was found before, with the newest waivers; parameter
 * `first` is `foundKinds`, the one after it `foundBefore`. `where` may be a condition on what is found, f.
 */
const findingCtes = (ctes: string, first: number, part: Part, where = '') => `
  ${ctes}, ${checkCtes}, ${waiverCte('$1')},
  found as (
    select k.n, f.kind, case f.key when '' then f.kind else f.kind || ':' || f.key end as key, k.severity,
      coalesce(f.what, k.what) as what, f."where", f.amount, f.link
    from (${checkParts[part]}
        union all select kind, key, what, "where", amount, link
        from jsonb_to_recordset($${first + 1}::jsonb)
          as b (kind text, key text, what text, "where" text, amount numeric, link text)
      ) as f (kind, key, what, "where", amount, link)
      join jsonb_to_recordset($${first}::jsonb) as k (n int, kind text, severity text, what text)
        on k.kind = f.kind ${where}),
  finding as materialized (
    select f.*, w.waiver from found f left join given_waiver w on ${newestWaiver('f', 'w')})`
