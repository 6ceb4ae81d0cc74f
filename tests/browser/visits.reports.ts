import type { Page } from 'playwright-core'
import type { ReportResult, ReportType } from '../../schemas/api/reports.ts'
import { answer, button, dismiss, go, refusal } from './going.ts'
import type { Served } from './server.ts'
import type { Visit } from './visits.ts'

const types: ReportType[] = [
  {
    id: 'every-kind',
    name: 'Every Kind of Input',
    inputs: [
      {
        inputname: 'month',
        displayname: 'Month',
        datatype: 'Query3',
        isrequired: true,
        constraints: [
          { id: '2026-10', displayname: 'October 2026', state: 'Open' },
          { id: '2026-09', displayname: 'September 2026', state: 'Locked' },
        ],
      },
      {
        inputname: 'agent',
        displayname: 'Master Agent',
        datatype: 'Query',
        isrequired: false,
        constraints: [{ id: '1', displayname: 'MA0001 - North' }],
      },
      { inputname: 'days', displayname: 'Days', datatype: 'Int', isrequired: false, constraints: [] },
      { inputname: 'city', displayname: 'City', datatype: 'Text', isrequired: false, constraints: [] },
      { inputname: 'asof', displayname: 'As Of', datatype: 'Date', isrequired: false, constraints: [] },
    ],
    formats: ['xlsx', 'csv', 'nacha'],
  },
]
const result = (rows: number): ReportResult => ({
  columns: [
    { name: 'xmid', displayname: 'Merchant ID', datatype: 'id' },
    { name: 'dba', displayname: 'DBA', datatype: 'text' },
    { name: 'net', displayname: 'Net', datatype: 'money' },
  ],
  data: Array.from({ length: rows }, (_, at) => ({ xmid: `4000${at}`, dba: `Shop ${at}`, net: at - 2.5 })),
  totals: { xmid: 'Total', dba: null, net: -12.5 },
  notes: ['One merchant is not in the portfolio.'],
  lock: { month: '2026-10', version: 2, hash: 'a1b2c3d4e5f6a7b8', username: 'ann', lockedat: 1_790_000_000 },
})

const chosen = async (page: Page, server: Served, month = 'October 2026 (Open)') => {
  await answer(page, '/api/v1/report', 200, { data: types })
  await go(page, server, '/reporting')
  await page.getByLabel('Report', { exact: true }).selectOption('every-kind')
  await page.getByRole('combobox', { name: 'Month', exact: true }).selectOption(month)
  await page.locator('button:enabled', { hasText: 'Generate Report' }).waitFor()
}
const generated = async (page: Page, server: Served, rows: number) => {
  await answer(page, '/api/v1/report/every-kind', 200, result(rows))
  await chosen(page, server)
  await button(page, 'Generate Report').click()
  await page.getByRole('table').waitFor()
}

export const reportVisits: readonly Visit[] = [
  {
    name: 'a report, an input wrong',
    who: 'admin',
    show: async (page, server) => {
      await chosen(page, server)
      await page.getByLabel('Days', { exact: true }).fill('12a')
      await page.getByText('Days must be a whole number').waitFor()
    },
  },
  { name: 'a result', who: 'admin', show: (page, server) => generated(page, server, 20) },
  {
    name: 'a long result, scrolled',
    who: 'admin',
    show: async (page, server) => {
      await generated(page, server, 20_000)
      await page.locator('.report-scroll').evaluate((box) => box.scrollTo(0, 320_000))
      await page.getByText('Shop 10001', { exact: true }).waitFor()
    },
  },
  { name: 'a result without rows', who: 'admin', show: (page, server) => generated(page, server, 0) },
  {
    name: 'a result of other inputs',
    who: 'admin',
    show: async (page, server) => {
      await generated(page, server, 20)
      await page.getByLabel('City', { exact: true }).fill('Leeds')
      await page.getByText('Generate the report again').waitFor()
    },
  },
  {
    name: 'a report under way',
    who: 'admin',
    show: async (page, server) => {
      await page.route('**/api/v1/report/every-kind', () => {})
      await chosen(page, server)
      await button(page, 'Generate Report').click()
      await button(page, 'Cancel').waitFor()
    },
  },
  {
    name: 'the question before a month is locked',
    who: 'admin',
    show: async (page, server) => {
      await chosen(page, server)
      await button(page, 'Lock Report').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'the reason why a month is unlocked, not given',
    who: 'admin',
    show: async (page, server) => {
      await chosen(page, server, 'September 2026 (Locked)')
      await button(page, 'Unlock Report').click()
      await page.getByLabel('Reason', { exact: true }).waitFor()
      await button(page, 'Unlock').click()
      await page.getByText('Reason is required').waitFor()
    },
  },
  {
    name: 'the reports, and the server failed',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/report', 500, refusal)
      await go(page, server, '/reporting')
      await dismiss(page)
    },
  },
]
