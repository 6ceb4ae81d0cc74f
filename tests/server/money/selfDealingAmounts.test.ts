import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finding } from '../../../schemas/api/months/months.ts'
import { hashPassword } from '../../../server/accounts/passwordHash.ts'
import { lockMonth } from '../../../server/money/lock.ts'
import { waive, write, xmidOf, type Book } from '../../money/book.ts'
import { reckon } from '../../money/reference.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

/** More by hand: MONEY_SCENARIOS=200, others with MONEY_SEED. */
const numRuns = Number(process.env['MONEY_SCENARIOS'] ?? 20)
const seed = Number(process.env['MONEY_SEED'] ?? 20_260_103)
const password = 'nine tall green lanterns'
const [locked, month] = ['2026-01-01', '2026-02-01']
const author = 'author'
const rights = ['manage_merchants', 'edit_maid_salesrep', 'manage_equipment']

let origin: TestPortal
let people: { admin: SignedIn; author: SignedIn }
beforeAll(async () => {
  origin = await openTestPortal({ demo: false, adminPassword: password, timeZone: 'UTC' })
  await origin.db.query(
    'insert into portal_user (username, password_hash, permissions) values ($1, $2, $3)',
    [author, await hashPassword(password), rights],
  )
  people = { admin: await origin.login('admin', password), author: await origin.login(author, password) }
  await origin.stop()
}, 60_000)
afterAll(() => origin.close())

/** The office 1 above 2 and 6; 2 above 3 and 4; 3 above 5. Branches by the agent at their top. */
const parents = [null, 1, 2, 2, 3, 1]
const branches: Record<number, number[]> = { 2: [2, 3, 4, 5], 3: [3, 5], 5: [5] }
/** An agent and all above it but the office. */
const gainers: Record<number, number[]> = { 2: [2], 3: [3, 2], 5: [5, 3, 2] }
const shopIds = [1, 2, 3, 4, 5]
const days = ['2026-01-31', '2026-02-01', '2026-02-11']

const percent = fc.constantFrom(0, 333_333, 500_000, 612_500, 700_000)
const one = fc.nat(999)
const books: fc.Arbitrary<Book> = fc.record({
  agents: fc.tuple(
    ...parents.map((parent, at) =>
      fc.record({
        id: fc.constant(at + 1),
        parent: fc.constant(parent),
        percent,
        flat: fc.constantFrom(0, 150, 999),
        eqpercent: percent,
        eqflat: fc.constantFrom(0, 1_500),
        office: fc.constant(at === 0),
        payoninactive: fc.boolean(),
      }),
    ),
  ),
  shops: fc.tuple(
    ...shopIds.map((id) =>
      fc.record({
        id: fc.constant(id),
        agent: fc.constantFrom(2, 3, 3, 4, 5, 5, 6),
        status: fc.constantFrom(2 as const, 2 as const, 3 as const),
        closed: fc.constantFrom(...days),
      }),
    ),
  ),
  lines: fc
    .uniqueArray(
      fc.record({
        shop: fc.constantFrom(...shopIds),
        processor: fc.constantFrom('Aurora', 'Borealis'),
        txns: fc.constantFrom(0, 3, 7),
        income: fc.integer({ min: 0, max: 90_000 }),
        expense: fc.integer({ min: 0, max: 60_000 }),
      }),
      { minLength: 3, maxLength: 9, selector: (it) => `${it.processor} ${it.shop}` },
    )
    .map((list) => [
      { month: locked, processor: 'Aurora', xmid: xmidOf(9), txns: 0, sales: 0, income: 1, expense: 0 },
      ...list.map(({ shop, ...it }) => ({ ...it, month, xmid: xmidOf(shop), sales: it.txns * 100 })),
    ]),
  terminals: fc
    .array(
      fc.record({
        agent: fc.constantFrom(null, null, 2, 3, 5),
        shop: fc.constantFrom(...shopIds),
        cost: fc.integer({ min: 0, max: 20_000 }),
        soldfor: fc.integer({ min: 1, max: 40_000 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) => list.map((it, at) => ({ ...it, id: at + 1, month }))),
  subscriptions: fc.constant([]),
  adjustments: fc.constant([]),
  rates: fc.constant([]),
  settings: fc.record({
    netNegative: fc.constantFrom('pass' as const, 'floor' as const),
    amountBasis: fc.constantFrom(
      'perAgentMonth' as const,
      'perAgentMonth' as const,
      'perActiveMerchant' as const,
      'perTransaction' as const,
    ),
    minimum: fc.constant(0),
  }),
})
/** What one person changes of one record, in two steps: each of them is a field and what it becomes. */
const dealings = fc.record({
  book: books,
  agent: fc.constantFrom(2, 2, 2, 3, 5),
  isTerminal: fc.boolean(),
  which: one,
  steps: fc.array(fc.record({ field: one, value: one }), { minLength: 1, maxLength: 2 }),
})
const pick = <T>(from: readonly T[], at: number): T => from[at % from.length]!
const epoch = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

/** The body of a change, and the same in the book. */
type Change = { body: object; note: () => void }
type Step = { field: number; value: number }
type Chosen = { id: number; changeBy: (step: Step) => Change }

/** A merchant of the branch, if it has one. */
function chooseShop({ shops }: Book, branch: number[], which: number): Chosen {
  const seen = shops.filter(({ agent }) => branch.includes(agent))
  const shop = pick(seen.length > 0 ? seen : shops, which)
  return {
    id: shop.id,
    changeBy({ field, value }) {
      const agent = pick(branch, value)
      const moved = { body: { masteragentid: agent }, note: () => void (shop.agent = agent) }
      const closed = pick(days, value)
      return pick<Change>(
        [moved, moved, { body: { date_closed: epoch(closed) }, note: () => void (shop.closed = closed) }],
        field,
      )
    },
  }
}

/** A terminal of the branch, if it has one. */
function chooseTerminal({ terminals, shops }: Book, branch: number[], which: number): Chosen {
  const isSeen = (agent: number | null) => agent === null || branch.includes(agent)
  const seen = terminals.filter(
    (it) => isSeen(it.agent) && isSeen(shops.find(({ id }) => id === it.shop)!.agent),
  )
  const terminal = pick(seen.length > 0 ? seen : terminals, which)
  return {
    id: terminal.id,
    changeBy({ field, value }) {
      const [agent, shop, cost] = [pick(branch, value), pick(shopIds, value), (value * 37) % 20_000]
      return pick<Change>(
        [
          { body: { merchantid: shop }, note: () => void (terminal.shop = shop) },
          { body: { masteragentid: agent }, note: () => void (terminal.agent = agent) },
          { body: { cost: cost / 100 }, note: () => void (terminal.cost = cost) },
        ],
        field,
      )
    },
  }
}

/** Cents that these agents earn in the month. */
const earnedBy = (book: Book, agents: number[]) => {
  const { settled } = reckon(book).find((it) => it.month === month)!
  return agents
    .map((id) => settled.get(id)!)
    .reduce((sum, { own, override, extras }) => sum + own + override + extras, 0)
}

test('whatever a person of a branch changes of a merchant or a terminal, the warning says to the cent what it adds to the pay of their own agent and those above', async () => {
  const tally = new Map<string, number>()
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(dealings, async ({ book: drawn, agent, isTerminal, which, steps }) => {
      const book = structuredClone(drawn)
      const portal = await openTestPortal({ demo: false, timeZone: 'UTC' }, origin)
      try {
        await write(portal.db, book)
        await portal.db.query('update portal_user set masteragentid = $2 where username = $1', [
          author,
          agent,
        ])
        await lockMonth(portal.db, { month: locked, username: 'x', address: '', waive })
        const [admin, person] = [portal.resume(people.admin), portal.resume(people.author)]
        const before = earnedBy(book, gainers[agent]!)
        const choose = isTerminal ? chooseTerminal : chooseShop
        const { id, changeBy } = choose(book, branches[agent]!, which)
        const path = `/api/v1/${isTerminal ? 'equipment' : 'merchant'}/${id}`
        for (const step of steps) {
          const { body, note } = changeBy(step)
          const { version } = (await admin.call('GET', path)).body
          const answer = await person.call('PUT', path, { version, ...body })
          expect([200, 403, 404, 422], JSON.stringify(answer.body)).toContain(answer.status)
          if (answer.status !== 200) continue
          note()
        }
        const gain = earnedBy(book, gainers[agent]!) - before
        const { findings } = (await admin.call('GET', '/api/v1/month/2026-02')).body
        const sums = (findings as Finding[])
          .filter(({ kind }) => kind === 'selfdealing')
          .map(({ amount }) => Math.round(Number(amount) * 100))
        expect(sums, `${path} in the name of agent ${agent}`).toEqual(gain > 0 ? [gain] : [])
        if (gain > 0) count(`${isTerminal ? 'terminal' : 'merchant'}, ${book.settings.amountBasis}`)
      } finally {
        await portal.close()
      }
    }),
    { numRuns, seed, endOnFailure: process.env['MONEY_SHRINK'] === undefined },
  )
  if (process.env['MONEY_SCENARIOS']) console.log(tally)
  // Scenarios in which nobody gained would prove nothing.
  for (const what of ['terminal, perAgentMonth', 'merchant, perAgentMonth'])
    expect(tally.get(what), what).toBeGreaterThan(0)
}, 3_600_000)
