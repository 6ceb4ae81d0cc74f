import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defaultImportLimits as standard } from '../config/importLimits.ts'
import { HttpError } from '../http/errors.ts'
import { stageAndCheck, type Upload } from './importFile.ts'
import { cancellable } from './process/cancellation.ts'
import { readInChildProcess } from './process/child.ts'
import { createProgressReporter } from './process/progress.ts'
import type { RejectedRowsOptions } from './rows/rejectedWriter.ts'

const contentTypes: Record<RejectedRowsOptions['format'], string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
}
const formatOfName = (filename: string) =>
  filename.slice(filename.lastIndexOf('.') + 1) as RejectedRowsOptions['format']
export const contentTypeOf = (filename: string) => contentTypes[formatOfName(filename)]

/** Why the database rejects rows that can be read, all of them. */
async function findReasons(
  upload: Upload,
): Promise<{ reasons: RejectedRowsOptions['reasons']; unreadable: number }> {
  const { db, kind, signal } = upload
  const teller = createProgressReporter(db, null, kind, null)
  return db.transaction((tx) =>
    cancellable(db, tx, signal, async (stoppable) => {
      const { report, faults } = await stageAndCheck(stoppable, upload, teller, null)
      const reasons = faults
        .slice(1)
        .flatMap(({ rows }) => rows.map(({ row, message }): [number, string] => [row ?? 0, message]))
      return { reasons, unreadable: report.rejected }
    }),
  )
}

/**
 * Writes the rows of a file that would be rejected, with the reasons, in the format of the file. `send` gets the
 * stream once it is known that there is something in it. Throws a Refusal (422) when there is not, or the file cannot be read.
 */
export async function writeRejectedFile(upload: Upload, send: (rows: PassThrough) => unknown): Promise<void> {
  const { reasons, unreadable } = await findReasons(upload)
  if (reasons.length + unreadable === 0) throw new HttpError(422, 'No row of this file is rejected')
  const { kind, path, filename, signal, limits = standard } = upload
  const out = new PassThrough()
  send(out)
  try {
    await readInChildProcess(
      { kind, path, filename, limits, rejectedRows: { format: formatOfName(filename), reasons } },
      (rows) => pipeline(rows, out),
      signal,
    )
  } catch (error) {
    // The answer has begun: cutting it off is all that is left to say.
    out.destroy(error as Error)
  }
}
