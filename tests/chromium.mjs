// Finds a Chromium for the tests that look at real pages, and installs one where there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

/** The shell draws no window around its pages, and takes a quarter less time. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** The path of a Chromium, or null when there is none and none could be installed. */
export function findChromium() {
  return found() ?? (installWithApt() ? found() : null) ?? (installWithPlaywright() ? found() : null)
}

function found() {
  const known = names.flatMap((name) => places.map((place) => join(place, name)))
  const isThere = (path) => path && existsSync(path)
  return [process.env.CHROMIUM, ...known, mac].find(isThere) ?? [fromPlaywright()].find(isThere) ?? null
}

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } })
    .status === 0

function installWithApt() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  process.stdout.write('Installing Chromium ...\n')
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  const get = (name) =>
    run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', name, 'fonts-liberation'], quiet)
  return run('apt-get', ['-qq', 'update'], quiet) && (get(shell) || get('chromium'))
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

/** The vitest projects whose tests start Chromium. */
const browserProjects = ['browser', 'chromium-walks']

/**
 * Whether vitest called with these arguments may run a test that starts Chromium. Projects decide where they
 * are named, since only their files run; file filters do otherwise.
 */
export function needsBrowser(args) {
  const isProject = (at) => args[at - 1] === '--project' || args[at].startsWith('--project=')
  const projects = args.filter((_, at) => isProject(at)).map((arg) => arg.replace('--project=', ''))
  if (projects.length > 0) return projects.some((name) => /[*!]/.test(name) || browserProjects.includes(name))
  const files = args.filter((arg) => !arg.startsWith('-'))
  return (
    files.length === 0 || files.some((file) => !/^tests\/(?!browser|walks\/?$|walks\/chromium)./.test(file))
  )
}

// Beside the packages, which the other ways of installing one would need.
if (import.meta.url === pathToFileURL(argv[1] ?? '').href) process.exit(found() || installWithApt() ? 0 : 1)
