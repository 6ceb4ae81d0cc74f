import { monthName } from '../../../server/money/months.ts'
import { errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { refusalText } from '../lib/drivers/network.ts'
import { same } from '../lib/merchants.ts'
import { agentId, monthsOf, newest, result } from './data.ts'

type Look = {
  /** Nothing is chosen yet; the other report has no inputs of the statement. */
  report?: 'none' | 'other'
  month?: 'open' | 'locked' | 'newest, locked'
  agent?: true
  format?: 'csv'
  generate?: 'enabled' | 'disabled'
  offered?: 'Lock Report' | 'Unlock Report'
  underWay?: string
  /** The month is being locked, which nobody can cancel. */
  locking?: true
  /** The figures on the screen are those of this month, or of the newest one while another is chosen. */
  figures?: 'fresh' | 'old'
  /** The order of the column Amount. */
  order?: 'ascending' | 'descending'
  said?: 'locked' | 'unlocked'
}
const stale = 'Generate the report again'

/** Everything that can be distinguished on the screen, so that nothing else is there either. */
const looks =
  ({
    report,
    month,
    agent,
    format,
    generate = 'disabled',
    offered,
    underWay,
    locking,
    figures,
    order,
    said,
  }: Look): Step =>
  async (it) => {
    same(await it.count('heading', 'Reporting'), 1, 'the heading')
    const [latest, before] = await monthsOf(it.portal)
    if (report === 'none') {
      same(await it.value('Report'), '', 'the chosen report')
      same(await it.count('button', 'Generate Report'), 0, 'Generate Report')
    } else {
      if (report === 'other') same(await it.count('combobox', 'Month'), 0, 'a month')
      else await chosen(it, month, agent)
      same(await it.value('Format'), format ?? 'xlsx', 'format')
      for (const name of ['Generate Report', 'Download Report'])
        same((await it.state('button', name)).disabled, generate === 'disabled', `${name} is disabled`)
    }
    if (month === 'open' || month === 'newest, locked')
      same(latest!.state === 'Locked', month !== 'open', `${latest!.month} is locked in the database`)
    for (const name of ['Lock Report', 'Unlock Report'])
      same(await it.count('button', name), name === offered ? 1 : 0, name)
    same(await it.count('button', 'Cancel'), underWay ? 1 : 0, 'Cancel')
    if (underWay) ok((await it.text('status')).includes(underWay), `'${underWay}' is not said`)
    same(
      (await it.text('status')).includes('Locking the month'),
      locking === true,
      'that it is being locked is said',
    )
    if (!figures) same(await it.count('table'), 0, 'a table')
    same(await it.shows(stale), figures === 'old', 'the figures are marked')
    if (figures) await shows(it, month === 'locked' && figures === 'fresh' ? before!.month : newest(latest!))
    if (figures) await hasAddress(it, figures, order)
    same(
      await it.shows(`${monthName(latest!.month)} is locked: version`),
      said === 'locked',
      'that it is locked is said',
    )
    same(
      await it.shows(`${monthName(latest!.month)} is unlocked.`),
      said === 'unlocked',
      'that it is unlocked is said',
    )
    ok(!(await it.count('dialog')) && !(await it.count('alertdialog')), 'a dialog is open')
  }

/** The address names what is chosen, the order, and whether the figures are of it. */
async function hasAddress(it: Driver, figures: 'fresh' | 'old', order: Look['order']) {
  const address = new URLSearchParams((await it.url()).split('?')[1] ?? '')
  const months = await monthsOf(it.portal)
  const month = months[Number(await it.value('Month'))]!.month.slice(0, 7)
  same(address.get('month'), month, 'the month in the address')
  same(address.get('agent'), String(agentId), 'the agent in the address')
  same(address.get('run'), figures === 'fresh' ? '1' : null, 'run in the address')
  const sort = { ascending: 'amount', descending: '-amount', none: null }[order ?? 'none']
  same(address.get('sort'), sort, 'the order in the address')
  same((await it.state('columnheader', 'Amount')).sort, order ?? 'none', 'the order of Amount')
}

async function chosen(it: Driver, month: Look['month'], agent: boolean | undefined) {
  const [latest, before] = await monthsOf(it.portal)
  for (const { month: day, state } of [latest!, before!]) {
    const option = `${monthName(day)} (${state})`
    ok((await it.text('combobox', 'Month')).includes(option), `there is no option '${option}'`)
  }
  same(
    await it.value('Month'),
    month === undefined ? '' : month === 'locked' ? '1' : '0',
    'the place of the chosen month',
  )
  same((await it.value('Master Agent')) === '', agent === undefined, 'no agent is chosen')
}

/** The rows and the sum that the server has for this month; a locked one says so with its version. */
async function shows(it: Driver, month: string) {
  const { rows, sections, due, lock } = await result(it.portal, month)
  const lines = await it.texts('row')
  same(lines.length, rows + sections + 2, 'rows, with heading, sections and totals')
  ok(lines.at(-1)!.includes(due), `the totals are '${lines.at(-1)}', without ${due}`)
  ok(await it.shows(due), `the figure ${due} is not shown`)
  same(
    await it.shows(
      lock ? `Locked, version ${lock.version}, hash ${lock.hash.slice(0, 12)}` : 'Locked, version',
    ),
    lock !== null,
    'the badge of the lock',
  )
}

const message =
  (sentence: string | RegExp): Step =>
  async (it) => {
    same(await it.count('dialog', errorTitle), 1, errorTitle)
    const said = await it.text('dialog', errorTitle)
    ok(typeof sentence === 'string' ? said.includes(sentence) : sentence.test(said), `it says: ${said}`)
  }
const asked: Step = async (it) => {
  const [latest] = await monthsOf(it.portal)
  ok(latest!.state !== 'Locked', 'it is locked before anybody said yes')
  const question = new RegExp(`^Lock ${monthName(latest!.month)}\\? People are paid by it`)
  same(await it.count('alertdialog', question), 1, 'a question that names the month')
  same((await it.state('button', 'Cancel', { dialog: question })).focused, true, 'Cancel has the focus')
}
const reason =
  (fault: boolean, text = ''): Step =>
  async (it) => {
    same(await it.count('dialog', 'Unlock Report'), 1, 'a dialog that asks for the reason')
    same(await it.count('dialog'), 1, 'dialogs')
    same(await it.value('Reason'), text, 'the reason')
    same(await it.shows('Reason is required'), fault, "'Reason is required' is said")
  }
/** What is given for the warnings of the walk, by the labels of the dialog. */
export const reasons = {
  'Reason for all others': 'A shop that closed in May',
  'Reason for Borealis': 'They round otherwise',
}
export const oneMore = { 'Reason for Corona': 'They round otherwise' }
const askedForReasons =
  (fault: boolean, isFilled = false): Step =>
  async (it) => {
    same(await it.count('dialog', 'Lock Report'), 1, 'a dialog that asks for the reasons')
    same(await it.count('dialog'), 1, 'dialogs')
    ok(await it.shows('2 warnings are not waived.'), 'it is not said how many there are')
    for (const [label, text] of Object.entries(reasons)) {
      same(await it.value(label), isFilled ? text : '', label)
      same(await it.shows(`${label} is required`), fault, `'${label} is required' is said`)
    }
  }
const stopped: Step = async (it) => {
  same(await it.count('dialog', 'Lock Report'), 1, 'a dialog that says what stops it')
  ok(await it.shows('cannot be locked before this is put right'), 'it is not said that it cannot be locked')
  same(await it.count('button', 'Lock'), 0, 'Lock')
}
const failed: Step = async (it) => {
  ok(await it.shows('The reports could not be loaded'), 'it is not said that they could not be loaded')
  same(await it.count('button', 'Try again'), 1, 'Try again')
}

const open: Look = { month: 'open', agent: true, generate: 'enabled', offered: 'Lock Report' }
const now: Look = { month: 'newest, locked', agent: true, generate: 'enabled', offered: 'Unlock Report' }
const wrong = message(refusalText(500))

export const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  'reports awaited': async (it) => same(await it.count('combobox', 'Report'), 0, 'reports'),
  'message that there are no reports': wrong,
  'no reports': failed,
  reports: looks({ report: 'none' }),
  'reports of a clerk': looks({ report: 'none' }),
  'statement of a clerk': looks({}),
  'open month of a clerk': looks({ month: 'open' }),
  'locked month of a clerk': looks({ month: 'locked' }),
  statement: looks({}),
  'open month alone': looks({ month: 'open', offered: 'Lock Report' }),
  'locked month alone': looks({ month: 'locked', offered: 'Unlock Report' }),
  'open month': looks(open),
  'open month as a csv': looks({ ...open, format: 'csv' }),
  generating: looks({ ...open, generate: 'disabled', underWay: 'Generating the report' }),
  'waiting to generate': looks({ ...open, generate: 'disabled', underWay: 'Waiting, 3 before you' }),
  'message that it was not generated': wrong,
  'preparing the download': looks({
    ...open,
    generate: 'disabled',
    format: 'csv',
    underWay: 'Preparing the download',
  }),
  'waiting to download': looks({
    ...open,
    generate: 'disabled',
    format: 'csv',
    underWay: 'Waiting, 3 before you',
  }),
  'message that it was not downloaded': wrong,
  figures: looks({ ...open, figures: 'fresh' }),
  'sorted figures': looks({ ...open, figures: 'fresh', order: 'ascending' }),
  'figures sorted downwards': looks({ ...open, figures: 'fresh', order: 'descending' }),
  'old figures': looks({
    month: 'locked',
    agent: true,
    generate: 'enabled',
    offered: 'Unlock Report',
    figures: 'old',
  }),
  'figures of the locked month': looks({
    month: 'locked',
    agent: true,
    generate: 'enabled',
    offered: 'Unlock Report',
    figures: 'fresh',
  }),
  'reason to unlock the month before?': reason(false),
  'other report': looks({ report: 'other', generate: 'enabled' }),
  'lock?': asked,
  locking: looks({ ...open, generate: 'disabled', locking: true }),
  'message that it was not locked': wrong,
  'message that somebody locked it': message(/is locked|locked it/),
  'message that there are no reports any more': wrong,
  'no reports any more': failed,
  findings: askedForReasons(false),
  'reasons are required': askedForReasons(true),
  'locking with reasons': async (it) =>
    ok((await it.state('button', 'Cancel', { dialog: 'Lock Report' })).disabled, 'Cancel is enabled'),
  'message that it was not locked with reasons': wrong,
  'reasons given': askedForReasons(false, true),
  'one more finding': async (it) => {
    ok(await it.shows('1 warning is not waived.'), 'it is not said that there is one')
    for (const label of Object.keys(reasons)) same(await it.count('textbox', label), 0, label)
    same(await it.value('Reason for Corona'), '', 'the reason for Corona')
  },
  'findings with a stop': stopped,
  'open month with findings': looks(open),
  'locked now': looks({ ...now, said: 'locked' }),
  'locked by somebody': looks(now),
  'reason?': reason(false),
  'reason is required': reason(true),
  unlocking: async (it) =>
    ok((await it.state('button', 'Cancel', { dialog: 'Unlock Report' })).disabled, 'Cancel is enabled'),
  'message that it was not unlocked': wrong,
  'reason given': reason(false, 'A processor sent a correction'),
  'message that somebody unlocked it': message(/not locked/),
  'unlocked now': looks({ ...open, said: 'unlocked' }),
  login: async (it) => ok(await it.count('button', 'Login'), 'this is not the login'),
}
