import type { ReturnFileEntry, ReturnFileReply } from '../../../schemas/api/months/months.ts'
import { accountFields, type AccountField } from '../../../schemas/entities/masterAgent.ts'
import { audit } from '../../db/audit.ts'
import type { Tx } from '../../db/db.ts'
import { accountEmails } from '../../entities/hooks/agentAccount.ts'
import { HttpError } from '../../http/errors.ts'
import type { Email } from '../../mail/mailer.ts'
import {
  decryptAccount,
  readAccount,
  recordAccountEntry,
  undecidedChange,
  writeAccount,
  type AccountEntry,
} from '../../money/bankChanges.ts'
import { serializePayouts } from '../../money/months.ts'
import { changeCodes, describeCorrection, readCorrection } from './corrections.ts'
import { parseReturnFile, type FileFault, type ReturnEntry, type ReturnFile } from './returnFile.ts'
import {
  bookReturn,
  findPayments,
  holdsAccount,
  returnCodes,
  returnedAlready,
  returnFaults,
  unknownTrace,
  type PaidEntry,
} from './returns.ts'

/** Who reads a file, from which address; `today` is the ISO day of the portal. */
type FileAction = { username: string; address: string; secret: Buffer; today: string }
/**
 * What a file's entry leads to, before anything is stored: `outcome` says it in a sentence for a person,
 * `book` stores it; null where nothing is stored.
 */
type PlannedEntry = {
  entry: ReturnEntry
  payment: PaidEntry
  outcome: string
  book: (() => Promise<void>) | null
}

/**
 * Reads a bank's return file (payouts 17): answers what each entry means and what is wrong, and books all of
 * it with `commit`, or nothing. `emails` gets those about changed accounts. Throws an HttpError (422) with
 * every fault and its line when a file with faults is to be booked.
 */
export async function readReturnFile(
  tx: Tx,
  action: FileAction,
  { text, commit }: { text: string; commit: boolean },
  emails: Email[],
): Promise<ReturnFileReply> {
  const file = parseReturnFile(text)
  const traces = [...new Set(file.entries.map(({ trace }) => trace))]
  await lockPayees(tx, file.entries)
  await serializePayouts(tx)
  const payments = new Map((await findPayments(tx, 'trace', traces)).map((it) => [it.trace!, it]))
  const faults = [...file.faults, ...entryFaults(file.entries, payments, { day: file.day, ...action })]
  faults.sort((a, b) => a.line - b.line)
  if (commit) refuseFaults(faults)
  const planned: PlannedEntry[] = []
  for (const entry of file.entries) {
    const payment = payments.get(entry.trace)
    if (!payment) continue
    planned.push(
      entry.kind === 'return'
        ? planReturn(tx, action, { entry, payment, day: file.day })
        : await planCorrection(tx, action, { entry, payment, before: planned, emails }),
    )
  }
  if (commit) for (const { book } of planned) await book?.()
  const shownFaults = isRepeated(file, planned) ? [] : faults
  return { committed: commit, day: file.day, entries: planned.map(shownEntry), faults: shownFaults }
}

/** Whether the file was booked before: each of its payments came back already with its code. */
const isRepeated = ({ faults, entries }: ReturnFile, planned: readonly PlannedEntry[]) =>
  faults.length === 0 &&
  planned.length === entries.length &&
  planned.every(
    ({ entry, payment, book }) =>
      book === null && (entry.kind === 'change' || payment.returned === entry.code),
  )

/**
 * Locks the records of the payees whose accounts may change, in the order of their ids. Decisions about an
 * account lock the record before the payouts, so this does too.
 */
async function lockPayees(tx: Tx, entries: readonly ReturnEntry[]) {
  const traces = entries.filter(({ kind }) => kind === 'change').map(({ trace }) => trace)
  await tx.query(
    `select 1 from master_agent where id in (select payeeid from payout_payment where trace = any ($1))
      order by id for no key update`,
    [traces],
  )
}

/** What is wrong with well formed entries when they are compared with the ledger. */
function entryFaults(
  entries: readonly ReturnEntry[],
  payments: ReadonlyMap<string, PaidEntry>,
  { day, today }: { day: string; today: string },
): FileFault[] {
  const returned = new Map<string, number>()
  return entries.flatMap(({ line, kind, trace, cents }) => {
    const payment = payments.get(trace)
    if (!payment) return [{ line, message: unknownTrace(trace) }]
    if (kind === 'change') return []
    const earlier = returned.get(trace)
    returned.set(trace, earlier ?? line)
    const messages = [
      earlier === undefined ? null : `Line ${earlier} returns this payment already`,
      returnedAlready(payment),
      // Without a day of its own the file has a fault already.
      ...Object.values(returnFaults(payment, { date: day || today, amount: cents / 100, today })),
    ]
    return messages.filter((message) => message !== null).map((message) => ({ line, message }))
  })
}

function refuseFaults(faults: readonly FileFault[]) {
  const [first] = faults
  if (!first) return
  const where =
    faults.length === 1
      ? `Line ${first.line}`
      : `The file has ${faults.length.toLocaleString('en-US')} faults; the first is in line ${first.line}`
  throw new HttpError(422, `${where}: ${first.message}. Nothing was stored.`, {
    rows: faults.map(({ line, message }) => ({ row: line, column: null, value: '', message })),
    more: 0,
  })
}

function planReturn(
  tx: Tx,
  action: FileAction,
  { entry, payment, day }: Pick<PlannedEntry, 'entry' | 'payment'> & { day: string },
): PlannedEntry {
  if (payment.returned !== null) return { entry, payment, outcome: 'Booked already', book: null }
  const { code, died } = entry
  const note = died === '' ? '' : `died on ${died}`
  return {
    entry,
    payment,
    outcome: `Due again; the account is ${holdsAccount(code) ? 'held' : 'not held'}${note && `; ${note}`}`,
    book: () => bookReturn(tx, action, payment, { code, date: day, note }),
  }
}

const untilConfirmed = 'Nothing is paid until another person confirms it'
type Change = Pick<PlannedEntry, 'entry' | 'payment'> & { before: readonly PlannedEntry[]; emails: Email[] }

/** Plans the correction of a payee's account as a pending account, or says why it is skipped (payouts 18). */
async function planCorrection(
  tx: Tx,
  { username, address, secret }: FileAction,
  { entry, payment, before: planned, emails }: Change,
): Promise<PlannedEntry> {
  const skipped = (why: string): PlannedEntry => ({
    entry,
    payment,
    outcome: `Passed over: ${why}`,
    book: null,
  })
  const masteragentid = payment.payeeid
  const earlier = planned.find(
    (it) => it.entry.kind === 'change' && it.payment.payeeid === masteragentid && it.book !== null,
  )
  if (earlier) return skipped(`line ${earlier.entry.line} corrects this account already`)
  const correction = readCorrection(entry.code, entry.corrected)
  if (typeof correction === 'string') return skipped(correction)
  const before = await readAccount(tx, secret, masteragentid)
  if (!before) return skipped('the payee does not exist any more')
  if (await undecidedChange(tx, secret, masteragentid))
    return skipped('an account of this payee is pending already')
  const paid = decryptAccount(secret, masteragentid, payment.encryptedaccount)
  if (paid !== before.bankaccountnumber || payment.routing !== before.routingnumber)
    return skipped('the account was changed since the payment')
  const entered = { ...before, ...correction }
  const fields = accountFields.filter((field) => entered[field] !== before[field])
  if (fields.length === 0) return skipped('the record holds this account already')
  const source = `notification of change ${entry.code} of trace ${entry.trace}`
  const account: AccountEntry = { masteragentid, username, before, entered, source }
  return {
    entry,
    payment,
    outcome: `Pending: ${describeCorrection(entered, fields)}. ${untilConfirmed}`,
    book: async () => {
      await recordAccountEntry(tx, secret, account)
      await writeAccount(tx, secret, masteragentid, entered)
      await tx.query('update master_agent set version = version + 1 where id = $1', [masteragentid])
      await audit(tx, {
        username,
        address,
        action: 'update',
        entity: 'masteragent',
        entityid: masteragentid,
        before: pick(before, fields),
        after: { ...pick(entered, fields), source },
      })
      emails.push(...(await accountEmails(tx, account, fields)))
    },
  }
}

const pick = (account: Record<string, unknown>, fields: readonly AccountField[]) =>
  Object.fromEntries(fields.map((field) => [field, account[field]]))

const shownEntry = ({ entry, payment, outcome, book }: PlannedEntry): ReturnFileEntry => ({
  line: entry.line,
  kind: entry.kind,
  trace: entry.trace,
  code: entry.code,
  meaning: (entry.kind === 'return' ? returnCodes : changeCodes)[entry.code] ?? '',
  masteragentid: payment.payeeid,
  displayid: payment.displayid,
  name: payment.name,
  month: payment.month.slice(0, 7),
  amount: payment.amount,
  outcome,
  isbooked: book !== null,
})
