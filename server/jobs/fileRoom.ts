import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HttpError } from '../http/errors.ts'

/** What the files of one call hold of the disk. */
export type HeldRoom = {
  /**
   * Called before so many bytes are written. Throws an HttpError: 429 when the user's files would hold more
   * than one person may, 507 when less of the disk is free than must stay so.
   */
  take(bytes: number): Promise<void>
  /** Called once the files are removed. */
  free(): void
}
/** Begins to count what a call of a user holds. */
export type FileRoom = (user: string) => HeldRoom

type Settings = {
  folder: string
  /** Bytes that the files of one person may hold. */
  limit: number
  /** Megabytes of the disk that must stay free, or an embedded database stops. */
  freeDiskMb: number
  /** The sentence of the answer 429. */
  tooMany: string
}

/** Bytes, of all files together, after which the room on the disk is checked again. */
const roomInterval = 16_000_000

/** The megabytes that are free on the disk of a folder, rounded down. */
export async function freeMegabytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.floor((bavail * bsize) / 1e6)
}

/** Counts the bytes of temporary files in a folder, for each user (operations 15). */
export function createFileRoom({ folder, limit, freeDiskMb, tooMany }: Settings): FileRoom {
  const heldBy = new Map<string, number>()
  let unchecked = roomInterval

  const add = (user: string, bytes: number) => {
    const now = (heldBy.get(user) ?? 0) + bytes
    if (now > 0) heldBy.set(user, now)
    else heldBy.delete(user)
    return now
  }
  /** While there is no room, each further chunk of any file looks again and is refused. */
  async function checkRoom(bytes: number) {
    unchecked += bytes
    if (unchecked < roomInterval) return
    if ((await freeMegabytes(folder)) < freeDiskMb) throw noRoom(freeDiskMb)
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
 * Writes a stream to a file that does not exist yet, within the room; answers its bytes and their SHA-256.
 * Throws what `room.take` throws.
 */
export async function writeHashed(
  from: Readable,
  path: string,
  room: HeldRoom,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      await room.take(chunk.length)
      yield chunk
    }
  }
  await pipeline(from, measure, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  return { size, sha256: hash.digest('hex') }
}

export const noRoom = (freeDiskMb: number) => {
  const free = formatMegabytes(freeDiskMb)
  return new HttpError(507, `The server has no room for the file: ${free} of its disk must stay free.`)
}

/** '1,000 MB' of 1000. */
export const formatMegabytes = (megabytes: number) => `${megabytes.toLocaleString('en-US')} MB`
/** '1,000 MB' of 1,000,000,000 bytes. */
export const megabytesOf = (bytes: number) => formatMegabytes(Math.floor(bytes / 1_000_000))
