import fc from 'fast-check'
import { expect } from 'vitest'
import type { Permission } from '../../../schemas/permissions.ts'
import type { Answer } from '../../testPortal.ts'
import { agentIds } from '../payoutOrigin.ts'
import { pick } from '../payoutScenario.ts'
import { chainOf, dutyOracle, type DutyOracle, type Sent } from './dutyOracle.ts'
import {
  dutyMonths,
  dutyPassword,
  readFacts,
  type CastMember,
  type DutyPortal,
  type Facts,
  type PersonFacts,
} from './dutyPortal.ts'

type StepInput = { who: number; one: number; two: number; cents: number; flag: boolean }
type Duty = {
  portal: DutyPortal
  oracle: DutyOracle
  /** Who acts, and what was so before. */
  person: PersonFacts
  before: Facts
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer>
}
/** Tries something; true when the portal did it. */
type DutyStep = (duty: Duty, input: StepInput) => Promise<boolean | string>

const isDone = ({ status }: Answer) => status >= 200 && status < 300
const refusedAs = ({ body }: Answer): string => {
  const said = JSON.stringify(body)
  if (said.includes('You entered this account')) return 'own account'
  if (said.includes('another person must approve its payouts')) return 'own lock'
  if (said.includes('somebody else must end its hold')) return 'own hold'
  return said.includes('you changed what they pay') ? 'own change' : ''
}
const outcome = (answer: Answer) => (isDone(answer) ? true : refusedAs(answer))

/** Changes a field of an agent. */
const changing =
  (field: string, bodyOf: (input: StepInput, id: number) => object): DutyStep =>
  async ({ portal, oracle, person, before, call }, input) => {
    const agent = pick(before.agents, input.one)
    const body = bodyOf(input, agent.id)
    const answer = await call('PUT', `/api/v1/masteragent/${agent.id}`, { version: agent.version, ...body })
    if (!isDone(answer))
      return chainOf(before, person).includes(agent.id) && !agent.office ? 'refused, own chain' : ''
    const after = (await readFacts(portal)).agents.find(({ id }) => id === agent.id)!
    const isChanged =
      field === 'account'
        ? after.version !== agent.version
        : after.pay !== agent.pay || after.office !== agent.office
    if (!isChanged) return false
    oracle.agentChanged(before, person, agent.id, field)
    if ('payeeid' in body) oracle.accountEntered(person, agent.id, { payee: body.payeeid as number | null })
    if ('bankaccountnumber' in body)
      oracle.accountEntered(person, agent.id, { number: String(body.bankaccountnumber) })
    return true
  }

const others = (id: number, at: number) => pick([null, ...agentIds.filter((it) => it !== id)], at)

const adjust: DutyStep = async ({ oracle, person, before, call }, input) => {
  const [agent, month] = [pick(agentIds, input.one), pick(dutyMonths, input.two)]
  const amount = input.cents / 100 || 1
  const body = { masteragentid: agent, month, amount, reason: 'Agreed by phone' }
  const answer = await call('POST', '/api/v1/adjustment', body)
  if (!isDone(answer)) return refusedAs(answer)
  const isAccepted = oracle.adjusted(before, person, answer.body.id, agent, month)
  expect(answer.body.state).toBe(isAccepted ? 'accepted' : 'proposed')
  return true
}

const someAdjustment = ({ oracle }: Duty, { one }: StepInput) => pick([...oracle.adjustments], one)

const changeAdjustment: DutyStep = async (duty, input) => {
  const { portal, oracle, person, before, call } = duty
  const [id, was] = someAdjustment(duty, input) ?? [0, { agent: 0, month: dutyMonths[0]! }]
  const [row] = await portal.db.query('select version from adjustment where id = $1', [id])
  const agent = input.flag ? was.agent : pick(agentIds, input.two)
  const month = input.two % 3 ? was.month : pick(dutyMonths, input.one)
  const amount = input.cents / 100 || 1
  const body = { version: row?.version ?? 1, amount, masteragentid: agent, month }
  const answer = await call('PUT', `/api/v1/adjustment/${id}`, body)
  if (!isDone(answer) || answer.body.version === row?.version) return refusedAs(answer)
  oracle.adjusted(before, person, id, agent, month)
  return true
}

const deleteAdjustment: DutyStep = async (duty, input) => {
  const [id] = someAdjustment(duty, input) ?? [0]
  const answer = await duty.call('DELETE', `/api/v1/adjustment/${id}`)
  if (isDone(answer)) duty.oracle.adjustmentDeleted(duty.person, id)
  return outcome(answer)
}

const acceptAdjustment: DutyStep = async ({ oracle, person, before, call }, input) => {
  const [id] = pick(
    [...oracle.adjustments].filter(([, it]) => !it.isAccepted),
    input.one,
  ) ?? [0]
  const answer = await call('POST', `/api/v1/adjustment/${id}/accept`, {})
  if (isDone(answer)) oracle.adjustmentAccepted(before, person, id)
  return outcome(answer)
}

const decideAccount: DutyStep = async ({ oracle, person, before, call }, input) => {
  const id = pick([...oracle.waiting.keys()], input.one) ?? pick(agentIds, input.one)
  const { version } = before.agents.find((agent) => agent.id === id)!
  const isConfirmed = input.two % 4 > 0
  const answer = isConfirmed
    ? await call('POST', `/api/v1/masteragent/${id}/bank/confirm`, { how: 'Called back', version })
    : await call('POST', `/api/v1/masteragent/${id}/bank/reject`, { reason: 'Unknown' })
  if (isDone(answer)) oracle[isConfirmed ? 'accountConfirmed' : 'accountRejected'](before, person, id)
  return outcome(answer)
}

/** Mostly the month that is locked, else the first. */
const someMonth = ({ oracle }: Duty, { two }: StepInput) =>
  two % 6 === 0 ? pick(dutyMonths, two) : ([...dutyMonths].reverse().find(oracle.lockOf) ?? dutyMonths[0]!)

const lock: DutyStep = async ({ oracle, person, before, call }) => {
  const month = dutyMonths.find((it) => !oracle.lockOf(it)) ?? dutyMonths[0]!
  const answer = await call('POST', `/api/v1/month/${month}/lock`, { waive: 'Looked at one by one' })
  if (!isDone(answer)) return refusedAs(answer)
  oracle.settled(before, person, 'lock')
  oracle.locked(person, month)
  return true
}

const hashOf = async ({ call }: Duty, month: string) =>
  String((await call('GET', `/api/v1/month/${month}/payout`)).body.hash ?? 'none')

const approve: DutyStep = async (duty, input) => {
  const { oracle, person, before, call } = duty
  const month = someMonth(duty, input)
  const answer = await call('POST', `/api/v1/month/${month}/approve`, { hash: await hashOf(duty, month) })
  if (!isDone(answer)) return refusedAs(answer)
  oracle.settled(before, person, 'approve')
  oracle.approved(person, month)
  const said = (answer.body.notes as string[]).some((text) => text.includes('are not independent'))
  expect(said, 'the run says that its people are not independent').toBe(oracle.isReported(month))
  const isHeld = (answer.body.entries as { hold: string | null }[]).some(({ hold }) =>
    hold?.startsWith(`${person.name} changed the `),
  )
  return said ? 'done, reported' : isHeld ? 'done, without own changes' : true
}

const release: DutyStep = async (duty, input) => {
  const { portal, oracle, person, before, call } = duty
  const month = someMonth(duty, input)
  const how = input.flag ? 'file' : 'other'
  const known = await portal.db.query<{ id: number }>('select id from payout_payment')
  const answer = await call('POST', `/api/v1/month/${month}/release`, {
    hash: await hashOf(duty, month),
    how,
  })
  if (!isDone(answer)) return refusedAs(answer)
  oracle.settled(before, person, 'release')
  const { body } = await portal.call('admin', 'GET', '/api/v1/ledger?page=1&size=100')
  type Row = { id: number; masteragentid: number; account: string; allocations: { masteragentid: number }[] }
  const sent = (body.data as Row[])
    .filter((row) => !known.some(({ id }) => id === row.id))
    .map((row): Sent => ({
      payee: row.masteragentid,
      lastFour: row.account.slice(-4),
      agents: row.allocations.map((it) => it.masteragentid),
    }))
  expect(sent.length).toBeGreaterThan(0)
  oracle.released(before, person, month, { how, sent })
  return true
}

const settling =
  (step: string, bodyOf: (input: StepInput) => object): DutyStep =>
  async (duty, input) => {
    const month = someMonth(duty, input)
    const answer = await duty.call('POST', `/api/v1/month/${month}/${step}`, bodyOf(input))
    if (isDone(answer)) duty.oracle.settled(duty.before, duty.person, step)
    return outcome(answer)
  }

const unhold: DutyStep = async (duty, input) => {
  const held = await duty.portal.db.query<{ id: number }>(
    'select masteragentid as id from active_hold order by id desc',
  )
  const masteragentid = pick([...held.map(({ id }) => id), pick(agentIds, input.two)], input.one)
  const body = { masteragentid, reason: 'Settled' }
  // In the run of a month or in the form of the agent, which holds the payee alone.
  const answer = input.flag
    ? await duty.call('POST', `/api/v1/month/${someMonth(duty, input)}/unhold`, body)
    : await duty.call('POST', `/api/v1/masteragent/${masteragentid}/unhold`, { reason: body.reason })
  if (isDone(answer)) {
    duty.oracle.settled(duty.before, duty.person, 'unhold')
    duty.oracle.holdEnded(duty.before, duty.person, masteragentid)
  }
  return outcome(answer)
}

const reopen: DutyStep = async (duty, input) => {
  const month = someMonth(duty, input)
  const answer = await duty.call('POST', `/api/v1/month/${month}/reopen`, { reason: 'A late file' })
  if (isDone(answer)) duty.oracle.reopened(duty.person, month)
  return outcome(answer)
}

/** A difference is taken over, or its copy counts again, by a person. */
async function takeOne(
  { portal, oracle, before }: Duty,
  who: string,
  { month, key, back }: { month: string; key: string; back: boolean },
): Promise<boolean | string> {
  const person = before.people.find(({ name }) => name === who)!
  const answer = await portal.call(who, 'POST', `/api/v1/month/${month}/takeover`, { keys: [key], back })
  const isOwn = JSON.stringify(answer.body).includes('your own agent or one above it')
  if (!isDone(answer)) return isOwn ? 'refused, own chain' : ''
  const [taken] = await portal.db.query<{ agent: number }>(
    `select case entity when 'agent' then recordid::int else (value ->> 'masteragentid')::int end as agent
      from month_takeover order by id desc limit 1`,
  )
  oracle.takenOver(before, person, month, { kind: key.split(':')[0]!, agent: taken!.agent })
  return back ? 'done, back' : true
}

/**
 * A difference of a month that is open again, or is opened now, is taken over, and another person may let its
 * copy count again.
 */
const takeOver: DutyStep = async (duty, input) => {
  const { portal, oracle, person } = duty
  const locked = [...dutyMonths].reverse().find(oracle.lockOf)
  if (!dutyMonths.some(oracle.isOpenAgain) && locked) {
    const body = { reason: 'A late file' }
    const answer = await portal.call('admin', 'POST', `/api/v1/month/${locked}/reopen`, body)
    expect(answer.status).toBe(200)
    oracle.reopened({ ...person, name: 'admin', admin: true }, locked)
  }
  const month = dutyMonths.find(oracle.isOpenAgain)
  if (!month) return false
  // By nobody, so that something differs.
  await portal.db.query('update master_agent set payoninactive = not payoninactive where id = $1', [
    pick(agentIds, input.two),
  ])
  const { body } = await portal.call('admin', 'GET', `/api/v1/month/${month}/differences`)
  const known = body.data as { key: string; takenby: string | null }[]
  const difference = pick(known, input.one)
  if (!difference) return false
  const { key } = difference
  const back = difference.takenby !== null
  const done = await takeOne(duty, person.name, { month, key, back })
  return done === true && input.flag
    ? takeOne(duty, pick(portal.names, input.two), { month, key, back: true })
    : done
}

/** A second account, with all that its maker may give it; or a new password for another. */
const secondAccount: DutyStep = async ({ portal, oracle, person, before, call }, input) => {
  const other = pick(
    before.people.filter(({ name }) => portal.names.includes(name)),
    input.one,
  )!
  const words = { password: dutyPassword, confirm_password: dutyPassword }
  if (input.flag && other.name !== person.name) {
    const answer = await call('PUT', `/api/v1/user/${other.id}`, { version: other.version, ...words })
    if (!isDone(answer)) return refusedAs(answer)
    oracle.related(person.name, other.name)
    await portal.enter(other.name, dutyPassword)
    return true
  }
  const username = `second${before.people.length}`
  const made = await call('POST', '/api/v1/user', { username, masteragentid: person.agent ?? 1, ...words })
  if (!isDone(made)) return refusedAs(made)
  oracle.related(person.name, username)
  const permissions = Object.fromEntries(
    (['lock_reports', 'manage_master_agents', 'edit_commission'] as const).map((name) => [
      name,
      person.admin || person.permissions.includes(name),
    ]),
  )
  await call('PUT', `/api/v1/user/${made.body.id}`, { version: made.body.version, permissions })
  await portal.enter(username, dutyPassword)
  return true
}

/** Nobody leaves the agent by whose pay they live, by their own hand. */
const moveUser: DutyStep = async ({ portal, person, before, call }, input) => {
  const other = pick(
    before.people.filter(({ name }) => portal.names.includes(name)),
    input.one,
  )!
  const body = { version: other.version, masteragentid: pick(agentIds, input.two) }
  const answer = await call('PUT', `/api/v1/user/${other.id}`, body)
  const isMoved = isDone(answer) && body.masteragentid !== other.agent
  if (isMoved && other.name === person.name && other.agent !== null)
    throw new Error(`${person.name} left the own agent`)
  return isMoved || refusedAs(answer)
}

const dutySteps = {
  rate: changing('rate', ({ cents }) => ({ percentagecommissionreceived: (cents + 40_000) / 1_000 })),
  subscription: changing('subscription', ({ cents }) => ({
    collectionSubscriptions: [{ amount: cents / 1_000 > 0 ? 1.5 : 2.5, notes: `Rent ${cents}` }],
  })),
  payOnInactive: changing('payoninactive', ({ flag }) => ({ payoninactive: flag })),
  payee: changing('payee', ({ two }, id) => ({ payeeid: others(id, two) })),
  parent: changing('parent', ({ two }, id) => ({ parentid: others(id, two) ?? 0 })),
  office: changing('office', ({ flag }) => ({ isofficeaccount: flag })),
  account: changing('account', ({ two }) => ({ bankaccountnumber: `88${String(two).padStart(4, '0')}` })),
  adjust,
  changeAdjustment,
  deleteAdjustment,
  acceptAdjustment,
  decideAccount,
  lock,
  approve,
  release,
  hold: settling('hold', ({ one, flag }) => ({
    masteragentid: pick(agentIds, one),
    statement: flag,
    reason: 'Disputed',
  })),
  unhold,
  reopen,
  takeOver,
  secondAccount,
  moveUser,
} satisfies Record<string, DutyStep>
type DutyName = keyof typeof dutySteps

const weights: Partial<Record<DutyName, number>> = {
  lock: 4,
  approve: 12,
  release: 12,
  decideAccount: 6,
  adjust: 5,
  changeAdjustment: 4,
  acceptAdjustment: 4,
  hold: 6,
  unhold: 6,
  secondAccount: 1,
  office: 1,
  moveUser: 1,
  takeOver: 2,
}
const names = Object.keys(dutySteps) as DutyName[]
const anyDuty = fc.record({
  name: fc.oneof(...names.map((name) => ({ weight: weights[name] ?? 3, arbitrary: fc.constant(name) }))),
  who: fc.nat(11),
  one: fc.nat(999),
  two: fc.nat(999),
  cents: fc.integer({ min: -40_000, max: 40_000 }),
  flag: fc.boolean(),
})
const relevant: Permission[] = [
  'lock_reports',
  'manage_master_agents',
  'edit_commission',
  'reports_admin',
  'create_users',
  'manage_users',
  'manage_permissions',
]
/** Most have much, so that what is refused is refused for who they are. */
const member: fc.Arbitrary<CastMember> = fc.record({
  admin: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  agent: fc.constantFrom(1, 1, 1, 2, 3, 5),
  permissions: fc.oneof(
    { weight: 3, arbitrary: fc.constant(relevant) },
    { weight: 2, arbitrary: fc.subarray(relevant) },
  ),
})
export const dutyScenarios = fc.record({
  cast: fc.array(member, { minLength: 2, maxLength: 4 }),
  /** Whether the first of them made the second. */
  isMade: fc.boolean(),
  steps: fc.array(anyDuty, { minLength: 60, maxLength: 60, size: 'max' }),
})

/** How often each step was done or refused, with the reason of those that are about oneself. */
export type DutyTally = Map<string, number>

export async function runDutySteps(
  portal: DutyPortal,
  { steps, isMade }: { steps: readonly (StepInput & { name: DutyName })[]; isMade: boolean },
  tally: DutyTally,
): Promise<void> {
  const oracle = dutyOracle()
  if (isMade) {
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid)
        select 'p1', '', 'create', 'user', id::text from portal_user where username = 'p2'`,
    )
    oracle.related('p1', 'p2')
  }
  for (const { name, ...input } of steps) {
    const before = await readFacts(portal)
    const who = pick(portal.names, input.who)
    const person = before.people.find((it) => it.name === who)!
    const call: Duty['call'] = (method, path, body) => portal.call(who, method, path, body)
    const done = await dutySteps[name]({ portal, oracle, person, before, call }, input)
    const how = done === true ? 'done' : done === false || done === '' ? 'refused' : done
    tally.set(`${name}: ${how}`, (tally.get(`${name}: ${how}`) ?? 0) + 1)
  }
}
