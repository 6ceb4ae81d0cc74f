import type { Import } from '../../../schemas/imports/imports.ts'
import { parseDecimal } from '../../../schemas/imports/mapping/decimal.ts'
import type { GuessReason } from '../../../schemas/imports/mapping/mapping.ts'
import { displayText, isBlank, isNumeric, isPlainNumber, type Cell } from '../formats/sheet.ts'

/** The columns of one sheet with the cells of their first rows. */
export type ReadColumns = { names: readonly string[]; rows: readonly (readonly Cell[])[] }
/** Several columns are added up, those with `sign` -1 taken away. */
export type Guess = { columns: readonly { at: number; sign: 1 | -1 }[]; reason: GuessReason }

/** What was guessed before: `fromWords` are fields whose column was found by words alone. */
type GuessedBefore = {
  found: ReadonlyMap<string, Guess>
  fromWords: ReadonlySet<string>
  /** The columns of no field. */
  free: ReadonlySet<number>
}

/** The fields of a kind whose amounts stand in a known relation: turnover > income >= the sum of expenses. */
type AmountFields = { count: string; turnover: string; income: string; expense: string; net: string }
const amountFields: Partial<Record<string, AmountFields>> = {
  compdata: { count: 'txncount', turnover: 'sales', income: 'income', expense: 'expense', net: 'net' },
}

/** What fees and net are at most of the turnover, as one part of so many. */
const turnoverFactor = 5
/** In how many of the rows a relation of amounts holds. */
const mostRows = 0.9

type Amounts = { at: number; values: number[]; sum: number; isWhole: boolean }

/** The numbers of a column by row; null unless it has two different ones and nothing else but blank cells. */
function amountsOf({ rows }: ReadColumns, at: number): Amounts | null {
  const values: number[] = []
  let isWhole = true
  for (const cells of rows) {
    const cell = cells[at] ?? null
    if (isBlank(cell)) {
      values.push(0)
      continue
    }
    if (isNumeric(cell) && !isPlainNumber(cell)) return null
    const text = displayText(cell)
    const decimal = parseDecimal(text)
    if (!decimal) return null
    values.push(Number(decimal.units) / 10 ** decimal.places)
    isWhole &&= /^\d{1,7}$/.test(text)
  }
  const sum = values.reduce((total, value) => total + Math.abs(value), 0)
  return sum > 0 && new Set(values).size > 1 ? { at, values, sum, isWhole } : null
}

const holdsInMost = (rows: number, holds: (row: number) => boolean) =>
  Array.from({ length: rows }, (_, row) => row).filter(holds).length >= rows * mostRows
const add = (columns: readonly Amounts[], row: number) =>
  columns.reduce((total, { values }) => total + Math.abs(values[row]!), 0)
/** -1 where most amounts are below zero: the file writes what is paid as what is owed. */
const signOf = ({ values }: Amounts): 1 | -1 =>
  values.filter((value) => value < 0).length > values.length / 2 ? -1 : 1

/**
 * The columns of amounts that names do not explain, by their size (mapping 3): whole numbers are counted
 * sales; the largest amounts, five times the others at least, are the turnover; of the rest one is the net,
 * or the largest is the income and the others, which it exceeds together, are expenses. Amounts overrule what
 * was found by words alone.
 */
export function guessAmounts(
  { name }: Import,
  read: ReadColumns,
  { found: guessed, fromWords, free }: GuessedBefore,
): Map<string, Guess> {
  const found = new Map<string, Guess>()
  const fields = amountFields[name]
  if (!fields || read.rows.length < 2) return found
  const amounts = [...free].flatMap((at) => amountsOf(read, at) ?? [])
  const known = (field: string) =>
    (guessed.get(field)?.columns ?? []).flatMap(({ at }) => amountsOf(read, at) ?? [])
  const take = (field: string, amounts: readonly Amounts[]) => {
    const columns = amounts.map((one) => ({ at: one.at, sign: signOf(one) }))
    found.set(field, { columns: columns.toSorted((one, other) => one.at - other.at), reason: 'shape' })
  }
  const whole = amounts.filter(({ isWhole }) => isWhole)
  if (!guessed.has(fields.count) && whole.length === 1) take(fields.count, whole)
  let rest = amounts.filter(({ isWhole }) => !isWhole).toSorted((one, other) => other.sum - one.sum)
  const parts = [fields.income, fields.expense, fields.net].flatMap(known)
  const [largest, second] = rest
  const next = Math.max(second?.sum ?? 0, ...parts.map(({ sum }) => sum))
  if (largest && !guessed.has(fields.turnover) && next > 0 && largest.sum >= next * turnoverFactor) {
    take(fields.turnover, [largest])
    rest = rest.slice(1)
  }
  const [net] = known(fields.net)
  // A net under a known name is read as it stands, as in a file that is not asked about.
  if (net && fromWords.has(fields.net) && signOf(net) < 0) take(fields.net, [net])
  if (guessed.has(fields.net)) return found
  const [income] = known(fields.income)
  const fees = { income, expenses: known(fields.expense), rest, rows: read.rows.length }
  for (const [field, columns] of splitFees(fields, fees, fromWords)) take(field, columns)
  return found
}

/** What is known of income and expenses, and the columns of amounts that are left, the largest first. */
type Fees = {
  income: Amounts | undefined
  expenses: readonly Amounts[]
  rest: readonly Amounts[]
  /** How many rows were read. */
  rows: number
}
/** Which of the amounts are income and which expenses; the net where there is one alone. */
function splitFees(
  fields: AmountFields,
  { income, expenses, rest, rows }: Fees,
  fromWords: ReadonlySet<string>,
): [string, Amounts[]][] {
  if (expenses.length > 0 && !fromWords.has(fields.expense)) return income ? [] : largestAsIncome()
  if (!income && rest.length + expenses.length === 1)
    return expenses.length > 0 ? [] : [[fields.net, [...rest]]]
  const pool = [...rest, ...expenses].toSorted((one, other) => other.sum - one.sum)
  const from = income ?? pool[0]
  const less = pool.filter((one) => one !== from)
  if (!from || less.length === 0) return []
  if (!holdsInMost(rows, (row) => add(less, row) <= Math.abs(from.values[row]!))) return []
  return [...(income ? [] : [[fields.income, [from]] as [string, Amounts[]]]), [fields.expense, less]]

  /** With an expense of a known name the one column that exceeds it can only be the income. */
  function largestAsIncome(): [string, Amounts[]][] {
    const [only] = rest
    const exceeds = only && holdsInMost(rows, (row) => add(expenses, row) <= Math.abs(only.values[row]!))
    return rest.length === 1 && exceeds ? [[fields.income, [only]]] : []
  }
}
