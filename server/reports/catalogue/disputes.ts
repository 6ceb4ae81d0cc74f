import { everyone } from '../../../schemas/permissions.ts'
import { within } from '../../db/scope.ts'
import { seconds } from '../engine/days.ts'
import { plainMonth } from '../engine/monthInput.ts'
import { count, money, ofMerchant, percent, placeholders, ratio, report, text } from '../engine/report.ts'

/** Percent of a merchant's transactions: from here on it is watched, and here it is over. Our own, not a network's. */
const thresholds = { watch: 0.75, over: 1 }
/** Mastercard: disputes of a month, and percent of the transactions of the month before (domain 6.5). */
const mastercard = { ecm: { count: 100, percent: 1.5 }, hecm: { count: 300, percent: 3 } }

/** A dispute ratio, not the networks' own: our files know neither fraud reports nor which sales were without the card. */
export const disputes = report({
  id: 'dispute-ratio',
  name: 'Dispute Ratio',
  allow: everyone,
  inputs: { month: plainMonth },
  columns: [
    ...ofMerchant,
    count('cases', 'Disputes', 'sum'),
    money('disputed', 'Disputed Amount', 'sum'),
    count('txncount', 'Transactions', 'sum'),
    money('sales', 'Volume', 'sum'),
    percent('countratio', 'Count Ratio', ratio('cases', 'txncount', 100)),
    percent('amountratio', 'Amount Ratio', ratio('disputed', 'sales', 100)),
    count('before', 'Transactions the Month Before', 'sum'),
    percent('beforeratio', 'Ratio to the Month Before', ratio('cases', 'before', 100)),
    text('flag', 'Flag'),
  ],
  answer({ scope, inputs }) {
    const { values, put } = placeholders()
    const [mine, at] = [put(scope), put(inputs.month)]
    const after = `(${at}::date + interval '1 month')::date`
    // A month without a residual file is counted from its days.
    const month = (name: string, first: string, next: string) => `
      ${name} as (
        select c.xmid, coalesce(r.txncount, v.txncount, 0) as txncount, coalesce(r.sales, v.sales, 0) as sales
        from cases c
          left join (
            select xmid, sum(txncount) as txncount, sum(sales) as sales from residual
            where month = ${first} group by xmid) r using (xmid)
          left join (
            select xmid, sum(salescount) as txncount, sum(salesamount) as sales from daily_volume
            where volumedate >= ${first} and volumedate < ${next} group by xmid) v using (xmid))`
    const over = ({ count: least, percent: share }: { count: number; percent: number }) =>
      `cases >= ${least} and beforeratio >= ${share}`
    const sql = `
      with cases as (
        select c.xmid, max(c.dba) as dba, count(*) as cases, sum(c.amount) as disputed
        from chargeback c left join merchant m using (xmid)
        where c.casetype <> 'retrieval' and c.filedate >= ${seconds(at)} and c.filedate < ${seconds(after)}
          and ${within(mine, 'm.masteragentid')}
        group by c.xmid),
      ${month('now', `${at}::date`, after)},
      ${month('prior', `(${at}::date - interval '1 month')::date`, `${at}::date`)},
      ratios as (
        select c.xmid, coalesce(m.dba, c.dba) as dba, a.displayid || ' - ' || a.name as agent, c.cases, c.disputed,
          now.txncount, now.sales,
          round(c.cases * 100.0 / nullif(now.txncount, 0), 2) as countratio,
          round(c.disputed * 100 / nullif(now.sales, 0), 2) as amountratio,
          prior.txncount as before, round(c.cases * 100.0 / nullif(prior.txncount, 0), 2) as beforeratio
        from cases c join now using (xmid) join prior using (xmid)
          left join merchant m using (xmid) left join master_agent a on a.id = m.masteragentid)
      select *,
        case when ${over(mastercard.hecm)} then 'Mastercard HECM'
          when ${over(mastercard.ecm)} then 'Mastercard ECM'
          when countratio >= ${thresholds.over} then 'Over ${thresholds.over} %'
          when countratio >= ${thresholds.watch} then 'Watch' end as flag
      from ratios order by countratio desc nulls last, cases desc, xmid collate "C"`
    const notes = [
      'This is a dispute ratio of our own files: the networks also count fraud reports, and count by card brand. Retrievals are left out.',
    ]
    return { sql, values, notes }
  },
})
