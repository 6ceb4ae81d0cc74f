import type { Import } from '../../../schemas/imports/imports.ts'
import {
  isMergeKey,
  type ChosenHeading,
  mappingSamples,
  missingFields,
  type Mapping,
  type MappingProposal,
  type SampledSheet,
} from '../../../schemas/imports/mapping/mapping.ts'
import { displayText, isBlank, isNumeric, type Cell, type Line } from '../formats/sheet.ts'
import { redactNumbers } from '../rows/cardNumbers.ts'
import { cellToText } from '../rows/cells.ts'
import { matchHeading } from '../rows/heading.ts'
import type { Guess } from './amountGuesses.ts'
import { fingerprintOf } from './columnNames.ts'
import { exactDigits } from './derivedCells.ts'
import { closestMapping } from './differences.ts'
import type { SheetStart } from './foundSheets.ts'
import { guessColumns } from './guesses.ts'
import type { StoredMapping } from './storedMapping.ts'

/** How many rows are read to guess the shape of a column. */
const shapeRows = 200
const maxSampleLength = 60
const maxSheets = 50
/** What is shown of a line that may be the heading. */
const maxStartCells = 6
const maxStartLength = 80

/** How much a line looks like a heading: known names, then different words; numbers speak against it. */
function headingScore(definition: Import, line: Line): number {
  const filled = line.cells.filter((cell) => !isBlank(cell))
  const texts = filled.map(displayText)
  const numbers = filled.filter(
    (cell) => isNumeric(cell) || /^[\s$()\d.,%/:-]+$/.test(displayText(cell)),
  ).length
  const words = new Set(texts).size - numbers
  return words < 2 ? 0 : words + 3 * matchHeading(definition, line).score - 2 * numbers
}

/** The line that is most likely the heading; null when none of the first lines has two names. */
function bestHeading(definition: Import, { candidates }: SheetStart) {
  const scored = candidates.map((candidate) => ({
    ...candidate,
    score: headingScore(definition, candidate.line),
  }))
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), {
    score: 0,
  } as (typeof scored)[0])
  return best.score > 0 ? best : null
}

type ReadSheet = { sheet: SampledSheet; guesses: Map<string, Guess> }

/** A cell as it is shown as a sample: card numbers and tax ids hidden (imports 14). */
const sampleText = (cell: Cell, definition: Import): string =>
  redactNumbers(
    isNumeric(cell) && !cell.isDate && cell.pad === 0 ? exactDigits(cell.number) : cellToText(cell),
    definition,
  ).slice(0, maxSampleLength)

/** The first lines of a sheet, one of which is its heading, each as a text. */
const startsOf = (definition: Import, { candidates }: SheetStart) =>
  candidates
    .filter(({ line }) => !line.cells.every(isBlank))
    .map(({ line: { row, cells } }) => ({
      row,
      text: cells
        .filter((cell) => !isBlank(cell))
        .slice(0, maxStartCells)
        .map((cell) => sampleText(cell, definition))
        .join(' · ')
        .slice(0, maxStartLength),
    }))

/** The heading, the first rows and the number of lines of a sheet; null when it looks like no table. */
async function readSheet(
  definition: Import,
  start: SheetStart,
  chosen: readonly ChosenHeading[],
): Promise<ReadSheet | null> {
  const row = chosen.find(({ sheet }) => sheet === start.sheet.name)?.row
  const heading =
    row === undefined
      ? bestHeading(definition, start)
      : start.candidates.find(({ line }) => line.row === row)!
  if (!heading) return null
  const { names, line } = heading
  const rows: Cell[][] = []
  let lines = 0
  for await (const batch of start.sheet.lines())
    for (const { row, cells } of batch) {
      if (row <= line.row || cells.every(isBlank)) continue
      lines += 1
      if (rows.length < shapeRows) rows.push(cells)
    }
  if (lines === 0) return null
  const columns = names.map((name, at) => ({
    name,
    samples: rows.slice(0, mappingSamples).map((cells) => sampleText(cells[at] ?? null, definition)),
  }))
  const guesses = guessColumns(definition, { names, rows })
  const idAt = guesses.get(definition.columns.find(isMergeKey)!.field)?.columns[0]?.at
  const idColumn = idAt === undefined ? null : names[idAt]!
  const starts = startsOf(definition, start)
  return { sheet: { name: start.sheet.name, row: line.row, lines, columns, idColumn, starts }, guesses }
}

const headingOf = ({ name, columns }: SampledSheet) => ({
  name,
  heading: columns.map((column) => column.name),
})

/** The mapping that the guesses give: the best sheet, and others with the id that have what it lacks. */
function guessedMapping(
  definition: Import,
  sheets: ReadSheet[],
): Pick<MappingProposal, 'mapping' | 'reasons'> {
  const mapping: Mapping = { sheets: [], fields: {} }
  const reasons: MappingProposal['reasons'] = {}
  const key = definition.columns.find(isMergeKey)!.field
  for (const { sheet, guesses } of sheets) {
    const isFirst = mapping.sheets.length === 0
    const missing = missingFields(definition, mapping.fields)
    const fields = new Set([...Object.keys(mapping.fields), ...guesses.keys()])
    const helps = missingFields(definition, Object.fromEntries([...fields].map((field) => [field, 1])))
    if (!isFirst && !(guesses.has(key) && helps.length < missing.length)) continue
    mapping.sheets.push(headingOf(sheet))
    for (const [field, { columns, reason }] of guesses) {
      const named = columns.map(({ at, sign }) => ({
        sheet: sheet.name,
        name: sheet.columns[at]!.name,
        sign,
      }))
      const before = mapping.fields[field]
      if (before && field !== key) continue
      mapping.fields[field] = {
        columns: [...(before && 'columns' in before ? before.columns : []), ...named],
      }
      reasons[field] ??= reason
    }
  }
  return { mapping, reasons }
}

/**
 * What is asked about a file whose heading is not known (mapping 3): its columns with samples, what they
 * probably mean, and what differs from a saved mapping; `headings` are the rows that a person chose. Null
 * when nothing in it looks like a table.
 */
export async function proposeMapping(
  definition: Import,
  starts: SheetStart[],
  saved: readonly StoredMapping[],
  headings: readonly ChosenHeading[] = [],
): Promise<MappingProposal | null> {
  const read: ReadSheet[] = []
  for (const start of starts.slice(0, maxSheets)) {
    const sheet = await readSheet(definition, start, headings)
    if (sheet) read.push(sheet)
  }
  if (read.length === 0) return null
  const needed = ({ guesses }: ReadSheet) =>
    definition.columns.filter(({ required, field }) => required && guesses.has(field)).length
  read.sort((one, other) => needed(other) - needed(one) || other.sheet.lines - one.sheet.lines)
  const sheets = read.map(({ sheet }) => sheet)
  const guessed = guessedMapping(definition, read)
  const carried = closestMapping(saved, sheets.map(headingOf))
  if (!carried)
    return {
      fingerprint: fingerprintOf(definition.name, guessed.mapping.sheets),
      sheets,
      ...guessed,
      difference: null,
    }
  return { ...withGuesses(definition, carried.mapping, guessed), sheets, difference: carried.difference }
}

/** A carried mapping with guesses for the required fields whose columns are gone. */
function withGuesses(
  definition: Import,
  carried: Mapping,
  guessed: Pick<MappingProposal, 'mapping' | 'reasons'>,
): Pick<MappingProposal, 'mapping' | 'reasons' | 'fingerprint'> {
  const names = new Set(carried.sheets.map(({ name }) => name))
  const reasons: MappingProposal['reasons'] = {}
  const fields = { ...carried.fields }
  for (const field of Object.keys(fields)) reasons[field] = 'saved'
  for (const [field, source] of Object.entries(guessed.mapping.fields)) {
    const isOpen =
      !(field in fields) && 'columns' in source && source.columns.every(({ sheet }) => names.has(sheet))
    const lacks = missingFields(definition, fields).length
    if (!isOpen || missingFields(definition, { ...fields, [field]: source }).length === lacks) continue
    fields[field] = source
    reasons[field] = guessed.reasons[field]!
  }
  return {
    mapping: { sheets: carried.sheets, fields },
    reasons,
    fingerprint: fingerprintOf(definition.name, carried.sheets),
  }
}
