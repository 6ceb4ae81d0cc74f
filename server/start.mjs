// `npm start`: on a fresh clone with nothing but Node, installs and builds what is missing, then becomes the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkNode, home, install } from './install.mjs'

checkNode()
const { build, isBuilt } = await import('./build.mjs')
const built = isBuilt()
install({ all: !built })
if (!built) {
  process.stdout.write('Building the portal ...\n')
  if (!build({ quiet: true })) process.exit(1)
}
// Told to end, npm ends its shell and not what runs in it.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref()
}
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(join(home, 'dist', 'server', 'main.js')).href)
