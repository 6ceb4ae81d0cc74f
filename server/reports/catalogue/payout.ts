import { everyone } from '../../../schemas/permissions.ts'
import type { Sql } from '../../db/db.ts'
import { maskSecret } from '../../db/encryption.ts'
import { agentInScope } from '../../db/scope.ts'
import { decryptAccount } from '../../money/bankChanges.ts'
import { monthSource } from '../../money/monthSource.ts'
import { lockedMonthInput } from '../engine/monthInput.ts'
import { agentNamesSql } from '../engine/publishedMonths.ts'
import { id, money, namesAgent, placeholders, defineReport, text, unsortable } from '../engine/report.ts'

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

/**
 * SQL: part (payee, masteragentid, amount, rest, hold, payment, account, ischecking, isbusiness, isused) is
 * what was paid of the statements of a month, to the accounts of then, and what the run pays and leaves of
 * them; isused is false for an account to which none of it went, where some went to another.
 */
const partCtes = (month: string, scope: string) => `
  every_part as (
    select p.payeeid as payee, a.masteragentid, a.amount, 0 as rest, null as hold, p.id as payment,
      p.bankaccountnumber as account, p.ischecking, p.isbusiness
    from paid_allocation a join payout_payment p on p.id = a.paymentid
    where a.month = ${month}::date and ${agentInScope(scope, 'a.masteragentid')}
    union all
    select r.payee, r.masteragentid, r.topay, s.due - s.payable, s.hold, null, k.bankaccountnumber,
      k.ischecking, k.isbusiness
    from statement s join run_statement r on r.masteragentid = s.masteragentid
      join run_account k on k.masteragentid = r.payee
    where r.topay <> 0 or s.due <> s.payable),
  part as (
    select *, amount <> 0 or not bool_or(amount <> 0) over (partition by payee) as isused from every_part)`

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
      with recursive ${source.ctes},${partCtes(bind(inputs.month), scopeParam)}
      select k.masteragentid as id, coalesce(n.displayid, k.displayid) as displayid,
        coalesce(n.name, k.name) as name,
        string_agg(distinct s.displayid, ', ' order by s.displayid) as statements,
        array_agg(p.account order by p.payment) filter (where p.isused) as encrypted,
        string_agg(distinct case when p.ischecking then 'Checking' when not p.ischecking then 'Savings' end,
          ', ') filter (where p.isused) as account,
        string_agg(distinct case when p.isbusiness then 'CCD' when not p.isbusiness then 'PPD' end, ', ')
          filter (where p.isused) as class,
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
      mapRow: ({ encrypted, ...row }) => {
        const accounts = (encrypted as (Buffer | null)[]).map((it) =>
          maskSecret(decryptAccount(secret, Number(row.id), it)),
        )
        return { ...row, bank: [...new Set(accounts)].filter((it) => it !== '').join(', ') }
      },
    }
  },
})
