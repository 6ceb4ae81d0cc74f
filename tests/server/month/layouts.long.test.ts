import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ImportAnswers } from '../../../schemas/imports/answers.ts'
import { bookOf, processors, type Processor } from '../../month/book.ts'
import type { Layout } from '../../month/draft.ts'
import { cleanFile, emptyPortal, expected, type MonthPortal } from '../../month/monthPortal.ts'
import { sixLayouts } from '../../month/sixLayouts.ts'
import { unseenLayouts } from '../../month/unseenLayouts.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const book = bookOf(20_261_123, new Date())
const [first, second] = book.months
/** MONTH_SEED=<number> takes the layouts of another run again. */
const seed = Number(process.env['MONTH_SEED'] ?? randomInt(2 ** 31))
let portal: MonthPortal
beforeAll(async () => {
  portal = await emptyPortal(book)
})
afterAll(() => portal.close())

/** What is stored of a month and processor, in cents. */
const storedRows = (month: string, processor: Processor) =>
  portal.db.query(
    `select xmid as mid, txncount as count, (sales * 100)::int as sales, (income * 100)::int as income,
        (expense * 100)::int as expense, (net * 100)::int as net
      from residual where month = $1 and processor = $2 order by xmid collate "C"`,
    [`${month}-01`, processor],
  )
const oracle = (layout: Layout, month: string) =>
  book
    .figures(month, layout.processor)
    .map((row) => layout.stored(row))
    .map(({ mid, count, sales, income, expense, net }) => ({ mid, count, sales, income, expense, net }))
    .sort((one, other) => (one.mid < other.mid ? -1 : 1))

/** Sends a file of a new processor, and its columns when asked; answers how often it was asked. */
async function imports(layout: Layout, month: string): Promise<number> {
  const { file, mapping } = cleanFile(book, layout, month)
  const source: ImportAnswers = { processor: layout.processor, newprocessor: true }
  const sent = await portal.send(file, source)
  if (sent.status === 200) return 0
  expect(sent, JSON.stringify(sent.body)).toMatchObject({ status: 409, body: { asks: { mapping: {} } } })
  await expected(portal.send(file, { ...source, ...(mapping && { mapping }) }))
  return 1
}

describe('six layouts are stored to the cent', () => {
  test.each(processors)('%s, whose columns are asked for at most once', async (processor) => {
    const layout = sixLayouts[processor]
    expect(await imports(layout, first)).toBe(layout.fields ? 1 : 0)
    expect(await storedRows(first, processor)).toEqual(oracle(layout, first))
  })
})

describe(`layouts that nobody has seen before are stored to the cent (MONTH_SEED=${seed})`, () => {
  const layouts = unseenLayouts(seed)
  test.each(processors)('%s', async (processor) => {
    await imports(layouts[processor], second)
    expect(await storedRows(second, processor)).toEqual(oracle(layouts[processor], second))
  })
})
