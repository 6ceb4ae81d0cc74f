// `npm start`: on a fresh clone with nothing but Node, installs and builds what is missing, then becomes the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkNode, home, install } from './install.mjs'

checkNode()
const { build, isBuilt } = await import('./build.mjs')
const built = isBuilt()
install({ all: !built })
if (!built) {
  process.stdout.write('Building the portal; this takes about half a minute ...\n')
  if (!build({ quiet: true })) process.exit(1)
}
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(join(home, 'dist', 'server', 'main.js')).href)
