import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Batch } from '../../schemas/imports/importReplies.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { answer, button, load, refusal } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

let home: Served
let browser: Browser
beforeAll(async () => {
  ;[home, browser] = await Promise.all([serve(), launch()])
})
afterAll(async () => {
  await browser.close()
  await home.close()
})

/** What stands in the bar, and whether it fits. */
const barOf = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('.bp6-navbar')!
    const [left, right] = ['.shell-left', '.shell-right'].map((name) =>
      document.querySelector(name)!.getBoundingClientRect(),
    )
    return {
      items: [...document.querySelectorAll('.shell-nav > *')].map((it) => it.textContent),
      fits: bar.scrollWidth <= bar.clientWidth && left!.right <= right!.left && right!.right <= innerWidth,
      hasFind: document.querySelector('.shell-right .shell-find')!.getBoundingClientRect().width >= 24,
    }
  })

test('the bar of an administrator drops items one by one from 1440 to 1024 pixels, and never all', async () => {
  const { page, complaints, close } = await openPage(browser, home, 'admin')
  await load(page, home, '/shared-drive')
  // The links out of the portal come with an answer of their own, after the screen.
  await expect.poll(async () => (await barOf(page)).items).toContain('Training')
  const { items: all } = await barOf(page)
  let before = all.length
  const counts = new Set<number>()
  for (let width = 1440; width >= 1024; width -= 16) {
    await page.setViewportSize({ width, height: 800 })
    const expected = expect.poll(async () => (await barOf(page)).fits, { message: `${width} pixels` })
    await expected.toBe(true)
    const { items, hasFind } = await barOf(page)
    expect([width, hasFind]).toEqual([width, true])
    const shown = items.at(-1) === 'More' ? items.slice(0, -1) : items
    expect([width, shown]).toEqual([width, all.slice(0, shown.length)])
    expect(shown.length).toBeLessThanOrEqual(before)
    expect(shown.length).toBeGreaterThan(0)
    before = shown.length
    counts.add(before)
  }
  expect(counts.size).toBeGreaterThan(2)
  await button(page, 'More').click()
  const menu = page.getByRole('menu', { name: 'More' })
  await menu.getByRole('menuitem', { name: 'Training' }).waitFor()
  const box = (await menu.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(800)
  expect(complaints).toEqual([])
  await close()
})

test.each([390, 700, 1024, 1100, 1101, 1280, 1440])(
  'the support card covers nothing of the screen at %i pixels, unfolded or folded',
  async (width) => {
    const { page, close } = await openPage(browser, home, 'admin', { viewport: { width, height: 800 } })
    await load(page, home, '/manage/merchants')
    /** Whether a box of the shell lies over the box of what the screen shows, wherever it is scrolled to. */
    const covers = (name: string) =>
      page.evaluate((selector) => {
        const boxOf = (element: Element) => element.getBoundingClientRect()
        const card = boxOf(document.querySelector(selector)!)
        return [...document.querySelectorAll('.shell-main > *')]
          .map(boxOf)
          .some(
            (own) =>
              own.left < card.right &&
              card.left < own.right &&
              own.top < card.bottom &&
              card.top < own.bottom,
          )
      }, name)
    const ends = async (name: string) => {
      const found: boolean[] = []
      for (const top of [0, 300, 100_000]) {
        await page.evaluate((to) => scrollTo(0, to), top)
        found.push(await covers(name))
      }
      return found
    }
    expect(await ends('.shell-support')).toEqual([false, false, false])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await button(page, 'Fold').press('Enter')
    await page.locator('#support:focus-visible').waitFor()
    const ringEnd = await page.locator('#support').evaluate((it) => {
      const { outlineWidth, outlineOffset } = getComputedStyle(it)
      return it.getBoundingClientRect().bottom + parseFloat(outlineWidth) + parseFloat(outlineOffset)
    })
    expect(ringEnd).toBeLessThanOrEqual(800)
    const footer = await page.evaluate(() => {
      const [foot, own] = ['.shell-footer', '#support'].map((it) =>
        document.querySelector(it)!.getBoundingClientRect(),
      )
      return own!.top >= foot!.top && own!.bottom <= foot!.bottom
    })
    expect(footer).toBe(true)
    await page.reload()
    await button(page, 'Validate your email').waitFor()
    await close()
  },
)

test('the history of imports takes the width of the window, so that Undo is visible', async () => {
  const { page, complaints, close } = await openPage(browser, home, 'admin')
  const sum = 123_456_789_012.34
  const batch: Batch = {
    id: 7,
    filename: 'Aurora of October as it was corrected.csv',
    sha256: '0123456789abcdef'.repeat(4),
    size: 1200,
    username: 'ann.of.the.back.office',
    importedat: 1_777_896_000,
    processor: 'Aurora Payments of the North',
    date: '2026-10',
    rows: 1_200_000,
    inserted: 1_200_000,
    updated: 1_200_000,
    unchanged: 1_200_000,
    totals: { rows: 1_200_000, income: sum, expense: sum, net: sum, sales: sum },
    state: 'imported',
    undo: { allowed: true, reason: null },
    undoneby: null,
    undoneat: null,
  }
  await page.route('**/api/v1/file/compdata/history*', (call) =>
    call.fulfill({ json: { data: [batch], total_length: 1 } }),
  )
  await load(page, home, '/import/compensation')
  const frame = page.getByRole('region', { name: 'Imported files' })
  const undo = page.getByRole('button', { name: /^Undo the import of Aurora/ })
  const endOf = async (it: Locator) => {
    const { x, width } = (await it.boundingBox())!
    return x + width
  }
  await undo.waitFor()
  expect(await endOf(undo)).toBeLessThan(await endOf(frame))
  await button(page, 'Fold').click()
  await button(page, 'Validate your email').waitFor()
  expect(await endOf(undo)).toBeLessThan(await endOf(frame))
  expect(await endOf(frame)).toBeGreaterThan(1400)
  expect((await page.locator('.import-form').boundingBox())!.width).toBe(1120)
  await page.emulateMedia({ media: 'print' })
  const sizes = await page
    .locator('.import-batches tbody td, .import-batches tbody td *')
    .evaluateAll((them) =>
      them.filter((it) => it.getClientRects().length > 0).map((it) => getComputedStyle(it).fontSize),
    )
  expect(new Set(sizes).size).toBe(1)
  expect(complaints).toEqual([])
  await close()
})

test.each(['/import/compensation', '/inbox'])(
  'the faults of a file on %s end within a phone, and are printed with the name of the file',
  async (path) => {
    const phone = { viewport: { width: 390, height: 844 } }
    const { page, complaints, close } = await openPage(browser, home, 'admin', phone)
    await load(page, home, path)
    const row = ['8800000000123456', '$1,234,567.89 of a long day', '1O4.50']
    const lines = ['MID,Transactions,Income,Expenses', row.map((cell) => `"${cell}"`).join(',') + ',4.00', '']
    const file = { name: 'Aurora_Oct2026.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.locator('input[type=file]').setInputFiles(file)
    if (path === '/inbox') await page.getByText(/faults in the file$/).click()
    else await button(page, 'Submit').click()
    const faults = page.getByRole('region', { name: 'Faults' })
    await faults.waitFor()
    const texts = await faults.locator('tbody tr').allTextContents()
    expect(texts).toEqual([
      expect.stringContaining(row[1]!),
      expect.stringContaining('Income is not an amount; write it like 1,234.56'),
    ])
    const widths = await faults.evaluate((it) => [it.scrollWidth, it.clientWidth])
    expect(widths[0]).toBe(widths[1])
    await page.emulateMedia({ media: 'print' })
    const names = [page.getByText(/^Aurora_Oct2026\.csv, by/), page.getByLabel('File name')]
    expect(await names[path === '/inbox' ? 0 : 1]!.isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(complaints.filter((text) => !/\b422\b/.test(text))).toEqual([])
    await close()
  },
)

test('the first load of a list asks for six files and five calls, and for the forms once a row is selected', async () => {
  const { page, complaints, close } = await openPage(browser, home, 'admin')
  const asked: string[] = []
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    // The name of a file without its hash.
    if (protocol === 'http:') asked.push(pathname.replace(/^\/assets\/(.+)-[\w-]{8}(\.\w+)$/, '$1$2'))
  })
  await page.goto(`${home.origin}/manage/merchants`)
  await page.locator('tbody tr:nth-child(10) td').first().waitFor()
  await expect
    .poll(() => [...asked].sort())
    .toEqual([
      '/api/v1/inbox/count',
      '/api/v1/merchant',
      '/api/v1/portal',
      '/api/v1/renew',
      '/api/v1/view',
      '/manage/merchants',
      'index.css',
      'index.js',
      'rolldown-runtime.js',
      'shell.css',
      'shell.js',
    ])
  await page.getByRole('checkbox', { name: 'Select the page' }).check({ force: true })
  await expect.poll(() => asked).toContain('ValidatedForm.js')
  expect(complaints).toEqual([])
  await close()
})

test.each([
  ['/manage/merchants', 390],
  ['/manage/agents', 390],
  ['/payouts', 390],
  ['/audit', 390],
  ['/manage/merchants', 320],
])('no name of a row of %s is cut off at %i pixels', async (path, width) => {
  const viewport = { width, height: 800 }
  const { page, complaints, close } = await openPage(browser, home, 'admin', { viewport })
  await load(page, home, path)
  await page.locator('tbody .table-first').first().waitFor()
  const cut = await page
    .locator('tbody .table-first')
    .evaluateAll((them) => them.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent))
  expect(cut).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test.each([390, 1280, 1440])(
  'the subject of a ticket has all the room that is left at %i pixels',
  async (width) => {
    const viewport = { width, height: 800 }
    const { page, complaints, close } = await openPage(browser, home, 'staff', { viewport })
    const subject = "40012 - Meadow & Sons O'Quay - the terminal prints no receipts since Friday evening"
    const line = { id: 3, subject, tickettypeid: 9, statusid: 1, reporter: 'ann', created: 1_790_000_000 }
    await answer(page, '/api/v1/ticket?*', 200, { data: [{ ...line, attachments: 0 }], total_length: 1 })
    await load(page, home, '/tickets')
    const shown = await page.getByTitle(subject).evaluate((text) => ({
      isCut: text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight,
      width: text.getBoundingClientRect().width,
    }))
    expect(shown).toEqual({ isCut: false, width: expect.any(Number) })
    // On a phone it wraps, so that the column is no wider than the window.
    expect(shown.width).toBeLessThan(width)
    expect(complaints).toEqual([])
    await close()
  },
)

test('an error has the focus each time it comes, and gives it back to the Save that failed', async () => {
  const { page, close } = await openPage(browser, home, 'admin')
  await load(page, home, '/manage/merchants?open=1')
  await page.getByLabel('Sales Rep').fill('Nobody')
  await answer(page, '/api/v1/merchant/1', 500, refusal)
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await button(page, 'Save').focus()
  for (const _ of ['the first time', 'once more']) {
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Dismiss')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Save')
  }
  await close()
})

test('a report that is scrolled sideways shows names of 22 digits whole', async () => {
  const viewport = { width: 800, height: 800 }
  const { page, complaints, close } = await openPage(browser, home, 'admin', { viewport })
  const name = 'MA0001 - Northern Shops'
  const figures = Array.from({ length: 9 }, (_, at) => `figure${at}`)
  await answer(page, '/api/v1/report/user-access?job=*', 200, {
    columns: [
      { name: 'agent', displayname: 'Master Agent', datatype: 'id' },
      ...['name', 'parent'].map((it) => ({ name: it, displayname: it, datatype: 'text' })),
      ...figures.map((it) => ({ name: it, displayname: it, datatype: 'money' })),
    ],
    data: [
      { agent: 'MA0002', name, parent: name, ...Object.fromEntries(figures.map((it) => [it, 123_456.78])) },
    ],
    totals: null,
    notes: [],
    lock: null,
    figure: null,
  })
  await load(page, home, '/reporting?report=user-access&run=1')
  await page.getByRole('cell', { name }).first().waitFor()
  const shown = await page.evaluate(() => {
    const frame = document.querySelector('.report-scroll')!
    const names = [...frame.querySelectorAll('tbody td')].slice(0, 2)
    return {
      scrolls: frame.scrollWidth > frame.clientWidth,
      cut: names.map((it) => it.scrollWidth > it.clientWidth),
    }
  })
  expect(shown).toEqual({ scrolls: true, cut: [false, false] })
  expect(complaints).toEqual([])
  await close()
})

test('a list scrolled sideways keeps checkboxes and first column visible, and has every column on paper', async () => {
  const viewport = { width: 900, height: 800 }
  const { page, complaints, close } = await openPage(browser, home, 'admin', { viewport })
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await load(page, home, '/manage/agents')
  await page.locator('.table-scroll').evaluate((it) => it.scrollTo(300, 0))
  await page.locator('.table-scroll[data-scrolled]').waitFor()
  const kept = await page.evaluate(() => {
    const frame = document.querySelector('.table-scroll')!
    const from = frame.getBoundingClientRect().left
    return ['thead', 'tbody'].map((part) => {
      const [check, first] = [...frame.querySelectorAll<HTMLElement>(`${part} tr:first-child > *`)]
      const { boxShadow } = getComputedStyle(first!)
      return {
        offsets: [check!, first!].map((cell) => Math.round(cell.getBoundingClientRect().left - from)),
        hasShadow: boxShadow.includes('8px'),
      }
    })
  })
  const inSight = { offsets: [0, 36], hasShadow: true }
  expect(kept).toEqual([inSight, inSight])
  await button(page, 'Print').click()
  await page.locator('body[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print' })
  // US Letter across, without its margins.
  await page.setViewportSize({ width: 980, height: 700 })
  const paper = await page.evaluate(() => {
    const cells = [...document.querySelectorAll<HTMLElement>('.printed-list :is(th, td)')]
    return {
      beyond: cells.filter((cell) => cell.getBoundingClientRect().right > innerWidth + 0.5).length,
      cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length,
      shadows: cells.filter((cell) => getComputedStyle(cell).boxShadow !== 'none').length,
      columns: document.querySelectorAll('.printed-list th').length,
    }
  })
  expect(paper).toEqual({ beyond: 0, cut: 0, shadows: 0, columns: 16 })
  expect(complaints).toEqual([])
  await close()
})

test.each([
  // The list is filtered and has records selected: what is in force is printed, what is done with them not.
  ['/manage/merchants?filter=accountstatus:1', 'Select the page', ['.list-in-force', 'table']],
  // The list with the most columns.
  ['/manage/agents', null, ['table']],
  ['/reporting?report=user-access&run=1', null, ['.report-figure', 'table']],
  // It leads to other screens.
  ['/reporting?report=merchant-by-month&merchant=00527300000&run=1', null, ['table']],
  ['/reporting?report=tin-mismatch&run=1', null, ['.report-figure', 'table']],
  ['/reporting?report=pci-non-compliance&run=1', null, ['.report-figure', 'table']],
  ['/payouts', null, ['h1']],
  ['/audit?kind=login', null, ['.list-in-force', 'table']],
  ['/import/compensation', null, ['h1', '.import-batches']],
  ['/inbox', null, ['h1']],
  ['/', null, ['.home-table', 'table']],
  // By who has a validated email, which the form of a ticket needs.
  ['/tickets', null, ['table']],
])(
  '%s is printed by the menu of the browser without what is pressed and what stands around it',
  async (path, box, kept) => {
    const { page, complaints, close } = await openPage(browser, home, path === '/tickets' ? 'staff' : 'admin')
    await load(page, home, path)
    await page.locator(kept.at(-1)!).first().waitFor()
    if (box !== null) await page.getByRole('checkbox', { name: box }).check({ force: true })
    await page.emulateMedia({ media: 'print' })
    // US Letter across, without its margins.
    await page.setViewportSize({ width: 980, height: 700 })
    const paper = await page.evaluate((selectors) => {
      const isShown = (it: Element) => it.getClientRects().length > 0
      const shown = (selector: string) =>
        [...document.querySelectorAll(selector)].filter(isShown).map((it) => it.outerHTML.slice(0, 80))
      return {
        pressed: shown(
          'button:not(th button), nav, .report-head a, .head-help, .column-edge, .page-size select, .audit-filters, .file-picker, .import-form',
        ),
        around: shown('.shell-bar, .shell-footer, .shell-support, .done-message, .bulk-bar'),
        beyond: [
          ...document.querySelectorAll(':is(.entity-page, .import-page, .report-page) :is(th, td)'),
        ].filter((it) => isShown(it) && it.getBoundingClientRect().right > innerWidth + 0.5).length,
        missing: selectors.filter((selector) => shown(selector).length === 0),
        scrolls: [...document.querySelectorAll('.table-frame, .table-scroll, .home-scroll')].filter(
          (it) => getComputedStyle(it).overflow !== 'visible' || it.scrollHeight > it.clientHeight,
        ).length,
      }
    }, kept)
    expect(paper).toEqual({ pressed: [], around: [], beyond: 0, missing: [], scrolls: 0 })
    expect(complaints).toEqual([])
    await close()
  },
)

test.each(['/terms?open=1', '/audit?open=1', '/manage/agents?open=2'])(
  'the dialog of %s is printed whole by the menu of the browser, without what is behind it and what is pressed',
  async (path) => {
    const { page, complaints, close } = await openPage(browser, home, 'admin')
    await load(page, home, path)
    // A dialog that opens is drawn smaller for a moment.
    const opened = '.bp6-dialog-container.bp6-overlay-enter-done :is(textarea, td, input)'
    await page.locator(opened).first().waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 720, height: 400 })
    const paper = await page.evaluate(() => {
      const isShown = (it: Element) => it.getClientRects().length > 0
      const shown = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown).length
      const dialog = document.querySelector('.bp6-dialog')!
      const parts = [dialog, ...dialog.querySelectorAll('.bp6-dialog-body, .table-scroll, textarea')]
      return {
        behind: shown('.shell, .bp6-overlay-backdrop'),
        pressed: shown('.bp6-dialog-footer, .bp6-dialog-close-button, .bp6-dialog nav'),
        cut: parts.filter((it) => it.scrollHeight > it.clientHeight + 1).map((it) => it.className),
        top: dialog.getBoundingClientRect().top + scrollY,
        isReached:
          dialog.getBoundingClientRect().bottom + scrollY <= document.documentElement.scrollHeight + 1,
      }
    })
    expect(paper).toEqual({ behind: 0, pressed: 0, cut: [], top: 0, isReached: true })
    expect(complaints).toEqual([])
    await close()
  },
)

test('a style that changes is in force at once for a person who wants less motion', async () => {
  const { page, close } = await openPage(browser, home, null)
  await page.goto(`${home.origin}/login`)
  const form = page.locator('form')
  await form.waitFor()
  const margin = await form.evaluate((it) => {
    // A transition begins only from a style that the browser has worked out.
    const before = getComputedStyle(it).marginTop
    it.style.marginTop = '77px'
    return { before, after: getComputedStyle(it).marginTop }
  })
  expect(margin).toEqual({ before: '0px', after: '77px' })
  await close()
})

test('a phone shows the whole title of the new terms, and End of a session without scrolling', async () => {
  const phone = { viewport: { width: 390, height: 844 } }
  const other = await openPage(browser, home, 'admin')
  await load(other.page, home, '/shared-drive')
  const { page, close } = await openPage(browser, home, 'admin', phone)
  await load(page, home, '/shared-drive')
  await button(page, 'Menu').click()
  await page
    .getByRole('button', { name: 'Sessions' })
    .or(page.getByText('Sessions', { exact: true }))
    .click()
  const sessions = page.getByRole('dialog', { name: 'Sessions' })
  const end = (await sessions
    .getByRole('button', { name: /^End the session/ })
    .first()
    .boundingBox())!
  const frame = (await sessions.getByRole('region', { name: 'Sessions' }).boundingBox())!
  await sessions.getByRole('button', { name: 'Close', exact: true }).last().click()
  await answer(page, '/api/v1/merchant?*', 428, refusal)
  await page.goto(`${home.origin}/manage/merchants`)
  const title = page.getByRole('heading', { name: "We've Updated our Terms and Conditions" })
  await title.waitFor()
  expect({
    title: await title.evaluate((it) => it.scrollWidth <= it.clientWidth),
    end: end.x + end.width <= frame.x + frame.width,
  }).toEqual({ title: true, end: true })
  await close()
  await other.close()
})

test.each([
  ['Reassign', 390],
  ['Reassign', 1280],
  ['Set a field', 390],
  ['Set a field', 1280],
])(
  'the dialog %s has room for the list of agents, of which its body cuts nothing off, at %i pixels',
  async (name, width) => {
    const { page, close } = await openPage(browser, home, 'admin', { viewport: { width, height: 800 } })
    await load(page, home, '/manage/merchants')
    await page.getByRole('checkbox').nth(1).check({ force: true })
    await button(page, name).click()
    if (name === 'Set a field') await page.getByLabel('Field', { exact: true }).selectOption('Master Agent')
    await page.getByRole('combobox', { name: 'Master Agent' }).click()
    await page.getByText(/^The first 20/).waitFor()
    const list = (await page.locator('.form-picker-list').boundingBox())!
    const body = (await page.locator('.bulk-dialog .bp6-dialog-body').boundingBox())!
    expect(list.height).toBeGreaterThan(200)
    expect(list.y + list.height).toBeLessThanOrEqual(body.y + body.height)
    await close()
  },
)

test.each(['/payouts', '/month'])(
  'the tables of %s keep the heading of their first column above it',
  async (path) => {
    const { page, complaints, close } = await openPage(browser, home, 'admin', {
      viewport: { width: 800, height: 800 },
    })
    await load(page, home, path)
    const frames = page.locator('.table-scroll:has(tbody .table-first)')
    await frames.first().waitFor()
    const apart = await frames.evaluateAll((them) =>
      them.map((frame) => {
        frame.scrollTo(150, 0)
        const [head, first] = ['thead th', 'tbody .table-first'].map((it) => frame.querySelector(it)!)
        return head!.getBoundingClientRect().left - first!.getBoundingClientRect().left
      }),
    )
    expect(apart).toEqual(apart.map(() => 0))
    expect(complaints).toEqual([])
    await close()
  },
)

test('no word of what differs in a month that is open again is broken on a phone', async () => {
  const viewport = { width: 390, height: 844 }
  const { page, complaints, close } = await openPage(browser, home, 'admin', { viewport })
  const month = '2026-10'
  const what = 'MA0003 Cinder Partners, Percentage Commission Received'
  const nobody = { changedby: null, changedat: null, isafter: false, takenby: null, takenat: null }
  const rate = {
    key: 'agent-rate:3',
    kind: 'agent-rate',
    what,
    was: '65 %',
    now: '55 %',
    counts: null,
    amount: null,
  }
  await answer(page, '/api/v1/month', 200, { data: [{ month, state: 'open', version: 1 }], work: month })
  await answer(page, `/api/v1/month/${month}/release`, 200, {
    month,
    releases: [],
    takesfiles: false,
    canfile: false,
  })
  await answer(page, `/api/v1/month/${month}/differences*`, 200, {
    version: 1,
    reopenedat: 1_790_000_000,
    reopenedby: 'ann',
    reason: 'A file came late',
    notes: [],
    kinds: [{ kind: 'agent-rate', what: 'Rate of a master agent', count: 1, taken: 0 }],
    data: [{ ...rate, ...nobody, link: null }],
    total_length: 1,
  })
  await load(page, home, `/payouts?month=${month}`)
  const name = page.locator('.month-differences .table-name')
  await name.waitFor()
  const lines = await name.evaluate((cell) => {
    const text = document.createRange()
    const node = cell.firstChild!
    const topOf = (at: number) => {
      text.setStart(node, at)
      text.setEnd(node, at + 1)
      return text.getBoundingClientRect().top
    }
    const words = [...node.textContent!.matchAll(/\S+/g)]
    return words.filter((it) => topOf(it.index) !== topOf(it.index + it[0].length - 1)).map(([word]) => word)
  })
  expect(lines).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('in the forced colours of a system fields and buttons have an edge, and what is chosen is filled', async () => {
  const { page, complaints, close } = await openPage(browser, home, 'admin')
  await page.emulateMedia({ forcedColors: 'active' })
  await load(page, home, '/manage/merchants')
  const drawn = (target: Locator) =>
    target.evaluate((element) => {
      const { borderTopWidth, backgroundColor } = getComputedStyle(element)
      return [borderTopWidth, backgroundColor]
    })
  for (const target of [
    page.getByRole('searchbox'),
    button(page, 'Filter'),
    page.getByRole('combobox', { name: 'Rows per page' }),
  ])
    expect((await drawn(target))[0]).toBe('1px')
  const pager = page.getByRole('navigation', { name: /pages/i })
  const [current, other] = ['1', '2'].map((name) => pager.getByText(name, { exact: true }))
  expect((await drawn(current!))[1]).not.toBe((await drawn(other!))[1])
  await page
    .getByRole('link', { name: /^\d{11,}$/ })
    .first()
    .click()
  expect((await drawn(page.getByRole('dialog')))[0]).toBe('1px')
  expect(complaints).toEqual([])
  await close()
})
