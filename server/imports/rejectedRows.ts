import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defaultImportLimits } from '../config/importLimits.ts'
import { HttpError } from '../http/errors.ts'
import type { FileFormat } from './formats/detect.ts'
import { stageAndCheck, type Upload } from './importFile.ts'
import { cancellable } from './process/cancellation.ts'
import { readInChildProcess } from './process/child.ts'
import { createProgressReporter } from './process/progress.ts'
import type { RejectedRowsOptions } from './rows/rejectedWriter.ts'

const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
}
const formatOfName = (filename: string) => filename.slice(filename.lastIndexOf('.') + 1) as FileFormat
/** The content type of a file by the ending of its name. */
export const contentTypeOf = (filename: string) => contentTypes[formatOfName(filename)]

/** All reasons for which the database rejects rows, and the number of rows that could not be read. */
async function findReasons(
  upload: Upload,
): Promise<{ reasons: RejectedRowsOptions['reasons']; unreadable: number }> {
  const { db, kind, signal } = upload
  const reporter = createProgressReporter(db, null, kind, null)
  return db.transaction((tx) =>
    cancellable(db, tx, signal, async (cancellableTx) => {
      const { report, faults } = await stageAndCheck(cancellableTx, upload, reporter, null)
      const [, ...checkFaults] = faults
      const reasons = checkFaults.flatMap(({ rows }) =>
        rows.map(({ row, message }): [number, string] => [row ?? 0, message]),
      )
      return { reasons, unreadable: report.rejected }
    }),
  )
}

/**
 * Writes the fix file of a file (imports 23). `send` gets the stream once it is known that rows are rejected.
 * Throws HttpError 422 when none is, or the file cannot be read.
 */
export async function writeRejectedFile(upload: Upload, send: (rows: PassThrough) => unknown): Promise<void> {
  const { reasons, unreadable } = await findReasons(upload)
  if (reasons.length + unreadable === 0) throw new HttpError(422, 'No row of this file is rejected')
  const { kind, path, filename, signal, limits = defaultImportLimits } = upload
  const out = new PassThrough()
  send(out)
  try {
    await readInChildProcess(
      { kind, path, filename, limits, rejectedRows: { format: formatOfName(filename), reasons } },
      (rows) => pipeline(rows, out),
      signal,
    )
  } catch (error) {
    // The answer has begun, so an error can only cut it off.
    out.destroy(error as Error)
  }
}
