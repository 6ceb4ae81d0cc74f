import type { OwnHome, OwnStatement } from '../../schemas/api/home.ts'
import { openTicketsShown, ownHomeMonths } from '../../schemas/constants.ts'
import { ticketStatuses } from '../../schemas/entities/ticket.ts'
import type { Db } from '../db/db.ts'
import { readFromSnapshot } from '../db/largeWork.ts'
import { agentInScope } from '../db/scope.ts'
import type { Caller } from '../http/call.ts'
import { monthSource } from '../money/monthSource.ts'

/*
 * $1 is the own master agent, $2 the row scope, $3 how many months. Only the copies of locks in force and the
 * ledger are read: one row of each month, by their keys.
 */
const statements = `
  select to_char(l.month, 'YYYY-MM') as month, s.masteragentid, s.displayid, s.name,
    s.due - s.carryin as earned, s.due, coalesce(p.paid, 0) as paid, p.effective::text as effective,
    s.isofficeaccount, p.haspayee
  from month_lock l join locked_statement s on s.lockid = l.id
    left join lateral (
      select sum(a.amount) as paid, max(e.effective) as effective,
        bool_or(e.payeeid <> s.masteragentid) as haspayee
      from payout_allocation a join payout_payment e on e.id = a.paymentid
      where a.masteragentid = s.masteragentid and a.month = l.month
        and not exists (select from payout_return r where r.paymentid = e.id)) p on true
  where l.reopened_at is null and s.masteragentid = $1 and ${agentInScope('$2', 's.masteragentid')}
  order by l.month desc limit $3`

/** `haspayee` is null where nothing was paid: the run says to whom it goes (payouts 1). */
type LockedStatement = Omit<OwnStatement, keyof RunFigures> & { haspayee: boolean | null }
type RunFigures = Pick<OwnStatement, 'payable' | 'carryout' | 'hold' | 'haspayee'>

/** The statements, newest first, and the newest as the payout run and the ledger are now (months 6). */
const readStatements = (db: Db, values: unknown[]) =>
  db.transaction(async (tx) => {
    // The month may be opened again in between.
    await readFromSnapshot(tx)
    const months = await tx.query<LockedStatement>(statements, values)
    const [newest] = months
    if (!newest) return { statement: null, months }
    const agents = [newest.masteragentid]
    const source = await monthSource(tx, `${newest.month}-01`, { agents })
    const [figures] = await tx.query<RunFigures>(
      `with recursive ${source.ctes}
        select s.payable, s.carryout, s.hold, r.payee <> s.masteragentid as haspayee
        from statement s join run_statement r using (masteragentid)`,
      source.values,
    )
    const haspayee = newest.haspayee ?? figures!.haspayee
    return { statement: { ...newest, ...figures!, haspayee }, months }
  })

/** An office account is never paid, and the account of another payee is not asked of this agent. */
const account = `
  select case
    when exists (select from pending_account where masteragentid = a.id) then 'pending'
    when coalesce(a.payeeid, a.id) = a.id and not a.isofficeaccount
      and (a.routingnumber = '' or a.bankaccountnumber is null) then 'missing'
    else 'known' end as state
  from master_agent a where a.id = $1 and ${agentInScope('$2', 'a.id')}`

const closed = ticketStatuses.find(({ title }) => title === 'Closed')!.const

const openTickets = `
  select id, subject, statusid, floor(extract(epoch from created_at))::bigint as created,
    (count(*) over ())::int as total
  from ticket where reporterid = $1 and statusid <> $2
  order by id desc limit $3`

/** What the home page of a person of a master agent begins with (shell 13); empty without one. */
export async function readOwnHome(db: Db, { masteragentid, scope, userid, email }: Caller): Promise<OwnHome> {
  const [{ statement, months }, [bank], tickets] = await Promise.all([
    readStatements(db, [masteragentid, scope, ownHomeMonths]),
    db.query<{ state: OwnHome['account'] }>(account, [masteragentid, scope]),
    // Tickets need a validated email (tickets 1).
    email === null
      ? []
      : db.query<OwnHome['tickets']['newest'][number] & { total: number }>(openTickets, [
          userid,
          closed,
          openTicketsShown,
        ]),
  ])
  return {
    statement,
    months: months.map(({ month, earned, paid }) => ({ month, earned, paid })).reverse(),
    account: bank?.state ?? 'known',
    tickets: {
      total: tickets[0]?.total ?? 0,
      newest: tickets.map(({ total: _total, ...ticket }) => ticket),
    },
  }
}
