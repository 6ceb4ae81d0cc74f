import { shown, type Cell } from './book.ts'
import type { Read } from './amounts.ts'
import { readDay } from './days.ts'

const names = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const name = '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const between = String.raw`[\s,._'/-]{0,3}`
const year = '((?:19|20)\\d{2})'
const month = '(0?[1-9]|1[0-2])'
/** A month by name and year, or by year and number either way round; part of a longer number or date it is not. */
const notations: [RegExp, (found: string[]) => [year: string, month: number]][] = [
  [new RegExp(`(?<![a-z])${name}${between}${year}(?!\\d)`, 'gi'), ([, word, of]) => [of!, names.indexOf(word!.slice(0, 3).toLowerCase()) + 1]],
  [new RegExp(`(?<!\\d)${year}${between}${name}(?![a-z])`, 'gi'), ([, of, word]) => [of!, names.indexOf(word!.slice(0, 3).toLowerCase()) + 1]],
  [new RegExp(`(?<!\\d|\\d[-/_. ])${year}[-/_. ]?${month}(?!\\d|[-/_.]\\d)`, 'gi'), ([, of, at]) => [of!, Number(at)]],
  [new RegExp(`(?<!\\d|\\d[-/_. ])${month}[-/_. ]?${year}(?!\\d|[-/_.]\\d)`, 'gi'), ([, at, of]) => [of!, Number(at)]],
]
const iso = (of: string | number, at: number) => `${of}-${String(at).padStart(2, '0')}-01`
const span = /(\d{1,2}\/\d{1,2}\/\d{4})\s*(?:-|–|to|through|thru)\s*(\d{1,2}\/\d{1,2}\/\d{4})/gi

const monthOfDay = (text: string): string | null => {
  const day = readDay(text)
  if (typeof day !== 'string') return null
  const date = new Date(Number(day) * 1000)
  return iso(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** The months a text names, as ISO first days, each once; a date alone names none, a span of days within a month does. */
export function monthsIn(text: string): string[] {
  const found = new Set<string>()
  for (const [, from, to] of text.matchAll(span)) {
    const month = monthOfDay(from!)
    if (month && month === monthOfDay(to!)) found.add(month)
  }
  const rest = text.replace(span, ' ')
  for (const [notation, read] of notations) for (const match of rest.matchAll(notation)) found.add(iso(...read([...match])))
  return [...found]
}
/** The same text without its months. */
export const withoutMonths = (text: string) => notations.reduce((rest, [notation]) => rest.replace(notation, ' '), text.replace(span, ' '))

/** A cell of a Month column: 'May 2025', 2025-05, 05/2025, or any date of the month. */
export function readMonth(cell: Cell): Read {
  const text = shown(cell)
  if (text === '') return null
  const isDate = (cell !== null && typeof cell === 'object') || /^\d{1,2}\/\d{1,2}\/\d{4}|^\d{4}-\d{1,2}-\d{1,2}|^\d{8}$/.test(text)
  const day = isDate ? readDay(cell) : null
  if (typeof day === 'string') {
    const date = new Date(Number(day) * 1000)
    return iso(date.getUTCFullYear(), date.getUTCMonth() + 1)
  }
  const [month, ...others] = monthsIn(text)
  return month && others.length === 0 ? month : { fault: 'is not a month; write it like May 2025 or 2025-05' }
}
