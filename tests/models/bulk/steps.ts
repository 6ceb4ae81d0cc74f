import { errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { dba, putMerchants, remember, routes, same, secondClient, xmid } from '../lib/merchants.ts'
import { failing, held } from '../lib/steps.ts'
import type { UserModel } from '../lib/userModel.ts'
import { bulkModel, bulkStimuli, type BulkStimulus } from './model.ts'

const preview = 'POST /api/v1/merchant/bulk/preview'
const commit = 'POST /api/v1/merchant/bulk'
const dialogs = {
  field: 'Set a field of 2 merchants',
  agent: 'Reassign 23 merchants',
  remove: 'Delete 2 merchants',
}

/** The version of the first merchant goes up, as by somebody else. */
const changeElsewhere = async ({ portal }: Driver, change: Record<string, unknown>) => {
  const other = await secondClient(portal)
  const { version } = (await other.call('GET', '/api/v1/merchant/1')).body
  const { status } = await other.call('PUT', '/api/v1/merchant/1', { version, ...change })
  ok(status === 200, `the second client could not change it: ${status}`)
}
const undoRoute = async ({ portal }: Driver) => {
  const [latest] = await portal.db.query<{ id: number }>('select max(id) as id from bulk_change')
  return `POST /api/v1/merchant/bulk/${latest!.id}/undo`
}
const check =
  (...numbers: number[]): Step =>
  async (it) => {
    for (const number of numbers) await it.press(`Select ${xmid(number)}`, { role: 'checkbox' })
  }
/** The bar changes with the operation; the button is there when the list has come. */
const press =
  (name: string | RegExp): Step =>
  (it) =>
    it.press(name)
const previewClosed: Step = async (it) => {
  await it.pick('Field', 'Status')
  await it.fill('Status', 'Closed', { dialog: dialogs.field })
  await it.press('Preview')
}
const store = press(/^(Change|Delete) \d+ merchants?$/)
const search: Step = async (it) => {
  await it.fill('Search Merchants', 'Garage')
  await it.elapse(300, 0)
}

const steps: Record<BulkStimulus, Step> = {
  async 'opens Merchants'(it) {
    await it.go('/manage/merchants?filter=product:empty')
    await it.press(/^Remove the filter Product/)
    await it.eventually(async () => ok(await it.count('checkbox', `Select ${xmid(1)}`), 'no checkboxes'))
  },
  'selects two rows': check(1, 2),
  'takes one out': check(1),
  'selects the page': (it) => it.press('Select the page', { role: 'checkbox' }),
  'selects all found': press('Select all 23 found'),
  clears: press('Clear'),
  'turns the page': (it) => it.press('Next page', { role: 'link' }),
  'turns back': (it) => it.press('Previous page', { role: 'link' }),
  'searches garages': search,
  'presses Set a field': press('Set a field'),
  'presses Reassign': press('Reassign'),
  'presses Delete': press('Delete'),
  'presses Delete, and the server fails': failing(preview, press('Delete')),
  'previews Closed': previewClosed,
  'previews Closed, and the answer takes long': held(preview, previewClosed),
  'previews Closed, and the server fails': failing(preview, previewClosed),
  async 'previews agent 3'(it) {
    await it.fill('Master Agent', 'MA0003', { dialog: dialogs.agent })
    await it.press(/^MA0003/, { role: 'option' })
    await it.press('Preview')
  },
  cancels: async (it) => {
    await it.press('Cancel')
    it.network.release(preview)
  },
  'goes back to the value': press('Back'),
  async 'goes back in the browser'(it) {
    await it.back()
    it.network.release(preview)
  },
  commits: store,
  async 'commits, but one was changed meanwhile'(it) {
    await changeElsewhere(it, { notes: 'elsewhere' })
    await store(it)
  },
  'commits, and the answer takes long': held(commit, store),
  'commits, and the server fails': failing(commit, store),
  'looks again': press('Look again'),
  async 'the answer comes'(it) {
    for (const route of [preview, commit, await undoRoute(it)]) it.network.release(route)
  },
  'presses Undo': press('Undo'),
  async 'presses Undo, but one was changed since'(it) {
    await changeElsewhere(it, { status: 'Lost' })
    await it.press('Undo')
  },
  'presses Undo, and the answer takes long': held(undoRoute, press('Undo')),
  'closes the message': press('Close what was changed'),
  'dismisses the error': (it) => it.press('Dismiss', { dialog: errorTitle }),
}

const statuses = async ({ portal }: Driver) =>
  (await portal.db.query<{ status: string }>('select status from merchant where id <= 3 order by id')).map(
    ({ status }) => status,
  )
const isStored = async (it: Driver, ...wanted: string[]) =>
  same(await statuses(it), wanted, 'statuses in the database')
const shows = async (it: Driver, ...words: string[]) => {
  for (const word of words) ok(await it.shows(word), `'${word}' is not shown`)
}
const withoutDialog = async (it: Driver) => same(await it.count('dialog'), 0, 'dialogs')
const selects = async (it: Driver, words: string | null) => {
  await withoutDialog(it)
  const said = (await it.texts('status')).find((text) => text.endsWith(' selected')) ?? null
  same(said, words, 'what is selected')
}
const plain = ['', '', ''] as const
const closed = ['Closed', 'Closed', ''] as const
const message = async (it: Driver, words: string) => {
  await withoutDialog(it)
  same(
    (await it.texts('status')).find((text) => /changed|deleted/.test(text)) ?? null,
    `${words}${words.includes('undone') ? '' : 'Undo'}`,
    'the message',
  )
}
const inDialog = async (it: Driver, name: string) => {
  same(await it.count('dialog', name), 1, name)
  same(await it.count('dialog', errorTitle), 0, 'error dialogs')
}
const error = async (it: Driver) => same(await it.count('dialog', errorTitle), 1, errorTitle)
const rows = async (it: Driver, first: number) =>
  same((await it.texts('rowheader'))[0], xmid(first), 'the first row')
const twoWouldChange = '2 merchants would be changed.'

const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  async list(it) {
    await selects(it, null)
    await rows(it, 1)
    same(await it.count('button', 'Set a field'), 0, 'buttons of a selection')
    await isStored(it, ...plain)
  },
  'two selected': async (it) => {
    await selects(it, '2 selected')
    await isStored(it, ...plain)
  },
  'one selected': (it) => selects(it, '1 selected'),
  'two selected, on page 2': async (it) => {
    await rows(it, 11)
    await selects(it, '2 selected')
  },
  'page selected': (it) => selects(it, '10 selected'),
  'all selected': async (it) => {
    await selects(it, 'All 23 found are selected')
    same(await it.count('button', /^Select all/), 0, 'offers to select all')
  },
  'nine selected': (it) => selects(it, '9 selected'),
  async garages(it) {
    await rows(it, 2)
    await selects(it, null)
  },
  reassigning: (it) => inDialog(it, dialogs.agent),
  async 'moves previewed'(it) {
    await inDialog(it, dialogs.agent)
    await shows(it, '23 merchants would be changed.')
    same((await it.texts('row', undefined, 'Changes')).length, 2, 'lines of changes')
  },
  async moved(it) {
    await message(it, '23 merchants changed.')
    const [moved] = await it.portal.db.query<{ n: number }>(
      'select count(*)::int as n from merchant where masteragentid = 3',
    )
    same(moved!.n, 23, 'merchants of agent 3')
  },
  choosing: async (it) => {
    await inDialog(it, dialogs.field)
    same(await it.count('combobox', 'Field'), 1, 'the choice of the field')
  },
  'error over choosing': error,
  async previewing(it) {
    await inDialog(it, dialogs.field)
    await shows(it, 'Working out what would change…')
    await isStored(it, ...plain)
  },
  async unfiltered(it) {
    await selects(it, null)
    same(it.url(), '/manage/merchants?filter=product:empty', 'address')
  },
  async previewed(it) {
    await inDialog(it, dialogs.field)
    await shows(it, twoWouldChange, 'Change 2 merchants')
    same((await it.texts('row', undefined, 'Changes')).slice(1), ['Status(empty)Closed2'], 'lines of changes')
    await isStored(it, ...plain)
  },
  async 'choosing again'(it) {
    await inDialog(it, dialogs.field)
    same(await it.value('Status'), 'Closed', 'what was typed')
  },
  async committing(it) {
    same((await it.state('button', 'Cancel')).disabled, true, 'Cancel is closed')
    await isStored(it, ...plain)
  },
  async 'committing, elsewhere'(it) {
    same(it.url(), '/manage/merchants?filter=product:empty', 'address')
    same(await it.count('dialog', dialogs.field), 1, 'the dialog')
  },
  async 'done, elsewhere'(it) {
    await message(it, '2 merchants changed.')
    await isStored(it, ...closed)
  },
  async 'changed meanwhile'(it) {
    await inDialog(it, dialogs.field)
    await shows(it, 'somebody else changed some meanwhile')
    await isStored(it, ...plain)
  },
  'two selected, one changed': (it) => selects(it, '2 selected'),
  async 'previewed, one refused'(it) {
    await inDialog(it, dialogs.field)
    const reason = 'This merchant was changed by somebody else meanwhile'
    await shows(it, '1 merchant would be changed. 1 would be refused.', `${xmid(1)} - ${dba(1)}: ${reason}`)
  },
  async 'done, one refused'(it) {
    await message(it, '1 merchant changed, 1 refused.')
    await isStored(it, '', 'Closed', '')
  },
  'error over failed': error,
  async failed(it) {
    await inDialog(it, dialogs.field)
    await shows(it, 'The change failed, or its answer was lost.')
    await isStored(it, ...plain)
  },
  async done(it) {
    await message(it, '2 merchants changed.')
    same(it.network.calls(routes.list).length >= 2, true, 'the list was read again')
    ok((await it.texts('cell', 'Closed')).length === 2, 'the list does not show the new status')
    await isStored(it, ...closed)
  },
  async 'error over done'(it) {
    await error(it)
    await shows(it, `${xmid(1)} - ${dba(1)} was changed since`)
    await isStored(it, 'Lost', 'Closed', '')
  },
  async 'done, one changed since'(it) {
    await message(it, '2 merchants changed.')
    await isStored(it, 'Lost', 'Closed', '')
  },
  async 'closed merchants'(it) {
    await selects(it, null)
    same(await it.count('button', 'Undo'), 0, 'Undo')
    await isStored(it, ...closed)
  },
  async 'two closed ones selected'(it) {
    await selects(it, '2 selected')
    same(await it.count('button', 'Undo'), 0, 'Undo')
  },
  undoing: (it) => isStored(it, ...closed),
  async 'garages, undoing'(it) {
    await rows(it, 2)
    await isStored(it, ...closed)
  },
  async 'garages, undone'(it) {
    await rows(it, 2)
    await message(it, '2 merchants changed. It is undone.')
    await isStored(it, ...plain)
  },
  async undone(it) {
    await withoutDialog(it)
    await shows(it, 'It is undone.')
    same(await it.count('button', 'Undo'), 0, 'Undo')
    await isStored(it, ...plain)
    const [own] = await it.portal.db.query<{ n: number }>(
      'select count(*)::int as n from merchant where masteragentid = 2',
    )
    same(own!.n, 23, 'merchants of agent 2')
  },
  async 'deletion previewed'(it) {
    await inDialog(it, dialogs.remove)
    await shows(it, '2 merchants would be deleted.')
    same(await it.count('button', 'Back'), 0, 'Back')
    await isStored(it, ...plain)
  },
  async deleted(it) {
    await message(it, '2 merchants deleted.')
    await rows(it, 3)
    await isStored(it, '')
  },
  'error over two selected': error,
}

export const bulk: UserModel = {
  machine: bulkModel,
  stimuli: bulkStimuli,
  steps,
  observe,
  async begin(it) {
    await putMerchants(it.portal)
    await it.portal.db.query(`delete from bulk_change where entity = 'merchant'`)
    await remember(it, 'admin')
  },
}
