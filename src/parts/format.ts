import type { Column, Property, Row } from '../../schemas/entities/entity.ts'
import { choiceTitle, flagWord } from '../../schemas/entities/lists/columns.ts'

// Without a style a day is M/D/YYYY.
const utcDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' })
const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const utcMonth = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: 'UTC' })

/** 'M/D/YYYY' of the epoch seconds of a UTC midnight, in every time zone; '' for no valid day (lists 10). */
export const formatUtcDate = (seconds: unknown): string => {
  if (typeof seconds !== 'number' || !(seconds > 0)) return ''
  const day = new Date(seconds * 1000)
  return Number.isNaN(day.getTime()) ? '' : utcDay.format(day)
}

/** 'May 4, 2026, 3:12 PM' of epoch seconds, in the browser's time zone. */
export const formatLocalDateTime = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })

/** 'October 2026' of '2026-10', or of a day of it; '' for no valid month. */
export const formatMonth = (value: unknown): string => {
  const text = String(value ?? '')
  const month = /^\d{4}-\d\d(-\d\d)?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(month) ? '' : utcMonth.format(month)
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** '12.5%'; '' when there is no value. */
export const formatPercent = (value: unknown): string => (isEmpty(value) ? '' : `${String(value)}%`)

/** '$1,234.50' or '-$20.00' of dollars; '' when there is no value. */
export const formatDollars = (value: unknown): string => {
  if (isEmpty(value)) return ''
  const amount = Number(value)
  if (!Number.isFinite(amount)) return `$${String(value)}`
  return `${amount < 0 ? '-' : ''}$${twoDecimals.format(Math.abs(amount))}`
}

/** '3,000' */
export const formatCount = (value: number): string => value.toLocaleString('en-US')

/** 'M/D/YYYY' of epoch seconds, in the browser's time zone; '' for null. */
export const formatLocalDate = (seconds: number | null): string =>
  seconds === null ? '' : new Date(seconds * 1000).toLocaleDateString('en-US')

const figures = ['number', 'dollars', 'percent']
/** Whether the values of a column are figures, which end at the same place in each row. */
export const isFigure = ({ as }: Column): boolean => figures.includes(as ?? '')

/** The text of one cell of a list (lists 5). */
export const formatCell = (column: Column, property: Property | undefined, row: Row): string => {
  const value = row[column.field]
  switch (column.as ?? 'text') {
    case 'date':
      return formatUtcDate(value)
    case 'moment':
      return isEmpty(value) ? '' : formatLocalDateTime(value as number)
    case 'month':
      return formatMonth(value)
    case 'percent':
      return formatPercent(value)
    case 'dollars':
      return formatDollars(value)
    case 'choice':
      return choiceTitle(property, value)
    case 'label':
      return row.labels?.[column.field] ?? ''
    case 'flag':
      return flagWord(column, value)
    case 'number':
      return isEmpty(value) ? '' : formatCount(Number(value))
    case 'text':
      return isEmpty(value) ? '' : String(value)
  }
}
