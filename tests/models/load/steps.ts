import type { TestPortal } from '../../testPortal.ts'
import {
  arrive,
  calls,
  causes,
  dismiss,
  errorTitle,
  holdInboxCount,
  latestTerms,
  me,
} from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { same } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { loadModel } from './model.ts'

const [profit, own, links, text, renew] = [
  'GET /api/v1/profit',
  'GET /api/v1/home',
  'GET /api/v1/portal',
  'GET /api/v1/tc/latest',
  'PUT /api/v1/renew',
] as const
const termsTitle = "We've Updated our Terms and Conditions"
const elsewhere = { path: '/import/merchants', title: 'Import Merchants' }

/** Two days: refunds count against sales. */
const twoDays = [
  ['2026-03-04', 12.5],
  ['2026-03-05', 1_000],
  ['2026-03-05', -20.25],
] as const
async function putVolume({ db }: TestPortal, rows: readonly (readonly [string, number])[] = twoDays) {
  await db.query('delete from daily_volume')
  const [batch] = await db.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
      values ('dailyvolume', 'v.csv', '', 1, 'staff', 3, 3, 0, 0) returning id`,
  )
  for (const [at, [day, amount]] of rows.entries())
    await db.query(
      `insert into daily_volume (volumedate, xmid, batchnumber, netamount, batchid) values ($1, 'X1', $2, $3, $4)`,
      [day, String(at), amount, batch!.id],
    )
}

const opens =
  (prepare: Step): Step =>
  async (it) => {
    await putVolume(it.portal)
    await prepare(it)
    await it.press(`Welcome, ${me}`)
    await it.eventually(async () => ok(await it.count('menuitem', 'Home'), 'there is no Home'))
    await it.press('Home', { role: 'menuitem' })
  }
/** Moves the person to a branch, whose home page begins with the statement of its agent. */
const opensAsAgent = (prepare: Step): Step =>
  opens(async (it) => {
    await belongsTo(it.portal, 2)
    await it.reload()
    await it.eventually(() => there(it))
    await prepare(it)
  })
const belongsTo = ({ db }: TestPortal, agent: number) =>
  db.query('update portal_user set masteragentid = $2 where username = $1', [me, agent])
const termsChange =
  (prepare: Step): Step =>
  async (it) => {
    await causes(it.portal).changeTerms()
    await prepare(it)
    const { status } = await calls(it, renew, async () => {
      await it.elapse(300_000, 0)
      await it.thaw()
    })
    ok(status === 428, 'the renewal was not refused')
  }
const nothing: Step = async () => {}
const fails =
  (route: string): Step =>
  async (it) =>
    it.network.fault(route, 500)
const takesLong =
  (route: string): Step =>
  async (it) =>
    it.network.hold(route)

const steps: Record<string, Step> = {
  'opens Home': opens(nothing),
  'opens Home, and the answer takes long': opens(takesLong(profit)),
  'opens Home before there is any volume': opens((it) => putVolume(it.portal, [])),
  'opens Home, and the server fails': opens(fails(profit)),
  'opens Home, and no answer comes': opens(async (it) => it.network.fault(profit, 'no answer')),
  'opens Home as a person of an agent': opensAsAgent(nothing),
  'opens Home as a person of an agent, and the statement takes long': opensAsAgent(takesLong(own)),
  'opens Home as a person of an agent, and the statement fails': opensAsAgent(fails(own)),
  'the statement comes': async (it) => it.network.release(own),
  'asks for the statement again': (it) => it.press('Try again'),
  'asks for the statement again, and the server fails': async (it) => {
    await fails(own)(it)
    await calls(it, own, () => it.press('Try again'))
  },
  'the answer comes': async (it) => it.network.release(profit),
  retries: (it) => it.press('Retry'),
  'retries, and the server fails': async (it) => {
    await fails(profit)(it)
    await calls(it, profit, () => it.press('Retry'))
  },
  'retries, and the answer takes long': async (it) => {
    await takesLong(profit)(it)
    await it.press('Retry')
  },
  leaves: async (it) => {
    await it.press('Imports')
    await it.press(elsewhere.title, { role: 'menuitem' })
    it.network.release(profit)
  },
  reloads: (it) => it.reload(),
  'reloads, and the links fail': async (it) => {
    await fails(links)(it)
    await calls(it, links, () => it.reload())
  },
  'the terms change': termsChange(nothing),
  'the terms change, and the text takes long': termsChange(takesLong(text)),
  'the terms change, and the text fails': termsChange(fails(text)),
  'opens Home, and the terms have changed again': opens(async (it) => {
    await causes(it.portal).changeTerms()
  }),
  'the text comes': async (it) => it.network.release(text),
  agrees: (it) => it.press('Agree'),
  'another tab agrees': async (it) => {
    await causes(it.portal).acceptTerms(me)
    let other = it
    const { status } = await calls(it, renew, async () => void (other = await it.tab(elsewhere.path)))
    ok(status === 200, 'the other tab is refused')
    await other.eventually(() => there(other))
    await other.close()
  },
  dismisses: dismiss,
  'tries the text again': (it) => it.press('Try again'),
  'tries the text again, and it fails': async (it) => {
    await fails(text)(it)
    await it.press('Try again')
  },
}

const dialogs = async (it: Driver, ...titles: string[]) => {
  ok(
    (await it.count('dialog')) === titles.length,
    `these dialogs are open: ${(await it.texts('dialog')).join(' | ')}`,
  )
  for (const title of titles) ok(await it.count('dialog', title), `the dialog '${title}' is not open`)
}
const there: Step = async (it) => {
  await dialogs(it)
  ok(await it.count('heading', elsewhere.title), 'this is another screen')
}
const home: Step = async (it) => {
  await dialogs(it)
  ok(await it.count('heading', 'Welcome to the Technology Portal.'), 'this is not the home page')
}
const loading = 'Loading the daily volume'
const hasLinks = async (it: Driver, wanted: boolean) =>
  ok((await it.count('button', 'Links')) === (wanted ? 1 : 0), `Links: ${!wanted}`)

/** What the newest locked month paid the agent, and what twelve of them brought it, as texts. */
async function ownFigures({ db }: TestPortal) {
  const [row] = await db.query<{ due: string; paid: string }>(
    `with months as (select l.month, s.due - s.carryin as due, s.payable,
          row_number() over (order by l.month desc) as place
        from month_lock l join locked_statement s on s.lockid = l.id
        where l.reopened_at is null and s.masteragentid = 2)
      select to_char(sum(due), 'FM999,999,990.00') as due,
        to_char(max(payable) filter (where place = 1), 'FM999,999,990.00') as paid
      from months where place <= 12`,
  )
  return row!
}

/** The merchant of the days belongs to no agent, so a branch has no figures. */
const hasNoFigures: Step = async (it) => {
  await home(it)
  ok(await it.count('heading', 'Your merchants have no daily volume yet'), 'nothing says that there is none')
}

const terms: Step = async (it) => {
  await dialogs(it, termsTitle)
  same(await it.text('region', 'Terms and Conditions'), await latestTerms(it.portal), 'the text')
  ok(!(await it.state('button', 'Agree')).disabled, 'Agree cannot be pressed')
}
const awaited: Step = async (it) => {
  await dialogs(it, termsTitle)
  ok((await it.state('button', 'Agree')).disabled, 'what cannot be read can be agreed to')
  same(await it.count('region', 'Terms and Conditions'), 0, 'texts')
}

const observe: Record<string, Step> = {
  elsewhere: async (it) => {
    await there(it)
    await hasLinks(it, true)
  },
  'elsewhere without links': async (it) => {
    await there(it)
    await hasLinks(it, false)
  },
  'elsewhere, text awaited': there,
  figures: async (it) => {
    await home(it)
    same(await it.texts('cell'), ['03-05-2026', '$979.75', '03-04-2026', '$12.50'], 'the table')
    ok(!(await it.count('status', loading)), 'still loading')
    same(await it.count('region', 'Last Statement'), 0, 'statements of who sees all')
  },
  'own statement': async (it) => {
    await hasNoFigures(it)
    const { due, paid } = await ownFigures(it.portal)
    same(await it.count('region', 'Last Statement'), 1, 'statements')
    ok(
      (await it.shows('Effective on')) && (await it.shows(`$${paid}`)),
      `the last statement does not say that ${paid} was paid`,
    )
    ok((await it.shows('In 12 months')) && (await it.shows(`$${due}`)), `the months do not add up to ${due}`)
    ok(await it.shows('Nothing waits for you.'), 'something waits')
  },
  'own statement awaited': async (it) => {
    await hasNoFigures(it)
    ok(await it.count('status', 'Loading your statement'), 'nothing says that it is loading')
    same(await it.count('region', 'Last Statement'), 0, 'statements')
  },
  'own statement failed': async (it) => {
    await hasNoFigures(it)
    ok(await it.shows('Your statement could not be loaded'), 'nothing says that it failed')
    ok(await it.count('button', 'Try again'), 'no second try')
  },
  'figures awaited': async (it) => {
    await home(it)
    ok(await it.count('status', loading), 'nothing says that it is loading')
    same(await it.count('table'), 0, 'tables')
  },
  'no volume yet': async (it) => {
    await home(it)
    ok(await it.count('heading', 'No daily volume has been imported yet'), 'nothing says that there is none')
    ok(await it.count('link', 'Import Daily Volume'), 'no way to the import')
  },
  'figures failed': async (it) => {
    await home(it)
    ok(await it.count('heading', 'The daily volume could not be loaded'), 'nothing says that it failed')
    ok(await it.count('button', 'Retry'), 'no second try')
  },
  terms,
  'terms awaited': awaited,
  'terms awaited over Home': awaited,
  'terms over Home': terms,
  'message over failed terms': (it) => dialogs(it, termsTitle, errorTitle),
  'terms failed': async (it) => {
    await dialogs(it, termsTitle)
    ok(await it.shows('The terms could not be loaded.'), 'nothing says that it failed')
    ok((await it.state('button', 'Agree')).disabled, 'what cannot be read can be agreed to')
  },
}

export const load: UserModel = {
  machine: loadModel,
  stimuli: loadModel.events as string[],
  steps,
  observe,
  async begin(it) {
    await belongsTo(it.portal, 1)
    holdInboxCount(it)
    it.network.hold('GET /api/v1/file/merchant/running')
    return arrive(it, me, elsewhere.path)
  },
}
