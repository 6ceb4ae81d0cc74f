import type { Readable } from 'node:stream'
import type { DriveNode } from '../../schemas/api/drive.ts'
import { notFound } from '../http/errors.ts'
import type { ByteRange } from '../http/fileResponse.ts'

export type DriveFile = {
  name: string
  mimeType: string
  /** Bytes; null when it is not known before the last one. Such a file has no spans. */
  size: number | null
  /** Changes whenever the content does. */
  etag: string
  /** To be called once. */
  read(span: ByteRange | null, signal: AbortSignal): Promise<Readable>
  /** For who does not read. */
  close?(): Promise<void>
}
/** Where the files of the shared drive come from. */
export type Drive = {
  tree(): Promise<DriveNode[]>
  /** Throws a 404 for what is not in the tree, whatever else the id may mean elsewhere. */
  open(id: string): Promise<DriveFile>
}

export const missingFile = () => notFound('file')

/** How long, in milliseconds, a tree is trusted to hold a file, and how soon after it was read a missing id is looked for again. */
const cacheLifetime = 30_000
const minRescanInterval = 2_000

/** What a scan found: the nodes, and how to open each file by its id. */
export type Scan<F> = { nodes: DriveNode[]; files: ReadonlyMap<string, F> }

/** Remembers the newest scan. Those who ask while one is under way share it. */
export function cachedScan<F>(scan: () => Promise<Scan<F>>, now: () => number = Date.now) {
  let latest: { found: Scan<F>; at: number } | null = null
  let running: Promise<Scan<F>> | null = null
  const fresh = () =>
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
    tree: async () => (await fresh()).nodes,
    async find(id: string): Promise<F> {
      const known = age() < cacheLifetime ? latest!.found.files.get(id) : undefined
      if (known !== undefined) return known
      const found = age() < minRescanInterval ? latest!.found : await fresh()
      const file = found.files.get(id)
      if (file === undefined) throw missingFile()
      return file
    },
  }
}
