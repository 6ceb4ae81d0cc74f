import type { Import } from '../../../schemas/imports/imports.ts'
import { centsOf, formatDollars } from './amounts.ts'

/** The values of one row in the order of the kind's columns, as they are stored; null is a blank cell. */
type Values = (string | null)[]
/** What must hold between the cells of a row; may fill in what follows from others. Answers what is wrong, or null. */
export type RowRule = (values: Values) => { field: string; message: string } | null

const negativeRefund = 'Refund Amount is negative; give refunds as positive amounts, or add the Net Amount'
const columnIndex = (it: Import, field: string) => it.columns.findIndex((column) => column.field === field)

/** Net is sales less refunds, to the cent; worked out where the file does not give it. */
const dailyVolumeRule = (it: Import): RowRule => {
  const [sales, refunds, net] = ['salesamount', 'refundamount', 'netamount'].map((field) =>
    columnIndex(it, field),
  ) as [number, number, number]
  return (values) => {
    const salesAmount = centsOf(values[sales] ?? '0')
    const refundAmount = centsOf(values[refunds] ?? '0')
    const given = values[net]
    if (given === null || given === undefined) {
      if (refundAmount < 0) return { field: 'refundamount', message: negativeRefund }
      values[net] = formatDollars(salesAmount - refundAmount)
      return null
    }
    if (Math.abs(salesAmount - refundAmount - centsOf(given)) <= 1) return null
    return {
      field: 'netamount',
      message: `Net Amount is not Sales Amount less Refund Amount (${formatDollars(salesAmount - refundAmount)})`,
    }
  }
}

/** Net is income less expenses, to the cent; of the three the file gives two, or net alone. */
const compensationRule = (it: Import): RowRule => {
  const [income, expense, net] = ['income', 'expense', 'net'].map((field) => columnIndex(it, field)) as [
    number,
    number,
    number,
  ]
  return (values) => {
    const [gives, takes, leaves] = [income, expense, net].map((at) =>
      values[at] == null ? null : centsOf(values[at]),
    ) as (number | null)[]
    if (gives == null && leaves == null)
      return { field: 'net', message: 'Net is required where there is no Income' }
    const worked = gives == null ? leaves! + (takes ?? 0) : gives
    const spent = takes ?? (leaves == null ? 0 : worked - leaves)
    values[income] = formatDollars(worked)
    values[expense] = formatDollars(spent)
    values[net] ??= formatDollars(worked - spent)
    if (leaves == null || Math.abs(worked - spent - leaves) <= 1) return null
    if (takes! < 0 && Math.abs(worked + takes! - leaves) <= 1)
      return {
        field: 'expense',
        message:
          'Expenses is negative although Net is Income less the amount; give expenses as positive amounts',
      }
    return { field: 'net', message: `Net is not Income less Expenses (${formatDollars(worked - spent)})` }
  }
}

/** What the result codes of the IRS mean. */
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

/** A code says status and description; a status without one keeps no older description. */
const tinValidationRule = (it: Import): RowRule => {
  const [status, code, description] = ['tinstatus', 'code', 'description'].map((field) =>
    columnIndex(it, field),
  ) as [number, number, number]
  return (values) => {
    const meant = values[code] == null ? null : irsCodes[Number(values[code])]
    if (!meant) {
      if (values[status] == null)
        return { field: 'tinstatus', message: 'TIN Status is required where there is no TIN Code' }
      values[code] = '-1'
      values[description] ??= ''
      return null
    }
    if (values[status] != null && values[status] !== meant[0])
      return {
        field: 'tinstatus',
        message: `TIN Status is ${values[status]}, but TIN Code ${values[code]} means ${meant[0]}`,
      }
    values[status] = meant[0]
    values[description] ??= meant[1]
    return null
  }
}

const rules: Partial<Record<string, (it: Import) => RowRule>> = {
  dailyvolume: dailyVolumeRule,
  compdata: compensationRule,
  tinvalidation: tinValidationRule,
}

/** What must hold between the cells of a row of this kind. */
export const rowRuleOf = (it: Import): RowRule => rules[it.name]?.(it) ?? (() => null)
