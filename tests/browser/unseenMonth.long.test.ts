import { randomInt } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { bookOf } from '../month/book.ts'
import { unseenLayouts } from '../month/unseenLayouts.ts'
import { openMonthPortal, walkMonth, type ServedMonthPortal } from '../month/walkMonth.ts'

vi.setConfig({ testTimeout: 300_000 })

const book = bookOf(20_261_123, new Date())
/** MONTH_SEED=<number> takes the layouts of another run again. */
const seed = Number(process.env['MONTH_SEED'] ?? randomInt(2 ** 31))
const layouts = unseenLayouts(seed)
let portal: ServedMonthPortal
let browser: Browser
beforeAll(async () => {
  ;[portal, browser] = await Promise.all([openMonthPortal(book), launch()])
})
afterAll(async () => {
  await browser.close()
  await portal.close()
})

describe(`six files in layouts that nobody has seen before (MONTH_SEED=${seed})`, () => {
  it('are brought from nothing to the payout of a first month in 40 clicks', async () => {
    expect(await walkMonth({ browser, portal, book, layouts, month: book.months[1] })).toBeLessThanOrEqual(40)
  })
  it('are brought to the payout of the next month in 20 clicks', async () => {
    expect(await walkMonth({ browser, portal, book, layouts, month: book.months[2] })).toBeLessThanOrEqual(20)
  })
})
