import { everyone } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import { epochSeconds } from '../engine/days.ts'
import { dateSpan } from '../engine/inputs.ts'
import { isPublishedSql, publishedNotes } from '../engine/publishedMonths.ts'
import {
  count,
  money,
  number,
  agentColumns,
  percent,
  placeholders,
  ratio,
  defineReport,
} from '../engine/report.ts'

/** Merchants, volume and income of each master agent over a span of days (reports 21). */
export const portfolio = defineReport({
  id: 'portfolio-summary',
  name: 'Portfolio Summary',
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
  query({ scope, inputs }) {
    const { values, bind } = placeholders()
    const [scopeParam, from, to] = [bind(scope), bind(inputs.from), bind(inputs.to)]
    const sql = `
      with m as (select * from merchant where ${agentInScope(scopeParam, 'masteragentid')}),
      merchants as (
        select masteragentid,
          count(*) filter (where accountstatus = 2) as active,
          count(*) filter (where date_added >= ${epochSeconds(from)}
            and date_added <= ${epochSeconds(to)}) as fresh,
          count(*) filter (where date_closed >= ${epochSeconds(from)}
            and date_closed <= ${epochSeconds(to)}) as closed
        from m group by masteragentid),
      days as (
        select m.masteragentid, sum(v.netamount) as volume, sum(v.salescount) as txns
        from daily_volume v join m using (xmid) where v.volumedate between ${from}::date and ${to}::date
        group by m.masteragentid),
      months as (
        select m.masteragentid, sum(r.income) as income, sum(r.net) as net, sum(r.sales) as sales
        from residual r join m using (xmid)
        where r.month between date_trunc('month', ${from}::date)::date and ${to}::date
          and ${isPublishedSql(scopeParam)} group by m.masteragentid)
      select a.displayid, a.name, merchants.active, merchants.fresh, merchants.closed,
        coalesce(days.volume, 0) as volume, coalesce(days.txns, 0) as txns,
        round(days.volume / nullif(days.txns, 0), 2) as ticket,
        coalesce(months.income, 0) as income, coalesce(months.net, 0) as net,
        coalesce(months.sales, 0) as sales,
        round(months.net / nullif(months.sales, 0) * 10000, 2) as bps
      from merchants join master_agent a on a.id = merchants.masteragentid
        left join days using (masteragentid) left join months using (masteragentid)
      order by a.displayid, a.id`
    const notes = [
      'Active counts the merchants as they are today. Income and net are of the months the span touches.',
      ...publishedNotes(scope),
    ]
    return { sql, values, notes }
  },
})

/** The total of an attrition column, in percent of the sum at the start. */
const attritionTotal = (now: string, before: string) => (sums: Readonly<Record<string, number>>) =>
  ratio('lost', 'before', 100)({ lost: sums[before]! - sums[now]!, before: sums[before]! })

/** Losses among the merchants that were there at the start; new ones are left out (reports 23). */
export const attrition = defineReport({
  id: 'attrition',
  name: 'Attrition',
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
  query({ scope, inputs }) {
    const { values, bind } = placeholders()
    const [scopeParam, from, to] = [bind(scope), bind(inputs.from), bind(inputs.to)]
    const lossPercent = (now: string, before: string) =>
      `round((${before} - ${now}) * 100.0 / nullif(${before}, 0), 2)`
    const inMonthOf = (column: string, day: string) =>
      `coalesce(sum(r.${column}) filter (where r.month = date_trunc('month', ${day}::date)::date), 0)`
    const sql = `
      with base as (
        select xmid, masteragentid, coalesce(date_closed, 0) > 0
          and date_closed <= ${epochSeconds(to)} as gone
        from merchant
        where coalesce(date_added, 0) > 0 and date_added < ${epochSeconds(from)}
          and (date_closed >= ${epochSeconds(from)} or (coalesce(date_closed, 0) = 0 and accountstatus <> 3))
          and ${agentInScope(scopeParam, 'masteragentid')}),
      accounts as (select masteragentid, count(*) as base, count(*) filter (where gone) as lost from base
        group by masteragentid),
      figures as (
        select b.masteragentid, ${inMonthOf('sales', from)} as sales0, ${inMonthOf('sales', to)} as sales1,
          ${inMonthOf('txncount', from)} as txns0, ${inMonthOf('txncount', to)} as txns1,
          ${inMonthOf('net', from)} as net0, ${inMonthOf('net', to)} as net1
        from residual r join base b using (xmid)
        where r.month in (date_trunc('month', ${from}::date)::date, date_trunc('month', ${to}::date)::date)
          and ${isPublishedSql(scopeParam)}
        group by b.masteragentid)
      select a.displayid, a.name, c.base, c.lost, round(c.lost * 100.0 / c.base, 2) as accounts,
        coalesce(sales0, 0) as sales0, coalesce(sales1, 0) as sales1,
        ${lossPercent('sales1', 'sales0')} as volume,
        coalesce(txns0, 0) as txns0, coalesce(txns1, 0) as txns1,
        ${lossPercent('txns1', 'txns0')} as transactions,
        coalesce(net0, 0) as net0, coalesce(net1, 0) as net1, ${lossPercent('net1', 'net0')} as residual
      from accounts c join master_agent a on a.id = c.masteragentid left join figures using (masteragentid)
      order by a.displayid, a.id`
    const notes = [
      'Accounts at Start were added before From and not closed by then; new business is left out.',
      'Volume, transactions and residual compare the month of From with the month of To.',
      ...publishedNotes(scope),
    ]
    return { sql, values, notes }
  },
})
