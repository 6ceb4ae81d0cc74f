import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Program, stopProgram } from './programs.ts'

/** The version that is compared with; others answer and cost otherwise. */
const version = '11.3.5'
const token = 'directus-of-the-bench'
export const directusHeaders = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

const cliOf = (folder: string) => join(folder, 'node_modules/directus/cli.js')

/** Why Directus is not compared with; null where it is in the folder. */
export function whyNoDirectus(folder: string | undefined): string | null {
  if (folder === undefined)
    return `Directus is not compared with: give --directus a folder that has directus@${version}`
  if (!existsSync(cliOf(folder)))
    return `Directus is not compared with: ${folder} has no node_modules/directus`
  const manifest = join(folder, 'node_modules/directus/package.json')
  const found = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
  return found === version ? null : `Directus is not compared with: ${found} is in ${folder}, not ${version}`
}

const freePort = () =>
  new Promise<number>((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(port))
    })
  })

/** Starts Directus on the database, beside whose tables it makes its own. */
export async function startDirectus(folder: string, url: string): Promise<Program> {
  const env = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    KEY: 'bench',
    SECRET: 'secret of the bench',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'nine tall green lanterns',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    TELEMETRY: 'false',
    LOG_STYLE: 'raw',
    RATE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
    EXTENSIONS_PATH: join(folder, 'extensions'),
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
  }
  const cli = cliOf(folder)
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'bootstrap'], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Directus did not prepare its tables: ${stderr || stdout}`)
  // What it prints when it listens depends on its logger, so it is asked until it answers.
  const child = spawn(process.execPath, [cli, 'start'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const address = `http://127.0.0.1:${env.PORT}`
  while (!(await fetch(`${address}/server/ping`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('Directus ended before it listened')
    await new Promise((next) => setTimeout(next, 200))
  }
  return { address, pid: child.pid!, stop: () => stopProgram(child) }
}
