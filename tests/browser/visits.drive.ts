import type { Page } from 'playwright-core'
import { folderType, type DriveNode } from '../../schemas/api/drive.ts'
import { answer, button, dismiss, go, refusal } from './going.ts'
import type { Served } from './server.ts'
import type { Visit } from './visits.ts'

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

const opened = (page: Page, ...names: string[]) =>
  names.reduce(
    async (before, name) =>
      before.then(() => page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click()),
    Promise.resolve(),
  )
const at = '/shared-drive'
const shown = async (page: Page, server: Served) => {
  await answer(page, '/api/v2/drive', 200, { data: nodes })
  await go(page, server, at)
}

export const driveVisits: readonly Visit[] = [
  {
    name: 'the shared drive, opened',
    who: 'admin',
    show: async (page, server) => {
      await shown(page, server)
      await opened(page, 'Agreements', 'Closed')
      await page.getByRole('tree').focus()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'the shared drive, filtered',
    who: 'admin',
    show: async (page, server) => {
      await shown(page, server)
      await page.getByLabel('Filter by name').fill('old')
      await page.getByRole('treeitem', { name: /^Old/ }).waitFor()
    },
  },
  {
    name: 'the shared drive, nothing found',
    who: 'admin',
    show: async (page, server) => {
      await shown(page, server)
      await page.getByLabel('Filter by name').fill('zzz')
      await button(page, 'Clear filter').waitFor()
    },
  },
  {
    name: 'a download under way',
    who: 'admin',
    show: async (page, server) => {
      await page.route('**/api/v2/files/*', () => {})
      await shown(page, server)
      await button(page, 'Download Welcome.txt').click()
      await button(page, /^Cancel the download/).waitFor()
    },
  },
  {
    name: 'a download that failed',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v2/files/*', 404, refusal)
      await shown(page, server)
      await button(page, 'Download Welcome.txt').click()
      await dismiss(page)
    },
  },
  {
    name: 'the shared drive, and the server failed',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v2/drive', 500, refusal)
      await go(page, server, at)
      await dismiss(page)
    },
  },
]
