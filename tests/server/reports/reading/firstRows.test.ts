import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportRow } from '../../../../schemas/api/reports.ts'
import type { Caller } from '../../../../server/http/call.ts'
import { catalogue } from '../../../../server/reports/catalogue.ts'
import { inReadTransaction } from '../../../../server/reports/engine/cursor.ts'
import { openReport } from '../../../../server/reports/engine/openReport.ts'
import {
  amountColumns,
  count,
  defineReport,
  money,
  number,
  ratio,
  text,
  unitsOf,
  type Report,
} from '../../../../server/reports/engine/report.ts'
import { testSecret } from '../../../setup/postgres.ts'
import { ledger, type Ledger, publish } from '../ledger.ts'
import { inputsOf } from './inputs.ts'

let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
  for (const month of ['2026-08', '2026-09']) await publish(portal.admin, month)
})
afterAll(() => portal.close())

const signal = new AbortController().signal
const permissions = new Proxy({}, { get: () => true })
const caller = { userid: 1, username: 'admin', admin: true, scope: null, chain: [], permissions }
const requester = { caller: caller as unknown as Caller, authorizeAgain: async () => requester.caller }

/** What a report of which `most` rows are read answers; of all without it. */
const read = (report: Report, sent: object, most?: number) =>
  inReadTransaction(portal.db, { signal, seconds: 60, requester }, async (tx, now) => {
    const { config } = portal
    const request = { caller: now, sent: sent as never, config, secret: testSecret, signal, now: new Date() }
    const opened = await openReport(tx, report, { ...request, ...(most !== undefined && { most }) })
    const rows: ReportRow[] = []
    for await (const batch of opened.rows) rows.push(...batch)
    return { rows, totals: opened.totals(), count: opened.count() }
  })

/** A report without inputs whose rows are those of the statement. */
const reportOf = (sql: string): Report =>
  defineReport({
    id: 'some',
    name: 'Some',
    group: 'Portfolio',
    description: 'Some rows.',
    figure: { column: null, words: 'Rows' },
    allow: () => true,
    inputs: {},
    columns: [
      text('name', 'Name', { text: 'Total' }),
      count('lines', 'Lines', 'sum'),
      money('net', 'Net', 'sum'),
      number('share', 'Share', ratio('net', 'lines', 1)),
      money('blank', 'Blank', 'sum'),
    ],
    query: () => ({ sql, values: [] }),
  })

describe('a report of which not all rows are read', () => {
  // Three batches; every third row is blank, and the last ones are of another size than the first.
  const many = reportOf(`
    select 'n' || n as name, n as lines, case when n % 3 > 0 then n * 0.07 - 30 end as net,
      case when n % 3 > 0 then 1 end as share, null::numeric as blank
    from generate_series(1, 1250) n order by n`)

  test.each([0, 1, 499, 500, 501, 1_249, 1_250, 1_251])(
    'has its first rows, and the number and the totals of all, where %s are read',
    async (most) => {
      const [all, cut] = [await read(many, {}), await read(many, {}, most)]
      expect(cut).toEqual({ ...all, rows: all.rows.slice(0, most) })
      expect([all.count, all.totals]).toEqual([
        1_250,
        { name: 'Total', lines: 781_875, net: 11_496.69, share: 0.01, blank: null },
      ])
    },
  )

  test('has a total of 0 where it has no rows at all', async () => {
    const none = reportOf(`
      select 'n' as name, 1 as lines, 1.5 as net, 1 as share, 1.5 as blank where false`)
    for (const most of [undefined, 0, 1]) {
      const { rows, totals, count } = await read(none, {}, most)
      expect([rows, count]).toEqual([[], 0])
      expect(totals).toEqual({ name: 'Total', lines: 0, net: 0, share: null, blank: 0 })
    }
  })
})

describe.each(catalogue.map((report) => [report.id, report] as const))('%s', (id, report) => {
  test('has the same number and totals however many of its rows are read', async () => {
    const all = await read(report, inputsOf(id))
    for (const most of [0, 1, all.count]) {
      const cut = await read(report, inputsOf(id), most)
      expect([most, cut]).toEqual([most, { ...all, rows: all.rows.slice(0, most) }])
    }
  })

  // Rows that are read and rows that are not would round fractions each in their own way.
  test('has no fractions of a cent in what it adds up', async () => {
    const { rows } = await read(report, inputsOf(id))
    for (const column of amountColumns(report.columns).filter(({ total }) => total === 'sum')) {
      const parts = rows.map((row) => Number(row[column.name]) * unitsOf(column))
      expect(parts.filter((it) => Math.abs(it - Math.round(it)) > 1e-6)).toEqual([])
    }
  })
})
