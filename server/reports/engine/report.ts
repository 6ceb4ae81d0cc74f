import type { ReportColumn } from '../../../schemas/api/reports.ts'
import type { Rule } from '../../../schemas/permissions.ts'
import type { Config } from '../../config/config.ts'
import type { Sql } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import type { MonthLock } from '../../money/months.ts'
import type { Input } from './inputs.ts'

/** Sums over all rows of the columns that have one; money in dollars, exact to the cent. */
export type Sums = Readonly<Record<string, number>>
export type Column = ReportColumn & {
  /** In the totals row: the sum, a text, or what follows from the sums. */
  total?: 'sum' | { text: string } | ((sums: Sums) => number | null)
}

/** What a report is asked. All is read in one snapshot of the database. */
export type Ask<V = Record<string, unknown>> = {
  sql: Sql
  /** The master agents whose rows may be told, null for all: the caller's own, widened by reports_admin. */
  scope: number[] | null
  caller: Caller
  /** By input name; null where an input was left empty. */
  inputs: V
  /** The calendar day in the portal's zone, ISO. */
  today: string
  config: Config
  /** Opens what is stored sealed. */
  secret: Buffer
}

/** SQL whose columns carry the names of the report's columns, in the order of the screen. */
export type Answer = {
  sql: string
  values: readonly unknown[]
  /** As a function where the rows tell them: it is called once the first are there. */
  notes?: readonly string[] | (() => readonly string[])
  lock?: MonthLock | null
  /** What SQL cannot say of a row; null leaves it out. */
  each?: (row: Record<string, unknown>) => Record<string, unknown> | null
}

export type Inputs = Readonly<Record<string, Input<unknown>>>
export type Values<I extends Inputs> = { [K in keyof I]: I[K] extends Input<infer T> ? T : never }

/** One kind of report. `published`: it tells what is paid, so whoever does not see all is given locked months alone. */
export type Report<I extends Inputs = Inputs> = {
  id: string
  name: string
  allow: Rule
  inputs: I
  columns: readonly Column[]
  published?: true
  /** For those who see all alone: it cannot be cut to a branch. */
  whole?: true
  /** Also to be had as a file for the bank. */
  nacha?: true
  /** What no single input can say: field to sentence. */
  check?: (inputs: Values<I>) => Record<string, string>
  answer: (ask: Ask<Values<I>>) => Promise<Answer> | Answer
}

/** Keeps the types of the inputs for `answer`, and forgets them for whoever holds many reports. */
export const report = <I extends Inputs>(it: Report<I>): Report => it as unknown as Report

/** The placeholders of a statement: `put(value)` answers '$n'. Starts after those that are there. */
export function placeholders(values: unknown[] = []) {
  return { values, put: (value: unknown) => `$${values.push(value)}` }
}

const kinds =
  (datatype: ReportColumn['datatype']) =>
  (name: string, displayname: string, total?: Column['total']): Column => ({
    name,
    displayname,
    datatype,
    ...(total !== undefined && { total }),
  })
/** Columns by kind: `money('net', 'Net', 'sum')`. */
export const text = kinds('text')
export const id = kinds('id')
export const count = kinds('count')
export const money = kinds('money')
export const percent = kinds('percent')
export const number = kinds('number')
export const date = kinds('date')
export const flag = kinds('flag')

/** The merchant that a row is about. */
export const ofMerchant: readonly Column[] = [
  id('xmid', 'Merchant ID', { text: 'Total' }),
  text('dba', 'DBA'),
  text('agent', 'Master Agent'),
]
/** The master agent that a row is about. */
export const ofAgent: readonly Column[] = [
  id('displayid', 'Master Agent', { text: 'Total' }),
  text('name', 'Name'),
]

/** For the totals of a ratio: null where the divisor is 0. */
export const ratio =
  (above: string, below: string, times: number, decimals = 2) =>
  (sums: Sums): number | null => {
    const divisor = sums[below] ?? 0
    return divisor === 0 ? null : Number(((times * (sums[above] ?? 0)) / divisor).toFixed(decimals))
  }
