import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { button, item } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

let server: Served
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([serve(), launch()])
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const samples = (name: string) => join(projectFolder, 'samples', name)
const fieldsOf = (name: string) =>
  readFileSync(samples(name), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','))
const isoDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
const yesterday = isoDay(new Date(Date.now() - 86_400_000))

/** Signs in as a person does, at the address that was printed. */
async function as<T>(who: string, walk: (page: Page) => Promise<T>): Promise<T> {
  const { page, close } = await openPage(browser, server, null)
  await page.goto(server.origin)
  await page.getByLabel('Username').fill(who)
  await page.getByLabel('Password').fill(server.people[who]!.password)
  await button(page, 'Login').click()
  const result = await walk(page)
  await close()
  return result
}
const choose = async (page: Page, menu: string, entry: string) => {
  await button(page, menu).click()
  await item(page, entry).click()
  await page.getByRole('heading', { name: entry, level: 1, exact: true }).waitFor()
}
const file = (page: Page, name: string) => page.locator('input[type=file]').setInputFiles(samples(name))
const find = async (page: Page, text: string) => {
  await choose(page, 'Manage', 'Merchants')
  await page.getByRole('searchbox', { name: 'Search Merchants' }).fill(text)
  await page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll('tbody tr:not([aria-hidden])')]
    return (
      !document.querySelector('[aria-busy=true]') &&
      rows.length > 0 &&
      rows.every((row) => row.textContent.includes(wanted))
    )
  }, text)
}
const open = async (page: Page) => {
  await page.getByRole('rowheader').first().getByRole('link').click()
  const dialog = page.getByRole('dialog', { name: 'Create or Edit Merchant' })
  await dialog.getByLabel('DBA', { exact: true }).waitFor()
  return dialog
}

describe('the first walk of the README', () => {
  const [, ...rows] = fieldsOf('merchants.csv')
  const [xmid = '', dba = ''] = rows[0]!

  it('imports the merchants and a day, shows the day at home and finds the new merchants', () =>
    as('importer', async (page) => {
      await choose(page, 'Imports', 'Import Merchants')
      await file(page, 'merchants.xlsx')
      await button(page, 'Submit').click()
      await page.getByText('Data Imported Successfully').waitFor()
      expect(await server.db.query('select dba from merchant where xmid = $1', [xmid])).toEqual([{ dba }])

      await choose(page, 'Imports', 'Import Daily Volume')
      await file(page, 'daily-volume.csv')
      await page.getByLabel('Date, typed').fill(yesterday)
      await button(page, 'Submit').click()
      await page.getByText('Data Imported Successfully').waitFor()

      await page.getByRole('link', { name: 'Technology Portal' }).click()
      const [year, month, day] = yesterday.split('-')
      await page.getByRole('cell', { name: `${month}-${day}-${year}`, exact: true }).waitFor()
      const sum = 'select sum(netamount) as total from daily_volume where volumedate = $1::date'
      const [{ total } = { total: 0 }] = await server.db.query<{ total: number }>(sum, [yesterday])
      const shown = await page.getByRole('row', { name: `${month}-${day}-${year}` }).textContent()
      expect(shown).toContain(Number(total).toLocaleString('en-US', { style: 'currency', currency: 'USD' }))

      await find(page, xmid)
      expect(await page.getByRole('rowheader').allTextContents()).toEqual([xmid])
    }))

  it('lets the staff edit a merchant', () =>
    as('staff', async (page) => {
      await find(page, xmid)
      const dialog = await open(page)
      await dialog.getByLabel('Sales Rep').fill('Ann Walker')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await server.db.query('select sales_rep from merchant where xmid = $1', [xmid])).toEqual([
        { sales_rep: 'Ann Walker' },
      ])
    }))

  it('shows the reassigner which fields are closed, and why', () =>
    as('reassigner', async (page) => {
      await find(page, xmid)
      const dialog = await open(page)
      expect(await dialog.getByLabel('Sales Rep').isEditable()).toBe(true)
      const closed = dialog.getByLabel('Business Type')
      expect(await closed.isEditable()).toBe(false)
      const why = await closed.evaluate((it) => {
        const ids = it.getAttribute('aria-describedby')?.split(' ') ?? []
        return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
      })
      expect(why).toContain('Needs the permission manage_merchants')
    }))

  it('shows the agent one branch alone', () =>
    as('agent', async (page) => {
      await choose(page, 'Manage', 'Merchants')
      await page.getByRole('rowheader').first().waitFor()
      const [{ all } = { all: 0 }] = await server.db.query<{ all: number }>(
        'select count(*)::int as all from merchant',
      )
      const total = Number(
        /of ([\d,]+)/.exec(await page.getByRole('status').first().innerText())![1]!.replace(',', ''),
      )
      expect(total).toBeGreaterThan(0)
      expect(total).toBeLessThan(all)
    }))

  it('asks the newcomer to accept the terms first', () =>
    as('newcomer', async (page) => {
      await page.getByRole('textbox', { name: 'Terms and Conditions' }).waitFor()
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
      await button(page, 'Accept').click()
      await button(page, 'Welcome, newcomer').waitFor()
    }))

  it('stores nothing of a file with a wrong cell, and names row, column, value and rule', () =>
    as('importer', async (page) => {
      const lines = readFileSync(samples('merchants.csv'), 'utf8').split(/\r?\n/)
      const wrong = [
        lines[0],
        lines[1]!.replace(xmid, '77770000001'),
        lines[2]!.replace(/^[^,]+/, '1.23E+15'),
      ].join('\r\n')
      await choose(page, 'Imports', 'Import Merchants')
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'merchants.csv', mimeType: 'text/csv', buffer: Buffer.from(wrong) })
      await button(page, 'Submit').click()
      await button(page, 'Dismiss').click()
      const fault = await page.getByRole('row').filter({ hasText: '1.23E+15' }).innerText()
      expect(fault).toMatch(/^3\s+XMID\s+1\.23E\+15\s+\S/)
      expect(await server.db.query('select xmid from merchant where xmid = $1', ['77770000001'])).toEqual([])
    }))
})
