import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { dba, putMerchants, remember, same, xmid } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { findModel, findStimuli, type FindStimulus } from './model.ts'

const route = 'GET /api/v1/find'
const field = 'Find records and commands'
const calls = (it: Driver) => it.network.calls(route).length

const type =
  (text: string): Step =>
  async (it) => {
    await it.freeze()
    await it.fill(field, text)
    it.network.release(route)
  }
/** One call at 300 ms, none before. */
const wait: Step = async (it) => {
  const before = calls(it)
  await it.elapse(300, 1)
  await it.settle()
  same(calls(it), before, 'calls at 299 ms')
  await it.pass(1)
  await it.eventually(() => same(calls(it), before + 1, 'calls at 300 ms'))
  const { query } = it.network.calls(route).at(-1)!
  same(new URLSearchParams(query).get('q'), await it.value(field), 'the text that was sent')
}

const steps: Record<FindStimulus, Step> = {
  'opens Merchants': async (it) => {
    await it.go('/manage/merchants')
  },
  'presses Ctrl+K': async (it) => {
    await it.eventually(async () => ok(await it.count('rowheader'), 'no rows'))
    await it.focus('link', xmid(3))
    await it.eventually(async () => {
      await it.key('Control+k')
      ok(await it.count('dialog', 'Find'), 'Find is not open')
    })
  },
  'presses Escape': async (it) => {
    it.network.release(route)
    await it.key('Escape')
  },
  'types equip': type('equip'),
  'types zz': type('zz'),
  'types bakery': type('bakery'),
  'types a number': type(xmid(3)),
  // By keys: a field that is filled anew is empty for a moment, and forgets what was found.
  'types on': async (it) => {
    await it.freeze()
    await it.focus('combobox', field)
    for (const key of ' zzz') await it.key(key)
    it.network.release(route)
  },
  'empties the text': type(''),
  '300 ms pass': wait,
  '300 ms pass, and the answer takes long': async (it) => {
    it.network.hold(route)
    await wait(it)
  },
  '300 ms pass, and the server fails': async (it) => {
    it.network.fault(route, 500)
    await wait(it)
  },
  'the answer comes': async (it) => it.network.release(route),
  'presses Try again': (it) => it.press('Try again'),
  'presses Enter': (it) => it.key('Enter'),
  'closes the record': (it) => it.press('Cancel', { dialog: 'Create or Edit Merchant' }),
}

/** The options of Find alone: the page behind lists its sizes and views. */
const found = (it: Driver) => it.texts('option', undefined, 'Found', 'listbox')
const offers = async (it: Driver, ...texts: string[]) => same(await found(it), texts, 'what is offered')
const findIsOpen = async (it: Driver) => {
  same(await it.count('dialog', 'Find'), 1, 'Find')
  same(await it.count('dialog', "That's an error."), 0, 'error dialogs')
  same((await it.state('combobox', field)).focused, true, 'the text has the focus')
}
const says = async (it: Driver, words: string) => ok(await it.shows(words), `'${words}' is not said`)
const bakeries = [1, 3, 5, 7, 9].map((number) => `${xmid(number)} - ${dba(number)}`)
const all = 'All matches in Merchants'
const typing: Step = async (it) => {
  await findIsOpen(it)
  await says(it, 'Searching…')
}

const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  list: async (it) => {
    same(it.url(), '/manage/merchants', 'address')
    same(await it.count('dialog'), 0, 'dialogs')
    same((await it.texts('rowheader'))[0], xmid(1), 'the first row')
    // Before Find was opened nothing has the focus.
    if (calls(it) > 0) same((await it.state('link', xmid(3))).focused, true, 'the focus is back')
  },
  'screens and commands': async (it) => {
    await findIsOpen(it)
    same(await it.value(field), '', 'the text')
    const texts = await found(it)
    for (const text of ['Home', 'Equipment', 'New merchant', 'Help'])
      ok(texts.includes(text), `${text} is not offered`)
    ok(!texts.includes('Audit'), 'a screen is offered that staff may not open')
    await says(it, 'Type a word of at least 3 characters to find records.')
  },
  'screens of equipment': async (it) => {
    await findIsOpen(it)
    await offers(it, 'Equipment', 'New equipment')
  },
  'list of equipment': async (it) => {
    same(it.url(), '/manage/equipment', 'address')
    same(await it.count('dialog'), 0, 'dialogs')
  },
  'too short': async (it) => {
    await findIsOpen(it)
    await offers(it)
    await says(it, 'Type a word of at least 3 characters to find records.')
  },
  'typing a number': typing,
  'one merchant': async (it) => {
    await findIsOpen(it)
    await offers(it, `${xmid(3)} - ${dba(3)}`)
    await says(it, '1 result')
  },
  record: async (it) => {
    same(it.url(), '/manage/merchants?open=3', 'address')
    same(await it.count('dialog', 'Find'), 0, 'Find')
    same(await it.value('XMID'), xmid(3), 'the record')
  },
  'typing bakery': typing,
  'bakeries awaited': async (it) => {
    await typing(it)
    await offers(it)
  },
  bakeries: async (it) => {
    await findIsOpen(it)
    await offers(it, ...bakeries, all)
    await says(it, '6 results')
  },
  'typing more, over the bakeries': async (it) => {
    await typing(it)
    await offers(it, ...bakeries, all)
    same((await it.state('option', all)).disabled, true, 'what was found before can be chosen')
  },
  'typing more': async (it) => {
    await typing(it)
    await offers(it)
  },
  'nothing found': async (it) => {
    await findIsOpen(it)
    await offers(it)
    await says(it, 'Nothing matches “bakery zzz”.')
  },
  failed: async (it) => {
    await findIsOpen(it)
    await offers(it)
    await says(it, 'Records could not be searched.')
  },
}

export const find: UserModel = {
  machine: findModel,
  stimuli: findStimuli,
  steps,
  observe,
  // 300 ms after "equip" was typed the report Equipment Outstanding is found too.
  still: Object.keys(observe).filter((state) => /^typing|^screens of/.test(state)),
  async begin(it) {
    await putMerchants(it.portal)
    await remember(it, 'staff')
  },
}
