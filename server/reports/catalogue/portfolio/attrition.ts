import { everyone } from '../../../../schemas/permissions.ts'
import { agentInScope } from '../../../db/scope.ts'
import { monthName } from '../../../money/months.ts'
import { epochSeconds, firstOf } from '../../engine/days.ts'
import { dateSpan } from '../../engine/inputs.ts'
import {
  controlNotes,
  lockedSpan,
  monthOf,
  singleLock,
  spanNamesSql,
  spanNotes,
} from '../../engine/lockedSpan.ts'
import { isPublishedSql, publishedNotes, unknownMonths } from '../../engine/publishedMonths.ts'
import {
  count,
  money,
  agentColumns,
  percent,
  placeholders,
  ratio,
  defineReport,
  type Sums,
} from '../../engine/report.ts'

/** The total of an attrition column, in percent of the sum at the start. */
const attritionTotal = (now: string, before: string) => (sums: Sums) => {
  const [end, start] = [sums[now], sums[before]]
  if (end === undefined || start === undefined) return null
  return ratio('lost', 'before', 100)({ lost: start - end, before: start })
}

/** Of which months there are residual figures that the scope sees: null stands for those of the other. */
type Known = { start: boolean; end: boolean }

/** The figures of the start and the end, by a column of both, with the share that was lost between them. */
const comparedColumns = (name: string, share: string, { start, end }: Known) => {
  const figure = (column: string, isKnown: boolean) => (isKnown ? `coalesce(${column}, 0)` : 'null::numeric')
  const [before, now] = [figure(`${name}0`, start), figure(`${name}1`, end)]
  return `${before} as ${name}0, ${now} as ${name}1,
    round((${before} - ${now}) * 100.0 / nullif(${before}, 0), 2) as ${share}`
}

/** Figures of the months of the start and the end: of `r`, by two conditions. */
const figureColumns = (isStart: string, isEnd: string) =>
  Object.entries({ sales: 'sales', txns: 'txncount', net: 'net' })
    .flatMap(([name, column]) =>
      [isStart, isEnd].map(
        (when, end) => `coalesce(sum(r.${column}) filter (where ${when}), 0) as ${name}${end}`,
      ),
    )
    .join(', ')

/** The rows of the report from `accounts` and `figures`; `names` is a relation (id, displayid, name). */
const rowsSql = (names: string, known: Known) => `
  select a.displayid, a.name, c.base, c.lost, round(c.lost * 100.0 / c.base, 2) as accounts,
    ${comparedColumns('sales', 'volume', known)}, ${comparedColumns('txns', 'transactions', known)},
    ${comparedColumns('net', 'residual', known)}
  from accounts c join ${names} a on a.id = c.masteragentid
    left join figures f on f.masteragentid = c.masteragentid
  order by a.displayid, a.id`

/** By today's records; the parameters are placeholders. */
const currentSql = (scope: string, from: string, to: string, known: Known) => {
  const [first, last] = [firstOf('month', from), firstOf('month', to)]
  return `
  with base as (
    select xmid, masteragentid, accountstatus = 3 and date_closed <= ${epochSeconds(to)} as gone
    from merchant
    where coalesce(date_added, 0) > 0 and date_added < ${epochSeconds(from)}
      and (accountstatus <> 3 or date_closed >= ${epochSeconds(from)})
      and ${agentInScope(scope, 'masteragentid')}),
  accounts as (select masteragentid, count(*) as base, count(*) filter (where gone) as lost from base
    group by masteragentid),
  figures as (
    select b.masteragentid, ${figureColumns(`r.month = ${first}`, `r.month = ${last}`)}
    from residual r join base b using (xmid)
    where r.month in (${first}, ${last}) and ${isPublishedSql(scope)}
    group by b.masteragentid)
  ${rowsSql('master_agent', known)}`
}

/** By the ids that two locks copied, which may be the same one. The parameters are placeholders. */
const lockedSql = (scope: string, locks: string, start: string, end: string) => `
  with base as (
    select k.masteragentid, x.xmid
    from locked_portfolio k cross join unnest(k.stayed || k.lost) x (xmid)
    where k.lockid = ${start}::int and ${agentInScope(scope, 'k.masteragentid')}),
  remaining as (
    select x.xmid from locked_portfolio k cross join unnest(k.stayed || k.joined) x (xmid)
    where k.lockid = ${end}::int),
  accounts as (
    select b.masteragentid, count(*) as base, count(*) filter (where e.xmid is null) as lost
    from base b left join remaining e on e.xmid = b.xmid group by b.masteragentid),
  figures as (
    select b.masteragentid, ${figureColumns(`r.lockid = ${start}::int`, `r.lockid = ${end}::int`)}
    from locked_merchant r join base b on b.xmid = r.xmid
    where r.lockid in (${start}::int, ${end}::int) group by b.masteragentid)
  ${rowsSql(spanNamesSql(locks), { start: true, end: true })}`

/**
 * Losses among the merchants that were there at the start; new ones are left out (reports 23). Between locked
 * months the ids that their locks copied are compared (months 6).
 */
export const attrition = defineReport({
  id: 'attrition',
  name: 'Attrition',
  group: 'Portfolio',
  description: 'What was lost between two days of the merchants that were there at the start.',
  figure: { column: 'accounts', words: 'Accounts lost' },
  hasFewRows: true,
  allow: everyone,
  ...dateSpan,
  columns: [
    ...agentColumns,
    count('base', 'Accounts at Start', 'sum'),
    count('lost', 'Accounts Lost', 'sum'),
    percent('accounts', 'Account Attrition', ratio('lost', 'base', 100)),
    money('sales0', 'Volume at Start', 'sum'),
    money('sales1', 'Volume at End', 'sum'),
    percent('volume', 'Volume Attrition', attritionTotal('sales1', 'sales0')),
    count('txns0', 'Transactions at Start', 'sum'),
    count('txns1', 'Transactions at End', 'sum'),
    percent('transactions', 'Transaction Attrition', attritionTotal('txns1', 'txns0')),
    money('net0', 'Residual at Start', 'sum'),
    money('net1', 'Residual at End', 'sum'),
    percent('residual', 'Residual Attrition', attritionTotal('net1', 'net0')),
  ],
  async query({ sql, scope, inputs }) {
    const { values, bind } = placeholders()
    const span = await lockedSpan(sql, inputs, 'first and last')
    const [start, end] = [span.locks[0], span.locks.at(-1)]
    const isLocked = start !== undefined && end !== undefined
    const months = [...new Set([monthOf(inputs.from), monthOf(inputs.to)])]
    const unknown = isLocked ? [] : await unknownMonths(sql, scope, months)
    const isKnown = (day: string) => !unknown.includes(monthOf(day))
    const known = { start: isKnown(inputs.from), end: isKnown(inputs.to) }
    return {
      sql: isLocked
        ? lockedSql(bind(scope), bind([start.id, end.id]), bind(start.id), bind(end.id))
        : currentSql(bind(scope), bind(inputs.from), bind(inputs.to), known),
      values,
      lock: singleLock(span),
      notes: [
        'Accounts at Start were added before From and not closed by then; new business is left out.',
        'Volume, transactions and residual compare the month of From with the month of To.',
        ...unknown.map((month) => `There are no residual figures of ${monthName(month)}: they are blank.`),
        ...spanNotes(span),
        ...(isLocked ? await controlNotes(sql, span, { scope, withAccounts: true }) : publishedNotes(scope)),
      ],
    }
  },
})
