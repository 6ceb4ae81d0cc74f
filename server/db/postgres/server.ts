import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { lastErrorLine, serverEnvironment } from './create.ts'
import { readPidFile, stopLeftoverServer } from './leftover.ts'

const maxLogBytes = 5 * 1024 * 1024

/**
 * `data` is the data directory, `log` the file that takes the output, `settings` are parameters of
 * PostgreSQL.
 */
type ServerOptions = {
  data: string
  log: string
  postgres: string
  account: Account
  settings: Record<string, string>
}

/**
 * Starts the server; resolves when it takes connections. It is started again whenever it ends without `stop`.
 * Throws an Error with a sentence for a person when the first start fails.
 */
export async function superviseServer(options: ServerOptions): Promise<{ stop(): Promise<void> }> {
  let stopping: Promise<void> | undefined
  let child: ChildProcess | undefined

  // For a portal that exits without `stop`: the server then shuts down by itself.
  const onExit = () => void child?.kill('SIGINT')
  process.once('exit', onExit)
  await start()
  watch()
  return { stop: () => (stopping ??= stop()) }

  async function start() {
    const server = spawnServer(options)
    child = server.child
    await server.ready
  }

  function watch() {
    child!.once('exit', () => void restart())
  }

  async function restart() {
    while (!stopping) {
      try {
        await stopLeftoverServer(options.data)
        await start()
        if (stopping) child!.kill('SIGINT')
        return watch()
      } catch {
        await sleep(1_000)
      }
    }
  }

  async function stop() {
    process.off('exit', onExit)
    const running = child!
    if (running.exitCode !== null || running.signalCode !== null) return
    const exit = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill('SIGINT')
    const immediate = setTimeout(() => running.kill('SIGQUIT'), 30_000)
    await exit
    clearTimeout(immediate)
  }
}

/** Spawns the server; `ready` resolves when it takes connections, and rejects when it does not start. */
function spawnServer({ data, log, postgres, account, settings }: ServerOptions) {
  const logSize = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (logSize > maxLogBytes) truncateSync(log)
  const output = openSync(log, 'a', 0o600)
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { command, args, ids } = account.wrap(postgres, ['-D', data, ...parameters])
  const child = spawn(command, args, {
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', output, output],
    // A session of its own: a Ctrl-C in the terminal must not end it before the portal's last requests.
    detached: true,
    ...ids,
  })
  closeSync(output)
  return { child, ready: waitUntilReady(child, data, log, logSize > maxLogBytes ? 0 : logSize) }
}

/** `logStart` is the offset in the log at which the output of this start begins. */
async function waitUntilReady(child: ChildProcess, data: string, log: string, logStart: number) {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  child.once('exit', (code, signal) => {
    const reason = () => lastErrorLine(readFileSync(log).subarray(logStart).toString())
    failure ??= new Error(reason() || `it ended with ${code ?? signal}`)
  })
  for (;;) {
    if (failure) throw new Error(`The database in ${data} did not start: ${failure.message} (see ${log})`)
    const file = readPidFile(data)
    if (file?.ready && file.pid === child.pid) return
    await sleep(10)
  }
}
