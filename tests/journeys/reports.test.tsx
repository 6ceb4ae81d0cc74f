import { screen, within } from '@testing-library/dom'
import { describe, expect, it, onTestFinished } from 'vitest'
import { reportCalls, type ReportType } from '../../schemas/api/reports.ts'
import '../../src/features/reports/ReportInputs.tsx'
import '../../src/features/reports/ReportPage.tsx'
import { catchSaved } from '../models/lib/drivers/savedFiles.ts'
import type { Given } from './adapter.ts'
import { openTab, remember } from './open.ts'
import { replyFor, scripted } from './scripted.ts'

const type: ReportType = {
  id: 'payout',
  name: 'Payout',
  group: 'Payouts',
  description: 'The payments of a month.',
  inputs: [{ inputname: 'asof', displayname: 'As Of', datatype: 'Date', isrequired: true, constraints: [] }],
  formats: ['xlsx', 'csv'],
}

/** Somebody presses Download Report, and the server answers so. */
const download = async (given: Given) => {
  const server = scripted({
    [reportCalls.types.route]: { body: { data: [type] } },
    'POST /api/v1/report/payout/export': given,
  })
  remember(replyFor())
  const saving = catchSaved()
  onTestFinished(saving.stop)
  const tab = openTab({ adapter: server.adapter, at: '/reporting' })
  await tab.user.selectOptions(await screen.findByLabelText('Report'), 'Payout')
  await tab.user.type(await screen.findByLabelText('As Of'), '2026-03-09')
  const button = await screen.findByRole('button', { name: 'Download Report' })
  await expect.poll(() => (button as HTMLButtonElement).disabled).toBe(false)
  await tab.user.click(button)
  return { tab, server, saving }
}

describe('Download Report', () => {
  it('sends the inputs, a date as MM/DD/YYYY, and saves the file under the name of Content-Disposition', async () => {
    const { server, saving } = await download({
      body: 'the file',
      headers: {
        'content-disposition': `attachment; filename="Payout.xlsx"; filename*=UTF-8''Payout%20%E2%82%AC.xlsx`,
      },
    })
    await expect.poll(() => saving.files()).toEqual([{ name: 'Payout €.xlsx', content: 'the file' }])
    const sent = server.calls.find(({ path }) => path.endsWith('/export'))
    expect([sent?.query, sent?.body]).toEqual([
      { format: 'xlsx', job: expect.stringMatching(/^[\da-f-]{36}$/) },
      { asof: '03/09/2026' },
    ])
  })

  it('that is answered 401 logs out, and no dialog is shown', async () => {
    await download({ status: 401, body: { error: 'Please sign in' } })
    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('that fails otherwise opens the error dialog with the sentence of the server; the screen stays, the input is marked', async () => {
    const { tab, saving } = await download({
      status: 422,
      body: {
        error: 'As Of lies in the future',
        requestId: 'r-1',
        fields: { asof: 'As Of lies in the future' },
      },
    })
    const dialog = within(await screen.findByRole('dialog', { name: "That's an error." }))
    expect(dialog.getByText('As Of lies in the future')).toBeVisible()
    await tab.user.click(dialog.getByRole('button', { name: 'Dismiss' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByLabelText('As Of')).toHaveValue('2026-03-09')
    expect(screen.getByLabelText('As Of')).toHaveAttribute('aria-invalid', 'true')
    expect(await saving.files()).toEqual([])
  })
})

describe('Generate Report', () => {
  it.each([
    ['texts alone', ['Name', 'Amount']],
    ['without heading and kind', [{ name: 'Name' }, { name: 'Amount' }]],
  ])('shows an answer whose columns are %s, under their names and as text', async (_, columns) => {
    const server = scripted({
      [reportCalls.types.route]: { body: { data: [{ ...type, inputs: [] }] } },
      'POST /api/v1/report/payout': {
        body: { columns, data: [{ Name: 'Willow', Amount: 1250.5 }], totals: null, notes: [], lock: null },
      },
    })
    remember(replyFor())
    const tab = openTab({ adapter: server.adapter, at: '/reporting' })
    await tab.user.selectOptions(await screen.findByLabelText('Report'), 'Payout')
    await tab.user.click(await screen.findByRole('button', { name: 'Generate Report' }))
    const table = within(await screen.findByRole('table'))
    expect(table.getAllByRole('columnheader').map((it) => it.textContent)).toEqual(['Name', 'Amount'])
    expect(await table.findByText('Willow')).toBeVisible()
    expect(table.getByText('1250.5')).toBeVisible()
  })
})
