import childProcess, { type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll } from 'vitest'
import type { ReadRequest, RecogniseRequest } from '../../server/imports/process/readImport.ts'

/**
 * A process that reads a file takes 0.1 s of a processor to start, and the tests import more than a thousand
 * files. What is forked as a reader is therefore an object with the same streams, messages and events, which
 * reads in the process of the tests. It has no limits of its own and cannot be seen in /proc.
 */
const held = globalThis as { forkProcess?: typeof childProcess.fork; areReadersProcesses?: boolean }
const forkProcess = (held.forkProcess ??= childProcess.fork)
const isReader = (path: string | URL) => /\/reader\.[jt]s$/.test(String(path))
/** Messages between processes are JSON. */
const asSent = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T

function readHere(): ChildProcess {
  const rows = new PassThrough()
  const it = Object.assign(new EventEmitter(), { stdout: rows, stderr: new PassThrough(), pid: undefined })
  let isOver = false
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    if (isOver) return
    isOver = true
    if (signal) rows.destroy()
    else rows.end()
    setImmediate(() => it.emit('exit', code, signal))
  }
  const write = (text: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      rows.once('close', reject)
      rows.write(text, (error) => {
        rows.off('close', reject)
        if (error) reject(error)
        else resolve()
      })
    })
  const answer = async (request: ReadRequest | RecogniseRequest) => {
    const { answerRequest } = await import('../../server/imports/process/readerMessage.ts')
    const message = await answerRequest(asSent(request), write)
    if (!isOver) it.emit('message', asSent(message))
    end(0, null)
  }
  const send = (request: ReadRequest | RecogniseRequest) => {
    void answer(request)
    return true
  }
  const kill = (signal: NodeJS.Signals) => {
    end(null, signal)
    return true
  }
  return Object.assign(it, { send, kill }) as unknown as ChildProcess
}

childProcess.fork = ((path: string, ...options: []) =>
  isReader(path) && !held.areReadersProcesses ? readHere() : forkProcess(path, ...options)) as never
syncBuiltinESMExports()

/** For a file or describe whose tests look at the processes of readers, their limits or their end. */
export function readersAreProcesses() {
  beforeAll(() => void (held.areReadersProcesses = true))
  afterAll(() => void (held.areReadersProcesses = false))
}
