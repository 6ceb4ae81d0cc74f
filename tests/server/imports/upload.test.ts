import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { imports } from '../../../schemas/imports/imports.ts'
import { volumeDayOf } from '../../../server/imports/volumeDay.ts'
import { readersAreProcesses } from '../../setup/readers.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

vi.setConfig({ testTimeout: 30_000 })
const samples = join(import.meta.dirname, '../../../samples')
let portal: TestPortal
let admin: SignedIn
let dataDir = ''
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-'))
  portal = await openTestPortal({ dataDir, uploadLimit: 200_000, timeZone: 'America/New_York' })
  admin = await portal.login('admin')
}, 60_000)
afterAll(async () => {
  await portal.close()
  await rm(dataDir, { recursive: true })
})

type Part = { field: string; filename?: string; content: string | Buffer }
/** A multipart body, byte by byte, so that it can be wrong. */
const multipart = (...parts: Part[]) => {
  const lines = parts.flatMap(({ field, filename, content }) => [
    Buffer.from(
      `--cut\r\nContent-Disposition: form-data; name="${field}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...lines, Buffer.from('--cut--\r\n')])
}
const header = { 'content-type': 'multipart/form-data; boundary=cut' }
const send = (path: string, parts: Part[], who = admin) =>
  who.call('POST', `/api/v1/file/${path}`, multipart(...parts), header)
const file = (filename: string, content: string | Buffer): Part => ({ field: filename, filename, content })
/** 5 January 2025, midnight in New York. */
const midnight: Part = { field: 'date', content: String(Date.UTC(2025, 0, 5, 5) / 1000) }
const csv = 'XMID,DBA,Master Agent\nT1,Test Shop,MA0002\n'
const count = async () => Number((await portal.db.query('select count(*) as n from import_batch'))[0]!.n)
const filesOnDisk = async () => readdir(join(dataDir, 'tmp')).catch(() => [])

test.each(['dryrun', 'again', 'job'])(
  '%s as a field of the form is refused with where it belongs, and nothing is stored',
  async (field) => {
    const before = await count()
    const own = csv.replace('T1', 'T-field')
    const parts = [file('merchants.csv', own), { field, content: '1' }]
    expect(await send('merchant', parts)).toMatchObject({
      status: 400,
      body: {
        error: `${field} belongs in the query (?${field}=…), not in the form. Nothing was stored.`,
      },
    })
    expect([await count(), await filesOnDisk()]).toEqual([before, []])
  },
)

const uploads = [...Object.keys(imports).map((kind) => `file/${kind}`), 'file/merchant/rejected', 'inbox']
const upload = (path: string, parts: Part[]) =>
  admin.call('POST', `/api/v1/${path}`, multipart(...parts), header)
const waiting = async () => Number((await portal.db.query('select count(*) as n from inbox_file'))[0]!.n)

/** The parts of an upload to a call, and what its answer says is wrong. */
const strange: [what: string, parts: (path: string) => Part[], error: (path: string) => string][] = [
  [
    'a field that it does not have',
    () => [file('a.csv', csv), { field: 'colour', content: 'red' }],
    () => 'colour is not a field of this upload. Nothing was stored.',
  ],
  [
    'a field in capitals',
    () => [{ field: 'Answers', content: '{}' }, file('a.csv', csv)],
    () => 'Answers is not a field of this upload. Nothing was stored.',
  ],
  [
    'more fields than any form has',
    () => [...'abcdefg'].map((field) => ({ field, content: '1' })),
    () => 'The upload has more fields than this call takes',
  ],
  [
    'a field that is given twice',
    (path) => {
      const field = path === 'inbox' ? 'kind' : 'answers'
      return [file('a.csv', csv), ...['{}', '{}'].map((content) => ({ field, content }))]
    },
    (path) => `${path === 'inbox' ? 'kind' : 'answers'} is given more than once. Nothing was stored.`,
  ],
  [
    'a second file',
    () => [file('a.csv', csv), file('b.csv', csv)],
    () => 'Only one file can be imported at a time',
  ],
]
test.each(uploads.flatMap((path) => strange.map((it) => [path, ...it] as const)))(
  'an upload to %s with %s is refused, and nothing is stored',
  async (path, _, parts, error) => {
    const before = [await count(), await waiting()]
    const { status, body } = await upload(path, parts(path))
    expect([status, body.error]).toEqual([400, error(path)])
    expect([await count(), await waiting(), await filesOnDisk()]).toEqual([...before, []])
  },
)

test('a form may name its file in a field too: the name of the file itself counts', async () => {
  const named = { field: 'fileName', content: 'other.csv' }
  const { status, body } = await upload('file/merchant?again=1', [named, file('a.csv', csv)])
  const [batch] = await portal.db.query('select filename from import_batch where id = $1', [body.batch])
  expect([status, batch]).toEqual([200, { filename: 'a.csv' }])
})

test.each(
  uploads
    .filter((path) => path !== 'file/dailyvolume')
    .flatMap((path) => [
      [path, 'date'],
      [path, 'day'],
    ]),
)('an upload to %s, which is of no day, with the field %s is refused', async (path, field) => {
  const { status, body } = await upload(path!, [file('a.csv', csv), { field: field!, content: '2025-01-05' }])
  const message = `${field} is not a field of this upload`
  expect([status, body.error, body.fields]).toEqual([
    400,
    `${message}. Nothing was stored.`,
    { [field!]: message },
  ])
})

describe('the first walk', () => {
  readersAreProcesses()

  test.each(['csv', 'xlsx', 'xls'])(
    'imports the sample merchants and the volume of a day from .%s; Home then shows the day',
    async (ending) => {
      await portal.db.query(
        `delete from daily_volume where volumedate = '2025-01-05';
      delete from merchant where xmid not in (select xmid from daily_volume) and id > 3000`,
      )
      const merchants = await send('merchant', [
        file(`merchants.${ending}`, await readFile(join(samples, `merchants.${ending}`))),
      ])
      expect(merchants).toMatchObject({
        status: 200,
        body: { inserted: 60, updated: 0, unchanged: 0, totals: { rows: 60 }, ignored: [] },
      })
      const volume = await send('dailyvolume', [
        midnight,
        file(`daily-volume.${ending}`, await readFile(join(samples, `daily-volume.${ending}`))),
      ])
      expect(volume).toMatchObject({
        status: 200,
        body: { inserted: 55, totals: { rows: 55 }, warnings: [] },
      })
      const [day] = await portal.db.query(
        `select sum(netamount) as net, count(*)::int as rows from daily_volume where volumedate = '2025-01-05'`,
      )
      expect(day).toEqual({ net: volume.body.totals.net, rows: 55 })
      expect(volume.body.totals.net).toBeCloseTo(volume.body.totals.sales - volume.body.totals.refunds, 2)
      const [bought] = await portal.db.query(
        `select count(*)::int as n from merchant where xmid like '00%' and id > 3000`,
      )
      expect(bought).toEqual({ n: 6 })
    },
  )
})

describe('the other samples', () => {
  test.each([
    ['chargeback', 'chargebacks.csv', 12],
    ['pcicompliance', 'pci-compliance.csv', 55],
    ['tinvalidation', 'tin-validation.csv', 55],
  ])('of %s imports cleanly', async (kind, name, rows) => {
    await send('merchant?again=1', [file('merchants.csv', await readFile(join(samples, 'merchants.csv')))])
    const { status, body } = await send(kind, [file(name, await readFile(join(samples, name)))])
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { inserted: rows, updated: 0, unchanged: 0, ignored: [] },
    })
    expect(body.warnings).toEqual([])
  })
})

describe('an upload', () => {
  test('takes the file whatever its field is called, and a date after it', async () => {
    const parts = [{ field: '__x', filename: 'v.csv', content: 'MID,Sales Amount\n1,5\n' }, midnight]
    expect((await send('dailyvolume', parts)).status).toBe(200)
  })
  test('of a dry run stores nothing', async () => {
    const before = await count()
    expect((await send('merchant?dryrun=yes', [file('m.csv', csv)])).status).toBe(400)
    expect((await send('merchant?dryrun=1', [file('m.csv', csv)])).body).toMatchObject({
      batch: null,
      inserted: 1,
    })
    expect(await count()).toBe(before)
  })
  test.each<[string, string, Part[], number, string]>([
    ['without a file', 'merchant', [midnight], 400, 'Choose a file to import'],
    ['with two files', 'merchant', [file('a.csv', csv), file('b.csv', csv)], 400, 'Only one file'],
    [
      'over the limit',
      'merchant',
      [file('m.csv', csv + 'x'.repeat(200_000))],
      413,
      'The file is larger than',
    ],
    [
      'of volume without a date',
      'dailyvolume',
      [file('v.csv', 'MID,Sales Amount\n1,5\n')],
      400,
      'Date is required',
    ],
    [
      'of volume with a wrong date',
      'dailyvolume',
      [{ field: 'date', content: '2025-01-05' }, file('v.csv', csv)],
      400,
      'Date must be',
    ],
    ['of an empty file', 'merchant', [file('m.csv', '')], 422, 'The file is empty'],
    [
      'with a bracket in its name',
      'merchant',
      [file('report (1).csv', csv)],
      422,
      'Invalid file name format: “(” and “)” cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    [
      'of another type',
      'merchant',
      [file('m.txt', csv)],
      422,
      'Invalid file name format: The name must end with .csv, .xlsx or .xls.',
    ],
    ['with a dot in its name', 'merchant', [file('a.b.csv', csv)], 422, '“.” cannot be used'],
    ['without a name', 'merchant', [file('.csv', csv)], 422, 'A name before .csv is missing.'],
  ])('%s is refused', async (_, path, parts, status, why) => {
    const before = await count()
    const reply = await send(path, parts)
    expect([reply.status, reply.body.error]).toEqual([status, expect.stringContaining(why)])
    expect([await count(), await filesOnDisk()]).toEqual([before, []])
  })
  test('that is no multipart body is refused', async () =>
    expect((await admin.call('POST', '/api/v1/file/merchant', { a: 1 })).status).toBe(415))
  test('of a wrong file lists its rows', async () => {
    const reply = await send('merchant', [file('m.csv', `${csv}1.2E+15,B,MA0002\n`)])
    expect(reply).toMatchObject({
      status: 422,
      body: { rows: [{ row: 3, column: 'XMID', value: '1.2E+15' }], more: 0, requestId: expect.any(String) },
    })
  })
  test('needs the permission to import', async () =>
    expect((await send('merchant', [file('m.csv', csv)], await portal.login('clerk'))).status).toBe(403))
  test('sees the rows of its sender alone', async () => {
    await portal.db.query(`update portal_user set permissions = '{import_files}' where username = 'agent'`)
    const [foreign] = await portal.db.query<{ xmid: string }>(
      'select xmid from merchant where masteragentid = 3 limit 1',
    )
    const reply = await send(
      'merchant',
      [file('m.csv', `XMID,DBA,Master Agent\n${foreign!.xmid},Mine,2\n`)],
      await portal.login('agent'),
    )
    expect(reply.body.rows).toMatchObject([{ message: `XMID ${foreign!.xmid} is not yours to change` }])
  })

  /** Sends a share of a file of 4,001 rows and leaves; resolves with the status of the answer, if any. */
  const sendShare = async (name: string, share: number): Promise<number | null> => {
    const rows = Array.from({ length: 4000 }, (_, index) => `${name}${index + 2},Shop,2\n`)
    const body = multipart(file('m.csv', csv + rows.join('')))
    const { port } = portal.app.server.address() as AddressInfo
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/file/merchant',
      headers: {
        ...header,
        'content-length': body.length,
        authorization: `Bearer ${admin.token}`,
        cookie: `XSRF-TOKEN=${admin.cookie}`,
        'x-xsrf-token': admin.cookie,
      },
    })
    const ended = new Promise<number | null>((resolve) =>
      sending
        .on('response', (response) => resolve(response.resume().statusCode!))
        .on('close', () => resolve(null))
        .on('error', () => resolve(null)),
    )
    sending.write(body.subarray(0, Math.floor(body.length * share)), () => share < 1 && sending.destroy())
    return ended
  }
  test.each([0.1, 0.5, 0.99])(
    'leaves no file and no batch behind when twenty calls are cut off after %d of their bytes',
    async (share) => {
      await portal.app.listen({ port: 0, host: '127.0.0.1' }).catch(() => {})
      const before = await count()
      const cutOff = Array.from({ length: 20 }, (_, index) => sendShare(`C${index}-`, share))
      expect(new Set(await Promise.all(cutOff))).toEqual(new Set([null]))
      // By the answer to a later call the portal has received the others. It is refused while they fill
      // the quota.
      await expect.poll(() => sendShare(`W${share * 100}-`, 1)).toBe(200)
      await expect.poll(filesOnDisk).toEqual([])
      expect(await count()).toBe(before + 1)
    },
  )
})

describe('the day of a volume without `day`', () => {
  const hour = 3_600_000
  test.each<[zone: string, midnight: number, day: string]>([
    ['Pacific/Auckland', Date.UTC(2025, 0, 4, 11), '2025-01-05'],
    ['Asia/Tokyo', Date.UTC(2025, 0, 4, 15), '2025-01-05'],
    ['UTC', Date.UTC(2025, 0, 5), '2025-01-05'],
    ['America/Los_Angeles', Date.UTC(2025, 0, 5, 8), '2025-01-05'],
    // The days on which the clocks go forward and back, and the days after them.
    ['America/New_York', Date.UTC(2025, 2, 9, 5), '2025-03-09'],
    ['America/New_York', Date.UTC(2025, 2, 10, 4), '2025-03-10'],
    ['America/New_York', Date.UTC(2025, 10, 2, 4), '2025-11-02'],
    ['America/New_York', Date.UTC(2025, 10, 3, 5), '2025-11-03'],
    // Its clocks go forward at midnight: that day begins at 1 o'clock.
    ['America/Santiago', Date.UTC(2025, 8, 7, 4), '2025-09-07'],
  ])('is that of the nearest midnight of %s, from 11 hours before it to 11 hours after', (zone, at, day) => {
    const days = [-11, -3, -1, 0, 1, 3, 11].map((hours) =>
      volumeDayOf({ date: String((at + hours * hour) / 1000) }, zone),
    )
    expect(days).toEqual(days.map(() => day))
  })
})

describe('a volume from a browser in another time zone', () => {
  const volume = file('v.csv', 'MID,Sales Amount\nD1,5\n')
  /** Midnight of 18 November 2025 in Tokyo, 10 in the morning of the day before in New York. */
  const tokyo: Part = { field: 'date', content: String(Date.UTC(2025, 10, 17, 15) / 1000) }
  const storedDay = async (reply: Awaited<ReturnType<typeof send>>) => {
    const rows = await portal.db.query(
      'select volumedate::text as day from daily_volume where batchid = $1',
      [reply.body.batch],
    )
    const { body } = await admin.call('GET', `/api/v1/file/dailyvolume/history?batch=${reply.body.batch}`)
    return [reply.status, rows, body.data.map(({ date }: { date: string }) => date)]
  }

  test('is stored for the day that was picked, and the history says that day', async () => {
    const reply = await send('dailyvolume?again=1', [tokyo, { field: 'day', content: '2025-11-18' }, volume])
    expect(await storedDay(reply)).toEqual([200, [{ day: '2025-11-18' }], ['2025-11-18']])
  })
  test('is stored for the day with the nearest midnight if the day itself does not come', async () => {
    const reply = await send('dailyvolume?again=1', [tokyo, volume])
    expect(await storedDay(reply)).toEqual([200, [{ day: '2025-11-17' }], ['2025-11-17']])
  })
  test('needs no midnight beside the day', async () => {
    const reply = await send('dailyvolume?again=1', [{ field: 'day', content: '2025-11-19' }, volume])
    expect(await storedDay(reply)).toEqual([200, [{ day: '2025-11-19' }], ['2025-11-19']])
  })
  test.each(['2025-02-30', '2025-1-5', '11/18/2025', '1969-12-31', '10000-01-01', '0000-01-01', 'x'])(
    'is refused with the day %s, however good the midnight is',
    async (day) => {
      const before = await count()
      const reply = await send('dailyvolume?again=1', [tokyo, { field: 'day', content: day }, volume])
      const message = 'Day must be a day from 1970 to 9999 written like 2025-12-31'
      expect([reply.status, reply.body.error, reply.body.fields]).toEqual([400, message, { date: message }])
      expect(await count()).toBe(before)
    },
  )
})
