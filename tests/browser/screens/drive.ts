import type { Page } from 'playwright-core'
import { folderType, type DriveNode } from '../../../schemas/api/drive.ts'
import { answer, button, dismiss, load, refusal } from '../lib/navigate.ts'
import { sequence } from './state.ts'

const file = (name: string, size: number | null = 1_234_567): DriveNode => ({
  id: `id-${name}`,
  name,
  mimeType: 'text/plain',
  size,
  modified: 1_780_000_000,
  children: [],
})
const folder = (name: string, children: DriveNode[]): DriveNode => ({
  id: `id-${name}`,
  name,
  mimeType: folderType,
  size: null,
  modified: null,
  children,
})
const long = 'A name that is longer than any narrow screen can show it in one line of a row.pdf'
const nodes = [
  folder('Agreements', [folder('Closed', [file('Old.pdf')]), file('案内.txt', 12), file(long)]),
  folder('Empty', []),
  file('Welcome.txt', null),
]
const path = '/shared-drive'
const treeItem = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })

export const driveStates = sequence(
  'admin',
  {
    name: 'the shared drive, opened',
    show: async (page, server) => {
      await answer(page, '/api/v2/drive', 200, { data: nodes })
      await load(page, server, path)
      for (const name of ['Agreements', 'Closed']) await treeItem(page, name).click()
      await page.getByRole('tree').focus()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'the shared drive, filtered',
    show: async (page) => {
      await page.getByLabel('Filter by name').fill('old')
      await treeItem(page, 'Welcome').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'the shared drive, nothing found',
    show: async (page) => {
      await page.getByLabel('Filter by name').fill('zzz')
      await button(page, 'Clear filter').waitFor()
    },
  },
  {
    name: 'a download under way',
    show: async (page) => {
      await page.route('**/api/v2/files/*', () => {})
      await button(page, 'Clear filter').click()
      await button(page, 'Download Welcome.txt').click()
      await button(page, /^Cancel the download/).waitFor()
    },
  },
  {
    name: 'a download that failed',
    fails: true,
    show: async (page) => {
      await button(page, /^Cancel the download/).click()
      await answer(page, '/api/v2/files/*', 404, refusal)
      await button(page, 'Download Welcome.txt').click()
      await dismiss(page)
    },
  },
  {
    name: 'the shared drive, and the server failed',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v2/drive', 500, refusal)
      await load(page, server, path)
      await dismiss(page)
    },
  },
)
