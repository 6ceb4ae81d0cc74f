import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { volumeDayOf } from '../../../server/imports/volumeDay.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const uploadLimit = 20_000
let portal: TestPortal
let importer: SignedIn
beforeAll(async () => {
  portal = await openTestPortal({ uploadLimit, timeZone: 'America/New_York' })
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

const unread = 'x0 is not a field of this upload. Nothing was stored.'
test.each([
  [4, unread],
  [5, unread],
  [6, 'The upload has more fields than this call takes'],
])('a file with %i fields beside it is refused: %s', async (fields, error) => {
  const parts = Array.from({ length: fields }, (_, at) => ['name="x' + at + '"', 'y'])
  parts.push(['name="f"; filename="f.csv"', merchants([['S1', 'Shop', 'MA0002', '']])])
  const body = parts
    .map(([name, content]) => `--cut\r\nContent-Disposition: form-data; ${name}\r\n\r\n${content}\r\n`)
    .join('')
  const answer = await importer.call('POST', '/api/v1/file/merchant?dryrun=1', `${body}--cut--\r\n`, {
    'content-type': 'multipart/form-data; boundary=cut',
  })
  expect([answer.status, answer.body.error]).toEqual([400, error])
})

test.each([
  [999_999, 422],
  [1_000_000, 422],
  [1_000_001, 413],
])('a body of %i bytes is read or not: it is answered %i', async (bytes, status) => {
  const body = (username: string) => JSON.stringify({ username, password: 'x' })
  const sent = body('x'.repeat(bytes - body('').length))
  const stranger = await portal.stranger()
  const answer = await stranger.call('PUT', '/api/v1/login', sent, { 'content-type': 'application/json' })
  expect([sent.length, answer.status]).toEqual([bytes, status])
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
  // Noon lies between two midnights; New York is five hours behind UTC in winter, four in summer.
  test.each<[string, string]>([
    ['2025-01-05T16:59:59Z', '2025-01-05'],
    ['2025-01-05T17:00:00Z', '2025-01-05'],
    ['2025-01-05T17:00:01Z', '2025-01-06'],
    ['2025-06-30T15:59:59Z', '2025-06-30'],
    ['2025-06-30T16:00:00Z', '2025-06-30'],
    ['2025-06-30T16:00:01Z', '2025-07-01'],
    ['2025-12-31T17:00:00Z', '2025-12-31'],
    ['2025-12-31T17:00:01Z', '2026-01-01'],
    // The day of 23 hours, and that of 25.
    ['2025-03-09T16:30:00Z', '2025-03-09'],
    ['2025-03-09T16:30:01Z', '2025-03-10'],
    ['2025-11-02T16:30:00Z', '2025-11-02'],
    ['2025-11-02T16:30:01Z', '2025-11-03'],
  ])('without `day`, of the instant %s, is %s in New York', (instant, day) =>
    expect(volumeDayOf({ date: String(Date.parse(instant) / 1000) }, 'America/New_York')).toBe(day),
  )

  test('without `day` is stored as the day of the portal whose midnight is nearest to that of UTC', async () => {
    const midnight = Date.parse('2025-01-06T00:00:00Z') / 1000
    const { body } = await send('dailyvolume', 'MID,Sales Amount\nZ1,5\n', midnight)
    const stored = await portal.db.query(
      'select volumedate::text as day from daily_volume where batchid = $1',
      [body.batch],
    )
    expect(stored).toEqual([{ day: '2025-01-06' }])
  })

  test.each<[string, boolean]>([
    ['0', false],
    ['1', true],
    // Noon of the last day of the year 9999, after which the nearest midnight is that of the year 10000.
    ['253402257600', true],
    ['253402257601', false],
    ['1000000000000', false],
    ['1.5', false],
    ['-1', false],
  ])('of %s seconds is taken: %s', (seconds, isTaken) => {
    const day = () => volumeDayOf({ date: seconds }, 'UTC')
    if (isTaken) expect(day()).toMatch(/^\d{4}-\d\d-\d\d$/)
    else expect(day).toThrow('Date must be the epoch seconds of a midnight')
  })

  test.each<[string, boolean]>([
    ['1969-12-31', false],
    ['1970-01-01', true],
    ['9999-12-31', true],
    ['10000-01-01', false],
  ])('given as %s is taken: %s', (day, isTaken) => {
    const stored = () => volumeDayOf({ day }, 'UTC')
    if (isTaken) expect(stored()).toBe(day)
    else expect(stored).toThrow('Day must be a day from 1970 to 9999 written like 2025-12-31')
  })
})
