import fc from 'fast-check'
import { expect } from 'vitest'
import type { PayoutRelease } from '../../schemas/api/months/months.ts'
import { agentSteps } from './agentSteps.ts'
import { bankDayAfter, dayAfter } from './bankCalendar.ts'
import { correctionSteps } from './correctionSteps.ts'
import {
  differencesOf,
  firstOpen,
  inForce,
  isApproved,
  isOffice,
  isRunClosed,
  lock,
  newestLock,
  paysOf,
  release,
  reopen as openAgain,
  runOf,
  takeBack as bookTakenBack,
  takeOver as bookTakeover,
  type Lock,
  type Payment,
} from './payoutBook.ts'
import { compare, compareLate, compareReports, readPayout } from './payoutCompare.ts'
import { expectFile } from './payoutFile.ts'
import { agentIds, lateShop, months } from './payoutOrigin.ts'
import {
  expectStatus,
  pick,
  wire,
  type Beginning,
  type Scenario,
  type StepInput,
  type Step,
} from './payoutScenario.ts'
import { idsOf, recordSteps, settleLateShop } from './recordSteps.ts'

const post = (scenario: Scenario, who: 'ann' | 'bob' | 'admin', month: string, step: string, body: object) =>
  scenario.call(who, 'POST', `/api/v1/month/${wire(month)}/${step}`, body)

const lockNext: Step = async (scenario, { flag }) => {
  const { book } = scenario
  const month = firstOpen(book)
  const who = flag ? 'ann' : 'bob'
  const waive = 'Looked at one by one'
  if (!month) {
    const last = newestLock(book)!.month
    return expectStatus(await post(scenario, who, last, 'lock', { waive }), 409, `lock ${last} again`)
  }
  const answer = await post(scenario, who, month, 'lock', { waive })
  // What was proposed after the last month of the scenario is in a month that has no file.
  const hasFiles = months.includes(month)
  expectStatus(answer, hasFiles ? 200 : 409, `lock ${month}`)
  if (!hasFiles) return
  const made = lock(book, month, who)
  made.hash = answer.body.hash
  const decided = (wanted: string) => book.late.filter(({ state }) => state === wanted).length
  const [accepted, refused] = [decided('accepted'), decided('refused')]
  settleLateShop(scenario, made)
  if (decided('accepted') < accepted) scenario.count('late, accepted and withdrawn by a lock')
  if (decided('refused') < refused) scenario.count('late, refused and proposed anew by a lock')
  expect(answer.body.version).toBe(made.version)
}

const hashOf = async (scenario: Scenario, month: string) => (await readPayout(scenario, month)).hash
const chosenMonth = (scenario: Scenario, input: StepInput) =>
  input.two % 8 === 0
    ? pick(months, input.one)
    : (newestLock(scenario.book)?.month ?? pick(months, input.one))

const approve: Step = async (scenario, input) => {
  const { book } = scenario
  const month = chosenMonth(scenario, input)
  const locked = inForce(book, month)
  const who = locked && input.one % 5 > 0 ? (locked.by === 'ann' ? 'bob' : 'ann') : input.flag ? 'ann' : 'bob'
  const hash = locked ? await hashOf(scenario, month) : 'none'
  const answer = await post(scenario, who, month, 'approve', { hash })
  const pays = locked && paysOf(runOf(book, locked))
  const status = !locked
    ? 409
    : isApproved(book, locked) || pays === '[]'
      ? 409
      : locked.by === who
        ? 403
        : 200
  expectStatus(answer, status, `${who} approves ${month}`)
  if (status !== 200) return
  book.approval = { month, version: locked!.version, pays: pays!, by: who, isUsed: false }
}

const releaseRun: Step = async (scenario, input) => {
  const { book } = scenario
  const month = chosenMonth(scenario, input)
  const locked = inForce(book, month)
  const how = input.flag ? 'file' : 'other'
  const ahead = input.one % 4
  if (scenario.today < month && input.one % 5 > 0) scenario.moveTo(month)
  const effective = bankDayAfter(scenario.today, Math.max(1, ahead))
  const hash = locked ? await hashOf(scenario, month) : 'none'
  const body = { hash, how, ...(ahead > 0 && { date: effective }) }
  const answer = await post(scenario, input.two % 2 ? 'ann' : 'bob', month, 'release', body)
  const isReleased = locked !== undefined && isApproved(book, locked)
  const isTooEarly = effective < month
  expectStatus(answer, !isReleased ? 409 : isTooEarly ? 422 : 200, `release ${month}`)
  if (!isReleased || isTooEarly) return
  const made = release(book, locked, { how, effective })
  if (how === 'file') await expectFile(scenario, month, String(answer.body), made)
  return true
}

/** The steps that usually follow a lock, so that enough scenarios pay. */
const pay: Step = async (scenario, input) => {
  const whole = { ...input, two: input.two | 1, one: input.one % 5 || 1 }
  await approve(scenario, whole)
  return releaseRun(scenario, whole)
}

const bookReturn: Step = async (scenario, input) => {
  const { book } = scenario
  const payment = pick(book.payments, input.one)
  if (!payment) return
  if (scenario.today < payment.effective && (input.flag || input.two % 2)) scenario.moveTo(payment.effective)
  const code = pick(['R03', 'R17', 'R02', 'Refused by phone'], input.two)
  if (input.two % 3 === 0) return bookReleaseBack(scenario, payment, code)
  const answer = await post(scenario, 'bob', payment.month, 'return', {
    trace: payment.trace,
    code,
    date: scenario.today,
  })
  const status = payment.returned !== null ? 409 : isAhead(scenario, payment) ? 422 : 200
  expectStatus(answer, status, `return ${payment.trace}`)
  if (status !== 200) return
  comeBack(scenario, payment, code)
  return true
}

/** A payment that was marked as paid in another way can be returned from the day of its release on. */
const isAhead = ({ today }: Scenario, { how, effective }: Payment) => how === 'file' && today < effective

function comeBack({ book }: Scenario, payment: Payment, code: string) {
  payment.returned = code
  if (code !== 'R17') book.holds.push({ agent: payment.payee, month: null, isReturn: true })
}

/** Returns all payments of a release that were not returned yet. */
async function bookReleaseBack(scenario: Scenario, payment: Payment, code: string) {
  const ofMonth = scenario.book.payments.filter(({ month }) => month === payment.month)
  const numbers = [...new Set(ofMonth.map(({ release: number }) => number))]
  const path = `/api/v1/month/${wire(payment.month)}/release`
  const { body } = await scenario.call('bob', 'GET', path)
  const released: PayoutRelease = body.releases[numbers.indexOf(payment.release)]
  const left = ofMonth.filter((it) => it.release === payment.release && it.returned === null)
  const status = left.length === 0 ? 409 : isAhead(scenario, payment) ? 422 : 200
  expect([released.payments - released.returned, released.cannotreturn === null]).toEqual([
    left.length,
    status === 200,
  ])
  const answer = await scenario.call('bob', 'POST', `${path}/${released.id}/return`, {
    code,
    date: scenario.today,
  })
  expectStatus(answer, status, `return release ${payment.release}`)
  if (status !== 200) return
  for (const it of left) comeBack(scenario, it, code)
  scenario.count('whole release returned')
  return true as const
}

const reopen: Step = async (scenario, input) => {
  const { book } = scenario
  const month = chosenMonth(scenario, input)
  const answer = await post(scenario, 'admin', month, 'reopen', { reason: 'A late file' })
  const isNewest = newestLock(book)?.month === month
  expectStatus(answer, isNewest ? 200 : 409, `reopen ${month}`)
  if (isNewest) openAgain(book, month)
}

/** Puts all or some of the takeovers of the first open month back to their copies. */
const takeBack: Step = async (scenario, input) => {
  const month = firstOpen(scenario.book)
  const copy = month && scenario.book.reopened.get(month)
  if (!copy) return
  const all = [...copy.taken.keys()]
  const some = input.flag ? all : all.slice(input.one % 2, 2)
  const keys = some.length > 0 ? some : ['agent-parent:2']
  const isTaken = keys.every((key) => copy.taken.has(key))
  const path = `/api/v1/month/${wire(month)}/takeover`
  const answer = await scenario.call('ed', 'POST', path, { keys, back: true })
  expectStatus(answer, isTaken ? 200 : 409, `take back ${keys.join()}`)
  if (!isTaken) return
  bookTakenBack(scenario.book, month, keys)
  settleLateShop(scenario)
  scenario.count('taken back')
}

/** Takes over some of what differs in the first open month, if it was locked before, or puts it back. */
const takeOver: Step = async (scenario, input) => {
  const month = firstOpen(scenario.book)
  if (!month || !scenario.book.reopened.has(month)) return
  if (input.two % 4 === 0) await takeBack(scenario, input)
  const all = differencesOf(scenario.book, month)
  const some = input.flag ? all : all.slice(0, 1 + (input.one % 3))
  const keys = some.length > 0 ? some.map(({ key }) => key) : ['agent-parent:2']
  const path = `/api/v1/month/${wire(month)}/takeover`
  const answer = await scenario.call('ed', 'POST', path, { keys })
  expectStatus(answer, some.length > 0 ? 200 : 409, `take over ${keys.join()}`)
  for (const it of some) bookTakeover(scenario.book, month, it)
  settleLateShop(scenario)
  if (some.length > 0) scenario.count('taken over')
}

/** A paid month is opened again, corrected, and paid once more. */
const correct: Step = async (scenario, input) => {
  const month = newestLock(scenario.book)?.month
  if (!month) return
  const whole = { ...input, two: input.two | 1, one: input.one % 5 || 1 }
  await reopen(scenario, whole)
  await recordSteps.adjust(scenario, { ...input, two: 1, flag: true })
  await recordSteps.moveShop(scenario, input)
  if (input.one % 2) await takeOver(scenario, input)
  if (input.one % 4 === 1) await takeBack(scenario, { ...input, one: input.two, flag: false })
  await lockNext(scenario, input)
  return pay(scenario, whole)
}

const recordChanges = [
  correctionSteps.toggleOffice,
  correctionSteps.togglePayOnInactive,
  correctionSteps.changeStatus,
  correctionSteps.changeTerms,
  recordSteps.moveShop,
  recordSteps.changeParent,
  recordSteps.changeRate,
]

/** Inputs of a lock's hash besides its content: the carry, and the bank accounts as entered. */
const hashedBesides = ({ carryin, accounts }: Lock) => JSON.stringify([[...carryin], accounts])

/**
 * Records change before a month is opened again and after, with the differences taken over or not, or all of
 * them taken back, and the month is locked and paid once more. With none taken the next version has the same
 * content.
 */
const lockAgain: Step = async (scenario, input) => {
  const { book } = scenario
  const before = newestLock(book)
  if (!before) return
  await pick(recordChanges, input.two)(scenario, input)
  await reopen(scenario, { ...input, two: 1 })
  await pick(recordChanges, input.cents + 40_000)(scenario, { ...input, one: input.one + 1 })
  const isTaken = input.one % 2 > 0
  const isTakenBack = !isTaken && input.one % 4 > 0
  if (isTaken || isTakenBack) await takeOver(scenario, input)
  if (isTakenBack) await takeBack(scenario, { ...input, flag: true })
  await lockNext(scenario, input)
  const again = newestLock(book)!
  if (!isTaken) {
    const [was, is] = [before, again].map(({ earned }) => [...earned].filter(([, cents]) => cents !== 0))
    expect(is, `earned by ${before.month} again`).toEqual(was)
    const isSame = hashedBesides(again) === hashedBesides(before)
    if (isSame) expect(again.hash, `the hash of ${before.month} again`).toBe(before.hash)
    scenario.count(isSame ? 'locked again, the same hash' : 'locked again, another carry or account')
  }
  return pay(scenario, { ...input, two: input.two | 1, one: input.one % 5 || 1 })
}

/** A month is locked while the late shop is unknown, which is added then, and what is proposed is decided. */
const payLate: Step = async (scenario, input) => {
  const { book } = scenario
  const isKnown = () => book.records.shops.some(({ id }) => id === lateShop)
  if (!isKnown() && firstOpen(book)) await lockNext(scenario, input)
  if (!isKnown()) await recordSteps.knowShop(scenario, input)
  await compareLate(scenario)
  await recordSteps.decideLate(scenario, input)
  await correctLate(scenario, input)
}

/** The month whose late row was decided about is opened again, with another file or other rates. */
const correctLate: Step = async (scenario, input) => {
  const { book } = scenario
  const month = newestLock(book)?.month
  if (!book.late.some((row) => row.month === month && row.state !== 'proposed')) return
  await reopen(scenario, { ...input, two: 1 })
  await recordSteps.importFile(scenario, { ...input, two: 1 })
  if (input.one % 2) await takeOver(scenario, input)
  await lockNext(scenario, input)
  await compareLate(scenario)
}

const standsInRun = (scenario: Scenario, agent: number) => {
  const locked = newestLock(scenario.book)
  return locked
    ? runOf(scenario.book, locked).some((entry) => entry.payee === agent || entry.agents.includes(agent))
    : false
}

const hold: Step = async (scenario, input) => {
  const { book } = scenario
  const month = newestLock(book)?.month ?? months[0]!
  const agent = pick(idsOf(scenario), input.one)
  const statement = input.flag
  const body = { masteragentid: agent, statement, reason: 'Disputed' }
  const answer = await post(scenario, 'bob', month, 'hold', body)
  const isThere = book.holds.some((it) => it.agent === agent && it.month === (statement ? month : null))
  const isPossible =
    inForce(book, month) && !isRunClosed(book, month) && !isThere && standsInRun(scenario, agent)
  expectStatus(answer, isPossible ? 200 : 409, `hold ${agent}`)
  if (isPossible) book.holds.push({ agent, month: statement ? month : null, isReturn: false })
}

const unhold: Step = async (scenario, input) => {
  const { book } = scenario
  const month = newestLock(book)?.month ?? months[0]!
  const held = book.holds.filter((it) => it.month === null || it.month === month)
  const agent =
    held.length > 0 && input.two % 4 ? pick(held, input.one).agent : pick(idsOf(scenario), input.one)
  const answer = await post(scenario, 'ann', month, 'unhold', { masteragentid: agent, reason: 'Settled' })
  const mine = held.filter((it) => it.agent === agent)
  const ended = mine.findLast((it) => it.month === null) ?? mine.at(-1)
  const isPossible = inForce(book, month) && !isRunClosed(book, month) && ended
  expectStatus(answer, isPossible ? 200 : 409, `unhold ${agent}`)
  if (isPossible) book.holds.splice(book.holds.indexOf(ended), 1)
}

/** By the form of the agent, which knows no month: also before the first lock and after a run is closed. */
const holdInForm: Step = async (scenario, input) => {
  const { holds } = scenario.book
  const agent = pick(idsOf(scenario), input.one)
  const ended = holds.findLast((it) => it.agent === agent && it.month === null)
  const step = (ended ? input.two % 4 > 0 : input.two % 4 === 0) ? 'unhold' : 'hold'
  const answer = await scenario.call('bob', 'POST', `/api/v1/masteragent/${agent}/${step}`, {
    reason: 'Disputed',
  })
  const isPossible = step === 'unhold' ? ended !== undefined : !ended && !isOffice(scenario.book, agent)
  expectStatus(answer, isPossible ? 200 : 409, `${step} ${agent} in the form`)
  if (!isPossible) return
  if (ended) holds.splice(holds.indexOf(ended), 1)
  else holds.push({ agent, month: null, isReturn: false })
}

const passDays: Step = async (scenario, { one }) => scenario.moveTo(dayAfter(scenario.today, 1 + (one % 20)))

const steps = {
  lockNext,
  approve,
  releaseRun,
  pay,
  bookReturn,
  reopen,
  correct,
  lockAgain,
  payLate,
  takeOver,
  hold,
  unhold,
  holdInForm,
  passDays,
  ...recordSteps,
  ...correctionSteps,
  ...agentSteps,
} satisfies Record<string, Step>
type StepName = keyof typeof steps
const weights: Record<StepName, number> = {
  lockNext: 10,
  approve: 3,
  releaseRun: 3,
  pay: 12,
  bookReturn: 4,
  reopen: 2,
  correct: 4,
  lockAgain: 4,
  payLate: 5,
  takeOver: 2,
  hold: 2,
  unhold: 2,
  holdInForm: 3,
  passDays: 2,
  adjust: 6,
  enterAccount: 4,
  decideAccount: 4,
  moveShop: 2,
  closeShop: 2,
  changeParent: 2,
  changeRate: 3,
  subscribe: 2,
  importFile: 1,
  undoFile: 2,
  sellTerminal: 6,
  knowShop: 2,
  decideLate: 2,
  changeAdjustment: 4,
  toggleOffice: 2,
  togglePayOnInactive: 3,
  changeStatus: 3,
  changeTerms: 3,
  undoStatus: 2,
  createAgent: 4,
  deleteAgent: 4,
  changeMany: 3,
  undoMany: 4,
}

/** Steps as they are drawn: files are read by a process of their own, which takes its time. */
const anyStep = fc.record({
  name: fc.oneof(
    ...(Object.keys(weights) as StepName[]).map((name) => ({
      weight: weights[name],
      arbitrary: fc.constant(name),
    })),
  ),
  one: fc.nat(999),
  two: fc.nat(999),
  cents: fc.integer({ min: -40_000, max: 40_000 }),
  flag: fc.boolean(),
})

const below = (id: number) => fc.option(fc.integer({ min: 1, max: id - 1 }), { freq: 5 })
const others = agentIds.slice(1)
const percent = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.constantFrom(0, 500_000, 333_333, 700_000),
)
const beginnings: fc.Arbitrary<Beginning> = fc.record({
  day: fc.constantFrom('2025-11-05', '2025-12-18', '2025-12-29'),
  parents: fc.tuple(...others.map(below)),
  percents: fc.array(percent, { minLength: others.length, maxLength: others.length }),
  payees: fc.array(fc.option(fc.constantFrom(...agentIds), { freq: 2 }), {
    minLength: others.length,
    maxLength: others.length,
  }),
  shops: fc.array(fc.constantFrom(...others), { minLength: 6, maxLength: 6 }),
  minimum: fc.constantFrom(0, 0, 2_500),
  netNegative: fc.constantFrom('pass', 'pass', 'floor'),
  amountBasis: fc.constantFrom('perActiveMerchant', 'perTransaction', 'perAgentMonth'),
  eqpercents: fc.array(percent, { minLength: others.length, maxLength: others.length }),
})
export const scenarios = fc.record({
  beginning: beginnings,
  steps: fc.array(anyStep, { minLength: 25, maxLength: 25, size: 'max' }),
})

export async function runSteps(
  scenario: Scenario,
  drawn: readonly (StepInput & { name: StepName })[],
): Promise<void> {
  for (const { name, ...input } of drawn) {
    const isPaid = (await steps[name](scenario, input)) === true
    scenario.count(isPaid ? `${name}, paid` : name)
    const isOfRun = !(name in recordSteps) || ['enterAccount', 'decideAccount'].includes(name)
    await compare(scenario, isPaid ? 'payments' : isOfRun ? 'runs' : 'records')
  }
  await compareReports(scenario)
}
