import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lockMonth } from '../../../server/money/lock.ts'
import { writeMoneySettings } from '../../../server/money/moneySettings.ts'
import { relationsOf, waive, write, xmidOf, type Answer, type Book } from '../../money/book.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

const before = '2026-02-01'
const month = '2026-03-01'

/*
 * Top 1 (70 %) has 2 (60 %) below it, which has 3 (50 %, $2.00 a merchant) and 6 below it. 4 stands beside
 * them below 1 with 80 %, more than its parent. 5 is the office account, alone. 7 (75 %) has 8 (70 %) below
 * it, which has 9 (80 %). Amounts in cents.
 */
const agent = { flat: 0, eqpercent: 0, eqflat: 0 }
const book: Book = {
  agents: [
    { ...agent, id: 1, parent: null, percent: 700_000, eqpercent: 600_000 },
    { ...agent, id: 2, parent: 1, percent: 600_000, eqpercent: 450_000, payoninactive: true },
    { ...agent, id: 3, parent: 2, percent: 500_000, flat: 200, eqpercent: 400_000, eqflat: 1_500 },
    { ...agent, id: 4, parent: 1, percent: 800_000, payee: 3 },
    { ...agent, id: 5, parent: null, percent: 900_000, office: true },
    { ...agent, id: 6, parent: 2, percent: 333_333, bank: 'bad' },
    { ...agent, id: 7, parent: null, percent: 750_000 },
    { ...agent, id: 8, parent: 7, percent: 700_000 },
    { ...agent, id: 9, parent: 8, percent: 800_000 },
  ],
  shops: [
    { id: 1, agent: 3, status: 2 },
    { id: 2, agent: 3, status: 2 },
    { id: 3, agent: 3, status: 3 },
    { id: 4, agent: 3, status: 2 },
    { id: 5, agent: 4, status: 2 },
    { id: 6, agent: 5, status: 2 },
    { id: 7, agent: 6, status: 1 },
    { id: 8, agent: 9, status: 2 },
  ],
  lines: [
    { month: before, processor: 'Aurora', xmid: xmidOf(5), txns: 1, sales: 100, income: 0, expense: 5_000 },
    { month, processor: 'Aurora', xmid: xmidOf(1), txns: 10, sales: 90_000, income: 15_000, expense: 5_000 },
    { month, processor: 'Borealis', xmid: xmidOf(1), txns: 2, sales: 2_000, income: 1_001, expense: 0 },
    { month, processor: 'Aurora', xmid: xmidOf(2), txns: 1, sales: 500, income: 0, expense: 1_001 },
    { month, processor: 'Aurora', xmid: xmidOf(3), txns: 4, sales: 4_000, income: 4_000, expense: 0 },
    { month, processor: 'Aurora', xmid: xmidOf(4), txns: 0, sales: 0, income: 995, expense: 300 },
    { month, processor: 'Aurora', xmid: xmidOf(5), txns: 9, sales: 9_000, income: 6_000, expense: 1_000 },
    { month, processor: 'Aurora', xmid: xmidOf(6), txns: 3, sales: 3_000, income: 2_000, expense: 0 },
    { month, processor: 'Aurora', xmid: xmidOf(7), txns: 3, sales: 3_000, income: 1_000, expense: 0 },
    { month, processor: 'Aurora', xmid: xmidOf(8), txns: 1, sales: 100, income: 1_000, expense: 0 },
    { month, processor: 'Aurora', xmid: 'stranger', txns: 5, sales: 5_000, income: 777, expense: 0 },
  ],
  terminals: [{ id: 1, agent: null, shop: 1, cost: 20_000, soldfor: 30_000, month }],
  subscriptions: [{ id: 1, agent: 3, amount: 1_250, start: month, end: null, remaining: 1 }],
  adjustments: [
    { id: 1, agent: 2, shop: null, month, amount: 500 },
    { id: 2, agent: null, shop: 1, month, amount: -75 },
    { id: 3, agent: 6, shop: null, month: before, amount: 900 },
  ],
  rates: [{ agent: 1, from: '2026-04-01', percent: 990_000 }],
  settings: { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimum: 2_000 },
}

let portal: TestPortal
let found: Answer
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
  await write(portal.db, book)
  await lockMonth(portal.db, { month: before, username: 'x', address: '', waive })
  found = await relationsOf(portal.db, month)
})
afterAll(() => portal.close())

describe('a line of pay, in cents', () => {
  test.each<
    [
      agent: number,
      from: number | null,
      shop: number,
      processor: string,
      amount: number,
      withheld: number,
      arithmetic: string,
    ]
  >([
    [
      3,
      null,
      1,
      'Aurora',
      5_200,
      0,
      '50 % of 100.00 = 50.00, and 2.00 for an active merchant that processes',
    ],
    [2, 3, 1, 'Aurora', 1_000, 0, '60 - 50 = 10 % of 100.00'],
    [1, 2, 1, 'Aurora', 1_000, 0, '70 - 60 = 10 % of 100.00: the 99 % hold from April on'],
    [
      3,
      null,
      1,
      'Borealis',
      501,
      0,
      '50 % of 10.01 = 5.005, away from zero; the 2.00 are paid once a merchant',
    ],
    [2, 3, 1, 'Borealis', 100, 0, '10 % of 10.01 = 1.001'],
    [1, 2, 1, 'Borealis', 100, 0, '10 % of 10.01 = 1.001'],
    [3, null, 2, 'Aurora', -301, 0, '50 % of -10.01 = -5.005, away from zero, and 2.00'],
    [2, 3, 2, 'Aurora', -100, 0, '10 % of -10.01 = -1.001'],
    [1, 2, 2, 'Aurora', -100, 0, '10 % of -10.01 = -1.001'],
    [
      3,
      null,
      3,
      'Aurora',
      0,
      2_000,
      '50 % of 40.00 is withheld: the merchant is inactive, the agent is not paid on inactive',
    ],
    [2, 3, 3, 'Aurora', 400, 0, '10 % of 40.00: this agent is paid on inactive'],
    [1, 2, 3, 'Aurora', 0, 400, '10 % of 40.00, withheld'],
    [3, null, 4, 'Aurora', 348, 0, '50 % of 6.95 = 3.475; no 2.00 without a transaction'],
    [2, 3, 4, 'Aurora', 70, 0, '10 % of 6.95 = 0.695'],
    [1, 2, 4, 'Aurora', 70, 0, '10 % of 6.95 = 0.695'],
    [4, null, 5, 'Aurora', 4_000, 0, '80 % of 50.00; its parent has 70 % and earns no override'],
    [5, null, 6, 'Aurora', 1_800, 0, '90 % of 20.00'],
    [6, null, 7, 'Aurora', 333, 0, '33.3333 % of 10.00 = 3.33333'],
    [2, 6, 7, 'Aurora', 267, 0, '60 - 33.3333 = 26.6667 % of 10.00 = 2.66667'],
    [1, 2, 7, 'Aurora', 100, 0, '70 - 60 = 10 % of 10.00'],
    [9, null, 8, 'Aurora', 800, 0, '80 % of 10.00; neither 70 % nor 75 % above it exceeds that: no override'],
  ])(
    'of agent %i through %s for merchant %i at %s is %i, withheld %i: %s',
    (agent, from, shop, processor, amount, withheld) => {
      const line = found.pay_line.find(
        (it) =>
          it.masteragentid === agent &&
          it.fromagentid === from &&
          it.xmid === xmidOf(shop) &&
          it.processor === processor,
      )
      expect([line?.amount, line?.withheld, line?.kind]).toEqual([
        amount,
        withheld,
        from === null ? 'own' : 'override',
      ])
    },
  )
  test('is in the table above: there are 21', () => expect(found.pay_line).toHaveLength(21))
})

describe('what the house keeps of a merchant, in cents', () => {
  test.each<[xmid: string, processor: string, house: number, arithmetic: string]>([
    [xmidOf(1), 'Aurora', 2_800, '100.00 - 52.00 - 10.00 - 10.00'],
    [xmidOf(1), 'Borealis', 300, '10.01 - 5.01 - 1.00 - 1.00: what is left by rounding too'],
    [xmidOf(2), 'Aurora', -500, '-10.01 + 3.01 + 1.00 + 1.00'],
    [xmidOf(3), 'Aurora', 3_600, '40.00 - 4.00: what is withheld falls to the house'],
    [xmidOf(4), 'Aurora', 207, '6.95 - 3.48 - 0.70 - 0.70'],
    [xmidOf(5), 'Aurora', 1_000, '50.00 - 40.00'],
    [xmidOf(6), 'Aurora', 200, '20.00 - 18.00'],
    [xmidOf(7), 'Aurora', 300, '10.00 - 3.33 - 2.67 - 1.00'],
    [xmidOf(8), 'Aurora', 200, '10.00 - 8.00'],
    ['stranger', 'Aurora', 777, 'a MID that is not in the portfolio is the house’s alone'],
  ])('%s at %s: %i = %s', (xmid, processor, house) => {
    const row = found.merchant_month.find((it) => it.xmid === xmid && it.processor === processor)
    expect([row?.house, row?.isknown, row?.masteragentid === null]).toEqual([
      house,
      xmid !== 'stranger',
      xmid === 'stranger',
    ])
  })
  test('adds up with all that is paid to the net of all merchants: 155.88 + 88.84 = 244.72 = 100.00 + 10.01 - 10.01 + 40.00 + 6.95 + 50.00 + 20.00 + 10.00 + 10.00 + 7.77', () => {
    const sum = (rows: Record<string, unknown>[], name: string) =>
      rows.reduce((total, row) => total + Number(row[name]), 0)
    const [paid, kept, net] = [
      sum(found.pay_line, 'amount'),
      sum(found.merchant_month, 'house'),
      sum(found.merchant_month, 'net'),
    ]
    expect([paid, kept, net]).toEqual([15_588, 8_884, 24_472])
    expect(paid + kept).toBe(net)
  })
})

describe('a statement, in cents', () => {
  test.each<[agent: number, field: string, cents: number | string | null, arithmetic: string]>([
    [3, 'own', 5_748, '52.00 + 5.01 - 3.01 + 3.48'],
    [3, 'withheld', 2_000, 'shown, never hidden'],
    [3, 'equipment', 5_500, '40 % of 300.00 - 200.00 and 15.00 once, for the terminal of its merchant'],
    [3, 'subscriptions', 1_250, 'from this month on, one time'],
    [3, 'adjustments', -75, 'that of its merchant'],
    [3, 'due', 9_923, '57.48 + 55.00 - 0.75 - 12.50'],
    [3, 'payable', 9_923, 'at least 20.00'],
    [3, 'merchants', 4, 'own merchants with a row'],
    [2, 'override', 1_737, '10.00 + 1.00 - 1.00 + 4.00 + 0.70 + 2.67'],
    [2, 'equipment', 500, '45 - 40 = 5 % of 100.00'],
    [2, 'adjustments', 500, ''],
    [2, 'due', 2_737, '17.37 + 5.00 + 5.00'],
    [1, 'override', 1_170, '10.00 + 1.00 - 1.00 + 0.70 + 1.00'],
    [1, 'equipment', 1_500, '60 - 45 = 15 % of 100.00'],
    [1, 'withheld', 400, ''],
    [1, 'due', 2_670, '11.70 + 15.00'],
    [4, 'carryin', -4_000, '80 % of the loss of 50.00 in February, which nobody paid'],
    [4, 'due', 0, '40.00 - 40.00'],
    [4, 'payable', 0, 'zero pays nothing'],
    [4, 'carryout', 0, ''],
    [4, 'payeeid', 3, 'the statement stays with the agent'],
    [5, 'due', 1_800, ''],
    [5, 'payable', 0, 'the office account is computed and shown, never paid out'],
    [5, 'carryout', 0, 'its pay is the house’s income'],
    [5, 'hold', 'Office account', ''],
    [6, 'carryin', 900, 'February’s 9.00 were held'],
    [6, 'due', 1_233, '3.33 + 9.00'],
    [6, 'payable', 0, 'held, and below 20.00'],
    [6, 'carryout', 1_233, 'nothing that is due is lost'],
    [6, 'hold', 'Routing number fails its check', ''],
  ])('of agent %i, %s: %s %s', (agent, field, value) => {
    expect(found.statement.find((it) => it.masteragentid === agent)?.[field]).toBe(value)
  })
})

describe('what a contract may settle otherwise', () => {
  const settled = async (settings: Partial<Book['settings']>, work: (answer: Answer) => void) => {
    const undo = new Error('undone')
    await portal.db
      .transaction(async (tx) => {
        const { minimum, netNegative, amountBasis } = { ...book.settings, ...settings }
        await writeMoneySettings(tx, { netNegative, amountBasis, minimumPayout: minimum / 100 })
        work(await relationsOf(tx, month))
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
  }
  const line = (answer: Answer, shop: number, processor = 'Aurora') =>
    answer.pay_line.find(
      (it) => it.masteragentid === 3 && it.xmid === xmidOf(shop) && it.processor === processor,
    )?.amount

  test('is that a loss counts as 0: the agent has 2.00 of merchant 2, the house bears 12.01', () =>
    settled({ netNegative: 'floor' }, (answer) => {
      expect(line(answer, 2)).toBe(200)
      expect(answer.merchant_month.find(({ xmid }) => xmid === xmidOf(2))?.house).toBe(-1_201)
    }))
  test('is that a flat amount of 2.00 is paid once a month, on the first merchant', () =>
    settled({ amountBasis: 'perAgentMonth' }, (answer) =>
      expect([1, 2].map((shop) => line(answer, shop))).toEqual([5_200, -501]),
    ))
  test('is that a flat amount of 2.00 is paid for each transaction, 10 and 2 of merchant 1', () =>
    settled({ amountBasis: 'perTransaction' }, (answer) =>
      expect([line(answer, 1), line(answer, 1, 'Borealis')]).toEqual([7_000, 901]),
    ))
  test('is that there is no minimum payout: 12.33 would be paid, but are held', () =>
    settled({ minimum: 0 }, (answer) =>
      expect(answer.statement.map(({ masteragentid, payable }) => [masteragentid, payable])).toContainEqual([
        6, 0,
      ]),
    ))
})

test('what is collected once is collected in the first open month, also before any month was locked', async () => {
  const unlocked = await openTestPortal({ demo: false })
  onTestFinished(() => unlocked.close())
  await write(unlocked.db, { ...book, subscriptions: [{ ...book.subscriptions[0]!, start: before }] })
  const collected = async (of: string) => {
    const { statement } = await relationsOf(unlocked.db, of)
    return statement.find(({ masteragentid }) => masteragentid === 3)?.['subscriptions'] ?? 0
  }
  expect([await collected(before), await collected(month)]).toEqual([1_250, 0])
})
