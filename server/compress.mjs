// Writes a .br and a .gz beside each file of dist/portal that becomes smaller, so that the server need not
// compress answers.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from './install.mjs'

const compressible = /\.(html|js|css|svg|json|txt|webmanifest|ico|ttf)$/
const minBytes = 500

const portal = join(root, 'dist', 'portal')
const files = readdirSync(portal, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && compressible.test(entry.name) && !entry.parentPath.includes('.vite'))
  .map((entry) => join(entry.parentPath, entry.name))

await Promise.all(
  files.map(async (file) => {
    const content = readFileSync(file)
    if (content.length < minBytes) return
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    const compressed = await Promise.all([
      promisify(brotliCompress)(content, { params }),
      promisify(gzip)(content, { level: 9 }),
    ])
    for (const [at, extension] of ['.br', '.gz'].entries())
      if (compressed[at].length < content.length) writeFileSync(file + extension, compressed[at])
  }),
)
