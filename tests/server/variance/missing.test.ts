import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MonthDetail } from '../../../schemas/api/months/months.ts'
import type { MissingReply, RecoveredReply } from '../../../schemas/api/months/variance.ts'
import { waive } from '../../money/book.ts'
import { ledger, publish, type Ledger } from '../reports/ledger.ts'
import { drawBook, emptyPortfolio, missingOf, write, type Book, type FileRow, type Shop } from './oracle.ts'

let portal: Ledger
beforeEach(async () => {
  portal = await ledger({ timeZone: 'America/New_York' })
  await emptyPortfolio(portal.db)
})
afterEach(() => portal.close())

const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)
const get = async <T>(path: string): Promise<T> => {
  const { status, body } = await portal.admin.call('GET', `/api/v1/month/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const missing = (month: string, query = 'size=100') => get<MissingReply>(`${month}/missing?${query}`)
const recovered = (month: string) => get<RecoveredReply>(`${month}/recovered`)
const reason = 'It was billed by hand'
const dismiss = (month: string, xmid: string, text = reason) =>
  portal.admin.call('POST', `/api/v1/month/${month}/missing/dismiss`, { xmid, reason: text })
const missedMonths = ({ data }: MissingReply) =>
  data.map((it) => [it.xmid, ...it.months.map((at) => `${at.month} ${at.volume} ${at.estimate} ${at.basis}`)])

const shop = (xmid: string, others: Partial<Shop> = {}): Shop => ({
  xmid,
  agent: 2,
  status: 2,
  processor: 'Aster',
  approved: null,
  closed: null,
  ...others,
})
const row = (xmid: string, month: string, income: number, others: Partial<FileRow> = {}): FileRow => ({
  month,
  processor: 'Aster',
  xmid,
  sales: 100_000,
  income,
  expense: 0,
  ...others,
})
const put = (book: Partial<Book>) =>
  write(portal.db, { shops: [], rows: [], volumes: [], notes: [], ...book })
const sale = (xmid: string, day: string, sales = 50_000) => ({ xmid, day, sales })

/** Stores a file of one row that was imported at this time. */
async function importLater(at: string, { month, processor, xmid, income, expense }: FileRow) {
  const [batch] = await sql(
    `insert into import_batch (kind, filename, sha256, size, username, imported_at, rows, inserted, updated, unchanged)
      values ('compdata', 'Late.csv', '', 0, 'x', $1, 1, 1, 0, 0) returning id`,
    [at],
  )
  await sql(
    `insert into residual (month, processor, xmid, income, expense, net, batchid)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [`${month}-01`, processor, xmid, income / 100, expense / 100, (income - expense) / 100, batch!.id],
  )
  return batch!.id
}

describe('a merchant', () => {
  test('is missing as an oracle finds it, with its estimate, over the ends of years and in February too', async () => {
    let merchants = 0
    const bases = new Set<string | null>()
    for (const [month, seed] of [
      ['2026-01', 11],
      ['2028-02', 12],
      ['2028-03', 13],
      ['2026-12', 14],
    ] as const) {
      const book = drawBook(seed, month)
      await emptyPortfolio(portal.db)
      await put(book)
      const wanted = missingOf(book, month)
      const reply = await missing(month)
      expect(new Map(reply.data.map((it) => [it.xmid, it.months]))).toEqual(wanted)
      const all = [...wanted.values()].flat()
      const cents = (found: { estimate: number | null }[]) =>
        found.reduce((total, { estimate }) => total + Math.round((estimate ?? 0) * 100), 0)
      expect(reply.missing).toMatchObject({ merchants: wanted.size, months: all.length })
      expect([cents([reply.missing]), cents(reply.months), cents(reply.data)]).toEqual(
        Array(3).fill(cents(all)),
      )
      expect(reply.months.map((it) => [it.month, it.merchants])).toEqual(
        [...new Set(all.map((it) => it.month))]
          .sort()
          .reverse()
          .map((at) => [at, all.filter((it) => it.month === at).length]),
      )
      const estimates = reply.data.map(({ estimate }) => estimate ?? 0)
      expect(estimates).toEqual([...estimates].sort((a, b) => b - a))
      merchants += wanted.size
      all.forEach(({ basis }) => bases.add(basis))
    }
    expect(merchants).toBeGreaterThan(40)
    expect([...bases].map(String).sort()).toEqual(['history', 'house', 'null', 'processor'])
  })

  test('is expected from its approval on, and until the month it was closed in', async () => {
    await put({
      shops: [
        shop('APPROVED0131', { approved: '2026-01-31' }),
        shop('APPROVED0201', { approved: '2026-02-01' }),
        shop('CLOSED0131', { status: 3, closed: '2026-01-31', approved: '2020-01-01' }),
        shop('CLOSED0201', { status: 3, closed: '2026-02-01', approved: '2020-01-01' }),
        shop('INACTIVE', { status: 3, approved: '2020-01-01' }),
        shop('PENDING', { status: 1, approved: '2020-01-01' }),
        shop('UNKNOWN'),
      ],
      rows: [row('OTHER', '2026-01', 100), row('OTHER', '2026-02', 100)],
      volumes: [sale('PENDING', '2026-01-05')],
    })
    const found = async (month: string) =>
      (await missing(month)).data
        .filter((it) => it.months.some((at) => at.month === month))
        .map(({ xmid }) => xmid)
    expect((await found('2026-01')).sort()).toEqual(['APPROVED0131', 'CLOSED0131', 'CLOSED0201'])
    expect((await found('2026-02')).sort()).toEqual(['APPROVED0131', 'APPROVED0201', 'CLOSED0201'])
  })

  test('has the volume of the days of the month, whatever the time zone', async () => {
    await put({
      shops: [shop('A')],
      rows: ['2028-02', '2028-03', '2028-12', '2029-01'].map((month) => row('OTHER', month, 1_000)),
      volumes: ['2028-02-29', '2028-03-01', '2028-12-31', '2029-01-01'].map((day) => sale('A', day)),
    })
    expect(missedMonths(await missing('2029-01'))).toEqual([
      [
        'A',
        '2029-01 500 5 processor',
        '2028-12 500 null null',
        '2028-03 500 5 processor',
        '2028-02 500 null null',
      ],
    ])
    await sql(`delete from daily_volume where volumedate in ('2028-12-31', '2029-01-01')`)
    expect(missedMonths(await missing('2029-02'))).toEqual([['A', '2028-03 500 5 processor']])
    expect(missedMonths(await missing('2029-03'))).toEqual([])
  })

  test('is estimated by the middle of its last six months with income', async () => {
    const nets = [9_999_99, 600, 100, 0, 501, 200, 300, 400]
    const months = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']
    await put({
      shops: [shop('A', { approved: '2020-01-01' })],
      rows: [...months.map((month, n) => row('A', month, nets[n]!)), row('OTHER', '2026-07', 100)],
    })
    expect(missedMonths(await missing('2026-07'))).toEqual([['A', '2026-07 0 3.5 history']])
    await sql(`update residual set income = 5.03, net = 5.03 where xmid = 'A' and month = '2026-06-01'`)
    expect(missedMonths(await missing('2026-07'))).toEqual([['A', '2026-07 0 4.01 history']])
    // An income that costs eat up is one: the month counts with its net of 0.
    await sql(`update residual set expense = 5.03, net = 0 where xmid = 'A' and month = '2026-06-01'`)
    expect(missedMonths(await missing('2026-07'))).toEqual([['A', '2026-07 0 2.5 history']])
  })

  test.each([0, -1])('has no estimate by sales of the month before that are %d', async (sales) => {
    await put({
      shops: [shop('A')],
      rows: [row('OTHER', '2026-06', 1_000, { sales }), row('OTHER', '2026-07', 1_000)],
      volumes: [sale('A', '2026-07-02')],
    })
    expect(missedMonths(await missing('2026-07'))).toEqual([['A', '2026-07 500 null null']])
  })

  test('without a processor is expected in the files of that of its newest row, of several the first by name', async () => {
    await put({
      shops: ['OLD', 'NEW', 'BOTH'].map((xmid) =>
        shop(xmid, { processor: '', approved: '2026-06-15', agent: 3 }),
      ),
      rows: [
        row('OLD', '2026-05', 300, { processor: 'Birch' }),
        row('OLD', '2026-06', 300),
        row('NEW', '2026-05', 200),
        row('NEW', '2026-06', 200, { processor: 'Birch' }),
        row('BOTH', '2026-06', 50),
        row('BOTH', '2026-06', 50, { processor: 'Birch' }),
        row('OTHER', '2026-07', 100, { processor: 'Birch' }),
      ],
    })
    const found = async () => (await missing('2026-07')).data.map((it) => `${it.xmid} ${it.processor}`)
    expect(await found()).toEqual(['NEW Birch'])
    await sql(`update residual set processor = 'Aster' where xmid = 'OTHER'`)
    expect(await found()).toEqual(['OLD Aster', 'BOTH Aster'])
  })

  test('that has rows of two processors is shown with that of the newest month it is missing in', async () => {
    await put({
      shops: [shop('A', { processor: '', approved: '2026-04-15' })],
      rows: [
        ...['2026-04', '2026-05', '2026-07'].map((month) => row('OTHER', month, 100)),
        row('A', '2026-06', 300, { processor: 'Birch' }),
        row('OTHER', '2026-07', 100, { processor: 'Birch' }),
      ],
    })
    const { data } = await missing('2026-07')
    expect(data.map((it) => [it.processor, ...it.months.map(({ month }) => month)])).toEqual([
      ['Birch', '2026-07', '2026-05', '2026-04'],
    ])
  })

  test('is missing once a file of its processor has come; with volume a note that there is none will do', async () => {
    await put({
      shops: [shop('VOLUME'), shop('APPROVED', { approved: '2020-01-01' })],
      rows: [row('OTHER', '2026-07', 100, { processor: 'Birch' })],
      volumes: [sale('VOLUME', '2026-07-04')],
    })
    expect((await missing('2026-07')).data).toEqual([])
    await put({ notes: [['2026-07', 'Aster']] })
    expect((await missing('2026-07')).data.map(({ xmid }) => xmid)).toEqual(['VOLUME'])
    await put({ rows: [row('OTHER', '2026-07', 100)] })
    expect((await missing('2026-07')).data.map(({ xmid }) => xmid)).toEqual(['VOLUME', 'APPROVED'])
  })

  test('with volume is the same for the checklist, which links to it', async () => {
    const book = drawBook(21, '2026-10')
    await put(book)
    const { findings } = await get<MonthDetail>('2026-10')
    const found = findings.filter(({ kind }) => kind === 'volume-without-file')
    const wanted = [...missingOf(book, '2026-10')].flatMap(([xmid, months]) => {
      const now = months.find(({ month }) => month === '2026-10')
      const has = book.volumes.some((it) => it.xmid === xmid && it.day.startsWith('2026-10'))
      return now && has ? [`${xmid} ${now.volume}`] : []
    })
    expect(wanted.length).toBeGreaterThan(1)
    const named = found.map(({ key, amount }) => `${key.split(':')[1]} ${amount}`)
    expect(named.sort()).toEqual(wanted.sort())
    for (const { link, key } of found) expect(link).toBe(`/month/2026-10/missing?search=${key.split(':')[1]}`)
  })

  test('is found by a part of its MID or name, while the sums are of all', async () => {
    await put({
      shops: Array.from({ length: 11 }, (_, n) => shop(`A%${n}`, { approved: '2020-01-01' })),
      rows: [row('OTHER', '2026-07', 100)],
    })
    const [all, second] = [await missing('2026-07', 'size=10'), await missing('2026-07', 'size=10&page=2')]
    expect([all.data.length, second.data.length, all.total_length]).toEqual([10, 1, 11])
    const one = await missing('2026-07', `search=${encodeURIComponent('op a%10')}`)
    expect([one.data.map(({ xmid }) => xmid), one.total_length]).toEqual([['A%10'], 1])
    expect(one.missing).toEqual(all.missing)
    expect((await missing('2026-07', 'search=a_1')).data).toEqual([])
  })
})

describe('a dismissed finding', () => {
  beforeEach(() =>
    put({
      shops: [shop('A'), shop('B')],
      rows: [...['2026-05', '2026-06'].map((month) => row('A', month, 700)), row('C', '2026-07', 900)],
      volumes: [sale('A', '2026-07-02'), sale('B', '2026-07-02')],
    }),
  )
  const xmids = async (month: string, dismissed: 0 | 1) =>
    (await missing(month, `dismissed=${dismissed}`)).data.map(({ xmid }) => xmid)

  test('is listed apart, with who, when and why', async () => {
    const { status, body } = await dismiss('2026-07', 'A', `  ${reason} `)
    expect([status, body]).toMatchObject([200, { xmid: 'A', reason, dismissedby: 'admin', estimate: 7 }])
    expect([await xmids('2026-07', 0), await xmids('2026-07', 1)]).toEqual([['B'], ['A']])
    const reply = await missing('2026-07', 'dismissed=1')
    expect(reply).toMatchObject({
      missing: { merchants: 1, months: 1 },
      dismissed: { merchants: 1, months: 1, estimate: 7 },
      candismiss: true,
      data: [{ reason, dismissedby: 'admin', dismissedat: expect.any(Number) }],
    })
    expect(await sql(`select address, entityid, after from audit where action = 'dismiss'`)).toEqual([
      { address: '127.0.0.1', entityid: '2026-07', after: { xmid: 'A', months: ['2026-07'], reason } },
    ])
  })

  test.each([
    ['its volume', `update daily_volume set salesamount = salesamount + 0.01 where xmid = 'A'`],
    [
      'its estimate',
      `update residual set income = 7.02, net = 7.02 where xmid = 'A' and month = '2026-06-01'`,
    ],
  ])('counts again once %s changes, and no more when it is as it was', async (_, statement) => {
    await dismiss('2026-07', 'A')
    await sql(statement)
    expect([await xmids('2026-07', 0), await xmids('2026-07', 1)]).toEqual([['A', 'B'], []])
    await sql(`update daily_volume set salesamount = 500`)
    await sql(`update residual set income = 7, net = 7 where xmid = 'A'`)
    expect([await xmids('2026-07', 0), await xmids('2026-07', 1)]).toEqual([['B'], ['A']])
  })

  test('is that of the newest dismissal: of its figures, with who and why', async () => {
    await dismiss('2026-07', 'A')
    await sql(`update daily_volume set salesamount = 501 where xmid = 'A'`)
    await dismiss('2026-07', 'A', 'It was billed again')
    expect([await xmids('2026-07', 0), await xmids('2026-07', 1)]).toEqual([['B'], ['A']])
    await put({ rows: [row('C', '2026-08', 900)], volumes: [sale('A', '2026-08-03')] })
    await dismiss('2026-08', 'A')
    const office = await portal.as('office')
    const body = { xmid: 'A', reason: 'July is settled' }
    expect((await office.call('POST', '/api/v1/month/2026-07/missing/dismiss', body)).status).toBe(200)
    expect((await missing('2026-08', 'dismissed=1')).data).toMatchObject([
      { xmid: 'A', dismissedby: 'office', reason: 'July is settled' },
    ])
  })

  test('does not hide a month that it did not see, and stays so when a month has left the window', async () => {
    await dismiss('2026-07', 'A')
    await put({ rows: [row('C', '2026-08', 900)], volumes: [sale('A', '2026-08-03')] })
    expect(missedMonths(await missing('2026-08', 'search=A'))).toEqual([['A', '2026-08 500 7 history']])
    expect(missedMonths(await missing('2026-08', 'search=A&dismissed=1'))).toEqual([
      ['A', '2026-07 500 7 history'],
    ])
    await dismiss('2026-08', 'A')
    expect(await xmids('2026-08', 0)).toEqual(['B'])
    await put({ rows: [row('C', '2027-07', 900)] })
    expect(missedMonths(await missing('2027-07', 'search=A'))).toEqual([])
    expect(missedMonths(await missing('2027-07', 'dismissed=1&search=A'))).toEqual([
      ['A', '2026-08 500 7 history'],
    ])
  })

  test('needs a reason of 10 to 1,000 characters and something that is missing', async () => {
    for (const [text, status] of [
      ['123456789', 422],
      ['1234567890', 200],
      ['12345678901', 200],
      [' 123456789 ', 422],
      ['x'.repeat(1000), 200],
      ['x'.repeat(1001), 422],
    ] as const) {
      const { body, ...answer } = await dismiss('2026-07', 'A', text)
      expect(answer.status, text).toBe(status)
      if (status === 422) expect(Object.keys(body.fields)).toEqual(['reason'])
    }
    expect(await sql('select count(*) from missing_income')).toEqual([{ count: 3 }])
    const none = await dismiss('2026-07', 'C')
    expect([none.status, none.body.error]).toEqual([
      404,
      'Nothing of C is missing in the twelve months up to July 2026',
    ])
    expect((await dismiss('2026-06', 'A')).status).toBe(404)
    for (const statement of [
      'update missing_income set reason = reason',
      'delete from missing_income',
      'truncate missing_income',
    ])
      await expect(sql(statement)).rejects.toThrow('what was missing is kept as it was written down')
  })

  test('is read, and not dismissed, by a person who may only import', async () => {
    await sql(`update portal_user set permissions = '{import_files}' where username = 'office'`)
    const office = await portal.as('office')
    const read = await office.call('GET', '/api/v1/month/2026-07/missing')
    expect([read.status, read.body.candismiss]).toEqual([200, false])
    const refused = await office.call('POST', '/api/v1/month/2026-07/missing/dismiss', { xmid: 'A', reason })
    expect(refused.status).toBe(403)
    expect(await sql('select count(*) from missing_income')).toEqual([{ count: 0 }])
  })
})

describe('missing income', () => {
  beforeEach(() =>
    put({
      shops: [shop('A'), shop('B'), shop('C')],
      rows: [
        row('A', '2026-06', 700),
        row('B', '2026-06', 300),
        row('C', '2026-06', 100),
        row('C', '2026-07', 100),
      ],
      volumes: [sale('A', '2026-07-02'), sale('B', '2026-07-02')],
    }),
  )
  const lockJune = async () => expect((await publish(portal.admin, '2026-06')).status).toBe(200)

  test('is written down by a lock, and recovered by a file that comes later', async () => {
    await lockJune()
    expect((await publish(portal.admin, '2026-07')).status).toBe(200)
    expect(
      await sql(
        `select xmid, month::text, volume, estimate, basis, reason, username from missing_income order by xmid`,
      ),
    ).toEqual([
      {
        xmid: 'A',
        month: '2026-07-01',
        volume: 500,
        estimate: 7,
        basis: 'history',
        reason: null,
        username: 'admin',
      },
      {
        xmid: 'B',
        month: '2026-07-01',
        volume: 500,
        estimate: 3,
        basis: 'history',
        reason: null,
        username: 'admin',
      },
    ])
    expect(await recovered('2026-07')).toEqual({ years: [], data: [], total_length: 0 })
    await portal.admin.call('POST', '/api/v1/month/2026-07/reopen', { reason: waive })
    const batch = await importLater('2027-01-01T04:59:59Z', row('A', '2026-07', 650))
    const found = await recovered('2026-07')
    expect(found).toMatchObject({
      years: [{ year: 2026, count: 1, net: 6.5 }],
      total_length: 1,
      data: [
        {
          xmid: 'A',
          name: 'Shop A',
          month: '2026-07',
          estimate: 7,
          net: 6.5,
          batch,
          filename: 'Late.csv',
          at: Date.parse('2027-01-01T04:59:59Z') / 1000,
        },
      ],
    })
    expect((await missing('2026-07')).data.map(({ xmid }) => xmid)).toEqual(['B'])
    await importLater('2027-01-01T05:00:00Z', row('B', '2026-07', 310))
    expect((await recovered('2026-07')).years).toEqual([
      { year: 2027, count: 1, net: 3.1 },
      { year: 2026, count: 1, net: 6.5 },
    ])
    expect((await recovered('2027-06')).total_length).toBe(2)
    expect((await recovered('2027-07')).total_length).toBe(0)
    expect((await recovered('2026-06')).total_length).toBe(0)
    // One that is gone is searched for.
    const [{ id }] = (await sql(`select id from merchant where xmid = 'B'`)) as [{ id: number }]
    await sql(`delete from merchant where xmid = 'A'`)
    const listed = (await recovered('2026-07')).data.map((it) => [it.xmid, it.name, it.link])
    expect(listed).toEqual([
      ['B', 'Shop B', `/manage/merchants?open=${id}`],
      ['A', '', '/manage/merchants?search=A'],
    ])
  })

  test('is recovered in pages, of the newest file first, of one moment the newest month and then by MID', async () => {
    const mids = Array.from({ length: 12 }, (_, at) => `P${String(at).padStart(2, '0')}`)
    const add = async (xmid: string, month: string, at: string) => {
      await sql(
        `insert into missing_income (xmid, month, volume, estimate, basis, reason, username, address)
          values ($1, $2, 1, 1, 'history', 'By hand', 'admin', '')`,
        [xmid, `${month}-01`],
      )
      await importLater(at, row(xmid, month, 100))
    }
    for (const [at, xmid] of mids.entries())
      await add(xmid, '2026-07', `2026-12-${String(at + 1).padStart(2, '0')}T12:00:00Z`)
    await add('P11', '2026-06', '2026-12-12T12:00:00Z')
    await add('P00', '2026-06', '2026-12-12T12:00:00Z')
    const wanted = [
      'P11 2026-07',
      'P00 2026-06',
      'P11 2026-06',
      ...mids
        .slice(0, 11)
        .reverse()
        .map((xmid) => `${xmid} 2026-07`),
    ]
    const page = async (number: number) =>
      (await get<RecoveredReply>(`2026-07/recovered?size=10&page=${number}`)).data.map(
        ({ xmid, month }) => `${xmid} ${month}`,
      )
    expect([await page(1), await page(2)]).toEqual([wanted.slice(0, 10), wanted.slice(10)])
  })

  test('that comes from two processors is their net and of the first file, whatever costs leave of it', async () => {
    await dismiss('2026-07', 'A')
    await dismiss('2026-07', 'B')
    const first = await importLater('2090-01-15T00:00:00Z', row('A', '2026-07', 800))
    await importLater('2090-01-16T00:00:00Z', row('A', '2026-07', 70, { processor: 'Birch', expense: 20 }))
    const even = await importLater('2090-01-14T00:00:00Z', row('B', '2026-07', 310, { expense: 310 }))
    const { data, total_length } = await recovered('2026-07')
    expect(data.map((it) => [it.xmid, it.net, it.batch, new Date(it.at * 1000).toISOString()])).toEqual([
      ['A', 8.5, first, '2090-01-15T00:00:00.000Z'],
      ['B', 0, even, '2090-01-14T00:00:00.000Z'],
    ])
    expect(total_length).toBe(2)
  })

  test('that was dismissed is recovered too, unless the file was there before, brings nothing or is undone', async () => {
    await importLater('2026-07-20T00:00:00Z', row('D', '2026-07', 5))
    await dismiss('2026-07', 'A')
    await dismiss('2026-07', 'B')
    const later = '2090-01-15T00:00:00Z'
    const batch = await importLater(later, row('A', '2026-07', 800))
    await importLater(later, row('B', '2026-07', 0))
    expect((await recovered('2026-07')).data.map(({ xmid, net }) => [xmid, net])).toEqual([['A', 8]])
    await sql('delete from residual where batchid = $1', [batch])
    expect((await recovered('2026-07')).data).toEqual([])
    expect((await missing('2026-07', 'dismissed=1')).data.map(({ xmid }) => xmid)).toEqual(['A'])
    await importLater('2020-01-01T00:00:00Z', row('A', '2026-07', 800))
    expect((await recovered('2026-07')).data).toEqual([])
  })
})
