import { create as disposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { ExportFormat } from '../../../schemas/api/reports.ts'
import { audit, type AuditEntry } from '../../db/audit.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Call, Caller } from '../../http/call.ts'
import type { Download, Downloads } from '../../jobs/downloads.ts'
import { inReadTransaction, type BeginSecond, type ReadOptions } from '../engine/cursor.ts'
import type { ReportSheet } from './cells.ts'
import { writeCsv } from './csv.ts'
import { writeXlsx } from './xlsx.ts'

/** How a sheet is written in each format, and the type of that file. */
export const sheetWriters = {
  xlsx: { write: writeXlsx, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { write: writeCsv, type: 'text/csv; charset=utf-8' },
} satisfies Partial<
  Record<ExportFormat, { write: (sheet: ReportSheet) => AsyncGenerator<Buffer>; type: string }>
>
export type SheetFormat = keyof typeof sheetWriters

/** A sheet in a file on disk, and the name under which it is sent. */
export type WrittenSheet = { file: Download; name: string; format: SheetFormat }

/** `write` in the transaction of `inReadTransaction`; when the end of that fails its file is removed. */
export async function writeInReadTransaction<Written extends WrittenSheet>(
  db: Db,
  options: ReadOptions,
  write: (tx: Tx, caller: Caller, beginSecond: BeginSecond) => Promise<Written>,
): Promise<Written> {
  let written: Written | undefined
  try {
    return await inReadTransaction(db, options, async (...read) => (written = await write(...read)))
  } catch (error) {
    await written?.file.remove()
    throw error
  }
}

/**
 * Answers a sheet once `record` has written down who takes it; where that fails the file is removed and the
 * call fails. Resolves with what `record` did, and with whether all of the file was taken.
 */
export async function sendSheet<Recorded>(
  downloads: Downloads,
  reply: FastifyReply,
  { file, name, format }: WrittenSheet,
  record: () => Promise<Recorded>,
): Promise<{ recorded: Recorded; isTaken: boolean }> {
  const recorded = await record().catch(async (error: unknown) => {
    await file.remove()
    throw error
  })
  reply.header('content-type', sheetWriters[format].type).header('content-disposition', disposition(name))
  return { recorded, isTaken: await downloads.send(reply, file) }
}

/** Answers a sheet that is no report: before its first byte is sent, the audit says who took it. */
export async function sendAuditedSheet(
  { db, downloads }: { db: Db; downloads: Downloads },
  { caller: { username }, address, reply }: Pick<Call, 'caller' | 'address' | 'reply'>,
  sheet: WrittenSheet,
  entry: Pick<AuditEntry, 'entity' | 'entityid' | 'after'>,
): Promise<FastifyReply> {
  await sendSheet(downloads, reply, sheet, () => audit(db, { username, address, action: 'export', ...entry }))
  return reply
}
