import type { Readable } from 'node:stream'
import type { DriveNode } from '../../schemas/api/drive.ts'
import { HttpError } from '../http/errors.ts'
import type { ByteRange } from '../http/fileResponse.ts'

export type DriveFile = {
  name: string
  mimeType: string
  /** Bytes; null when it is known only after the last one. Ranges of such a file cannot be read. */
  size: number | null
  /** Changes whenever the content does. */
  etag: string
  /** May be called once. */
  read(range: ByteRange | null, signal: AbortSignal): Promise<Readable>
  /** Releases the file when `read` is not called or fails. */
  close?(): Promise<void>
}
/** Where the files of the shared drive come from. */
export type Drive = {
  tree(): Promise<DriveNode[]>
  /** Throws an HttpError (404) for what is not in the tree (drive 5). */
  open(id: string): Promise<DriveFile>
}

export const missingFile = () =>
  new HttpError(
    404,
    'This file is not in the shared drive. It may have been removed or renamed since its list was read',
  )

/** Milliseconds for which an id is looked up in the last scan (drive 5). */
const cacheLifetime = 30_000
/** Milliseconds after a scan before an id that it lacks causes another one. */
const minRescanInterval = 2_000

/** What a scan found: the nodes, and how to open each file by its id. */
export type Scan<F> = { nodes: DriveNode[]; files: ReadonlyMap<string, F> }

/** Keeps the newest scan. Calls during a scan share it. `forget` has the next call make another one. */
export function cachedScan<F>(scan: () => Promise<Scan<F>>, now: () => number = Date.now) {
  let latest: { found: Scan<F>; at: number } | null = null
  let running: Promise<Scan<F>> | null = null
  const rescan = () =>
    (running ??= scan()
      .then((found) => {
        latest = { found, at: now() }
        return found
      })
      .finally(() => {
        running = null
      }))
  const age = () => (latest ? now() - latest.at : Number.POSITIVE_INFINITY)
  return {
    tree: async () => (await rescan()).nodes,
    forget: () => void (latest = null),
    async find(id: string): Promise<F> {
      const known = age() < cacheLifetime ? latest!.found.files.get(id) : undefined
      if (known !== undefined) return known
      const found = age() < minRescanInterval ? latest!.found : await rescan()
      const file = found.files.get(id)
      if (file === undefined) throw missingFile()
      return file
    },
  }
}
