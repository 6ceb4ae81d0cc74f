import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { serverAccount, type Account } from './postgres/account.ts'
import { findBinaries, type Binaries } from './postgres/binaries.ts'
import { endLeftover, readPidFile } from './postgres/leftover.ts'
import { takeLock } from './postgres/lock.ts'

export type Postgres = { url: string; stop(): Promise<void> }

const superuser = 'portal'
const database = 'portal'
/** A Unix socket's path may be no longer (104 bytes on macOS); in a deeper folder the server listens on loopback instead. */
const longestSocketPath = 100

/**
 * Runs the PostgreSQL server that came with the packages on `${folder}/postgres`, made on the first start. One process alone holds
 * a folder. The server of a portal that was killed is stopped first; a server that dies is started again.
 * Throws an Error with one sentence for a person when it cannot be.
 */
export async function startPostgres({ folder, settings = {} }: { folder: string; settings?: Record<string, string> }): Promise<Postgres> {
  const binaries = findBinaries()
  const home = openFolder(folder)
  const release = takeLock(join(home, 'postgres.lock'), home)
  try {
    const data = join(home, 'postgres')
    const account = serverAccount(data, [home, binaries.initdb, binaries.postgres])
    const password = keptPassword(join(home, 'postgres.password'))
    if (!existsSync(data)) createData(home, data, binaries, account, password)
    else if (process.getuid?.() === 0 && statSync(data).uid === 0) account.own(data)
    await endLeftover(data)
    return await serve({ home, data, binaries, account, password, settings, release })
  } catch (error) {
    release()
    throw error
  }
}

function openFolder(folder: string): string {
  const path = resolve(folder)
  try {
    mkdirSync(path, { recursive: true })
    const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`)
    writeFileSync(probe, '')
    rmSync(probe)
    return realpathSync(path)
  } catch (error) {
    throw new Error(`The data folder ${path} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with DATA_DIR`)
  }
}

/** The server's password, known to nobody but the owner of the folder. */
function keptPassword(file: string): string {
  if (!existsSync(file)) writeDurably(file, randomBytes(32).toString('hex'))
  return readFileSync(file, 'utf8').trim()
}

function writeDurably(file: string, text: string) {
  const handle = openSync(file, 'wx', 0o600)
  writeFileSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
}

/** Made beside and renamed when whole, so that a start cut short leaves nothing that looks like data. */
function createData(home: string, data: string, { initdb }: Binaries, account: Account, password: string) {
  const draft = `${data}.new`
  const secret = `${data}.new.password`
  rmSync(draft, { recursive: true, force: true })
  rmSync(secret, { force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeDurably(secret, password)
  account.own(draft)
  account.own(secret)
  const { command, args, uid, gid } = account.as(initdb, [
    `--pgdata=${draft}`, `--username=${superuser}`, `--pwfile=${secret}`, '--auth=scram-sha-256', '--no-instructions',
    '--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8',
  ])
  const made = spawnSync(command, args, { cwd: '/', env: environment, encoding: 'utf8', ...(uid === undefined ? {} : { uid, gid }) })
  rmSync(secret, { force: true })
  if (made.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw new Error(`The database could not be created in ${data}: ${made.error?.message ?? lastWords(made.stderr)}`)
  }
  renameSync(draft, data)
  const parent = openSync(home, 'r')
  fsyncSync(parent)
  closeSync(parent)
}
