import { createHash } from 'node:crypto'
import { create as disposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { audit } from '../../db/audit.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { lockOf, monthName } from '../../money/months.ts'
import { monthSource } from '../../money/monthSource.ts'
import { payments, unpayable, type Payment } from '../catalogue/payout.ts'
import { dayIn, nextBankDay } from '../engine/days.ts'
import { monthOnWire } from '../engine/monthInput.ts'
import { given } from '../engine/parseInputs.ts'
import type { Asked } from './download.ts'
import { nacha, type BankFile } from './nacha.ts'

const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The wall clock of the portal, '2026-11-21T19:43'. */
const clock = (timeZone: string, now: Date) =>
  `${dayIn(timeZone, now)}T${new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)}`

function refuseUnpayable(all: readonly Payment[], month: string) {
  if (all.length === 0) throw new HttpError(409, `${monthName(month)} pays nobody`)
  const named = all.flatMap((payment) => {
    const why = unpayable(payment)
    return why ? [`${payment.displayid} - ${payment.name}: ${why}`] : []
  })
  if (named.length > 0)
    throw new HttpError(
      409,
      `The file cannot be made. ${named.slice(0, 10).join('; ')}${named.length > 10 ? `; and ${named.length - 10} more` : ''}`,
    )
}

/** Which file of its day this is, and which copy for its month. Whoever else makes one waits. */
async function numbered(tx: Tx, month: string, day: string, timeZone: string) {
  await tx.query(`select pg_advisory_xact_lock(hashtext('bank files'))`)
  const [known] = await tx.query<{ today: number; copies: number }>(
    `select count(*) filter (where (at at time zone $3)::date = $2::date) as today, count(*) filter (where month = $1) as copies
      from report_export where format = 'nacha'`,
    [month, day, timeZone],
  )
  const modifier = modifiers[known!.today]
  if (!modifier)
    throw new HttpError(409, `A bank takes ${modifiers.length} files a day, and these were made today`)
  return { modifier, copy: known!.copies + 1 }
}

/**
 * The file for the bank of a locked month. It is written down with its letter, its hash and which copy it is before it leaves;
 * a second one of the same month says so in its name, the export log and the audit.
 */
export async function sendBankFile({
  db,
  config,
  secret,
  it,
  caller,
  address,
  sent,
  reply,
}: Asked): Promise<FastifyReply> {
  const now = new Date()
  const day = dayIn(config.timeZone, now)
  const { file, name } = await db.transaction(async (tx) => {
    const inputs = await given(it, sent, { sql: tx, scope: caller.scope, lockedOnly: true })
    const month = String(inputs.month)
    const lock = await lockOf(tx, month)
    if (!lock) throw new HttpError(409, `${monthName(month)} is not locked`)
    const all = await payments(tx, await monthSource(tx, month, { agents: null }), secret)
    refuseUnpayable(all, month)
    const { modifier, copy } = await numbered(tx, month, day, config.timeZone)
    const file: BankFile = nacha(config.ach!, all, {
      created: clock(config.timeZone, now),
      settles: nextBankDay(day),
      modifier,
    })
    const { username } = caller
    await tx.query(
      `insert into report_export (username, address, report, inputs, format, month, lockversion, modifier, copy, rows, bytes, sha256, finished_at)
        values ($1, $2, $3, $4, 'nacha', $5, $6, $7, $8, $9, $10, $11, now())`,
      [
        username,
        address,
        it.id,
        { month: monthOnWire(month) },
        month,
        lock.version,
        modifier,
        copy,
        file.entries,
        file.text.length,
        hashOf(file.text),
      ],
    )
    const after = {
      format: 'nacha',
      month: monthOnWire(month),
      version: lock.version,
      modifier,
      copy,
      again: copy > 1,
      entries: file.entries,
      cents: file.cents,
    }
    await audit(tx, { username, address, action: 'export', entity: 'report', entityid: it.id, after })
    return {
      file,
      name: `${it.name} ${monthOnWire(month)} ${modifier}${copy > 1 ? ` copy ${copy}` : ''}.ach`,
    }
  })
  return reply
    .header('content-type', 'text/plain; charset=us-ascii')
    .header('content-disposition', disposition(name))
    .send(file.text)
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
