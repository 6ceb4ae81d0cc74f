import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportResult } from '../../../../schemas/api/reports.ts'
import { groupRows, sortRows } from '../../../../schemas/reportOrder.ts'
import { catalogue } from '../../../../server/reports/catalogue.ts'
import { csvText, readCsv, table } from '../exports.ts'
import { ledger, type Ledger, publish } from '../ledger.ts'
import { inputsOf } from './inputs.ts'

let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
  for (const month of ['2026-08', '2026-09']) await publish(portal.admin, month)
  const names = [
    'Élan',
    'elan',
    'ELAN b',
    'Ähre',
    'ahre 2',
    'Zoo',
    'zoo',
    '_under',
    '10 Shops',
    '9 Shops',
    'Ñandú',
  ]
  for (const [at, dba] of names.entries())
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid, accountstatus, processor, tinstatus)
        values ($1, $2, $3, 2, 'Aurora', 'Mismatch')`,
      [`77700${at}`, dba, 2 + (at % 3)],
    )
})
afterAll(() => portal.close())

const download = (id: string, sort: string) =>
  portal.admin.call('POST', `/api/v1/report/${id}/export?format=csv&sort=${sort}`, inputsOf(id))

// Each file adds a row to the export log itself.
describe.each(catalogue.filter(({ id }) => id !== 'export-log').map((it) => [it.id, it] as const))(
  'the file of %s',
  (id, { columns, sections = [] }) => {
    test('comes in the order of the screen, whichever column it is sorted by, up and down', async () => {
      const { body } = await portal.admin.call('POST', `/api/v1/report/${id}`, inputsOf(id))
      const { data, totals } = body as ReportResult
      for (const { name } of columns.filter((it) => !it.unsortable))
        for (const sort of [name, `-${name}`]) {
          const shown = groupRows(sections, data).flatMap(({ rows }) => sortRows(columns, rows, sort))
          const file = readCsv((await download(id, sort)).body)
          expect([sort, file.slice(1)]).toEqual([sort, table(body.columns, [...shown], totals, csvText)])
        }
    })

    test('has the rows of a section together, as the screen has them', async () => {
      const { body } = await portal.admin.call('POST', `/api/v1/report/${id}`, inputsOf(id))
      const { data } = body as ReportResult
      expect(groupRows(sections, data).flatMap(({ rows }) => rows)).toEqual(data)
    })
  },
)

test.each([
  ['other', 'Sort must name a column of Residual Summary by Agent'],
  ['--net', 'Sort must name a column of Residual Summary by Agent'],
  ['-', 'Sort must name a column of Residual Summary by Agent'],
  ['toString', 'Sort must name a column of Residual Summary by Agent'],
  ['net; drop table merchant', 'Sort must name a column of Residual Summary by Agent'],
])('a file sorted by %j is refused with a sentence', async (sort, error) => {
  const { status, body } = await download('residual-summary', encodeURIComponent(sort))
  expect([status, body.error]).toEqual([422, error])
})

test('a file sorted by what is worked out after the rows were selected is refused with a sentence', async () => {
  for (const sort of ['bank', '-bank']) {
    const { status, body } = await download('ach-payout', sort)
    expect([status, body.error]).toEqual([422, 'ACH Payout cannot be sorted by Bank Account'])
  }
})

test('rows are in one section where each of its values is the same, whatever the values hold', () => {
  const rows = [
    { part: 'a,b', kind: 'c' },
    { part: 'a', kind: 'b,c' },
    { part: null, kind: 'c' },
    { part: '', kind: 'c' },
    { part: 'a,b', kind: 'c' },
  ]
  const sections = groupRows(['part', 'kind'], rows).map((section) => section.rows)
  expect(sections).toEqual([[rows[0], rows[4]], [rows[1]], [rows[2]], [rows[3]]])
})
