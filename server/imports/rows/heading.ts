import type { Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { joinWithAnd } from '../../../schemas/wording.ts'
import { maxHeaderLines } from '../../config/importLimits.ts'
import { columnLetters } from '../../files/columnLetters.ts'
import { HttpError } from '../../http/errors.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import { displayText, isBlank, type Line } from '../formats/sheet.ts'

/** Where the columns of a kind stand in a file. Columns count from 0; `at` is -1 for one that is missing. */
export type Heading = {
  row: number
  /** The number of cells up to the last one with a name. */
  width: number
  columns: { column: ImportColumn; at: number }[]
  /** The columns that no rule knows. */
  extras: { name: string; at: number }[]
  names: string[]
  /** The lines above the heading, the cells of each joined by two spaces. */
  titles: string[]
}

/** The heading of the last column of a fix file, which is not read again (imports 23). */
export const reasonHeading = 'Reason'

/**
 * The refusal (422) of a file whose heading does not say which of its columns are the portal's: none names
 * the required ones, or two mean the same.
 */
export class UnknownHeading extends HttpError {
  constructor(message: string) {
    super(422, message)
  }
}

/** Removes what does not count when headings are compared (imports 6). */
export const normalizeHeading = (head: string): string =>
  head.toLowerCase().replace(/["'`\s_\-#/.*:\u00a0\ufeff]/g, '')
/** The name of a column without a heading, 'Column B' of 1. */
export const columnName = (at: number) => `Column ${columnLetters(at)}`

/** The places where a column stands: by its own heading if there is one, else by its other names. */
const findColumn = (words: string[], { head, aliases = [] }: ImportColumn): number[] => {
  const own = words.flatMap((word, at) => (word === normalizeHeading(head) ? [at] : []))
  const known = new Set(aliases.map(normalizeHeading))
  return own.length ? own : words.flatMap((word, at) => (known.has(word) ? [at] : []))
}

/** A line that may be the heading; `places` holds the places of each column of the definition. */
type HeadingCandidate = {
  places: number[][]
  words: string[]
  names: string[]
  row: number
  missing: string[]
  hasId: boolean
  score: number
}
export const matchHeading = (definition: Import, line: Line): HeadingCandidate => {
  const names = line.cells.map(displayText)
  const known = new Set(
    definition.columns.flatMap(({ head, aliases = [] }) => [head, ...aliases].map(normalizeHeading)),
  )
  // 'Merchant #' is the merchant's number, not its name; 'XMID #' is the XMID.
  const words = names.map((name) => {
    const word = normalizeHeading(name)
    if (/#\W*$/.test(name) && known.has(`${word}number`)) return `${word}number`
    return name.startsWith('#') && known.has(`numberof${word}`) ? `numberof${word}` : word
  })
  const places = definition.columns.map((column) => findColumn(words, column))
  const isPresent = (_: ImportColumn, index: number) => places[index]!.length > 0
  const present = new Set(definition.columns.filter(isPresent).map(({ field }) => field))
  const missingColumns = definition.columns
    .filter(({ required, field }) => required && !present.has(field))
    .map(({ head }) => head)
  const missingGroups = (definition.oneOf ?? [])
    .filter((group) => !group.some((field) => present.has(field)))
    .map((group) =>
      definition.columns
        .filter(({ field }) => group.includes(field))
        .map(({ head }) => head)
        .join(' or '),
    )
  const missing = [...missingColumns, ...missingGroups]
  const hasId = definition.columns.some(
    ({ kind, required, field }) => kind === 'id' && required && present.has(field),
  )
  return { places, words, names, row: line.row, missing, hasId, score: present.size }
}

/** Whether a line is a row of a file that needs no heading, by the form of its first cells (imports 33). */
const isHeadlessLine = ({ withoutHeading }: Import, { cells }: Line): boolean =>
  withoutHeading !== undefined &&
  cells.length >= withoutHeading.cellPatterns.length &&
  withoutHeading.cellPatterns.every((pattern, at) => pattern.test(displayText(cells[at])))

/** The columns of a file without a heading, by their places; further columns are unknown. */
function headlessHeading(definition: Import, line: Line): Heading {
  const { columns } = definition.withoutHeading!
  const placed = definition.columns.map((column) => {
    const at = columns.findIndex(({ field }) => field === column.field)
    return { column: columns[at] ?? column, at }
  })
  const names = line.cells.map((_, at) => columns[at]?.head ?? '')
  return { row: line.row - 1, width: names.length, columns: placed, extras: [], names, titles: [] }
}

/** Whether a line names every required column, or is a row of a file that needs no heading. */
export const isHeading =
  (definition: Import) =>
  (line: Line): boolean =>
    matchHeading(definition, line).missing.length === 0 || isHeadlessLine(definition, line)

function refuseAmbiguousColumns({ columns }: Import, { names, places }: HeadingCandidate): void {
  columns.forEach((column, index) => {
    const at = places[index]!
    if (at.length < 2) return
    const rivals = joinWithAnd(at.map((place) => `${names[place]} (${columnLetters(place)})`))
    throw new UnknownHeading(`The columns ${rivals} both mean ${column.head}; keep one of them`)
  })
}

/** Creates a function that numbers a name that was given before: 'Net', 'Net (2)'. */
export function numberNames(): (name: string) => string {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count > 1 ? `${name} (${count})` : name
  }
}

/** The unknown columns of a heading; a name that is there several times is numbered. */
function findExtras({ places, names }: HeadingCandidate, width: number): Heading['extras'] {
  const known = new Set(places.flat())
  const numbered = numberNames()
  return names.slice(0, width).flatMap((given, at) => {
    if (known.has(at) || (given === reasonHeading && at === width - 1)) return []
    return [{ name: numbered(given || columnName(at)), at }]
  })
}

/**
 * The heading among the first lines of a sheet (imports 6); null when no line names all required columns.
 * Throws HttpError 422 when two columns mean the same.
 */
export function findHeading(definition: Import, firstLines: Line[]): Heading | null {
  const found = firstLines
    .map((line) => matchHeading(definition, line))
    .find(({ missing }) => missing.length === 0)
  const filled = firstLines.find((line) => line.cells.some((cell) => !isBlank(cell)))
  if (!found) return filled && isHeadlessLine(definition, filled) ? headlessHeading(definition, filled) : null
  const { names, words, places, row } = found
  refuseAmbiguousColumns(definition, found)
  const width = words.length - [...words].reverse().findIndex((word) => word !== '')
  return {
    row,
    width,
    columns: definition.columns.map((column, index) => ({ column, at: places[index]![0] ?? -1 })),
    extras: findExtras(found, width),
    names,
    titles: titleLines(firstLines, row),
  }
}

/**
 * How well the first lines of a sheet fit a kind: the places of the columns that it knows in the line that is
 * nearest to a heading, and whether that line is one.
 */
export function headingFit(definition: Import, firstLines: Line[]): { isHeading: boolean; known: number[] } {
  const lines = firstLines.map((line) => matchHeading(definition, line))
  const heading = lines.find(({ missing }) => missing.length === 0)
  const filled = firstLines.find((line) => line.cells.some((cell) => !isBlank(cell)))
  if (!heading && filled && isHeadlessLine(definition, filled))
    return { isHeading: true, known: filled.cells.map((_, at) => at) }
  const best = heading ?? lines.toSorted(byQuality)[0]
  return { isHeading: heading !== undefined, known: [...new Set(best?.places.flat())] }
}

const byQuality = (one: HeadingCandidate, other: HeadingCandidate) =>
  Number(other.hasId) - Number(one.hasId) || other.score - one.score

/** The filled lines above a heading, the cells of each joined by two spaces. */
export const titleLines = (firstLines: Line[], headingRow: number): string[] =>
  firstLines
    .filter((line) => line.row < headingRow)
    .map((line) => line.cells.map(displayText).filter(Boolean).join('  '))
    .filter(Boolean)

/** The answer to a file without a heading: what is missing, and what the line nearest to a heading holds. */
export function missingHeadingError(definition: Import, firstLines: Line[]) {
  const filled = firstLines.filter((line) => line.cells.some((cell) => !isBlank(cell)))
  if (filled.length === 0) return invalidFile('The file holds no rows')
  const best = filled.map((line) => matchHeading(definition, line)).sort(byQuality)[0]!
  const found = best.names
    .filter(Boolean)
    .slice(0, 30)
    .map((name) => name.slice(0, 60))
    .join(', ')
  if (best.score === 0) {
    const needed = definition.columns.filter((column) => column.required).map((column) => column.head)
    const rule = `a row must name ${joinWithAnd(needed)}`
    return new UnknownHeading(
      `No heading was found in the first ${maxHeaderLines} lines: ${rule}. Row ${best.row} holds: ${found}`,
    )
  }
  const noun = best.missing.length === 1 ? 'The required column' : 'The required columns'
  const verb = best.missing.length === 1 ? 'is' : 'are'
  return new UnknownHeading(
    `${noun} ${joinWithAnd(best.missing)} ${verb} missing. Row ${best.row} has: ${found}`,
  )
}

/** Whether a line is the heading again, as page breaks leave it (imports 7). */
export const isRepeatedHeading = ({ columns, names }: Heading, line: Line): boolean =>
  columns.every(
    ({ at }) => at < 0 || normalizeHeading(displayText(line.cells[at])) === normalizeHeading(names[at] ?? ''),
  )
