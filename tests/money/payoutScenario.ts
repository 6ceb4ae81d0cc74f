import { expect, vi } from 'vitest'
import { writeMoneySettings } from '../../server/money/moneySettings.ts'
import { openTestPortal, type Answer, type Method, type TestPortal } from '../testPortal.ts'
import { linesOf, type PayoutBook } from './payoutBook.ts'
import { firstAccount, firstShops, originator, type Origin, type Person } from './payoutOrigin.ts'

/**
 * How a scenario begins: `day` is an ISO day, `minimum` cents, percentages are ten-thousandths of a percent.
 * `shops` is the agent of each shop; the other lists have a value for each agent from the second on.
 */
export type Beginning = {
  day: string
  parents: (number | null)[]
  percents: number[]
  payees: (number | null)[]
  shops: number[]
  minimum: number
  netNegative: 'pass' | 'floor'
  amountBasis: PayoutBook['terms']['amountBasis']
  /** Of equipment, by agent from the second on. */
  eqpercents: number[]
}
/** How often each thing was done. */
export type Tally = Map<string, number>
/** A scenario while it runs: the portal, the book beside it, and the portal's day, ISO. */
export type Scenario = {
  portal: TestPortal
  book: PayoutBook
  today: string
  call(who: Person, method: Method, path: string, body?: object): Promise<Answer>
  /** Notes what was done, to show that the scenarios of a run met it. */
  count(what: string): void
  /** Imports as ed. */
  ed: ReturnType<TestPortal['resume']>
  /** Moves the clock of the portal to noon of an ISO day. */
  moveTo(day: string): void
}

const beginningBook = (beginning: Beginning, processorMonths: Origin['processorMonths']) => {
  const { parents, percents, payees, shops, minimum, netNegative, amountBasis, eqpercents } = beginning
  const agents = [null, ...parents].map((parent, at) => {
    const percent = at === 0 ? 0 : percents[at - 1]!
    const payee = at === 0 ? null : payees[at - 1]!
    const id = at + 1
    return {
      id,
      parent: at === 0 ? null : parent,
      percent,
      written: percent,
      flat: id === 3 ? 150 : 0,
      eqpercent: at === 0 ? 0 : eqpercents[at - 1]!,
      eqflat: id === 4 ? 275 : 0,
      office: id === 1,
      payoninactive: false,
      account: { ...firstAccount(id), payee: payee === id ? null : payee },
      entered: null,
    }
  })
  const placed = firstShops().map((shop, at) => ({ ...shop, agent: shops[at]! }))
  const book: PayoutBook = {
    records: { agents, shops: placed, subscriptions: [], terminals: [], rates: [] },
    lines: linesOf(processorMonths),
    processorMonths: structuredClone(processorMonths),
    adjustments: [],
    late: [],
    terms: { minimum, netNegative, amountBasis },
    locks: [],
    payments: [],
    holds: [],
    approval: null,
    reopened: new Map(),
  }
  return book
}

/** Stores the settings as the start of a portal does. */
export const writeTerms = ({ db }: TestPortal, { minimum, ...terms }: PayoutBook['terms']) =>
  writeMoneySettings(db, { ...terms, minimumPayout: minimum / 100 })

/** A copy of the origin in which a scenario begins. */
export async function startScenario(origin: Origin, beginning: Beginning, tally: Tally): Promise<Scenario> {
  const portal = await openTestPortal({ demo: false, ach: originator, timeZone: 'UTC' }, origin.portal)
  const book = beginningBook(beginning, origin.processorMonths)
  for (const { id, parent, percent, eqpercent, eqflat, account } of book.records.agents)
    await portal.db.query(
      `update master_agent set parentid = $2, payeeid = $3, percentagecommissionreceived = $4,
        percentageequipmentcommissionreceived = $5, amountequipmentcommissionreceived = $6 where id = $1`,
      [id, parent, account.payee, percent / 10_000, eqpercent / 10_000, eqflat / 100],
    )
  await portal.db.query(
    'update merchant m set masteragentid = s.agent from jsonb_to_recordset($1) s (id int, agent int) where s.id = m.id',
    [JSON.stringify(book.records.shops)],
  )
  await writeTerms(portal, book.terms)
  // Many scenarios take longer than a session lasts.
  await portal.db.query('update session set created_at = now(), renewed_at = now(), used_at = now()')
  const people = Object.fromEntries(
    Object.entries(origin.people).map(([name, person]) => [name, portal.resume(person)]),
  ) as Origin['people']
  const scenario: Scenario = {
    portal,
    book,
    today: '',
    ed: people.ed,
    count: (what) => void tally.set(what, (tally.get(what) ?? 0) + 1),
    call: (who, method, path, body) => people[who].call(method, path, body),
    moveTo(day) {
      scenario.today = day
      vi.setSystemTime(new Date(`${day}T12:00:00Z`))
    },
  }
  if (beginning.netNegative === 'floor') scenario.count('a loss is the house’s')
  vi.useFakeTimers({ toFake: ['Date'] })
  scenario.moveTo(beginning.day)
  return scenario
}

export async function endScenario({ portal }: Scenario): Promise<void> {
  vi.useRealTimers()
  await portal.close()
}

/** What a step is about; every step takes of it what it needs. */
export type StepInput = { one: number; two: number; cents: number; flag: boolean }
/** Does it in the portal and in the book; true where a payment was made or came back. */
export type Step = (scenario: Scenario, input: StepInput) => Promise<boolean | void>

export const wire = (month: string) => month.slice(0, 7)
export const pick = <T>(from: readonly T[], at: number): T => from[at % from.length]!
export function expectStatus(answer: Answer, status: number, what: string) {
  expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBe(status)
}
