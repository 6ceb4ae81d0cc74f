// Plain JavaScript on Node alone: what runs before any package is there.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const home = dirname(dirname(fileURLToPath(import.meta.url)))

/** Ends with a sentence when this Node is older than package.json asks for. */
export function checkNode() {
  const wanted = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [least, leastMinor] = wanted.split('.').map(Number)
  if (major > least || (major === least && minor >= leastMinor)) return
  process.stderr.write(
    `The portal needs Node ${wanted} or newer; this is ${process.versions.node}: see https://nodejs.org\n`,
  )
  process.exit(1)
}

/** Installs what package-lock.json names and node_modules lacks. Packages for development count only when `all`. */
export function install({ all }) {
  if (isInstalled(all)) return
  process.stdout.write('Installing the packages; once, and it may take a minute ...\n')
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })
    : spawnSync('npm', args, {
        cwd: home,
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      })
  if (status === 0) return
  process.stderr.write(
    'The packages could not be installed: npm says why above. The first start needs the network\n',
  )
  process.exit(1)
}

/** npm keeps a second lock file of what it installed. */
function isInstalled(all) {
  const found = join(home, 'node_modules', '.package-lock.json')
  if (!existsSync(found)) return false
  const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = packages(found)
  return Object.entries(packages(join(home, 'package-lock.json'))).every(
    ([name, { version, optional, dev, devOptional }]) =>
      name === '' ||
      installed[name]?.version === version ||
      (!installed[name] && (optional || devOptional || (dev && !all))),
  )
}
