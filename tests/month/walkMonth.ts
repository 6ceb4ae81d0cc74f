import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { openPage } from '../browser/lib/page.ts'
import { listening, type Served } from '../browser/lib/serve.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { processors, type Book } from './book.ts'
import { countClicks, type Clicks } from './clicks.ts'
import { cleanFile, emptyPortal, type MonthPortal } from './monthPortal.ts'
import {
  addFiles,
  answerAll,
  chooseMonth,
  importAll,
  lockMonth,
  payMonth,
  signIn,
  typeTotals,
  type Layouts,
} from './walk.ts'

type ServedMonthPortal = Served & MonthPortal

/** A portal without a processor, where the merchants are known. */
const openMonthPortal = (book: Book): Promise<ServedMonthPortal> =>
  emptyPortal({ ...book, shops: book.shops.map((shop) => ({ ...shop, processor: '' as never })) }).then(
    listening,
  )

/**
 * Opens such a portal and a browser before the tests of a file, and closes them after these; answers the walk
 * of a month on them.
 */
export function monthWalks(
  book: Book,
): (walk: Omit<MonthWalk, 'browser' | 'portal' | 'book'>) => Promise<number> {
  let portal: ServedMonthPortal
  let browser: Browser
  beforeAll(async () => {
    ;[portal, browser] = await Promise.all([openMonthPortal(book), launch()])
  })
  afterAll(async () => {
    await browser.close()
    await portal.close()
  })
  return (walk) => walkMonth({ ...walk, browser, portal, book })
}

/** A month to bring from its first file to the payout; `look` is called at what is worth a look. */
type MonthWalk = {
  browser: Browser
  portal: ServedMonthPortal
  book: Book
  layouts: Layouts
  month: string
  look?: (page: Page, what: string) => Promise<void>
}

const lookAway = async () => {}

/** ann: from the first file to the lock. */
async function lock(page: Page, clicks: Clicks, { book, layouts, month, look = lookAway }: MonthWalk) {
  await addFiles(
    page,
    clicks,
    processors.map((processor) => cleanFile(book, layouts[processor], month).file),
  )
  const onMapping = () => look(page, 'the columns of a file')
  await answerAll(page, clicks, { month, layouts, onMapping })
  await look(page, 'files that are ready')
  await importAll(page, clicks)
  await chooseMonth(page, clicks, month)
  await typeTotals(page, clicks, book, month)
  await look(page, 'totals that agree')
  await lockMonth(page, clicks, month)
}

/** From the first file to the released payout, by the two persons it takes; answers the clicks. */
async function walkMonth(walk: MonthWalk): Promise<number> {
  const { browser, portal, month, look = lookAway } = walk
  const clicks = countClicks()
  for (const who of ['ann', 'bob'] as const) {
    const { page, close } = await openPage(browser, portal, null)
    // Each file is read by processes of its own, which a busy machine starts slowly.
    page.setDefaultTimeout(40_000)
    await signIn(page, clicks, portal.origin, who)
    if (who === 'ann') await lock(page, clicks, walk)
    else {
      await chooseMonth(page, clicks, month)
      await payMonth(page, clicks)
      await look(page, 'a released payout')
    }
    await close()
  }
  const states = await portal.call('ann', 'GET', '/api/v1/month')
  expect(states.body.data).toContainEqual(expect.objectContaining({ month, state: 'released' }))
  process.stdout.write(`${month}: ${clicks.count()} clicks\n`)
  return clicks.count()
}
