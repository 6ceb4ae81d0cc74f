import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportName, RowFault } from '../../schemas/imports/imports.ts'
import type { MappingProposal } from '../../schemas/imports/mapping/mapping.ts'
import { defaultImportLimits as standard, type ImportLimits } from '../../server/config/importLimits.ts'
import { HttpError } from '../../server/http/errors.ts'
import type { Mappings } from '../../server/imports/mapping/chooseTable.ts'
import { readImport } from '../../server/imports/process/readImport.ts'
import type { RejectedRowsOptions, WriteRows } from '../../server/imports/rows/rejectedWriter.ts'

export type Outcome = {
  refused?: string
  /** What is asked about it (mapping 3). */
  proposal?: MappingProposal
  rows?: string[][]
  faults?: RowFault[]
  warnings?: string[]
  ignored?: string[]
}
type More = {
  kind?: ImportName
  limits?: Partial<ImportLimits>
  rejectedRows?: RejectedRowsOptions
  write?: WriteRows
  mappings?: Mappings
}

/** The values of a line for COPY, but for what says that it has no fault; null for a row with faults. */
export function soundRow(line: string): string[] | null {
  const values = line.split('\t')
  return values.pop() === '\\N' ? values : null
}

/** What reading a file comes to: its rows without faults as COPY gets them, or why it was refused. */
export async function read(
  filename: string,
  content: string | Buffer,
  { kind = 'merchant', limits = {}, write, ...options }: More = {},
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  const path = join(folder, 'file')
  await writeFile(path, content)
  let text = ''
  try {
    const report = await readImport(
      { kind, path, filename, limits: { ...standard, ...limits }, ...options },
      write ?? (async (more) => void (text += more)),
    )
    const rows = text
      .split('\n')
      .slice(0, -1)
      .map(soundRow)
      .filter((row) => row !== null)
    return { rows, faults: report.faults, warnings: report.warnings, ignored: report.ignored }
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) return { refused: error.message }
    if (error instanceof HttpError && error.extra['code'] === 'asks')
      return {
        refused: error.message,
        proposal: (error.extra['asks'] as { mapping: MappingProposal }).mapping,
      }
    throw error
  } finally {
    await rm(folder, { recursive: true })
  }
}
/** Row number, id and name of every row that was read. */
export const rowsOf = ({ rows }: Outcome) => rows?.map(([row, id, dba]) => [Number(row), id, dba])
