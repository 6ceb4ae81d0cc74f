import { createHash } from 'node:crypto'
import { create as disposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { audit } from '../../db/audit.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { currentLock, monthName, type MonthLock } from '../../money/months.ts'
import { monthSource } from '../../money/monthSource.ts'
import { payments, unpayableReason, type Payment } from '../catalogue/payout.ts'
import { dayInZone, nextBankDay } from '../engine/days.ts'
import { yearMonth } from '../engine/monthInput.ts'
import { parseInputs } from '../engine/parseInputs.ts'
import type { ExportRequest } from './download.ts'
import { nachaFile, type BankFile } from './nacha.ts'

const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The local time in a zone, '2026-11-21T19:43'. */
const localTime = (timeZone: string, now: Date) => {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return `${dayInZone(timeZone, now)}T${time.format(now)}`
}

/**
 * Throws an HttpError (409) when there is nothing to pay, or names up to ten payments that cannot be sent
 * (payouts 8).
 */
function assertPayable(all: readonly Payment[], month: string) {
  if (all.length === 0) throw new HttpError(409, `${monthName(month)} pays nobody`)
  const faulty = all.flatMap((payment) => {
    const reason = unpayableReason(payment)
    return reason ? [`${payment.displayid} - ${payment.name}: ${reason}`] : []
  })
  if (faulty.length === 0) return
  const more = faulty.length > 10 ? `; and ${faulty.length - 10} more` : ''
  throw new HttpError(409, `The file cannot be made. ${faulty.slice(0, 10).join('; ')}${more}`)
}

/**
 * The file ID modifier of the day and the number of the copy of its month (payouts 7). Only one file is
 * numbered at a time.
 */
async function nextFileNumber(tx: Tx, month: string, day: string, timeZone: string) {
  await tx.query(`select pg_advisory_xact_lock(hashtext('bank files'))`)
  const [counts] = await tx.query<{ today: number; copies: number }>(
    `select count(*) filter (where (at at time zone $3)::date = $2::date) as today,
        count(*) filter (where month = $1) as copies
      from report_export where format = 'nacha'`,
    [month, day, timeZone],
  )
  const modifier = modifiers[counts!.today]
  if (!modifier)
    throw new HttpError(409, `A bank takes ${modifiers.length} files a day, and these were made today`)
  return { modifier, copy: counts!.copies + 1 }
}

type NumberedFile = { file: BankFile; lock: MonthLock; modifier: string; copy: number }

/**
 * Sends the bank file of a locked month (payouts 4 to 7). The export log and the audit hold its modifier,
 * hash and copy before the first byte is sent.
 */
export async function sendBankFile(request: ExportRequest): Promise<FastifyReply> {
  const { db, report, reply } = request
  const { file, lock, modifier, copy } = await db.transaction(async (tx) => {
    const made = await makeFile(tx, request)
    await logFile(tx, request, made)
    return made
  })
  const suffix = copy > 1 ? ` copy ${copy}` : ''
  return reply
    .header('content-type', 'text/plain; charset=us-ascii')
    .header(
      'content-disposition',
      disposition(`${report.name} ${yearMonth(lock.month)} ${modifier}${suffix}.ach`),
    )
    .send(file.text)
}

async function makeFile(
  tx: Tx,
  { config, secret, report, caller, sent }: ExportRequest,
): Promise<NumberedFile> {
  const now = new Date()
  const day = dayInZone(config.timeZone, now)
  const inputs = await parseInputs(report, sent, { sql: tx, scope: caller.scope, lockedOnly: true })
  const month = String(inputs.month)
  const lock = await currentLock(tx, month)
  if (!lock) throw new HttpError(409, `${monthName(month)} is not locked`)
  const all = await payments(tx, await monthSource(tx, month, { agents: null }), secret)
  assertPayable(all, month)
  const { modifier, copy } = await nextFileNumber(tx, month, day, config.timeZone)
  const file = nachaFile(config.ach!, all, {
    created: localTime(config.timeZone, now),
    settles: nextBankDay(day),
    modifier,
  })
  return { file, lock, modifier, copy }
}

/** Writes the file to the export log and the audit. */
async function logFile(
  tx: Tx,
  { report, caller: { username }, address }: ExportRequest,
  { file, lock, modifier, copy }: NumberedFile,
) {
  const month = yearMonth(lock.month)
  await tx.query(
    `insert into report_export (username, address, report, inputs, format, month, lockversion, modifier, copy,
        rows, bytes, sha256, finished_at)
      values ($1, $2, $3, $4, 'nacha', $5, $6, $7, $8, $9, $10, $11, now())`,
    [
      username,
      address,
      report.id,
      { month },
      lock.month,
      lock.version,
      modifier,
      copy,
      file.entries,
      file.text.length,
      sha256(file.text),
    ],
  )
  await audit(tx, {
    username,
    address,
    action: 'export',
    entity: 'report',
    entityid: report.id,
    after: {
      format: 'nacha',
      month,
      version: lock.version,
      modifier,
      copy,
      again: copy > 1,
      entries: file.entries,
      cents: file.cents,
    },
  })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
