import type { Import } from '../../../schemas/imports/imports.ts'
import { centsOf, formatDollars, maxCents } from './amounts.ts'

/** The values of one row in the order of the kind's columns, as they are stored; null is a blank cell. */
type Values = (string | null)[]
type Broken = { field: string; message: string }
/** Checks what must hold between the cells of a row and fills in what follows from others, for one file. */
export type RowRule = {
  /** The columns it compares: without the value of one of them it is not applied. */
  fields: readonly string[]
  /** `row` is its number in the file. Null: no fault. */
  apply: (values: Values, row: number) => Broken | null
  /** Warnings about all rows. */
  describe: () => string[]
}

const columnIndexes = ({ columns }: Import, fields: readonly string[]) =>
  fields.map((field) => columns.findIndex((column) => column.field === field)) as [number, number, number]

/** An amount that is worked out from two others may be larger than one that is read. */
const tooLarge = (field: string, head: string, cents: number): Broken | null =>
  Math.abs(cents) > maxCents ? { field, message: `${head} is too large` } : null

const maxListedRows = 5
/**
 * The nets that a file gives, each beside the one that is worked out and stored in its place: one cent of
 * difference is counted, more is a fault (imports 36).
 */
function createNetCheck(head: string, formula: string) {
  const rows: number[] = []
  let count = 0
  let sum = 0
  return {
    /** Whether a net differs by more than a cent; takes note of one cent. */
    differs(given: number, computed: number, row: number): boolean {
      const difference = given - computed
      if (Math.abs(difference) > 1) return true
      if (difference === 0) return false
      count += 1
      sum += difference
      if (rows.length < maxListedRows) rows.push(row)
      return false
    },
    describe(): string[] {
      if (count === 0) return []
      const where = `row ${rows.join(', ')}${count > maxListedRows ? ' …' : ''}`
      const subject = count === 1 ? '1 row differs' : `${count.toLocaleString('en-US')} rows differ`
      return [
        `The ${head} of ${subject} by a cent from ${formula} (${where}), by ${formatDollars(sum)} in all; ` +
          `${formula} is stored`,
      ]
    },
  }
}

const negativeRefund = 'Refund Amount is negative; give refunds as positive amounts, or add the Net Amount'
const refundsAreNegative =
  'Refund Amount is negative although Net Amount is Sales Amount less the amount; ' +
  'give refunds as positive amounts'
/**
 * Whether a file gives costs as negative amounts: its net is the amount plus the negative cost, to the cent.
 * All are cents.
 */
const hasNegativeCost = (from: number, cost: number, net: number) =>
  cost < 0 && Math.abs(from + cost - net) <= 1
/** Net is sales less refunds, to the cent, whether the file gives it or not (imports 30, imports 36). */
const dailyVolumeRule = (definition: Import): RowRule => {
  const fields = ['salesamount', 'refundamount', 'netamount']
  const [sales, refunds, net] = columnIndexes(definition, fields)
  const nets = createNetCheck('Net Amount', 'Sales Amount less Refund Amount')
  return {
    fields,
    describe: nets.describe,
    apply(values, row) {
      const salesCents = centsOf(values[sales] ?? '0')
      const refundCents = centsOf(values[refunds] ?? '0')
      const computed = salesCents - refundCents
      const given = values[net] ?? null
      if (given === null && refundCents < 0) return { field: 'refundamount', message: negativeRefund }
      if (given !== null && nets.differs(centsOf(given), computed, row)) {
        if (hasNegativeCost(salesCents, refundCents, centsOf(given)))
          return { field: 'refundamount', message: refundsAreNegative }
        const sum = formatDollars(computed)
        return { field: 'netamount', message: `Net Amount is not Sales Amount less Refund Amount (${sum})` }
      }
      values[net] = formatDollars(computed)
      return tooLarge('netamount', 'Net Amount', computed)
    },
  }
}

const negativeExpense =
  'Expenses is negative although Net is Income less the amount; give expenses as positive amounts'
/** Net is income less expenses, to the cent; a file gives two of the three, or net alone (imports 27). */
const compensationRule = (definition: Import): RowRule => {
  const fields = ['income', 'expense', 'net']
  const indexes = columnIndexes(definition, fields)
  const [income, expense, net] = indexes
  const nets = createNetCheck('Net', 'Income less Expenses')
  return {
    fields,
    describe: nets.describe,
    apply(values, row) {
      const [givenIncome, givenExpense, givenNet] = indexes.map((at) =>
        values[at] == null ? null : centsOf(values[at]),
      ) as (number | null)[]
      if (givenIncome == null && givenNet == null)
        return { field: 'net', message: 'Net is required where there is no Income' }
      const incomeCents = givenIncome == null ? givenNet! + (givenExpense ?? 0) : givenIncome
      const expenseCents = givenExpense ?? (givenNet == null ? 0 : incomeCents - givenNet)
      const computed = incomeCents - expenseCents
      if (givenNet != null && nets.differs(givenNet, computed, row)) {
        if (givenExpense != null && hasNegativeCost(incomeCents, givenExpense, givenNet))
          return { field: 'expense', message: negativeExpense }
        return { field: 'net', message: `Net is not Income less Expenses (${formatDollars(computed)})` }
      }
      values[income] = formatDollars(incomeCents)
      values[expense] = formatDollars(expenseCents)
      values[net] = formatDollars(computed)
      return (
        tooLarge('income', 'Income', incomeCents) ??
        tooLarge('expense', 'Expenses', expenseCents) ??
        tooLarge('net', 'Net', computed)
      )
    },
  }
}

/** Status and description of the result codes of the IRS, by code (imports 33). */
const irsCodes = [
  ['Match', 'Name and TIN match'],
  ['Missing', 'TIN missing or not nine digits'],
  ['Mismatch', 'TIN not currently issued'],
  ['Mismatch', 'Name and TIN do not match'],
  ['Error', 'Invalid request'],
  ['Error', 'Duplicate request'],
  ['Match', 'Matches as an SSN; the type was unknown'],
  ['Match', 'Matches as an EIN; the type was unknown'],
  ['Match', 'Matches as both an SSN and an EIN; the type was unknown'],
] as const

/** Status and description follow from the code; a status without a code clears older ones (imports 33). */
const tinValidationRule = (definition: Import): RowRule => {
  const [status, code, description] = columnIndexes(definition, ['tinstatus', 'code', 'description'])
  const apply: RowRule['apply'] = (values) => {
    const meaning = values[code] == null ? null : irsCodes[Number(values[code])]
    if (!meaning) {
      if (values[status] == null)
        return { field: 'tinstatus', message: 'TIN Status is required where there is no TIN Code' }
      values[code] = '-1'
      values[description] ??= ''
      return null
    }
    if (values[status] != null && values[status] !== meaning[0])
      return {
        field: 'tinstatus',
        message: `TIN Status is ${values[status]}, but TIN Code ${values[code]} means ${meaning[0]}`,
      }
    values[status] = meaning[0]
    values[description] ??= meaning[1]
    return null
  }
  return { fields: ['tinstatus', 'code'], apply, describe: () => [] }
}

/** By the name of the kind of import. */
const rules: Partial<Record<string, (definition: Import) => RowRule>> = {
  dailyvolume: dailyVolumeRule,
  compdata: compensationRule,
  tinvalidation: tinValidationRule,
}

/** The rule of a kind, for the rows of one file. */
export const rowRuleOf = (definition: Import): RowRule =>
  rules[definition.name]?.(definition) ?? { fields: [], apply: () => null, describe: () => [] }
