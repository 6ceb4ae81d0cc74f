import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { bookOf, processors } from '../month/book.ts'
import { countClicks, type Clicks } from '../month/clicks.ts'
import { lookAt } from '../month/look.ts'
import { cleanFile, emptyPortal, type MonthPortal } from '../month/monthPortal.ts'
import { sixLayouts } from '../month/sixLayouts.ts'
import {
  addFiles,
  answerAll,
  chooseMonth,
  importAll,
  lockMonth,
  payMonth,
  signIn,
  typeTotals,
} from '../month/walk.ts'
import { openPage } from './lib/page.ts'
import { listening, type Served } from './lib/serve.ts'

vi.setConfig({ testTimeout: 300_000 })

const book = bookOf(20_261_123, new Date())
let server: Served & MonthPortal
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    emptyPortal({ ...book, shops: book.shops.map((shop) => ({ ...shop, processor: '' as never })) }).then(
      listening,
    ),
    launch(),
  ])
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

type Look = (page: Page, what: string) => Promise<void>

/** ann: from the first file to the lock. */
async function lock(page: Page, clicks: Clicks, month: string, look: Look) {
  await addFiles(
    page,
    clicks,
    processors.map((processor) => cleanFile(book, sixLayouts[processor], month).file),
  )
  const onMapping = () => look(page, 'the columns of a file')
  await answerAll(page, clicks, { month, layouts: sixLayouts, onMapping })
  await look(page, 'files that are ready')
  await importAll(page, clicks)
  await chooseMonth(page, clicks, month)
  await typeTotals(page, clicks, book, month)
  await look(page, 'totals that agree')
  await lockMonth(page, clicks, month)
}

/** From the first file to the released payout, by the two persons it takes; answers the clicks. */
async function walk(month: string, look: Look): Promise<number> {
  const clicks = countClicks()
  for (const who of ['ann', 'bob'] as const) {
    const { page, close } = await openPage(browser, server, null)
    // Each file is read by processes of its own, which a busy machine starts slowly.
    page.setDefaultTimeout(40_000)
    await signIn(page, clicks, server.origin, who)
    if (who === 'ann') await lock(page, clicks, month, look)
    else {
      await chooseMonth(page, clicks, month)
      await payMonth(page, clicks)
      await look(page, 'a released payout')
    }
    await close()
  }
  const states = await server.call('ann', 'GET', '/api/v1/month')
  expect(states.body.data).toContainEqual(expect.objectContaining({ month, state: 'released' }))
  process.stdout.write(`${month}: ${clicks.count()} clicks\n`)
  return clicks.count()
}

it('brings a first month of six processors that nobody knows from nothing to the payout in 40 clicks', async () => {
  const complaints: string[] = []
  const seen = new Set<string>()
  const look: Look = async (page, what) => {
    if (seen.has(what)) return
    seen.add(what)
    complaints.push(...(await lookAt(page, what)))
  }
  expect(await walk(book.months[1], look)).toBeLessThanOrEqual(40)
  expect(seen.size).toBe(4)
  expect(complaints).toEqual([])
})
it('brings the next month there in 20 clicks', async () => {
  expect(await walk(book.months[2], async () => {})).toBeLessThanOrEqual(20)
})
