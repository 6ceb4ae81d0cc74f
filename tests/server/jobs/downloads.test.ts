import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { defaultImportLimits } from '../../../server/config/importLimits.ts'
import { createDownloads, type Download } from '../../../server/jobs/downloads.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'downloads-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const filesOnDisk = () => readdir(join(dataDir, 'tmp'))
const downloads = ({ limit = 1_000, freeDiskMb = 0 } = {}) =>
  createDownloads({
    dataDir,
    downloadLimit: limit,
    downloadSeconds: 60,
    importLimits: { ...defaultImportLimits, freeDiskMb },
  })
const never = new AbortController().signal
async function* chunks(...sizes: number[]) {
  for (const size of sizes) yield Buffer.alloc(size, 'x')
}

test('a file is its owner’s alone to read, and is gone once it was sent', async () => {
  const { write, send } = downloads()
  const file = await write('ann', chunks(400, 300), never)
  expect([file.size, (await stat(file.path)).mode & 0o777]).toEqual([700, 0o600])
  const app = fastify()
  const isTaken = new Promise<boolean>((resolve) => {
    app.get('/', async (_, reply) => {
      resolve(await send(reply.type('text/plain'), file))
      return reply
    })
  })
  const answer = await app.inject('/')
  expect([answer.headers['content-length'], answer.body.length, await isTaken]).toEqual(['700', 700, true])
  expect(await filesOnDisk()).toEqual([])
  await app.close()
})

test('a text is as large as its bytes', async () => {
  async function* texts() {
    yield* ['Café ', '日本 ', '😀']
  }
  const file = await downloads({ limit: 17 }).write('ann', texts(), never)
  expect([file.size, (await stat(file.path)).size]).toEqual([17, 17])
  await expect(downloads({ limit: 16 }).write('ann', texts(), never)).rejects.toMatchObject({ status: 429 })
})

test.each([
  [999, null],
  [1_000, null],
  [1_001, 429],
])('of a limit of 1,000 bytes a user has %d in all: %s', async (bytes, refused) => {
  const { write } = downloads()
  const first = await write('ann', chunks(600), never)
  const second = write('ann', chunks(300, bytes - 900), never)
  if (refused === null) expect((await second).size).toBe(bytes - 600)
  else {
    const sentence =
      'Your downloads that were not taken yet fill the 0 MB that one person may have. ' +
      'Take them or cancel them, then try again.'
    await expect(second).rejects.toMatchObject({ status: refused, message: sentence })
    expect(await filesOnDisk()).toHaveLength(1)
    // The refused file counts no more, and that of another user never did.
    expect((await write('ann', chunks(400), never)).size).toBe(400)
  }
  const others = await write('bob', chunks(1_000), never)
  await Promise.all([first.remove(), first.remove(), others.remove()])
  expect((await write('bob', chunks(1_000), never)).size).toBe(1_000)
})

test('a file for which the disk has no room is refused', async () => {
  const refused = downloads({ freeDiskMb: 1_000_000_000 }).write('ann', chunks(1), never)
  const sentence =
    'The server has no room for the file: 1,000,000,000 MB of its disk must stay free. Please tell an administrator.'
  await expect(refused).rejects.toMatchObject({ status: 507, message: sentence })
  expect(await filesOnDisk()).toEqual([])
})

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('a file on a disk that is full, %s, is refused', async (code) => {
  const failing = async function* () {
    yield* chunks(10)
    throw Object.assign(new Error(code), { code })
  }
  await expect(downloads().write('ann', failing(), never)).rejects.toMatchObject({
    status: 507,
    message:
      'The server has no room for the file: 0 MB of its disk must stay free. Please tell an administrator.',
  })
  expect(await filesOnDisk()).toEqual([])
})

test('nothing is left of a file whose rows fail, or whose reader goes away before it is sent', async () => {
  const { write } = downloads()
  const failing = async function* () {
    yield* chunks(600)
    throw new Error('no more rows')
  }
  await expect(write('ann', failing(), never)).rejects.toThrow('no more rows')
  const gone = new AbortController()
  const waiting = async function* () {
    yield* chunks(600)
    gone.abort(new Error('gone'))
    yield* chunks(100)
  }
  await expect(write('ann', waiting(), gone.signal)).rejects.toThrow('gone')
  expect(await filesOnDisk()).toEqual([])
  expect((await write('ann', chunks(1_000), never)).size).toBe(1_000)
})

test('a file whose reader has gone when it is to be sent is removed, and was not taken', async () => {
  const { write, send } = downloads()
  const app = fastify()
  const taken = new Promise<[boolean, Download]>((resolve) => {
    app.get('/', async (request, reply) => {
      request.raw.socket.destroy()
      await once(reply.raw, 'close')
      const file = await write('ann', chunks(900), never)
      resolve([await send(reply, file), file])
      return reply
    })
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await expect(fetch(address)).rejects.toThrow()
  expect((await taken)[0]).toBe(false)
  expect(await filesOnDisk()).toEqual([])
  await app.close()
})

test('an answer of which its reader takes nothing ends after its time, at the eighth look that finds nothing', async () => {
  const { write, send } = downloads({ limit: 30_000_000 })
  // More than the buffers of the connection hold.
  const file = await write('ann', chunks(...Array<number>(20).fill(1_000_000)), never)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = fastify()
  const begun = new Promise<{ raw: ServerResponse; taken: Promise<boolean> }>((resolve) => {
    app.get('/', async (_, reply) => {
      const taken = send(reply, file)
      resolve({ raw: reply.raw, taken })
      await taken
      return reply
    })
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const reader = connect(Number(port), '127.0.0.1')
  reader.on('error', () => {})
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'readable')
  const { raw, taken } = await begun
  // The first look finds what was sent until now.
  for (let looks = 1; looks <= 8; looks++) {
    vi.advanceTimersByTime(60_000 / 8)
    expect([looks, raw.destroyed]).toEqual([looks, false])
  }
  vi.advanceTimersByTime(60_000 / 8)
  expect(raw.destroyed).toBe(true)
  expect([await taken, await filesOnDisk()]).toEqual([false, []])
  await app.close()
})

test('files of a portal that was killed are removed at the next start; others stay', async () => {
  const folder = join(dataDir, 'tmp')
  await mkdir(folder)
  const names = {
    killed: `download-${hostname()}-999999999-a`,
    running: `download-${hostname()}-${process.ppid}-b`,
    ofAnotherUser: `download-${hostname()}-999999998-h`,
    elsewhere: 'download-elsewhere-1-c',
    elsewhereLongAgo: 'download-elsewhere-1-f',
    // Of a machine whose name goes on with a number.
    namesake: `download-${hostname()}-9999999-1234567-${randomUUID()}`,
    eightDigits: `download-${hostname()}-999999999-12345678-g`,
    upload: `upload-${hostname()}-999999999-d`,
    sameNumber: `download-${hostname()}-${process.pid}-e`,
  }
  for (const name of Object.values(names)) await writeFile(join(folder, name), 'x')
  const ago = (minutes: number) => Date.now() / 1000 - minutes * 60
  await utimes(join(folder, names.elsewhere), ago(59), ago(59))
  await utimes(join(folder, names.elsewhereLongAgo), ago(61), ago(61))
  const kill = process.kill.bind(process)
  const signals = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid === 999_999_998) throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
    return kill(pid, signal)
  })
  onTestFinished(() => signals.mockRestore())
  const own = basename((await downloads().write('ann', chunks(1), never)).path)
  const kept = [names.elsewhere, names.namesake, names.running, names.ofAnotherUser, names.upload, own].sort()
  await expect.poll(filesOnDisk).toEqual(kept)
  // Another reader of this process finds the file of the first, and leaves it.
  await writeFile(join(folder, names.killed), 'x')
  downloads()
  await expect.poll(filesOnDisk).toEqual(kept)
  expect(await readFile(join(folder, names.running), 'utf8')).toBe('x')
})
