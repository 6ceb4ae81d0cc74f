import type { Page } from 'playwright-core'
import { imports } from '../../../schemas/imports/imports.ts'
import { answer, button, dismiss, follow, load, refusal, settled } from '../lib/navigate.ts'
import { sequence } from './state.ts'

const good = 'XMID,DBA,Master Agent,Lane\r\n49980000001,First Shop,MA0002,1\r\n'
const bad = 'XMID,DBA,Master Agent\r\n1.23E+15,First Shop,Nobody\r\n'

const choose = (page: Page, content: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
const undo = (page: Page) => page.getByRole('button', { name: /^Undo the import/ }).first()

export const importStates = sequence(
  'admin',
  {
    name: 'a chosen file',
    show: async (page, server) => {
      await load(page, server, imports.dailyvolume.path)
      await choose(page, 'MID,Sales Amount\r\n40000000001,1\r\n')
      await button(page, 'Clear').waitFor()
    },
  },
  {
    name: 'an imported file',
    show: async (page) => {
      await follow(page, imports.merchant.path, imports.merchant.title)
      await choose(page, good)
      await button(page, 'Submit').click()
      await page.getByText('Data Imported Successfully').waitFor()
      await undo(page).waitFor()
      await settled(page)
    },
  },
  {
    name: 'a file that was imported before',
    fails: true,
    show: async (page) => {
      await choose(page, good)
      await button(page, 'Submit').click()
      await button(page, 'Import anyway').waitFor()
      // The history below is read again, and pale until then.
      await settled(page)
    },
  },
  {
    name: 'a previewed file',
    show: async (page, server) => {
      const [{ xmid } = { xmid: '' }] = await server.db.query<{ xmid: string }>(
        'select xmid from merchant order by id limit 1',
      )
      const rows = ['49980000002,New Shop', `${xmid},Another Name`, '1.23E+15,Lost Shop']
      const lines = ['XMID,DBA,Master Agent,Lane', ...rows.map((row, at) => `${row},MA0002,${at + 1}`)]
      await choose(page, `${lines.join('\r\n')}\r\n`)
      await button(page, 'Preview').click()
      await page.getByRole('region', { name: 'Faults' }).waitFor()
    },
  },
  {
    name: 'a refused file',
    fails: true,
    show: async (page) => {
      await button(page, 'Clear').click()
      await choose(page, bad)
      await button(page, 'Submit').click()
      await page.getByRole('region', { name: 'Faults' }).waitFor()
      await settled(page)
    },
  },
  {
    name: 'the question before an import is undone',
    show: async (page) => {
      await undo(page).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'a history that failed',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/file/merchant/history?*', 500, refusal)
      await load(page, server, imports.merchant.path)
      await dismiss(page)
    },
  },
)
