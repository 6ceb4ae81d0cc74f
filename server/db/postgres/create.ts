import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { renameDurably, writeSecret } from './durable.ts'

/**
 * The environment of the server's programs: without the PG* variables and the language of the user who starts
 * them.
 */
export const serverEnvironment = {
  PATH: process.env['PATH'] ?? '',
  SystemRoot: process.env['SystemRoot'] ?? '',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** The same text order and case rules on every machine, whatever locales are installed there. */
const unicode = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
const initdbOptions = ['--auth=scram-sha-256', '--no-instructions', ...unicode]

type NewDataFolder = {
  data: string
  /** The path of the program. */
  initdb: string
  account: Account
  superuser: string
  password: string
}
/**
 * Creates the data directory `data` of a new, empty server: in a folder beside it, renamed when complete, so
 * that an interrupted start leaves nothing that looks like data. Throws an Error with a sentence for a
 * person.
 */
export async function createDataFolder({ data, initdb, account, superuser, password }: NewDataFolder) {
  // A name of its own: initdb of a start that was killed may still write into its draft.
  removeDrafts(data)
  const draft = `${data}.new.${randomBytes(6).toString('hex')}`
  const secret = `${draft}.password`
  const clear = (...paths: string[]) =>
    paths.forEach((path) => rmSync(path, { recursive: true, force: true }))
  try {
    mkdirSync(draft, { mode: 0o700 })
    writeSecret(secret, password)
    account.giveOwnership(draft)
    account.giveOwnership(secret)
    await run(account, initdb, [
      `--pgdata=${draft}`,
      `--username=${superuser}`,
      `--pwfile=${secret}`,
      ...initdbOptions,
    ])
    clear(secret)
    renameDurably(draft, data)
  } catch (error) {
    clear(draft, secret)
    throw new Error(`The database could not be created in ${data}: ${(error as Error).message}`)
  }
}

/** Removes what starts that were cut short left beside the data directory. */
function removeDrafts(data: string) {
  for (const name of readdirSync(dirname(data)))
    if (name.startsWith(`${basename(data)}.new`))
      rmSync(join(dirname(data), name), { recursive: true, force: true })
}

const run = (account: Account, program: string, args: string[]) =>
  new Promise<void>((resolve, reject) => {
    const { command, args: all, ids } = account.wrap(program, args)
    const child = spawn(command, all, {
      cwd: '/',
      env: serverEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...ids,
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(lastErrorLine(output) || `initdb ended with ${code}`)),
    )
  })

/** The line of a program's output that says why it failed, and its DETAIL line. */
export function lastErrorLine(output: string): string {
  const lines = output.trim().split('\n')
  const fatal = lines.findLastIndex((line) => /(FATAL|PANIC|error|initdb|setpriv):/.test(line))
  const relevant = lines.slice(fatal < 0 ? -1 : fatal).filter((line, at) => at === 0 || /DETAIL:/.test(line))
  return relevant.map((line) => line.replace(/^.*?(FATAL|PANIC|DETAIL|error):\s*/, '')).join('; ')
}
