import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  estimateBases,
  varianceKinds,
  type MissingReply,
  type VarianceReply,
} from '../../../schemas/api/months/variance.ts'
import { ledger, type Ledger } from '../reports/ledger.ts'
import { drawBook, emptyPortfolio, write } from './oracle.ts'

let portal: Ledger
beforeEach(async () => {
  portal = await ledger({ timeZone: 'UTC' })
  await emptyPortfolio(portal.db)
  await write(portal.db, drawBook(11, '2026-01'))
})
afterEach(() => portal.close())

const get = async (path: string) => {
  const answer = await portal.admin.call('GET', `/api/v1/month/2026-01/${path}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer
}
const file = async (path: string) => {
  const { body, headers } = await get(path)
  const [heads, ...rows] = parse(String(body), { bom: true }) as string[][]
  return { heads, rows, disposition: headers['content-disposition'] }
}
/** All pages of a list, ten rows each. */
async function everyPage<T>(path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const { data, total_length: total } = (await get(`${path}&size=10&page=${page}`)).body as {
      data: T[]
      total_length: number
    }
    rows.push(...data)
    if (rows.length >= total) return rows
  }
}
const money = (dollars: number | null) => (dollars === null ? '' : dollars.toFixed(2))

describe('the file', () => {
  test.each(['merchant', 'agent', 'processor'])(
    'of the variance by %s has every row of every page, of one kind too',
    async (by) => {
      for (const asked of [`by=${by}&against=last`, `by=${by}&against=year`, `by=${by}&kind=changed`]) {
        const { heads, rows, disposition } = await file(`variance/file?${asked}`)
        const against = asked.includes('year') ? '2025-01' : '2025-12'
        const level = { merchant: 'Merchant', agent: 'Master Agent', processor: 'Processor' }[by]
        expect(heads).toEqual([level, 'Name', 'Kind', against, '2026-01', 'Change', 'Detail'])
        const listed = await everyPage<VarianceReply['data'][number]>(`variance?${asked}`)
        expect(rows).toEqual(
          listed.map((it) => [
            it.id,
            it.name,
            varianceKinds[it.kind],
            money(it.before),
            money(it.now),
            money(it.change),
            it.detail ?? '',
          ]),
        )
        expect(disposition).toBe('attachment; filename="Variance 2026-01.csv"')
      }
    },
  )

  test('of the missing income has every month of every merchant, of those that are searched for too', async () => {
    const some = (await everyPage<MissingReply['data'][number]>('missing?search='))[0]!
    const withAccents = encodeURIComponent(some.name.replaceAll(/[aeiou]/g, '$&\u0301').toUpperCase())
    for (const search of ['', some.xmid, withAccents]) {
      const { heads, rows, disposition } = await file(`missing/file?search=${search}`)
      expect(heads).toEqual([
        'MID',
        'DBA',
        'Master Agent',
        'Processor',
        'Month',
        'Volume',
        'Estimate',
        'Estimated By',
        'Dismissed By',
        'Dismissed',
        'Reason',
      ])
      const listed = await everyPage<MissingReply['data'][number]>(`missing?search=${search}`)
      const wanted = listed.flatMap((it) =>
        it.months.map((at) => [
          it.xmid,
          it.name,
          it.agent,
          it.processor,
          at.month,
          money(at.volume),
          money(at.estimate),
          at.basis === null ? '' : estimateBases[at.basis],
          '',
          '',
          '',
        ]),
      )
      expect(rows.length).toBeGreaterThan(search === '' ? 10 : 0)
      expect(listed.map(({ xmid }) => xmid)).toContain(some.xmid)
      expect(rows).toEqual(wanted)
      expect(disposition).toBe('attachment; filename="Missing Income 2026-01.csv"')
    }
  })

  test('of the missing income has merchants of the same estimate in the order of volume, month and MID', async () => {
    const shops = ['TA', 'TB', 'TC', 'TD'].map((xmid) => ({ xmid, agent: 2, status: 2 as const }))
    const row = { processor: 'Tansy', sales: 100_000, income: 300, expense: 0 }
    await write(portal.db, {
      shops: shops.map((it) => ({ ...it, processor: 'Tansy', approved: null, closed: null })),
      rows: [
        ...['2025-11', '2025-12', '2026-01'].map((month) => ({ ...row, xmid: 'T', month })),
        ...['TA', 'TB', 'TC', 'TD'].map((xmid) => ({ ...row, xmid, month: '2025-11' })),
        { ...row, xmid: 'TB', month: '2026-01' },
      ],
      volumes: [
        { xmid: 'TA', day: '2026-01-05', sales: 1_000 },
        { xmid: 'TB', day: '2025-12-05', sales: 2_000 },
        { xmid: 'TC', day: '2026-01-05', sales: 2_000 },
        { xmid: 'TD', day: '2026-01-05', sales: 2_000 },
      ],
      notes: [],
    })
    const order = ['TC', 'TD', 'TB', 'TA']
    const listed = await everyPage<MissingReply['data'][number]>('missing?search=Shop%20T')
    expect(listed.map(({ xmid }) => xmid)).toEqual(order)
    const { rows } = await file('missing/file?search=Shop%20T')
    expect(rows.map(([xmid]) => xmid)).toEqual(order)
  })

  test('of what is dismissed says who, when and why, and is no formula in a spreadsheet', async () => {
    const [first] = await everyPage<MissingReply['data'][number]>('missing?search=')
    await portal.db.query(`update merchant set dba = '=1+1' where xmid = $1`, [first!.xmid])
    const body = { xmid: first!.xmid, reason: '+1 was billed by hand' }
    await portal.admin.call('POST', '/api/v1/month/2026-01/missing/dismiss', body)
    const { rows } = await file('missing/file?dismissed=1')
    expect(rows.length).toBe(first!.months.length)
    for (const [xmid, dba, , , , , , , by, at, reason] of rows) {
      expect([xmid, dba, by, reason]).toEqual([first!.xmid, "'=1+1", 'admin', "'+1 was billed by hand"])
      expect(at).toMatch(/^\d\d\/\d\d\/\d{4}$/)
    }
  })

  test('is in the audit with what was asked for', async () => {
    await file('variance/file?by=agent&kind=lost')
    await file('missing/file?search=Shop')
    const entries = await portal.db.query(
      `select username, entity, entityid, after from audit where action = 'export' order by id desc limit 2`,
    )
    const who = { username: 'admin', entity: 'month', entityid: '2026-01' }
    expect(entries).toEqual([
      { ...who, after: { list: 'Missing Income', dismissed: 0, search: 'Shop' } },
      { ...who, after: { list: 'Variance', by: 'agent', against: 'last', kind: 'lost' } },
    ])
  })

  test('is not sent where it cannot be in the audit, and nothing of it is left', async () => {
    await portal.db.query(`alter table audit add constraint nothing check (action <> 'export') not valid`)
    for (const what of ['variance', 'missing'])
      expect((await portal.admin.call('GET', `/api/v1/month/2026-01/${what}/file`)).status).toBe(500)
    expect(await readdir(join(portal.config.dataDir, 'tmp'))).toEqual([])
    await portal.db.query('alter table audit drop constraint nothing')
  })

  test('is refused to a person who sees a branch alone, and is not found of what is no month', async () => {
    await portal.db.query(
      `update portal_user set permissions = '{import_files,lock_reports}' where username = 'north'`,
    )
    const north = await portal.as('north')
    for (const what of ['variance', 'missing']) {
      expect((await north.call('GET', `/api/v1/month/2026-01/${what}/file`)).status).toBe(403)
      expect((await portal.admin.call('GET', `/api/v1/month/2026-13/${what}/file`)).status).toBe(404)
    }
  })
})
