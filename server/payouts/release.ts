import { createHash } from 'node:crypto'
import { formatUsDate } from '../../schemas/dates.ts'
import { sumDollars } from '../../schemas/dollars.ts'
import { readNotes } from '../backup/notes.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Sql, Tx } from '../db/db.ts'
import { decrypt, encrypt, unreadable } from '../db/encryption.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { addBankDays, dayInZone, isBankDay, nextBankDay } from '../money/bankDays.ts'
import { serializePayouts, monthName } from '../money/months.ts'
import { assertHash, readMonthRun, type MonthRun, type PayoutAction } from './approval.ts'
import { nachaFile, type BankEntry } from './nacha.ts'
import { holdIfChanged, type RunEntry } from './run.ts'
import { changesBy } from './separation/changesBy.ts'

/** The file id modifiers of a bank's day, in the order in which its files take them (payouts 4). */
const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Bank days that an effective date may lie ahead. */
const daysAhead = 10

/** Why a run is not released by the person who changed what all of its entries pay (payouts 12). */
export const ownChangesReason = 'Another person must release these payments: you changed what they pay'

type ReleaseOptions = {
  hash: string
  how: 'file' | 'other'
  /** The effective date, ISO; the next bank day unless it is given. */
  date?: string | undefined
}

/** `text` and `filename` are those of the bank file, null when the run was paid in another way. */
export type Released = {
  id: number
  how: 'file' | 'other'
  effective: string
  payments: number
  total: number
  filename: string | null
  text: string | null
}

/**
 * Releases the approved run of a month: writes the ledger, and the bank file in the same transaction (payouts
 * 4). Throws an HttpError: 409 when the run is not approved, has changed or pays nobody the user may release;
 * 422 for a date on which banks do not settle.
 */
export async function releaseRun(
  tx: Tx,
  action: PayoutAction & { config: Pick<Config, 'ach' | 'timeZone'> },
  { hash, how, date }: ReleaseOptions,
): Promise<Released> {
  const { month, secret, username, fourEyes, config, now } = action
  await serializePayouts(tx)
  const state = await readMonthRun(tx, month, { secret, viewer: username, fourEyes })
  if (!state.approval)
    throw new HttpError(409, [`${monthName(month)} is not approved`, ...state.changes].join('. '))
  assertHash(state.run, hash)
  const today = dayInZone(config.timeZone, now)
  const effective = date ?? nextBankDay(today)
  assertEffective(effective, { today, how, month })
  const entries = await releasableEntries(tx, state, { username, fourEyes })
  if (entries.length === 0) throw new HttpError(403, ownChangesReason)
  if (how === 'file' && !config.ach) throw new HttpError(409, 'There is no bank for payout files: set ACH')
  const payments = await numberPayments(tx, entries, config.ach?.routing.slice(0, 8) ?? withoutBank)
  const file = how === 'file' ? await makeFile(tx, action, { payments, effective, today }) : null
  const id = await storeRelease(tx, action, { state, how, effective, payments, file })
  return {
    id,
    how,
    effective,
    payments: payments.length,
    total: sumDollars(payments.map(({ payable }) => payable)),
    filename: file?.filename ?? null,
    text: file?.text ?? null,
  }
}

/** Throws an HttpError (422) that says why nothing can be paid on this day. */
function assertEffective(
  effective: string,
  { today, how, month }: Pick<ReleaseOptions, 'how'> & { today: string; month: string },
) {
  const last = addBankDays(today, daysAhead)
  // The other days are refused first, so that a day that is named here is not refused in its turn.
  const message =
    effective > last
      ? `Date is more than ${daysAhead} bank days ahead: the last one is ${formatUsDate(last)}`
      : how === 'file' && effective <= today
        ? `A bank file settles on the next bank day at the earliest: ${formatUsDate(nextBankDay(today))}`
        : effective < month
          ? `Date is before ${monthName(month)}, which it pays`
          : isBankDay(effective)
            ? null
            : `Banks do not settle on ${formatUsDate(effective)}: ` +
              `the next bank day is ${formatUsDate(nextBankDay(effective))}`
  if (message) throw new HttpError(422, message, { fields: { date: message } })
}

/** The approved entries without those whose pay the releasing user changed (payouts 12). */
async function releasableEntries(
  sql: Sql,
  { run }: MonthRun,
  { username, fourEyes }: { username: string; fourEyes: boolean },
): Promise<RunEntry[]> {
  const changes = fourEyes
    ? await changesBy(sql, run.lock, { username, at: null })
    : new Map<number, string>()
  return run.entries.map((entry) => holdIfChanged(entry, changes)).filter(({ payable }) => payable > 0)
}

type Payment = RunEntry & { id: number; trace: string }
/** In place of the bank's routing number in trace numbers, where no bank is configured: returns name them. */
const withoutBank = '00000000'

/** The payments with their ids and trace numbers, in the order of the file: business accounts first. */
async function numberPayments(tx: Tx, entries: readonly RunEntry[], originator: string): Promise<Payment[]> {
  const ids = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('payout_payment', 'id'))::int as id from generate_series(1, $1)`,
    [entries.length],
  )
  const ordered = [...entries.filter((it) => it.isbusiness), ...entries.filter((it) => !it.isbusiness)]
  return ordered.map((entry, index) => {
    const { id } = ids[index]!
    return { ...entry, id, trace: `${originator}${String(id % 10_000_000).padStart(7, '0')}` }
  })
}

/**
 * The file id modifier of the next file of a day. A bank refuses a second file of a day with the same one. On
 * the day of a restore they are taken from the middle on, because the files that were made between the backup
 * and the restore are not known and may have had the first ones.
 */
async function nextModifier(tx: Tx, { today, timeZone }: { today: string; timeZone: string }) {
  const { restore } = await readNotes(tx)
  const isToday = restore !== null && dayInZone(timeZone, new Date(restore.at * 1000)) === today
  const [counts] = await tx.query<{ files: number; later: number }>(
    `select count(*) as files, count(*) filter (where at > to_timestamp($3)) as later from payout_release
      where how = 'file' and (at at time zone $2)::date = $1::date`,
    [today, timeZone, restore?.at ?? null],
  )
  const { files, later } = counts!
  const modifier = modifiers[isToday ? Math.max(files, modifiers.length / 2 + later) : files]
  if (modifier) return modifier
  const reason = isToday ? 'after the restore of today its letters are used up' : 'these were made today'
  throw new HttpError(409, `A bank takes ${modifiers.length} files a day, and ${reason}`)
}

type MadeFile = { text: string; filename: string; modifier: string }

async function makeFile(
  tx: Tx,
  { month, config, now }: { month: string; config: Pick<Config, 'ach' | 'timeZone'>; now: Date },
  { payments, effective, today }: { payments: readonly Payment[]; effective: string; today: string },
): Promise<MadeFile> {
  const modifier = await nextModifier(tx, { today, timeZone: config.timeZone })
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: config.timeZone,
    hour: '2-digit',
    minute: '2-digit',
  })
  const entries: BankEntry[] = payments.map((it) => ({
    ...it,
    cents: Math.round(it.payable * 100),
  }))
  const { text } = nachaFile(config.ach!, entries, {
    created: `${today}T${time.format(now)}`,
    effective,
    modifier,
  })
  return { text, modifier, filename: `ACH Payout ${month.slice(0, 7)} ${modifier}.ach` }
}

type ReleaseRows = {
  state: MonthRun
  how: ReleaseOptions['how']
  effective: string
  payments: readonly Payment[]
  file: MadeFile | null
}

const fileContext = (id: number) => `payout_release.file.${id}`

/** Writes the release with its payments, allocations and file; returns its id. */
async function storeRelease(
  tx: Tx,
  { month, username, address, secret, now }: PayoutAction,
  { state: { run, approval }, how, effective, payments, file }: ReleaseRows,
): Promise<number> {
  const [next] = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('payout_release', 'id'))::int as id`,
  )
  const { id } = next!
  const sha256 = file && createHash('sha256').update(file.text).digest('hex')
  await tx.query(
    `insert into payout_release (id, lockid, month, approvalid, how, effective, username, address, filename,
        modifier, file, sha256, at)
      overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      run.lock.id,
      month,
      approval!.id,
      how,
      effective,
      username,
      address,
      file?.filename,
      file?.modifier,
      file && encrypt(secret, file.text, fileContext(id)),
      sha256,
      now,
    ],
  )
  await storePayments(tx, { id, month, version: run.lock.version, effective, payments })
  const total = sumDollars(payments.map(({ payable }) => payable))
  await audit(tx, {
    username,
    address,
    action: 'release',
    entity: 'month',
    entityid: month.slice(0, 7),
    after: { version: run.lock.version, how, effective, payments: payments.length, total, sha256 },
  })
  return id
}

type LedgerRows = {
  id: number
  month: string
  version: number
  effective: string
  payments: readonly Payment[]
}

/** Writes the payments of the release `id` with their allocations. */
async function storePayments(tx: Tx, { id, month, version, effective, payments }: LedgerRows) {
  await tx.query(insertPayments, [
    id,
    effective,
    payments.map((it) => it.id),
    payments.map((it) => it.masteragentid),
    payments.map((it) => it.displayid),
    payments.map((it) => it.name),
    payments.map((it) => it.routing),
    payments.map((it) => it.encryptedaccount),
    payments.map((it) => it.ischecking),
    payments.map((it) => it.isbusiness),
    payments.map((it) => it.payable.toFixed(2)),
    payments.map((it) => it.trace),
  ])
  const allocations = payments.flatMap((it) => it.allocations.map((row) => ({ paymentid: it.id, ...row })))
  await tx.query(insertAllocations, [
    month,
    version,
    allocations.map((it) => it.paymentid),
    allocations.map((it) => it.masteragentid),
    allocations.map((it) => it.amount.toFixed(2)),
  ])
}

const insertPayments = `
  insert into payout_payment (id, releaseid, effective, payeeid, displayid, name, routingnumber,
    bankaccountnumber, ischecking, isbusiness, amount, trace, businessname, taxid, taxtypeid)
  overriding system value
  select p.id, $1, $2, p.payeeid, p.displayid, p.name, p.routing, p.account, p.ischecking, p.isbusiness,
    p.amount, p.trace, a.businessname, a.taxid, a.taxtypeid
  from unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::boolean[],
      $10::boolean[], $11::numeric[], $12::text[])
    as p (id, payeeid, displayid, name, routing, account, ischecking, isbusiness, amount, trace)
    join master_agent a on a.id = p.payeeid`

const insertAllocations = `
  insert into payout_allocation (paymentid, masteragentid, month, version, amount)
  select paymentid, masteragentid, $1, $2, amount
  from unnest($3::int[], $4::int[], $5::numeric[]) as a (paymentid, masteragentid, amount)`

/**
 * The bank file of a release again, byte for byte; taking it is audited. Throws an HttpError: 404 when the
 * release has none, 422 when it cannot be decrypted.
 */
export async function readReleaseFile(
  tx: Tx,
  { month, username, address, secret }: Omit<PayoutAction, 'fourEyes' | 'now'>,
  id: number,
): Promise<{ text: string; filename: string }> {
  const [row] = await tx.query<{ file: Buffer; filename: string; sha256: string }>(
    `select file, filename, sha256 from payout_release where id = $1 and month = $2 and how = 'file'`,
    [id, month],
  )
  if (!row) throw notFound('bank file')
  await audit(tx, {
    username,
    address,
    action: 'export',
    entity: 'payout',
    entityid: id,
    after: { month: month.slice(0, 7), filename: row.filename, sha256: row.sha256 },
  })
  const text = decrypt(secret, row.file, fileContext(id))
  if (text === unreadable)
    throw new HttpError(422, `The bank file ${row.filename} was damaged and cannot be read: restore a backup`)
  return { text, filename: row.filename }
}
