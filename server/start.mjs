// `npm start`: installs and builds what is missing, which needs nothing but Node, then runs the server in
// this process.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkNode, root, install } from './install.mjs'

checkNode()
const { build, isBuilt } = await import('./build.mjs')
const wasBuilt = isBuilt()
install({ all: !wasBuilt })
if (!wasBuilt) {
  process.stdout.write('Building the portal ...\n')
  if (!build({ quiet: true })) process.exit(1)
}
// When npm is ended it ends its shell, but not the processes of that shell.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref()
}
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(join(root, 'dist', 'server', 'main.js')).href)
