import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MonthDetail } from '../../../schemas/api/months/months.ts'
import type { MissingReply } from '../../../schemas/api/months/variance.ts'
import { missingGapCtes } from '../../../server/money/variance/missingSql.ts'
import { refreshPresence } from '../../../server/money/variance/presence.ts'
import { ledger, type Ledger } from '../reports/ledger.ts'
import { drawBook, emptyPortfolio, missingOf, write } from './oracle.ts'

let portal: Ledger
beforeEach(async () => {
  portal = await ledger({ timeZone: 'UTC' })
  await emptyPortfolio(portal.db)
})
afterEach(() => portal.close())

const sql = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  portal.db.query<T>(text, values)
const missing = async (month = '2026-03'): Promise<Record<string, string[]>> => {
  const { status, body } = await portal.admin.call('GET', `/api/v1/month/${month}/missing?size=100`)
  expect(status, JSON.stringify(body)).toBe(200)
  return Object.fromEntries(
    (body as MissingReply).data.map((it) => [it.xmid, it.months.map((at) => at.month)]),
  )
}
/** The merchants that are missing in one month, as the checklist and the lock of that month look for them. */
const missingInMonth = async (month = '2026-03'): Promise<string[]> =>
  (
    await sql<{ xmid: string }>(
      `with recursive ${missingGapCtes({ month: '$1', months: 1 })} select xmid from missing_gap`,
      [`${month}-01`],
    )
  )
    .map(({ xmid }) => xmid)
    .sort()
const addMerchant = (id: number, xmid: string) =>
  sql(
    `insert into merchant (id, xmid, dba, masteragentid, accountstatus, processor, date_approved)
      values ($1, $2, $2, 2, 2, 'Aster', 1)`,
    [id, xmid],
  )
const insertRow = `insert into residual (month, processor, xmid, income, net, batchid) values ($1, 'Aster', $2, 5, 5, 1)`
const addRow = (month: string, xmid: string) => sql(insertRow, [`${month}-01`, xmid])
const kept = async () =>
  (
    await sql<{ month: string }>(
      `select to_char(month, 'YYYY-MM') as month from month_presence_state where iskept order by month`,
    )
  ).map(({ month }) => month)

describe('what is written down of the files of a month (variance 10)', () => {
  beforeEach(async () => {
    // Ids on both sides of the end of a row of bits.
    for (const [id, xmid] of [
      [511, 'A'],
      [512, 'B'],
      [1024, 'C'],
    ] as const)
      await addMerchant(id, xmid)
    for (const month of ['2026-01', '2026-02', '2026-03'])
      for (const xmid of ['A', 'B', 'C']) await addRow(month, xmid)
  })

  test('is written by the first question, and counts until the files of that month change', async () => {
    await sql('update month_presence_state set iskept = false')
    expect(await missing()).toEqual({})
    expect(await kept()).toEqual(['2026-01', '2026-02', '2026-03'])
    await sql(`delete from residual where month = '2026-02-01' and xmid = 'B'`)
    expect(await kept()).toEqual(['2026-01', '2026-03'])
    expect(await missing()).toEqual({ B: ['2026-02'] })
    await addRow('2026-02', 'B')
    expect(await kept()).toEqual(['2026-01', '2026-03'])
    expect(await missing()).toEqual({})
    await sql(`update residual set month = '2026-04-01' where month = '2026-01-01' and xmid = 'A'`)
    expect(await kept()).toEqual(['2026-02', '2026-03'])
    expect(await missing('2026-04')).toEqual({ A: ['2026-01'], B: ['2026-04'], C: ['2026-04'] })
    await sql('truncate residual')
    expect(await kept()).toEqual([])
  })

  const checklist = '/api/v1/report/month-checklist'
  const reason = 'Looked at by both'
  test.each([
    ['the month', ['GET', '/api/v1/month/2026-03']],
    ['a waiver of findings', ['POST', '/api/v1/month/2026-03/waive', { kind: 'no-stated-total', reason }]],
    ['the checklist as a report', ['POST', checklist, { month: '2026-03' }]],
    ['the checklist as a file', ['POST', `${checklist}/export?format=csv`, { month: '2026-03' }]],
    ['a lock', ['POST', '/api/v1/month/2026-01/lock', { waive: reason }]],
  ] as const)('is written by %s, which looks for who is in no file', async (_, [method, path, body]) => {
    await sql('update month_presence_state set iskept = false')
    const { status } = await portal.admin.call(method, path, body)
    expect(status).toBeLessThan(300)
    expect(await kept()).toEqual([path.includes('2026-01') ? '2026-01' : '2026-03'])
  })

  test('has the rows and the net of each file, which the month and its checks read until a row changes', async () => {
    await sql(
      `insert into processor_statement (month, processor, statednet) values ('2026-03-01', 'Aster', 15)`,
    )
    const shown = async () => {
      const { body } = await portal.admin.call('GET', '/api/v1/month/2026-03')
      const { processors, files, findings } = body as MonthDetail
      const stated = findings.find(({ kind }) => kind === 'stated-total')
      return [processors.find((it) => it.processor === 'Aster')?.net, files[0]?.rows, stated?.amount]
    }
    const rows = `select month, processor, batchid, count(*)::int as rows, sum(net) as net
      from residual where month = '2026-03-01' group by month, processor, batchid`
    expect(await shown()).toEqual([15, 3, undefined])
    expect(await sql('select * from month_file')).toEqual(await sql(rows))
    await sql(`update month_file set net = 14, rows = 2`)
    expect(await shown()).toEqual([14, 2, -1])
    await sql(`update residual set net = 4, income = 4 where month = '2026-03-01' and xmid = 'A'`)
    await portal.db.transaction(async (tx) => {
      await tx.query(`select from month_presence_state where month = '2026-03-01' for update`)
      expect(await shown()).toEqual([14, 3, -1])
    })
    await sql(`delete from residual where month = '2026-03-01' and xmid = 'B'`)
    expect(await shown()).toEqual([9, 2, -6])
    expect(await sql('select * from month_file')).toEqual(await sql(rows))
  })

  test('names the files of the control totals, which are the same without it', async () => {
    const [batch] = await sql<{ id: number }>(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'Late.csv', '', 0, 'x', 0, 0, 0, 0) returning id`,
    )
    await sql(`update residual set batchid = $1 where month = '2026-03-01' and xmid = 'C'`, [batch!.id])
    const named = async () => {
      const path = '/api/v1/report/processor-control-totals'
      const { body } = await portal.admin.call('POST', path, { month: '2026-03' })
      const [first] = body.data as Record<string, unknown>[]
      return [first!.files, first!.filelink, first!.lines, first!.net]
    }
    const withoutBits = await named()
    expect(withoutBits).toEqual(['Aurora_Sep2026.csv, Late.csv', '/month/2026-03', 3, 15])
    await refreshPresence(portal.db, '2026-03-01', '2026-03-01')
    expect(await named()).toEqual(withoutBits)
    await sql('delete from month_file where batchid = $1', [batch!.id])
    const [link] = (await named()).slice(1)
    expect(link).toMatch(/^\/import\/compensation\?batch=\d+$/)
  })

  test('is not used of a month whose files are being changed, which nobody has to wait for', async () => {
    await missing()
    await portal.db.transaction(async (tx) => {
      await tx.query(`delete from residual where month = '2026-02-01' and xmid = 'C'`)
      await refreshPresence(portal.db, '2026-01-01', '2026-03-01')
      expect(await missing()).toEqual({})
    })
    expect(await missing()).toEqual({ C: ['2026-02'] })
  })

  test('says nothing of a merchant that came later, nor of one that got the number of another', async () => {
    await missing()
    await addMerchant(513, 'D')
    expect(await missing()).toEqual({ D: ['2026-03', '2026-02', '2026-01'] })
    expect(await missingInMonth()).toEqual(['D'])
    await sql(`delete from merchant where xmid in ('A', 'D')`)
    await addMerchant(511, 'E')
    expect(await missing()).toEqual({ E: ['2026-03', '2026-02', '2026-01'] })
    expect(await missingInMonth()).toEqual(['E'])
    await sql(`update merchant set xmid = 'F' where xmid = 'B'`)
    expect(Object.keys(await missing()).sort()).toEqual(['E', 'F'])
    expect(await missingInMonth()).toEqual(['E', 'F'])
  })

  test.each([10_000, 10_001])('with %s newer merchants is kept up to 10,000 of them', async (count) => {
    await missing()
    await sql(`update month_presence_state set newest = 1024 - $1::int`, [count])
    await missing()
    const [state] = await sql<{ newest: number }>('select max(newest) as newest from month_presence_state')
    expect(state!.newest).toBe(count === 10_000 ? 1024 - count : 1024)
  })
})

test('the merchants are the same with what was written down, without it, and by an oracle', async () => {
  for (const seed of [41, 42, 43]) {
    const book = drawBook(seed, '2026-01')
    await emptyPortfolio(portal.db)
    await write(portal.db, book)
    const wanted = Object.fromEntries(
      [...missingOf(book, '2026-01')].map(([xmid, months]) => [xmid, months.map(({ month }) => month)]),
    )
    const wantedInMonth = Object.keys(wanted)
      .filter((xmid) => wanted[xmid]!.includes('2026-01'))
      .sort()
    expect(await missing('2026-01')).toEqual(wanted)
    expect(await missing('2026-01')).toEqual(wanted)
    expect(await missingInMonth('2026-01')).toEqual(wantedInMonth)
    expect((await kept()).length).toBeGreaterThan(2)
    await sql(`update month_presence_state set iskept = false`)
    // A month that somebody is changing is not written down.
    await portal.db.transaction(async (tx) => {
      await tx.query('select from month_presence_state for update')
      expect(await missing('2026-01')).toEqual(wanted)
      expect(await missingInMonth('2026-01')).toEqual(wantedInMonth)
      expect(await kept()).toEqual([])
    })
  }
})
