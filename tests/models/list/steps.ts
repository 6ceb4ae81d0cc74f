import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { putMerchants, remember, routes, same, stored, xmid } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { listModel, listStimuli, type ListStimulus } from './model.ts'
import { observe } from './views.ts'

const search = 'Search Merchants'
const calls = (it: Driver) => it.network.calls(routes.list).length

const openByMenu: Step = async (it) => {
  await it.press('Manage')
  await it.press('Merchants', { role: 'menuitem' })
}
const link =
  (name: string): Step =>
  (it) =>
    it.press(name, { role: 'link' })
const slowly =
  (action: Step): Step =>
  async (it) => {
    it.network.hold(routes.list)
    await action(it)
  }
const failing =
  (action: Step): Step =>
  async (it) => {
    it.network.fault(routes.list, 500)
    await action(it)
  }
const dataless =
  (action: Step): Step =>
  async (it) => {
    await putMerchants(it.portal, 0)
    await action(it)
  }
const withData =
  (action: Step): Step =>
  async (it) => {
    await putMerchants(it.portal)
    await action(it)
  }

/** Types, with a pause that is a millisecond too short: typing again begins the 300 ms anew. */
const type =
  (first: string, whole: string): Step =>
  async (it) => {
    await it.freeze()
    await it.fill(search, first)
    const before = calls(it)
    await it.elapse(300, 1)
    await it.settle()
    same(calls(it), before, 'calls 299 ms after the first letters')
    await it.fill(search, whole)
    await it.pass(1)
    await it.settle()
    same(calls(it), before, 'calls 300 ms after the first letters, with more typed since')
    it.network.release(routes.list)
  }
const empty: Step = async (it) => {
  await it.freeze()
  await it.fill(search, '')
  it.network.release(routes.list)
}
/** One call at 300 ms, none before. */
const wait: Step = async (it) => {
  const before = calls(it)
  await it.elapse(300, 1)
  await it.settle()
  same(calls(it), before, 'calls at 299 ms')
  await it.pass(1)
  await it.eventually(() => same(calls(it), before + 1, 'calls at 300 ms'))
  const { query } = it.network.calls(routes.list).at(-1)!
  same(new URLSearchParams(query).get('search') ?? '', await it.value(search), 'the search that was sent')
}
/** What waits is answered, the oldest first. */
const answer: Step = async (it) => it.network.release(routes.list)

const steps: Record<ListStimulus, Step> = {
  'opens Merchants': withData(openByMenu),
  'opens Merchants, and the answer takes long': withData(slowly(openByMenu)),
  'opens Merchants, and the server fails': withData((it) => failing(openByMenu)(it)),
  'opens Merchants before there are any': dataless(openByMenu),
  'follows a link to page 9': withData((it) => it.go('/manage/merchants?page=9')),
  'follows a link to the bakeries': withData((it) => it.go('/manage/merchants?search=bakery')),
  'follows a link to the active ones': withData((it) => it.go('/manage/merchants?filter=accountstatus:2')),
  'follows a link to the inactive ones': withData((it) => it.go('/manage/merchants?filter=accountstatus:3')),
  'the answer comes': answer,
  'presses Next': link('Next page'),
  'presses Next, and the answer takes long': slowly(link('Next page')),
  'presses Previous': link('Previous page'),
  'presses First': link('First page'),
  'presses Last': link('Last page'),
  'presses page 1': async (it) => {
    await link('Page 1')(it)
    await answer(it)
  },
  'asks for 25 rows': (it) => it.pick('Rows per page', '25'),
  'asks for 10 rows': (it) => it.pick('Rows per page', '10'),
  'sorts by DBA': (it) => it.press('DBA'),
  'filters by Active': async (it) => {
    await it.press('Filter')
    await it.pick('Column', 'Account Status')
    await it.press('Active', { role: 'checkbox' })
    await it.press('Apply')
  },
  'removes the filter': (it) => it.press('Remove the filter Account Status: Active'),
  'presses Clear filters': (it) => it.press('Clear filters', { last: true }),
  'goes back': async (it) => {
    await it.back()
    await answer(it)
  },
  'goes forward': (it) => it.forward(),
  reloads: (it) => it.reload(),
  'changes a merchant': async (it) => {
    const form = { dialog: 'Create or Edit Merchant' }
    await it.press(xmid(3), { role: 'link' })
    await it.fill('Sales Rep', `Rep ${calls(it)}`, form)
    const before = calls(it)
    await it.press('Save', form)
    await it.eventually(() => same(calls(it), before + 1, 'calls for the list after a change'))
    await answer(it)
    await it.eventually(async () => ok(!(await it.count('dialog')), 'the dialog stays'))
    ok(String((await stored(it.portal, 3))?.sales_rep).startsWith('Rep '), 'the change is not stored')
  },
  'types bakery': type('bake', 'bakery'),
  'types on': type('bakery ', 'bakery zzz'),
  'empties the search': empty,
  'presses Clear search': async (it) => {
    await it.freeze()
    await it.press('Clear search', { last: true })
  },
  '300 ms pass': async (it) => {
    await wait(it)
    await answer(it)
  },
  '300 ms pass, and the answer takes long': slowly(wait),
  '300 ms pass, and the server fails': failing(wait),
  'dismisses the message': (it) => it.press('Dismiss', { dialog: "That's an error." }),
  'presses Try again': (it) => it.press('Try again'),
  'presses Try again, and the server fails': failing((it) => it.press('Try again')),
}

export const list: UserModel = {
  machine: listModel,
  stimuli: listStimuli,
  steps,
  observe,
  still: Object.keys(observe).filter((state) => /^(typing|emptied) /.test(state)),
  async begin(it) {
    await putMerchants(it.portal)
    await remember(it, 'staff')
    await it.go('/')
  },
}
