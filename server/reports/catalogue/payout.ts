import { passesAba } from '../../../schemas/entities/masterAgent.ts'
import { everyone } from '../../../schemas/permissions.ts'
import type { Sql } from '../../db/db.ts'
import { masked, unseal } from '../../db/encryption.ts'
import { within } from '../../db/scope.ts'
import { monthSource, type MonthSource } from '../../money/monthSource.ts'
import { lockedMonth } from '../engine/monthInput.ts'
import { agentNames } from '../engine/publishedMonths.ts'
import { id, money, placeholders, report, text } from '../engine/report.ts'

/** Who is paid: the payee of each statement, itself unless another is named, and that one's bank data. */
const paidBy = (names: string) => `
  paid as (
    select y.id, n.displayid, n.name, y.routingnumber, y.bankaccountnumber, y.isbankaccounttypechecking, y.isbankaccounttypebusiness,
      s.displayid as statementid, s.masteragentid, s.payable, s.due, s.hold, s.isofficeaccount
    from statement s join master_agent y on y.id = coalesce(s.payeeid, s.masteragentid) join ${names} n on n.id = y.id)`

const accountOf = (secret: Buffer, agent: number, sealed: unknown) =>
  unseal(secret, sealed as Buffer | null, `master_agent.bankaccountnumber.${agent}`)

/** One entry of the bank's file. `cents` is whole; the numbers are whole too, for the file alone. */
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

/** What a locked month pays, one for each payee, in the order of the report. */
export async function payments(sql: Sql, source: MonthSource, secret: Buffer): Promise<Payment[]> {
  const { values, put } = placeholders(source.values)
  const paid = paidBy(agentNames(source, put))
  const rows = await sql.query<{
    id: number
    displayid: string
    name: string
    routing: string
    sealed: Buffer | null
    checking: boolean
    business: boolean
    cents: number
  }>(
    `with recursive ${source.ctes}, ${paid}
      select id, displayid, name, routingnumber as routing, bankaccountnumber as sealed, isbankaccounttypechecking as checking,
        isbankaccounttypebusiness as business, (sum(payable) * 100)::bigint as cents
      from paid where not isofficeaccount
      group by id, displayid, name, routingnumber, bankaccountnumber, isbankaccounttypechecking, isbankaccounttypebusiness
      having sum(payable) > 0
      order by displayid, id`,
    values,
  )
  return rows.map(({ sealed, ...row }) => ({ ...row, account: accountOf(secret, row.id, sealed) }))
}

/** Why a payment cannot be sent as it stands; null when it can. */
export const unpayable = ({ routing, account }: Pick<Payment, 'routing' | 'account'>): string | null =>
  !passesAba(routing)
    ? 'its routing number fails the check'
    : /^\d{4,17}$/.test(account)
      ? null
      : 'its bank account number is missing or wrong'

export const payout = report({
  id: 'ach-payout',
  name: 'ACH Payout',
  allow: everyone,
  published: true,
  nacha: true,
  inputs: { month: lockedMonth },
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
  async answer({ sql, inputs, scope, secret }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, put } = placeholders(source.values)
    const [mine, paid] = [put(scope), paidBy(agentNames(source, put))]
    const rows = `
      with recursive ${source.ctes}, ${paid}
      select id, displayid, name, string_agg(statementid, ', ' order by statementid) as statements, bankaccountnumber as sealed,
        case when isbankaccounttypechecking then 'Checking' else 'Savings' end as account,
        case when isbankaccounttypebusiness then 'CCD' else 'PPD' end as class,
        sum(payable) as amount, sum(due - payable) as held,
        coalesce(string_agg(distinct hold, '; ' order by hold),
          case when sum(due - payable) < 0 then 'Negative balance'
            when sum(due - payable) > 0 then 'Below the minimum payout' end) as hold
      from paid where ${within(mine, 'masteragentid')} and due <> 0
      group by id, displayid, name, bankaccountnumber, isbankaccounttypechecking, isbankaccounttypebusiness
      order by displayid, id`
    const taken = await sql.query<{ modifier: string; username: string; day: string }>(
      `select modifier, username, to_char(at at time zone 'UTC', 'MM/DD/YYYY') as day
        from report_export where format = 'nacha' and month = $1 order by id`,
      [inputs.month],
    )
    const notes =
      scope === null
        ? taken.map(
            ({ modifier, username, day }) =>
              `A file for the bank (${modifier}) was taken by ${username} on ${day}.`,
          )
        : []
    return {
      sql: rows,
      values,
      lock: source.lock,
      notes,
      each: (row) => ({ ...row, bank: masked(accountOf(secret, Number(row.id), row.sealed)) }),
    }
  },
})
