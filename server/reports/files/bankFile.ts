import type { FastifyReply } from 'fastify'
import { HttpError } from '../../http/errors.ts'
import { sendTextFile } from '../../http/fileResponse.ts'
import { monthName } from '../../money/months.ts'
import { readReleaseFile } from '../../payouts/release.ts'
import { parseInputs } from '../engine/parseInputs.ts'
import type { ExportRequest } from './download.ts'

/**
 * Sends the newest bank file that was released for a month (payouts 4). Taking it is in the export log and
 * the audit before the first byte is sent. Throws an HttpError (409) while none was released.
 */
export async function sendBankFile({
  db,
  secret,
  report,
  caller,
  address,
  sent,
  reply,
}: ExportRequest): Promise<FastifyReply> {
  const { username } = caller
  const { text, filename } = await db.transaction(async (tx) => {
    const inputs = await parseInputs(report, sent, { sql: tx, scope: caller.scope, lockedOnly: true })
    const month = String(inputs.month)
    const [release] = await tx.query<ReleaseRow>(newestRelease, [month])
    if (!release)
      throw new HttpError(409, `No bank file was released for ${monthName(month)}: release it on Payouts`)
    const file = await readReleaseFile(tx, { month, username, address, secret }, release.id)
    await tx.query(logExport, [
      username,
      address,
      report.id,
      { month: month.slice(0, 7) },
      month,
      release.version,
      release.modifier,
      release.payments,
      file.text.length,
      release.sha256,
    ])
    return file
  })
  return sendTextFile(reply, { text, filename })
}

type ReleaseRow = { id: number; version: number; modifier: string; sha256: string; payments: number }

const newestRelease = `
  select r.id, l.version, r.modifier, r.sha256,
    (select count(*) from payout_payment p where p.releaseid = r.id) as payments
  from payout_release r join month_lock l on l.id = r.lockid
  where r.month = $1 and r.how = 'file' order by r.id desc limit 1`

/** `copy` counts how often this file was taken: the first time of a further release is none again. */
const logExport = `
  insert into report_export (username, address, report, inputs, format, month, lockversion, modifier, copy,
    rows, bytes, sha256, finished_at)
  values ($1, $2, $3, $4, 'nacha', $5, $6, $7,
    (select count(*) + 1 from report_export where format = 'nacha' and sha256 = $10), $8, $9, $10, now())`
