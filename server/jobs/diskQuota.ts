import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HttpError } from '../http/errors.ts'
import { tap } from './tap.ts'

/** The part of a user's quota that the files of one call use. */
export type QuotaUse = {
  /**
   * Called before so many bytes are written. Throws an HttpError: 429 when all files of the user would exceed
   * the quota, 507 when less of the disk is free than must stay free.
   */
  take(bytes: number): Promise<void>
  /** Gives the bytes back; called once the files are removed. */
  free(): void
}
/** Starts to count the bytes of one call of a user. */
export type DiskQuota = (user: string) => QuotaUse

type Settings = {
  folder: string
  /** Bytes that the files of one person may hold. */
  limit: number
  /** Megabytes of the disk that must stay free, or an embedded database stops. */
  freeDiskMb: number
  /** The sentence of the answer 429. */
  tooMany: string
}

/** Bytes of all users' files together after which the free space of the disk is looked up again. */
const roomInterval = 16_000_000

/** The megabytes that are free on the disk of a folder, rounded down. */
export async function freeMegabytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.floor((bavail * bsize) / 1e6)
}

/** A quota for the temporary files in a folder, of `limit` bytes for each user (operations 15). */
export function createDiskQuota({ folder, limit, freeDiskMb, tooMany }: Settings): DiskQuota {
  const heldBy = new Map<string, number>()
  let unchecked = roomInterval

  const add = (user: string, bytes: number) => {
    const now = (heldBy.get(user) ?? 0) + bytes
    if (now > 0) heldBy.set(user, now)
    else heldBy.delete(user)
    return now
  }
  /** While too little disk space is free, every further chunk checks again and is refused. */
  async function checkRoom(bytes: number) {
    unchecked += bytes
    if (unchecked < roomInterval) return
    if ((await freeMegabytes(folder)) < freeDiskMb) throw fullDiskError(freeDiskMb)
    unchecked = 0
  }

  return (user) => {
    let held = 0
    return {
      async take(bytes) {
        held += bytes
        if (add(user, bytes) > limit) throw new HttpError(429, tooMany, { retryAfter: 30 })
        await checkRoom(bytes)
      },
      free() {
        add(user, -held)
        held = 0
      },
    }
  }
}

/**
 * Writes a stream to a file that does not exist yet, within a quota. Resolves with the number of its bytes
 * and their SHA-256 in hex digits.
 * Throws what `take` throws.
 */
export async function writeHashed(
  from: Readable,
  path: string,
  quotaUse: QuotaUse,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const measure = (chunk: Buffer) => {
    hash.update(chunk)
    size += chunk.length
    return quotaUse.take(chunk.length)
  }
  await writeNewFile(from, measure, path)
  return { size, sha256: hash.digest('hex') }
}

/**
 * Writes a stream to a file that does not exist yet and that its owner alone may read; each chunk is given to
 * `see` before. Settles once the file is closed: a stream that failed may still be creating its file, which
 * would stay if it was removed before.
 */
export async function writeNewFile(
  from: Readable,
  see: (chunk: Buffer) => Promise<void>,
  path: string,
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    const seen = (chunks: AsyncIterable<Buffer>) => tap(chunks, see)
    await pipeline(from, seen, file)
  } finally {
    await closed
  }
}

/** The answer (507) while less of the disk is free than `freeDiskMb` megabytes. */
export const fullDiskError = (freeDiskMb: number) => {
  const free = formatMegabytes(freeDiskMb)
  return new HttpError(
    507,
    `The server has no room for the file: ${free} of its disk must stay free. Please tell an administrator.`,
  )
}

/** '1,000 MB' of 1000. */
export const formatMegabytes = (megabytes: number) => `${megabytes.toLocaleString('en-US')} MB`
/** '1,000 MB' of 1,000,000,000 bytes. */
export const megabytesOf = (bytes: number) => formatMegabytes(Math.floor(bytes / 1_000_000))
