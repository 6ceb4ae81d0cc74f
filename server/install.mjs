// Runs before any package is installed: plain JavaScript that uses Node alone.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Exits with a sentence when this Node is older than the one package.json requires. */
export function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const required = engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [minMajor, minMinor] = required.split('.').map(Number)
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  process.stderr.write(
    `The portal needs Node ${required} or newer; this is ${process.versions.node}: see https://nodejs.org\n`,
  )
  process.exit(1)
}

/**
 * Installs the packages of package-lock.json unless all are installed. Packages for development count only
 * with `all`.
 */
export function install({ all }) {
  if (isInstalled(all)) return
  process.stdout.write('Installing the packages; once, and it may take a minute ...\n')
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    : spawnSync('npm', args, {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      })
  if (status === 0) return
  process.stderr.write(
    'The packages could not be installed: npm says why above. The first start needs the network\n',
  )
  process.exit(1)
}

/** Compares package-lock.json with the lock file that npm writes into node_modules. */
function isInstalled(all) {
  const found = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(found)) return false
  const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = packages(found)
  return Object.entries(packages(join(root, 'package-lock.json'))).every(
    ([name, { version, optional, dev, devOptional }]) =>
      name === '' ||
      installed[name]?.version === version ||
      (!installed[name] && (optional || devOptional || (dev && !all))),
  )
}
