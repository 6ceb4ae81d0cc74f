import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultImportLimits } from '../../../../server/config/importLimits.ts'
import { readInChildProcess } from '../../../../server/imports/process/child.ts'
import { prepareReaders, startReader, type Launcher } from '../../../../server/imports/process/launch.ts'
import { readersAreProcesses } from '../../../setup/readers.ts'

readersAreProcesses()

const secret = 'four-green-lanterns'
const rows = 60_000
let folder: string
let path: string
let launcher: Pick<Launcher, 'end' | 'pid'>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-'))
  path = join(folder, 'merchants.csv')
  // More than the pipes and buffers between two processes hold.
  const lines = Array.from({ length: rows }, (_, n) => `${String(n).padStart(12, '0')},Deli ${n},MA0002`)
  await writeFile(path, ['XMID,DBA,Master Agent', ...lines].join('\n'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(() => {
  process.env['PORTAL_TEST_SECRET'] = secret
  launcher = prepareReaders({ fromSource: true })!
})
afterEach(() => {
  delete process.env['PORTAL_TEST_SECRET']
  launcher.end()
})

const read = (take: (rows: Readable) => Promise<void>, signal = new AbortController().signal) =>
  readInChildProcess(
    { kind: 'merchant', path, filename: 'merchants.csv', limits: defaultImportLimits },
    take,
    signal,
  )
/** The parent of a process, null when there is no such process. */
const parentOf = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}
const childrenOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter(Boolean)
    .map(Number)
const isGone = (pid: number) => expect.poll(() => parentOf(pid)).toBeNull()

test('a reader is the child of the launcher, and its rows and its report arrive whole', async () => {
  let parents: (number | null)[] = []
  let lines = 0
  const report = await read(async (stream) => {
    const readers = await childrenOf(launcher.pid)
    parents = await Promise.all(readers.map(parentOf))
    lines = (await text(stream)).trimEnd().split('\n').length
  })
  expect(parents).toEqual([launcher.pid])
  expect(lines).toBe(rows)
  expect(report.rows).toBe(rows)
})

test('neither the launcher nor a reader is given what is secret in the environment', async () => {
  const started = await startReader([])
  for (const pid of [launcher.pid, started.pid!])
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(secret)
  started.kill()
  await once(started as never, 'exit')
})

test('a reader whose import is given up is killed', async () => {
  const gone = new AbortController()
  let pids: number[] = []
  const reading = read(async () => {
    pids = await childrenOf(launcher.pid)
    gone.abort(new Error('given up'))
  }, gone.signal)
  await expect(reading).rejects.toThrow('given up')
  expect(pids).toHaveLength(1)
  await isGone(pids[0]!)
})

test('without its launcher a reader ends, which is said, and the next file is read by a child of the portal', async () => {
  let pids: number[] = []
  const reading = read(async () => {
    pids = await childrenOf(launcher.pid)
    process.kill(launcher.pid, 'SIGKILL')
  })
  await expect(reading).rejects.toThrow('The system ended the reading of the file')
  await isGone(pids[0]!)
  let lines = 0
  let own: number[] = []
  await read(async (stream) => {
    own = await childrenOf(process.pid)
    lines = (await text(stream)).trimEnd().split('\n').length
  })
  expect(lines).toBe(rows)
  expect(own.length).toBeGreaterThan(0)
})

test('the launcher ends with its readers when the portal ends before it has taken over the output of one', async () => {
  const starting = startReader([])
  // These loops keep this process, the portal, from receiving messages: the launcher gets no acknowledgement.
  // It sends the output right after it started the reader, before that one has loaded Node and has threads.
  const started = () => readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, 'utf8').trim()
  while (started() === '');
  const reader = Number(started())
  while (readdirSync(`/proc/${reader}/task`).length < 2);
  launcher.end()
  for (const pid of [reader, launcher.pid]) await isGone(pid)
  // The portal of this test goes on and reads by a child of its own.
  const own = await starting
  own.kill()
  await once(own as never, 'exit')
})

test('the launcher ends with its readers when the portal has ended, and not at Ctrl-C before', async () => {
  const started = await startReader([])
  process.kill(launcher.pid, 'SIGINT')
  // It answers after the signal.
  const second = await startReader([])
  expect(await parentOf(second.pid!)).toBe(launcher.pid)
  launcher.end()
  for (const pid of [started.pid!, second.pid!, launcher.pid]) await isGone(pid)
})
