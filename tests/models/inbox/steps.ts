import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { putMerchants, remember, same } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { contents, emptyTables, importedByAnn, nothing, stored, whole } from '../upload/files.ts'
import { names } from '../upload/views.ts'
import { inboxModel, inboxStimuli, type InboxStimulus } from './model.ts'

const good = { name: names.good, content: contents.merchants }
const unread = { name: 'notes.txt', content: 'nothing' }
const add = 'POST /api/v1/inbox'
const drops =
  (...files: { name: string; content: string }[]): Step =>
  (it) =>
    it.choose('Select Files', ...files)
const presses =
  (text: string): Step =>
  (it) =>
    it.press(`${text} ${names.good}`)

const steps: Record<InboxStimulus, Step> = {
  'opens the inbox': async (it) => {
    await remember(it, 'staff')
    await it.go('/inbox')
  },
  'drops a file': drops(good),
  'drops a file that nobody reads': drops(unread),
  'drops a file and one that nobody reads': drops(good, unread),
  'drops one that nobody reads and a file': drops(unread, good),
  'drops a file, and it takes long': async (it) => {
    it.network.hold(add)
    await drops(good)(it)
    await it.eventually(() => ok(it.network.calls(add).at(-1)?.status === null, 'nothing is being sent'))
  },
  'presses Stop': async (it) => {
    await it.press('Stop')
    it.network.release(add)
    await it.eventually(() => same(it.network.calls(add).at(-1)?.status, 0, 'the answer of a stopped upload'))
    await it.portal.db.query('delete from inbox_file')
  },
  'the answer comes': async (it) => it.network.release(add),
  'puts the message away': (it) => it.press('Put away'),
  'presses Import': presses('Import'),
  'presses Import, though ann imported it meanwhile': async (it) => {
    await importedByAnn(it.portal, 'merchant', contents.merchants)
    await presses('Import')(it)
  },
  'presses Import anyway': presses('Import anyway'),
  'presses Dismiss': presses('Dismiss'),
  'looks at what has ended': (it) => it.press('Ended'),
  'looks at what waits': (it) => it.press('Waiting'),
  'presses Check again': presses('Check again'),
}

/** The messages, and what the list shows; `buttons` are those of the file. */
const shows = async (it: Driver, messages: string[], words: string[], buttons: string[] = []) => {
  const status = await it.text('status')
  for (const message of messages) ok(status.includes(message), `'${message}' is not told: ${status}`)
  if (messages.length === 0) same(status, '', 'messages')
  for (const word of words) ok(await it.shows(word), `'${word}' is not shown`)
  for (const text of ['Import', 'Import anyway', 'Dismiss', 'Check again', 'Answer'])
    same(await it.count('button', `${text} ${names.good}`), buttons.includes(text) ? 1 : 0, text)
}
const data = async (it: Driver, what: Awaited<ReturnType<typeof stored>>) =>
  same(await stored(it.portal), what, 'in the database')
const ready = ['Merchants', 'Ready', 'New', 'Changed']
const waits = ['Import', 'Dismiss']
const refusal = 'The name must end with .csv, .xlsx or .xls.'

const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  empty: async (it) => {
    await shows(it, [], ['No file waits'])
    await data(it, nothing)
  },
  adding: async (it) => {
    ok(await it.shows(`Adding: ${names.good}`), 'the file is not named')
    same(await it.count('button', 'Stop'), 1, 'Stop')
  },
  'refused name': (it) => shows(it, ['notes.txt', refusal], ['No file waits']),
  'file added and refused name': (it) =>
    shows(it, [`${names.good} was added.`, 'notes.txt', refusal], ready, waits),
  'file added': async (it) => {
    await shows(it, [`${names.good} was added.`], ready, waits)
    await data(it, nothing)
  },
  file: (it) => shows(it, [], ready, waits),
  'file added, as checked': async (it) => {
    await shows(it, [`${names.good} was checked.`], ready, waits)
    await data(it, nothing)
  },
  'seen before': async (it) => {
    const told = 'The same file was imported before, by ann'
    await shows(it, [names.good, told], ['Imported already'], ['Import anyway', 'Check again', 'Dismiss'])
    await data(it, nothing)
  },
  imported: async (it) => {
    await shows(it, [`${names.good} was imported.`], ['No file waits'])
    await data(it, whole.merchants)
  },
  dismissed: async (it) => {
    await shows(it, [`${names.good} was dismissed.`], ['No file waits'])
    await data(it, nothing)
  },
  'the imported file': (it) =>
    shows(it, [`${names.good} was imported.`], ['Imported by staff', '1 added, 1 changed, 0 as they were']),
  'the dismissed file': (it) =>
    shows(it, [`${names.good} was dismissed.`], ['Dismissed by staff'], ['Check again']),
  'nothing has ended': (it) => shows(it, [`${names.good} was checked.`], ['No file has ended yet']),
  'nothing waits': (it) => shows(it, [`${names.good} was imported.`], ['No file waits']),
}

export const inbox: UserModel = {
  machine: inboxModel,
  stimuli: inboxStimuli,
  steps,
  observe,
  async begin(it) {
    await putMerchants(it.portal)
    await emptyTables(it.portal)
    await it.portal.db.query('delete from inbox_file')
  },
}
