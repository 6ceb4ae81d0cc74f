import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '../../../server/db/db.ts'
import { monthFindings } from '../../../server/money/checklist/checklist.ts'
import { lockMonthIn } from '../../../server/money/lock.ts'
import { closingLock } from '../../../server/money/months.ts'
import { accountFault } from '../../../server/money/unpayableAccounts.ts'
import { stateOfLock } from '../../../server/payouts/monthStates.ts'
import { relationsOf, waive, write, xmidOf, type Agent, type Book, type Line } from '../../money/book.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
})
afterAll(() => portal.close())

const undone = new Error('undone')
/** Does something in a database that holds this book, and takes it all back. */
async function withBook<T>(book: Partial<Book>, work: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: T | undefined
  await portal.db
    .transaction(async (tx) => {
      await write(tx, { ...empty, ...book })
      answer = await work(tx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return answer!
}
const empty: Book = {
  agents: [],
  shops: [],
  lines: [],
  terminals: [],
  subscriptions: [],
  adjustments: [],
  rates: [],
  settings: { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimum: 0 },
}
const before = '2025-12-01'
const month = '2026-01-01'
/**
 * Agents with a merchant of their own each, who get all it brings: agent 1 has merchant 1. Amounts in cents.
 */
const agent = (id: number, more: Partial<Agent> = {}): Agent => ({
  id,
  parent: null,
  percent: 1_000_000,
  flat: 0,
  eqpercent: 0,
  eqflat: 0,
  ...more,
})
const line = (shop: number, income: number, of = month): Line => ({
  month: of,
  processor: 'Aurora',
  xmid: xmidOf(shop),
  txns: 1,
  sales: 100,
  income: Math.max(income, 0),
  expense: Math.max(-income, 0),
})
const each = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const own = (incomes: readonly number[], more: Partial<Agent> = {}): Partial<Book> => ({
  agents: each(incomes.length).map((id) => agent(id, more)),
  shops: each(incomes.length).map((id) => ({ id, agent: id, status: 2 })),
  lines: incomes.map((income, at) => line(at + 1, income)),
})
const withMinimum = (minimum: number) => ({ settings: { ...empty.settings, minimum } })

describe('what is due', () => {
  /** Minimum payout, due, paid, carried. */
  test.each([
    [2_500, 2_499, 0, 2_499],
    [2_500, 2_500, 2_500, 0],
    [2_500, 2_501, 2_501, 0],
    [1, 1, 1, 0],
    [0, 1, 1, 0],
    [0, 0, 0, 0],
    [0, -1, 0, -1],
    [2_500, -2_500, 0, -2_500],
  ])(
    'with a minimum of %i cents: of %i are paid %i and carried %i',
    async (minimum, due, payable, carryout) => {
      const { statement } = await withBook({ ...own([due]), ...withMinimum(minimum) }, (tx) =>
        relationsOf(tx, month),
      )
      expect(statement).toMatchObject([{ due, payable, carryout }])
    },
  )

  test('reaches the minimum together with what was carried, to the cent', async () => {
    const carried = async (first: number, second: number) => {
      const book = { ...own([second]), ...withMinimum(2_500) }
      const lines = [line(1, first, before), ...book.lines!]
      const { statement } = await withBook({ ...book, lines }, async (tx) => {
        await lockMonthIn(tx, { month: before, username: 'x', address: '', waive })
        return relationsOf(tx, month)
      })
      return statement.map(({ carryin, due, payable }) => [carryin, due, payable])
    }
    expect(await carried(1_000, 1_499)).toEqual([[1_000, 2_499, 0]])
    expect(await carried(1_000, 1_500)).toEqual([[1_000, 2_500, 2_500]])
    // What was paid is not carried.
    expect(await carried(2_500, 2_499)).toEqual([[0, 2_499, 0]])
  })
})

/** Two months are open, this one and the one before; how often is a subscription collected in this one? */
test.each<[start: string | null, end: string | null, remaining: number | null, collected: number]>([
  [null, null, null, 1],
  [null, null, 0, 0],
  [null, null, 1, 0],
  [null, null, 2, 1],
  [before, null, 1, 0],
  [before, null, 2, 1],
  [month, null, 0, 0],
  [month, null, 1, 1],
  [month, month, null, 1],
  ['2026-02-01', null, null, 0],
  [null, before, null, 0],
])(
  'a subscription from %s to %s with %s months left is collected: %i times',
  async (start, end, remaining, collected) => {
    const book = {
      ...own([100]),
      lines: [line(1, 100, before), line(1, 100)],
      subscriptions: [{ id: 1, agent: 1, amount: 7, start, end, remaining }],
    }
    const { statement } = await withBook(book, (tx) => relationsOf(tx, month))
    expect(statement).toMatchObject([{ subscriptions: 7 * collected }])
  },
)

/** Whole cents are multiplied up to 9 trillion of them, decimals from there on. */
test.each([8_999_999_999_999, 9_000_000_000_000, 9_000_000_000_001, 99_999_999_999_999])(
  'a third of %i cents and of as great a loss is paid to the cent',
  async (net) => {
    const percent = 333_333
    const exact = BigInt(net) * BigInt(percent)
    const earned = (exact + 500_000n) / 1_000_000n
    for (const sign of [1, -1]) {
      const book = { ...own([sign * net]), agents: [agent(1, { percent })] }
      const { statement } = await withBook(book, (tx) => relationsOf(tx, month))
      expect(statement).toMatchObject([{ own: sign * Number(earned) }])
    }
  },
)

/** A flat amount is of a merchant: what the sums of a month say of it is what its lines add up to. */
test.each<[basis: Book['settings']['amountBasis'], txns: number[], times: number]>([
  ['perActiveMerchant', [0], 0],
  ['perActiveMerchant', [0, 0], 0],
  ['perActiveMerchant', [0, 0, 0], 0],
  ['perActiveMerchant', [0, 3], 1],
  ['perActiveMerchant', [3, 0], 1],
  ['perActiveMerchant', [3, 3], 1],
  ['perActiveMerchant', [3, 0, 3], 1],
  ['perAgentMonth', [0, 0], 0],
  ['perAgentMonth', [0, 3], 1],
  ['perAgentMonth', [3, 3], 1],
  ['perTransaction', [0, 0], 0],
  ['perTransaction', [0, 3], 3],
  ['perTransaction', [3, 3], 6],
])(
  '%s: a merchant with rows of %j transactions earns the flat amount %i times',
  async (basis, txns, times) => {
    const book = {
      ...own([0], { percent: 0, flat: 7 }),
      lines: txns.map((count, at) => ({ ...line(1, 0), processor: `P${at}`, txns: count, sales: 0 })),
      settings: { ...empty.settings, amountBasis: basis },
    }
    const { statement, pay_line } = await withBook(book, (tx) => relationsOf(tx, month))
    expect(statement.reduce((sum, it) => sum + Number(it.own), 0)).toBe(7 * times)
    expect(pay_line.reduce((sum, it) => sum + Number(it.amount), 0)).toBe(7 * times)
  },
)

/** Where each of the findings of this kind is. */
const found = async (
  book: Partial<Book>,
  what: string,
  prepare: (tx: Tx) => Promise<unknown> = async () => null,
) =>
  withBook(book, async (tx) => {
    await prepare(tx)
    return (await monthFindings(tx, month))
      .filter((finding) => finding.what === what)
      .map(({ where }) => where)
  })

describe('the checklist of a month', () => {
  /** Net of the month before and of this one, in cents; does the merchant count as moved? */
  const moves: [number, number, boolean][] = [
    [20_000, 30_000, false],
    [20_000, 30_001, true],
    [20_000, 10_000, false],
    [20_000, 9_999, true],
    [100_000, 130_000, false],
    [100_000, 130_001, true],
    [100_000, 70_000, false],
    [100_000, 69_999, true],
    [-100_000, -70_000, false],
    [-100_000, -69_999, true],
    [0, 10_000, false],
    [0, 10_001, true],
    [10_000, 10_000, false],
  ]
  test.each(moves)('a merchant that brought %i and now %i cents has moved: %s', async (was, is, hasMoved) => {
    const book = own([is])
    const lines = [line(1, was, before), ...book.lines!]
    expect(await found({ ...book, lines }, 'The merchant moved by more than 30 % and $100')).toHaveLength(
      hasMoved ? 1 : 0,
    )
  })

  /** Net in cents by processor, of the month before and of this one; does the merchant count as moved? */
  test.each<[Record<string, number>, Record<string, number>, boolean]>([
    // Each of the rows moves by the same, and all of them together to the limit and beyond it.
    [{ A: 5_000, B: 5_000 }, { A: 10_000, B: 10_000 }, false],
    [{ A: 5_000, B: 5_000 }, { A: 10_000, B: 10_001 }, true],
    [{ A: 0, B: 0, C: 0 }, { A: 3_333, B: 3_333, C: 3_334 }, false],
    [{ A: 0, B: 0, C: 0 }, { A: 3_334, B: 3_334, C: 3_333 }, true],
    [{ A: 0, B: 0, C: 0, D: 0 }, { A: -2_500, B: -2_500, C: -2_500, D: -2_500 }, false],
    [{ A: 0, B: 0, C: 0, D: 0 }, { A: -2_500, B: -2_500, C: -2_500, D: -2_501 }, true],
    // To another processor, with the same income and with more.
    [{ A: 30_000 }, { B: 30_000 }, false],
    [{ A: 30_000 }, { B: 40_001 }, true],
    // Rows that come and go, and rows that make up for each other.
    [{ A: 5_000 }, { A: 5_000, B: 10_000 }, false],
    [{ A: 5_000 }, { A: 5_000, B: 10_001 }, true],
    [{ A: 5_000, B: 10_000 }, { A: 5_000 }, false],
    [{ A: 5_000, B: 10_001 }, { A: 5_000 }, true],
    [{ A: 5_000, B: 50_000 }, { A: 50_000, B: 5_000 }, false],
    // New this month, or gone from it.
    [{}, { A: 90_000 }, false],
    [{ A: 90_000 }, {}, false],
  ])('a merchant that brought %j and now %j has moved: %s', async (was, is, hasMoved) => {
    const of = (nets: Record<string, number>, when: string) =>
      Object.entries(nets).map(([processor, net]) => ({ ...line(1, net, when), processor }))
    // Another merchant, so that both months have files.
    const lines = [...of(was, before), ...of(is, month), line(2, 1, before), line(2, 1)]
    expect(
      await found({ ...own([0, 0]), lines }, 'The merchant moved by more than 30 % and $100'),
    ).toHaveLength(hasMoved ? 1 : 0)
  })

  test.each(moves)('an agent that earned %i and now %i cents has moved: %s', async (was, is, hasMoved) => {
    const book = own([is])
    const lines = [line(1, was, before), ...book.lines!]
    const lock = (tx: Tx) => lockMonthIn(tx, { month: before, username: 'x', address: '', waive })
    expect(await found({ ...book, lines }, 'The agent moved by more than 30 % and $100', lock)).toHaveLength(
      hasMoved ? 1 : 0,
    )
  })

  test.each([
    [-1, 1],
    [0, 0],
    [1, 0],
  ])('a merchant that brings %i cents cost more than it brought: %i findings', async (net, count) =>
    expect(await found(own([net]), 'The merchant cost more than it brought')).toHaveLength(count),
  )

  test.each([
    [0, 0],
    [1, 1],
    [-1, 0],
  ])('an agent without bank data who is due %i cents: %i findings', async (due, count) =>
    expect(await found(own([due], { bank: 'none' }), 'No bank data')).toHaveLength(count),
  )

  test.each([
    [599_999, 0],
    [600_000, 0],
    [600_001, 1],
  ])(
    'a child with %i ten-thousandths of a percent below a parent with 60 %: %i findings',
    async (percent, count) => {
      const agents = [agent(1, { percent: 600_000 }), agent(2, { parent: 1, percent })]
      const what = "The percentage is above the parent's: the parent earns no override"
      expect(await found({ agents, lines: [line(1, 1)] }, what)).toHaveLength(count)
    },
  )

  test.each([
    [1_000_000, 0],
    [999_999, 0],
  ])(
    'shares of %i ten-thousandths of a percent of a child leave the whole at 100: %i findings',
    async (percent, count) => {
      const agents = [agent(1, { percent: 1_000_000 }), agent(2, { parent: 1, percent })]
      const what = 'The shares of a merchant add up to more than 100 %'
      expect(await found({ agents, lines: [line(1, 1)] }, what)).toHaveLength(count)
    },
  )

  test.each([
    [9_999, 1],
    [10_000, 0],
    [10_001, 1],
  ])('a stated total of %i cents against 10,000 in the file: %i findings', async (stated, count) => {
    const state = (tx: Tx) =>
      tx.query(`insert into processor_statement (processor, month, statednet) values ('Aurora', $1, $2)`, [
        month,
        stated / 100,
      ])
    expect(await found(own([10_000]), 'The stated total differs from the file', state)).toHaveLength(count)
  })

  test('says of the current month that it is not over, and of none before it', async () => {
    const [{ now, last }] = (await portal.db.query<{ now: string; last: string }>(
      `select date_trunc('month', now())::date::text as now, (date_trunc('month', now()) - interval '1 month')::date::text as last`,
    )) as [{ now: string; last: string }]
    const isOver = (of: string) =>
      withBook({ ...own([1]), lines: [line(1, 1, of)] }, async (tx) =>
        (await monthFindings(tx, of)).every(({ what }) => what !== 'The month is not over'),
      )
    expect([await isOver(last), await isOver(now)]).toEqual([true, false])
  })
})

describe('a month is closed', () => {
  /** Locked in January, March and May 2026; April was opened again. */
  const locks = `insert into month_lock (month, version, hash, username, reopened_at, reopened_by, reason) values
    ('2026-05-01', 1, 'x', 'may', null, null, null), ('2026-01-01', 1, 'x', 'january', null, null, null),
    ('2026-04-01', 1, 'x', 'april', now(), 'x', 'x'), ('2026-03-01', 1, 'x', 'march', null, null, null)`
  test.each([
    ['2025-12-01', 'may'],
    ['2026-01-01', 'january'],
    ['2026-02-01', 'may'],
    ['2026-03-01', 'march'],
    ['2026-04-01', 'may'],
    ['2026-05-01', 'may'],
    ['2026-06-01', undefined],
  ])('by its own lock or else by the newest after it: %s by that of %s', async (of, name) => {
    const lock = await withBook({}, async (tx) => {
      await tx.query(locks)
      return closingLock(tx, of)
    })
    expect(lock?.username).toBe(name)
  })
})

test.each<[account: string, fault: string | null]>([
  ['', 'Bank account number is not 4 to 17 digits'],
  ['123', 'Bank account number is not 4 to 17 digits'],
  ['0123', null],
  ['12345678901234567', null],
  ['123456789012345678', 'Bank account number is not 4 to 17 digits'],
  ['1234 5678', 'Bank account number is not 4 to 17 digits'],
  ['1234\n', 'Bank account number is not 4 to 17 digits'],
])('nothing is paid to the account %j, or why not: %s', (account, fault) =>
  expect(accountFault(account)).toBe(fault),
)

// From Tuesday 10 March 2026 the fifth bank day is Tuesday 17 March.
test.each<[today: string, more: Partial<Parameters<typeof stateOfLock>[0]>, state: string]>([
  ['2026-03-10', {}, 'released'],
  ['2026-03-16', {}, 'released'],
  ['2026-03-17', {}, 'settled'],
  ['2026-03-18', {}, 'settled'],
  ['2026-03-18', { isapproved: true }, 'approved'],
  ['2026-03-10', { effective: null }, 'settled'],
  ['2026-03-18', { released: 0, effective: null }, 'locked'],
])('a release of 10 March is on %s, with %j, in the state %s', (day, more, state) => {
  const facts = { isapproved: false, released: 1, effective: '2026-03-10', ...more }
  expect(stateOfLock(facts, day)).toBe(state)
})
