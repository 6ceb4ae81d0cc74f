import { everyone } from '../../schemas/permissions.ts'
import { seconds } from './days.ts'
import { span } from './inputs.ts'
import { published, publishedNote } from './published.ts'
import { count, money, ofAgent, percent, placeholders, ratio, report } from './report.ts'
import { within } from '../scope.ts'

const lost = (now: string, before: string) => (sums: Readonly<Record<string, number>>) =>
  ratio('lost', 'before', 100)({ lost: sums[before]! - sums[now]!, before: sums[before]! })

/** What was lost of the merchants that were there at the start; whoever came since does not hide it. */
export const attrition = report({
  id: 'attrition',
  name: 'Attrition',
  allow: everyone,
  ...span,
  columns: [
    ...ofAgent,
    count('base', 'Accounts at Start', 'sum'),
    count('lost', 'Accounts Lost', 'sum'),
    percent('accounts', 'Account Attrition', ratio('lost', 'base', 100)),
    money('sales0', 'Volume at Start', 'sum'),
    money('sales1', 'Volume at End', 'sum'),
    percent('volume', 'Volume Attrition', lost('sales1', 'sales0')),
    count('txns0', 'Transactions at Start', 'sum'),
    count('txns1', 'Transactions at End', 'sum'),
    percent('transactions', 'Transaction Attrition', lost('txns1', 'txns0')),
    money('net0', 'Residual at Start', 'sum'),
    money('net1', 'Residual at End', 'sum'),
    percent('residual', 'Residual Attrition', lost('net1', 'net0')),
  ],
  answer({ scope, inputs }) {
    const { values, put } = placeholders()
    const [mine, from, to] = [put(scope), put(inputs.from), put(inputs.to)]
    const lostShare = (now: string, before: string) => `round((${before} - ${now}) * 100.0 / nullif(${before}, 0), 2)`
    const monthly = (what: string, at: string) =>
      `coalesce(sum(r.${what}) filter (where r.month = date_trunc('month', ${at}::date)::date), 0)`
    const sql = `
      with base as (
        select xmid, masteragentid, coalesce(date_closed, 0) > 0 and date_closed <= ${seconds(to)} as gone
        from merchant
        where coalesce(date_added, 0) > 0 and date_added < ${seconds(from)}
          and (date_closed >= ${seconds(from)} or (coalesce(date_closed, 0) = 0 and accountstatus <> 3))
          and ${within(mine, 'masteragentid')}),
      accounts as (select masteragentid, count(*) as base, count(*) filter (where gone) as lost from base group by masteragentid),
      figures as (
        select b.masteragentid, ${monthly('sales', from)} as sales0, ${monthly('sales', to)} as sales1,
          ${monthly('txncount', from)} as txns0, ${monthly('txncount', to)} as txns1,
          ${monthly('net', from)} as net0, ${monthly('net', to)} as net1
        from residual r join base b using (xmid)
        where r.month in (date_trunc('month', ${from}::date)::date, date_trunc('month', ${to}::date)::date)
          and ${published(mine)}
        group by b.masteragentid)
      select a.displayid, a.name, c.base, c.lost, round(c.lost * 100.0 / c.base, 2) as accounts,
        coalesce(sales0, 0) as sales0, coalesce(sales1, 0) as sales1, ${lostShare('sales1', 'sales0')} as volume,
        coalesce(txns0, 0) as txns0, coalesce(txns1, 0) as txns1, ${lostShare('txns1', 'txns0')} as transactions,
        coalesce(net0, 0) as net0, coalesce(net1, 0) as net1, ${lostShare('net1', 'net0')} as residual
      from accounts c join master_agent a on a.id = c.masteragentid left join figures using (masteragentid)
      order by a.displayid, a.id`
    const notes = [
      'Accounts at Start were added before From and not closed by then; new business is left out.',
      'Volume, transactions and residual compare the month of From with the month of To.',
      ...publishedNote(scope),
    ]
    return { sql, values, notes }
  },
})
