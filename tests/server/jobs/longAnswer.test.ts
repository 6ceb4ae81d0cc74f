import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultImportLimits } from '../../../server/config/importLimits.ts'
import { createDownloads, type Downloads } from '../../../server/jobs/downloads.ts'
import { mostInMemory, sendAnswer, writeAnswer } from '../../../server/jobs/longAnswer.ts'

let dataDir: string
let downloads: Downloads
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answers-'))
  downloads = createDownloads({
    dataDir,
    downloadLimit: 3 * mostInMemory,
    downloadSeconds: 60,
    importLimits: { ...defaultImportLimits, freeDiskMb: 0 },
  })
})
afterEach(() => rm(dataDir, { recursive: true }))

const never = new AbortController().signal
const filesOnDisk = () => readdir(join(dataDir, 'tmp')).catch(() => [])
/** A JSON text of so many characters in chunks of at most `size`. */
async function* textOf(length: number, size = 300_000) {
  const text = `"${'x'.repeat(length - 2)}"`
  for (let at = 0; at < length; at += size) yield text.slice(at, at + size)
}

describe.each([
  [mostInMemory - 1, 0],
  [mostInMemory, 0],
  [mostInMemory + 1, 1],
  [2 * mostInMemory, 1],
])('an answer of %i characters', (length, files) => {
  test(`lies in ${files} files until it is sent, and arrives whole as JSON`, async () => {
    const answer = await writeAnswer(downloads, 'ann', textOf(length), never)
    expect(await filesOnDisk()).toHaveLength(files)
    const app = fastify()
    app.get('/', (_, reply) => sendAnswer(downloads, reply, answer))
    const { statusCode, headers, body } = await app.inject('/')
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect((JSON.parse(body) as string).length).toBe(length - 2)
    await expect.poll(filesOnDisk).toEqual([])
  })
})

test('of a long answer no more than the characters kept in memory are read before they go to the disk', async () => {
  let read = 0
  let readAtFirstWrite = 0
  async function* counted() {
    for await (const chunk of textOf(2 * mostInMemory, 100_000)) {
      read += chunk.length
      yield chunk
    }
  }
  const watched: Pick<Downloads, 'write'> = {
    async write(user, chunks, signal) {
      readAtFirstWrite = read
      return downloads.write(user, chunks, signal)
    },
  }
  await writeAnswer(watched, 'ann', counted(), never)
  expect(readAtFirstWrite).toBe(mostInMemory + 100_000)
})

test('an answer that fails on the way, or is larger than a person may have, leaves nothing behind', async () => {
  async function* failing() {
    yield* textOf(mostInMemory + 1)
    throw new Error('the cursor is gone')
  }
  await expect(writeAnswer(downloads, 'ann', failing(), never)).rejects.toThrow('the cursor is gone')
  await expect(writeAnswer(downloads, 'ann', textOf(4 * mostInMemory), never)).rejects.toThrow(
    'Your downloads that were not taken yet fill the 3 MB that one person may have',
  )
  expect(await filesOnDisk()).toEqual([])
})
