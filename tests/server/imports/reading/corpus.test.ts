import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { corpus } from '../../../files/corpus.table.ts'
import type { Case, Told } from '../../../files/corpusReader.ts'

/** MB. A heap of this size is little for a file of 50 MB, and the whole corpus goes through it. */
const heap = 192
const told = new Map<string, Told>()
let folder = ''
let ended: unknown[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  const cases: Case[] = []
  for (const [name, filename, content, , { kind = 'merchant', limits = {} } = {}] of corpus) {
    const path = join(folder, String(cases.length))
    await writeFile(path, content())
    cases.push({ name, path, filename, kind, limits })
  }
  const reader = fork(join(import.meta.dirname, '../../../files/corpusReader.ts'), [], {
    execArgv: ['--import', 'tsx', `--max-old-space-size=${heap}`],
    env: { PATH: process.env['PATH'] },
  })
  reader.on('message', (one: Told) => told.set(one.name, one))
  reader.send(cases)
  ended = await once(reader, 'exit')
}, 300_000)
afterAll(() => rm(folder, { recursive: true }))

test.each(corpus)('%s', (name, _, __, outcome) => {
  const found = told.get(name)?.outcome
  if (typeof outcome === 'string') return expect(found).toEqual(expect.stringContaining(outcome))
  expect(found).toEqual(outcome.map((row) => (row.includes('! ') ? expect.stringContaining(row) : row)))
})

test('no file ends its reader, or makes it large', () => {
  expect(ended).toEqual([0, null])
  const largest = [...told.values()].sort((one, other) => other.peak - one.peak)[0]
  expect(largest!.peak).toBeLessThan(512)
})

test('the corpus has at least sixty files, each with a name of its own', () => {
  expect(new Set(corpus.map(([name]) => name)).size).toBe(corpus.length)
  expect(corpus.length).toBeGreaterThanOrEqual(60)
})
