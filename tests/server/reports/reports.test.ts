import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../../server/reports/catalogue.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

test('the types come sorted by name, each with its inputs and formats', async () => {
  const { status, body } = await admin.call('GET', '/api/v1/report')
  expect(status).toBe(200)
  const names = body.data.map((it: { name: string }) => it.name)
  expect(names).toEqual([...names].sort((a: string, b: string) => a.localeCompare(b)))
  expect(names).toEqual(catalogue.map((it) => it.name).sort((a, b) => a.localeCompare(b)))
})

test('ids and names are there once', () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length)
})

test('a report answers its columns, rows, totals, notes and lock', async () => {
  const { status, body } = await admin.call('POST', '/api/v1/report/portfolio-summary', {
    from: '01/01/2026',
    to: '12/31/2026',
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(Object.keys(body)).toEqual([
    'columns',
    'data',
    'totals',
    'notes',
    'lock',
    'figure',
    'sections',
    'links',
  ])
  expect(Object.keys(body.data[0])).toEqual([
    ...body.columns.map((column: { name: string }) => column.name),
    'name_link',
  ])
})

const wrong: [string, Record<string, unknown>, Record<string, string>][] = [
  ['portfolio-summary', {}, { from: 'From is required', to: 'To is required' }],
  ['portfolio-summary', { from: ' ', to: null }, { from: 'From is required', to: 'To is required' }],
  [
    'portfolio-summary',
    { from: '2026-01-01', to: '02/30/2026' },
    { from: 'From must be a date as MM/DD/YYYY', to: 'To must be a date as MM/DD/YYYY' },
  ],
  [
    'portfolio-summary',
    { from: '13/01/2026', to: '01/01/0026' },
    { from: 'From must be a date as MM/DD/YYYY', to: 'To must be a date as MM/DD/YYYY' },
  ],
  ['portfolio-summary', { from: '02/01/2026', to: '01/01/2026' }, { to: 'To must not be before From' }],
  [
    'equipment-outstanding',
    { asof: 'today', surely: 'x' },
    { asof: 'As Of must be a date as MM/DD/YYYY', surely: 'surely is no input of this report' },
  ],
  ['merchant-by-month', { merchant: '  ' }, { merchant: 'Merchant ID is required' }],
  ['user-access', { toString: 'x' }, { toString: 'toString is no input of this report' }],
]
test.each(wrong)('%s with %o is refused with a sentence for each input', async (type, sent, fields) => {
  for (const path of [`/api/v1/report/${type}`, `/api/v1/report/${type}/export?format=csv`]) {
    const { status, body } = await admin.call('POST', path, sent)
    expect({ status, fields: body.fields }).toEqual({ status: 422, fields })
    expect(body.error).toBe(Object.values(body.fields).join('. '))
  }
})

test('a type that does not exist answers 404', async () => {
  for (const path of ['/api/v1/report/no-such', '/api/v1/report/toString', '/api/v1/report/no-such/export'])
    expect((await admin.call('POST', path, {})).status).toBe(404)
})

test('every report without required inputs can be taken as a file', async () => {
  for (const type of ['equipment-outstanding', 'user-access', 'terms-outstanding'])
    for (const format of ['xlsx', 'csv']) {
      const { status, headers } = await admin.call(
        'POST',
        `/api/v1/report/${type}/export?format=${format}`,
        {},
      )
      expect(status).toBe(200)
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="?[A-Z][A-Za-z0-9 -]+\.(xlsx|csv)"?$/,
      )
    }
})
