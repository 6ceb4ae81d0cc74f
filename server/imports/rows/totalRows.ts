import { displayText, isBlank, isFault, placeOfRow, type Cell, type Line } from '../formats/sheet.ts'
import { centsOf, formatDollars, readMoney } from './amounts.ts'
import type { AmountSums, SumOfColumn } from './amountSums.ts'
import type { Heading } from './heading.ts'
import type { AddFault } from './rowReader.ts'

const totalWord = /^\W*(?:(grand)\s*|(sub)\s*-?)?totals?\b/i
/** 'Report Total', 'Page totals:'. What has a digit may be the id or the name of a merchant. */
const totalAtEnd = /^\D*\b(?:sub)?totals?\W*$/i
/** Whether an id says that its row holds totals (imports 7). */
export const isTotalText = (id: string): boolean => totalWord.test(id) || totalAtEnd.test(id)
const isFigure = (cell: Cell): boolean =>
  typeof readMoney(cell) === 'string' || /^\(?-?[\d.,]+\s*%\)?$/.test(displayText(cell))
/** The text of a line that says that it holds totals; '' for one whose cells are figures and nothing else. */
function totalLabel({ cells }: Line, idAt: number): string | null {
  const id = displayText(cells[idAt])
  if (id !== '' && id !== '-') return isTotalText(id) ? id : null
  const filled = cells.filter((cell, at) => !isBlank(cell) && at !== idAt)
  const label = filled.map(displayText).find((text) => totalWord.test(text))
  if (label !== undefined) return label
  const [words, ...others] = filled.filter((cell) => !isFigure(cell))
  if (words === undefined) return ''
  const isLabelled = others.length === 0 && filled.length > 1 && totalAtEnd.test(displayText(words))
  return isLabelled ? displayText(words) : null
}

/** The rows that a total may be of: those since the last row with totals, all so far, or either of them. */
type Reach = 'group' | 'all' | 'either'
function reachOf(label: string): Reach {
  const [, grand, sub] = totalWord.exec(label) ?? []
  if (sub) return 'group'
  return grand ? 'all' : 'either'
}

/** A total of one column: what the file says and what its rows come to, in cents. */
type Statement = { index: number; stated: bigint; all: SumOfColumn; group: SumOfColumn }
const agrees = (stated: bigint, { rounded, exact }: SumOfColumn) => stated === rounded || stated === exact

/** The rows with totals of a file, which are left out and compared with the sums of the others. */
type TotalRows = {
  /** Takes a line if it holds totals (imports 7), and adds a fault for each that differs (imports 36). */
  take(line: Line): boolean
  /** Compares the totals that stand above all rows; called once below the last one. */
  finish(): void
  /** `merged` are the names of the sheets that are read as one. */
  describe(merged: readonly string[]): string[]
}

const maxListed = 5
const listed = (texts: readonly string[]): string[] => {
  const more = texts.length - maxListed
  return more > 0
    ? [...texts.slice(0, maxListed), `and ${more.toLocaleString('en-US')} more totals alike`]
    : [...texts]
}

/** Which rows a row with totals adds up: of two possible sets that with which more of its totals agree. */
function chooseReach(reach: Reach, statements: Statement[]): 'group' | 'all' {
  if (reach !== 'either') return reach
  const agreeing = (of: 'group' | 'all') =>
    statements.filter((statement) => agrees(statement.stated, statement[of])).length
  return agreeing('group') > agreeing('all') ? 'group' : 'all'
}

/** The totals that a line states in columns whose sums are known; what cannot be read goes to `unread`. */
function readStatements(
  { columns }: Heading,
  { row, cells }: Line,
  sums: AmountSums,
  unread: string[],
): Statement[] {
  return columns.flatMap(({ column, at }, index): Statement[] => {
    const cell = cells[at] ?? null
    const known = isBlank(cell) || isTotalText(displayText(cell)) ? null : sums.sumsOf(index)
    if (!known) return []
    const value = isFault(cell) ? cell : readMoney(cell, column)
    if (typeof value === 'string') return [{ index, stated: BigInt(centsOf(value)), ...known }]
    if (value) unread.push(`The total of ${column.head} in row ${row} ${value.fault}, so it was not compared`)
    return []
  })
}

/** '4, 7', the sheet after each row where several are merged. */
const rowList = (rows: readonly number[], merged: readonly string[]) =>
  rows
    .map((one) => placeOfRow(one, merged))
    .map(({ row, sheet }) => (sheet ? `${row} of ${sheet}` : row))
    .join(', ')

const rowsOf = (reach: 'group' | 'all', last: number | undefined) =>
  reach === 'group' && last !== undefined ? `the rows since row ${last}` : 'the rows above'

/** `idAt` is the column of the id. */
export function createTotalRows(
  heading: Heading,
  idAt: number,
  sums: AmountSums,
  addFault: AddFault,
): TotalRows {
  const rows: number[] = []
  const unread: string[] = []
  /** Lines with totals above the first row. */
  const leading: Line[] = []
  let hasRows = false
  let isGroupEmpty = true
  const compare = (line: Line, label: string, isLeading = false) => {
    const statements = readStatements(heading, line, sums, unread)
    const reach = isGroupEmpty || isLeading ? 'all' : chooseReach(reachOf(label), statements)
    const isSubtotal = !isLeading && reachOf(label) === 'group'
    const last = rows.at(-1)
    const where = isLeading ? 'the rows below' : rowsOf(reach, last)
    for (const { index, stated, [reach]: sum } of statements) {
      if (agrees(stated, sum)) continue
      const { column, at } = heading.columns[index]!
      // A subtotal right below another one is of several groups, which nothing in the file names.
      if (isSubtotal && isGroupEmpty && last !== undefined) {
        unread.push(
          `The subtotal of ${column.head} in row ${line.row} is of other rows, and was not compared`,
        )
        continue
      }
      const figures = `is ${formatDollars(stated)}, but ${where} add up to ${formatDollars(sum.rounded)}`
      const message = `The ${isSubtotal ? 'subtotal' : 'total'} of ${column.head} ${figures}`
      const shown = displayText(line.cells[at]).slice(0, 100)
      addFault(line.cellRows?.[at] ?? line.row, column.head, shown, message)
    }
  }
  return {
    take(line) {
      const label = totalLabel(line, idAt)
      if (label === null) {
        isGroupEmpty = false
        hasRows = true
        return false
      }
      if (hasRows) compare(line, label)
      else leading.push(line)
      sums.startGroup()
      isGroupEmpty = true
      rows.push(line.row)
      return true
    },
    finish() {
      for (const line of leading) compare(line, '', true)
    },
    describe(merged) {
      const subject = rows.length === 1 ? 'A row with totals was' : `${rows.length} rows with totals were`
      const warning = `${subject} left out (row ${rowList(rows.slice(0, maxListed), merged)})`
      return rows.length ? [warning, ...listed(unread)] : []
    },
  }
}
