import type { Import } from '../../../schemas/imports/imports.ts'
import { mappingFault, type ChosenHeading, type Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import { HttpError } from '../../http/errors.ts'
import type { Workbook } from '../formats/sheet.ts'
import { cellReaders } from '../rows/cells.ts'
import { UnknownHeading } from '../rows/heading.ts'
import { chooseSheet, type ChosenSheet } from '../rows/table.ts'
import { applyMapping, type MergeOptions } from './applyMapping.ts'
import { fingerprintOf } from './columnNames.ts'
import { findSheets, readStarts, type SheetStart } from './foundSheets.ts'
import { proposeMapping } from './proposal.ts'
import type { StoredMapping } from './storedMapping.ts'

/**
 * The mappings by which a file may be read: the one sent with it, and those saved for its kind, newest first;
 * `headings` are the rows that a person chose as headings before there is a mapping (mapping 3).
 */
export type Mappings = {
  given: Mapping | null
  saved: readonly StoredMapping[]
  headings?: readonly ChosenHeading[]
}
type Options = Mappings & MergeOptions

const wrongMapping = (message: string) => new HttpError(422, message, { fields: { mapping: message } })

/** Throws HttpError 422 for a mapping that cannot be of this kind (mapping 2). */
function checkMapping(definition: Import, mapping: Mapping): void {
  const fault = mappingFault(definition, mapping)
  if (fault) throw wrongMapping(fault)
  for (const column of definition.columns) {
    const source = mapping.fields[column.field]
    if (!source || !('constant' in source)) continue
    const value = cellReaders[column.kind](source.constant, column)
    if (value === null || typeof value === 'object')
      throw wrongMapping(`${column.head}: “${source.constant}” ${value ? value.fault : 'says nothing'}`)
  }
}

function applyGiven(
  definition: Import,
  starts: SheetStart[],
  mapping: Mapping,
  options: MergeOptions,
): ChosenSheet {
  checkMapping(definition, mapping)
  const found = findSheets(mapping, starts)
  if (!found)
    throw wrongMapping('The mapping is of another heading than the file has; choose the columns again')
  const fingerprint = fingerprintOf(definition.name, mapping.sheets)
  return applyMapping(definition, { mapping, fingerprint, isGiven: true }, found, options)
}

/**
 * The table of a file (mapping 1): by the mapping sent with it, else by a saved one of exactly its headings,
 * else by its own heading. Where none of these names the columns, throws HttpError 409 with what is asked
 * (mapping 3).
 */
export async function chooseTable(
  workbook: Workbook,
  definition: Import,
  { given, saved, headings = [], ...options }: Options,
): Promise<ChosenSheet> {
  if (!given && headings.length > 0) return askByHeadings(workbook, definition, headings)
  if (!given && saved.length === 0)
    return chooseSheet(workbook, definition).catch((error: unknown) =>
      askForMapping(workbook, definition, saved, error),
    )
  const starts = await readStarts(workbook, definition)
  if (given) return applyGiven(definition, starts, given, options)
  for (const { mapping, fingerprint } of saved) {
    const found = mappingFault(definition, mapping) ? null : findSheets(mapping, starts)
    if (found) return applyMapping(definition, { mapping, fingerprint, isGiven: false }, found, options)
  }
  return chooseSheet(workbook, definition).catch((error: unknown) =>
    askForMapping(workbook, definition, saved, error),
  )
}

async function askForMapping(
  workbook: Workbook,
  definition: Import,
  saved: readonly StoredMapping[],
  error: unknown,
): Promise<never> {
  if (!(error instanceof UnknownHeading)) throw error
  const starts = await readStarts(workbook, definition)
  const mapping = await proposeMapping(definition, starts, saved)
  if (!mapping) throw error
  throw new HttpError(409, `${error.message}. Nothing was stored.`, { code: 'asks', asks: { mapping } })
}

/**
 * Asks for the mapping of the headings that a person chose. Throws HttpError 422 where such a row is no
 * heading.
 */
async function askByHeadings(
  workbook: Workbook,
  definition: Import,
  headings: readonly ChosenHeading[],
): Promise<never> {
  const starts = await readStarts(workbook, definition)
  const refuse = (message: string) => new HttpError(422, message, { fields: { headings: message } })
  for (const { sheet, row } of headings) {
    const where = `row ${row}${sheet === '' ? '' : ` of the sheet “${sheet}”`}`
    const start = starts.find((one) => one.sheet.name === sheet)
    if (!start?.candidates.some(({ line }) => line.row === row))
      throw refuse(`There is no ${where} among the first lines: choose another row as the heading`)
  }
  const mapping = await proposeMapping(definition, starts, [], headings)
  if (!mapping) throw refuse('There are no rows below the chosen heading: choose another row')
  throw new HttpError(409, 'Choose the columns of the chosen heading. Nothing was stored.', {
    code: 'asks',
    asks: { mapping },
  })
}
