import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HttpError } from '../../http/errors.ts'
import { formatMegabytes, freeMegabytes } from '../../jobs/diskQuota.ts'

/**
 * Throws HttpError 507 when the disk has less free space than three times the file and `reserveMb`
 * (imports 24): the rows are written to a staging table, to their table, and to the log of the database,
 * which stops when its disk is full.
 */
export async function checkDiskSpace(path: string, reserveMb: number): Promise<void> {
  const { size } = await stat(path)
  const neededMb = Math.ceil((3 * size) / 1e6) + reserveMb
  const freeMb = await freeMegabytes(dirname(path))
  if (freeMb >= neededMb) return
  const reason =
    `importing it needs ${formatMegabytes(neededMb)} of free disk and ` +
    `${formatMegabytes(freeMb)} are left`
  throw new HttpError(507, `The server has no room for the file: ${reason}. Nothing was stored.`)
}
