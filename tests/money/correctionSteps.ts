import { expect } from 'vitest'
import { xmidOf, type Adjustment, type Shop } from './book.ts'
import { importStatus, months, shopIds } from './payoutOrigin.ts'
import {
  expectStatus,
  pick,
  type Scenario,
  type StepInput,
  type Step,
  wire,
  writeTerms,
} from './payoutScenario.ts'
import { adjust, agentOf, idsOf, isClosed, putAgent, settleLateShop, someMonth } from './recordSteps.ts'

/** What a change of an adjustment sends: another amount, month, agent or shop. */
function changedAdjustment(scenario: Scenario, was: Adjustment, input: StepInput): Adjustment {
  const agent = input.flag ? pick(idsOf(scenario), input.one) : null
  const shop = input.flag ? null : pick(shopIds, input.one)
  const cents = input.cents || 1
  const month = pick([someMonth(scenario, input), pick(months, input.one)], input.one)
  return pick<Adjustment>(
    [
      { ...was, amount: cents },
      { ...was, month },
      { ...was, agent, shop },
      { ...was, month, agent, shop, amount: cents },
    ],
    input.two,
  )
}

/** An adjustment gets another amount, month, agent or shop, or is deleted; without any one is made. */
const changeAdjustment: Step = async (scenario, input) => {
  const { book } = scenario
  const own = () => book.adjustments.filter(({ id }) => id > 0)
  if (own().length === 0) await adjust(scenario, { ...input, two: 1 })
  const open = own().filter(({ month }) => !isClosed(scenario, month))
  const was = pick(open.length > 0 && input.one % 4 ? open : own(), input.cents + 40_000)
  if (!was) return
  const path = `/api/v1/adjustment/${was.id}`
  const others = book.adjustments.filter(({ id }) => id !== was.id)
  if (input.two % 3 === 0) {
    const answer = await scenario.call('ed', 'DELETE', path, {})
    expectStatus(answer, isClosed(scenario, was.month) ? 409 : 204, `delete an adjustment of ${was.month}`)
    if (answer.status === 204) book.adjustments = others
    if (answer.status === 204) scenario.count('adjustment deleted')
    return
  }
  const now = changedAdjustment(scenario, was, input)
  const { body: record } = await scenario.call('ed', 'GET', path)
  const answer = await scenario.call('ed', 'PUT', path, {
    version: record.version,
    month: wire(now.month),
    masteragentid: now.agent,
    merchantid: now.shop,
    amount: now.amount / 100,
  })
  const isChanged = JSON.stringify(now) !== JSON.stringify(was)
  const isRefused = isChanged && [was, now].some(({ month }) => isClosed(scenario, month))
  expectStatus(answer, isRefused ? 409 : 200, `change an adjustment of ${was.month} to ${now.month}`)
  if (isRefused) return
  book.adjustments = [...others, now]
  scenario.count(now.month === was.month ? 'adjustment changed' : 'adjustment moved')
}

/** The office account 1 stays one: everybody of the scenario belongs to it, and sees all by it. */
const toggleOffice: Step = async (scenario, input) => {
  const agent = agentOf(scenario, pick(idsOf(scenario).slice(1), input.one))
  const office = agent.office ? input.two % 4 === 0 : true
  const answer = await putAgent(scenario, agent.id, { isofficeaccount: office })
  expectStatus(answer, 200, `office account ${agent.id}`)
  agent.office = office
}

const togglePayOnInactive: Step = async (scenario, input) => {
  const agent = agentOf(scenario, pick(idsOf(scenario), input.one))
  const payoninactive = !agent.payoninactive
  const answer = await putAgent(scenario, agent.id, { payoninactive })
  // Agent 1 is that of ed, but an office account, which is never paid.
  expectStatus(answer, 200, `pay on inactive ${agent.id}`)
  agent.payoninactive = payoninactive
}

/** A shop becomes Active or Inactive by a file of merchants, which may bring or clear Date Closed. */
const changeStatus: Step = async (scenario, input) => {
  const { book, portal } = scenario
  const shop = pick(book.records.shops, input.one)
  const status = input.flag ? 3 : 2
  const closed = pick(['', '', '-', '2025-09-30', '2025-10-31', '2025-11-01', '2025-12-15'], input.two)
  const answer = await importStatus(scenario.ed, { id: shop.id, status }, closed)
  expectStatus(answer, 200, `status ${status} of shop ${shop.id}`)
  const given = closed === '' ? shop.closed : closed === '-' ? null : closed
  const isStamped = status === 3 && shop.status !== 3 && !given
  const [row] = await portal.db.query<{ day: string | null; today: string }>(
    `select to_char(to_timestamp(nullif(date_closed, 0)) at time zone 'UTC', 'YYYY-MM-DD') as day,
        current_date::text as today
      from merchant where xmid = $1`,
    [xmidOf(shop.id)],
  )
  const was = { status: shop.status, closed: shop.closed }
  // The database stamps the day by its own clock, which is later than every month of the scenario.
  shop.closed = isStamped ? row!.today : (given ?? null)
  expect(row!.day, `Date Closed of shop ${shop.id}`).toBe(shop.closed)
  if (isStamped) scenario.count('day stamped')
  scenario.count(status === shop.status ? 'status kept' : `status ${status}`)
  shop.status = status
  statusFiles.set(scenario, { batch: answer.body.batch, shop, was, is: { status, closed: shop.closed } })
  settleLateShop(scenario)
}
type StatusFile = { batch: number; shop: Shop; was: ShopStatus; is: ShopStatus }
type ShopStatus = Pick<Shop, 'status' | 'closed'>
/** The last file of merchants of each scenario that was not undone. */
const statusFiles = new WeakMap<Scenario, StatusFile>()

/** The last file of merchants is undone, unless somebody changed what it wrote. */
const undoStatus: Step = async (scenario, input) => {
  if (!statusFiles.has(scenario) || input.flag) await changeStatus(scenario, input)
  const { batch, shop, was, is } = statusFiles.get(scenario)!
  const isThere = scenario.book.records.shops.includes(shop)
  const isChanged = was.status !== is.status || was.closed !== is.closed
  if (!isThere || !isChanged) return
  const answer = await scenario.call('ed', 'POST', `/api/v1/file/merchant/${batch}/undo`)
  const isPossible = shop.status === is.status && (was.closed === is.closed || shop.closed === is.closed)
  expectStatus(answer, isPossible ? 200 : 409, `undo status ${is.status} of shop ${shop.id}`)
  statusFiles.delete(scenario)
  if (!isPossible) return
  shop.status = was.status
  if (was.closed !== is.closed) shop.closed = was.closed
  scenario.count('status undone')
  settleLateShop(scenario)
}

/** The settings change, which counts for months that were never locked. */
const changeTerms: Step = async ({ book, portal, count }, { one, two }) => {
  const amountBasis = pick(['perActiveMerchant', 'perTransaction', 'perAgentMonth'] as const, one)
  book.terms = {
    minimum: pick([0, 10_000, 30_000], one),
    netNegative: pick(['pass', 'floor'], two),
    amountBasis: two % 3 ? amountBasis : book.terms.amountBasis,
  }
  count(book.terms.amountBasis)
  await writeTerms(portal, book.terms)
}

export const correctionSteps = {
  changeTerms,
  changeAdjustment,
  toggleOffice,
  togglePayOnInactive,
  changeStatus,
  undoStatus,
}
