import type { Import } from '../../../schemas/imports/imports.ts'
import { centsOf, formatDollars } from './amounts.ts'

/** The values of one row in the order of the kind's columns, as they are stored; null is a blank cell. */
type Values = (string | null)[]
/** Checks what must hold between the cells of a row and fills in what follows from others. Null: no fault. */
export type RowRule = (values: Values) => { field: string; message: string } | null

const columnIndexes = ({ columns }: Import, fields: string[]) =>
  fields.map((field) => columns.findIndex((column) => column.field === field)) as [number, number, number]

const negativeRefund = 'Refund Amount is negative; give refunds as positive amounts, or add the Net Amount'
/** Net is sales less refunds, to the cent, and computed where the file does not give it (imports 30). */
const dailyVolumeRule = (definition: Import): RowRule => {
  const [sales, refunds, net] = columnIndexes(definition, ['salesamount', 'refundamount', 'netamount'])
  return (values) => {
    const salesCents = centsOf(values[sales] ?? '0')
    const refundCents = centsOf(values[refunds] ?? '0')
    const given = values[net]
    if (given === null || given === undefined) {
      if (refundCents < 0) return { field: 'refundamount', message: negativeRefund }
      values[net] = formatDollars(salesCents - refundCents)
      return null
    }
    if (Math.abs(salesCents - refundCents - centsOf(given)) <= 1) return null
    const computed = formatDollars(salesCents - refundCents)
    return { field: 'netamount', message: `Net Amount is not Sales Amount less Refund Amount (${computed})` }
  }
}

const negativeExpense =
  'Expenses is negative although Net is Income less the amount; give expenses as positive amounts'
/** Net is income less expenses, to the cent; a file gives two of the three, or net alone (imports 27). */
const compensationRule = (definition: Import): RowRule => {
  const indexes = columnIndexes(definition, ['income', 'expense', 'net'])
  const [income, expense, net] = indexes
  return (values) => {
    const [givenIncome, givenExpense, givenNet] = indexes.map((at) =>
      values[at] == null ? null : centsOf(values[at]),
    ) as (number | null)[]
    if (givenIncome == null && givenNet == null)
      return { field: 'net', message: 'Net is required where there is no Income' }
    const incomeCents = givenIncome == null ? givenNet! + (givenExpense ?? 0) : givenIncome
    const expenseCents = givenExpense ?? (givenNet == null ? 0 : incomeCents - givenNet)
    values[income] = formatDollars(incomeCents)
    values[expense] = formatDollars(expenseCents)
    values[net] ??= formatDollars(incomeCents - expenseCents)
    if (givenNet == null || Math.abs(incomeCents - expenseCents - givenNet) <= 1) return null
    if (givenExpense! < 0 && Math.abs(incomeCents + givenExpense! - givenNet) <= 1)
      return { field: 'expense', message: negativeExpense }
    const computed = formatDollars(incomeCents - expenseCents)
    return { field: 'net', message: `Net is not Income less Expenses (${computed})` }
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
  return (values) => {
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
}

/** By the name of the kind of import. */
const rules: Partial<Record<string, (definition: Import) => RowRule>> = {
  dailyvolume: dailyVolumeRule,
  compdata: compensationRule,
  tinvalidation: tinValidationRule,
}

export const rowRuleOf = (definition: Import): RowRule => rules[definition.name]?.(definition) ?? (() => null)
