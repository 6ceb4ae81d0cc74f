import type { FastifyReply } from 'fastify'
import {
  auditActions,
  auditFilters,
  type AuditAction,
  type auditCalls,
  type AuditFilters,
} from '../../schemas/api/audit/audit.ts'
import type { ReportColumn, ReportRow } from '../../schemas/api/reports.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/db.ts'
import type { CallOf } from '../http/call.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { dayInZone } from '../money/bankDays.ts'
import { cursorRows } from '../reports/engine/cursor.ts'
import { sendAuditedSheet, sheetWriters, writeInReadTransaction } from '../reports/files/sheetFile.ts'
import { conditionOf, entryColumns, newestFirst } from './find.ts'
import { readNames, type RecordNames, type StoredEntry } from './names.ts'
import { describeChanges, recordText, sentenceOf } from './words.ts'

const text = (name: string, displayname: string): ReportColumn => ({ name, displayname, datatype: 'text' })
const columns: readonly ReportColumn[] = [
  { name: 'id', displayname: 'Entry', datatype: 'count' },
  text('time', 'Time (UTC)'),
  text('person', 'Person'),
  text('address', 'Address'),
  text('kind', 'Kind'),
  text('record', 'Record'),
  text('what', 'What'),
  text('before', 'Before'),
  text('after', 'After'),
]

function fileRow(entry: StoredEntry, names: RecordNames): ReportRow {
  const changes = describeChanges(entry, names)
  const lines = (side: 'before' | 'after') =>
    changes
      .filter((change) => change[side] !== '')
      .map((change) => `${change.title}: ${change[side]}`)
      .join('; ')
  return {
    id: entry.id,
    time: new Date(entry.at * 1000).toISOString().slice(0, 19).replace('T', ' '),
    person: entry.username,
    address: entry.address,
    kind: auditActions[entry.action as AuditAction] ?? entry.action,
    record: recordText(entry, names),
    what: sentenceOf(entry, names),
    before: lines('before'),
    after: lines('after'),
  }
}

/** Names are read on another connection, because the cursor holds that of the transaction. */
async function* fileRows(db: Db, tx: Tx, filters: AuditFilters, signal: AbortSignal) {
  const { where, values } = conditionOf(filters)
  const sql = `select ${entryColumns} from audit where ${where} ${newestFirst}`
  for await (const rows of cursorRows(tx, sql, values, signal)) {
    const entries = rows as unknown as StoredEntry[]
    const names = await readNames(db, entries)
    yield entries.map((entry) => fileRow(entry, names))
  }
}

type Call = CallOf<typeof auditCalls.export>

/** All entries that pass the filters, in a file on disk (operations 15). */
function writeFile(db: Db, config: Config, downloads: Downloads, call: Call) {
  const { caller, query, reply } = call
  const { format, ...filters } = query
  const signal = abortOnDisconnect(reply, 'The download was cancelled')
  const today = dayInZone(config.timeZone, new Date())
  const about = Object.entries(filters).map(
    ([name, value]) => [auditFilters[name as keyof AuditFilters].title, String(value)] as const,
  )
  const options = { signal, seconds: config.reportSeconds, requester: call }
  return writeInReadTransaction(db, options, async (tx) => {
    const sheet = {
      title: 'Audit',
      columns,
      rows: fileRows(db, tx, filters, signal),
      totals: () => null,
      about: [['Audit', today] as const, ...about],
    }
    const file = await downloads.write(caller.username, sheetWriters[format].write(sheet), signal)
    return { file, name: `Audit ${today}.${format}`, format }
  })
}

/**
 * Sends all entries that pass the filters as .xlsx or .csv. The audit has an entry about it before the first
 * byte is sent, which is not part of the file (permissions 12).
 */
export async function sendAuditFile(
  db: Db,
  config: Config,
  downloads: Downloads,
  call: Call,
): Promise<FastifyReply> {
  const { format, ...filters } = call.query
  const written = await writeFile(db, config, downloads, call)
  return sendAuditedSheet({ db, downloads }, call, written, {
    entity: 'audit',
    entityid: format,
    after: filters,
  })
}
