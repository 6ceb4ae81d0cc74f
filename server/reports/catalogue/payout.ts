import { everyone } from '../../../schemas/permissions.ts'
import type { Sql } from '../../db/db.ts'
import { maskAccounts } from '../../money/bankChanges.ts'
import { monthSource } from '../../money/monthSource.ts'
import { partAccountColumns, partCtes } from '../../money/payoutRun.ts'
import { lockedMonthInput } from '../engine/monthInput.ts'
import { agentNamesSql } from '../engine/publishedMonths.ts'
import {
  id,
  linked,
  money,
  namesAgent,
  placeholders,
  defineReport,
  statementPath,
  text,
  unsortable,
} from '../engine/report.ts'

/** By whom and for which day the payments of a month were released. */
async function releaseNotes(sql: Sql, month: string): Promise<string[]> {
  const releases = await sql.query<{ how: string; username: string; day: string }>(
    `select how, username, to_char(effective, 'MM/DD/YYYY') as day from payout_release
      where month = $1 and how <> 'migrated' order by id`,
    [month],
  )
  return releases.map(({ how, username, day }) =>
    how === 'file'
      ? `A bank file that settles on ${day} was released by ${username}.`
      : `${username} marked payments as paid on ${day} in another way.`,
  )
}

/** The payments of a locked month (payouts 3). */
export const payout = defineReport({
  id: 'ach-payout',
  name: 'ACH Payout',
  group: 'Payouts',
  description: 'The payments of a locked month, to which account each goes, and what is not paid.',
  figure: { column: 'amount', words: 'Paid or to be paid' },
  allow: everyone,
  publishedOnly: true,
  hasBankFile: true,
  inputs: { month: lockedMonthInput },
  columns: [
    id('displayid', 'Payee', { text: 'Total' }),
    namesAgent(text('name', 'Name'), 'displayid'),
    linked(text('statements', 'Statements'), 'statement'),
    unsortable(id('bank', 'Bank Account')),
    text('account', 'Account Type'),
    text('class', 'Entry Class'),
    money('amount', 'Amount', 'sum'),
    money('held', 'Not Paid', 'sum'),
    text('hold', 'Hold Reason'),
  ],
  async query({ sql, inputs, scope, secret }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const [scopeParam, monthParam, names] = [bind(scope), bind(inputs.month), agentNamesSql(source, bind)]
    const rows = `
      with recursive ${source.ctes},${partCtes(monthParam, scopeParam)}
      select k.masteragentid as id, coalesce(n.displayid, k.displayid) as displayid,
        coalesce(n.name, k.name) as name,
        string_agg(distinct s.displayid, ', ' order by s.displayid) as statements,
        case when count(distinct s.masteragentid) = 1
          then ${statementPath(`${monthParam}::date`, 'min(s.masteragentid)')} end as statement,
        ${partAccountColumns({ type: 'account', entryClass: 'class' })},
        sum(p.amount) as amount, sum(p.rest) as held,
        coalesce(string_agg(distinct p.hold, '; ' order by p.hold) filter (where p.rest <> 0),
          case when sum(p.rest) <> 0 then y.unpaid end) as hold
      from part p join statement s on s.masteragentid = p.masteragentid
        join run_account k on k.masteragentid = p.payee left join run_payee y on y.payee = p.payee
        left join ${names} n on n.id = k.masteragentid
      group by k.masteragentid, k.displayid, k.name, n.displayid, n.name, y.unpaid
      order by displayid, id`
    return {
      sql: rows,
      values,
      lock: source.lock,
      notes: scope === null ? await releaseNotes(sql, inputs.month) : [],
      mapRow: ({ encrypted, ...row }) => ({
        ...row,
        bank: maskAccounts(secret, Number(row.id), encrypted as (Buffer | null)[]),
      }),
    }
  },
})
