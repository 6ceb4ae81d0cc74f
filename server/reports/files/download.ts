import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { create as disposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { ExportFormat, ReportRow, ReportValues } from '../../../schemas/api/reports.ts'
import type { Config } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import type { Db } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import { inSnapshot } from '../engine/cursor.ts'
import { dayIn } from '../engine/days.ts'
import { open, type Table } from '../engine/openReport.ts'
import { toldInputs } from '../engine/parseInputs.ts'
import type { Report } from '../engine/report.ts'
import type { Sheet } from './cells.ts'
import { csv } from './csv.ts'
import { xlsx } from './xlsx.ts'

/** Who asks from where for which report as a file, with what was sent and where it goes. */
export type Asked = {
  db: Db
  config: Config
  secret: Buffer
  it: Report
  caller: Caller
  address: string
  sent: ReportValues
  reply: FastifyReply
}

const writers = {
  xlsx: { write: xlsx, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { write: csv, type: 'text/csv; charset=utf-8' },
} satisfies Partial<Record<ExportFormat, { write: (sheet: Sheet) => AsyncGenerator<Buffer>; type: string }>>
export type SheetFormat = keyof typeof writers

type AskedSheet = Asked & { format: SheetFormat; signal: AbortSignal }

/**
 * Streams a report as a file: a fault before the first rows is an answer like any other, a later one breaks the connection, so
 * that no short file looks whole. Who took what is written down before the first byte leaves, and at the end what it was.
 */
export async function sendFile({
  db,
  config,
  secret,
  it,
  caller,
  address,
  sent,
  format,
  reply,
  signal,
}: AskedSheet): Promise<FastifyReply> {
  const now = new Date()
  await inSnapshot(db, { signal, seconds: config.reportSeconds }, async (tx) => {
    const table = await open(tx, it, { caller, sent, config, secret, signal, now })
    const counted = { rows: 0, bytes: 0, hash: createHash('sha256') }
    const rows = await begun(table.rows)
    const sheet = {
      title: it.name,
      columns: it.columns,
      rows: tallied(rows, counted),
      totals: table.totals,
      about: about(it, table),
    }
    const id = await recorded(db, { it, caller, address, format, table })
    const name = fileName(
      it,
      Object.values(toldInputs(it, table.inputs)),
      dayIn(config.timeZone, now),
      format,
    )
    const { write, type } = writers[format]
    const body = Readable.from(measured(write(sheet), counted), { objectMode: false })
    reply.header('content-type', type).header('content-disposition', disposition(name))
    void reply.send(body)
    await finished(body)
    await db.query(
      'update report_export set rows = $2, bytes = $3, sha256 = $4, finished_at = now() where id = $1',
      [id, counted.rows, counted.bytes, counted.hash.digest('hex')],
    )
  })
  return reply
}

/** The rows, the first of which are already there. */
async function begun(rows: Table['rows']): Promise<AsyncGenerator<ReportRow[]>> {
  const first = await rows.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* rows
  })()
}

type Counted = { rows: number; bytes: number; hash: ReturnType<typeof createHash> }

async function* tallied(rows: AsyncIterable<ReportRow[]>, counted: Counted) {
  for await (const batch of rows) {
    counted.rows += batch.length
    yield batch
  }
}

async function* measured(chunks: AsyncIterable<Buffer>, counted: Counted) {
  for await (const chunk of chunks) {
    counted.bytes += chunk.length
    counted.hash.update(chunk)
    yield chunk
  }
}

/** Told apart by its inputs, and by the day it was made where none of them names a time. */
const fileName = (it: Report, told: string[], today: string, format: string) =>
  `${[it.name, ...told, ...(told.some((text) => /^\d{4}(-\d\d|$)/.test(text)) ? [] : [today])].join(' ')}.${format}`

const about = (it: Report, { inputs, notes, lock }: Table): (readonly [string, string])[] => [
  ['Report', it.name],
  ...Object.entries(toldInputs(it, inputs)).map(
    ([name, text]) => [it.inputs[name]!.displayname, text] as const,
  ),
  ...(lock
    ? [['Locked', `Version ${lock.version} by ${lock.username}`] as const, ['Hash', lock.hash] as const]
    : []),
  ...notes.map((note, index) => [index === 0 ? 'Notes' : '', note] as const),
]

/** One row of the export log and one of the audit, together. */
const recorded = (
  db: Db,
  {
    it,
    caller,
    address,
    format,
    table,
  }: Pick<AskedSheet, 'it' | 'caller' | 'address' | 'format'> & { table: Table },
): Promise<number> =>
  db.transaction(async (tx) => {
    const { username } = caller
    const told = toldInputs(it, table.inputs)
    const [row] = await tx.query<{ id: number }>(
      `insert into report_export (username, address, report, inputs, format, month, lockversion) values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [username, address, it.id, told, format, table.lock?.month ?? null, table.lock?.version ?? null],
    )
    await audit(tx, {
      username,
      address,
      action: 'export',
      entity: 'report',
      entityid: it.id,
      after: { format, ...told },
    })
    return row!.id
  })
