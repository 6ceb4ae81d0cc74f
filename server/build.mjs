// Builds the portal into dist/portal and the server into dist/server, unless dist/ was built from the same
// sources.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

const sources = [
  'schemas',
  'machines',
  'src',
  'server',
  'vite-plugins',
  'vite.config.ts',
  'vite.server.config.ts',
  'package-lock.json',
]
const fingerprintFile = join(root, 'dist', 'built-from')

/** Whether dist/ was built from the sources as they are now. */
export const isBuilt = () =>
  existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === fingerprint()

/** Builds dist/. False when a step fails; its output is then on stderr. */
export function build({ quiet = false } = {}) {
  rmSync(fingerprintFile, { force: true })
  const from = fingerprint()
  const steps = [
    ['node_modules/vite/bin/vite.js', 'build'],
    ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.server.config.ts'],
    ['server/compress.mjs'],
  ]
  for (const step of steps) {
    const env = { ...process.env, NODE_ENV: 'production' }
    const { status, stdout, stderr } = spawnSync(process.execPath, step, {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: quiet ? 'pipe' : 'inherit',
    })
    if (status === 0) continue
    if (quiet) process.stderr.write(`${stdout}${stderr}`)
    process.stderr.write(`The build failed: node ${step.join(' ')}\n`)
    return false
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(fingerprintFile, from)
  return true
}

/** A hash of the contents of the sources; a checkout or a copy changes their times but not their contents. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((name) => filesOf(name)))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function filesOf(name) {
  const path = join(root, name)
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [name]
  return readdirSync(path)
    .sort()
    .flatMap((entry) => filesOf(`${name}/${entry}`))
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) process.exit(build() ? 0 : 1)
