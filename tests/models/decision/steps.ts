import type { SignedIn, TestPortal } from '../../testPortal.ts'
import { dismiss, errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { remember, same } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { decisionModel, decisionStimuli, type DecisionStimulus } from './model.ts'

const agent = 10
const path = `/manage/agents?open=${agent}`
const confirmRoute = `POST /api/v1/masteragent/${agent}/bank/confirm`
const former = '021000021'
const changed = '091000019'
const titles = { confirm: 'Confirm the bank account', reject: 'Reject the bank account' }
const how = 'Called back the number on the contract'

const known = new WeakMap<TestPortal, Promise<SignedIn>>()
function staffOf(portal: TestPortal): Promise<SignedIn> {
  const staff = known.get(portal) ?? portal.login('staff')
  known.set(portal, staff)
  return staff
}

/** Staff enters another routing number. */
async function enter(it: Pick<Driver, 'portal'>, routingnumber: string) {
  const staff = await staffOf(it.portal)
  const { version } = (await staff.call('GET', `/api/v1/masteragent/${agent}`)).body
  const { status } = await staff.call('PUT', `/api/v1/masteragent/${agent}`, { version, routingnumber })
  ok(status === 200, `the account could not be changed: ${status}`)
}

const opens =
  (name: string): Step =>
  async (it) => {
    await remember(it, name)
    await it.go(path)
  }
const press =
  (name: string): Step =>
  (it) =>
    it.press(name)
const sayHow: Step = async (it) => {
  await it.fill('How it was confirmed', how)
  await it.press('Confirm', { dialog: titles.confirm })
}

const steps: Record<DecisionStimulus, Step> = {
  'opens the agent': opens('admin'),
  'who changed it opens the agent': opens('staff'),
  'presses Confirm': press('Confirm'),
  'presses Reject': press('Reject'),
  cancels: async (it) => {
    const dialog = (await it.count('dialog', titles.confirm)) > 0 ? titles.confirm : titles.reject
    await it.press('Cancel', { dialog })
  },
  'says nothing': (it) => it.press('Confirm', { dialog: titles.confirm }),
  'says how': sayHow,
  'says how, and it takes long': async (it) => {
    it.network.hold(confirmRoute)
    await sayHow(it)
    await it.eventually(() => same(it.network.calls(confirmRoute).length, 1, confirmRoute))
  },
  'says how, and the server fails': async (it) => {
    it.network.fault(confirmRoute, 500)
    await sayHow(it)
  },
  'says how, but it was changed again': async (it) => {
    await enter(it, '011000015')
    await sayHow(it)
  },
  'gives a reason': async (it) => {
    await it.fill('Reason', 'Nobody knows of it')
    await it.press('Reject', { dialog: titles.reject })
  },
  'the answer comes': async (it) => it.network.release(confirmRoute),
  'dismisses the message': dismiss,
  'reloads the record': (it) => it.press('Reload'),
}

/** What the database holds of the newest change: its decision, and the account of the agent. */
const isDecided = async ({ portal }: Driver, decision: string | null, routing: string) => {
  const [change] = await portal.db.query<{ decision: string | null }>(
    'select decision from bank_change where masteragentid = $1 order by id desc limit 1',
    [agent],
  )
  const [record] = await portal.db.query<{ routingnumber: string }>(
    'select routingnumber from master_agent where id = $1',
    [agent],
  )
  same([change?.decision, record?.routingnumber], [decision, routing], 'in the database')
}
const formTitle = /Edit Master Agent/
const isPending: Step = async (it) => {
  same(await it.count('dialog', titles.confirm), 0, 'the question')
  ok(await it.shows('Nothing is paid until another person has decided'), 'it is not pending')
  for (const name of ['Confirm', 'Reject']) same(await it.count('button', name), 1, name)
}
const isOver =
  (decision: string, routing: string): Step =>
  async (it) => {
    same(await it.count('dialog', formTitle), 1, 'the form')
    same(await it.count('button', 'Reject'), 0, 'Reject')
    same(await it.value('Routing #'), routing, 'Routing #')
    await isDecided(it, decision, routing)
  }
const asks = async (it: Driver) => {
  same(await it.count('dialog', titles.confirm), 1, titles.confirm)
  await isDecided(it, null, changed)
}

const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  'own change': async (it) => {
    ok(await it.shows('Nothing is paid until another person has decided'), 'it is not pending')
    same(await it.count('button', 'Confirm'), 0, 'Confirm')
  },
  pending: isPending,
  'confirm?': asks,
  'how is required': async (it) => {
    await asks(it)
    same((await it.state('textbox', 'How it was confirmed')).invalid, true, 'the field is marked')
  },
  confirming: asks,
  'message that it was not confirmed': async (it) =>
    same(await it.count('dialog', errorTitle), 1, errorTitle),
  'changed again': async (it) => {
    same(await it.count('alertdialog', /^Somebody else changed this record/), 1, 'the question')
    await isDecided(it, null, '011000015')
  },
  confirmed: isOver('confirmed', changed),
  'reject?': async (it) => same(await it.count('dialog', titles.reject), 1, titles.reject),
  rejected: isOver('rejected', former),
}

export const decision: UserModel = {
  machine: decisionModel,
  stimuli: decisionStimuli,
  steps,
  observe,
  async begin({ portal }) {
    await portal.db.transaction(async (tx) => {
      // What was entered is kept for good: only a replica may take it away.
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from bank_change where masteragentid = $1', [agent])
      await tx.query('update master_agent set routingnumber = $2 where id = $1', [agent, former])
    })
    await enter({ portal }, changed)
  },
}
