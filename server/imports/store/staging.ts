import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import type { Import } from '../../../schemas/imports/imports.ts'
import type { Tx } from '../../db/db.ts'
import { allowMemory } from '../../db/largeWork.ts'
import type { ProgressReporter } from '../../jobs/progress.ts'
import { readInChildProcess } from '../process/child.ts'
import type { ReadRequest } from '../process/readImport.ts'
import { stagingTypes } from '../rows/cells.ts'
import type { TableReport } from '../rows/table.ts'

/**
 * Reads a file into the temporary table `staging` (row, the kind's columns, extra, and in `broken` the
 * columns with faults of a row that has some) and creates the temporary table `rejected` for the numbers of
 * rows with faults. Both are dropped at the end of the transaction.
 */
export async function stageRows(
  tx: Tx,
  definition: Import,
  { request, signal, reporter }: { request: ReadRequest; signal: AbortSignal; reporter: ProgressReporter },
): Promise<TableReport> {
  await allowMemory(tx)
  const columns = definition.columns.map((column) => `${column.field} ${stagingTypes[column.kind].type}`)
  await tx.query(
    `create temp table staging (
      row integer not null, ${columns.join(', ')}, extra jsonb, broken text[]
    ) on commit drop`,
  )
  await tx.query('create temp table rejected (row integer not null) on commit drop')
  const fields = ['row', ...definition.columns.map((column) => column.field), 'extra', 'broken']
  const copy = `copy staging (${fields.join(', ')}) from stdin`
  let done = 0
  const newline = 10
  const countRows = (chunk: Buffer) => {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) done += 1
    reporter.report({ phase: 'reading', done, total: null })
  }
  const take = (rows: Readable) => pipeline(rows.on('data', countRows), tx.client.query(from(copy)))
  reporter.report({ phase: 'reading', done, total: null })
  const report = await readInChildProcess(request, take, signal)
  await tx.query('analyze staging')
  return report
}

/** SQL condition on staged rows (s): the cell is blank. One that could not be read is null as well. */
export const isBlankCell = (field: string) =>
  `(s.${field} is null and (s.broken is null or '${field}' <> all(s.broken)))`

/**
 * Removes the rows with a cell that could not be read. Call it after the checks, which also look at their
 * other cells.
 */
export async function dropBrokenRows(tx: Tx): Promise<void> {
  await tx.query('delete from rejected r using staging s where s.row = r.row and s.broken is not null')
  await tx.query('delete from staging where broken is not null')
}
