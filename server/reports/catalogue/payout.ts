import { everyone } from '../../../schemas/permissions.ts'
import { maskSecret } from '../../db/encryption.ts'
import { agentInScope } from '../../db/scope.ts'
import { decryptAccount } from '../../money/bankChanges.ts'
import { monthSource } from '../../money/monthSource.ts'
import { lockedMonthInput } from '../engine/monthInput.ts'
import { agentNamesSql } from '../engine/publishedMonths.ts'
import { id, money, namesAgent, placeholders, defineReport, text, unsortable } from '../engine/report.ts'

/** The payments of a locked month (payouts 3). */
export const payout = defineReport({
  id: 'ach-payout',
  name: 'ACH Payout',
  group: 'Payouts',
  description: 'The payments of a locked month, to which account each goes, and what is not paid.',
  figure: { column: 'amount', words: 'To be paid' },
  allow: everyone,
  publishedOnly: true,
  hasBankFile: true,
  inputs: { month: lockedMonthInput },
  columns: [
    id('displayid', 'Payee', { text: 'Total' }),
    namesAgent(text('name', 'Name'), 'displayid'),
    text('statements', 'Statements'),
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
    const [scopeParam, names] = [bind(scope), agentNamesSql(source, bind)]
    const rows = `
      with recursive ${source.ctes}
      select k.masteragentid as id, coalesce(n.displayid, k.displayid) as displayid,
        coalesce(n.name, k.name) as name,
        string_agg(s.displayid, ', ' order by s.displayid) as statements, k.bankaccountnumber as encrypted,
        case when k.ischecking then 'Checking' else 'Savings' end as account,
        case when k.isbusiness then 'CCD' else 'PPD' end as class,
        sum(s.payable) as amount, sum(s.due - s.payable) as held,
        coalesce(string_agg(distinct s.hold, '; ' order by s.hold) filter (where s.due <> s.payable),
          case when sum(s.due - s.payable) < 0 then 'Negative balance'
            when sum(s.due - s.payable) > 0 then 'Below the minimum payout' end) as hold
      from statement s join run_statement r on r.masteragentid = s.masteragentid
        join run_account k on k.masteragentid = r.payee left join ${names} n on n.id = k.masteragentid
      where ${agentInScope(scopeParam, 's.masteragentid')} and s.due <> 0
      group by k.masteragentid, k.displayid, k.name, n.displayid, n.name, k.bankaccountnumber, k.ischecking,
        k.isbusiness
      order by displayid, id`
    const releases = await sql.query<{ how: string; username: string; day: string }>(
      `select how, username, to_char(effective, 'MM/DD/YYYY') as day from payout_release
        where month = $1 and how <> 'migrated' order by id`,
      [inputs.month],
    )
    const notes =
      scope === null
        ? releases.map(({ how, username, day }) =>
            how === 'file'
              ? `A bank file that settles on ${day} was released by ${username}.`
              : `${username} marked payments as paid on ${day} in another way.`,
          )
        : []
    return {
      sql: rows,
      values,
      lock: source.lock,
      notes,
      mapRow: (row) => ({
        ...row,
        bank: maskSecret(decryptAccount(secret, Number(row.id), row.encrypted as Buffer | null)),
      }),
    }
  },
})
