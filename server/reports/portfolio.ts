import { everyone } from '../../schemas/permissions.ts'
import { seconds } from './days.ts'
import { span } from './inputs.ts'
import { published, publishedNote } from './published.ts'
import { count, money, number, ofAgent, placeholders, ratio, report } from './report.ts'
import { within } from '../scope.ts'

/** The portfolio of each master agent over a span: merchants from their dates, volume from the days, income from the months it touches. */
export const portfolio = report({
  id: 'portfolio-summary',
  name: 'Portfolio Summary',
  allow: everyone,
  ...span,
  columns: [
    ...ofAgent,
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
  answer({ scope, inputs }) {
    const { values, put } = placeholders()
    const [mine, from, to] = [put(scope), put(inputs.from), put(inputs.to)]
    const sql = `
      with m as (select * from merchant where ${within(mine, 'masteragentid')}),
      merchants as (
        select masteragentid,
          count(*) filter (where accountstatus = 2) as active,
          count(*) filter (where date_added >= ${seconds(from)} and date_added <= ${seconds(to)}) as fresh,
          count(*) filter (where date_closed >= ${seconds(from)} and date_closed <= ${seconds(to)}) as closed
        from m group by masteragentid),
      days as (
        select m.masteragentid, sum(v.netamount) as volume, sum(v.salescount) as txns
        from daily_volume v join m using (xmid) where v.volumedate between ${from}::date and ${to}::date group by m.masteragentid),
      months as (
        select m.masteragentid, sum(r.income) as income, sum(r.net) as net, sum(r.sales) as sales
        from residual r join m using (xmid)
        where r.month between date_trunc('month', ${from}::date)::date and ${to}::date and ${published(mine)} group by m.masteragentid)
      select a.displayid, a.name, merchants.active, merchants.fresh, merchants.closed,
        coalesce(days.volume, 0) as volume, coalesce(days.txns, 0) as txns, round(days.volume / nullif(days.txns, 0), 2) as ticket,
        coalesce(months.income, 0) as income, coalesce(months.net, 0) as net, coalesce(months.sales, 0) as sales,
        round(months.net / nullif(months.sales, 0) * 10000, 2) as bps
      from merchants join master_agent a on a.id = merchants.masteragentid
        left join days using (masteragentid) left join months using (masteragentid)
      order by a.displayid, a.id`
    const notes = [
      'Active counts the merchants as they are today. Income and net are of the months the span touches.',
      ...publishedNote(scope),
    ]
    return { sql, values, notes }
  },
})
