import { accountStatuses } from '../../../schemas/entities/merchant.ts'
import { idFault } from '../../../schemas/fields.ts'
import { unescapeFormula } from '../../../schemas/formulas.ts'
import type { CellKind, ImportColumn } from '../../../schemas/imports/imports.ts'
import { withoutBlanks } from '../../../schemas/imports/mapping/decimal.ts'
import { type Cell, displayText, isNumeric } from '../formats/sheet.ts'
import { readCount, readMoney } from './amounts.ts'
import { cellFault, type CellReading } from './cellReading.ts'
import { readDay, readMonth } from './dates.ts'

/** Case, spaces and punctuation of a word do not count; in a number they do: -3 is not 3. */
const normalizeWord = (text: string) =>
  /^[+-]?[\d.]+$/.test(text) ? text : text.toLowerCase().replace(/[\s\-_/.'"]/g, '')

type ChoiceRules = Pick<ImportColumn, 'choices' | 'wordsOnly' | 'ambiguous'>
type CellRules = ChoiceRules & Pick<ImportColumn, 'isCost'>

/** Reads one of a column's choices by its value or a word for it (imports 12). */
function readChoice(cell: Cell, { choices = [], wordsOnly, ambiguous }: ChoiceRules = {}): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  if (ambiguous?.pattern.test(text)) return cellFault(ambiguous.reason)
  const word = normalizeWord(text)
  const choice = choices.find(
    ({ value, words }) =>
      (!wordsOnly && normalizeWord(value) === word) || words.some((known) => normalizeWord(known) === word),
  )
  if (choice) return choice.value || null
  const names = choices.map(({ value, words }) => (wordsOnly ? words[0] : value))
  return cellFault(`is not one of ${names.join(', ')}`)
}

/** Reads yes or no as 'true' or 'false' (imports 12). */
function readFlag(cell: Cell): CellReading {
  const text = normalizeWord(displayText(cell))
  if (text === '') return null
  if (['y', 'yes', 'true', '1', 't'].includes(text)) return 'true'
  return ['n', 'no', 'false', '0', 'f'].includes(text) ? 'false' : cellFault('is not Yes or No')
}

/**
 * Reads a percentage: 50 and 50% are 50 %. A number up to 1 without the sign is ambiguous and a fault
 * (imports 10).
 */
function readPercent(cell: Cell): CellReading {
  if (isNumeric(cell) && cell.isDate) return cellFault('is a date in the file, not a percentage')
  const text = withoutBlanks(displayText(cell))
  if (text === '' || text === '-') return null
  const isPlain = isNumeric(cell) && !cell.isPercent
  const found = /^(\d{1,4}(?:\.\d*)?|\.\d+)(%?)$/.exec(isPlain ? String(Number(text)) : text)
  if (!found) return cellFault('is not a percentage; write it like 50%')
  const [, number, sign] = found
  const value = Number(number)
  if (value > 1000) return cellFault('is too large for a percentage')
  if (!sign && value > 0 && value <= 1)
    return cellFault(
      `may mean ${value} % or ${Number((value * 100).toFixed(4))} %; write it with the sign, like ${value}%`,
    )
  return value.toFixed(4)
}

/**
 * Reads the last four digits of a card number that is given in full, masked, or as those four digits alone
 * (imports 14).
 */
function readCardLast4(cell: Cell): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  const digits = isNumeric(cell) && !/^\d+$/.test(text) ? text : text.replace(/[\s*xX#•.-]/g, '')
  if (!/^\d+$/.test(digits) || (isNumeric(cell) && cell.isDate))
    return digits === '' ? null : cellFault('is not a number or the last four digits of one')
  if (digits.length < 4 && typeof cell === 'string') return cellFault('has fewer than four digits')
  return digits.slice(-4).padStart(4, '0')
}

const eNotation = /^\d+(?:[.,]\d+)?e[+-]?\d+$/i
const lostDigits = 'has lost its digits in a spreadsheet (E-notation); open the file as text'

/** Reads the last four digits of a tax id; one with fewer than four digits counts as blank (imports 33). */
function readTaxIdLast4(cell: Cell): CellReading {
  if (eNotation.test(displayText(cell))) return cellFault(lostDigits)
  const digits = displayText(cell).replace(/\D/g, '')
  return digits.length < 4 ? null : digits.slice(-4)
}

/**
 * Reads an id as text. A numeric cell is accepted up to 15 digits, which spreadsheets keep exactly
 * (imports 9).
 */
function readId(cell: Cell): CellReading {
  if (isNumeric(cell)) {
    const value = Number(cell.number)
    if (cell.isDate) return cellFault('is a date in the file, not an id; open the file as text')
    if (cell.isPercent) return cellFault('is a percentage in the file, not an id; open the file as text')
    if (!Number.isInteger(value) || value < 0)
      return cellFault('is a number with decimals or a sign, not an id; open the file as text')
    if (value >= 1e15)
      return cellFault(
        'is a number of more than 15 digits, which a spreadsheet rounds; open the file as text',
      )
  }
  const text = displayText(cell)
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .trim()
  if (text === '' || text === '-') return null
  if (eNotation.test(text)) return cellFault(lostDigits)
  if (/^\d+\.0*$/.test(text)) return cellFault('is a number with decimals, not an id; open the file as text')
  if (/\p{Cc}/u.test(text)) return cellFault('holds a line break or control character')
  const fault = idFault(text)
  return fault === null ? text : cellFault(fault)
}

function readAccountStatus(cell: Cell): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  const found = accountStatuses.find(
    ({ const: code, title }) => text === String(code) || text.toLowerCase() === title.toLowerCase(),
  )
  return found
    ? String(found.const)
    : cellFault(`is not one of ${accountStatuses.map(({ title }) => title).join(', ')} (or 1, 2, 3)`)
}

const isoDayText = (cell: Cell): string => {
  const day = readDay(cell)
  return typeof day === 'string' ? new Date(Number(day) * 1000).toISOString().slice(0, 10) : displayText(cell)
}
/** The text of a cell of any kind; a date as 2025-12-31. */
export const cellToText = (cell: Cell): string =>
  isNumeric(cell) && cell.isDate ? isoDayText(cell) : displayText(cell)
const readText = (cell: Cell): CellReading => unescapeFormula(cellToText(cell)) || null

export const cellReaders: Record<CellKind, (cell: Cell, column?: CellRules) => CellReading> = {
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
  cardlast4: readCardLast4,
  taxidlast4: readTaxIdLast4,
}

/**
 * The SQL type of each kind in `staging`, and the value that stands there for a cleared cell (imports 13).
 */
export const stagingTypes: Record<CellKind, { type: string; cleared: string }> = {
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
  cardlast4: { type: 'text', cleared: '' },
  taxidlast4: { type: 'text', cleared: '' },
}

/** The most characters of a column: 200 unless it says otherwise (imports 12). */
export const maxLengthOf = ({ maxLength }: ImportColumn) => maxLength ?? 200
