// `npm run test:faults`: installs and builds what is missing, then runs tests/durability/run.ts, which says more.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, isBuilt } from '../../server/build.mjs'
import { checkNode, install, root } from '../../server/install.mjs'
import { findChromium } from '../chromium.mjs'

checkNode()
install({ all: true })
if (!isBuilt() && !build({ quiet: true })) process.exit(1)
const chromium = findChromium()
const env = { ...process.env, TEST_BUILT: '1', ...(chromium && { CHROMIUM: chromium }) }
const script = join(root, 'tests/durability/run.ts')
const args = ['node_modules/tsx/dist/cli.mjs', script, ...process.argv.slice(2)]
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1)
