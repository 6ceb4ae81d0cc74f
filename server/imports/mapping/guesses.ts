import type { CellKind, Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { parseDecimal, sumDecimals } from '../../../schemas/imports/mapping/decimal.ts'
import type { GuessReason } from '../../../schemas/imports/mapping/mapping.ts'
import { displayText, isBlank, isNumeric, type Cell } from '../formats/sheet.ts'
import { cellReaders } from '../rows/cells.ts'
import { matchHeading } from '../rows/heading.ts'

/** The columns of one sheet with the cells of their first rows. */
export type ReadColumns = { names: readonly string[]; rows: readonly (readonly Cell[])[] }
export type Guess = { at: number; reason: GuessReason }

/** Abbreviations and other words of processors, for a word of our headings. */
const wordsFor: Record<string, string> = {
  acct: 'account',
  amt: 'amount',
  assessments: 'expense',
  balance: 'net',
  billed: 'income',
  cb: 'chargeback',
  client: 'merchant',
  code: 'number',
  contract: 'merchant',
  cost: 'expense',
  costs: 'expense',
  customer: 'merchant',
  dues: 'expense',
  earned: 'income',
  earnings: 'net',
  exp: 'expense',
  expenses: 'expense',
  fees: 'expense',
  id: 'number',
  inc: 'income',
  interchange: 'expense',
  items: 'transactions',
  location: 'merchant',
  margin: 'net',
  merch: 'merchant',
  nbr: 'number',
  no: 'number',
  num: 'number',
  outlet: 'merchant',
  payout: 'net',
  profit: 'net',
  ref: 'number',
  reference: 'number',
  refunded: 'refund',
  refunds: 'refund',
  rev: 'income',
  revenue: 'income',
  sale: 'sales',
  shop: 'merchant',
  site: 'merchant',
  store: 'merchant',
  takings: 'income',
  tickets: 'transactions',
  trading: 'merchant',
  tran: 'transactions',
  trans: 'transactions',
  transaction: 'transactions',
  txn: 'transactions',
  txns: 'transactions',
  turnover: 'sales',
  vol: 'sales',
  volume: 'sales',
}
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/#/g, ' number ')
      .toLowerCase()
      .split(/[^\p{L}\p{N}%]+/u)
      .filter(Boolean)
      .map((word) => wordsFor[word] ?? word),
  )

/** How alike two names are: the words that both have, of all their words; 0 to 1. */
const likeness = (one: Set<string>, other: Set<string>): number => {
  const both = [...one].filter((word) => other.has(word)).length
  return both ? both / (one.size + other.size - both) : 0
}

const filledCells = ({ rows }: ReadColumns, at: number): Cell[] =>
  rows.map((cells) => cells[at] ?? null).filter((cell) => !isBlank(cell))

/** Whether most cells of a column can be read as a kind; a column without cells may be of any. */
function fitsKind(cells: Cell[], column: ImportColumn): boolean {
  if (cells.length === 0) return true
  const good = cells.filter((cell) => typeof cellReaders[column.kind](cell, column) === 'string').length
  return good >= cells.length * 0.8
}

const isMidLike = (cell: Cell) => /^\d{6,16}$/.test(displayText(cell).replace(/^'|^="|"$/g, ''))
const isMoneyLike = (cell: Cell) =>
  isNumeric(cell)
    ? !cell.isDate
    : /[$.,()-]/.test(displayText(cell)) && parseDecimal(displayText(cell)) !== null
const isWordy = (cell: Cell) => /\p{L}{2}/u.test(displayText(cell))
/** What most cells of a column look like, for the kinds that a shape says enough of. */
const shapes: Partial<Record<CellKind, (cell: Cell) => boolean>> = {
  id: isMidLike,
  money: isMoneyLike,
  text: isWordy,
  date: (cell) => typeof cellReaders.date(cell) === 'string' && (isNumeric(cell) ? cell.isDate : true),
}
function hasShape(cells: Cell[], column: ImportColumn): boolean {
  const shape = shapes[column.kind]
  if (!shape || cells.length === 0) return false
  return cells.filter(shape).length >= cells.length * 0.8 && fitsKind(cells, column)
}

/** Where one amount is another less a third in every row: for each kind the net, and what it is made of. */
const relations: Partial<Record<string, { from: string; less: string; net: string }>> = {
  compdata: { from: 'income', less: 'expense', net: 'net' },
  dailyvolume: { from: 'salesamount', less: 'refundamount', net: 'netamount' },
}

/** The columns of amounts a - b = c in every row, where not all of them are 0. */
function findRelation(read: ReadColumns, free: readonly number[]): [number, number, number] | null {
  const amountsOf = (at: number) => read.rows.map((cells) => parseDecimal(displayText(cells[at] ?? null)))
  const amounts = new Map(
    free.slice(0, 30).flatMap((at) => {
      const values = amountsOf(at)
      const isUseful =
        values.length > 1 && values.every((value) => value) && values.some((value) => value!.units)
      return isUseful ? [[at, values]] : []
    }),
  )
  const columns = [...amounts.keys()]
  const holds = (a: number, b: number, c: number) =>
    read.rows.every((_, row) => {
      const value = (at: number) => amounts.get(at)![row]!
      return !sumDecimals([
        { value: value(a), sign: 1 },
        { value: value(b), sign: -1 },
        { value: value(c), sign: -1 },
      ]).units
    })
  for (const a of columns)
    for (const b of columns)
      for (const c of columns) if (a !== b && b !== c && a !== c && c > b && holds(a, b, c)) return [a, b, c]
  return null
}

/**
 * The column that is proposed for each field, and why (mapping 3): by its name, by another name of it, by a
 * name that shares words with it, by amounts that add up, and for what is required by the shape of the cells.
 * No column is proposed twice.
 */
export function guessColumns(definition: Import, read: ReadColumns): Map<string, Guess> {
  const guesses = new Map<string, Guess>()
  const free = new Set(read.names.keys())
  const cells = [...read.names.keys()].map((at) => filledCells(read, at))
  const take = (field: string, at: number, reason: GuessReason) => {
    guesses.set(field, { at, reason })
    free.delete(at)
  }
  const { places } = matchHeading(definition, { row: 0, cells: [...read.names] })
  definition.columns.forEach(({ field, head }, index) => {
    const at = places[index]!.find((place) => free.has(place))
    if (at !== undefined)
      take(field, at, read.names[at]!.toLowerCase() === head.toLowerCase() ? 'name' : 'alias')
  })
  const words = read.names.map(wordsOf)
  const pairs = definition.columns
    .filter(({ field }) => !guesses.has(field))
    .flatMap((column) =>
      [...free].map((at) => {
        const known = [column.head, ...(column.aliases ?? [])].map(wordsOf)
        const alike = Math.max(...known.map((one) => likeness(one, words[at]!)))
        // What is required is found by fewer words where its cells look like it, too.
        const isLikely = alike > 0 && column.required === true && hasShape(cells[at]!, column)
        return { column, at, score: alike + (isLikely ? 0.5 : 0) }
      }),
    )
    .filter(({ column, at, score }) => score >= 0.5 && fitsKind(cells[at]!, column))
    .sort((one, other) => other.score - one.score)
  for (const { column, at } of pairs)
    if (free.has(at) && !guesses.has(column.field)) take(column.field, at, 'name')
  const relation = relations[definition.name]
  if (relation && [relation.from, relation.less, relation.net].every((field) => !guesses.has(field))) {
    const found = findRelation(read, [...free])
    if (found)
      [relation.from, relation.less, relation.net].forEach((field, index) =>
        take(field, found[index]!, 'total'),
      )
  }
  const grouped = (definition.oneOf ?? []).filter((group) => !group.some((field) => guesses.has(field)))
  for (const column of definition.columns) {
    const isNeeded = column.required || grouped.some((group) => group.at(-1) === column.field)
    if (!isNeeded || guesses.has(column.field)) continue
    const at = [...free].find((place) => hasShape(cells[place]!, column))
    if (at !== undefined) take(column.field, at, 'shape')
  }
  return guesses
}
