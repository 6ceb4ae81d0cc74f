import { errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { putMerchants, remember, same, secondClient } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { contents, emptyTables, nothing, stored, whole } from '../upload/files.ts'
import { names } from '../upload/views.ts'
import { undoModel, undoStimuli, type UndoStimulus } from './model.ts'

const imported = /^Undo the import of merchants\.csv/
const question = /^Undo the import of “merchants\.csv” by admin/
const table = 'Imported files'
const older = 12

const importedByAdmin = async ({ portal }: Driver) => {
  const boundary = 'model-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${names.good}"\r\n\r\n`
  const admin = await secondClient(portal)
  const { status } = await admin.call(
    'POST',
    '/api/v1/file/merchant',
    Buffer.from(`${head}${contents.merchants}\r\n--${boundary}--\r\n`),
    {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  )
  ok(status === 200, `the first import: ${status}`)
}
const rename = ({ portal }: Driver, dba: string) =>
  portal.db.query('update merchant set dba = $1 where id = 1', [dba])

const steps: Record<UndoStimulus, Step> = {
  'opens Import Merchants': async (it) => {
    await remember(it, 'staff')
    await it.go('/import/merchants')
  },
  'presses Next': (it) => it.press('Next page', { role: 'link' }),
  'goes back': (it) => it.back(),
  'presses Undo': (it) => it.press(imported),
  'keeps it': (it) => it.press('Keep it'),
  confirms: (it) => it.press('Undo the import'),
  'confirms, but a merchant was changed since': async (it) => {
    await rename(it, 'Bakery of Somebody Else')
    await it.press('Undo the import')
  },
  'dismisses the message': async (it) => {
    await it.press('Dismiss', { dialog: errorTitle })
    // As imported, so that the walk can go on to any other step from here.
    await rename(it, 'Bakery One')
  },
}

const shows = async (it: Driver, rows: number, ...first: string[]) => {
  const texts = (await it.texts('row', undefined, table)).slice(1)
  same(texts.length, rows, 'imports listed')
  for (const word of first)
    ok(texts[0]!.includes(word), `the first import is '${texts[0]}', without '${word}'`)
}
const noDialog = async (it: Driver) =>
  same([await it.count('dialog'), await it.count('alertdialog')], [0, 0], 'dialogs')

const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  history: async (it) => {
    await noDialog(it)
    await shows(it, 10, 'by admin', names.good, 'Imported')
    ok(await it.shows('Showing 1 to 10 of 13'), 'the pages are not counted')
  },
  'page 2': async (it) => {
    await shows(it, 3, 'by ann', 'old 3.csv')
    same(it.url(), '/import/merchants?page=2', 'address')
  },
  question: async (it) => {
    same(await it.count('alertdialog', question), 1, 'the question')
    same((await it.state('button', 'Keep it', { dialog: question })).focused, true, 'Keep it has the focus')
    same(await stored(it.portal), whole.merchants, 'in the database')
  },
  'message that it was changed': async (it) => {
    same(await it.count('dialog', errorTitle), 1, errorTitle)
    ok(await it.shows('40000000001'), 'the merchant is not named')
    same((await stored(it.portal)).merchants[0], '40000000001 Bakery of Somebody Else 2', 'in the database')
  },
  undone: async (it) => {
    await noDialog(it)
    await shows(it, 10, 'by admin', names.good, 'Undone', 'by staff')
    same(await it.count('button', imported), 0, 'Undo')
    same(await stored(it.portal), nothing, 'in the database')
  },
}

export const undo: UserModel = {
  machine: undoModel,
  stimuli: undoStimuli,
  steps,
  observe,
  async begin(it) {
    await putMerchants(it.portal)
    await emptyTables(it.portal)
    await it.portal.db.query(`delete from import_batch where kind = 'merchant'`)
    await it.portal.db.query(
      `insert into import_batch (kind, filename, sha256, size, username, imported_at, rows, inserted, updated, unchanged)
        select 'merchant', 'old ' || n || '.csv', md5(n::text) || md5(n::text), 100, 'ann', '2026-01-01'::timestamptz + n * interval '1 day', 2, 0, 0, 2
        from generate_series(1, $1::int) n`,
      [older],
    )
    await importedByAdmin(it)
  },
}
