import type { ReportRow, ReportValues } from '../../../schemas/api/reports.ts'
import { formatUsDate } from '../../../schemas/dates.ts'
import type { Config } from '../../config/config.ts'
import type { Statement, Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import { dayInZone } from '../../money/bankDays.ts'
import { monthName, type MonthLock } from '../../money/months.ts'
import { cursorRows, rowsAtOnce, type BeginSecond } from './cursor.ts'
import { firstRowsSql, takeRest, type Rest } from './firstRows.ts'
import { payMonthInput } from './monthInput.ts'
import { parseInputs } from './parseInputs.ts'
import { mergeBatches } from './parts.ts'
import { amountColumns, unitsOf, type Column, type Report, type ReportQuery, type Sums } from './report.ts'
import { parseSort, sortedSql, type Order } from './sorting.ts'

/** A report that is being read; the screen and the files use the same rows and totals. */
export type OpenReport = {
  columns: readonly Column[]
  /** In the order of the report, in the batches of `cursorRows` or `rowsAtOnce`. */
  rows: AsyncGenerator<ReportRow[]>
  /** Complete once all rows were read; null when no column has a total. */
  totals(): ReportRow | null
  /** How many rows there are, those beyond `most` included. Complete once all rows were read. */
  count(): number
  /** Complete once the first batch was read. */
  readonly notes: readonly string[]
  lock: MonthLock | null
  links: NonNullable<ReportQuery['links']>
  /** The month (an ISO first day) whose figures are those of today, because it is open; else null. */
  openMonth: string | null
  /** The parsed inputs. */
  inputs: Record<string, unknown>
}

/** The master agents whose rows a report shows this caller; null for all (reports 7). */
export const reportScope = (caller: Caller) => (caller.permissions.reports_admin ? null : caller.scope)

/** Whether this scope is shown locked months alone (reports 8). */
export const isLockedOnly = (report: Report, scope: number[] | null) =>
  report.publishedOnly === true && scope !== null

export type ReportRequest = {
  caller: Caller
  sent: ReportValues
  config: Config
  secret: Buffer
  signal: AbortSignal
  now: Date
  /** A column by which the rows are sorted, '-' before it for descending; '' as the report orders them. */
  sort?: string
  /**
   * The most rows that are answered. The others are only counted and added up: by PostgreSQL, unless the
   * report has few rows or changes them after they were selected.
   */
  most?: number
  /** Begins a second transaction of the same moment for a report that can be read in two parts. */
  beginSecond?: BeginSecond
}

/**
 * Starts a report; rows are read as they are consumed. Throws an HttpError (422) for wrong inputs or a sort
 * by something else than a column.
 */
export async function openReport(
  tx: Tx,
  report: Report,
  { caller, sent, config, secret, signal, now, sort = '', most, beginSecond }: ReportRequest,
): Promise<OpenReport> {
  const scope = reportScope(caller)
  const order = parseSort(report, sort)
  const inputs = await parseInputs(report, sent, {
    sql: tx,
    scope,
    lockedOnly: isLockedOnly(report, scope),
  })
  const today = dayInZone(config.timeZone, now)
  const query = await report.query({ sql: tx, scope, caller, inputs, today, config, secret })
  const { notes = [], lock = null, links = [] } = query
  const openMonth = openMonthOf(report, query, inputs)
  const openNotes = openMonth === null ? [] : [openMonthNote(openMonth, today)]
  const totals = createTotals(report.columns)
  return {
    columns: report.columns,
    rows: readRows({ tx, report, query, order, totals, signal, most, beginSecond }),
    totals: totals.row,
    count: totals.count,
    get notes() {
      return [...openNotes, ...(typeof notes === 'function' ? notes() : notes)]
    },
    lock,
    links,
    openMonth,
    inputs,
  }
}

type Reading = Pick<ReportRequest, 'signal' | 'most' | 'beginSecond'> & {
  tx: Tx
  report: Report
  query: ReportQuery
  order: Order | null
  totals: ReturnType<typeof createTotals>
}

/** Yields the first `most` rows. All rows are added to the totals, each batch before it is yielded. */
async function* readRows(reading: Reading): AsyncGenerator<ReportRow[]> {
  const { report, query, totals, most = Infinity } = reading
  const fields = fieldsOf(report)
  let left = most
  for await (const batch of readBatches(reading)) {
    const kept = query.mapRow ? batch.map(query.mapRow).filter((row) => row !== null) : batch
    const rows = kept.map((row) => pickFields(row, fields))
    totals.add(rows)
    const answered = rows.slice(0, left)
    left -= answered.length
    if (answered.length > 0) yield answered
  }
}

const fieldsOf = ({ columns }: Report) => [
  ...columns.map(({ name }) => name),
  ...columns.flatMap(({ link }) => link ?? []),
]

/** The rows as they were selected, by two connections where the report has parts. */
async function* readBatches(reading: Reading) {
  const { tx, query, order, beginSecond } = reading
  const { parts } = query
  const statements = parts && !order && beginSecond ? await parts.statements(tx) : null
  const second = statements && (await beginSecond!())
  if (!second) return yield* readStatement(reading, tx, query)
  try {
    const [one, other] = statements!
    const batches = [readStatement(reading, tx, one), readStatement(reading, second.tx, other)] as const
    yield* mergeBatches(batches, parts!.compare)
  } finally {
    await second.end()
  }
}

/**
 * The rows of a statement, in batches. Of those beyond `most`, where PostgreSQL can add them up, only the
 * sums are read, and added to the totals.
 */
async function* readStatement(
  { report, query, order, totals, signal, most = Infinity }: Reading,
  tx: Tx,
  { sql, values }: Statement,
) {
  const { columns, hasFewRows } = report
  const ordered = order ? sortedSql(sql, report, order) : sql
  const isRestSummed = most < Infinity && !query.mapRow && !hasFewRows
  const statement = isRestSummed
    ? firstRowsSql(ordered, { columns, fields: fieldsOf(report), most })
    : ordered
  const selectBatches = hasFewRows ? rowsAtOnce : cursorRows
  for await (const batch of selectBatches(tx, statement, values, signal)) {
    const rest = isRestSummed ? takeRest(batch) : undefined
    if (rest) totals.addRest(rest)
    yield batch
  }
}

/**
 * The named fields of a row, null where it has none. A report may have a million rows, for which a loop takes
 * a quarter of the time of `Object.fromEntries`.
 */
function pickFields(row: Record<string, unknown>, fields: readonly string[]): ReportRow {
  const picked: Record<string, unknown> = {}
  for (const name of fields) picked[name] = row[name] ?? null
  return picked as ReportRow
}

/** The month of a report that says with `lock` whether it is locked, while it is open. */
function openMonthOf({ inputs }: Report, { lock }: ReportQuery, values: Record<string, unknown>) {
  const name = payMonthInput(inputs)
  return name !== undefined && lock === null ? String(values[name]) : null
}

const openMonthNote = (month: string, today: string) =>
  `${monthName(month)} is open: these are the figures of ${formatUsDate(today)}, and may change ` +
  'until it is locked.'

/**
 * Adds up in the units of `unitsOf`. A column that is blank in every row has no sum, because 0 would be a
 * figure that nobody knows or may see.
 */
function createTotals(columns: readonly Column[]) {
  const summed = amountColumns(columns)
  const units = new Map(summed.map(({ name }) => [name, 0]))
  const filled = new Set<string>()
  let count = 0
  const addTo = (name: string, sum: number) => {
    units.set(name, units.get(name)! + sum)
    filled.add(name)
  }
  return {
    add(rows: readonly ReportRow[]) {
      count += rows.length
      for (const column of summed) {
        const factor = unitsOf(column)
        let sum = 0
        let isFilled = false
        for (const row of rows) {
          const value = row[column.name] ?? null
          isFilled ||= value !== null
          sum += Math.round(Number(value) * factor)
        }
        if (isFilled) addTo(column.name, sum)
      }
    },
    addRest(rest: Rest) {
      count += rest.count
      for (const [name, sum] of Object.entries(rest.sums)) if (sum !== null) addTo(name, sum)
    },
    count: () => count,
    row(): ReportRow | null {
      if (columns.every(({ total }) => total === undefined)) return null
      const sums: Sums = Object.fromEntries(
        summed
          .filter(({ name }) => count === 0 || filled.has(name))
          .map((column) => [column.name, units.get(column.name)! / unitsOf(column)]),
      )
      return Object.fromEntries(columns.map((column) => [column.name, totalOf(column, sums)]))
    },
  }
}

const totalOf = ({ name, total }: Column, sums: Sums) => {
  if (total === undefined) return null
  if (total === 'sum') return sums[name] ?? null
  return typeof total === 'function' ? total(sums) : total.text
}
