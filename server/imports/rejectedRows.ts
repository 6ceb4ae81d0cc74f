import type { Readable } from 'node:stream'
import { defaultImportLimits } from '../config/importLimits.ts'
import { HttpError } from '../http/errors.ts'
import type { Download, Downloads } from '../jobs/downloads.ts'
import { createProgressReporter } from '../jobs/progress.ts'
import type { FileFormat } from './formats/detect.ts'
import { mappingsOf, stageAndCheck, type Upload } from './importFile.ts'
import { cancellable } from './process/cancellation.ts'
import { readInChildProcess } from './process/child.ts'
import { inUploadTurn } from './process/turns.ts'
import type { RejectedRowsOptions } from './rows/rejectedWriter.ts'

const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
}
const formatOfName = (filename: string) => filename.slice(filename.lastIndexOf('.') + 1) as FileFormat
/** The content type of a file by the ending of its name. */
export const contentTypeOf = (filename: string) => contentTypes[formatOfName(filename)]

/**
 * All reasons for which the database rejects rows, the number of rows that could not be read, and whether
 * anything could not be read or differs, totals among it.
 */
async function findReasons(
  upload: Upload,
): Promise<{ reasons: RejectedRowsOptions['reasons']; unreadable: number; differs: boolean }> {
  const { db, kind, signal } = upload
  const reporter = createProgressReporter({ db, job: null, kind, userid: null })
  return db.transaction((tx) =>
    cancellable(db, tx, signal, async (cancellableTx) => {
      const { report, faults } = await stageAndCheck(cancellableTx, upload, reporter, null)
      const [, ...checkFaults] = faults
      const reasons = checkFaults.flatMap(({ rows }) =>
        rows.map(({ row, message }): [number, string] => [row ?? 0, message]),
      )
      return { reasons, unreadable: report.rejected, differs: report.faulty > 0 }
    }),
  )
}

const onlyTotals = ': its own totals differ from its rows, and a fix file has none'

/**
 * Writes the fix file of a file (imports 23), when it is the user's turn. Throws HttpError 422 when no row is
 * rejected, or the file cannot be read.
 */
export function writeRejectedFile(upload: Upload, downloads: Downloads): Promise<Download> {
  const { kind, path, filename, sender, signal, limits = defaultImportLimits } = upload
  const write = async (current: Upload) => {
    const { reasons, unreadable, differs } = await findReasons(current)
    if (reasons.length + unreadable === 0)
      throw new HttpError(422, `No row of this file is rejected${differs ? onlyTotals : ''}`)
    const rejectedRows = { format: formatOfName(filename), reasons }
    let file: Download | undefined
    const take = async (rows: Readable) => {
      file = await downloads.write(sender.username, rows, signal)
    }
    try {
      const mappings = await mappingsOf(upload.db, upload)
      await readInChildProcess({ kind, path, filename, limits, rejectedRows, mappings }, take, signal)
      return file!
    } catch (error) {
      await file?.remove()
      throw error
    }
  }
  return inUploadTurn(upload, write)
}
