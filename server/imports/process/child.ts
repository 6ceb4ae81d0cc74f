import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { HttpError } from '../../http/errors.ts'
import type { TableReport } from '../rows/table.ts'
import type { ReaderMessage } from './reader.ts'
import type { ReadRequest } from './readImport.ts'

/**
 * Refuses (507) a file that the disk has no room to import: its rows are written to a staging table, to the table
 * and to the log of the database, and a database whose disk is full serves nobody.
 */
export async function checkDiskSpace(path: string, room: number): Promise<void> {
  const { size } = await stat(path)
  const { bavail, bsize } = await statfs(dirname(path))
  const needed = Math.ceil((3 * size) / 1e6) + room
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free >= needed) return
  const said = (megabytes: number) => `${megabytes.toLocaleString('en-US')} MB`
  const why = `importing it needs ${said(needed)} of free disk and ${said(free)} are left`
  throw new HttpError(507, `The server has no room for the file: ${why}. Nothing was stored.`)
}

const here = dirname(fileURLToPath(import.meta.url))
/** Beside main.js once built, where READER means nothing; beside this file while it is TypeScript, unless READER names a built one. */
const source = join(here, 'reader.ts')
const built = existsSync(source) ? process.env['READER'] : join(here, 'reader.js')
const [entry, loader] = built
  ? [built, []]
  : [source, ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]]

/** Resident memory of a process in MB, where the system tells (Linux); the heap's own cap holds everywhere. */
const residentMemoryMb = async (pid: number): Promise<number> => {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ')[1]
  return pages ? (Number(pages) * 4096) / 1e6 : 0
}

const ended =
  'The system ended the reading of the file, perhaps for want of memory. Nothing was stored; please submit it again.'

/** Two files are read at a time; the third waits its turn. */
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []
async function acquireReaderSlot(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (running < atOnce) {
    running += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(signal.reason as Error)
    }
    const go = () => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
    waiting.push(go)
  })
}
/** The place goes straight to who waits longest. */
const releaseReaderSlot = () => {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

/**
 * Reads a file in a process of its own. `take` gets the rows as they come, in COPY's text format; the report comes
 * after the last. Throws a Refusal (422) for what the file is to blame for; the process is gone when this returns.
 */
export async function readInChildProcess(
  job: ReadRequest,
  take: (rows: Readable) => Promise<void>,
  signal: AbortSignal,
): Promise<TableReport> {
  await acquireReaderSlot(signal)
  try {
    return await runReader(job, take, signal)
  } finally {
    releaseReaderSlot()
  }
}

async function runReader(
  job: ReadRequest,
  take: (rows: Readable) => Promise<void>,
  signal: AbortSignal,
): Promise<TableReport> {
  const { seconds, memoryMb: memory, freeDiskMb: room } = job.limits
  await checkDiskSpace(job.path, room)
  signal.throwIfAborted()
  const child = fork(entry, [], {
    execArgv: [...loader, `--max-old-space-size=${Math.floor(memory / 2)}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, HOME: process.env.HOME },
  })
  const kill = () => void child.kill('SIGKILL')
  let why: Error | null = null
  const stop = (reason: Error) => {
    why ??= reason
    kill()
  }
  const tooMuch = () =>
    new HttpError(
      422,
      `Reading the file takes more than ${memory} MB of memory; divide it, or save it as .csv`,
    )
  const clock = setTimeout(
    () => stop(new HttpError(422, `The file could not be read within ${seconds} seconds; divide it`)),
    seconds * 1000,
  )
  const scales = setInterval(
    () => void residentMemoryMb(child.pid ?? 0).then((used) => used > memory && stop(tooMuch())),
    250,
  )
  const abort = () => stop(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })

  let told: ReaderMessage | null = null
  let complaint = ''
  child.on('message', (message) => (told = message as ReaderMessage))
  child.stderr!.on('data', (text: Buffer) => (complaint = (complaint + text.toString()).slice(-4000)))
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (_, signal) => {
      if (signal === 'SIGKILL' && !told) why ??= new HttpError(503, ended)
      resolve()
    })
    child.once('error', (error) => {
      why ??= error
      resolve()
    })
  })
  try {
    child.send(job)
    await Promise.all([
      take(child.stdout!).catch((error: Error) => {
        stop(error)
      }),
      exited,
    ])
  } finally {
    clearTimeout(clock)
    clearInterval(scales)
    signal.removeEventListener('abort', abort)
    kill()
  }
  if (why) throw why
  return reportOf(told, complaint, tooMuch)
}

function reportOf(told: ReaderMessage | null, complaint: string, tooMuch: () => HttpError): TableReport {
  if (!told)
    throw /heap out of memory|allocation failed/i.test(complaint)
      ? tooMuch()
      : new Error(`the reading process died: ${complaint}`)
  if ('refused' in told) throw new HttpError(422, told.refused.message, told.refused.extra)
  if ('failed' in told) throw new Error(`the reading process failed: ${told.failed}`)
  return told.report
}
