import type { ReportRow, ReportValues } from '../../../schemas/api/reports.ts'
import type { Config } from '../../config/config.ts'
import type { Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import type { MonthLock } from '../../money/months.ts'
import { rowsOf } from './cursor.ts'
import { dayIn } from './days.ts'
import { given } from './parseInputs.ts'
import type { Column, Report, Sums } from './report.ts'

/** A report under way: screen and file read the same rows and totals. */
export type Table = {
  columns: readonly Column[]
  /** In their order, a thousand at a time. */
  rows: AsyncGenerator<ReportRow[]>
  /** Once all rows were read; null where no column has a total. */
  totals(): ReportRow | null
  /** Once the first rows were read. */
  readonly notes: readonly string[]
  lock: MonthLock | null
  /** What the report was given, as it was understood. */
  inputs: Record<string, unknown>
}

/** The master agents whose rows a report may tell this caller; null for all (decisions, section 2). */
export const scopeOf = (caller: Caller) => (caller.permissions.reports_admin ? null : caller.scope)

/** Whoever does not see all is told what is paid once its month is locked. */
export const lockedOnly = (it: Report, scope: number[] | null) => it.published === true && scope !== null

export type Asked = {
  caller: Caller
  sent: ReportValues
  config: Config
  secret: Buffer
  signal: AbortSignal
  now: Date
}

/** Starts a report. Throws a Refusal (422) for wrong inputs. */
export async function open(
  tx: Tx,
  it: Report,
  { caller, sent, config, secret, signal, now }: Asked,
): Promise<Table> {
  const scope = scopeOf(caller)
  const inputs = await given(it, sent, { sql: tx, scope, lockedOnly: lockedOnly(it, scope) })
  const today = dayIn(config.timeZone, now)
  const {
    sql,
    values,
    notes = [],
    lock = null,
    each = (row) => row,
  } = await it.answer({ sql: tx, scope, caller, inputs, today, config, secret })
  const sums = summed(it.columns)
  const rows = async function* () {
    for await (const batch of rowsOf(tx, sql, values, signal)) {
      const cut = batch.flatMap((read): ReportRow[] => {
        const row = each(read)
        return row
          ? [Object.fromEntries(it.columns.map(({ name }) => [name, row[name] ?? null])) as ReportRow]
          : []
      })
      sums.add(cut)
      if (cut.length > 0) yield cut
    }
  }
  return {
    columns: it.columns,
    rows: rows(),
    totals: sums.totals,
    get notes() {
      return typeof notes === 'function' ? notes() : notes
    },
    lock,
    inputs,
  }
}

/** Adds up in cents: whole numbers are exact, dollars are not. */
function summed(columns: readonly Column[]) {
  const added = columns.filter(
    ({ datatype, total }) =>
      total !== undefined && (datatype === 'money' || datatype === 'count' || datatype === 'number'),
  )
  const scale = (column: Column) => (column.datatype === 'count' ? 1 : 100)
  const cents = new Map(added.map(({ name }) => [name, 0]))
  return {
    add(rows: readonly ReportRow[]) {
      for (const column of added) {
        const times = scale(column)
        let sum = cents.get(column.name)!
        for (const row of rows) sum += Math.round(Number(row[column.name] ?? 0) * times)
        cents.set(column.name, sum)
      }
    },
    totals(): ReportRow | null {
      if (columns.every(({ total }) => total === undefined)) return null
      const sums: Sums = Object.fromEntries(
        added.map((column) => [column.name, cents.get(column.name)! / scale(column)]),
      )
      return Object.fromEntries(columns.map((column) => [column.name, totalOf(column, sums)]))
    },
  }
}

const totalOf = ({ name, total }: Column, sums: Sums) => {
  if (total === undefined) return null
  if (total === 'sum') return sums[name] ?? 0
  return typeof total === 'function' ? total(sums) : total.text
}
