import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { title } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

/*
 * The first tasks of a clerk, one after the other on one page, by its keyboard alone: nothing is clicked, and
 * no focus is set by the test.
 */

let home: Served
let browser: Browser
let page: Page
let complaints: string[]
beforeAll(async () => {
  ;[home, browser] = await Promise.all([serve(), launch()])
  ;({ page, complaints } = await openPage(browser, home, null))
})
afterAll(async () => {
  await browser.close()
  await home.close()
})

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** Keys that belong together: without waiting between them for the page, which may be busy. */
const pressInOne = async (...keys: string[]) => {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}
/** As fast as quick fingers, in milliseconds from key to key. */
const type = (text: string) => page.keyboard.type(text, { delay: 40 })

/** What has the focus: its role or kind, and its name. */
const focused = () =>
  page.evaluate(() => {
    const it = document.activeElement!
    const label = (it as HTMLInputElement).labels?.[0]?.textContent
    const name = it.getAttribute('aria-label') ?? label ?? (it.id === 'main' ? 'main' : it.textContent)
    return `${it.getAttribute('role') ?? it.tagName.toLowerCase()} ${(name ?? '').replace(/[*\s]+$/, '').trim()}`
  })
const hasFocus = (expected: string | RegExp) =>
  expect
    .poll(focused, { timeout: 10_000 })
    .toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected}$`))

/** Presses Tab until this has the focus; somebody who needs more of them is lost. */
const tabTo = async (expected: string | RegExp, { most = 40, back = false } = {}) => {
  const passed: string[] = []
  for (let count = 0; count < most; count += 1) {
    await press(back ? 'Shift+Tab' : 'Tab')
    const at = await focused()
    if (expected instanceof RegExp ? expected.test(at) : at === expected) return
    passed.push(at)
  }
  throw new Error(`Tab does not come to '${expected}', but to ${passed.join(', ')}`)
}
const says = (text: string | RegExp) => page.getByText(text).first().waitFor()
const noDialog = () => page.getByRole('dialog').waitFor({ state: 'detached' })
const address = () => new URL(page.url())

test('a clerk signs in, and begins in the first field of the screen', async () => {
  await page.goto(`${home.origin}/login`)
  await hasFocus('input Username')
  await type('staff')
  await press('Tab')
  await hasFocus('input Password')
  await type(home.people['staff']!.password)
  await press('Enter')
  await page.waitForURL('**/month')
  await page.locator('#main').getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement!.closest('#main') !== null)).toBe(true)
})

test('a clerk finds a merchant with Ctrl+K and opens it', async () => {
  await press('Control+k')
  await hasFocus(/^combobox /)
  const [merchant] = await home.db.query<{ xmid: string }>('select xmid from merchant order by id limit 1')
  await type(merchant!.xmid)
  await expect
    .poll(() => page.getByRole('option', { name: merchant!.xmid }).getAttribute('aria-selected'))
    .toBe('true')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Create or Edit Merchant' }).locator('.form-frame').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement!.closest('[role=dialog]') !== null))
    .toBe(true)
})

test('a clerk changes the merchant, saves it, and reads that it is saved', async () => {
  await tabTo('input Sales Rep')
  await press('Control+a')
  await type('Kay Board')
  // Each of the five dates takes four.
  await tabTo('button Save', { most: 45 })
  await press('Enter')
  await noDialog()
  await says('Saved.')
  await expect.poll(focused).not.toMatch(/^body/)
  const [{ rep } = {}] = await home.db.query<{ rep: string }>(
    'select sales_rep as rep from merchant order by id limit 1',
  )
  expect(rep).toBe('Kay Board')
})

test('a clerk goes to another list and back with g and a letter', async () => {
  await pressInOne('g', 'e')
  await title(page, 'Equipment')
  await hasFocus('main main')
  await pressInOne('g', 'm')
  await title(page, 'Merchants')
  await hasFocus('main main')
  await page.getByRole('region', { name: 'Merchants', exact: true }).getByRole('link').first().waitFor()
})

test('a clerk searches the list with /, and goes through its rows with j and k', async () => {
  await press('/')
  await hasFocus('input Search Merchants')
  await type('kay board')
  await expect.poll(() => address().searchParams.get('search'), { timeout: 10_000 }).toBe('kay board')
  await expect.poll(() => page.locator('tbody tr:not([aria-hidden])').count(), { timeout: 10_000 }).toBe(1)
  await press('Control+a')
  await type('bakery retail')
  await expect.poll(() => address().searchParams.get('search')).toBe('bakery retail')
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(1)
  await press('Tab', 'j')
  const first = await focused()
  expect(first).toMatch(/^a \d+/)
  await press('j')
  expect(await focused()).not.toBe(first)
  await press('k')
  expect(await focused()).toBe(first)
})

test('a clerk filters the list', async () => {
  await tabTo('button Filter', { back: true })
  await press('Enter')
  await hasFocus('select Column')
  await type('Account Status')
  await tabTo('input Active', { most: 6 })
  await press('Space')
  await press('Enter')
  await expect.poll(() => address().searchParams.get('filter')).toBe('accountstatus:2')
  await hasFocus('button Filter')
})

test('a clerk takes what was found as a file', async () => {
  await tabTo('button Export CSV', { most: 4 })
  const [file] = await Promise.all([page.waitForEvent('download'), press('Enter')])
  expect(file.suggestedFilename()).toMatch(/^Merchants .*\.csv$/)
  await hasFocus('button Export CSV')
})

test('a clerk keeps the search and the filter as a view', async () => {
  await tabTo('button Save view', { most: 6, back: true })
  await press('Enter')
  await hasFocus('input Name')
  await type('Active bakeries')
  await press('Enter')
  await noDialog()
  await hasFocus('button View: Active bakeries')
})

test('a clerk gives all that was found to another agent, and takes it back', async () => {
  const agents = () =>
    home.db.query('select id, masteragentid from merchant order by id').then((rows) => JSON.stringify(rows))
  const before = await agents()
  await tabTo('input Select the page', { most: 16 })
  await press('Space')
  await tabTo(/^button Select all \d+ found$/, { most: 8, back: true })
  await press('Enter')
  await says(/^All \d+ found are selected$/)
  await tabTo('button Reassign', { most: 8 })
  await press('Enter')
  await hasFocus('combobox Master Agent')
  await type('MA0051')
  await page.getByRole('option', { name: /^MA0051/ }).waitFor()
  await press('Enter', 'Enter')
  await says(/^\d+ merchants? would be changed\./)
  await tabTo(/^button Change \d+ merchants?$/, { most: 6 })
  await press('Enter')
  await says(/^\d+ merchants? changed\.$/)
  await noDialog()
  expect(await agents()).not.toBe(before)
  await tabTo('button Undo', { most: 3 })
  await press('Enter')
  await says(/It is undone\.$/)
  expect(await agents()).toBe(before)
})

test('a clerk opens a report, fills in its inputs and runs it', async () => {
  // Letters are no keys while a field has the focus.
  await tabTo('button Changes', { most: 6 })
  await pressInOne('g', 'r')
  await title(page, 'Reporting')
  await hasFocus('main main')
  await page.locator('select').first().waitFor()
  await tabTo('select Report', { most: 6 })
  await type('Residual Summary')
  await page.getByLabel('Month').waitFor()
  await tabTo('select Month', { most: 4 })
  await type('Sep')
  await tabTo('button Generate Report', { most: 6 })
  await press('Enter')
  await page.locator('.report-table tfoot').waitFor()
  await expect.poll(() => address().searchParams.get('run')).toBe('1')
  await hasFocus('button Generate Report')
})

test('a clerk opens the help at the word of a heading, and is back at it', async () => {
  await tabTo('button Help: Override')
  await press('Enter')
  await hasFocus('input Search the help')
  expect(await page.getByRole('term').first().textContent()).toBe('Override')
  await press('Escape')
  await noDialog()
  await hasFocus('button Help: Override')
})

test('a clerk reads which keys there are with ?', async () => {
  await press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Go to Merchants').or(keys.getByText('Merchants')).first().waitFor()
  await press('Escape')
  await noDialog()
  await hasFocus('button Help: Override')
})

test('a clerk raises a ticket', async () => {
  await pressInOne('g', 't')
  await title(page, 'Support Tickets')
  await page.getByLabel('Ticket Type').waitFor()
  await tabTo('select Ticket Type', { most: 10 })
  await type('Price')
  await tabTo('input Agent Office-Merchant-Issue', { most: 3 })
  await type('North - Bakery - rate')
  await tabTo('textarea Description', { most: 3 })
  await type('The rate is wrong since May.')
  await tabTo('button Submit', { most: 5 })
  await press('Enter')
  await says(/Ticket \d+ was sent/)
  await expect.poll(focused).not.toMatch(/^body/)
  await page.getByRole('link', { name: /^\d+$/ }).first().waitFor()
  await tabTo('button Export Excel', { most: 20 })
  const [file] = await Promise.all([page.waitForEvent('download'), press('Enter')])
  expect(file.suggestedFilename()).toMatch(/^Tickets .*\.xlsx$/)
})

test('a clerk signs out', async () => {
  await tabTo('button Welcome, staff', { most: 60, back: true })
  await press('Enter')
  await hasFocus(/^menuitem /)
  await press('End')
  await hasFocus('menuitem Logout')
  await press('Enter')
  await page.waitForURL('**/login**')
  await hasFocus('input Username')
  expect(complaints).toEqual([])
})
