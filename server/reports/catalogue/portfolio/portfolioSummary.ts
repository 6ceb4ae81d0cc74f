import { everyone } from '../../../../schemas/permissions.ts'
import { joinWithAnd } from '../../../../schemas/wording.ts'
import { agentInScope } from '../../../db/scope.ts'
import { monthName } from '../../../money/months.ts'
import { epochSeconds, firstOf } from '../../engine/days.ts'
import { dateSpan } from '../../engine/inputs.ts'
import {
  controlNotes,
  lockedSpan,
  monthsOf,
  singleLock,
  spanNamesSql,
  spanNotes,
} from '../../engine/lockedSpan.ts'
import { isPublishedSql, publishedNotes, unknownMonths } from '../../engine/publishedMonths.ts'
import { count, money, number, agentColumns, placeholders, ratio, defineReport } from '../../engine/report.ts'

/** The columns that rest on others, of `p` with volume, txns, net and sales. */
const ratioColumns = `
  round(p.volume / nullif(p.txns, 0), 2) as ticket, round(p.net / nullif(p.sales, 0) * 10000, 2) as bps`

/**
 * By today's records; the parameters are placeholders. `isKnown`: there are residual figures of a month of
 * the span, so that an agent without any has 0.
 */
const currentSql = (scope: string, from: string, to: string, isKnown: boolean) => {
  const figure = (name: string) => (isKnown ? `coalesce(r.${name}, 0) as ${name}` : `r.${name}`)
  return `
  with m as not materialized (select * from merchant where ${agentInScope(scope, 'masteragentid')}),
  merchants as (
    select masteragentid,
      count(*) filter (where accountstatus = 2) as active,
      count(*) filter (where date_added >= ${epochSeconds(from)}
        and date_added <= ${epochSeconds(to)}) as fresh,
      count(*) filter (where accountstatus = 3 and date_closed >= ${epochSeconds(from)}
        and date_closed <= ${epochSeconds(to)}) as closed
    from m group by masteragentid),
  days as (
    select m.masteragentid, sum(v.netamount) as volume, sum(v.salescount) as txns
    from daily_volume v join m using (xmid) where v.volumedate between ${from}::date and ${to}::date
    group by m.masteragentid),
  months as (
    select m.masteragentid, sum(r.income) as income, sum(r.net) as net, sum(r.sales) as sales
    from residual r join m using (xmid)
    where r.month between ${firstOf('month', from)} and ${to}::date
      and ${isPublishedSql(scope)} group by m.masteragentid)
  select p.*, ${ratioColumns}
  from (
    select a.id, a.displayid, a.name, c.active, c.fresh, c.closed, coalesce(d.volume, 0) as volume,
      coalesce(d.txns, 0) as txns,
      ${['income', 'net', 'sales'].map(figure).join(', ')}
    from merchants c join master_agent a on a.id = c.masteragentid
      left join days d on d.masteragentid = a.id left join months r on r.masteragentid = a.id) p
  order by p.displayid, p.id`
}

/** By the copies of locks; `newest` is the last of them. The parameters are placeholders. */
const lockedSql = (scope: string, locks: string, newest: string) => `
  select p.*, ${ratioColumns}
  from (
    select n.id, n.displayid, n.name,
      coalesce(sum(k.active) filter (where k.lockid = ${newest}::int), 0) as active,
      sum(k.fresh) as fresh, sum(k.closed) as closed, sum(k.volume) as volume, sum(k.txncount) as txns,
      sum(k.income) as income, sum(k.net) as net, sum(k.sales) as sales
    from locked_portfolio k join ${spanNamesSql(locks)} n on n.id = k.masteragentid
    where k.lockid = any (${locks}::int[]) and ${agentInScope(scope, 'k.masteragentid')}
    group by n.id, n.displayid, n.name) p
  order by p.displayid, p.id`

/** So many months a note names; of more it says how many they are. */
const mostNamed = 3

/** Says of which months of the span there are no residual figures. */
const unknownNotes = (unknown: readonly string[], isKnown: boolean): string[] => {
  if (unknown.length === 0) return []
  const named = unknown.map(monthName)
  const those =
    named.length > mostNamed
      ? `${named.length} months between ${named[0]} and ${named.at(-1)}`
      : joinWithAnd(named)
  const effect = isKnown ? 'the sums are of the other months' : 'they are blank'
  return [`There are no residual figures of ${those}: ${effect}.`]
}

/**
 * Merchants, volume and income of each master agent over a span of days (reports 21), of whole locked months
 * from their copies (months 6).
 */
export const portfolio = defineReport({
  id: 'portfolio-summary',
  name: 'Portfolio Summary',
  group: 'Portfolio',
  description: 'Merchants, volume and income of each agent over a span of days.',
  figure: { column: 'volume', words: 'Volume' },
  hasFewRows: true,
  allow: everyone,
  ...dateSpan,
  columns: [
    ...agentColumns,
    count('active', 'Active Merchants', 'sum'),
    count('fresh', 'New', 'sum'),
    count('closed', 'Closed', 'sum'),
    money('volume', 'Volume', 'sum'),
    count('txns', 'Transactions', 'sum'),
    money('ticket', 'Average Ticket', ratio('volume', 'txns', 1)),
    money('income', 'Income', 'sum'),
    money('net', 'Net', 'sum'),
    money('sales', 'Residual Sales', 'sum'),
    number('bps', 'BPS', ratio('net', 'sales', 10_000)),
  ],
  async query({ sql, scope, inputs }) {
    const { values, bind } = placeholders()
    const span = await lockedSpan(sql, inputs, 'every month')
    const newest = span.locks.at(-1)
    if (newest)
      return {
        sql: lockedSql(bind(scope), bind(span.locks.map(({ id }) => id)), bind(newest.id)),
        values,
        lock: singleLock(span),
        notes: [
          `Active counts the merchants as they were when ${monthName(newest.month)} was locked.`,
          ...spanNotes(span),
          ...(await controlNotes(sql, span, { scope })),
        ],
      }
    const months = monthsOf(inputs)
    const unknown = await unknownMonths(sql, scope, months)
    const isKnown = unknown.length < months.length
    return {
      sql: currentSql(bind(scope), bind(inputs.from), bind(inputs.to), isKnown),
      values,
      notes: [
        'Active counts the merchants as they are today. Income and net are of the months the span touches.',
        ...unknownNotes(unknown, isKnown),
        ...spanNotes(span),
        ...publishedNotes(scope),
      ],
    }
  },
})
