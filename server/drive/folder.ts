import { createHmac } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { folderType, type DriveNode } from '../../schemas/api/drive.ts'
import { HttpError } from '../http/errors.ts'
import { cachedScan, missingFile, type Drive, type DriveFile, type Scan } from './drive.ts'
import { mimeTypeOf } from './mimeTypes.ts'

/** Hidden files, and names whose bytes are no text and could not be opened again by the decoded name. */
const isLeftOut = (name: string) => name.startsWith('.') || name.includes('\uFFFD')

type FolderOptions = { folder: string; createIfMissing: boolean; secret: Buffer }

/**
 * The files below a folder (drive 6). Symbolic links are neither shown nor followed. An id is a keyed hash of
 * the path inside the folder, and only a path that a scan has found is opened.
 */
export function folderDrive({ folder, createIfMissing, secret }: FolderOptions): Drive {
  const idOf = (path: string) =>
    createHmac('sha256', secret).update(`shared drive\0${path}`).digest('base64url').slice(0, 32)

  const scanned = cachedScan(async () => {
    if (createIfMissing) await mkdir(folder, { recursive: true })
    return scanFolder(folder, idOf)
  })
  return {
    tree: scanned.tree,
    async open(id) {
      const path = await scanned.find(id)
      const handle = await openInside(folder, path)
      const { size, mtimeMs } = await handle.stat()
      const name = path.split('/').at(-1)!
      return {
        name,
        mimeType: mimeTypeOf(name),
        size,
        etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
        ...contentReader(handle, size),
      }
    },
  }
}

/**
 * The tree below a folder, and the path of each file by its id. Throws an HttpError (503) if it cannot be
 * read.
 */
async function scanFolder(folder: string, idOf: (path: string) => string): Promise<Scan<string>> {
  const files = new Map<string, string>()

  const readFolder = async (path: string): Promise<DriveNode[]> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        // A folder that was removed since its parent was read, or is closed to the portal, counts as empty.
        if (path !== '' && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) return []
        throw error
      },
    )
    const nodes = await Promise.all(
      entries.filter(({ name }) => !isLeftOut(name)).map((entry) => readEntry(path, entry)),
    )
    return nodes.filter((node) => node !== null)
  }

  const readEntry = async (parent: string, entry: Dirent): Promise<DriveNode | null> => {
    const { name } = entry
    const path = parent === '' ? name : `${parent}/${name}`
    const id = idOf(path)
    if (entry.isDirectory())
      return { id, name, mimeType: folderType, size: null, modified: null, children: await readFolder(path) }
    const stats = entry.isFile() ? await lstat(join(folder, path)).catch(() => null) : null
    if (!stats?.isFile()) return null
    files.set(id, path)
    const modified = Math.floor(stats.mtimeMs / 1000)
    return { id, name, mimeType: mimeTypeOf(name), size: stats.size, modified, children: [] }
  }

  try {
    return { nodes: await readFolder(''), files }
  } catch {
    throw new HttpError(
      503,
      'The folder of the shared drive cannot be read at the moment. Please try again later.',
      { retryAfter: 10 },
    )
  }
}

/**
 * Opens a file whose path has no symbolic link anywhere below the folder; throws an HttpError (404)
 * otherwise.
 */
async function openInside(folder: string, path: string): Promise<FileHandle> {
  const full = join(folder, path)
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  )
  if (!handle) throw missingFile()
  try {
    const [opened, atPath, real, root] = await Promise.all([
      handle.stat(),
      lstat(full),
      realpath(full),
      realpath(folder),
    ])
    const isSame = opened.ino === atPath.ino && opened.dev === atPath.dev
    if (opened.isFile() && isSame && real === join(root, path)) return handle
  } catch {
    // The file was removed after it was opened: answered like one that was never there.
  }
  await handle.close()
  throw missingFile()
}

const contentReader = (handle: FileHandle, size: number): Pick<DriveFile, 'read' | 'close'> => ({
  async read(range): Promise<Readable> {
    // Bounded by the size of the headers, even if the file grows meanwhile.
    const end = range?.end ?? size - 1
    if (end >= 0) return handle.createReadStream({ start: range?.start ?? 0, end })
    await handle.close()
    return Readable.from([])
  },
  close: () => handle.close(),
})
