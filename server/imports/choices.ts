import type { ImportColumn } from '../../schemas/imports.ts'
import type { Read } from './amounts.ts'
import { shown, type Cell } from './book.ts'

const fault = (sentence: string) => ({ fault: sentence })
const bare = (text: string) => text.toLowerCase().replace(/[\s\-_/.'"]/g, '')

export type Choosing = Pick<ImportColumn, 'choices' | 'worded' | 'asks'>

/** One of a column's choices, by its value or a word for it. */
export function readChoice(cell: Cell, { choices = [], worded, asks }: Choosing = {}): Read {
  const text = shown(cell)
  if (text === '') return null
  if (asks?.of.test(text)) return fault(asks.why)
  const said = bare(text)
  const found = choices.find(({ value, words }) => (!worded && bare(value) === said) || words.some((word) => bare(word) === said))
  if (found) return found.value || null
  const known = choices.map(({ value, words }) => (worded ? words[0] : value))
  return fault(`is not one of ${known.join(', ')}`)
}

/** Yes or no. */
export function readFlag(cell: Cell): Read {
  const text = bare(shown(cell))
  if (text === '') return null
  if (['y', 'yes', 'true', '1', 't'].includes(text)) return 'true'
  return ['n', 'no', 'false', '0', 'f'].includes(text) ? 'false' : fault('is not Yes or No')
}

/** 50 and 50% are fifty per cent. A bare fraction may mean either, so it is asked for, never guessed. */
export function readPercent(cell: Cell): Read {
  const text = shown(cell).replace(/[\s\u00a0]/g, '')
  if (text === '' || text === '-') return null
  const found = /^(\d{1,4}(?:\.\d*)?|\.\d+)(%?)$/.exec(typeof cell === 'string' ? text : String(Number(text)))
  if (!found) return fault('is not a percentage; write it like 50%')
  const [, number, sign] = found
  const value = Number(number)
  if (value > 1000) return fault('is too large for a percentage')
  if (!sign && value > 0 && value <= 1) return fault(`may mean ${value} % or ${Number((value * 100).toFixed(4))} %; write it with the sign, like ${value}%`)
  return value.toFixed(4)
}

/** The last four digits of a card, bank or tax number, whether it came whole, hidden in part or as those four. */
export function readLastFour(cell: Cell): Read {
  const text = shown(cell)
  if (text === '') return null
  const digits = text.replace(/[\s*xX#•.-]/g, '')
  if (!/^\d+$/.test(digits)) return digits === '' ? null : fault('is not a number or the last four digits of one')
  if (digits.length < 4 && typeof cell === 'string') return fault('has fewer than four digits')
  return digits.slice(-4).padStart(4, '0')
}

/** The same of a number that may be missing or cut short: fewer than four digits tell nothing. */
export function readTail(cell: Cell): Read {
  const digits = shown(cell).replace(/\D/g, '')
  return digits.length < 4 ? null : digits.slice(-4)
}
