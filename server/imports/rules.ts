import type { Import, ImportName } from '../../schemas/imports.ts'
import { centsOf, dollarsOf } from './amounts.ts'

/** The values of one row in the order of the kind's columns, as they are stored; null is a blank cell. */
type Values = (string | null)[]
/** What must hold between the cells of a row; may fill in what follows from others. Answers what is wrong, or null. */
export type RowRule = (values: Values) => { field: string; message: string } | null

const negative = 'Refund Amount is negative; give refunds as positive amounts, or add the Net Amount'
const place = (it: Import, field: string) => it.columns.findIndex((column) => column.field === field)

/** Net is sales less refunds, to the cent; worked out where the file does not give it. */
const dailyvolume = (it: Import): RowRule => {
  const [sales, refunds, net] = ['salesamount', 'refundamount', 'netamount'].map((field) => place(it, field)) as [number, number, number]
  return (values) => {
    const salesAmount = centsOf(values[sales] ?? '0')
    const refundAmount = centsOf(values[refunds] ?? '0')
    const given = values[net]
    if (given === null || given === undefined) {
      if (refundAmount < 0) return { field: 'refundamount', message: negative }
      values[net] = dollarsOf(salesAmount - refundAmount)
      return null
    }
    if (Math.abs(salesAmount - refundAmount - centsOf(given)) <= 1) return null
    return { field: 'netamount', message: `Net Amount is not Sales Amount less Refund Amount (${dollarsOf(salesAmount - refundAmount)})` }
  }
}

const none = (): RowRule => () => null

/** One row for each kind of import. */
export const rowRules: Record<ImportName, (it: Import) => RowRule> = { merchant: none, dailyvolume }
