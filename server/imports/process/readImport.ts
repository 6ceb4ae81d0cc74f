import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import type { ImportLimits } from '../../config/importLimits.ts'
import { openCsv } from '../formats/csv.ts'
import { checkFormat } from '../formats/detect.ts'
import { openXlsx } from '../formats/xlsx.ts'
import { isHeading } from '../rows/heading.ts'
import type { WriteRows, RejectedRowsOptions } from '../rows/rejectedWriter.ts'
import { rowRuleOf } from '../rows/rowRules.ts'
import { readTable, type TableReport } from '../rows/table.ts'

/** A file on disk and what it is meant to be. */
export type ReadRequest = {
  kind: ImportName
  path: string
  filename: string
  limits: ImportLimits
  rejectedRows?: RejectedRowsOptions
}

/** Reads a file of any format; `emit` gets its rows in COPY's text format. Throws a Refusal (422) that names what is wrong with it. */
export async function readImport(
  { kind, path, filename, limits, rejectedRows: fix }: ReadRequest,
  emit: WriteRows,
): Promise<TableReport> {
  const it = imports[kind]
  const format = await checkFormat(path, filename)
  const fits = isHeading(it)
  const open = {
    csv: () => openCsv(path, limits, (cells) => fits({ row: 0, cells })),
    xlsx: () => openXlsx(path, limits),
    // Large and seldom needed.
    xls: async () => (await import('../formats/xls.ts')).openXls(path, limits),
  }
  return readTable(
    await open[format](),
    it,
    { limits, rule: rowRuleOf(it), strict: format === 'csv', fix },
    emit,
  )
}
