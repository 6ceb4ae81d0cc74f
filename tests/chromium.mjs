// Finds a Chromium for the tests that look at real pages, and installs one where there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** The path of a Chromium, or null when there is none and none could be installed. */
export function findChromium() {
  return found() ?? (installWithApt() ? found() : null) ?? (installWithPlaywright() ? found() : null)
}

function found() {
  const known = places.flatMap((place) => names.map((name) => join(place, name)))
  return [process.env.CHROMIUM, ...known, mac, fromPlaywright()].find((path) => path && existsSync(path)) ?? null
}

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } }).status === 0

function installWithApt() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  process.stdout.write('Installing Chromium ...\n')
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  return run('apt-get', ['-qq', 'update'], quiet) && run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'], quiet)
}

function installWithPlaywright() {
  process.stdout.write('Installing Chromium from Playwright ...\n')
  return run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'])
}

/** Asked of a process of its own, for the package may have been installed a moment ago. */
function fromPlaywright() {
  const ask = `import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))`
  return spawnSync(process.execPath, ['--input-type=module', '-e', ask], { encoding: 'utf8' }).stdout?.trim()
}
