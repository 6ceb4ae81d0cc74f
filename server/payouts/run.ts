import { createHmac } from 'node:crypto'
import type { PayoutEntry } from '../../schemas/api/months/months.ts'
import { sumDollars } from '../../schemas/dollars.ts'
import { ownHoldReason, passesAbaChecksum } from '../../schemas/entities/masterAgent.ts'
import type { UserAction } from '../accounts/userActions.ts'
import type { Sql } from '../db/db.ts'
import { maskSecret } from '../db/encryption.ts'
import { decryptAccount, maskAccounts } from '../money/bankChanges.ts'
import type { MonthLock } from '../money/months.ts'
import { monthSource } from '../money/monthSource.ts'
import { officeHold, partAccountColumns, partCtes } from '../money/payoutRun.ts'
import { accountFault } from '../money/unpayableAccounts.ts'
import { changesBy } from './separation/changesBy.ts'

/** Dollars with cents, signed, of one agent's statement in a payment. */
type Allocation = { masteragentid: number; amount: number }

/** What a run pays to one payee, with what only the server knows of its account. */
export type RunEntry = Omit<
  PayoutEntry,
  'account' | 'accounttype' | 'entryclass' | 'cannotunhold' | 'statements'
> & {
  /** The agents whose statements go to this payee. */
  agents: number[]
  allocations: Allocation[]
  routing: string
  /** The whole account number; '' when there is none. */
  account: string
  encryptedaccount: Buffer | null
  ischecking: boolean
  isbusiness: boolean
}

/** `hash` is that of everything the run pays; `total` is in dollars. */
export type Run = { lock: MonthLock; entries: RunEntry[]; hash: string; total: number }

/**
 * `approver` is who approves the run, and when: payees whose pay this user changed are held (payouts 12).
 * With null nobody's changes are looked for.
 */
type RunOptions = { secret: Buffer; approver: UserAction | null }

/** The payout run of a lock in force. */
export async function readRun(sql: Sql, lock: MonthLock, { secret, approver }: RunOptions): Promise<Run> {
  const changes = approver === null ? new Map<number, string>() : await changesBy(sql, lock, approver)
  const rows = await queryEntries(sql, lock)
  const entries = rows.map((row) => {
    const account = decryptAccount(secret, row.masteragentid, row.encryptedaccount)
    const entry = holdIfChanged({ ...row, account }, changes)
    const hold = entry.hold ?? (entry.payable > 0 ? unpayableReason(entry) : null)
    return hold === null ? entry : withoutPayment(entry, hold)
  })
  const paid = entries.filter(({ payable }) => payable > 0)
  return { lock, entries, hash: hashOf(secret, lock, paid), total: sumDollars(paid.map((it) => it.payable)) }
}

/** The run of a month that a later lock closed: it pays nobody (payouts 1). */
export const closedRun = (lock: MonthLock, secret: Buffer): Run => ({
  lock,
  entries: [],
  hash: hashOf(secret, lock, []),
  total: 0,
})

/** Holds an entry that would pay, when one of its agents is among those somebody changed (payouts 12). */
export function holdIfChanged(entry: RunEntry, changes: ReadonlyMap<number, string>): RunEntry {
  const change = [entry.masteragentid, ...entry.agents].map((id) => changes.get(id)).find(Boolean)
  return change && entry.payable > 0 ? withoutPayment(entry, change) : entry
}

/** The entry with nothing to pay and the reason. */
const withoutPayment = (entry: RunEntry, hold: string): RunEntry => ({
  ...entry,
  hold,
  payable: 0,
  allocations: [],
})

/** Why a payment cannot be sent (payouts 8); null when it can. */
const unpayableReason = ({ routing, account }: Pick<RunEntry, 'routing' | 'account'>): string | null =>
  passesAbaChecksum(routing) ? accountFault(account) : 'Routing number fails its check'

type EntryRow = Omit<RunEntry, 'account'>

/**
 * What an entry says of its payee, of run_account k and the statement n of the lock $1. `isheld`: a hold is
 * in force that can be ended at this entry, of the payee or of its statement of the month (payouts 2).
 */
const payeeColumns = `k.masteragentid, coalesce(n.displayid, k.displayid) as displayid,
        coalesce(n.name, k.name) as name, k.routingnumber as routing, k.bankaccountnumber as encryptedaccount,
        k.ischecking, k.isbusiness, k.changed as ischanged, exists (
          select from active_hold h where h.masteragentid = k.masteragentid
            and (not h.isstatement or h.month = (select month from month_lock where id = $1))) as isheld`
const lockedStatement = 'left join locked_statement n on n.lockid = $1 and n.masteragentid = k.masteragentid'

/** What was due by the version before the lock $1. */
const beforeCte = `
  before as (
    select s.masteragentid, s.due
    from month_lock l join month_lock b on b.month = l.month and b.version = l.version - 1
      join locked_statement s on s.lockid = b.id
    where l.id = $1)`

async function queryEntries(sql: Sql, lock: MonthLock): Promise<EntryRow[]> {
  const { ctes, values } = await monthSource(sql, lock.month, { agents: null })
  return sql.query<EntryRow>(
    `with recursive ${ctes}, ${beforeCte}
      select ${payeeColumns}, s.due, s.paid as released, r.topay as payable,
        coalesce(r.hold, case when r.topay = 0 then s.ownhold end) as hold, s.agents,
        case when r.topay > 0 then s.allocations else '[]' end as allocations, s.duebefore
      from run_payee r join run_account k on k.masteragentid = r.payee
        join (
          select r.payee, sum(r.due) as due, sum(r.paid) as paid, array_agg(r.masteragentid) as agents,
            max(r.ownhold) filter (where r.offer > 0 or r.isoffice and r.due <> r.paid) as ownhold,
            sum(b.due) as duebefore,
            jsonb_agg(jsonb_build_object('masteragentid', r.masteragentid, 'amount', r.topay)
              order by r.masteragentid) filter (where r.topay <> 0) as allocations
          from run_statement r left join before b on b.masteragentid = r.masteragentid
          where (not r.isoffice or r.paid <> 0) and (r.due <> 0 or r.paid <> 0 or r.topay <> 0 or b.due <> 0
              or r.payee in (select masteragentid from active_hold where not isstatement))
          group by r.payee) s on s.payee = r.payee
        ${lockedStatement}
      order by displayid, r.payee`,
    values,
  )
}

type ClosedRow = Omit<PayoutEntry, 'account' | 'payable' | 'isheld' | 'cannotunhold'> & {
  encrypted: (Buffer | null)[] | null
}

/**
 * The entries of a run that is closed (payouts 15), one for each payee: what was paid to it and to which
 * account, and what was not, with what held it then. What a statement is due is shown at the payee to which
 * it was paid, and the unpaid rest at the payee of today. What was due by the version before is shown once.
 */
export async function closedEntries(sql: Sql, lock: MonthLock, secret: Buffer): Promise<PayoutEntry[]> {
  const source = await monthSource(sql, lock.month, { agents: null })
  const values = [...source.values, lock.month, null]
  const [month, scope] = [`$${values.length - 1}`, `$${values.length}`]
  const parts = partCtes(month, scope)
  const rows = await sql.query<ClosedRow>(
    `with recursive ${source.ctes}, ${beforeCte}, ${parts},
      shown as (
        select * from part
        union all
        select r.payee, r.masteragentid, 0, 0, null, null, k.bankaccountnumber,
          k.ischecking, k.isbusiness,
          not exists (select from part p where p.payee = r.payee)
        from before b join run_statement r on r.masteragentid = b.masteragentid
          join run_account k on k.masteragentid = r.payee
        where b.due <> 0 and not exists (select from part p where p.masteragentid = r.masteragentid)),
      counted as (
        select *, row_number() over (partition by masteragentid order by payment) = 1 as isfirst
        from shown)
      select k.masteragentid, coalesce(n.displayid, k.displayid) as displayid,
        coalesce(n.name, k.name) as name,
        ${partAccountColumns({ type: 'accounttype', entryClass: 'entryclass' })},
        array_agg(distinct p.masteragentid) as statements,
        sum(p.amount + p.rest) as due, sum(p.amount) as released,
        string_agg(distinct p.hold, '; ' order by p.hold) as hold,
        k.changed and bool_and(p.payment is null) as ischanged,
        sum(b.due) filter (where p.isfirst) as duebefore
      from counted p join statement s on s.masteragentid = p.masteragentid
        join run_account k on k.masteragentid = p.payee
        left join before b on b.masteragentid = p.masteragentid
        ${lockedStatement}
      where not s.isofficeaccount or s.payable <> 0
      group by k.masteragentid, k.displayid, k.name, k.changed, n.displayid, n.name
      order by displayid, k.masteragentid`,
    values,
  )
  return rows.map(({ encrypted, accounttype, entryclass, ...row }) => ({
    ...row,
    account: maskAccounts(secret, row.masteragentid, encrypted ?? []),
    accounttype: accounttype ?? '',
    entryclass: entryclass ?? '',
    payable: 0,
    isheld: false,
    cannotunhold: null,
  }))
}

/** The entry of a master agent to which nothing is due by this lock, while its payments are held. */
export async function entryWithoutDue(
  sql: Sql,
  lock: MonthLock,
  { secret, masteragentid }: { secret: Buffer; masteragentid: number },
): Promise<RunEntry> {
  const { ctes, values } = await monthSource(sql, lock.month, { agents: null })
  const [row] = await sql.query<EntryRow>(
    `with recursive ${ctes}
      select ${payeeColumns}, 0 as due, 0 as released, 0 as payable, h.hold, '{}'::int[] as agents,
        '[]'::jsonb as allocations, null::numeric as duebefore
      from run_account k join run_hold h on h.payee = k.masteragentid
        ${lockedStatement}
      where k.masteragentid = $${values.length + 1}::int`,
    [...values, masteragentid],
  )
  return { ...row!, account: decryptAccount(secret, masteragentid, row!.encryptedaccount) }
}

/** A keyed hash (HMAC), because a plain one would let account numbers be found by trying them all. */
const hashOf = (secret: Buffer, lock: MonthLock, paid: readonly RunEntry[]) =>
  createHmac('sha256', secret)
    .update(
      JSON.stringify([
        lock.hash,
        paid.map((it) => [
          it.masteragentid,
          it.routing,
          it.account,
          it.ischecking,
          it.isbusiness,
          it.payable,
          it.allocations.map(({ masteragentid, amount }) => [masteragentid, amount]),
        ]),
      ]),
    )
    .digest('hex')

/**
 * An entry as screens, approvals and answers show it: without its whole account number. `chain` are the agent
 * of a person who looks at it and those above it.
 */
export const shownEntry = (entry: RunEntry, chain: readonly number[] = []): PayoutEntry => ({
  masteragentid: entry.masteragentid,
  displayid: entry.displayid,
  name: entry.name,
  account: maskSecret(entry.account),
  accounttype: entry.ischecking ? 'Checking' : 'Savings',
  entryclass: entry.isbusiness ? 'CCD' : 'PPD',
  statements: entry.agents,
  due: entry.due,
  released: entry.released,
  payable: entry.payable,
  hold: entry.hold,
  isheld: entry.isheld,
  cannotunhold: entry.hold !== officeHold && chain.includes(entry.masteragentid) ? ownHoldReason : null,
  ischanged: entry.ischanged,
  duebefore: entry.duebefore,
})
