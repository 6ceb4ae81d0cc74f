import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { asked, most, same, statusText, xmid } from '../lib/merchants.ts'

/**
 * What stands on the screen: the rows by their numbers, what the address asks for, and what is said below the
 * table.
 */
type View = { rows: readonly number[]; address: Record<string, string>; summary: string }

const from = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step)
const search = { search: 'bakery' }
const active = { filter: 'accountstatus:2' }

const views = {
  'page 1': { rows: from(1, 10), address: {}, summary: 'Showing 1 to 10 of 23' },
  'page 2': { rows: from(11, 20), address: { page: '2' }, summary: 'Showing 11 to 20 of 23' },
  'page 3': { rows: from(21, 23), address: { page: '3' }, summary: 'Showing 21 to 23 of 23' },
  '25 rows': { rows: from(1, most), address: { size: '25' }, summary: 'Showing 1 to 23 of 23' },
  'sorted upwards': {
    rows: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
    address: { sort: 'dba' },
    summary: 'Showing 1 to 10 of 23',
  },
  'sorted upwards, page 2': {
    rows: [21, 23, 2, 4, 6, 8, 10, 12, 14, 16],
    address: { sort: 'dba', page: '2' },
    summary: 'Showing 11 to 20 of 23',
  },
  'sorted downwards': {
    rows: [22, 20, 18, 16, 14, 12, 10, 8, 6, 4],
    address: { sort: '-dba' },
    summary: 'Showing 1 to 10 of 23',
  },
  'active ones': { rows: from(1, 10), address: active, summary: 'Showing 1 to 10 of 23' },
  'active ones, page 2': {
    rows: from(11, 20),
    address: { ...active, page: '2' },
    summary: 'Showing 11 to 20 of 23',
  },
  bakeries: { rows: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19], address: search, summary: 'Showing 1 to 10 of 12' },
  'bakeries, page 2': {
    rows: [21, 23],
    address: { ...search, page: '2' },
    summary: 'Showing 11 to 12 of 12',
  },
} satisfies Record<string, View>

const rows = async (it: Driver, numbers: readonly number[]) =>
  same(await it.texts('rowheader'), numbers.map(xmid), 'rows')
const address = (it: Driver, wanted: Record<string, string>) => {
  const sorted = (given: Record<string, string>) =>
    Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1))
  ok(it.url().startsWith('/manage/merchants'), `the address is ${it.url()}`)
  same(sorted(asked(it)), sorted(wanted), 'address')
}
const busy = async (it: Driver, wanted: boolean) =>
  same((await it.state('region', 'Merchants')).busy, wanted, 'the table is marked as busy')
const noDialog = async (it: Driver) => ok(!(await it.count('dialog')), 'a dialog is open')
const controls = async (it: Driver, wanted: Record<string, string>) => {
  same(await it.value('Search Merchants'), wanted['search'] ?? '', 'what stands in the search box')
  same(await it.value('Rows per page'), wanted['size'] ?? '10', 'rows per page')
  const order = wanted['sort'] === 'dba' ? 'ascending' : wanted['sort'] === '-dba' ? 'descending' : 'none'
  same((await it.state('columnheader', 'DBA')).sort, order, 'the order of DBA')
}

/** The rows that were asked for, and every control says the same as the address. */
const shows =
  (view: View): Step =>
  async (it) => {
    address(it, view.address)
    await rows(it, view.rows)
    await busy(it, false)
    same(await statusText(it), view.summary, 'summary')
    await controls(it, view.address)
    ok(
      (await it.state('link', `Page ${view.address['page'] ?? 1}`)).current,
      'the page is not marked as the current one',
    )
    await noDialog(it)
  }
/** The rows are still those of before, dimmed, though the address asks for others. */
const awaits =
  (wanted: Record<string, string>, before: readonly number[]): Step =>
  async (it) => {
    address(it, wanted)
    await rows(it, before)
    await busy(it, true)
    await controls(it, wanted)
    await noDialog(it)
  }
const says =
  (wanted: Record<string, string>, title: string, button: string): Step =>
  async (it) => {
    address(it, wanted)
    await rows(it, [])
    ok(await it.shows(title), `'${title}' is not said`)
    ok(await it.count('button', button), `there is no button ${button}`)
    await noDialog(it)
  }
const message: Step = async (it) => {
  ok(await it.count('dialog', "That's an error."), 'no message')
  ok(await it.shows('Answered 500 by the test'), "the server's sentence is missing")
  ok(await it.shows('request-500'), 'the id of the request is missing')
}

const bakeries = views.bakeries.rows

export const observe: Record<string, Step> = {
  'home page': async (it) => {
    same(it.url(), '/', 'address')
    ok(await it.shows('Welcome to the Technology Portal.'), 'this is not the home page')
  },
  'first rows awaited': awaits({}, []),
  'no merchants yet': says({}, 'No merchants yet', 'Create merchant'),
  ...Object.fromEntries(Object.entries(views).map(([name, view]) => [name, shows(view)])),
  'page 1, after page 2': shows(views['page 1']),
  'page 2 awaited': awaits({ page: '2' }, from(1, 10)),
  'typing bakery': awaits(search, from(1, 10)),
  'typing bakery, before the first rows': awaits(search, []),
  'typing bakery, before page 2': awaits(search, from(11, 20)),
  'typing bakery and more': awaits({ search: 'bakery zzz' }, from(1, 10)),
  'bakeries awaited': awaits(search, from(1, 10)),
  'typing more over the bakeries': awaits({ search: 'bakery zzz' }, bakeries),
  'emptied before the answer': awaits({}, from(1, 10)),
  'emptied over the bakeries': awaits({}, bakeries),
  'emptied over nothing': awaits({}, []),
  'nothing found': says({ search: 'bakery zzz' }, 'Nothing matches “bakery zzz”', 'Clear search'),
  'no inactive ones': says({ filter: 'accountstatus:3' }, 'No record passes the filters', 'Clear filters'),
  'message, before the first rows': message,
  failed: says({}, 'The list could not be loaded', 'Try again'),
  'message about the search': message,
  'search failed': says(search, 'The list could not be loaded', 'Try again'),
}
