// `npm run bench`: builds the portal unless it is built from the sources as they are, and runs
// the bench with the arguments it was given.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, isBuilt } from '../server/build.mjs'
import { checkNode, install, root } from '../server/install.mjs'

checkNode()
install({ all: true })
if (!isBuilt() && !build({ quiet: true })) process.exit(1)
const program = ['--import', 'tsx', join(root, 'bench/run.ts'), ...process.argv.slice(2)]
process.exit(spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' }).status ?? 1)
