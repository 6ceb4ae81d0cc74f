import type { FastifyReply } from 'fastify'
import type { ColumnKind, ReportColumn, ReportRow } from '../../schemas/api/reports.ts'
import { recordsTitle, type Column, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { choiceTitle, flagWord, propertyOf, valueTitle } from '../../schemas/entities/lists/columns.ts'
import { columnsFault, readColumns } from '../../schemas/entities/lists/layout.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/db.ts'
import { listCondition } from '../entities/condition.ts'
import { listOrder, orderBy } from '../entities/paging/order.ts'
import { entityRecords } from '../entities/records.ts'
import { fromClause, selectList } from '../entities/sql.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { dayInZone } from '../money/bankDays.ts'
import { monthName } from '../money/months.ts'
import { cursorRows } from '../reports/engine/cursor.ts'
import {
  sendAuditedSheet,
  sheetWriters,
  writeInReadTransaction,
  type WrittenSheet,
} from '../reports/files/sheetFile.ts'

/** How a file writes the columns of a list; one that is not named is text. */
const kinds: Partial<Record<NonNullable<Column['as']>, ColumnKind>> = {
  date: 'date',
  moment: 'date',
  dollars: 'money',
  percent: 'percent',
  number: 'count',
}

const fileColumns = (entity: Entity, columns: readonly Column[]): ReportColumn[] =>
  columns.map((column) => {
    const property = propertyOf(entity, column)
    const kind = kinds[column.as ?? 'text'] ?? (property.type === 'integer' && !column.as ? 'count' : 'text')
    return { name: column.field, displayname: valueTitle(column, property), datatype: kind }
  })

/** The value of a cell in a file: the text that the list shows, but numbers and days as numbers. */
function cellValue(entity: Entity, column: Column, row: Row): ReportRow[string] {
  const value = row[column.field] ?? null
  switch (column.as ?? 'text') {
    case 'label':
      return row.labels?.[column.field] ?? null
    case 'choice':
      return choiceTitle(entity.schema.properties[column.field], value)
    case 'flag':
      return flagWord(column, value)
    case 'month':
      return value === null ? null : monthName(`${String(value)}-01`)
    case 'date':
    case 'moment':
      return Number(value) > 0 ? Number(value) : null
    default:
      return value as ReportRow[string]
  }
}

type Options = { db: Db; config: Config; secret: Buffer; downloads: Downloads }
type ExportHandler = Handlers['entities'][string]['export']
type ExportCall = Parameters<ExportHandler>[0]
/** The statement of a list for one call, and how its rows are shown to the caller. */
type ListSource = { sql: string; values: unknown[]; present: (stored: Row) => Row }
type SourceOf = (call: ExportCall) => Promise<ListSource>
type WrittenList = WrittenSheet & { rows: number }

/**
 * GET /{name}/export: all rows that a list is asked for, in its order, as a file (lists 16). It is written to
 * disk first (operations 15), and the audit has it before the first byte is sent.
 */
export const listFileHandler = (entity: Entity, options: Options): ExportHandler =>
  sourceFileHandler(entity, options, entitySource(entity, options))

/** The same for a list whose rows are read in another way: `sourceOf` must limit them to the row scope. */
export const sourceFileHandler =
  (entity: Entity, options: Omit<Options, 'secret'>, sourceOf: SourceOf): ExportHandler =>
  async (call): Promise<FastifyReply> => {
    const { format, search, sort, filter, columns } = call.query
    const written = await writeListFile(entity, options, call, sourceOf)
    const query = Object.fromEntries(
      Object.entries({ search, filter, sort, columns }).filter(([, text]) => text !== ''),
    )
    return sendAuditedSheet(options, call, written, {
      entity: entity.name,
      entityid: format,
      after: { ...query, rows: written.rows },
    })
  }

const entitySource =
  (entity: Entity, { db, config, secret }: Options): SourceOf =>
  async ({ caller, query: { search, sort, filter } }) => {
    const order = orderBy(listOrder(entity, sort))
    const { where, values } = await listCondition(db, entity, caller, { search, filter })
    const { present } = entityRecords(entity, secret, config)
    return {
      sql: `select ${selectList(entity)} from ${fromClause(entity)} where ${where} order by ${order}`,
      values,
      present: (stored) => present(stored, caller),
    }
  }

/** Throws an HttpError; for a bad query before it waits for a turn. */
async function writeListFile(
  entity: Entity,
  { db, config, downloads }: Omit<Options, 'secret'>,
  call: ExportCall,
  sourceOf: SourceOf,
): Promise<WrittenList> {
  const { caller, query, reply } = call
  const { format, search, sort, filter } = query
  const contentFor = async (reader: Caller) => {
    const fault = columnsFault(entity, reader, query.columns)
    if (fault !== null) throw new HttpError(400, fault)
    const source = await sourceOf({ ...call, caller: reader })
    return { ...source, columns: readColumns(entity, reader, query.columns) }
  }
  const content = await contentFor(caller)
  const signal = abortOnDisconnect(reply, 'The download was cancelled')
  const title = recordsTitle(entity)
  const today = dayInZone(config.timeZone, new Date())
  const options = { signal, seconds: config.reportSeconds, requester: call }
  let count = 0
  const write = async (tx: Tx, reader: Caller): Promise<WrittenList> => {
    const { sql, values, present, columns } = reader === caller ? content : await contentFor(reader)
    const sheet = {
      title,
      columns: fileColumns(entity, columns),
      rows: fileRows(cursorRows(tx, sql, values, signal), {
        entity,
        columns,
        present,
        onBatch: (rows) => (count += rows),
      }),
      totals: () => null,
      about: aboutLines(title, today, { search, filter, sort }),
    }
    const file = await downloads.write(caller.username, sheetWriters[format].write(sheet), signal)
    return { file, rows: count, name: `${title} ${today}.${format}`, format }
  }
  return writeInReadTransaction(db, options, write)
}

type FileRowsOptions = {
  entity: Entity
  columns: readonly Column[]
  present: ListSource['present']
  onBatch: (rows: number) => void
}

async function* fileRows(
  batches: AsyncIterable<Record<string, unknown>[]>,
  { entity, columns, present, onBatch }: FileRowsOptions,
) {
  for await (const batch of batches) {
    onBatch(batch.length)
    yield batch.map((stored): ReportRow => {
      const row = present(stored as Row)
      return Object.fromEntries(columns.map((column) => [column.field, cellValue(entity, column, row)]))
    })
  }
}

const aboutLines = (
  title: string,
  today: string,
  query: { search: string; filter: string; sort: string },
) => [
  [title, today] as const,
  ...Object.entries(query).flatMap(([name, text]) => (text === '' ? [] : [[name, text] as const])),
]
