import type { Page } from 'playwright-core'
import { imports, type ImportName } from '../../schemas/imports/imports.ts'
import { answer, button, dismiss, go, refusal } from './going.ts'
import type { Served } from './server.ts'
import type { Visit } from './visits.ts'

let imported = 0
/** A file nobody imported yet. */
const fresh = () =>
  `XMID,DBA,Master Agent,Lane\r\n4998${String(++imported).padStart(7, '0')},First Shop,MA0002,1\r\n`
const bad = 'XMID,DBA,Master Agent\r\n1.23E+15,First Shop,Nobody\r\n'

const choose = async (page: Page, server: Served, kind: ImportName, content: string) => {
  await go(page, server, imports[kind].path)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
}
const submit = async (page: Page) => {
  await button(page, 'Submit').click()
  await page.getByText('Data Imported Successfully').waitFor()
  await page
    .getByRole('button', { name: /^Undo the import/ })
    .first()
    .waitFor()
}

export const importVisits: readonly Visit[] = [
  {
    name: 'a chosen file',
    who: 'admin',
    show: (page, server) => choose(page, server, 'dailyvolume', 'MID,Sales Amount\r\n40000000001,1\r\n'),
  },
  {
    name: 'an imported file',
    who: 'admin',
    show: async (page, server) => {
      await choose(page, server, 'merchant', fresh())
      await submit(page)
    },
  },
  {
    name: 'a previewed file',
    who: 'admin',
    show: async (page, server) => {
      const [{ xmid } = { xmid: '' }] = await server.db.query<{ xmid: string }>(
        'select xmid from merchant order by id limit 1',
      )
      await choose(
        page,
        server,
        'merchant',
        `${fresh()}${xmid},Another Name,MA0002,2\r\n1.23E+15,Lost Shop,MA0002,3\r\n`,
      )
      await button(page, 'Preview').click()
      await page.getByRole('region', { name: 'Faults' }).waitFor()
    },
  },
  {
    name: 'a file that was imported before',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      const content = fresh()
      await choose(page, server, 'merchant', content)
      await submit(page)
      await choose(page, server, 'merchant', content)
      await button(page, 'Submit').click()
      await button(page, 'Import anyway').waitFor()
    },
  },
  {
    name: 'the question before an import is undone',
    who: 'admin',
    show: async (page, server) => {
      await choose(page, server, 'merchant', fresh())
      await submit(page)
      await page
        .getByRole('button', { name: /^Undo the import/ })
        .first()
        .click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'a history that failed',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/file/merchant/history?*', 500, refusal)
      await go(page, server, imports.merchant.path)
      await dismiss(page)
    },
  },
  {
    name: 'a refused file',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await choose(page, server, 'merchant', bad)
      await button(page, 'Submit').click()
      await dismiss(page)
      await page.getByRole('region', { name: 'Faults' }).waitFor()
    },
  },
]
