import { randomInt } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { bookOf } from '../month/book.ts'
import { unseenLayouts } from '../month/unseenLayouts.ts'
import { monthWalks } from '../month/walkMonth.ts'

vi.setConfig({ testTimeout: 300_000 })

const book = bookOf(20_261_123, new Date())
/** MONTH_SEED=<number> takes the layouts of another run again. */
const seed = Number(process.env['MONTH_SEED'] ?? randomInt(2 ** 31))
const layouts = unseenLayouts(seed)
const walkMonth = monthWalks(book)

describe(`six files in layouts that nobody has seen before (MONTH_SEED=${seed})`, () => {
  it('are brought from nothing to the payout of a first month in 40 clicks', async () => {
    expect(await walkMonth({ layouts, month: book.months[1] })).toBeLessThanOrEqual(40)
  })
  it('are brought to the payout of the next month in 20 clicks', async () => {
    expect(await walkMonth({ layouts, month: book.months[2] })).toBeLessThanOrEqual(20)
  })
})
