import { imports, type Import, type ImportName } from '../../../schemas/imports/imports.ts'
import type { ImportLimits } from '../../config/importLimits.ts'
import { openCsv } from '../formats/csv.ts'
import { checkFormat } from '../formats/detect.ts'
import type { Line, Workbook } from '../formats/sheet.ts'
import { openXlsx } from '../formats/xlsx/workbook.ts'
import { chooseTable, type Mappings } from '../mapping/chooseTable.ts'
import { columnNames, isSameHeading } from '../mapping/columnNames.ts'
import { findSheets, readStarts } from '../mapping/foundSheets.ts'
import type { HeadingsOfKind } from '../mapping/storedMapping.ts'
import { isHeading } from '../rows/heading.ts'
import { recognise, type Recognised } from '../rows/recognise.ts'
import type { RejectedRowsOptions, WriteRows } from '../rows/rejectedWriter.ts'
import { rowRuleOf } from '../rows/rowRules.ts'
import { readFirstLines, readTable, type TableReport } from '../rows/table.ts'

/** A file on disk to be read as a kind of import. `filename` is the name it was uploaded under. */
export type ReadRequest = {
  kind: ImportName
  path: string
  filename: string
  limits: ImportLimits
  /** Write the rejected rows as a fix file (imports 23) in place of the rows. */
  rejectedRows?: RejectedRowsOptions
  mappings?: Mappings
}
const noMappings: Mappings = { given: null, saved: [] }

const opener = (path: string, limits: ImportLimits, isHeadingLine: (cells: string[]) => boolean) => ({
  csv: () => openCsv(path, limits, isHeadingLine),
  xlsx: () => openXlsx(path, limits),
  // Imported here because its library is large and seldom needed.
  xls: async () => (await import('../formats/xls.ts')).openXls(path, limits),
})

/** A file whose kind is to be recognised by its first lines. */
export type RecogniseRequest = Omit<ReadRequest, 'kind' | 'rejectedRows' | 'mappings'> & {
  kind: null
  saved: readonly HeadingsOfKind[]
}

/** The kind of a saved mapping of exactly the headings of a file, else those that know its headings. */
async function kindsOf(workbook: Workbook, saved: readonly HeadingsOfKind[]): Promise<Recognised> {
  for (const { kind, sheets } of saved)
    if (findSheets({ sheets }, await readStarts(workbook, imports[kind])))
      return { candidates: [kind], proposed: kind }
  const lines = []
  for (const sheet of workbook.sheets) lines.push(await readFirstLines(sheet))
  return recognise(Object.values<Import>(imports), lines)
}

/**
 * The kinds whose headings, or headings of saved mappings, the first lines of a file hold (inbox 4). Throws
 * HttpError 422 for a file that is no table.
 */
export async function recogniseKinds({
  path,
  filename,
  limits,
  saved,
}: RecogniseRequest): Promise<Recognised> {
  const format = await checkFormat(path, filename)
  const definitions = Object.values<Import>(imports)
  const isKnown = definitions.map(isHeading)
  const isSaved = saved.flatMap(({ kind, sheets }) =>
    sheets.map(
      ({ heading }) =>
        (line: Line) =>
          isSameHeading(heading, columnNames(line, imports[kind])),
    ),
  )
  const open = opener(path, limits, (cells) => [...isKnown, ...isSaved].some((is) => is({ row: 0, cells })))
  return kindsOf(await open[format](), saved)
}

/**
 * Reads a file of any format and writes its rows in COPY's text format: row, columns, extra, columns with
 * faults. Throws HttpError 422 for a file that cannot be read, 409 with `asks` for one whose columns are not
 * known (mapping 3); faults of single rows are in the report.
 */
export async function readImport(
  { kind, path, filename, limits, rejectedRows, mappings = noMappings }: ReadRequest,
  write: WriteRows,
): Promise<TableReport> {
  const definition = imports[kind]
  const format = await checkFormat(path, filename)
  const isKnown = isHeading(definition)
  const mapped = [
    ...(mappings.given ? [mappings.given] : []),
    ...mappings.saved.map(({ mapping }) => mapping),
  ]
  const headings = mapped.flatMap(({ sheets }) => sheets.map(({ heading }) => heading))
  const isHeadingLine = (line: Line): boolean => {
    if (isKnown(line)) return true
    const names = headings.length ? columnNames(line, definition) : []
    return headings.some((heading) => isSameHeading(heading, names))
  }
  const open = opener(path, limits, (cells) => isHeadingLine({ row: 0, cells }))
  const strict = format === 'csv'
  const workbook = await open[format]()
  const merging = { strict, mostMerged: limits.mergedRows }
  const chosen = await chooseTable(workbook, definition, { ...mappings, ...merging })
  const rule = rowRuleOf(definition)
  return readTable({ workbook, chosen, definition, limits, rule, strict, rejectedRows, write })
}
