import { passesAbaChecksum } from '../../../schemas/entities/masterAgent.ts'
import { everyone } from '../../../schemas/permissions.ts'
import type { Sql } from '../../db/db.ts'
import { maskSecret, decrypt } from '../../db/encryption.ts'
import { agentInScope } from '../../db/scope.ts'
import { monthSource, type MonthSource } from '../../money/monthSource.ts'
import { lockedMonthInput } from '../engine/monthInput.ts'
import { agentNamesSql } from '../engine/publishedMonths.ts'
import { id, money, placeholders, defineReport, text } from '../engine/report.ts'

/**
 * SQL: each statement with its payee (the agent itself unless another is named) and the payee's bank data.
 */
const paidCte = (names: string) => `
  paid as (
    select y.id, n.displayid, n.name, y.routingnumber, y.bankaccountnumber, y.isbankaccounttypechecking,
      y.isbankaccounttypebusiness,
      s.displayid as statementid, s.masteragentid, s.payable, s.due, s.hold, s.isofficeaccount
    from statement s join master_agent y on y.id = coalesce(s.payeeid, s.masteragentid)
      join ${names} n on n.id = y.id)`

const decryptAccount = (secret: Buffer, agent: number, encrypted: unknown) =>
  decrypt(secret, encrypted as Buffer | null, `master_agent.bankaccountnumber.${agent}`)

/** One payment of the bank file, with unmasked bank numbers; `cents` is a whole number. */
export type Payment = {
  id: number
  displayid: string
  name: string
  routing: string
  account: string
  checking: boolean
  business: boolean
  cents: number
}

/** The payments of a locked month, one for each payee (payouts 1), in the order of the report. */
export async function payments(sql: Sql, source: MonthSource, secret: Buffer): Promise<Payment[]> {
  const { values, bind } = placeholders(source.values)
  const paid = paidCte(agentNamesSql(source, bind))
  const rows = await sql.query<{
    id: number
    displayid: string
    name: string
    routing: string
    encrypted: Buffer | null
    checking: boolean
    business: boolean
    cents: number
  }>(
    `with recursive ${source.ctes}, ${paid}
      select id, displayid, name, routingnumber as routing, bankaccountnumber as encrypted,
        isbankaccounttypechecking as checking,
        isbankaccounttypebusiness as business, (sum(payable) * 100)::bigint as cents
      from paid where not isofficeaccount
      group by id, displayid, name, routingnumber, bankaccountnumber, isbankaccounttypechecking,
        isbankaccounttypebusiness
      having sum(payable) > 0
      order by displayid, id`,
    values,
  )
  return rows.map(({ encrypted, ...row }) => ({ ...row, account: decryptAccount(secret, row.id, encrypted) }))
}

/** Why a payment cannot be sent (payouts 8); null when it can. */
export const unpayableReason = ({ routing, account }: Pick<Payment, 'routing' | 'account'>): string | null =>
  !passesAbaChecksum(routing)
    ? 'its routing number fails the check'
    : /^\d{4,17}$/.test(account)
      ? null
      : 'its bank account number is missing or wrong'

/** The payments of a locked month (payouts 3). */
export const payout = defineReport({
  id: 'ach-payout',
  name: 'ACH Payout',
  allow: everyone,
  publishedOnly: true,
  hasBankFile: true,
  inputs: { month: lockedMonthInput },
  columns: [
    id('displayid', 'Payee', { text: 'Total' }),
    text('name', 'Name'),
    text('statements', 'Statements'),
    id('bank', 'Bank Account'),
    text('account', 'Account Type'),
    text('class', 'Entry Class'),
    money('amount', 'Amount', 'sum'),
    money('held', 'Not Paid', 'sum'),
    text('hold', 'Hold Reason'),
  ],
  async query({ sql, inputs, scope, secret }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const [scopeParam, paid] = [bind(scope), paidCte(agentNamesSql(source, bind))]
    const rows = `
      with recursive ${source.ctes}, ${paid}
      select id, displayid, name, string_agg(statementid, ', ' order by statementid) as statements,
        bankaccountnumber as encrypted,
        case when isbankaccounttypechecking then 'Checking' else 'Savings' end as account,
        case when isbankaccounttypebusiness then 'CCD' else 'PPD' end as class,
        sum(payable) as amount, sum(due - payable) as held,
        coalesce(string_agg(distinct hold, '; ' order by hold),
          case when sum(due - payable) < 0 then 'Negative balance'
            when sum(due - payable) > 0 then 'Below the minimum payout' end) as hold
      from paid where ${agentInScope(scopeParam, 'masteragentid')} and due <> 0
      group by id, displayid, name, bankaccountnumber, isbankaccounttypechecking, isbankaccounttypebusiness
      order by displayid, id`
    const files = await sql.query<{ modifier: string; username: string; day: string }>(
      `select modifier, username, to_char(at at time zone 'UTC', 'MM/DD/YYYY') as day
        from report_export where format = 'nacha' and month = $1 order by id`,
      [inputs.month],
    )
    const notes =
      scope === null
        ? files.map(
            ({ modifier, username, day }) =>
              `A file for the bank (${modifier}) was taken by ${username} on ${day}.`,
          )
        : []
    return {
      sql: rows,
      values,
      lock: source.lock,
      notes,
      mapRow: (row) => ({ ...row, bank: maskSecret(decryptAccount(secret, Number(row.id), row.encrypted)) }),
    }
  },
})
