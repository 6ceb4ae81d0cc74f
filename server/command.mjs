// `npm run backup` and its siblings: installs and builds what is missing, then runs the command.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkNode, root, install } from './install.mjs'

checkNode()
const { build, isBuilt } = await import('./build.mjs')
const wasBuilt = isBuilt()
install({ all: !wasBuilt })
if (!wasBuilt && !build({ quiet: true })) process.exit(1)
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(join(root, 'dist', 'server', 'command.js')).href)
