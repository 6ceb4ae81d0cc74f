import { expect } from 'vitest'
import { firstOpen, newestLock, versionOf, type AgentRecord, type PayoutBook } from './payoutBook.ts'
import { pick, expectStatus, wire, type Scenario, type Step } from './payoutScenario.ts'
import { agentOf, idsOf, settleLateShop, someMonth } from './recordSteps.ts'

/** An agent is created below another one, with or without an account, which is pending. */
const createAgent: Step = async (scenario, input) => {
  const { records } = scenario.book
  const from = someMonth(scenario, { ...input, two: 1 })
  if (!firstOpen(scenario.book)) return
  const percent = pick([0, 450_000, 500_000, 800_000], input.cents + 40_000)
  const parent = pick(idsOf(scenario), input.one)
  const account = { payee: null, routing: '', number: '', checking: true, business: true }
  const entered = input.flag ? { ...account, routing: '021000021', number: `5550${input.two}` } : null
  const answer = await scenario.call('ed', 'POST', '/api/v1/masteragent', {
    name: `New ${input.two}`,
    parentid: parent,
    percentagecommissionreceived: percent / 10_000,
    ratesfrom: wire(from),
    payoninactive: false,
    isofficeaccount: false,
    ...(entered && { routingnumber: entered.routing, bankaccountnumber: entered.number }),
  })
  expectStatus(answer, 201, `create an agent below ${parent}`)
  const { id } = answer.body as { id: number }
  const none = { percent: 0, flat: 0, eqpercent: 0, eqflat: 0, office: false, payoninactive: false }
  records.agents.push({ id, parent, ...none, written: percent, account, entered })
  records.rates = [...records.rates, { agent: id, from, percent }]
  if (input.two % 2) records.shops[input.one % 6]!.agent = await giveShop(scenario, input.one % 6, id)
}

async function giveShop(scenario: Scenario, at: number, agent: number): Promise<number> {
  const path = `/api/v1/merchant/${scenario.book.records.shops[at]!.id}`
  const { body } = await scenario.call('ed', 'GET', path)
  const answer = await scenario.call('ed', 'PUT', path, { version: body.version, masteragentid: agent })
  expectStatus(answer, 200, 'give a shop to a new agent')
  return agent
}

/** Whether something of today or of a lock keeps an agent from being deleted (agents 2). */
function isKept(book: PayoutBook, id: number): boolean {
  const { agents, shops, terminals } = book.records
  const isUser = id === 1
  const isTied = agents.some(({ parent, account, entered }) =>
    [parent, account.payee, entered?.payee].includes(id),
  )
  const isOfRecord =
    shops.some(({ agent }) => agent === id) ||
    terminals.some(({ agent }) => agent === id) ||
    book.adjustments.some(({ agent }) => agent === id) ||
    book.late.some(({ shares }) => shares.some(([agent]) => agent === id))
  const wasStated = book.locks.some(({ stated, carryin }) => stated.has(id) || (carryin.get(id) ?? 0) !== 0)
  const wasPaid = book.payments.some(({ payee }) => payee === id)
  const newest = newestLock(book)?.month
  const mayOpen = book.locks.filter(
    ({ month, version }) => version === versionOf(book, month) && month >= (newest ?? month),
  )
  const isCopiedParent = mayOpen.some(({ copy }) => copy.records.agents.some(({ parent }) => parent === id))
  const isTaken = [...book.reopened.values()].some(({ taken }) =>
    [...taken.values()].some(({ agent }) => agent === id),
  )
  return isUser || isTied || isOfRecord || wasStated || wasPaid || isCopiedParent || isTaken
}

const deleteAgent: Step = async (scenario, input) => {
  const { book } = scenario
  const isAdded = (id: number) => id > 6
  if (!idsOf(scenario).some(isAdded)) await createAgent(scenario, { ...input, two: 2 })
  const added = idsOf(scenario).filter(isAdded)
  const id = pick(added.length > 0 && input.one % 4 ? added : idsOf(scenario), input.two)
  const isRefused = isKept(book, id)
  const answer = await scenario.call('ed', 'DELETE', `/api/v1/masteragent/${id}`)
  expectStatus(answer, isRefused ? 409 : 204, `delete agent ${id}`)
  scenario.count(isRefused ? 'agent kept' : 'agent deleted')
  if (isRefused) return
  const { records } = book
  records.agents = records.agents.filter((it) => it.id !== id)
  records.subscriptions = records.subscriptions.filter(({ agent }) => agent !== id)
  records.rates = records.rates.filter(({ agent }) => agent !== id)
  book.holds = book.holds.filter(({ agent }) => agent !== id)
}

type Field = 'masteragentid' | 'parentid' | 'payoninactive' | 'percentagecommissionreceived'
/** One record of a bulk change, by what the book holds of it. */
type Changed = { id: number; before: number | boolean | null; after: number | boolean | null; held: number }
type Bulk = { id: number; entity: string; field: Field; month: string; changed: Changed[] }
/** The bulk changes of each scenario that were not undone. */
const bulks = new WeakMap<Scenario, Bulk[]>()

const held = ({ records }: PayoutBook, { id, percent }: AgentRecord, month: string) =>
  records.rates
    .filter((rate) => rate.agent === id && rate.from <= month)
    .sort((a, b) => (a.from < b.from ? 1 : -1))[0]?.percent ?? percent

const valueOf = ({ book }: Scenario, field: Field, id: number): number | boolean | null => {
  if (field === 'masteragentid') return book.records.shops.find((it) => it.id === id)!.agent
  const agent = book.records.agents.find((it) => it.id === id)!
  return field === 'parentid' ? agent.parent : field === 'payoninactive' ? agent.payoninactive : agent.written
}

/** Writes a value into the book; false where the portal refuses it. */
function setValue(scenario: Scenario, { field, month }: Pick<Bulk, 'field' | 'month'>, to: Changed): boolean {
  const { records } = scenario.book
  const { id, after } = to
  const isThere = after === null || records.agents.some((it) => it.id === after)
  if (field === 'masteragentid') {
    if (isThere) records.shops.find((it) => it.id === id)!.agent = Number(after)
    return isThere
  }
  const agent = agentOf(scenario, id)
  if (field === 'payoninactive') agent.payoninactive = after === true
  if (field === 'percentagecommissionreceived') {
    agent.written = Number(after)
    const others = records.rates.filter((rate) => !(rate.agent === id && rate.from === month))
    records.rates = [...others, { agent: id, from: month, percent: to.held }]
  }
  if (field !== 'parentid') return true
  const above: number[] = []
  for (let at = isThere ? Number(after) || null : null; at !== null; at = agentOf(scenario, at).parent)
    above.push(at)
  if (!isThere || above.includes(id)) return false
  agent.parent = after === null ? null : Number(after)
  return true
}

const sentValue = (field: Field, value: number | boolean | null) =>
  field === 'percentagecommissionreceived'
    ? Number(value) / 10_000
    : field === 'parentid'
      ? (value ?? 0)
      : value

/** One field is set for several shops or agents at once. */
const changeMany: Step = async (scenario, input) => {
  const { book } = scenario
  const { records } = book
  const closed = newestLock(book)?.month ?? ''
  const open = book.lines.map(({ month }) => month).filter((month) => month > closed)
  const month = open.sort()[0]
  if (!month) return
  const field = pick<Field>(
    ['masteragentid', 'percentagecommissionreceived', 'parentid', 'masteragentid', 'payoninactive'],
    input.two,
  )
  const entity = field === 'masteragentid' ? 'merchant' : 'masteragent'
  const known = entity === 'merchant' ? records.shops.filter(({ id }) => id <= 6) : records.agents.slice(1)
  const ids = known.map(({ id }) => id).filter((id) => (id + input.one) % 3 > 0)
  const value =
    field === 'payoninactive'
      ? input.flag
      : field === 'percentagecommissionreceived'
        ? pick([100_000, 450_000, 900_000], input.one)
        : pick(idsOf(scenario), input.one)
  const changed = ids.flatMap((id): Changed[] => {
    const before = valueOf(scenario, field, id)
    const now = field === 'percentagecommissionreceived' ? held(book, agentOf(scenario, id), month) : 0
    const to = { id, before, after: value, held: Number(value) }
    return before !== value && setValue(scenario, { field, month }, to) ? [{ ...to, held: now }] : []
  })
  const rows = await Promise.all(ids.map((id) => scenario.call('ed', 'GET', `/api/v1/${entity}/${id}`)))
  const body = {
    records: rows.map((row) => ({ id: row.body.id, version: row.body.version })),
    values: { [field]: sentValue(field, value) },
  }
  const path = `/api/v1/${entity}/bulk`
  const seen = await scenario.call('ed', 'POST', `${path}/preview`, body)
  expect([seen.status, seen.body.changed], `set ${field} of ${ids}`).toEqual([200, changed.length])
  const { fingerprint } = seen.body
  const answer = await scenario.call('ed', 'POST', path, { ...body, fingerprint })
  expectStatus(answer, changed.length > 0 ? 200 : 409, `set ${field} of ${ids}`)
  if (changed.length === 0) return
  const mine = bulks.get(scenario) ?? []
  bulks.set(scenario, [...mine, { id: answer.body.id, entity, field, month, changed }])
  scenario.count(`many: ${field}`)
}

/** Whether everything holds what the change wrote, and can be put back; puts it back in the book. */
function putBack(scenario: Scenario, bulk: Bulk): boolean {
  const { book } = scenario
  const { field, month, changed } = bulk
  const isThere = ({ id }: Changed) =>
    bulk.entity === 'merchant' || book.records.agents.some((it) => it.id === id)
  if (!changed.every((it) => isThere(it) && valueOf(scenario, field, it.id) === it.after)) return false
  const isRate = field === 'percentagecommissionreceived'
  if (isRate && month <= (newestLock(book)?.month ?? '')) return false
  if (isRate && changed.some((it) => held(book, agentOf(scenario, it.id), month) !== it.after)) return false
  const former = structuredClone(book.records)
  const isDone = changed.every((it) => setValue(scenario, bulk, { ...it, after: it.before }))
  if (!isDone) book.records = former
  return isDone
}

/** A bulk change is undone whole, however many months were locked or opened again since. */
const undoMany: Step = async (scenario, input) => {
  if (!bulks.get(scenario)?.length) await changeMany(scenario, input)
  const mine = bulks.get(scenario) ?? []
  const bulk = input.two % 4 ? mine.at(-1) : pick(mine, input.one)
  if (!bulk) return
  const isPossible = putBack(scenario, bulk)
  const answer = await scenario.call('ed', 'POST', `/api/v1/${bulk.entity}/bulk/${bulk.id}/undo`)
  expectStatus(answer, isPossible ? 200 : 409, `undo ${bulk.field} of ${bulk.month}`)
  scenario.count(isPossible ? 'many undone' : 'many kept')
  if (isPossible)
    bulks.set(
      scenario,
      mine.filter((it) => it !== bulk),
    )
  settleLateShop(scenario)
}

export const agentSteps = { createAgent, deleteAgent, changeMany, undoMany }
