import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { arrive, calls, dismiss, givesUp, me } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { refusalText } from '../lib/drivers/network.ts'
import { same } from '../lib/merchants.ts'
import { saysError } from '../lib/steps.ts'
import type { UserModel } from '../lib/userModel.ts'
import { driveModel } from './model.ts'

const elsewhere = { path: '/import/merchants', title: 'Import Merchants' }
const manifest = 'GET /api/v2/drive'
const button = {
  idle: 'Download Guía.txt',
  downloading: 'Cancel the download of Guía.txt',
  failed: 'Try again to download Guía.txt',
}

const folderOf = ({ config }: Driver['portal']) => ('folder' in config.drive ? config.drive.folder : '')
async function putFiles(portal: Driver['portal'], files: Record<string, string>) {
  const folder = folderOf(portal)
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'Papers'), { recursive: true })
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content)
  if (Object.keys(files).length === 0) await rm(join(folder, 'Papers'), { recursive: true })
}
const files = {
  'Papers/Guía.txt': 'the guide',
  'apple.txt': 'apple',
  'Zebra 10.txt': 'z',
  'Zebra 9.txt': 'zz',
}

const opens =
  (prepare: Step = async () => {}): Step =>
  async (it) => {
    await putFiles(it.portal, files)
    await prepare(it)
    await it.press('Shared Drive', { role: 'link' })
  }

/** The one call for a file that is there, by its route. */
const lastFile = (it: Driver) =>
  it.network.log.findLast(({ route }) => route.startsWith('GET /api/v2/files/'))
const routes = new WeakMap<Driver['portal'], string>()
/** The route of the guide, known from an answered call. */
async function routeOf({ portal }: Driver): Promise<string> {
  const known = routes.get(portal)
  if (known) return known
  const { body } = await (await portal.login('admin')).call('GET', '/api/v2/drive')
  const guide = body.data.find((node: { name: string }) => node.name === 'Papers').children[0].id
  routes.set(portal, `GET /api/v2/files/${guide}`)
  return routes.get(portal)!
}
const saves =
  (act: Step): Step =>
  async (it) => {
    const before = (await it.saved()).length
    await act(it)
    await it.eventually(async () =>
      same((await it.saved()).slice(before), [{ name: 'Guía.txt', content: 'the guide' }], 'saved files'),
    )
    same(lastFile(it)?.route, await routeOf(it), 'what was asked for')
  }
const clicks =
  (name: string): Step =>
  (it) =>
    it.press(name)

const steps: Record<string, Step> = {
  'opens Shared Drive': opens(),
  'opens Shared Drive, and it takes long': opens(async (it) => it.network.hold(manifest)),
  'opens Shared Drive before there is a file': opens((it) => putFiles(it.portal, {})),
  'opens Shared Drive, and the server fails': opens(async (it) => it.network.fault(manifest, 500)),
  'the answer comes': async (it) => it.network.release(manifest),
  leaves: async (it) => {
    await it.press('Imports')
    await it.press(elsewhere.title, { role: 'menuitem' })
  },
  'dismisses the message': dismiss,
  'tries again': clicks('Try again'),
  'clicks the folder': (it) => it.press(/^Papers/, { role: 'treeitem' }),
  'opens the folder by its key': async (it) => {
    await it.focus('tree', 'Files')
    await it.key('End')
    await it.key('p')
    await it.key('ArrowRight')
  },
  'filters by a name': (it) => it.fill('Filter by name', 'GUIA'),
  'filters by what is not there': (it) => it.fill('Filter by name', 'nowhere'),
  'clears the filter': clicks('Clear search'),
  downloads: saves(clicks(button.idle)),
  'downloads by the key': saves(async (it) => {
    await it.focus('tree', 'Files')
    await it.key('Home')
    await it.key('ArrowDown')
    await it.key('Enter')
  }),
  'downloads, and it takes long': async (it) => {
    it.network.hold(await routeOf(it))
    await it.press(button.idle)
  },
  'downloads, and the file is refused as gone': async (it) => {
    it.network.fault(await routeOf(it), 404)
    await calls(it, await routeOf(it), () => it.press(button.idle))
  },
  'downloads, and the file was removed': async (it) => {
    const route = await routeOf(it)
    await rm(join(folderOf(it.portal), 'Papers/Guía.txt'))
    await calls(it, route, () => it.press(button.idle))
  },
  'downloads, and the session has ended': async (it) => {
    it.network.fault(await routeOf(it), 401)
    await calls(it, await routeOf(it), () => it.press(button.idle))
  },
  'the file comes': async (it) => saves(async () => it.network.release(await routeOf(it)))(it),
  'presses Cancel': async (it) => {
    const before = (await it.saved()).length
    await givesUp(it, await routeOf(it), () => it.press(button.downloading))
    await it.eventually(() => same(lastFile(it)?.status, 0, 'the answer of a cancelled download'))
    same((await it.saved()).length, before, 'saved files')
  },
  'tries the download again': saves(clicks(button.failed)),
}

const noDialog: Step = async (it) => same(await it.count('dialog'), 0, 'dialogs')
const folder = 'Papers1 file'
const others = ['apple.txt5 bytes', 'Zebra 9.txt2 bytes', 'Zebra 10.txt1 byte']
const guide = 'Guía.txt9 bytes'

/**
 * The texts of the rows from top to bottom, without date and button, and what the button of the guide offers.
 */
const rows =
  (expected: readonly string[], offered: string | null = null): Step =>
  async (it) => {
    await noDialog(it)
    const shown = await it.texts('treeitem')
    same(
      shown.map((text) => text.replace(/(\d+\/\d+\/\d{4})(Download|Cancel|Try again)$/, '')),
      expected,
      'rows',
    )
    for (const name of Object.values(button))
      same(await it.count('button', name), name === offered ? 1 : 0, name)
    same(
      await it.count('button', 'Download apple.txt'),
      expected.includes(others[0]!) ? 1 : 0,
      'Download of apple.txt',
    )
  }
const instead =
  (words: string): Step =>
  async (it) => {
    await noDialog(it)
    ok(await it.shows(words), `'${words}' is not said`)
    same(await it.count('tree'), 0, 'trees')
  }

export const drive: UserModel = {
  machine: driveModel,
  stimuli: driveModel.events as string[],
  steps,
  observe: {
    elsewhere: async (it) => ok(await it.count('heading', elsewhere.title), 'this is another screen'),
    'awaited tree': async (it) => {
      ok(await it.count('status', 'Loading the shared drive'), 'nothing says that it is loading')
      same(await it.count('tree'), 0, 'trees')
    },
    'no files': instead('There are no files yet'),
    'message over failed tree': saysError(refusalText(500)),
    'failed tree': instead('The shared drive could not be loaded'),
    'closed tree': rows([folder, ...others]),
    matches: rows([folder, guide], button.idle),
    'no matches': instead('Nothing matches “nowhere”'),
    'open folder': rows([folder, guide, ...others], button.idle),
    downloading: rows([folder, guide, ...others], button.downloading),
    'closed tree, downloading': rows([folder, ...others]),
    'message over failed download': saysError(refusalText(404)),
    'message over a removed file': saysError('This file is not in the shared drive'),
    'folder without the file': rows(['Papers0 files', ...others]),
    'failed download': rows([folder, guide, ...others], button.failed),
    login: async (it) => ok(await it.count('button', 'Login'), 'this is not the login'),
  },
  begin: (it) => arrive(it, me, elsewhere.path),
}
