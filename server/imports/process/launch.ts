import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What the launcher is asked; `id` names a reader. */
export type LauncherRequest =
  | { id: number; start: { entry: string; execArgv: string[] } }
  | { id: number; send: unknown }
  | { id: number; kill: true }
/** What it answers; with `pid` comes the standard output of the reader. */
export type LauncherAnswer =
  | { id: number; pid: number }
  | { id: number; message: unknown }
  | { id: number; errorOutput: string }
  | { id: number; error: string }
  | { id: number; exit: { code: number | null; signal: NodeJS.Signals | null } }

/** A reader, as far as its starter uses it: a process of its own child or of the launcher's. */
export type ReaderProcess = Pick<ChildProcess, 'pid' | 'on' | 'once' | 'kill'> & {
  send(request: object): boolean
  stdout: Readable | null
  stderr: Readable | null
}

/** What a reader is given of the environment: nothing secret (imports 4). */
const readerEnv = () => ({
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
  HOME: process.env.HOME,
})

const here = dirname(fileURLToPath(import.meta.url))
const isBuilt = !existsSync(join(here, 'reader.ts'))

/**
 * A program's file with the options that run it. A built server has them beside its main.js. From source, tsx
 * runs it, which starts slowly, unless READER names a built reader, beside which the others are.
 */
function programOf(name: 'reader' | 'launcher'): { entry: string; execArgv: string[] } {
  const reader = isBuilt ? join(here, 'reader.js') : process.env['READER']
  if (reader) return { entry: join(dirname(reader), `${name}.js`), execArgv: [] }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { entry: join(here, `${name}.ts`), execArgv: ['--import', tsx] }
}

class LaunchedReader extends EventEmitter {
  pid: number | undefined
  stdout: Readable | null = null
  readonly stderr = new PassThrough()
  private readonly ask: (request: { send: unknown } | { kill: true }) => boolean
  constructor(ask: (request: { send: unknown } | { kill: true }) => boolean) {
    super()
    this.ask = ask
  }
  send(request: object) {
    return this.ask({ send: request })
  }
  kill() {
    return this.ask({ kill: true })
  }
  /** Emits what the launcher says of it. */
  take(answer: LauncherAnswer, output: Readable) {
    if ('message' in answer) this.emit('message', answer.message)
    else if ('errorOutput' in answer) this.stderr.write(answer.errorOutput)
    else if ('error' in answer) this.emit('error', new Error(answer.error))
    else if ('exit' in answer) this.emit('exit', answer.exit.code, answer.exit.signal)
    else {
      this.pid = answer.pid
      this.stdout = output
      this.emit('started')
    }
  }
}

export type Launcher = {
  start(entry: string, execArgv: string[]): Promise<ReaderProcess>
  /** Ends it and its readers. */
  end(): void
  pid: number
}

/** Starts a launcher. A reader whose launcher dies ends as if the system had killed it. */
function startLauncher(): Launcher {
  const { entry: file, execArgv: loader } = programOf('launcher')
  const child = fork(file, [], {
    execArgv: [...loader, '--max-old-space-size=32'],
    // The input carries nothing: its end says that the portal has ended (launcher.ts).
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    env: readerEnv(),
  })
  const input = child.stdin as Socket
  input.on('error', () => {}).unref()
  const readers = new Map<number, LaunchedReader>()
  let count = 0
  /** The channel to the launcher keeps this process alive only while a reader runs. */
  const keepAliveWhileReading = () => (readers.size > 0 ? child.channel?.ref() : child.channel?.unref())
  child.on('message', (answer: LauncherAnswer, handle) =>
    readers.get(answer.id)?.take(answer, handle as unknown as Readable),
  )
  const lose = () => {
    for (const reader of readers.values()) reader.emit('exit', null, 'SIGKILL')
  }
  child.once('exit', lose)
  child.on('error', lose)
  child.unref()
  keepAliveWhileReading()
  return {
    pid: child.pid ?? 0,
    start: (entry, execArgv) =>
      new Promise((resolve, reject) => {
        const id = (count += 1)
        const ask = (request: { send: unknown } | { kill: true }) =>
          child.connected && child.send({ id, ...request } as LauncherRequest, () => {})
        const reader = new LaunchedReader(ask)
        readers.set(id, reader)
        keepAliveWhileReading()
        reader.once('started', () => resolve(reader as unknown as ReaderProcess)).on('error', reject)
        reader.once('exit', () => {
          readers.delete(id)
          keepAliveWhileReading()
          reject(new Error('the process that starts readers has ended'))
        })
        if (!child.connected) return void reader.emit('exit', null, null)
        child.send(
          { id, start: { entry, execArgv } } satisfies LauncherRequest,
          (error) => error && reject(error),
        )
      }),
    end: () => {
      input.end()
      if (child.connected) child.disconnect()
    },
  }
}

let launcher: Launcher | null = null

/**
 * Starts the launcher of this process while it is small. A portal that runs from its sources has none unless
 * it is asked for, and starts readers itself.
 */
export function prepareReaders({ fromSource = false } = {}): Pick<Launcher, 'end' | 'pid'> | null {
  if (!isBuilt && !fromSource) return null
  launcher = startLauncher()
  return launcher
}

/** A reader that runs with these options of Node, from the launcher if there is one and it is alive. */
export async function startReader(options: string[]): Promise<ReaderProcess> {
  const { entry, execArgv: loader } = programOf('reader')
  const execArgv = [...loader, ...options]
  if (launcher) {
    const reader = await launcher.start(entry, execArgv).catch(() => null)
    if (reader) return reader
    launcher?.end()
    launcher = null
  }
  return fork(entry, [], { execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: readerEnv() })
}
