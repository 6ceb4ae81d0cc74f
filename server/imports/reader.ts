import { imports, type ImportName } from '../../schemas/imports.ts'
import { Refusal } from '../errors.ts'
import { openCsv } from './csv.ts'
import { guardFile } from './guard.ts'
import { isHeading } from './heading.ts'
import type { Limits } from './limits.ts'
import { rowRules } from './rules.ts'
import { readTable, type Report } from './table.ts'
import { openXls } from './xls.ts'
import { openXlsx } from './xlsx.ts'

/**
 * The reading process: no database, no network, a cap on memory and time, killed without regret. It is told its job
 * by a message, writes rows to its standard output as COPY wants them, and ends with one message of what it found.
 */
export type Job = { kind: ImportName; path: string; filename: string; limits: Limits }
export type Told = { report: Report } | { refused: { message: string; extra: Record<string, unknown> } } | { failed: string }

const emit = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

async function read({ kind, path, filename, limits }: Job): Promise<Report> {
  const it = imports[kind]
  const format = await guardFile(path, filename)
  const fits = isHeading(it)
  const open = {
    csv: () => openCsv(path, limits, (cells) => fits({ row: 0, cells })),
    xlsx: () => openXlsx(path, limits),
    xls: () => openXls(path, limits),
  }
  const book = await open[format]()
  return readTable(book, it, { limits, rule: rowRules[kind](it), strict: format === 'csv' }, emit)
}

process.on('disconnect', () => process.exit(1))
process.once('message', (job: Job) => {
  const tell = (told: Told) => process.send!(told, () => process.disconnect())
  read(job).then(
    (report) => tell({ report }),
    (error: unknown) =>
      tell(
        error instanceof Refusal
          ? { refused: { message: error.message, extra: error.extra } }
          : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      ),
  )
})
