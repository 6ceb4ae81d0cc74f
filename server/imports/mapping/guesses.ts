import type { CellKind, Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { parseDecimal, sumDecimals } from '../../../schemas/imports/mapping/decimal.ts'
import type { GuessReason } from '../../../schemas/imports/mapping/mapping.ts'
import { displayText, isBlank, isNumeric, isPlainNumber, type Cell } from '../formats/sheet.ts'
import { cellReaders } from '../rows/cells.ts'
import { matchHeading } from '../rows/heading.ts'
import { guessAmounts, type Guess, type ReadColumns } from './amountGuesses.ts'

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

/** Words that stand before names of several fields. Alone they say nothing: Gross may be sales or income. */
const modifiers = new Set(['gross', 'total'])

/**
 * How alike two names are: the words that both have, of all their words; 0 to 1, and 0 where both have
 * modifiers alone.
 */
const likeness = (one: Set<string>, other: Set<string>): number => {
  const shared = [...one].filter((word) => other.has(word))
  const both = shared.every((word) => modifiers.has(word)) ? 0 : shared.length
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
    ? isPlainNumber(cell)
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

/** Takes columns for fields, each column once. */
class Guesses {
  readonly found = new Map<string, Guess>()
  /** Fields whose column was found by words it shares with their heading, not by a known name. */
  readonly fromWords = new Set<string>()
  readonly free: Set<number>
  constructor(count: number) {
    this.free = new Set(Array.from({ length: count }, (_, at) => at))
  }
  /** Columns that these fields had before are free again, unless one of these fields takes them. */
  take(guesses: ReadonlyMap<string, Guess>) {
    for (const field of guesses.keys())
      for (const { at } of this.found.get(field)?.columns ?? []) this.free.add(at)
    for (const [field, guess] of guesses) {
      this.found.set(field, guess)
      for (const { at } of guess.columns) this.free.delete(at)
    }
  }
  one(field: string, at: number, reason: GuessReason) {
    this.take(new Map([[field, { columns: [{ at, sign: 1 }], reason }]]))
  }
}

function guessByName(definition: Import, { names }: ReadColumns, guesses: Guesses) {
  const { places } = matchHeading(definition, { row: 0, cells: [...names] })
  definition.columns.forEach(({ field, head }, index) => {
    const at = places[index]!.find((place) => guesses.free.has(place))
    if (at !== undefined)
      guesses.one(field, at, names[at]!.toLowerCase() === head.toLowerCase() ? 'name' : 'alias')
  })
}

function guessByWords(definition: Import, { names }: ReadColumns, cells: Cell[][], guesses: Guesses) {
  const words = names.map(wordsOf)
  const pairs = definition.columns
    .filter(({ field }) => !guesses.found.has(field))
    .flatMap((column) =>
      [...guesses.free].map((at) => {
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
    if (guesses.free.has(at) && !guesses.found.has(column.field)) {
      guesses.one(column.field, at, 'name')
      guesses.fromWords.add(column.field)
    }
}

function guessByRelation(definition: Import, read: ReadColumns, guesses: Guesses) {
  const relation = relations[definition.name]
  if (!relation) return
  const fields = [relation.from, relation.less, relation.net]
  if (fields.some((field) => guesses.found.has(field) && !guesses.fromWords.has(field))) return
  const taken = fields.flatMap((field) => (guesses.found.get(field)?.columns ?? []).map(({ at }) => at))
  const found = findRelation(
    read,
    [...guesses.free, ...taken].toSorted((one, other) => one - other),
  )
  if (!found) return
  const guess = (at: number): Guess => ({ columns: [{ at, sign: 1 }], reason: 'total' })
  guesses.take(new Map(fields.map((field, index) => [field, guess(found[index]!)])))
}

/** What is required, by the shape of its cells; with `alsoGroups` also one field of each group. */
function guessNeeded(
  definition: Import,
  cells: Cell[][],
  guesses: Guesses,
  { alsoGroups }: { alsoGroups: boolean },
) {
  const groups = (definition.oneOf ?? []).filter(
    (group) => alsoGroups && !group.some((field) => guesses.found.has(field)),
  )
  for (const column of definition.columns) {
    const isNeeded = column.required || groups.some((group) => group.at(-1) === column.field)
    if (!isNeeded || guesses.found.has(column.field)) continue
    const at = [...guesses.free].find((place) => hasShape(cells[place]!, column))
    if (at !== undefined) guesses.one(column.field, at, 'shape')
  }
}

/** The merchant's name, where one column alone has words that differ in nearly every row. */
function guessMerchantName(definition: Import, cells: Cell[][], guesses: Guesses) {
  const name = definition.columns.find(({ field }) => field === 'dba')
  if (!name || guesses.found.has(name.field)) return
  const named = [...guesses.free].filter((at) => {
    const texts = new Set(cells[at]!.map(displayText))
    return hasShape(cells[at]!, name) && texts.size > 1 && texts.size >= cells[at]!.length * 0.9
  })
  if (named.length === 1) guesses.one(name.field, named[0]!, 'shape')
}

/** The rows of merchants: where the column of the id is known, those whose id looks like one. */
function withoutTotals(definition: Import, read: ReadColumns, found: Map<string, Guess>): ReadColumns {
  const key = definition.columns.find(({ kind, required }) => kind === 'id' && required)
  const at = key && found.get(key.field)?.columns[0]?.at
  if (at === undefined) return read
  const rows = read.rows.filter((cells) => isMidLike(cells[at] ?? null))
  return rows.length >= read.rows.length / 2 ? { ...read, rows } : read
}

/**
 * The columns that are proposed for each field, and why (mapping 3): by a known name, by a name that shares
 * words with one, by amounts that add up, by the size of amounts, and by the shape of the cells. No column is
 * proposed twice.
 */
export function guessColumns(definition: Import, all: ReadColumns): Map<string, Guess> {
  const guesses = new Guesses(all.names.length)
  guessByName(definition, all, guesses)
  const cells = [...all.names.keys()].map((at) => filledCells(all, at))
  guessByWords(definition, all, cells, guesses)
  guessNeeded(definition, cells, guesses, { alsoGroups: false })
  const read = withoutTotals(definition, all, guesses.found)
  guessByRelation(definition, read, guesses)
  guesses.take(guessAmounts(definition, read, guesses))
  guessNeeded(definition, cells, guesses, { alsoGroups: true })
  guessMerchantName(definition, cells, guesses)
  return guesses.found
}
