import type { PayoutEntry } from '../../schemas/api/months/months.ts'
import { describeDependence, type UserAction } from '../accounts/userActions.ts'
import { audit } from '../db/audit.ts'
import type { Sql, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { formatAmount } from '../money/amounts.ts'
import {
  serializePayouts,
  monthName,
  requireLock,
  type MonthAction,
  type MonthLock,
} from '../money/months.ts'
import { closedRun, readRun, shownEntry, type Run } from './run.ts'
import { isLocker, lockingOf } from './separation/twoPeople.ts'

/**
 * Who acts on a month's payouts: `secret` is the key of bank numbers, `fourEyes` is off where one person may
 * do it all, and `now` is when.
 */
export type PayoutAction = MonthAction & { secret: Buffer; fourEyes: boolean; now: Date }

/** An approval that no release has used yet. `at` is epoch seconds, `instant` the exact time. */
type Approval = {
  id: number
  hash: string
  entries: PayoutEntry[]
  total: number
  username: string
  at: number
  instant: string
}

/** The action by which a run was approved. */
const approvingOf = ({ username, instant }: Approval): UserAction => ({ username, at: instant })

/** The newest approval of a lock, unless its run was released. */
async function openApproval(sql: Sql, lock: MonthLock): Promise<Approval | null> {
  const [approval] = await sql.query<Approval & { isreleased: boolean }>(
    `select id, hash, entries, total, username, floor(extract(epoch from at))::bigint as at,
        at::text as instant,
        exists (select from payout_release r where r.approvalid = a.id) as isreleased
      from payout_approval a where lockid = $1 order by id desc limit 1`,
    [lock.id],
  )
  return approval && !approval.isreleased ? approval : null
}

/**
 * The run of a month with its approval. While an approval is valid, `run` is the run that it approved; else
 * it is the run as the viewer may approve it, in which payees whose pay the viewer changed are held (payouts
 * 12). `changes` says in sentences what made an approval void (payouts 11).
 */
export type MonthRun = { run: Run; approval: Approval | null; changes: string[] }

type RunViewing = { secret: Buffer; viewer: string | null; fourEyes: boolean; isClosed?: boolean }

/**
 * The run of a month, an ISO first day, as `viewer`, a user name, sees it; null for nobody in particular.
 * `isClosed` leaves out the entries, of which a closed month has others (payouts 15), unless they say what
 * made an approval void. Throws an HttpError (409) while the month is not locked.
 */
export async function readMonthRun(
  sql: Sql,
  month: string,
  { secret, viewer, fourEyes, isClosed = false }: RunViewing,
): Promise<MonthRun> {
  const lock = await requireLock(sql, month)
  const runFor = (action: UserAction | null) =>
    readRun(sql, lock, { secret, approver: fourEyes ? action : null })
  const viewing = viewer === null ? null : { username: viewer, at: null }
  const runAsViewed = async () => (isClosed ? closedRun(lock, secret) : runFor(viewing))
  const approval = await openApproval(sql, lock)
  if (!approval) return { run: await runAsViewed(), approval: null, changes: [] }
  if (fourEyes && (await isLocker(sql, lock, approvingOf(approval))))
    return { run: await runAsViewed(), approval: null, changes: describeLocker(approval, month) }
  const approved = await runFor(approvingOf(approval))
  return approved.hash === approval.hash
    ? { run: approved, approval, changes: [] }
    : { run: await runAsViewed(), approval: null, changes: describeChanges(approval, approved) }
}

/** Why an approval does not count that its author could give while one person was enough. */
const describeLocker = ({ username }: Approval, month: string) => [
  `The approval of ${username} is void`,
  `${username} locked ${monthName(month)}, and FOUR_EYES is not off any more`,
]

/** What differs between the run as it was approved and as it is. */
function describeChanges({ username, entries }: Approval, { entries: current }: Run): string[] {
  const now = new Map(current.map((entry) => [entry.masteragentid, shownEntry(entry)]))
  const before = new Map(entries.map((entry) => [entry.masteragentid, entry]))
  const ids = [...new Set([...before.keys(), ...now.keys()])]
  const lines = ids.flatMap((id) => {
    const [was, is] = [before.get(id), now.get(id)]
    const [paid, pays] = [was?.payable ?? 0, is?.payable ?? 0]
    const name = `${(is ?? was)!.displayid} - ${(is ?? was)!.name}`
    if (paid !== pays) return [`${name}: ${formatAmount(paid)} approved, now ${formatAmount(pays)}`]
    return pays > 0 && isAnotherAccount(was!, is!) ? [`${name}: another account`] : []
  })
  const what = lines.length > 0 ? lines : ['An account or the statements behind a payment have changed']
  return [`The approval of ${username} is void`, ...what]
}

/** An entry shows no routing number: one that was changed alone is seen by its confirmation. */
const isAnotherAccount = (was: PayoutEntry, is: PayoutEntry) =>
  was.account !== is.account ||
  was.accounttype !== is.accounttype ||
  was.entryclass !== is.entryclass ||
  (!was.ischanged && is.ischanged)

/** Throws an HttpError (409) when the run is not the one that was sent. */
export function assertHash(run: Run, hash: string) {
  if (run.hash !== hash)
    throw new HttpError(409, 'The payout run has changed meanwhile: look at it again', {
      code: 'changed',
      fields: { hash: 'Not the hash of the payout run as it is now' },
    })
}

/**
 * Approves the payout run of a locked month (payouts 11). Throws an HttpError: 409 when the month is not
 * locked, the run changed, pays nobody or is approved already; 403 when the user locked the month.
 */
export async function approveRun(
  tx: Tx,
  { month, username, address, secret, fourEyes, now }: PayoutAction,
  hash: string,
): Promise<void> {
  await serializePayouts(tx)
  const { run, approval } = await readMonthRun(tx, month, { secret, viewer: username, fourEyes })
  if (approval) throw new HttpError(409, `${monthName(month)} is approved already, by ${approval.username}`)
  assertHash(run, hash)
  const paid = run.entries.filter(({ payable }) => payable > 0)
  if (paid.length === 0) throw new HttpError(409, `The payout run of ${monthName(month)} pays nobody`)
  if (fourEyes && (await isLocker(tx, run.lock, { username, at: null })))
    throw new HttpError(
      403,
      `${username} locked ${monthName(month)}: another person must approve its payouts`,
    )
  const entries = run.entries.map((entry) => shownEntry(entry))
  await tx.query(
    `insert into payout_approval (lockid, hash, entries, total, username, address, at)
      values ($1, $2, $3::jsonb, $4, $5, $6, $7)`,
    [run.lock.id, hash, JSON.stringify(entries), run.total, username, address, now],
  )
  await audit(tx, {
    username,
    address,
    action: 'approve',
    entity: 'month',
    entityid: month.slice(0, 7),
    after: { version: run.lock.version, hash, total: run.total, payments: paid.length },
  })
}

/** The approvals and releases that paid by a lock. */
const payingActions = (sql: Sql, lock: MonthLock) =>
  sql.query<UserAction>(
    `select a.username, a.at::text as at from payout_approval a join payout_release r on r.approvalid = a.id
        where r.lockid = $1
      union select username, at::text from payout_release where lockid = $1 and how <> 'migrated'
      order by 1, 2`,
    [lock.id],
  )

/**
 * What the screen says of the people at a run (payouts 12): who locked the month, and who approved the run,
 * paid by it before, or may approve it.
 */
export async function runNotes(
  sql: Sql,
  { run: { lock, total }, approval }: MonthRun,
  { viewer, fourEyes }: { viewer: string; fourEyes: boolean },
): Promise<string[]> {
  const open = approval ? [approvingOf(approval)] : total > 0 ? [{ username: viewer, at: null }] : []
  const actions: UserAction[] = [...(await payingActions(sql, lock)), ...open]
  const first = lockingOf(lock)
  const reasons = await Promise.all(actions.map((action) => describeDependence(sql, first, action)))
  return [
    ...(fourEyes ? [] : ['One person may lock, approve and release: FOUR_EYES is off.']),
    ...new Set(
      reasons.flatMap((reason) =>
        reason ? [`The two people at this run are not independent: ${reason}.`] : [],
      ),
    ),
  ]
}
