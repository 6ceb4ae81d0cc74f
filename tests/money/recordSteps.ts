import { expect } from 'vitest'
import { xmidOf, type Subscription } from './book.ts'
import { settleLate } from './lateOracle.ts'
import {
  copiedMonth,
  firstOpen,
  linesOf,
  newestLock,
  type Account,
  type AgentRecord,
  type Lock,
  type SoldTerminal,
} from './payoutBook.ts'
import { epoch, fileLines, importLines, lateShop, months, shopIds } from './payoutOrigin.ts'
import { expectStatus, pick, wire, type Scenario, type StepInput, type Step } from './payoutScenario.ts'

export const agentOf = (scenario: Scenario, id: number) =>
  scenario.book.records.agents.find((it) => it.id === id)!

export const idsOf = ({ book }: Scenario) => book.records.agents.map(({ id }) => id)

/** A change of a record by ed, as its form sends it. */
export async function put(scenario: Scenario, path: string, body: object) {
  const { body: record } = await scenario.call('ed', 'GET', path)
  return scenario.call('ed', 'PUT', path, { version: record.version, ...body })
}
export const putAgent = (scenario: Scenario, id: number, body: object) =>
  put(scenario, `/api/v1/masteragent/${id}`, body)

export const isClosed = (scenario: Scenario, month: string) =>
  month <= (newestLock(scenario.book)?.month ?? '')
/** The first open month, or one of all. */
export const someMonth = (scenario: Scenario, { two }: StepInput) =>
  two % 4 ? (firstOpen(scenario.book) ?? pick(months, two)) : pick(months, two)

export const adjust: Step = async (scenario, input) => {
  const month = someMonth(scenario, input)
  const cents = input.cents || 1
  const agent = input.flag ? pick(idsOf(scenario), input.one) : null
  const shop = input.flag ? null : pick(shopIds, input.one)
  const answer = await scenario.call('ed', 'POST', '/api/v1/adjustment', {
    month: wire(month),
    masteragentid: agent,
    merchantid: shop,
    amount: cents / 100,
    reason: 'Agreed by phone',
  })
  expectStatus(answer, isClosed(scenario, month) ? 409 : 201, `adjust ${month}`)
  if (answer.status === 201)
    scenario.book.adjustments.push({ id: answer.body.id, agent, shop, month, amount: cents })
}

const sameAccount = (a: Account, b: Account) => JSON.stringify(a) === JSON.stringify(b)
const enteredAccount = (
  scenario: Scenario,
  { id, account, entered }: AgentRecord,
  { two }: StepInput,
): Account => {
  const shown = entered ?? account
  const payee = pick([null, ...idsOf(scenario).filter((other) => other !== id)], two)
  const other = pick<Partial<Account>>(
    [
      { number: `7770${two}` },
      { payee },
      { checking: !shown.checking },
      { business: !shown.business },
      { number: '' },
      { payee },
      account,
    ],
    two,
  )
  return {
    payee: shown.payee,
    routing: shown.routing,
    number: shown.number,
    checking: shown.checking,
    business: shown.business,
    ...other,
  }
}

const enterAccount: Step = async (scenario, input) => {
  const agent = agentOf(scenario, pick(idsOf(scenario).slice(1), input.one))
  const entered = enteredAccount(scenario, agent, input)
  const answer = await putAgent(scenario, agent.id, {
    payeeid: entered.payee,
    routingnumber: entered.routing,
    bankaccountnumber: entered.number,
    isbankaccounttypechecking: entered.checking,
    isbankaccounttypebusiness: entered.business,
  })
  expectStatus(answer, 200, `enter an account of ${agent.id}`)
  agent.entered = sameAccount(entered, agent.account) ? null : entered
  expect(answer.body.bankpending !== null, 'the account is pending').toBe(agent.entered !== null)
}

const decideAccount: Step = async (scenario, input) => {
  const waiting = scenario.book.records.agents.filter(({ entered }) => entered)
  const agent =
    waiting.length > 0 ? pick(waiting, input.one) : agentOf(scenario, pick(idsOf(scenario), input.one))
  const path = `/api/v1/masteragent/${agent.id}`
  const { body: record } = await scenario.call('fay', 'GET', path)
  const isConfirmed = input.two % 3 > 0
  const answer = isConfirmed
    ? await scenario.call('fay', 'POST', `${path}/bank/confirm`, {
        how: 'Called back',
        version: record.version,
      })
    : await scenario.call('fay', 'POST', `${path}/bank/reject`, { reason: 'Nobody knows of it' })
  expectStatus(answer, agent.entered ? 200 : 409, `decide about the account of ${agent.id}`)
  if (!agent.entered) return
  if (isConfirmed) {
    const { number, routing, checking } = agent.account
    const isSame = number === agent.entered.number && routing === agent.entered.routing
    // Another payee, or that it is a business, is not another account.
    if (!isSame || checking !== agent.entered.checking)
      scenario.book.holds = scenario.book.holds.filter((it) => !(it.isReturn && it.agent === agent.id))
    agent.account = agent.entered
  }
  agent.entered = null
}

const moveShop: Step = async (scenario, input) => {
  const shop = scenario.book.records.shops.find(({ id }) => id === pick(shopIds, input.one))!
  const agent = pick(idsOf(scenario), input.two)
  expectStatus(
    await put(scenario, `/api/v1/merchant/${shop.id}`, { masteragentid: agent }),
    200,
    'move a shop',
  )
  shop.agent = agent
}

const closeShop: Step = async (scenario, input) => {
  const shop = scenario.book.records.shops.find(({ id }) => id === pick([4, 5, 6], input.one))!
  const closed = pick(
    ['2025-09-30', '2025-10-31', '2025-11-01', '2025-12-01', '2025-12-15', '2030-01-01'],
    input.two,
  )
  const answer = await put(scenario, `/api/v1/merchant/${shop.id}`, { date_closed: epoch(closed) })
  expectStatus(answer, 200, 'close a shop')
  shop.closed = closed
}

const changeParent: Step = async (scenario, input) => {
  const agent = agentOf(scenario, pick(idsOf(scenario).slice(1), input.one))
  const parent = pick([null, ...idsOf(scenario).filter((id) => id !== agent.id)], input.two)
  const above: number[] = []
  for (let at = parent; at !== null; at = agentOf(scenario, at).parent) above.push(at)
  const answer = await putAgent(scenario, agent.id, { parentid: parent ?? 0 })
  expectStatus(answer, above.includes(agent.id) ? 422 : 200, `${agent.id} below ${parent}`)
  if (answer.status === 200) agent.parent = parent
}

/** A rate that the record shows already is stored only where it does not hold in that month. */
function writeRate({ book }: Scenario, agent: AgentRecord, percent: number, from: string) {
  const { rates } = book.records
  const held = rates
    .filter((rate) => rate.agent === agent.id && rate.from <= from)
    .sort((a, b) => (a.from < b.from ? 1 : -1))[0]
  if (agent.written === percent && (held?.percent ?? agent.percent) === percent) return
  agent.written = percent
  book.records.rates = [
    ...rates.filter((rate) => !(rate.agent === agent.id && rate.from === from)),
    { agent: agent.id, from, percent },
  ]
}

const changeRate: Step = async (scenario, input) => {
  const agent = agentOf(scenario, pick(idsOf(scenario).slice(1), input.one))
  const month = someMonth(scenario, input)
  const percent = pick([0, 333_333, 450_000, 500_000, 625_000, 1_000_000], input.cents + 40_000)
  const answer = await putAgent(scenario, agent.id, {
    percentagecommissionreceived: percent / 10_000,
    ratesfrom: wire(month),
  })
  expectStatus(answer, isClosed(scenario, month) ? 409 : 200, `a rate of ${agent.id} from ${month}`)
  if (answer.status === 200) writeRate(scenario, agent, percent, month)
}

const subscribe: Step = async (scenario, input) => {
  const { records } = scenario.book
  const id = pick(idsOf(scenario), input.one)
  const mine = records.subscriptions.filter((it) => it.agent === id)
  const kept = input.flag ? mine : mine.slice(1)
  const added = input.flag || mine.length === 0 ? [{ amount: input.cents / 1_000, notes: 'Rent' }] : []
  const answer = await putAgent(scenario, id, {
    collectionSubscriptions: [
      ...kept.map((it) => ({ id: it.id, amount: it.amount / 100, notes: 'Rent' })),
      ...added,
    ].map((it) => ({ ...it, amount: Math.round(it.amount * 100) / 100 })),
  })
  expectStatus(answer, 200, `subscriptions of ${id}`)
  const stored = answer.body.collectionSubscriptions as { id: number; amount: number }[]
  records.subscriptions = [
    ...records.subscriptions.filter((it) => it.agent !== id),
    ...stored.map((it) => ({
      ...(records.subscriptions.find((known) => known.id === it.id) ?? untilRemoved),
      id: it.id,
      agent: id,
      amount: Math.round(it.amount * 100),
    })),
  ]
  expect(stored.length).toBe(kept.length + added.length)
  const fresh = records.subscriptions.find(
    (it) => it.agent === id && !mine.some((known) => known.id === it.id),
  )
  if (fresh) await limit(scenario, fresh, input)
}
const untilRemoved = { start: null, end: null, remaining: null }

/** Gives a new subscription a first or last month or a number of months, which no form offers (money 13). */
async function limit({ portal, count }: Scenario, subscription: Subscription, { one, two }: StepInput) {
  const terms = pick<Partial<Subscription>>(
    [{}, { remaining: one % 3 }, { start: pick(months, one) }, { end: pick(months, one) }, { remaining: 1 }],
    two,
  )
  Object.assign(subscription, terms)
  const { id, start, end, remaining } = subscription
  await portal.db.query(
    'update collection_subscription set startmonth = $2, endmonth = $3, remaining = $4 where id = $1',
    [id, start, end, remaining],
  )
  if (Object.keys(terms).length > 0) count('subscription with terms')
}

/** The month in which a terminal earns once it is paid whole or is not (money 12). */
function earningMonth(
  scenario: Scenario,
  { id, month }: Pick<SoldTerminal, 'id' | 'month'>,
  isPaid: boolean,
): string | null {
  if (isPaid === (month !== null)) return month
  if (isPaid) return copiedMonth(scenario.book, id) ?? firstOpen(scenario.book)!
  return isClosed(scenario, month!) ? month : null
}

/**
 * Notes the month of a terminal. The portal writes down the current month, which the database takes from its
 * own clock: the first open month of the scenario takes its place.
 */
async function settleTerminal({ portal, book }: Scenario, terminal: SoldTerminal, month: string | null) {
  const [row] = await portal.db.query<{ month: string | null }>(
    'select paidmonth::text as month from equipment where id = $1',
    [terminal.id],
  )
  expect(row!.month !== null, `terminal ${terminal.id} earns`).toBe(month !== null)
  if (month === terminal.month || month === copiedMonth(book, terminal.id))
    expect(row!.month, `the month of terminal ${terminal.id}`).toBe(month)
  else if (month !== null)
    await portal.db.query('update equipment set paidmonth = $2 where id = $1', [terminal.id, month])
  const others = book.records.terminals.filter(({ id }) => id !== terminal.id)
  book.records.terminals = [...others, { ...terminal, month }]
}

/** A terminal is sold, by an agent or through a shop, or its price, payment or place changes. */
const sellTerminal: Step = async (scenario, input) => {
  const { records } = scenario.book
  if (!firstOpen(scenario.book)) return
  if (records.terminals.length === 0 && input.one % 3) await sellTerminal(scenario, { ...input, one: 0 })
  const known = input.one % 3 ? pick(records.terminals, input.two) : undefined
  const isPlaced = !known || input.one % 5 === 0
  const agent = isPlaced ? (input.flag ? pick(idsOf(scenario), input.two) : null) : known.agent
  const shop = isPlaced ? (input.flag ? null : pick(shopIds, input.two)) : known.shop
  const cost = known && input.one % 2 ? known.cost : Math.abs(input.cents)
  const soldfor = (known?.soldfor ?? 0) + 1 + (input.two % 700) * 41
  const isPaid = input.one % 7 > 1
  const body = {
    masteragentid: agent,
    merchantid: shop,
    cost: cost / 100,
    soldfor: soldfor / 100,
    paidsofar: (isPaid ? soldfor : soldfor - 1) / 100,
  }
  const answer = known
    ? await put(scenario, `/api/v1/equipment/${known.id}`, body)
    : await scenario.call('ed', 'POST', '/api/v1/equipment', {
        model: 'T1',
        serialnumber: `SN-${records.terminals.length}`,
        ...body,
      })
  expectStatus(answer, known ? 200 : 201, 'sell a terminal')
  const former = known?.month ?? null
  const month = earningMonth(scenario, { id: answer.body.id, month: former }, isPaid)
  await settleTerminal(scenario, { id: answer.body.id, agent, shop, cost, soldfor, month: former }, month)
  if (known && month !== null) scenario.count('terminal changed')
}

const importFile: Step = async (scenario, input) => {
  const { book } = scenario
  const chosen = someMonth(scenario, input)
  const month = months.includes(chosen) ? chosen : pick(months, input.one)
  const processor = input.flag ? 'Aurora' : 'Borealis'
  const lines = fileLines(month, processor, input.one)
  const answer = await importLines(scenario.ed, lines)
  const isLater = month.slice(0, 7) > scenario.today.slice(0, 7)
  // A month that is later than the current one is refused before anybody looks whether it is locked.
  const status = isLater ? 422 : isClosed(scenario, month) ? 409 : 200
  expectStatus(answer, status, `import ${processor} of ${month}`)
  if (answer.status !== 200) return
  book.processorMonths
    .find((it) => it.month === month && it.processor === processor)!
    .files.push({ batch: answer.body.batch, lines })
  book.lines = linesOf(book.processorMonths)
}

/** The newest file of a processor and month is undone, or one that a later file replaced or a lock keeps. */
const undoFile: Step = async (scenario, input) => {
  const { book } = scenario
  if (input.one % 3) await importFile(scenario, input)
  const corrected = book.processorMonths.filter(({ files }) => files.length > 1)
  const processorMonth = pick(corrected, input.one)
  if (!processorMonth) return
  const isNewest = input.two % 4 > 0
  const { batch } = processorMonth.files.at(isNewest ? -1 : 0)!
  const answer = await scenario.call('ed', 'POST', `/api/v1/file/compdata/${batch}/undo`)
  const isPossible = isNewest && !isClosed(scenario, processorMonth.month)
  expectStatus(answer, isPossible ? 200 : 409, `undo a file of ${processorMonth.month}`)
  if (!isPossible) return
  processorMonth.files.pop()
  book.lines = linesOf(book.processorMonths)
  scenario.count('file undone')
}

/** What the portal proposes for the late shop after a step. */
export const settleLateShop = ({ book }: Scenario, made?: Lock) => settleLate(book, lateShop, made)

/** The shop that only files name is added, given to another agent, or removed. */
const knowShop: Step = async (scenario, input) => {
  const { book, portal } = scenario
  const xmid = xmidOf(lateShop)
  const known = book.records.shops.find(({ id }) => id === lateShop)
  const agent = pick(idsOf(scenario), input.two)
  const [row] = await portal.db.query<{ id: number }>('select id from merchant where xmid = $1', [xmid])
  const path = `/api/v1/merchant/${row?.id}`
  if (!known) {
    const body = { xmid, dba: 'Shop 7', masteragentid: agent, accountstatus: 2 }
    expectStatus(await scenario.call('ed', 'POST', '/api/v1/merchant', body), 201, 'add shop 7')
    book.records.shops.push({ id: lateShop, agent, status: 2, closed: null })
  } else if (input.flag || input.one % 2) {
    expectStatus(await put(scenario, path, { masteragentid: agent }), 200, 'move shop 7')
    known.agent = agent
  } else {
    const isOpen = (month: string) => !book.locks.some((lock) => lock.month === month && lock.isInForce)
    const isUsed = book.lines.some((line) => line.xmid === xmid && isOpen(line.month))
    expectStatus(await scenario.call('ed', 'DELETE', path, {}), isUsed ? 409 : 204, 'remove shop 7')
    if (!isUsed) book.records.shops = book.records.shops.filter(({ id }) => id !== lateShop)
  }
  settleLateShop(scenario)
}

/** Of what is proposed for the late shop one row is accepted or refused. */
const decideLate: Step = async (scenario, input) => {
  const { book, portal } = scenario
  const waiting = book.late.filter(({ state }) => state === 'proposed')
  const isKnown = book.records.shops.some(({ id }) => id === lateShop)
  if (waiting.length === 0 && !isKnown) return knowShop(scenario, input)
  const row = pick(waiting.length > 0 ? waiting : book.late, input.one)
  if (!row) return
  const [stored] = await portal.db.query<{ id: number }>(
    'select id from adjustment where latemonth = $1 and lateprocessor = $2 order by id limit 1',
    [row.month, row.processor],
  )
  const isAccepted = input.two % 2 > 0
  const path = `/api/v1/adjustment/${stored!.id}/${isAccepted ? 'accept' : 'refuse'}`
  const answer = await scenario.call('fay', 'POST', path, isAccepted ? {} : { reason: 'Paid by hand' })
  const isPossible = row.state === 'proposed' && !isClosed(scenario, row.within!)
  expectStatus(answer, isPossible ? 200 : 409, `decide about ${row.processor} of ${row.month}`)
  if (!isPossible) return
  row.state = isAccepted ? 'accepted' : 'refused'
  scenario.count(`late, ${row.state}`)
  settleLateShop(scenario)
}

export const recordSteps = {
  knowShop,
  decideLate,
  adjust,
  enterAccount,
  decideAccount,
  moveShop,
  closeShop,
  changeParent,
  changeRate,
  subscribe,
  importFile,
  undoFile,
  sellTerminal,
}
