import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { foldUsernames } from './accounts/foldUsernames.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config/config.ts'
import { openDb, type Db } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { startPostgres } from './db/postgres/postgres.ts'
import { writeCountedRepeats } from './db/repeatedAudit.ts'
import { isAuditProtected, prepareRuntimeRole } from './db/roles.ts'
import { loadSecretKey } from './db/secretKey.ts'
import { fillDrive } from './demo/drive.ts'
import { writeSamples } from './demo/samples.ts'
import { seed } from './demo/seed.ts'
import { mergeSearchEntries } from './entities/condition.ts'
import { mergeRowCounts, mergeWriteCount } from './entities/rowCounts.ts'
import { logOutput } from './http/log.ts'
import { prepareReaders } from './imports/process/launch.ts'
import { createInboxWatch, scanInterval } from './inbox/watch.ts'
import { writeMoneySettings } from './money/moneySettings.ts'
import { storeUnpayableAccounts } from './money/unpayableAccounts.ts'

/** Milliseconds that requests under way have to end after a signal (operations 5). */
const shutdownTimeout = 10_000
/** Milliseconds after which a browser does not wait for an answer any more (errors 8). */
const answerLimit = 60_000
/** Milliseconds between two merges of the row counts, of the number of writes, and of search entries. */
const mergeInterval = 60_000
const mergeWritesInterval = 5_000
const mergeSearchInterval = 20_000

/** Printed at each start with FOUR_EYES=off (agents 11). */
const soloNotice =
  'FOUR_EYES is off: one person may confirm an account, and lock, approve and release a month\n'

/** Printed at each start where one role owns the database and runs the portal (operations 13). */
const unprotectedNotice =
  'The audit is not protected from the portal itself, whose database role could change it: ' +
  "set MIGRATE_DATABASE_URL to the owner's URL, and DATABASE_URL to that of a role that owns nothing\n"

/** What must be undone when the portal ends, in the order it was started. */
type Cleanups = (() => Promise<unknown>)[]

/**
 * Runs the portal of an environment until Ctrl-C or SIGTERM (operations 5). When the start fails, stops all
 * it started and throws an Error with sentences for a person.
 */
export async function startPortal(env: NodeJS.ProcessEnv): Promise<void> {
  // A full disk behind the output costs what is written there, and not the portal.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const cleanups: Cleanups = []
  let ending: Promise<void> | undefined
  const end = () => (ending ??= runInReverse(cleanups))
  onSignal(() => void end().finally(() => process.exit(0)))
  try {
    const config = readConfig(env)
    await refuseTakenPort(config)
    const readers = prepareReaders()
    cleanups.push(async () => readers?.end())
    const url = await prepareDatabase(config, cleanups)
    let app: FastifyInstance | undefined
    const db = openDb(url, {
      timeZone: config.timeZone,
      answerWithin: answerLimit,
      onError: (error) =>
        ending || app?.log.warn({ reason: error.message }, 'a connection to the database broke'),
    })
    cleanups.push(() => withinTwoSeconds(db.close()))
    const secret = await loadSecretKey(config, db)
    await foldUsernames(db)
    printAccounts(await seed(db, config, secret))
    await fillDrive(config)
    await writeSamples(config)
    await writeMoneySettings(db, config.money)
    await storeUnpayableAccounts(db, secret)
    app = await buildApp({ db, config, secret, log: { level: effectiveLogLevel(config), stream: logOutput } })
    cleanups.push(() => closeApp(app!))
    mergePeriodically(app, db, cleanups)
    watchPeriodically(app, db, config, cleanups)
    await listen(app, config)
    if (!config.fourEyes) process.stdout.write(soloNotice)
    if (!(await isAuditProtected(db))) process.stdout.write(unprotectedNotice)
    process.stdout.write(`Technology Portal is open at ${portalAddress(app, config)}\n`)
  } catch (error) {
    // After a signal a step of the start fails because what it uses was stopped, which is no error to report.
    const wasSignalled = ending !== undefined
    await end()
    if (!wasSignalled) throw error
  }
}

/**
 * Starts the embedded database where none is set, brings the tables to this code's version as their owner,
 * and gives the role of the portal its rights. Answers the URL of that role.
 */
async function prepareDatabase(config: Config, cleanups: Cleanups): Promise<string> {
  const { owner, runtime } = await databaseUrls(config, cleanups)
  const ownerVariable = config.migrateDatabaseUrl ? 'MIGRATE_DATABASE_URL' : 'DATABASE_URL'
  await migrate(owner).catch(explainDatabaseError(config, ownerVariable))
  if (owner !== runtime)
    await prepareRuntimeRole(owner, runtime).catch(explainDatabaseError(config, 'DATABASE_URL'))
  return runtime
}

async function databaseUrls({ databaseUrl, migrateDatabaseUrl, dataDir }: Config, cleanups: Cleanups) {
  if (databaseUrl !== null) return { owner: migrateDatabaseUrl ?? databaseUrl, runtime: databaseUrl }
  const postgres = await startPostgres({ folder: dataDir })
  cleanups.push(() => postgres.stop())
  return { owner: postgres.url, runtime: postgres.runtimeUrl }
}

/**
 * Merges the row counts and writes counted repeats to the audit, every `mergeInterval`, the rows of the
 * number of writes, every `mergeWritesInterval`, and the entries of the search indexes, every
 * `mergeSearchInterval`.
 */
function mergePeriodically(app: FastifyInstance, db: Db, cleanups: Cleanups) {
  const every = (millis: number, what: string, work: () => Promise<unknown>) => {
    const warn = (error: Error) => app.log.warn({ reason: error.message }, what)
    const timer = setInterval(() => void work().catch(warn), millis)
    cleanups.push(async () => clearInterval(timer))
  }
  every(mergeInterval, 'row counts not merged', () => mergeRowCounts(db))
  every(mergeInterval, 'repeats not written to the audit', () => writeCountedRepeats(db))
  every(mergeWritesInterval, 'number of writes not merged', () => mergeWriteCount(db))
  every(mergeSearchInterval, 'search entries not merged', () => mergeSearchEntries(db))
}

/** Scans the watched folder and checks what waits in the inbox, every `scanInterval` (inbox 3). */
function watchPeriodically(app: FastifyInstance, db: Db, config: Config, cleanups: Cleanups) {
  const onFault = (reason: string) => app.log.warn({ reason }, 'the inbox folder cannot be used')
  const watch = createInboxWatch({ db, config, onFault })
  const timer = setInterval(() => void watch.scan(), scanInterval)
  cleanups.push(async () => {
    clearInterval(timer)
    await watch.close()
  })
}

async function runInReverse(cleanups: Cleanups) {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop())
    await cleanup().catch((error: Error) => process.stderr.write(`${error.message}\n`))
}

/** One Ctrl-C may arrive twice, from the terminal and from npm; a second one after a second exits at once. */
function onSignal(end: () => void) {
  let first = 0
  const handleSignal = () => {
    if (first && Date.now() - first > 1_000) process.exit(130)
    first ||= Date.now()
    end()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handleSignal)
}

/** Refuses new requests; resolves when those under way have ended, or after `shutdownTimeout`. */
async function closeApp(app: FastifyInstance) {
  // A connection that is kept alive after its last answer would delay `close` until it times out.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50)
  const closeAll = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout)
  await app.close()
  clearTimeout(closeAll)
  clearInterval(closeIdle)
}

/**
 * Resolves after two seconds at the latest, so that a connection that hangs does not keep the portal from
 * ending.
 */
const withinTwoSeconds = (closing: Promise<void>) =>
  Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])

const effectiveLogLevel = ({ logLevel }: Config) => logLevel ?? (process.stdout.isTTY ? 'warn' : 'info')

/** Throws the error of a database elsewhere by the variable that names it; its own sentences stay. */
export const explainDatabaseError =
  ({ databaseUrl }: Pick<Config, 'databaseUrl'>, variable: string) =>
  (error: Error & { code?: string }) => {
    if (!databaseUrl || error.message.startsWith('The database')) throw error
    throw new Error(
      `The database of ${variable} does not let the portal in: ${error.message || error.code}`,
      {
        cause: error,
      },
    )
  }

function printAccounts(people: { username: string; password: string; what: string }[]) {
  if (people.length === 0) return
  const longest = (field: 'username' | 'password') =>
    Math.max(...people.map((person) => person[field].length))
  const [nameWidth, passwordWidth] = [longest('username'), longest('password')]
  const lines = people.map(
    ({ username, password, what }) =>
      `  ${username.padEnd(nameWidth)}  ${password.padEnd(passwordWidth)}  ${what}`,
  )
  process.stdout.write(`Sign in as one of these; their passwords are shown this once:\n${lines.join('\n')}\n`)
}

type ListenAddress = Pick<Config, 'host' | 'port'>

/**
 * Throws when the port cannot be listened on. Called before anything is created: a first start that fails
 * later would have printed its passwords for nothing (operations 5).
 */
async function refuseTakenPort({ host, port }: ListenAddress) {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw listenError(error, { host, port })
  }
  await new Promise((closed) => probe.close(closed))
}

async function listen(app: FastifyInstance, { host, port }: ListenAddress) {
  try {
    await app.listen({ host, port, listenTextResolver: () => 'listening' })
  } catch (error) {
    throw listenError(error, { host, port })
  }
}

/** The address that people open. */
export function portalAddress(
  app: FastifyInstance,
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
): string {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** What keeps the portal from listening, and what to do about it. */
export function listenError(error: unknown, { host, port }: ListenAddress): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new Error(
      `The port ${port} of ${host} is in use by another program: end that one, or choose another with PORT`,
    )
  if (code === 'EACCES')
    return new Error(
      `The port ${port} is kept for the administrator of this machine: choose one above 1023 with PORT`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`HOST is '${host}', which is no address of this machine: 0.0.0.0 means all of them`)
  return new Error(`The portal cannot listen on port ${port} of ${host}: ${message}`)
}
