import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config/config.ts'
import { openDb } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { startPostgres } from './db/postgres/postgres.ts'
import { loadSecretKey } from './db/secretKey.ts'
import { fillDrive } from './demo/drive.ts'
import { seed } from './demo/seed.ts'
import { mergeRowCounts } from './entities/rowCounts.ts'
import { writeTerms } from './money/terms.ts'

/** How long requests may take to end once the portal is told to. */
const shutdownTimeout = 10_000
/** How often the counts that writes have appended are merged. */
const mergeInterval = 60_000

/** Runs the portal of an environment until Ctrl-C or SIGTERM. Throws an Error with sentences for a person, having stopped all it started. */
export async function startPortal(env: NodeJS.ProcessEnv): Promise<void> {
  const cleanups: (() => Promise<unknown>)[] = []
  let ending: Promise<void> | undefined
  const end = () => (ending ??= runInReverse(cleanups))
  onSignal(() => void end().finally(() => process.exit(0)))
  try {
    const config = readConfig(env)
    await refuseTakenPort(config)
    const url = config.databaseUrl ?? (await startEmbedded(config.dataDir))
    await migrate(url).catch(explainDatabaseError(config))
    const reports: { app?: FastifyInstance } = {}
    const db = openDb(url, {
      onError: (error) =>
        ending || reports.app?.log.warn({ reason: error.message }, 'a connection to the database broke'),
    })
    cleanups.push(() => withinTwoSeconds(db.close()))
    const secret = await loadSecretKey(config, db)
    printAccounts(await seed(db, config, secret))
    await fillDrive(config)
    await writeTerms(db, config.money)
    const app = (reports.app = await buildApp({
      db,
      config,
      secret,
      log: { level: effectiveLogLevel(config) },
    }))
    cleanups.push(() => closeApp(app))
    const merging = setInterval(
      () =>
        void mergeRowCounts(db).catch((error: Error) =>
          app.log.warn({ reason: error.message }, 'tallies not merged'),
        ),
      mergeInterval,
    )
    cleanups.push(async () => clearInterval(merging))
    await listen(app, config)
    process.stdout.write(`Technology Portal is open at ${portalAddress(app, config)}\n`)
  } catch (error) {
    const told = ending !== undefined
    await end()
    if (!told) throw error
  }

  async function startEmbedded(folder: string) {
    const postgres = await startPostgres({ folder })
    cleanups.push(() => postgres.stop())
    return postgres.url
  }
}

async function runInReverse(steps: (() => Promise<unknown>)[]) {
  for (let step = steps.pop(); step; step = steps.pop())
    await step().catch((error: Error) => process.stderr.write(`${error.message}\n`))
}

/** One Ctrl-C may arrive twice, from the terminal and from npm; a second one by hand ends at once. */
function onSignal(end: () => void) {
  let first = 0
  const handleSignal = () => {
    if (first && Date.now() - first > 1_000) process.exit(130)
    first ||= Date.now()
    end()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handleSignal)
}

/** Refuses new requests and lets those under way end. */
async function closeApp(app: FastifyInstance) {
  // A connection kept alive after its last answer would hold the portal open until it times out.
  const tidy = setInterval(() => app.server.closeIdleConnections(), 50)
  const cut = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout)
  await app.close()
  clearTimeout(cut)
  clearInterval(tidy)
}

/** A connection that hangs must not keep the portal from ending. */
const withinTwoSeconds = (closing: Promise<void>) =>
  Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])

const effectiveLogLevel = ({ logLevel }: Config) => logLevel ?? (process.stdout.isTTY ? 'warn' : 'info')

const explainDatabaseError = (config: Config) => (error: Error & { code?: string }) => {
  if (!config.databaseUrl || error.message.startsWith('The database')) throw error
  throw new Error(`The database of DATABASE_URL does not let the portal in: ${error.message || error.code}`, {
    cause: error,
  })
}

function printAccounts(people: { username: string; password: string; what: string }[]) {
  if (people.length === 0) return
  const wide = (pick: 'username' | 'password') => Math.max(...people.map((person) => person[pick].length))
  const [name, word] = [wide('username'), wide('password')]
  const lines = people.map(
    ({ username, password, what }) => `  ${username.padEnd(name)}  ${password.padEnd(word)}  ${what}`,
  )
  process.stdout.write(`Sign in as one of these; their passwords are shown this once:\n${lines.join('\n')}\n`)
}

type ListenAddress = Pick<Config, 'host' | 'port'>

/** Asked before anything is made: a first start that fails later would have shown its passwords for nothing. */
export async function refuseTakenPort({ host, port }: ListenAddress) {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw listenError(error, { host, port })
  }
  await new Promise((closed) => probe.close(closed))
}

export async function listen(app: FastifyInstance, { host, port }: ListenAddress) {
  try {
    await app.listen({ host, port, listenTextResolver: () => 'listening' })
  } catch (error) {
    throw listenError(error, { host, port })
  }
}

/** What a person opens. */
export function portalAddress(app: FastifyInstance, { publicUrl, host }: Config): string {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function listenError(error: unknown, { host, port }: ListenAddress): Error {
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
