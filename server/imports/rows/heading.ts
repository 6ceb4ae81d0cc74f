import type { Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { maxHeaderLines } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { isBlank, displayText, type Line } from '../formats/sheet.ts'

/** Where the columns of a kind stand in a file. `at` is -1 for a column the file does not have. */
export type Heading = {
  row: number
  width: number
  columns: { column: ImportColumn; at: number }[]
  extras: { name: string; at: number }[]
  names: string[]
  /** The lines above it, their cells side by side. */
  titles: string[]
}

/** Heads the column of a fix file that says why a row was rejected; it is not read again. */
export const reasonHeading = 'Reason'

/** Case, quotes, spaces and the signs people put between words do not count. */
export const normalizeHeading = (head: string): string =>
  head.toLowerCase().replace(/["'`\s_\-#/.*:\u00a0\ufeff]/g, '')
const columnLetters = (at: number): string =>
  (at < 26 ? '' : columnLetters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
const joinNames = (names: string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** The places of a column; its own heading goes before other names for it. */
const findColumn = (words: string[], { head, aliases = [] }: ImportColumn): number[] => {
  const own = words.flatMap((word, at) => (word === normalizeHeading(head) ? [at] : []))
  const known = new Set(aliases.map(normalizeHeading))
  return own.length ? own : words.flatMap((word, at) => (known.has(word) ? [at] : []))
}

type HeadingCandidate = {
  places: number[][]
  words: string[]
  names: string[]
  row: number
  missing: string[]
  hasId: boolean
  score: number
}
const matchHeading = (it: Import, line: Line): HeadingCandidate => {
  const names = line.cells.map(displayText)
  const known = new Set(
    it.columns.flatMap(({ head, aliases = [] }) => [head, ...aliases].map(normalizeHeading)),
  )
  // 'Merchant #' is the merchant's number, not its name; 'XMID #' is the XMID.
  const words = names.map((name) => {
    const word = normalizeHeading(name)
    if (/#\W*$/.test(name) && known.has(`${word}number`)) return `${word}number`
    return name.startsWith('#') && known.has(`numberof${word}`) ? `numberof${word}` : word
  })
  const places = it.columns.map((column) => findColumn(words, column))
  const has = (field: string) => places[it.columns.findIndex((column) => column.field === field)]!.length > 0
  const lacking = (it.oneOf ?? []).filter((group) => !group.some(has))
  const missing = [
    ...it.columns
      .filter((column, index) => column.required && places[index]!.length === 0)
      .map((column) => column.head),
    ...lacking.map((group) =>
      it.columns
        .filter(({ field }) => group.includes(field))
        .map(({ head }) => head)
        .join(' or '),
    ),
  ]
  const score = places.filter((found) => found.length > 0).length
  const hasId = it.columns.some(
    (column, index) => column.kind === 'id' && column.required && places[index]!.length > 0,
  )
  return { places, words, names, row: line.row, missing, hasId, score }
}

/** Is this a line of a file that has no heading? */
const isHeadlessLine = ({ withoutHeading }: Import, { cells }: Line): boolean =>
  withoutHeading !== undefined &&
  cells.length >= withoutHeading.cellPatterns.length &&
  withoutHeading.cellPatterns.every((like, at) => like.test(displayText(cells[at])))

/** The columns of a file without a heading, by their places; a further one is none of ours. */
function headlessHeading(it: Import, line: Line): Heading {
  const { columns } = it.withoutHeading!
  const placed = it.columns.map((column) => {
    const at = columns.findIndex(({ field }) => field === column.field)
    return { column: columns[at] ?? column, at }
  })
  const names = line.cells.map((_, at) => columns[at]?.head ?? '')
  return { row: line.row - 1, width: names.length, columns: placed, extras: [], names, titles: [] }
}

/** Does this row hold an id and every required column, or is it a row of a file that needs no heading? */
export const isHeading =
  (it: Import) =>
  (line: Line): boolean =>
    matchHeading(it, line).missing.length === 0 || isHeadlessLine(it, line)

/** The heading among the first lines of a sheet; null when no row has all required columns. */
export function findHeading(it: Import, first: Line[]): Heading | null {
  const found = first.map((line) => matchHeading(it, line)).find((tried) => tried.missing.length === 0)
  const filled = first.find((line) => line.cells.some((cell) => !isBlank(cell)))
  if (!found) return filled && isHeadlessLine(it, filled) ? headlessHeading(it, filled) : null
  const { names, words, places, row } = found
  it.columns.forEach((column, index) => {
    const at = places[index]!
    if (at.length < 2) return
    const rivals = joinNames(at.map((place) => `${names[place]} (${columnLetters(place)})`))
    throw new HttpError(422, `The columns ${rivals} both mean ${column.head}; keep one of them`)
  })
  const known = new Set(places.flat())
  const seen = new Map<string, number>()
  const width = words.length - [...words].reverse().findIndex((word) => word !== '')
  const extras = names.slice(0, width).flatMap((given, at) => {
    if (known.has(at) || (given === reasonHeading && at === width - 1)) return []
    const name = given || `Column ${columnLetters(at)}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return [{ name: times > 1 ? `${name} (${times})` : name, at }]
  })
  const titles = first
    .filter((line) => line.row < row)
    .map((line) => line.cells.map(displayText).filter(Boolean).join('  '))
    .filter(Boolean)
  return {
    row,
    width,
    columns: it.columns.map((column, index) => ({ column, at: places[index]![0] ?? -1 })),
    extras,
    names,
    titles,
  }
}

/** One sentence for a file without a heading: what is missing and what was found instead. */
export function missingHeadingError(it: Import, first: Line[]): HttpError {
  const filled = first.filter((line) => line.cells.some((cell) => !isBlank(cell)))
  if (filled.length === 0) return new HttpError(422, 'The file holds no rows')
  const closer = (one: HeadingCandidate, other: HeadingCandidate) =>
    Number(other.hasId) - Number(one.hasId) || other.score - one.score
  const tries = filled.map((line) => matchHeading(it, line)).sort(closer)
  const best = tries[0]!
  const found = best.names
    .filter(Boolean)
    .slice(0, 30)
    .map((name) => name.slice(0, 60))
  if (best.score === 0) {
    const needed = it.columns.filter((column) => column.required).map((column) => column.head)
    const sentence = `No heading was found in the first ${maxHeaderLines} lines: a row must name ${joinNames(needed)}`
    return new HttpError(422, `${sentence}. Row ${best.row} holds: ${found.join(', ')}`)
  }
  const word = best.missing.length === 1 ? 'The required column' : 'The required columns'
  const verb = best.missing.length === 1 ? 'is' : 'are'
  return new HttpError(
    422,
    `${word} ${joinNames(best.missing)} ${verb} missing. Row ${best.row} has: ${found.join(', ')}`,
  )
}

/** A heading printed again further down, as page breaks leave it. */
export const isRepeatedHeading = ({ columns, names }: Heading, line: Line): boolean =>
  columns.every(
    ({ at }) => at < 0 || normalizeHeading(displayText(line.cells[at])) === normalizeHeading(names[at] ?? ''),
  )
/** The name of a column without a heading. */
export const columnName = (at: number) => `Column ${columnLetters(at)}`
