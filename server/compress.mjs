// Lays a .br and a .gz beside each file of dist/portal that gains from it, so that the server never compresses while it serves.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { home } from './install.mjs'

const textual = /\.(html|js|css|svg|json|txt|webmanifest|ico|ttf)$/
const least = 500

const portal = join(home, 'dist', 'portal')
const files = readdirSync(portal, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && textual.test(entry.name) && !entry.parentPath.includes('.vite'))
  .map((entry) => join(entry.parentPath, entry.name))

await Promise.all(
  files.map(async (file) => {
    const plain = readFileSync(file)
    if (plain.length < least) return
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
    const packed = await Promise.all([
      promisify(brotliCompress)(plain, { params }),
      promisify(gzip)(plain, { level: 9 }),
    ])
    for (const [at, ending] of ['.br', '.gz'].entries())
      if (packed[at].length < plain.length) writeFileSync(file + ending, packed[at])
  }),
)
