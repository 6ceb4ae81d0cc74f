import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isoDayOf } from '../../../server/imports/upload.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { world, type SignedIn, type World } from '../../world.ts'

const uploadLimit = 20_000
let portal: World
let importer: SignedIn
beforeAll(async () => {
  portal = await world({ uploadLimit, timeZone: 'America/New_York' })
  importer = await portal.login('importer')
})
afterAll(() => portal.close())

const send = (path: string, content: string, date?: number) =>
  importer.call(
    'POST',
    `/api/v1/file/${path}`,
    Buffer.from(
      (date === undefined ? '' : `--cut\r\nContent-Disposition: form-data; name="date"\r\n\r\n${date}\r\n`) +
        `--cut\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n${content}\r\n--cut--\r\n`,
    ),
    { 'content-type': 'multipart/form-data; boundary=cut' },
  )
const merchants = (rows: Rows) => csvOf([['XMID', 'DBA', 'Master Agent', 'Notes'], ...rows])

describe('a file', () => {
  /** A file of exactly so many bytes. */
  const ofSize = (bytes: number) => {
    const rows = (notes: number) =>
      merchants(
        Array.from({ length: 10 }, (_, at) => [
          `S${at}`,
          'Shop',
          'MA0002',
          'x'.repeat(at < 9 ? 1_900 : Math.max(0, notes)),
        ]),
      )
    const file = rows(bytes - Buffer.byteLength(rows(0)))
    expect(Buffer.byteLength(file)).toBe(bytes)
    return file
  }
  test.each([
    [uploadLimit, 200],
    [uploadLimit + 1, 413],
  ])('of %i bytes, where 20,000 are allowed, answers %i', async (bytes, status) => {
    expect((await send('merchant?dryrun=1', ofSize(bytes))).status).toBe(status)
  })
})

describe('a refused file', () => {
  test.each([
    [100, 100, 0],
    [101, 100, 1],
  ])('with %i faults lists %i and counts %i more', async (faults, listed, more) => {
    const wrong = Array.from({ length: faults }, (_, at): Rows[number] => [`F${at}`, '', 'MA0002', ''])
    const { status, body } = await send('merchant', merchants(wrong))
    expect([status, body.rows.length, body.more]).toEqual([422, listed, more])
    expect(body.rows.map(({ row }: { row: number }) => row)).toEqual(
      Array.from({ length: listed }, (_, at) => at + 2),
    )
    expect(body.error).toMatch(new RegExp(`^The file has ${faults} faults; the first is in row 2: `))
  })
})

describe('a preview', () => {
  test.each([
    [50, 50],
    [51, 50],
  ])('of %i values that change shows %i of them', async (changed, shown) => {
    const stored = await portal.db.query<{ xmid: string; dba: string }>(
      'select xmid, dba from merchant where masteragentid = 2 order by xmid limit 51',
    )
    expect(stored).toHaveLength(51)
    const rows = stored.map(({ xmid, dba }, at): Rows[number] => [
      xmid,
      at < changed ? `${dba}!` : dba,
      '',
      '',
    ])
    const { body } = await send('merchant?dryrun=1', merchants(rows))
    expect([body.updated, body.unchanged, body.differences.length]).toEqual([changed, 51 - changed, shown])
  })
})

describe('the name of a job', () => {
  test.each<[string, number]>([
    [randomUUID(), 200],
    [randomUUID().slice(1), 404],
    [`${randomUUID()}0`, 404],
  ])('%s answers %i', async (job, status) =>
    expect((await importer.call('GET', `/api/v1/file/merchant/progress/${job}`)).status).toBe(status),
  )
})

describe('the day of a volume', () => {
  /** New York is five hours behind UTC in winter, four in summer. */
  test.each<[string, string]>([
    ['2025-01-06T04:59:59Z', '2025-01-05'],
    ['2025-01-06T05:00:00Z', '2025-01-06'],
    ['2025-07-01T03:59:59Z', '2025-06-30'],
    ['2025-07-01T04:00:00Z', '2025-07-01'],
    ['2026-01-01T04:59:59Z', '2025-12-31'],
    ['2026-01-01T05:00:00Z', '2026-01-01'],
    // The night in which the clocks go forward, and back.
    ['2025-03-10T03:59:59Z', '2025-03-09'],
    ['2025-11-03T04:59:59Z', '2025-11-02'],
  ])('chosen in New York as %s is %s', (instant, day) =>
    expect(isoDayOf(String(Date.parse(instant) / 1000), 'America/New_York')).toBe(day),
  )

  test('chosen late in the evening is stored as the day of the portal, not that of UTC', async () => {
    const evening = Date.parse('2025-01-06T03:30:00Z') / 1000
    const { body } = await send('dailyvolume', 'MID,Sales Amount\nZ1,5\n', evening)
    const stored = await portal.db.query(
      'select volumedate::text as day from daily_volume where batchid = $1',
      [body.batch],
    )
    expect(stored).toEqual([{ day: '2025-01-05' }])
  })

  test.each<[string, boolean]>([
    ['0', false],
    ['1', true],
    ['253402214400', true],
    ['253402214401', false],
    ['1.5', false],
    ['-1', false],
  ])('of %s seconds is taken: %s', (seconds, isTaken) => {
    const day = () => isoDayOf(seconds, 'UTC')
    if (isTaken) expect(day()).toMatch(/^\d{4}-\d\d-\d\d$/)
    else expect(day).toThrow('Date must be the epoch seconds of a midnight')
  })
})
