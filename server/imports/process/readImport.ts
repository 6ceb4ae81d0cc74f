import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import type { ImportLimits } from '../../config/importLimits.ts'
import { openCsv } from '../formats/csv.ts'
import { checkFormat } from '../formats/detect.ts'
import { openXlsx } from '../formats/xlsx/workbook.ts'
import { isHeading } from '../rows/heading.ts'
import type { RejectedRowsOptions, WriteRows } from '../rows/rejectedWriter.ts'
import { rowRuleOf } from '../rows/rowRules.ts'
import { readTable, type TableReport } from '../rows/table.ts'

/** A file on disk to be read as a kind of import. `filename` is the name it was uploaded under. */
export type ReadRequest = {
  kind: ImportName
  path: string
  filename: string
  limits: ImportLimits
  /** Write the rejected rows as a fix file (imports 23) in place of the rows without faults. */
  rejectedRows?: RejectedRowsOptions
}

/**
 * Reads a file of any format and writes its rows in COPY's text format: row, columns, extra. Throws HttpError
 * 422 for a file that cannot be read; faults of single rows are in the report.
 */
export async function readImport(
  { kind, path, filename, limits, rejectedRows }: ReadRequest,
  write: WriteRows,
): Promise<TableReport> {
  const definition = imports[kind]
  const format = await checkFormat(path, filename)
  const isHeadingLine = isHeading(definition)
  const open = {
    csv: () => openCsv(path, limits, (cells) => isHeadingLine({ row: 0, cells })),
    xlsx: () => openXlsx(path, limits),
    // Imported here because its library is large and seldom needed.
    xls: async () => (await import('../formats/xls.ts')).openXls(path, limits),
  }
  const options = { limits, rule: rowRuleOf(definition), strict: format === 'csv', rejectedRows }
  return readTable(await open[format](), definition, options, write)
}
