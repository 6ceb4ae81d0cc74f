import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from './account.ts'
import { serverEnvironment, lastErrorLine } from './create.ts'
import { stopLeftoverServer, readPidFile } from './leftover.ts'

const maxLogBytes = 5 * 1024 * 1024

/** Starts the server and answers once it takes connections. It is started again whenever it dies without `stop`. */
export async function superviseServer({
  data,
  log,
  postgres,
  account,
  settings,
}: {
  data: string
  log: string
  postgres: string
  account: Account
  settings: Record<string, string>
}): Promise<{ stop(): Promise<void> }> {
  const args = [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  let stopping: Promise<void> | undefined
  let child: ChildProcess

  // The last resort of a portal that ends without stopping: the server shuts down on its own.
  const orphan = () => void child?.kill('SIGINT')
  process.once('exit', orphan)
  await boot()
  watch()
  return { stop: () => (stopping ??= stop()) }

  /** Its own session, or else a Ctrl-C in the terminal would end it before the portal's last requests. */
  async function boot() {
    const before = statSync(log, { throwIfNoEntry: false })?.size ?? 0
    if (before > maxLogBytes) truncateSync(log)
    const from = before > maxLogBytes ? 0 : before
    const output = openSync(log, 'a', 0o600)
    const { command, args: all, ids } = account.wrap(postgres, args)
    const started = (child = spawn(command, all, {
      cwd: '/',
      env: serverEnvironment,
      stdio: ['ignore', output, output],
      detached: true,
      ...ids,
    }))
    closeSync(output)
    let failure: Error | undefined
    started.once('error', (error) => (failure = error))
    started.once(
      'exit',
      (code, signal) =>
        (failure ??= new Error(
          lastErrorLine(readFileSync(log).subarray(from).toString()) || `it ended with ${code ?? signal}`,
        )),
    )
    for (;;) {
      if (failure) throw new Error(`The database in ${data} did not start: ${failure.message} (see ${log})`)
      const file = readPidFile(data)
      if (file?.ready && file.pid === started.pid) return
      await pause(10)
    }
  }

  function watch() {
    child.once('exit', () => void revive())
  }

  async function revive() {
    while (!stopping) {
      try {
        await stopLeftoverServer(data)
        await boot()
        if (stopping) child.kill('SIGINT')
        return watch()
      } catch {
        await pause(1_000)
      }
    }
  }

  async function stop() {
    process.off('exit', orphan)
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGINT')
    const impatience = setTimeout(() => child.kill('SIGQUIT'), 30_000)
    await exit
    clearTimeout(impatience)
  }
}
