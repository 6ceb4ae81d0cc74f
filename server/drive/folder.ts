import { createHmac } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { folderType, type DriveNode } from '../../schemas/api/drive.ts'
import { HttpError } from '../http/errors.ts'
import { cachedScan, missingFile, type Drive, type DriveFile, type Scan } from './drive.ts'
import { mimeTypeOf } from './mimeTypes.ts'

/** Hidden files, and names that are no text: such bytes cannot be asked for again. */
const isLeftOut = (name: string) => name.startsWith('.') || name.includes('\uFFFD')

/**
 * The files below a folder. Symbolic links are neither shown nor followed. An id is a keyed hash of the path inside the
 * folder, and only what a scan has found has one: there is no path in it that could lead elsewhere. `isOurs`: the folder
 * is the portal's own, and is made when it is not there.
 */
export function folderDrive({
  folder,
  isOurs,
  secret,
}: {
  folder: string
  isOurs: boolean
  secret: Buffer
}): Drive {
  const idOf = (path: string) =>
    createHmac('sha256', secret).update(`shared drive\0${path}`).digest('base64url').slice(0, 32)

  const scan = async (): Promise<Scan<string>> => {
    const files = new Map<string, string>()
    const read = async (path: string): Promise<DriveNode[]> => {
      const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          // Removed since its parent was read, or closed to the portal: nothing to show there.
          if (path !== '' && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) return []
          throw error
        },
      )
      const nodeOf = async (entry: Dirent): Promise<DriveNode | null> => {
        const { name } = entry
        const inner = path === '' ? name : `${path}/${name}`
        const id = idOf(inner)
        if (entry.isDirectory())
          return { id, name, mimeType: folderType, size: null, modified: null, children: await read(inner) }
        const known = entry.isFile() ? await lstat(join(folder, inner)).catch(() => null) : null
        if (!known?.isFile()) return null
        files.set(id, inner)
        return {
          id,
          name,
          mimeType: mimeTypeOf(name),
          size: known.size,
          modified: Math.floor(known.mtimeMs / 1000),
          children: [],
        }
      }
      const nodes = await Promise.all(entries.filter(({ name }) => !isLeftOut(name)).map(nodeOf))
      return nodes.filter((node) => node !== null)
    }
    if (isOurs) await mkdir(folder, { recursive: true })
    try {
      return { nodes: await read(''), files }
    } catch {
      throw new HttpError(
        503,
        'The folder of the shared drive cannot be read at the moment. Please try again later.',
        { retryAfter: 10 },
      )
    }
  }

  const index = cachedScan(scan)
  return {
    tree: index.tree,
    async open(id) {
      const path = await index.find(id)
      const handle = await openInside(folder, path)
      const { size, mtimeMs } = await handle.stat()
      const name = path.split('/').at(-1)!
      return {
        name,
        mimeType: mimeTypeOf(name),
        size,
        etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
        ...reading(handle, size),
      }
    },
  }
}

/** Opens a file whose path has no symbolic link anywhere below the folder; throws a 404 otherwise. */
async function openInside(folder: string, path: string): Promise<FileHandle> {
  const full = join(folder, path)
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  )
  if (!handle) throw missingFile()
  try {
    const [mine, there, real, root] = await Promise.all([
      handle.stat(),
      lstat(full),
      realpath(full),
      realpath(folder),
    ])
    if (mine.isFile() && mine.ino === there.ino && mine.dev === there.dev && real === join(root, path))
      return handle
  } catch {
    // Gone meanwhile: the same answer.
  }
  await handle.close()
  throw missingFile()
}

const reading = (handle: FileHandle, size: number): Pick<DriveFile, 'read' | 'close'> => ({
  async read(span): Promise<Readable> {
    // Never more than was announced, even if the file grows meanwhile.
    const end = span?.end ?? size - 1
    if (end >= 0) return handle.createReadStream({ start: span?.start ?? 0, end })
    await handle.close()
    return Readable.from([])
  },
  close: () => handle.close(),
})
