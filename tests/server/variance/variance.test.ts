import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VarianceReply } from '../../../schemas/api/months/variance.ts'
import { epoch, ledger, publish, type Ledger } from '../reports/ledger.ts'
import { drawBook, emptyPortfolio, monthAfter, varianceOf, write } from './oracle.ts'

let portal: Ledger
beforeEach(async () => {
  portal = await ledger({ timeZone: 'America/New_York' })
})
afterEach(() => portal.close())

const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)
const variance = async (
  month: string,
  query: Record<string, string | number> = {},
): Promise<VarianceReply> => {
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { status, body } = await portal.admin.call('GET', `/api/v1/month/${month}/variance?${asked}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const rowsOf = ({ data }: VarianceReply) =>
  data.map(({ id, kind, before, now, change, detail }) => [id, kind, before, now, change, detail])
const change = async (path: string, body: object) => {
  const { version } = (await portal.admin.call('GET', path)).body
  const { status, body: said } = await portal.admin.call('PUT', path, { version, ...body })
  expect(status, JSON.stringify(said)).toBe(200)
}
const merchantId = async (xmid: string) =>
  (await sql('select id from merchant where xmid = $1', [xmid]))[0]!.id
const lockAugust = async () => expect((await publish(portal.admin, '2026-08')).status).toBe(200)

describe('merchants', () => {
  test('are new, lost, silent, moved, of another rate, changed or the same, the largest change first', async () => {
    await sql(`insert into residual (month, processor, xmid, income, net, batchid) values
      ('2026-08-01', 'Aurora', 'X-901', 4, 4, 1), ('2026-08-01', 'Aurora', '401234567895555', 200, 200, 1),
      ('2026-08-01', 'Aurora', '40123456789', 11, 11, 1), ('2026-08-01', 'Aurora', '401234567896666', 0, 0, 1)`)
    await lockAugust()
    await change(`/api/v1/merchant/${await merchantId('0012345678901')}`, { masteragentid: 2 })
    await change('/api/v1/masteragent/2', {
      percentagecommissionreceived: 55.5,
      amountcommissionreceived: 0.5,
      ratesfrom: '2026-09',
    })
    const reply = await variance('2026-09')
    expect([reply.month, reply.against, reply.state, reply.againststate]).toEqual([
      '2026-09',
      '2026-08',
      'open',
      'locked',
    ])
    expect(rowsOf(reply)).toEqual([
      ['401234567896666', 'new', 0, 50, 50, null],
      ['4012345678902345', 'new', 0, -20.05, -20.05, null],
      ['0012345678901', 'moved', 80, 100, 20, 'MA0003 East to MA0002 North'],
      ['401234567897777', 'silent', 10, 0, -10, null],
      ['X-900', 'new', 0, 7.77, 7.77, null],
      ['X-901', 'lost', 4, 0, -4, null],
      ['401234567890', 'rate', 30, 33.33, 3.33, '60 % to 55.5 %, $0.00 to $0.50'],
      ['40123456789', 'changed', 11, 10, -1, null],
      ['401234567895555', 'same', 200, 200, 0, null],
    ])
    expect(reply.totals).toEqual({ count: 9, before: 335, now: 381.05, change: 46.05 })
    expect(reply.kinds.map(({ kind, count, change: by }) => [kind, count, by])).toEqual([
      ['new', 3, 37.72],
      ['lost', 1, -4],
      ['silent', 1, -10],
      ['moved', 1, 20],
      ['rate', 1, 3.33],
      ['changed', 1, -1],
      ['same', 1, 0],
    ])
    expect(reply.data.map(({ link }) => link.split('=')[0])).toEqual(
      reply.data.map(({ id }) => `/manage/merchants?${id.startsWith('X') ? 'search' : 'open'}`),
    )
    // Another flat amount alone is another rate too.
    await change('/api/v1/masteragent/5', { amountcommissionreceived: 0.25, ratesfrom: '2026-09' })
    expect(rowsOf(await variance('2026-09', { kind: 'rate' }))).toContainEqual([
      '401234567895555',
      'rate',
      200,
      200,
      0,
      '$0.00 to $0.25',
    ])
  })

  test('of equal changes, up or down, are in the order of the larger amount of both months, then of the MID', async () => {
    await sql('delete from residual')
    const nets = { 'T-4': [100, 110], 'T-5': [-110, -100], 'T-2': [5, -5], 'T-1': [3, -7], 'T-3': [0, 10] }
    for (const [xmid, [before, now]] of Object.entries(nets))
      await sql(
        `insert into residual (month, processor, xmid, income, net, batchid) values
          ('2026-08-01', 'Aurora', $1, $2, $2, 1), ('2026-09-01', 'Aurora', $1, $3, $3, 1)`,
        [xmid, before, now],
      )
    const { data } = await variance('2026-09')
    expect(data.map(({ id, change: by }) => [id, by])).toEqual([
      ['T-4', 10],
      ['T-5', 10],
      ['T-3', 10],
      ['T-1', -10],
      ['T-2', -10],
    ])
  })

  test('whose income is eaten up by costs had one all the same', async () => {
    await sql(`insert into residual (month, processor, xmid, income, expense, net, batchid) values
      ('2026-09-01', 'Aurora', 'X-902', 5, 5, 0, 1), ('2026-09-01', 'Aurora', 'X-903', 0, 0, 0, 1)`)
    const found = async (month: string) =>
      rowsOf(await variance(month)).filter(([id]) => id === 'X-902' || id === 'X-903')
    expect(await found('2026-09')).toEqual([['X-902', 'new', 0, 0, 0, null]])
    expect(await found('2026-10')).toEqual([['X-902', 'lost', 0, 0, 0, null]])
    expect((await publish(portal.admin, '2026-08')).status).toBe(200)
    expect((await publish(portal.admin, '2026-09')).status).toBe(200)
    expect(await found('2026-09')).toEqual([['X-902', 'new', 0, 0, 0, null]])
  })

  test('that are inactive are lost if they were closed before the month was over, else silent', async () => {
    for (const [day, kind] of [
      ['2026-08-31', 'lost'],
      ['2026-09-01', 'lost'],
      ['2026-09-30', 'lost'],
      ['2026-10-01', 'silent'],
      [null, 'lost'],
    ]) {
      await sql(`update merchant set accountstatus = 3, date_closed = $1 where xmid = '401234567897777'`, [
        day && epoch(day),
      ])
      const { data } = await variance('2026-09')
      expect(data.find(({ id }) => id === '401234567897777')!.kind, String(day)).toBe(kind)
    }
  })

  test('of a kind are answered in pages, the totals are of all', async () => {
    const all = await variance('2026-09')
    const news = all.data.filter(({ kind }) => kind === 'new')
    expect(news.length).toBeGreaterThan(3)
    const page = await variance('2026-09', { kind: 'new', size: 10, page: 1 })
    expect([page.data, page.total_length]).toEqual([news, news.length])
    expect([page.totals, page.kinds]).toEqual([all.totals, all.kinds])
    await sql(`insert into residual (month, processor, xmid, income, net, batchid)
      select '2026-09-01', 'Aurora', 'P' || n, n, n, 1 from generate_series(1, 11) n`)
    const pages = [1, 2, 3].map((number) => variance('2026-09', { size: 10, page: number }))
    const [first, second, third] = (await Promise.all(pages)).map(({ data }) => data.map(({ id }) => id))
    expect([first!.length, second!.length, third!.length]).toEqual([10, 9, 0])
    expect(new Set([...first!, ...second!]).size).toBe(19)
    expect((await variance('2026-09', { kind: 'moved' })).total_length).toBe(0)
  })

  test('of a locked month are those of its copies', async () => {
    await lockAugust()
    expect((await publish(portal.admin, '2026-09')).status).toBe(200)
    const before = await variance('2026-09')
    await change(`/api/v1/merchant/${await merchantId('0012345678901')}`, { masteragentid: 4 })
    await sql(`update merchant set dba = 'Another'`)
    await sql(`update residual set net = net + 1, income = income + 1 where month >= '2026-08-01'`)
    expect(await variance('2026-09')).toEqual(before)
    expect([before.state, before.againststate]).toEqual(['locked', 'locked'])
  })

  test('of a month that was opened again are those of its last copies', async () => {
    await lockAugust()
    expect((await publish(portal.admin, '2026-09')).status).toBe(200)
    const moved = `/api/v1/merchant/${await merchantId('0012345678901')}`
    await portal.admin.call('POST', '/api/v1/month/2026-09/reopen', { reason: 'A wrong file' })
    const kindOf = async () => (await variance('2026-09')).data.find(({ id }) => id === '0012345678901')
    expect(await kindOf()).toMatchObject({ kind: 'changed' })
    await change(moved, { masteragentid: 2 })
    expect(await kindOf()).toMatchObject({ kind: 'changed' })
    const { body } = await portal.admin.call('POST', '/api/v1/month/2026-09/takeover', {
      keys: ['merchant-agent'],
    })
    expect(body.kinds).toBeDefined()
    expect(await kindOf()).toMatchObject({ kind: 'moved', detail: 'MA0003 East to MA0002 North' })
  })
})

describe('agents', () => {
  test('earn own lines and overrides; the parent may move, the rate change, the income go', async () => {
    await lockAugust()
    const earned = [
      ['MA0005', 'new', 0, 60, 60, null],
      ['MA0004', 'new', 0, 26, 26, null],
      ['MA0002', 'changed', 32, 27.99, -4.01, null],
      ['MA0003', 'changed', 40, 39.97, -0.03, null],
    ]
    const reply = await variance('2026-09', { by: 'agent' })
    expect(rowsOf(reply)).toEqual(earned)
    expect(reply.totals).toEqual({ count: 4, before: 72, now: 153.96, change: 81.96 })
    expect(reply.data[0]).toMatchObject({ name: 'South', link: '/manage/agents?open=5' })

    await change('/api/v1/masteragent/2', { percentagecommissionreceived: 70, ratesfrom: '2026-09' })
    await change('/api/v1/masteragent/3', { parentid: 1 })
    const [north, east] = ['MA0002', 'MA0003'].map(async (wanted) =>
      (await variance('2026-09', { by: 'agent' })).data.find(({ id }) => id === wanted),
    )
    expect(await north).toMatchObject({ kind: 'rate', detail: '60 % to 70 %', now: 23.33 })
    expect(await east).toMatchObject({ kind: 'moved', detail: 'MA0002 North to MA0001 House', now: 39.97 })
  })

  test('that earn nothing any more are silent with an active merchant, also one below, else lost', async () => {
    await lockAugust()
    await sql(`delete from residual where month = '2026-09-01'`)
    for (const [statement, kind] of [
      ['select', 'silent'],
      ['update merchant set masteragentid = 3 where masteragentid = 2', 'silent'],
      ['update merchant set accountstatus = 1 where masteragentid in (2, 3)', 'lost'],
      ['update merchant set accountstatus = 2 where masteragentid in (2, 3)', 'silent'],
      ['update merchant set accountstatus = 3 where masteragentid in (2, 3)', 'lost'],
    ]) {
      await sql(statement!)
      const { data } = await variance('2026-09', { by: 'agent' })
      const north = data.find(({ id }) => id === 'MA0002')
      expect(north, statement!).toMatchObject({ kind, before: 32, now: 0, change: -32 })
    }
  })
})

test('processors without a file of which one is expected are silent, with a note or without active merchants lost', async () => {
  for (const [statement, kind] of [
    ['select', 'silent'],
    [
      `insert into processor_statement (month, processor, nofile) values ('2026-10-01', 'Aurora', true)`,
      'lost',
    ],
    ['delete from processor_statement', 'silent'],
    [`update merchant set processor = 'Drift'`, 'lost'],
  ]) {
    await sql(statement!)
    expect(rowsOf(await variance('2026-10', { by: 'processor' })), statement!).toEqual([
      ['Aurora', kind, 363.28, 0, -363.28, null],
      ['Borealis', 'lost', 17.77, 0, -17.77, null],
    ])
  }
  await sql(`update residual set processor = 'Aurora & Co' where processor = 'Aurora'`)
  expect((await variance('2026-10', { by: 'processor' })).data.map(({ link }) => link)).toEqual(
    ['Aurora%20%26%20Co', 'Borealis'].map((name) => `/manage/statements?search=${name}`),
  )
})

describe('two months', () => {
  test('are compared as an oracle does, over the ends of years and in February too', async () => {
    for (const [by, against, month, seed] of [
      ['merchant', 'last', '2026-01', 1],
      ['merchant', 'year', '2028-02', 2],
      ['merchant', 'last', '2028-03', 3],
      ['processor', 'last', '2026-01', 1],
      ['processor', 'year', '2029-02', 2],
    ] as const) {
      const book = drawBook(seed, month)
      await emptyPortfolio(portal.db)
      await write(portal.db, book)
      const before = monthAfter(month, against === 'last' ? -1 : -12)
      const reply = await variance(month, { by, against, size: 100 })
      expect(reply.against).toBe(before)
      const wanted = varianceOf(book, month, before, by)
      expect(wanted.length).toBeGreaterThan(by === 'merchant' ? 10 : 1)
      expect(reply.data.map((it) => `${it.id} ${it.kind} ${it.before} ${it.now}`).sort()).toEqual(
        wanted.sort(),
      )
      expect(reply.totals.count).toBe(wanted.length)
      for (const name of ['before', 'now', 'change'] as const)
        expect(Math.round(reply.totals[name] * 100), name).toBe(
          reply.data.reduce((total, row) => total + Math.round(row[name] * 100), 0),
        )
      const sizes = reply.data.map((row) => Math.abs(row.change))
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    }
  })

  test('that hold nothing have no rows', async () => {
    const reply = await variance('2031-01')
    expect([reply.data, reply.kinds, reply.totals]).toEqual([
      [],
      [],
      { count: 0, before: 0, now: 0, change: 0 },
    ])
  })

  test('are not found where one is no month', async () => {
    for (const month of ['2026-13', '2026-1', '1999-12', 'x'])
      for (const call of ['variance', 'missing', 'recovered'])
        expect((await portal.admin.call('GET', `/api/v1/month/${month}/${call}`)).status).toBe(404)
  })

  test('are refused to a person who sees a branch alone', async () => {
    await lockAugust()
    await sql(`update portal_user set permissions = '{import_files,lock_reports}' where username = 'north'`)
    const north = await portal.as('north')
    for (const call of ['variance', 'missing', 'recovered'])
      expect((await north.call('GET', `/api/v1/month/2026-08/${call}`)).status, call).toBe(403)
    const dismissed = await north.call('POST', '/api/v1/month/2026-08/missing/dismiss', {})
    expect(dismissed.status).toBe(403)
  })
})
