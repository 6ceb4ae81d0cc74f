import type { CellKind, ImportColumn } from '../../schemas/imports.ts'
import { accountStatuses } from '../../schemas/merchant.ts'
import { readCount, readMoney, type Read } from './amounts.ts'
import { shown, type Cell } from './book.ts'
import { readChoice, readFlag, readLastFour, readPercent, readTail, type Choosing } from './choices.ts'
import { readDay } from './days.ts'
import { readMonth } from './monthname.ts'

const fault = (sentence: string) => ({ fault: sentence })

/** Ids are text: a number is taken while a spreadsheet keeps it exactly (15 digits), never guessed beyond. */
function readId(cell: Cell): Read {
  if (cell !== null && typeof cell === 'object' && 'number' in cell) {
    const value = Number(cell.number)
    if (cell.day) return fault('is a date in the file, not an id; open the file as text')
    if (!Number.isInteger(value) || value < 0) return fault('is a number with decimals or a sign, not an id; open the file as text')
    if (value >= 1e15) return fault('is a number of more than 15 digits, which a spreadsheet rounds; open the file as text')
  }
  const text = shown(cell).replace(/^="(.*)"$/, '$1').replace(/^'/, '').trim()
  if (text === '') return null
  if (/^\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(text)) return fault('has lost its digits in a spreadsheet (E-notation); open the file as text')
  if (/^\d+\.0*$/.test(text)) return fault('is a number with decimals, not an id; open the file as text')
  if (/\p{Cc}/u.test(text)) return fault('holds a line break or control character')
  return text
}

function readAccountStatus(cell: Cell): Read {
  const text = shown(cell)
  if (text === '') return null
  const found = accountStatuses.find(({ const: code, title }) => text === String(code) || text.toLowerCase() === title.toLowerCase())
  return found ? String(found.const) : fault(`is not one of ${accountStatuses.map(({ title }) => title).join(', ')} (or 1, 2, 3)`)
}

const readDayText = (cell: Cell): string => {
  const day = readDay(cell)
  return typeof day === 'string' ? new Date(Number(day) * 1000).toISOString().slice(0, 10) : shown(cell)
}
/** The text of a cell of any kind; a date is written like 2025-12-31. */
export const textOf = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' && 'day' in cell && cell.day ? readDayText(cell) : shown(cell)
const readText = (cell: Cell): Read => textOf(cell) || null

export const readers: Record<CellKind, (cell: Cell, column?: Choosing) => Read> = {
  text: readText,
  id: readId,
  agent: readId,
  accountstatus: readAccountStatus,
  date: readDay,
  count: readCount,
  money: readMoney,
  percent: readPercent,
  flag: readFlag,
  choice: readChoice,
  code: readChoice,
  month: readMonth,
  lastfour: readLastFour,
  tail: readTail,
}

/** What each kind is in SQL, and how a cleared cell ('-' or NULL) is written there. */
export const staged: Record<CellKind, { type: string; cleared: string }> = {
  text: { type: 'text', cleared: '' },
  id: { type: 'text', cleared: '' },
  agent: { type: 'text', cleared: '' },
  accountstatus: { type: 'smallint', cleared: '1' },
  date: { type: 'bigint', cleared: '-1' },
  count: { type: 'integer', cleared: '0' },
  money: { type: 'numeric(14,2)', cleared: '0' },
  percent: { type: 'numeric(9,4)', cleared: '-1' },
  flag: { type: 'boolean', cleared: 'false' },
  choice: { type: 'text', cleared: '' },
  code: { type: 'smallint', cleared: '-1' },
  month: { type: 'date', cleared: '' },
  lastfour: { type: 'text', cleared: '' },
  tail: { type: 'text', cleared: '' },
}

/** Characters a column takes; 200 unless it says otherwise, as the fields of the forms do. */
export const mostOf = ({ most }: ImportColumn) => most ?? 200
