import { everyone } from '../../../../schemas/permissions.ts'
import { agentInScope } from '../../../db/scope.ts'
import { epochSeconds } from '../../engine/days.ts'
import { caseMonthInput } from '../../engine/monthInput.ts'
import {
  count,
  money,
  merchantColumns,
  percent,
  placeholders,
  ratio,
  defineReport,
  text,
} from '../../engine/report.ts'

/**
 * Percent of a merchant's transactions from which it is flagged: the portal's own thresholds (reports 25).
 */
const thresholds = { watch: 0.75, over: 1 }
/** Disputes of a month, and their percentage of the transactions of the month before (reports 25). */
const mastercard = { ecm: { count: 100, percent: 1.5 }, hecm: { count: 300, percent: 3 } }

/**
 * Disputes against transactions (reports 25). The files lack what the card networks need for their own
 * ratios.
 */
export const disputes = defineReport({
  id: 'dispute-ratio',
  name: 'Dispute Ratio',
  group: 'Risk and Compliance',
  description: 'Disputes of each merchant against its transactions, with the thresholds it reaches.',
  figure: { column: 'cases', words: 'Disputes' },
  allow: everyone,
  inputs: { month: caseMonthInput },
  columns: [
    ...merchantColumns,
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
  query({ scope, inputs }) {
    const { values, bind } = placeholders()
    const [scopeParam, monthParam] = [bind(scope), bind(inputs.month)]
    const nextMonth = `(${monthParam}::date + interval '1 month')::date`
    // Without residual data the figures of a month come from its daily volume.
    const figuresCte = (name: string, first: string, next: string) => `
      ${name} as (
        select c.xmid, coalesce(r.txncount, v.txncount, 0) as txncount, coalesce(r.sales, v.sales, 0) as sales
        from cases c
          left join (
            select xmid, sum(txncount) as txncount, sum(sales) as sales from residual
            where month = ${first} group by xmid) r using (xmid)
          left join (
            select xmid, sum(salescount) as txncount, sum(salesamount) as sales from daily_volume
            where volumedate >= ${first} and volumedate < ${next} group by xmid) v using (xmid))`
    // Not the rounded ratio of the column: 1.496 % is shown as 1.5 and does not reach it.
    const reaches = (sales: string, share: number) => `(${sales} > 0 and cases * 100 >= ${share} * ${sales})`
    const over = ({ count: least, percent: share }: { count: number; percent: number }) =>
      `cases >= ${least} and ${reaches('before', share)}`
    const sql = `
      with cases as (
        select c.xmid, max(c.dba) as dba, count(*) as cases, sum(c.amount) as disputed
        from chargeback c left join merchant m using (xmid)
        where c.casetype <> 'retrieval' and c.filedate >= ${epochSeconds(monthParam)}
          and c.filedate < ${epochSeconds(nextMonth)}
          and ${agentInScope(scopeParam, 'm.masteragentid')}
        group by c.xmid),
      ${figuresCte('now', `${monthParam}::date`, nextMonth)},
      ${figuresCte('prior', `(${monthParam}::date - interval '1 month')::date`, `${monthParam}::date`)},
      ratios as (
        select c.xmid, coalesce(m.dba, c.dba) as dba, a.displayid || ' - ' || a.name as agent, c.cases,
          c.disputed,
          now.txncount, now.sales,
          round(c.cases * 100.0 / nullif(now.txncount, 0), 2) as countratio,
          round(c.disputed * 100 / nullif(now.sales, 0), 2) as amountratio,
          prior.txncount as before, round(c.cases * 100.0 / nullif(prior.txncount, 0), 2) as beforeratio
        from cases c join now using (xmid) join prior using (xmid)
          left join merchant m using (xmid) left join master_agent a on a.id = m.masteragentid)
      select *,
        case when ${over(mastercard.hecm)} then 'Mastercard HECM'
          when ${over(mastercard.ecm)} then 'Mastercard ECM'
          when ${reaches('txncount', thresholds.over)} then 'Over ${thresholds.over} %'
          when ${reaches('txncount', thresholds.watch)} then 'Watch' end as flag
      from ratios order by countratio desc nulls last, cases desc, xmid collate "C"`
    const notes = [
      'This is a dispute ratio of our own files: the networks also count fraud reports, ' +
        'and count by card brand. Retrievals are left out.',
    ]
    return { sql, values, notes }
  },
})
