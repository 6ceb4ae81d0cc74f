import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../server/db/db.ts'
import { lockMonthIn, reopenMonthIn } from '../../../server/money/lock.ts'
import {
  payRun,
  relationsOf,
  settle,
  trial,
  waive,
  write,
  xmidOf,
  type Answer,
  type Book,
} from '../../money/book.ts'
import { reckon } from '../../money/reference.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
})
afterAll(() => portal.close())

const months = ['2025-11-01', '2025-12-01', '2026-01-01']
const cents = fc.integer({ min: -50_000, max: 200_000 })
const percent = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.constantFrom(0, 500_000, 333_333, 1_000_000),
)
const month = fc.constantFrom(...months)

/** Any forest of agents (a parent has a smaller number), with everything that can bend what is paid. */
const books: fc.Arbitrary<Book> = fc.integer({ min: 1, max: 7 }).chain((count) => {
  const some = fc.integer({ min: 1, max: count })
  const agents = fc.tuple(
    ...Array.from({ length: count }, (_, index) =>
      fc.record({
        id: fc.constant(index + 1),
        parent: index === 0 ? fc.constant(null) : fc.option(fc.integer({ min: 1, max: index }), { freq: 6 }),
        percent,
        flat: fc.constantFrom(0, 0, 150, 999),
        eqpercent: percent,
        eqflat: fc.constantFrom(0, 1_500),
        office: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
        payoninactive: fc.boolean(),
        payee: fc.option(some, { freq: 2 }),
        bank: fc.constantFrom(
          'good' as const,
          'good' as const,
          'good' as const,
          'none' as const,
          'bad' as const,
        ),
      }),
    ),
  )
  const shops = fc.array(
    fc.record({
      agent: some,
      status: fc.constantFrom(1 as const, 2 as const, 2 as const, 3 as const, 3 as const),
      closed: fc.option(
        fc.constantFrom('2025-10-31', '2025-11-01', '2025-12-01', '2025-12-31', '2026-01-15'),
      ),
    }),
    { minLength: 1, maxLength: 8 },
  )
  const line = fc.record({
    month,
    processor: fc.constantFrom('Aurora', 'Borealis'),
    shop: fc.integer({ min: 1, max: 10 }),
    txns: fc.integer({ min: 0, max: 30 }),
    sales: fc.constantFrom(0, 12_345),
    income: cents,
    expense: cents,
  })
  return fc.record({
    agents,
    shops: shops.map((list) => list.map((shop, index) => ({ ...shop, id: index + 1 }))),
    lines: fc
      .uniqueArray(line, {
        minLength: 1,
        maxLength: 24,
        selector: (it) => `${it.month} ${it.processor} ${it.shop}`,
      })
      .map((list) => list.map(({ shop, ...it }) => ({ ...it, xmid: xmidOf(shop) }))),
    terminals: fc
      .array(
        fc.record({
          agent: fc.option(some),
          cost: fc.integer({ min: 0, max: 30_000 }),
          soldfor: fc.integer({ min: 1, max: 40_000 }),
          month,
        }),
        { maxLength: 3 },
      )
      .map((list) => list.map((it, index) => ({ ...it, id: index + 1, shop: it.agent === null ? 1 : null }))),
    subscriptions: fc
      .array(
        fc.record({
          agent: some,
          amount: fc.integer({ min: -2_000, max: 6_000 }),
          start: fc.option(month),
          end: fc.option(month),
          remaining: fc.option(fc.integer({ min: 0, max: 3 })),
        }),
        { maxLength: 3 },
      )
      .map((list) => list.map((it, index) => ({ ...it, id: index + 1 }))),
    adjustments: fc
      .array(fc.record({ agent: fc.option(some), month, amount: cents.filter((n) => n !== 0) }), {
        maxLength: 4,
      })
      .map((list) => list.map((it, index) => ({ ...it, id: index + 1, shop: it.agent === null ? 1 : null }))),
    rates: fc
      .uniqueArray(fc.record({ agent: some, from: month, percent, isFirst: fc.boolean() }), {
        maxLength: 3,
        selector: (it) => `${it.agent} ${it.from}`,
      })
      // A rate is the first of its agent only when it is the only one.
      .map((list) =>
        list.map((it) => ({
          ...it,
          isFirst: it.isFirst && list.filter(({ agent }) => agent === it.agent).length === 1,
        })),
      ),
    settings: fc.record({
      netNegative: fc.constantFrom('pass' as const, 'pass' as const, 'floor' as const),
      amountBasis: fc.constantFrom(
        'perActiveMerchant' as const,
        'perAgentMonth' as const,
        'perTransaction' as const,
      ),
      minimum: fc.constantFrom(0, 0, 2_500),
    }),
  })
})

const sum = (rows: Record<string, unknown>[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name]), 0)
const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()

/** Pays the run of the newest locked month, so that its lock carries what the next month forecast. */
async function payAll(tx: Tx) {
  const [lock] = await tx.query<{ month: string }>(
    'select max(month) as month from month_lock where reopened_at is null',
  )
  if (lock?.month) await payRun(tx, lock.month)
}

const runs = Number(process.env['MONEY_RUNS'] ?? 30)

/** An agent with a flat amount a month whose only merchant with a row is inactive: it is paid none. */
const onlyInactive: Book = {
  agents: [
    {
      id: 1,
      parent: null,
      percent: 0,
      flat: 150,
      eqpercent: 0,
      eqflat: 0,
      office: true,
      payoninactive: false,
      payee: null,
      bank: 'good',
    },
  ],
  shops: [{ id: 1, agent: 1, status: 3, closed: null }],
  lines: [
    {
      month: '2025-11-01',
      processor: 'Aurora',
      txns: 0,
      sales: 0,
      income: 0,
      expense: 0,
      xmid: '400000000001',
    },
  ],
  terminals: [],
  subscriptions: [],
  adjustments: [],
  rates: [],
  settings: { netNegative: 'pass', amountBasis: 'perAgentMonth', minimum: 0 },
}

test('on any book every line is that of a second reckoning in whole cents, and what is paid and what the house keeps is the net', async () => {
  await fc.assert(
    fc.asyncProperty(books, (book) =>
      trial(portal.db, async (tx) => {
        await write(tx, book)
        for (const expected of reckon(book)) {
          await payAll(tx)
          const found = await relationsOf(tx, expected.month)
          expect(sum(found.pay_line, 'amount') + sum(found.merchant_month, 'house')).toBe(
            sum(found.merchant_month, 'net'),
          )
          expect(
            sorted(
              found.pay_line.map((it) => [
                it.masteragentid,
                it.fromagentid,
                it.xmid,
                it.processor,
                Math.round(Number(it.percent) * 10_000),
                it.flat,
                it.amount,
                it.withheld,
              ]),
            ),
          ).toEqual(
            sorted(
              expected.paid.map((it) => [
                it.agent,
                it.from,
                it.xmid,
                it.processor,
                it.percent,
                it.flat,
                it.amount,
                it.withheld,
              ]),
            ),
          )
          expect(sorted(found.merchant_month.map((it) => [`${it.processor} ${it.xmid}`, it.house]))).toEqual(
            sorted([...expected.house]),
          )
          expect(
            sorted(
              found.statement_line
                .filter(({ kind }) => kind !== 'carry')
                .map((it) => [it.masteragentid, it.kind, it.amount]),
            ),
          ).toEqual(sorted(expected.extras.map((it) => [it.agent, it.kind, it.amount])))
          expect(
            sorted(
              found.statement.map((it) => [
                it.masteragentid,
                it.own,
                it.override,
                it.withheld,
                Number(it.equipment) + Number(it.adjustments) - Number(it.subscriptions),
                it.carryin,
                it.due,
                it.payable,
                it.carryout,
              ]),
            ),
          ).toEqual(
            sorted(
              [...expected.settled].map(([id, it]) => [
                id,
                it.own,
                it.override,
                it.withheld,
                it.extras,
                it.carryin,
                it.due,
                it.payable,
                it.carryout,
              ]),
            ),
          )
          await settle(tx, expected.month)
          await lockMonthIn(tx, { month: expected.month, username: 'x', address: '', waive })
        }
      }),
    ),
    { numRuns: runs, examples: [[onlyInactive]] },
  )
}, 600_000)

test('on any book some agents are answered what all are answered of them, and a lock freezes exactly what was computed, version for version', async () => {
  await fc.assert(
    fc.asyncProperty(
      books,
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
      (book, asked) =>
        trial(portal.db, async (tx) => {
          await write(tx, book)
          const mine = (rows: Record<string, unknown>[]) =>
            rows.filter((row) => asked.includes(Number(row.masteragentid)))
          const action = { username: 'x', address: '', waive }
          for (const { month } of reckon(book)) {
            await payAll(tx)
            await settle(tx, month)
            const open: Answer = await relationsOf(tx, month)
            const some = await relationsOf(tx, month, asked)
            const narrowed = {
              ...open,
              pay_line: mine(open.pay_line),
              statement: mine(open.statement),
              statement_line: mine(open.statement_line),
            }
            expect(some).toEqual(narrowed)
            const first = await lockMonthIn(tx, { month, ...action })
            expect(await relationsOf(tx, month)).toEqual(open)
            expect(await relationsOf(tx, month, asked)).toEqual(narrowed)
            await reopenMonthIn(tx, { month, reason: 'again', ...action })
            expect(await relationsOf(tx, month)).toEqual(open)
            const second = await lockMonthIn(tx, { month, ...action })
            expect([second.version, second.hash]).toEqual([2, first.hash])
            expect(await relationsOf(tx, month, null, 1)).toEqual(open)
          }
        }),
    ),
    { numRuns: Math.ceil(runs / 3) },
  )
}, 600_000)
