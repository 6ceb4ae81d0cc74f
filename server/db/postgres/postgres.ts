import { createHmac, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { cacheMegabytes, machineMemory } from './cacheSize.ts'
import { createDataFolder } from './create.ts'
import { writeSecret } from './durable.ts'
import { readPidFile, refuseLiveCopy, stopLeftoverServer } from './leftover.ts'
import { acquireLock } from './lock.ts'
import { isServerOf } from './process.ts'
import { superviseServer } from './server.ts'

/** `url` signs in as the owner, `runtimeUrl` as the role of the running portal (operations 13). */
export type Postgres = { url: string; runtimeUrl: string; stop(): Promise<void> }

const superuser = 'portal'
/** The role of the running portal, which owns nothing. */
const runtimeRole = 'portal_runtime'
const database = 'portal'
/** The longest path of a Unix socket (104 bytes on macOS) less the file name; deeper folders use loopback. */
const maxSocketFolderBytes = 85

const defaultSettings = {
  shared_buffers: `${cacheMegabytes(machineMemory())}MB`,
  max_connections: '50',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Errors of statements go to the portal; in the server's log they would hold people's data (operations 9).
  log_min_messages: 'log',
}

/**
 * Runs the PostgreSQL server of the packages on `${folder}/postgres`, which is created on the first start
 * (operations 2). Only one process holds a folder. The server of a killed portal is stopped first; a server
 * that dies is started again. `settings` are parameters of PostgreSQL. Throws an Error with a sentence for a
 * person.
 */
export async function startPostgres({
  folder,
  settings = {},
}: {
  folder: string
  settings?: Record<string, string>
}): Promise<Postgres> {
  const { initdb, postgres } = findBinaries()
  const dataFolder = prepareFolder(folder)
  const data = join(dataFolder, 'postgres')
  refuseLiveCopy(data)
  const release = acquireLock(`${data}.lock`, dataFolder)
  try {
    const account = serverAccount(data, [dataFolder, initdb, postgres])
    const password = readOrCreatePassword(`${data}.password`, data)
    if (isMissing(data)) await createDataFolder({ data, initdb, account, superuser, password })
    else if (statSync(data).uid === 0) account.giveOwnership(data)
    await stopLeftoverServer(data)
    const { address, listenSettings } = await chooseAddress(data)
    const server = await superviseServer({
      data,
      log: `${data}.log`,
      postgres,
      account,
      settings: { ...defaultSettings, ...listenSettings, ...settings },
    })
    const url = (name: string) => urlOf(password, address(name))
    const runtimePassword = createHmac('sha256', password).update(runtimeRole).digest('hex')
    const stop = () => server.stop().finally(release)
    await ensureDatabase(url('postgres'), runtimePassword).catch(async (error: Error) => {
      await stop()
      throw new Error(`The database in ${data} does not let the portal in: ${error.message}`)
    })
    const runtimeUrl = `postgresql://${runtimeRole}:${runtimePassword}@${address(database)}`
    return { url: url(database), runtimeUrl, stop }
  } catch (error) {
    release()
    throw error
  }
}

function prepareFolder(folder: string): string {
  const path = resolve(folder)
  try {
    mkdirSync(path, { recursive: true })
    const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`)
    writeFileSync(probe, '')
    rmSync(probe)
    return realpathSync(path)
  } catch (error) {
    throw new Error(
      `The data folder ${path} cannot be written (${(error as NodeJS.ErrnoException).code}): ` +
        'choose another with DATA_DIR',
    )
  }
}

/**
 * Whether there is no data directory yet; an empty one is removed. Throws an Error with a sentence for a
 * person for one that is incomplete: what is left of the data would be lost by a new one.
 */
function isMissing(data: string): boolean {
  if (!existsSync(data)) return true
  if (readdirSync(data).length === 0) {
    rmdirSync(data)
    return true
  }
  const missing = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'].find(
    (name) => !existsSync(join(data, name)),
  )
  if (missing)
    throw new Error(
      `The database in ${data} is incomplete (${missing} is missing): put back what was removed, ` +
        'or move the folder away and restore a backup',
    )
  return false
}

function readOrCreatePassword(file: string, data: string): string {
  if (!existsSync(file)) {
    if (existsSync(data) && readdirSync(data).length > 0)
      throw new Error(
        `The file ${file}, which holds the password of the database in ${data}, is missing: put it back`,
      )
    writeSecret(file, randomBytes(32).toString('hex'))
  }
  return readFileSync(file, 'utf8').trim()
}

/**
 * A socket in the data directory, which no other account may enter; a random loopback port where that is
 * impossible.
 */
async function chooseAddress(
  data: string,
): Promise<{ address(database: string): string; listenSettings: Record<string, string> }> {
  if (process.platform !== 'win32' && Buffer.byteLength(data) <= maxSocketFolderBytes) {
    const listenSettings = {
      listen_addresses: '',
      unix_socket_directories: '.',
      unix_socket_permissions: '0700',
    }
    return { address: (name) => socketAddress(data, name), listenSettings }
  }
  const port = await freePort()
  const listenSettings = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' }
  return { address: (name) => `127.0.0.1:${port}/${name}`, listenSettings }
}

const urlOf = (password: string, address: string) => `postgresql://${superuser}:${password}@${address}`
const socketAddress = (data: string, name: string) => `localhost/${name}?host=${encodeURIComponent(data)}`

/** The URL of the database that another process runs in `folder`; null when none does. */
export function runningPostgres(folder: string): string | null {
  const data = join(resolve(folder), 'postgres')
  if (!existsSync(data)) return null
  const real = realpathSync(data)
  const server = readPidFile(real)
  if (!server?.ready || !isServerOf(server.pid, real)) return null
  const password = readOrCreatePassword(`${real}.password`, real)
  const address =
    server.port === null ? socketAddress(real, database) : `127.0.0.1:${server.port}/${database}`
  return urlOf(password, address)
}

const freePort = () =>
  new Promise<number>((found, failed) => {
    const probe = createServer().once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(port))
    })
  })

/** Makes the database and the role of the running portal where they are missing: also in an older folder. */
async function ensureDatabase(url: string, runtimePassword: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [runtimeRole])
    if (roles === 0) await client.query(`create role ${runtimeRole} login password '${runtimePassword}'`)
  } finally {
    await client.end()
  }
}
