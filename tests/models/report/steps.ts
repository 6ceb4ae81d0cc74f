import { monthName } from '../../../server/money/months.ts'
import { dismiss, givesUp } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { remember, same, secondClient } from '../lib/merchants.ts'
import { held } from '../lib/steps.ts'
import type { UserModel } from '../lib/userModel.ts'
import {
  agentId,
  changeFindings,
  changeTotal,
  monthsOf,
  openNewest,
  other,
  removeFile,
  result,
  statement,
  waiveAll,
  wire,
} from './data.ts'
import { reportModel, reportStimuli, type ReportStimulus } from './model.ts'
import { observe, oneMore, reasons } from './views.ts'

const path = '/reporting'
const run = `POST /api/v1/report/${statement.id}`
const routes = {
  types: 'GET /api/v1/report',
  run,
  export: `${run}/export`,
  publish: `${run}/publish`,
  unlock: `${run}/unlock`,
}
const reason = 'A processor sent a correction'

const opens =
  (name: string, prepare: (it: Driver) => void = () => {}): Step =>
  async (it) => {
    await remember(it, name)
    prepare(it)
    await it.go(path)
  }
const picks =
  (which: 0 | 1): Step =>
  async (it) => {
    const { month, state } = (await monthsOf(it.portal))[which]!
    await it.pick('Month', `${monthName(month)} (${state})`)
  }
const press =
  (name: string): Step =>
  (it) =>
    it.press(name)
const confirm: Step = (it) => it.press('Lock', { dialog: /^Lock / })
const explain: Step = async (it) => {
  if ((await it.value('Reason')) !== reason) await it.fill('Reason', reason, { dialog: 'Unlock Report' })
  await it.press('Unlock', { dialog: 'Unlock Report' })
}
const waives =
  (given: Record<string, string>): Step =>
  async (it) => {
    const dialog = 'Lock Report'
    for (const [label, text] of Object.entries(given))
      if ((await it.value(label)) !== text) await it.fill(label, text, { dialog })
    await it.press('Lock', { dialog })
  }
const waive = waives(reasons)
/** Something is done to the month before the person goes on. */
const after =
  (change: (portal: Driver['portal'], month: string) => Promise<unknown>, action: Step): Step =>
  async (it) => {
    const [latest] = await monthsOf(it.portal)
    await change(it.portal, latest!.month)
    await action(it)
  }
const answered =
  (route: string, action: Step): Step =>
  async (it) => {
    const before = it.network.calls(route).length
    await action(it)
    await it.eventually(() =>
      ok((it.network.calls(route).at(before)?.status ?? null) !== null, `${route} is not answered`),
    )
  }
const failing = (route: string, action: Step, status: 401 | 500 = 500): Step =>
  answered(route, async (it) => {
    it.network.fault(route, status)
    await action(it)
  })
/** Somebody else does it first, at another computer; the refused call is that of `route`. */
const beaten =
  (what: 'publish' | 'unlock', action: Step, route = (_month: string) => routes[what]): Step =>
  async (it) => {
    const month = wire((await monthsOf(it.portal))[0]!.month)
    if (what === 'publish') await waiveAll(it.portal, `${month}-01`)
    const body = { month, ...(what === 'unlock' && { reason: 'Somebody else knew better' }) }
    const { status } = await (
      await secondClient(it.portal)
    ).call('POST', `/api/v1/report/${statement.id}/${what}`, body)
    ok(status === 200, `the second client is answered ${status}`)
    await answered(route(month), action)(it)
  }
/** Generates, downloads and locks send what was chosen. */
const sends =
  (route: string, action: Step): Step =>
  async (it) => {
    const chosen = (await monthsOf(it.portal))[Number(await it.value('Month'))]!
    await answered(route, action)(it)
    same(
      JSON.parse(it.network.calls(route).at(-1)!.body),
      { month: wire(chosen.month), agent: String(agentId) },
      'what was sent',
    )
  }
const saves =
  (ending: 'xlsx' | 'csv', action: Step): Step =>
  async (it) => {
    const before = (await it.saved()).length
    await sends(routes.export, action)(it)
    await it.eventually(async () => same((await it.saved()).length, before + 1, 'saved files'))
    const { name, content } = (await it.saved()).at(-1)!
    ok(name.startsWith(statement.name) && name.endsWith(`.${ending}`), `it is saved as '${name}'`)
    const { rows } = await result(it.portal, (await monthsOf(it.portal))[0]!.month)
    if (ending === 'csv')
      same(content.trimEnd().split('\r\n').length, rows + 2, 'lines, with heading and totals')
    else ok(content.startsWith('PK'), 'it is no workbook')
  }

/** The calls that make a report or its file, without the questions about their place. */
const worked = (it: Driver) =>
  it.network.log.filter(({ route }) => [routes.run, routes.export].includes(route))
/** The queue says how many come first, or that nobody does any more; the screen asks twice a second. */
const queue =
  (before: number | null): Step =>
  async (it) => {
    const job = new URLSearchParams(worked(it).at(-1)!.query).get('job')
    await it.portal.db.query(`delete from job_progress where job = $1`, [job])
    if (before !== null)
      await it.portal.db.query(
        `insert into job_progress (job, kind, userid, phase, done)
          select $1, 'report', id, 'waiting', $2 from portal_user where username = 'admin'`,
        [job, before],
      )
    await it.eventually(async () =>
      same((await it.text('status')).includes('Waiting'), before !== null, 'that it waits is said'),
    )
  }

const steps: Record<ReportStimulus, Step> = {
  'a clerk opens Reporting': opens('clerk'),
  'an administrator opens Reporting': opens('admin'),
  'opens Reporting, and it takes long': opens('admin', ({ network }) => network.hold(routes.types)),
  'opens Reporting, and the server fails': opens('admin', ({ network }) => network.fault(routes.types, 500)),
  'the answer comes': async (it) => Object.values(routes).forEach((route) => it.network.release(route)),
  'dismisses the message': dismiss,
  'tries again': press('Try again'),
  'chooses the statement': (it) => it.pick('Report', statement.name),
  'chooses the other report': (it) => it.pick('Report', other),
  'chooses the open month': picks(0),
  'chooses the locked month': picks(1),
  'chooses an agent': async (it) => {
    const [agent] = await it.portal.db.query<{ name: string }>(
      `select displayid || ' - ' || name as name from master_agent where id = $1`,
      [agentId],
    )
    await it.pick('Master Agent', agent!.name)
  },
  generates: sends(run, press('Generate Report')),
  'loads the page again': sends(run, (it) => it.reload()),
  'sorts the figures': press('Amount'),
  'sorts them again': press('Amount'),
  'goes back': answered(run, (it) => it.back()),
  'generates, and it takes long': held(run, press('Generate Report')),
  'generates, and the server fails': failing(run, press('Generate Report')),
  'presses Cancel': async (it) => {
    await givesUp(it, run, () => givesUp(it, routes.export, () => it.press('Cancel')))
    await it.eventually(() => same(worked(it).at(-1)?.status, 0, 'the answer of a cancelled call'))
  },
  'others are first': queue(3),
  'its turn comes': queue(null),
  downloads: saves('xlsx', press('Download Report')),
  'downloads a .csv': saves('csv', async (it) => {
    await it.pick('Format', '.csv')
    await it.press('Download Report')
  }),
  'downloads, and it takes long': held(routes.export, press('Download Report')),
  'downloads, and the server fails': failing(routes.export, press('Download Report')),
  'downloads, and the session has ended': failing(routes.export, press('Download Report'), 401),
  'presses Lock Report': press('Lock Report'),
  'does not confirm': async (it) =>
    it.press('Cancel', { dialog: (await it.count('alertdialog')) ? /^Lock / : 'Unlock Report' }),
  confirms: sends(routes.publish, confirm),
  'confirms, and it takes long': held(routes.publish, confirm),
  'confirms, and the server fails': failing(routes.publish, confirm),
  'confirms, but somebody was faster': beaten('publish', confirm),
  'confirms, and then the reports cannot be had': async (it) => {
    it.network.fault(routes.types, 500)
    await answered(routes.publish, confirm)(it)
  },
  'confirms, and there are findings': after(changeFindings, sends(routes.publish, confirm)),
  'confirms, and a file is missing': after(removeFile, answered(routes.publish, confirm)),
  'gives no reasons': (it) => it.press('Lock', { dialog: 'Lock Report' }),
  'gives the reasons': answered(routes.publish, waive),
  'gives the reasons, and it takes long': held(routes.publish, waive),
  'gives the reasons, and the server fails': failing(routes.publish, waive),
  'gives the reasons, but somebody was faster': beaten(
    'publish',
    waive,
    (month) => `POST /api/v1/month/${month}/waive`,
  ),
  'gives the reasons, but another total differs now': after(changeTotal, answered(routes.publish, waive)),
  'gives one more reason': answered(routes.publish, waives(oneMore)),
  'does not waive': (it) => it.press('Cancel', { dialog: 'Lock Report' }),
  'presses Unlock Report': press('Unlock Report'),
  'gives no reason': (it) => it.press('Unlock', { dialog: 'Unlock Report' }),
  'gives a reason': answered(routes.unlock, explain),
  'gives a reason, and it takes long': held(routes.unlock, explain),
  'gives a reason, and the server fails': failing(routes.unlock, explain),
  'gives a reason, but somebody was faster': beaten('unlock', explain),
}

export const report: UserModel = {
  machine: reportModel,
  stimuli: reportStimuli,
  steps,
  observe,
  polls: /^GET \/api\/v1\/(report\/progress\/|inbox\/count)/,
  begin: ({ portal }) => openNewest(portal),
}
