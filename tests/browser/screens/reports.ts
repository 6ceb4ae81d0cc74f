import type { Page } from 'playwright-core'
import type { Finding } from '../../../schemas/api/months/months.ts'
import type { ReportResult, ReportType } from '../../../schemas/api/reports.ts'
import { answer, button, dismiss, load, refusal } from '../lib/navigate.ts'
import { sequence } from './state.ts'

const types: ReportType[] = [
  {
    id: 'every-kind',
    name: 'Every Kind of Input',
    group: 'Portfolio',
    description: 'Every kind of input and of column.',
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
const result = (rows: number, more: Partial<ReportResult> = {}): ReportResult => ({
  columns: [
    { name: 'xmid', displayname: 'Merchant ID', datatype: 'id' },
    { name: 'dba', displayname: 'DBA', datatype: 'text', link: 'dba_link' },
    { name: 'city', displayname: 'City', datatype: 'text' },
    { name: 'net', displayname: 'Net', datatype: 'money' },
  ],
  data: Array.from({ length: rows }, (_, at) => ({
    section: at < rows / 2 ? 'Merchant' : 'Override',
    xmid: `4000${at}`,
    dba: `Shop ${at}`,
    dba_link: '/manage/merchants?open=1',
    city: null,
    net: at - 2.5,
  })),
  totals: { xmid: 'Total', dba: null, net: -12.5 },
  notes: ['One merchant is not in the portfolio.'],
  lock: { month: '2026-10', version: 2, hash: 'a1b2c3d4e5f6a7b8', username: 'ann', lockedat: 1_790_000_000 },
  figure: { words: 'Net of all merchants', value: -12.5, datatype: 'money', column: 'net' },
  ...more,
})

const finding = (
  kind: string,
  of: string,
  amount: number | null,
  severity: Finding['severity'] = 'warning',
) => ({
  key: `${kind}:${of}`,
  kind,
  severity,
  what: 'What it says',
  where: `${of}, a merchant with a rather long name, Incorporated`,
  amount,
  link: '/manage/merchants?open=1',
  waiver: null,
})
/** The server refuses to lock for these. */
const refuseLock = (page: Page, ...findings: Finding[]) =>
  answer(page, '/api/v1/report/every-kind/publish', 409, { error: 'Not waived', code: 'findings', findings })
const confirmLock = (page: Page) =>
  page.getByRole('alertdialog').getByRole('button', { name: 'Lock' }).click()

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const month = (page: Page, option: string) =>
  page.getByRole('combobox', { name: 'Month', exact: true }).selectOption(option)
/** Generates again, and the server answers this many rows. */
const generate = async (page: Page, rows: number, more: Partial<ReportResult> = {}) => {
  await answer(page, '/api/v1/report/every-kind?job=*', 200, result(rows, more))
  await button(page, 'Generate Report').click()
  await page.getByText(`${rows.toLocaleString('en-US')} rows`, { exact: true }).waitFor()
}

export const reportStates = sequence(
  'admin',
  {
    name: 'the reports by group',
    show: async (page, server) => {
      await answer(page, '/api/v1/report', 200, { data: types })
      await load(page, server, '/reporting')
      await page.getByRole('heading', { name: 'Portfolio' }).waitFor()
    },
  },
  {
    name: 'an address with a month that is not offered',
    show: async (page, server) => {
      await load(page, server, '/reporting?report=every-kind&month=2031-01&run=1')
      await page.getByText('Month must be one of the offered values').waitFor()
    },
  },
  {
    name: 'a report, an input wrong',
    show: async (page, server) => {
      await load(page, server, '/reporting')
      await field(page, 'Report').selectOption('every-kind')
      await month(page, 'October 2026 (Open)')
      await field(page, 'Days').fill('12a')
      await page.getByText('Days must be a whole number').waitFor()
    },
  },
  {
    name: 'a report under way',
    show: async (page) => {
      await field(page, 'Days').fill('')
      await answer(page, '/api/v1/report/progress/*', 200, { phase: 'waiting', done: 3, total: null })
      await page.route('**/api/v1/report/every-kind?job=*', () => {})
      await button(page, 'Generate Report').click()
      await button(page, 'Cancel').waitFor()
      await page.getByText('Waiting, 3 before you', { exact: true }).waitFor()
    },
  },
  {
    name: 'a result',
    show: async (page) => {
      await button(page, 'Cancel').click()
      await generate(page, 20)
    },
  },
  {
    name: 'a result with sections and its empty column',
    show: async (page) => {
      const section = { name: 'section', displayname: 'Section', datatype: 'text' } as const
      await generate(page, 21, { sections: ['section'], columns: [section, ...result(0).columns] })
      await page.getByRole('row', { name: /^Override/ }).waitFor()
      await button(page, '1 empty column hidden').click()
    },
  },
  {
    name: 'a result of other inputs',
    show: async (page) => {
      await field(page, 'City').fill('Leeds')
      await page.getByText('Generate the report again').waitFor()
    },
  },
  { name: 'a result without rows', show: (page) => generate(page, 0) },
  {
    name: 'a long result, scrolled',
    show: async (page) => {
      await generate(page, 20_000)
      await page.locator('.report-scroll').evaluate((box) => box.scrollTo(0, 320_000))
      await page.getByText('Shop 10001', { exact: true }).waitFor()
    },
  },
  {
    name: 'the question before a month is locked',
    show: async (page) => {
      await button(page, 'Lock Report').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'warnings that keep a month from being locked, without reasons',
    fails: true,
    show: async (page) => {
      const strangers = Array.from({ length: 9 }, (_, n) =>
        finding('unknown-mid', `Aurora 4000${n}`, n - 3.5),
      )
      await refuseLock(page, ...strangers, finding('stated-total', 'Borealis', -0.01))
      await confirmLock(page)
      await field(page, 'Reason for all others').waitFor()
      await button(page, 'Lock').click()
      await page.getByText('Reason for Borealis is required').waitFor()
    },
  },
  {
    name: 'a stop that keeps a month from being locked',
    fails: true,
    show: async (page) => {
      await button(page, 'Cancel').click()
      await refuseLock(page, finding('missing-file', 'Corona', null, 'stop'))
      await button(page, 'Lock Report').click()
      await confirmLock(page)
      await page.getByText('It cannot be waived.').waitFor()
    },
  },
  {
    name: 'the reason why a month is unlocked, not given',
    show: async (page) => {
      await button(page, 'Cancel').click()
      await month(page, 'September 2026 (Locked)')
      await button(page, 'Unlock Report').click()
      await field(page, 'Reason').waitFor()
      await button(page, 'Unlock').click()
      await page.getByText('Reason is required').waitFor()
    },
  },
  {
    name: 'the reports, and the server failed',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/report', 500, refusal)
      await load(page, server, '/reporting')
      await dismiss(page)
    },
  },
)
