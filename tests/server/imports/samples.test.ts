import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { sampleProcessors, writeSamples } from '../../../server/demo/samples.ts'
import { openImportDatabase, type ImportDatabase } from '../../files/importDatabase.ts'

const made: string[] = []
let it: ImportDatabase
beforeAll(async () => {
  it = await openImportDatabase()
  await it.db.query(
    `insert into master_agent (id, name, parentid) select n, 'Agent ' || n, 1 from generate_series(6, 60) n`,
  )
  await it.db.query('insert into processor (name) select unnest($1::text[])', [sampleProcessors])
  await it.imports('merchant', 'm.csv', await readFile(join(projectFolder, 'samples/merchants.csv')))
}, 60_000)
afterAll(async () => {
  await it.close()
  for (const folder of made) await rm(folder, { recursive: true })
})

/** The folder of samples as it is at a moment, with its files. */
const writtenAt = async (now: string, demo = true) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'samples-'))
  made.push(dataDir)
  await writeSamples({ dataDir, demo }, new Date(now))
  const folder = join(dataDir, 'samples')
  const names = existsSync(folder) ? (await readdir(folder)).sort() : []
  return { dataDir, names, file: (name: string) => readFile(join(folder, name)) }
}

/** What is left out with a warning, by the file it stands in. */
const leftOut: Record<string, string[]> = { Dorado: ['A row with totals was left out (row 12)'] }

/** The months that the first test imports do not follow one another. */
const answers = { accepted: ['gap'] }

describe('the samples of a month', () => {
  test.each([
    ['2026-11-22T12:00:00Z', 'October 2026'],
    ['2026-11-30T23:59:59Z', 'October 2026'],
    ['2026-12-01T00:00:00Z', 'November 2026'],
    ['2027-01-31T12:00:00Z', 'December 2026'],
    ['2028-03-30T12:00:00Z', 'February 2028'],
  ])('of %s are of %s, one file of each processor', async (now, month) => {
    const { names, file } = await writtenAt(now)
    expect(names).toHaveLength(7)
    const name = 'Equinox residuals.xlsx'
    await it.imports('compdata', name, await file(name), { again: true, now: new Date(now), answers })
    const stored = await it.db.query(
      `select distinct to_char(month, 'FMMonth YYYY') as month from residual where processor = 'Equinox'`,
    )
    expect(stored).toContainEqual({ month })
  })

  test('are read as one month of each processor', async () => {
    const month = 'October 2026'
    const now = '2026-11-22T12:00:00Z'
    const { names, file } = await writtenAt(now)
    const good = names.filter((name) => !name.startsWith('Faulty'))
    expect(good.map((name) => /^[A-Z][a-z]+/.exec(name)![0])).toEqual([...sampleProcessors])
    expect(new Set(good.map((name) => name.split('.').at(-1)))).toEqual(new Set(['csv', 'xls', 'xlsx']))
    for (const name of good) {
      const processor = /^[A-Z][a-z]+/.exec(name)![0]
      const { warnings } = await it.imports('compdata', name, await file(name), {
        again: true,
        now: new Date(now),
        answers,
      })
      const news = warnings.filter((warning) => !/was imported before/.test(warning))
      expect([name, news]).toEqual([name, leftOut[processor] ?? []])
    }
    const stored = await it.db.query(
      `select to_char(month, 'FMMonth YYYY') as month, processor, count(*)::int as n from residual group by 1, 2
        having to_char(month, 'FMMonth YYYY') = $1 order by 2`,
      [month],
    )
    const rows = (processor: string) => ({ month, processor, n: processor === 'Indigo' ? 5 : 10 })
    expect(stored).toEqual(sampleProcessors.map(rows))
  })

  test('have merchants of every processor at a loss or without volume in some file', async () => {
    const [{ losses, still } = { losses: 0, still: 0 }] = await it.db.query<{
      losses: number
      still: number
    }>(
      `select count(*) filter (where net < 0)::int as losses, count(*) filter (where txncount = 0)::int as still
        from residual where month = '2026-10-01'`,
    )
    expect([losses > 0, still > 0]).toEqual([true, true])
  })

  test('have one file with five wrong rows, of which nothing is stored', async () => {
    const { names, file } = await writtenAt('2026-11-22T12:00:00Z')
    const name = names.find((one) => one.startsWith('Faulty'))!
    expect(name).toBe('Faulty October 2026.csv')
    const before = await it.db.query('select count(*) from residual')
    const { status, rows } = await it.refuses('compdata', name, await file(name))
    expect(status).toBe(422)
    expect(rows.map(({ row, column }) => [row, column])).toEqual([
      [4, 'MID'],
      [5, 'Expenses'],
      [6, 'Net'],
      [7, 'Income'],
      [8, 'Net'],
    ])
    expect(await it.db.query('select count(*) from residual')).toEqual(before)
  })

  test('are not written without demo data, nor again where the folder is there', async () => {
    expect((await writtenAt('2026-11-22T12:00:00Z', false)).names).toEqual([])
    const { dataDir, names } = await writtenAt('2026-11-22T12:00:00Z')
    await writeSamples({ dataDir, demo: true }, new Date('2027-05-05T12:00:00Z'))
    expect((await readdir(join(dataDir, 'samples'))).sort()).toEqual(names)
  })
})
