import type {
  ReportColumn,
  ReportGroup,
  ReportLink,
  ReportRow,
  ReportValues,
} from '../../../schemas/api/reports.ts'
import { merchantMonthsPath } from '../../../schemas/entities/merchant.ts'
import type { Rule } from '../../../schemas/permissions.ts'
import type { Config } from '../../config/config.ts'
import type { Db, Sql } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import { monthName, type MonthLock } from '../../money/months.ts'
import type { InputDefinition, InputDefinitions } from './inputs.ts'
import type { Parts } from './parts.ts'

/**
 * Sums over all rows, by column name; money in dollars, exact to the cent. Without those of columns that are
 * blank in every row.
 */
export type Sums = Readonly<Record<string, number>>
export type Column = ReportColumn & {
  /** In the totals row: the sum, a fixed text, or a value derived from the sums. */
  total?: 'sum' | { text: string } | ((sums: Sums) => number | null)
  /** The record, or the report, that a cell of the column leads to; null for none (reports 43). */
  record?: (row: ReportRow) => RecordKey | null
}

/** A merchant by its XMID, a master agent by a text that begins with its display id, or a path. */
export type RecordKey = { merchant: ReportRow[string] } | { agent: ReportRow[string] } | { path: string }

/** What a report is built from. All its queries run in one transaction that sees one moment. */
type ReportContext<V = Record<string, unknown>> = {
  sql: Sql
  /** The master agents whose rows may be shown, null for all (reports 7). */
  scope: number[] | null
  caller: Caller
  /** By input name; null where an input was left empty. */
  inputs: V
  /** The calendar day in the portal's time zone, ISO. */
  today: string
  config: Config
  /** Decrypts stored bank and tax numbers. */
  secret: Buffer
}

/**
 * A statement whose result columns carry the names of the report's columns, in the order of the rows shown.
 */
export type ReportQuery = {
  sql: string
  values: readonly unknown[]
  /** A function where notes depend on the rows: it is called after the first batch. */
  notes?: readonly string[] | (() => readonly string[])
  /** Null while the month of the report is open. Left out where the figures are those of no month. */
  lock?: MonthLock | null
  /** Where the result as a whole leads to (reports 4). */
  links?: readonly ReportLink[]
  /** Where two connections may read the rows at the same time; not together with `mapRow`. */
  parts?: Parts
  /** Changes a row after it was selected; null leaves it out. */
  mapRow?: (row: Record<string, unknown>) => Record<string, unknown> | null
}

type InputValues<I extends InputDefinitions> = {
  [K in keyof I]: I[K] extends InputDefinition<infer T> ? T : never
}

/** One kind of report. */
export type Report<I extends InputDefinitions = InputDefinitions> = {
  id: string
  name: string
  allow: Rule
  inputs: I
  columns: readonly Column[]
  /** Under which heading it is listed, and a sentence that says what it answers (reports 37). */
  group: ReportGroup
  description: string
  /** The figure it is for: the total of a column, or the number of rows for null (reports 37). */
  figure: { column: string | null; words: string }
  /**
   * The columns whose values head groups of rows (reports 38). The statement orders the rows by them first.
   */
  sections?: readonly string[]
  /** Shows pay: callers with a limited scope get locked months alone (reports 8). */
  publishedOnly?: true
  /** Has a row for each agent at most: they are read at once (`rowsAtOnce`). */
  hasFewRows?: true
  /** Only for callers who see all agents: its rows cannot be limited to a branch (reports 9). */
  fullScopeOnly?: true
  /** Can be exported as a NACHA file (payouts 4). */
  hasBankFile?: true
  /** Checks inputs against each other: field to sentence, empty when all is well. */
  validate?: (inputs: InputValues<I>) => Record<string, string>
  /** Writes down what the statement reads, before its transaction; `sent` are inputs as they were sent. */
  prepare?: (db: Db, sent: ReportValues) => Promise<void>
  query: (context: ReportContext<InputValues<I>>) => Promise<ReportQuery> | ReportQuery
}

/** Types the inputs inside one report's `query`; the result fits into a list of different reports. */
export const defineReport = <I extends InputDefinitions>(report: Report<I>): Report =>
  report as unknown as Report

/** Collects the values of a statement: `bind(value)` appends to `values` and returns its placeholder '$n'. */
export function placeholders(values: unknown[] = []) {
  return { values, bind: (value: unknown) => `$${values.push(value)}` }
}

const columnBuilder =
  (datatype: ReportColumn['datatype']) =>
  (name: string, displayname: string, total?: Column['total']): Column => ({
    name,
    displayname,
    datatype,
    ...(total !== undefined && { total }),
  })
/** Columns by kind (reports 4): `money('net', 'Net', 'sum')`. */
export const text = columnBuilder('text')
export const id = columnBuilder('id')
export const count = columnBuilder('count')
export const money = columnBuilder('money')
export const percent = columnBuilder('percent')
export const number = columnBuilder('number')
export const date = columnBuilder('date')
export const monthColumn = columnBuilder('month')
export const flag = columnBuilder('flag')

/** The column, each of whose cells leads to the path in the row's field `link` (reports 4). */
export const linked = (column: Column, link: string): Column => ({ ...column, link })

/** The column, each of whose cells names the merchant whose XMID stands in the column `key` (reports 43). */
export const namesMerchant = (column: Column, key = 'xmid'): Column => ({
  ...column,
  record: (row) => ({ merchant: row[key] ?? null }),
})
/** The column, each of whose cells names the agent with whose display id `key` begins (reports 43). */
export const namesAgent = (column: Column, key = column.name): Column => ({
  ...column,
  record: (row) => ({ agent: row[key] ?? null }),
})
/** The column of Merchant IDs, each of which leads to Merchant by Month (reports 45). */
export const leadsToMonths = (column: Column): Column => ({
  ...column,
  record: ({ [column.name]: xmid }) => (xmid ? { path: merchantMonthsPath(xmid) } : null),
})
/** SQL: the path of the statement of an agent in a month; null where one of them is. */
export const statementPath = (month: string, agent: string) =>
  `'/reporting?report=agent-residual-statement&month=' || to_char(${month}, 'YYYY-MM') || '&agent='
    || ${agent} || '&run=1'`
const pathOfAgent = (report: string, month: string, agent: number) =>
  `/reporting?report=${report}&month=${month.slice(0, 7)}&agent=${agent}&run=1`
/** The link of a result to the statement of an agent in a month, an ISO first day. */
export const statementLink = (month: string, agent: number): ReportLink => ({
  text: `Statement of ${monthName(month)}`,
  path: pathOfAgent('agent-residual-statement', month, agent),
})
/** The link of a result to what makes the statement of `month` differ from that of `before` (reports 46). */
export const comparedLink = (month: string, before: string, agent: number): ReportLink => ({
  text: `Compared with ${monthName(before)}`,
  path: pathOfAgent('statement-compared', month, agent),
})
/** The column, by which rows cannot be sorted: `mapRow` makes its values (reports 42). */
export const unsortable = (column: Column): Column => ({ ...column, unsortable: true })

/** The first columns of a report by merchant. */
export const merchantColumns: readonly Column[] = [
  id('xmid', 'Merchant ID', { text: 'Total' }),
  namesMerchant(text('dba', 'DBA')),
  namesAgent(text('agent', 'Master Agent')),
]
/** The first columns of a report by master agent. */
export const agentColumns: readonly Column[] = [
  id('displayid', 'Master Agent', { text: 'Total' }),
  namesAgent(text('name', 'Name'), 'displayid'),
]

/** The columns whose amounts are added up for the totals. */
export const amountColumns = (columns: readonly Column[]) => columns.filter(({ total }) => total === 'sum')

/** The decimals to which an amount is rounded before it is added up. */
export const decimalsOf = ({ datatype }: Column) => (datatype === 'count' ? 0 : 2)
/** In how many parts of one an amount is added up: in cents, whose sums are exact where dollars' are not. */
export const unitsOf = (column: Column) => 10 ** decimalsOf(column)

/**
 * The total of a ratio column: `factor` * sum of `dividend` / sum of `divisor`; null where the divisor is 0.
 */
export const ratio =
  (dividend: string, divisor: string, factor: number, decimals = 2) =>
  (sums: Sums): number | null => {
    const below = sums[divisor] ?? 0
    return below === 0 ? null : Number(((factor * (sums[dividend] ?? 0)) / below).toFixed(decimals))
  }

/** What rows of the files brought in. */
export const incomeColumns: readonly Column[] = [
  count('txncount', 'Transactions', 'sum'),
  money('sales', 'Volume', 'sum'),
  money('income', 'Income', 'sum'),
  money('expense', 'Expenses', 'sum'),
  money('net', 'Net', 'sum'),
  number('bps', 'BPS', ratio('net', 'sales', 10_000)),
]
