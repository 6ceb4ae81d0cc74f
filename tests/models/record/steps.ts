import { errorTitle, givesUp } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { putMerchants, remember, routes, same, secondClient, stored, xmid } from '../lib/merchants.ts'
import { failing, held } from '../lib/steps.ts'
import type { UserModel } from '../lib/userModel.ts'
import { modalModel, modalStimuli, type ModalStimulus } from './model.ts'
import { formTitle, observe, questions } from './views.ts'

const path = '/manage/merchants'
const form = { dialog: formTitle }
const [read, update, remove] = (['GET', 'PUT', 'DELETE'] as const).map((method) => routes.one(method, 3)) as [
  string,
  string,
  string,
]

const opens =
  (name: string, at: string): Step =>
  async (it) => {
    await remember(it, name)
    await it.go(at)
  }
const follow: Step = (it) => it.press(xmid(3), { role: 'link' })
const answer =
  (question: string, name: string): Step =>
  (it) =>
    it.press(name, { dialog: question })
const save: Step = (it) => it.press('Save', form)
const confirm = answer(questions.remove, 'Delete')
const release: Step = async (it) => [read, update, remove].forEach((route) => it.network.release(route))

/** Somebody else changes the product of the third merchant. */
const changeElsewhere: Step = async ({ portal }) => {
  const other = await secondClient(portal)
  const { version } = (await other.call('GET', '/api/v1/merchant/3')).body
  const { status } = await other.call('PUT', '/api/v1/merchant/3', { version, product: 'Changed elsewhere' })
  ok(status === 200, `the second client could not change it: ${status}`)
}
/** Somebody else deletes the third merchant. */
const deleteElsewhere: Step = async ({ portal }) => {
  await portal.db.query('delete from merchant where id = 3')
}
const chooseAgent =
  (name: string): Step =>
  async (it) => {
    await it.fill('Master Agent', name, form)
    await it.press(new RegExp(name), { role: 'option' })
  }
/** The list is asked for exactly once more. */
const reloading =
  (action: Step): Step =>
  async (it) => {
    const before = it.network.calls(routes.list).length
    await action(it)
    await it.eventually(() => same(it.network.calls(routes.list).length, before + 1, 'calls for the list'))
  }
/** The list is not asked for. */
const quietly =
  (action: Step, route: string): Step =>
  async (it) => {
    const lists = it.network.calls(routes.list).length
    const before = it.network.calls(route).length
    await action(it)
    await it.eventually(() =>
      ok(it.network.calls(route).length === before + 1 && it.network.isIdle(), `${route} is not answered`),
    )
    same(it.network.calls(routes.list).length, lists, 'calls for the list')
  }
const isStored =
  (wanted: Record<string, unknown>): Step =>
  ({ portal }) =>
    holds(portal, 3, wanted)
const holds = async (portal: Driver['portal'], id: number, wanted: Record<string, unknown>) => {
  const row = await stored(portal, id)
  for (const [field, value] of Object.entries(wanted)) same(row?.[field], value, `${field} in the database`)
}
const after =
  (action: Step, check: Step): Step =>
  async (it) => {
    await action(it)
    await it.eventually(() => check(it))
  }
const isGone: Step = async ({ portal }) =>
  ok((await stored(portal, 3)) === undefined, 'it is still in the database')
const isThere: Step = async ({ portal }) => ok(await stored(portal, 3), 'it is gone from the database')
const newXmid = '49990000001'
const isNew: Step = async ({ portal }) =>
  same(
    (await portal.db.query('select dba from merchant where xmid like $1', ['4999%'])).length,
    1,
    'new merchants in the database',
  )

/** Ends whatever was held, and what came of it is in the database. */
const answered: Step = async (it) => {
  const waits = it.network.log.filter((call) => call.status === null).map((call) => call.route)
  await release(it)
  if (waits.includes(update)) await it.eventually(() => isStored({ status: 'Live' })(it))
  if (waits.includes(remove)) await it.eventually(() => isGone(it))
}
const press =
  (name: string): Step =>
  (it) =>
    it.press(name, form)

const steps: Record<ModalStimulus, Step> = {
  'a manager opens the list': opens('staff', path),
  'a manager opens a record by its address': opens('staff', `${path}?open=3`),
  'a manager opens a record that does not exist': opens('staff', `${path}?open=999`),
  'a reassigner opens the list': opens('reassigner', path),
  'a reassigner opens a new record by its address': opens('reassigner', `${path}?open=new`),
  'a clerk opens the list': opens('clerk', path),
  'a clerk opens a record by its address': opens('clerk', `${path}?open=3`),
  'begins anew': async (it) => {
    await prepare(it)
    await it.go(path)
  },
  'presses Create': (it) => it.press('Create'),
  'follows a row': follow,
  'follows a row, and the answer takes long': held(read, follow),
  'follows a row, and the server fails': failing(read, follow),
  'the answer comes': answered,
  'goes back': (it) => givesUp(it, read, () => it.back()),
  'presses Cancel': (it) => givesUp(it, read, () => it.press('Cancel', form)),
  'presses the cross': (it) => it.press('Close', form),
  'types a status': (it) => it.fill('Status', 'Live', form),
  'takes the status back': (it) => it.fill('Status', '', form),
  'presses Save': async (it) => {
    const isFresh = it.url().includes('open=new')
    const isOutdated = (await stored(it.portal, 3))?.['product'] !== ''
    if (isOutdated) return quietly(save, update)(it)
    await reloading(save)(it)
    await (isFresh ? isNew(it) : isStored({ status: 'Live', product: '', version: 2 })(it))
  },
  'presses Save, and the answer takes long': held(update, save),
  'presses Save, and the server fails': after(
    quietly(failing(update, save), update),
    isStored({ status: '' }),
  ),
  'presses Save, but somebody was faster': async (it) => {
    await changeElsewhere(it)
    await quietly(save, update)(it)
    await isStored({ status: '', product: 'Changed elsewhere', version: 2 })(it)
  },
  'presses Save, but it was deleted meanwhile': async (it) => {
    await deleteElsewhere(it)
    await reloading(save)(it)
  },
  'keeps editing': async (it) => it.press('Keep editing', { last: true }),
  discards: async (it) => {
    const isThere = (await stored(it.portal, 3)) !== undefined
    await after(answer(questions.discard, 'Discard'), isThere ? isStored({ status: '' }) : isGone)(it)
  },
  'reloads the record': answer(questions.stale, 'Reload'),
  overwrites: after(
    reloading(answer(questions.stale, 'Overwrite')),
    isStored({ status: 'Live', product: 'Changed elsewhere', version: 3 }),
  ),
  'presses Delete': after(press('Delete'), isThere),
  confirms: after(reloading(confirm), isGone),
  'confirms, and the answer takes long': held(remove, confirm),
  'confirms, and the server fails': after(quietly(failing(remove, confirm), remove), isThere),
  'confirms, but it is still referenced': async (it) => {
    await it.portal.db.query(
      `insert into equipment (model, serialnumber, merchantid) values ('Terminal', 'S1', 3)`,
    )
    await quietly(confirm, remove)(it)
    await isThere(it)
    await it.portal.db.query('delete from equipment where merchantid = 3')
  },
  'confirms, but somebody was faster': async (it) => {
    await changeElsewhere(it)
    await confirm(it)
    await it.eventually(() => ok(it.network.calls(remove).at(-1)?.status === 409, 'it was not refused'))
    await isThere(it)
  },
  'confirms, but it was deleted meanwhile': async (it) => {
    await deleteElsewhere(it)
    await reloading(confirm)(it)
  },
  'does not confirm': after(answer(questions.remove, 'Cancel'), isThere),
  'dismisses the message': answer(errorTitle, 'Dismiss'),
  'fills in a new merchant': async (it) => {
    await it.fill('XMID', newXmid, form)
    await it.fill('DBA', 'New Shop', form)
    await chooseAgent('Zebra Office')(it)
  },
  'presses Save, but the XMID is taken': async (it) => {
    await it.portal.db.query(
      `insert into merchant (xmid, dba, masteragentid) values ($1, 'Faster Shop', 2)`,
      [await it.value('XMID')],
    )
    await quietly(save, routes.create)(it)
    await it.portal.db.query(`delete from merchant where dba = 'Faster Shop'`)
  },
  'presses Save, but the agent is gone': async (it) => {
    await chooseAgent('Zebra Office')(it)
    await it.portal.db.query('delete from master_agent where id = 61')
    await quietly(save, routes.create)(it)
    await putAgents(it.portal)
  },
  'types another XMID': (it) => it.fill('XMID', '49990000002', form),
  'chooses another agent': chooseAgent('Zenith Office'),
}

const putAgents = ({ db }: Driver['portal']) =>
  db.query(
    `insert into master_agent (id, name, parentid) values (61, 'Zebra Office', 1), (62, 'Zenith Office', 1) on conflict (id) do nothing`,
  )
const prepare: Step = async ({ portal }) => {
  await putMerchants(portal)
  await putAgents(portal)
}

export const modal: UserModel = { machine: modalModel, stimuli: modalStimuli, steps, observe, begin: prepare }
