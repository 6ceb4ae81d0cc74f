import { createHash, type Hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { ReportRow, ReportValues } from '../../../schemas/api/reports.ts'
import { formatUsDate } from '../../../schemas/dates.ts'
import type { Config } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import type { Requester } from '../../jobs/callersTurn.ts'
import type { Downloads } from '../../jobs/downloads.ts'
import type { Turn } from '../../jobs/limiter.ts'
import { tap } from '../../jobs/tap.ts'
import { dayInZone } from '../../money/bankDays.ts'
import type { BeginSecond } from '../engine/cursor.ts'
import { openReport, type OpenReport } from '../engine/openReport.ts'
import { describeInputs } from '../engine/parseInputs.ts'
import type { Report } from '../engine/report.ts'
import {
  sendSheet,
  sheetWriters,
  writeInReadTransaction,
  type SheetFormat,
  type WrittenSheet,
} from './sheetFile.ts'

/**
 * A report that is to be sent as a file; `address` is the caller's IP address, `sent` the unparsed inputs.
 */
export type ExportRequest = {
  db: Db
  config: Config
  secret: Buffer
  report: Report
  caller: Caller
  authorizeAgain: Requester<Caller>['authorizeAgain']
  address: string
  sent: ReportValues
  reply: FastifyReply
}

type SheetRequest = ExportRequest & {
  format: SheetFormat
  /** As of `ReportRequest`. */
  sort: string
  /** Throws an HttpError when the caller may not take the report. */
  assertMayExport: (caller: Caller) => void
  downloads: Downloads
  signal: AbortSignal
  onWait: Turn['onWait']
  /** Called when its turn has come. */
  begin: () => Promise<void>
}

/** A report in a file on disk, and what the export log says of it. */
type WrittenReport = WrittenSheet & { opened: OpenReport; stats: FileStats }

/**
 * Answers a report as .xlsx or .csv (reports 11). It is written to a file first: a failure is answered as an
 * error, and a reader that is slow holds neither a turn nor a connection to the database (operations 15). The
 * export log gets a row before the first byte is sent, and its size and hash after the last (reports 13).
 */
export async function sendSheetFile(request: SheetRequest): Promise<FastifyReply> {
  const { db, reply, downloads } = request
  const written = await writeReport(request)
  const { recorded, isTaken } = await sendSheet(downloads, reply, written, () =>
    logExport(request, written.opened),
  )
  const { rows, bytes, hash } = written.stats
  if (isTaken)
    await db.query(
      'update report_export set rows = $2, bytes = $3, sha256 = $4, finished_at = now() where id = $1',
      [recorded, rows, bytes, hash.digest('hex')],
    )
  return reply
}

function writeReport(request: SheetRequest): Promise<WrittenReport> {
  const {
    db,
    config,
    secret,
    report,
    sent,
    format,
    sort,
    assertMayExport,
    signal,
    downloads,
    onWait,
    begin,
  } = request
  const { username: user } = request.caller
  const now = new Date()
  const write = async (tx: Tx, caller: Caller, beginSecond: BeginSecond): Promise<WrittenReport> => {
    await begin()
    assertMayExport(caller)
    const asked = { caller, sent, config, secret, signal, now, sort, beginSecond }
    const opened = await openReport(tx, report, asked)
    const stats: FileStats = { rows: 0, bytes: 0, hash: createHash('sha256') }
    const rows = await readFirstBatch(opened.rows)
    const sheet = {
      title: report.name,
      columns: report.columns,
      rows: countRows(rows, stats),
      totals: opened.totals,
      about: aboutLines(report, opened, now),
    }
    const name = `${fileName(report, opened, dayInZone(config.timeZone, now))}.${format}`
    const file = await downloads.write(user, hashChunks(sheetWriters[format].write(sheet), stats), signal)
    return { file, opened, stats, name, format }
  }
  const options = {
    signal,
    seconds: config.reportSeconds,
    requester: request,
    onWait,
    prepare: () => report.prepare?.(db, sent),
  }
  return writeInReadTransaction(db, options, write)
}

/** Resolves when the first batch was read, with a generator of all rows. */
async function readFirstBatch(rows: OpenReport['rows']): Promise<AsyncGenerator<ReportRow[]>> {
  const first = await rows.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* rows
  })()
}

type FileStats = { rows: number; bytes: number; hash: Hash }

const countRows = (rows: AsyncIterable<ReportRow[]>, stats: FileStats) =>
  tap(rows, (batch) => {
    stats.rows += batch.length
  })

const hashChunks = (chunks: AsyncIterable<Buffer>, stats: FileStats) =>
  tap(chunks, (chunk) => {
    stats.bytes += chunk.length
    stats.hash.update(chunk)
  })

/**
 * Report and inputs, and the day of an open month or when no input names a year or month: 'Agent Residual
 * Statement 2026-10 MA0012'.
 */
function fileName(report: Report, { inputs, openMonth }: OpenReport, today: string) {
  const texts = Object.values(describeInputs(report, inputs))
  const hasTime = openMonth === null && texts.some((text) => /^\d{4}(-\d\d|$)/.test(text))
  return [report.name, ...texts, ...(hasTime ? [] : [today])].join(' ')
}

/** Without a lock figures are of the moment at which they were asked for. */
const aboutLines = (
  report: Report,
  { inputs, notes, lock }: OpenReport,
  now: Date,
): (readonly [string, string])[] => [
  ['Report', report.name],
  ...Object.entries(describeInputs(report, inputs)).map(
    ([name, text]) => [report.inputs[name]!.displayname, text] as const,
  ),
  ...(lock
    ? [['Locked', `Version ${lock.version} by ${lock.username}`] as const, ['Hash', lock.hash] as const]
    : [['Generated', minuteText(now)] as const]),
  ...notes.map((note, index) => [index === 0 ? 'Notes' : '', note] as const),
]

/** '11/27/2026 19:45 UTC'. */
const minuteText = (time: Date) => {
  const iso = time.toISOString()
  return `${formatUsDate(iso.slice(0, 10))} ${iso.slice(11, 16)} UTC`
}

/** Writes a row to the export log and one to the audit; resolves with the id of the former. */
const logExport = (
  { db, report, caller: { username }, address, format }: SheetRequest,
  opened: OpenReport,
): Promise<number> =>
  db.transaction(async (tx) => {
    const inputs = describeInputs(report, opened.inputs)
    const { month = null, version = null } = opened.lock ?? {}
    const [row] = await tx.query<{ id: number }>(
      `insert into report_export (username, address, report, inputs, format, month, lockversion)
        values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [username, address, report.id, inputs, format, month, version],
    )
    await audit(tx, {
      username,
      address,
      action: 'export',
      entity: 'report',
      entityid: report.id,
      after: { format, ...inputs },
    })
    return row!.id
  })
