import type { FastifyReply } from 'fastify'
import {
  estimateBases,
  varianceKinds,
  varianceLevels,
  type MissingMerchant,
  type VarianceKind,
  type varianceCalls,
} from '../../schemas/api/months/variance.ts'
import type { ColumnKind, ReportColumn, ReportRow } from '../../schemas/api/reports.ts'
import type { Config } from '../config/config.ts'
import type { Db, Statement, Tx } from '../db/db.ts'
import type { Call, CallOf } from '../http/call.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { missingStatement } from '../money/variance/missing.ts'
import { varianceStatement } from '../money/variance/variance.ts'
import { cursorRows } from '../reports/engine/cursor.ts'
import { sendAuditedSheet, sheetWriters, writeInReadTransaction } from '../reports/files/sheetFile.ts'

export type FileSettings = { db: Db; config: Config; downloads: Downloads }

/** A list as a file; `query` is what the audit keeps of it. */
type ListFile = {
  /** The first word of its name. */
  title: string
  month: string
  columns: readonly ReportColumn[]
  statement: (tx: Tx) => Promise<Statement>
  rowOf: (row: Record<string, unknown>) => ReportRow
  query: object
}

const column = (name: string, displayname: string, datatype: ColumnKind = 'text'): ReportColumn => ({
  name,
  displayname,
  datatype,
})

async function* mapped(rows: AsyncIterable<Record<string, unknown>[]>, rowOf: ListFile['rowOf']) {
  for await (const batch of rows) yield batch.map(rowOf)
}

/**
 * Answers a list as .csv. It is written to a file first, like a report (operations 15), and is in the audit
 * before its first byte is sent.
 */
async function sendListFile(
  { db, config, downloads }: FileSettings,
  call: Call,
  { title, month, columns, statement, rowOf, query }: ListFile,
): Promise<FastifyReply> {
  const signal = abortOnDisconnect(call.reply, 'The download was cancelled')
  const options = { signal, seconds: config.reportSeconds, requester: call }
  const shortMonth = month.slice(0, 7)
  const written = await writeInReadTransaction(db, options, async (tx) => {
    const { sql, values } = await statement(tx)
    const rows = mapped(cursorRows(tx, sql, values, signal), rowOf)
    const sheet = { title, columns, rows, totals: () => null, about: [] }
    const file = await downloads.write(call.caller.username, sheetWriters.csv.write(sheet), signal)
    return { file, name: `${title} ${shortMonth}.csv`, format: 'csv' as const }
  })
  return sendAuditedSheet({ db, downloads }, call, written, {
    entity: 'month',
    entityid: shortMonth,
    after: { list: title, ...query },
  })
}

/** All rows of the variance of a month, an ISO first day, as .csv (variance 11). */
export function sendVarianceFile(
  settings: FileSettings,
  call: CallOf<typeof varianceCalls.compareFile>,
  { month, earlier }: { month: string; earlier: string },
): Promise<FastifyReply> {
  const { query } = call
  return sendListFile(settings, call, {
    title: 'Variance',
    month,
    query: query,
    columns: [
      column('id', varianceLevels[query.by]),
      column('name', 'Name'),
      column('kind', 'Kind'),
      column('before', earlier.slice(0, 7), 'money'),
      column('now', month.slice(0, 7), 'money'),
      column('change', 'Change', 'money'),
      column('detail', 'Detail'),
    ],
    statement: (tx) => varianceStatement(tx, { ...query, month }),
    rowOf: (row) => ({ ...row, kind: varianceKinds[row['kind'] as VarianceKind] }) as ReportRow,
  })
}

type Basis = NonNullable<MissingMerchant['months'][number]['basis']>

/** All missing months of what is asked for in a month, an ISO first day, as .csv (variance 11). */
export const sendMissingFile = (
  settings: FileSettings,
  call: CallOf<typeof varianceCalls.missingFile>,
  month: string,
): Promise<FastifyReply> =>
  sendListFile(settings, call, {
    title: 'Missing Income',
    month,
    query: call.query,
    columns: [
      column('xmid', 'MID'),
      column('name', 'DBA'),
      column('agent', 'Master Agent'),
      column('processor', 'Processor'),
      column('month', 'Month'),
      column('volume', 'Volume', 'money'),
      column('estimate', 'Estimate', 'money'),
      column('basis', 'Estimated By'),
      column('dismissedby', 'Dismissed By'),
      column('dismissedat', 'Dismissed', 'date'),
      column('reason', 'Reason'),
    ],
    statement: async () => missingStatement({ ...call.query, month }),
    rowOf: (row) =>
      ({ ...row, basis: row['basis'] === null ? null : estimateBases[row['basis'] as Basis] }) as ReportRow,
  })
