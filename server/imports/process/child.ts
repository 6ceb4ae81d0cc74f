import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import type { Recognised } from '../rows/recognise.ts'
import type { TableReport } from '../rows/table.ts'
import { checkDiskSpace } from './diskSpace.ts'
import { startReader, type ReaderProcess } from './launch.ts'
import type { ReaderMessage } from './readerMessage.ts'
import type { ReadRequest, RecogniseRequest } from './readImport.ts'

/**
 * Resident memory of a process in MB; 0 where there is no /proc, and then the cap of the heap alone holds.
 */
const residentMemoryMb = async (pid: number): Promise<number> => {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ')[1]
  return pages ? (Number(pages) * 4096) / 1e6 : 0
}

const tooMuchMemory = ({ memoryMb }: ImportLimits) =>
  new HttpError(
    422,
    `Reading the file takes more than ${memoryMb} MB of memory; divide it, or save it as .csv`,
  )
const tooSlow = ({ seconds }: ImportLimits) =>
  new HttpError(422, `The file could not be read within ${seconds} seconds; divide it`)
const killedBySystem = () =>
  new HttpError(
    503,
    'The system ended the reading of the file, perhaps for want of memory. ' +
      'Nothing was stored; please submit it again.',
  )

/**
 * Calls `stop` when the process exceeds its time or memory, or the signal aborts. Returns how to end the
 * watch.
 */
function watchLimits(
  child: ReaderProcess,
  limits: ImportLimits,
  signal: AbortSignal,
  stop: (reason: Error) => void,
): () => void {
  const timeout = setTimeout(() => stop(tooSlow(limits)), limits.seconds * 1000)
  const checkMemory = async () => {
    if ((await residentMemoryMb(child.pid ?? 0)) > limits.memoryMb) stop(tooMuchMemory(limits))
  }
  const memoryTimer = setInterval(() => void checkMemory(), 250)
  const abort = () => stop(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  return () => {
    clearTimeout(timeout)
    clearInterval(memoryTimer)
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Reads a file in a process of its own. `take` gets a stream of the rows in COPY's text format; the promise
 * resolves after the last row and after the process has ended. Throws HttpError: 422 for a file that cannot
 * be read or exceeds a limit, 409 for one about which something is asked, 503 when the system killed the
 * process, 507 without disk space; or the signal's reason.
 */
export const readInChildProcess = (
  request: ReadRequest,
  take: (rows: Readable) => Promise<void>,
  signal: AbortSignal,
) => runReader<TableReport>(request, take, signal)

/** The kinds that a file may be of, found by such a process under the same limits (inbox 4). */
export const recogniseInChildProcess = (request: Omit<RecogniseRequest, 'kind'>, signal: AbortSignal) =>
  runReader<Recognised>({ ...request, kind: null }, async (rows) => void rows.resume(), signal)

async function runReader<Report extends TableReport | Recognised>(
  request: ReadRequest | RecogniseRequest,
  take: (rows: Readable) => Promise<void>,
  signal: AbortSignal,
): Promise<Report> {
  const { limits } = request
  await checkDiskSpace(request.path, limits.freeDiskMb)
  signal.throwIfAborted()
  const child = await startReader([`--max-old-space-size=${Math.floor(limits.memoryMb / 2)}`])
  const kill = () => void child.kill('SIGKILL')
  if (signal.aborted) kill()
  signal.throwIfAborted()
  let failure: Error | null = null
  const stop = (reason: Error) => {
    failure ??= reason
    kill()
  }
  const endWatch = watchLimits(child, limits, signal, stop)
  let message: ReaderMessage | null = null
  let errorOutput = ''
  child.on('message', (received) => (message = received as ReaderMessage))
  child.stderr!.on('data', (text: Buffer) => (errorOutput = (errorOutput + text.toString()).slice(-4000)))
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (_, killSignal) => {
      if (killSignal === 'SIGKILL' && !message) failure ??= killedBySystem()
      resolve()
    })
    child.once('error', (error) => {
      failure ??= error
      resolve()
    })
  })
  try {
    child.send(request)
    await Promise.all([take(child.stdout!).catch(stop), exited])
  } finally {
    endWatch()
    kill()
  }
  if (failure) throw failure
  // The process answers each request with what belongs to it.
  return reportOf(message, errorOutput, limits) as Report
}

function reportOf(message: ReaderMessage | null, errorOutput: string, limits: ImportLimits) {
  if (!message)
    throw /heap out of memory|allocation failed/i.test(errorOutput)
      ? tooMuchMemory(limits)
      : new Error(`the reading process died: ${errorOutput}`)
  if ('refused' in message)
    throw new HttpError(message.refused.status, message.refused.message, message.refused.extra)
  if ('failed' in message) throw new Error(`the reading process failed: ${message.failed}`)
  return message.report
}
