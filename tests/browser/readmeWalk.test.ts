import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { sampleProcessors, writeSamples } from '../../server/demo/samples.ts'
import { outbox } from '../mail.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { button, item } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

let server: Served
let browser: Browser
let page: Page
let leave: (() => Promise<void>) | null = null
beforeAll(async () => {
  ;[server, browser] = await Promise.all([serve(), launch()])
  await writeSamples(server.config)
})
afterAll(async () => {
  await leave?.()
  await browser.close()
  await server.close()
})

/** Where the walk's files are, `data` being the data folder. */
const samples = (name: string) => join(projectFolder, 'samples', name)
const residuals = (name: string) => join(server.config.dataDir, 'samples', name)
const isoDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
const yesterday = isoDay(new Date(Date.now() - 86_400_000))
const now = new Date()
const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
/** 'October 2026', and 2026-10. */
const lastMonth = before.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const lastMonthIso = before.toISOString().slice(0, 7)
const [xmid = '', dba = ''] = readFileSync(samples('merchants.csv'), 'utf8').split(/\r?\n/)[1]!.split(',')

/** Signs in as a person does, at the address that was printed, and ends the session before. */
async function signIn(who: string) {
  await leave?.()
  const opened = await openPage(browser, server, null, { viewport: { width: 1440, height: 800 } })
  ;[page, leave] = [opened.page, opened.close]
  await page.goto(server.origin)
  await page.getByLabel('Username').fill(who)
  await page.getByLabel('Password').fill(server.people[who]!.password)
  await button(page, 'Login').click()
  await button(page, `Welcome, ${who}`)
    .or(page.getByRole('textbox', { name: 'Terms and Conditions' }))
    .waitFor()
}
const menu = async (name: string, entry: string) => {
  await button(page, name).click()
  await item(page, entry).click()
  await page.getByRole('heading', { name: entry, level: 1, exact: true }).waitFor()
}
const submitFile = async (path: string) => {
  await page.locator('input[type=file]').setInputFiles(path)
  await button(page, 'Submit').click()
}
const imported = () => page.getByText('Data Imported Successfully').waitFor()
const find = async (text: string) => {
  await menu('Manage', 'Merchants')
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
const openMerchant = async () => {
  await find(xmid)
  await page.getByRole('rowheader').first().getByRole('link').click()
  const dialog = page.getByRole('dialog', { name: 'Create or Edit Merchant' })
  await dialog.getByLabel('DBA', { exact: true }).waitFor()
  return dialog
}
/** Chooses the option of a select whose text begins so. */
const chooseOption = async (label: string, text: string) => {
  const select = page.getByLabel(label, { exact: true })
  const value = await select.locator('option', { hasText: text }).getAttribute('value')
  await select.selectOption(value)
}
const report = async (name: string) => {
  if ((await page.getByRole('heading', { level: 1 }).innerText()) !== 'Reporting')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reporting' }).click()
  await page.getByLabel('Report', { exact: true }).selectOption(name)
  await chooseOption('Month', lastMonth)
}
const generate = async () => {
  await button(page, 'Generate Report').click()
  await page.getByRole('table').waitFor()
}
const chooseMonth = async () => {
  await menu('Manage', 'Payouts')
  await chooseOption('Month', lastMonth)
  await page.getByText('Version 1, locked by staff').waitFor()
}
/** Saves screenshots for README when asked to. */
const picture = async (name: string, height = 540) => {
  if (process.env['UPDATE_SCREENSHOTS'] === '1')
    await page.screenshot({
      path: join(projectFolder, 'docs', name),
      animations: 'disabled',
      clip: { x: 0, y: 0, width: 1440, height },
    })
}
const inMonth = (what: string) =>
  server.db.query<{ n: number }>(`select count(*)::int as n from ${what} where month = $1::date`, [
    `${lastMonthIso}-01`,
  ])

/** What is done at each step, and what is then seen; by the whole text of the step. */
const steps: [text: string, walk: () => Promise<void>][] = [
  [
    '`npm start`, open the printed address, sign in as `importer` with the printed password.',
    () => signIn('importer'),
  ],
  [
    '**Imports → Import Merchants**: choose `samples/merchants.xlsx` (the same rows are in `.csv` and `.xls`), **Submit**.',
    async () => {
      await menu('Imports', 'Import Merchants')
      await submitFile(samples('merchants.xlsx'))
      await imported()
      expect(await server.db.query('select dba from merchant where xmid = $1', [xmid])).toEqual([{ dba }])
    },
  ],
  [
    "**Imports → Import Daily Volume**: choose `samples/daily-volume.csv`, pick yesterday's date, **Submit**.",
    async () => {
      await menu('Imports', 'Import Daily Volume')
      await page.locator('input[type=file]').setInputFiles(samples('daily-volume.csv'))
      await page.getByLabel('Date, typed').fill(yesterday)
      await button(page, 'Submit').click()
      await imported()
    },
  ],
  [
    '**Home**, in the menu **Welcome, importer**, shows the new day. **Manage → Merchants** finds the new merchants.',
    async () => {
      await button(page, 'Welcome, importer').click()
      await item(page, 'Home').click()
      const [year, month, day] = yesterday.split('-')
      const shown = page.getByRole('row', { name: `${month}-${day}-${year}` })
      const sum = 'select sum(netamount) as total from daily_volume where volumedate = $1::date'
      const [{ total } = { total: 0 }] = await server.db.query<{ total: number }>(sum, [yesterday])
      const dollars = Number(total).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
      expect(await shown.textContent()).toContain(dollars)
      await menu('Manage', 'Merchants')
      await page.getByRole('rowheader').nth(9).waitFor()
      await picture('screenshot.png', 480)
      await page.getByRole('link', { name: 'Technology Portal' }).click()
      await find(xmid)
      expect(await page.getByRole('rowheader').allTextContents()).toEqual([xmid])
    },
  ],
  [
    '**Imports → Import Comp Data**: choose `Faulty … .csv` of `data/samples`, **Submit**. Nothing is stored. Five errors are listed, each with its row, column, value and rule: a MID that a spreadsheet rounded, expenses below 0, a net that is not income less expenses, an amount with a letter, a total that is not the sum of its rows.',
    async () => {
      const [{ n } = { n: 0 }] = await inMonth('residual')
      await menu('Imports', 'Import Comp Data')
      await submitFile(residuals(readdirSync(residuals('')).find((name) => name.startsWith('Faulty '))!))
      const faults = page.getByRole('region', { name: 'What is wrong in the file' }).getByRole('row')
      await faults.nth(5).waitFor()
      const said = (await faults.allInnerTexts()).slice(1)
      expect(said.map((text) => text.split(/\s+/).slice(0, 2).join(' '))).toEqual([
        '4 MID',
        '5 Expenses',
        '6 Net',
        '7 Income',
        '8 Net',
      ])
      for (const [at, rule] of [
        /spreadsheet|scientific|rounded/i,
        /negative|below|0/,
        /income/i,
        /amount/i,
        /total of Net is/,
      ].entries())
        expect(said[at]).toMatch(rule)
      expect(await inMonth('residual')).toEqual([{ n }])
    },
  ],
  [
    'Choose the other files of `data/samples` one after the other, and **Submit** each. Every processor has its own layout. The history below the form lists all six imports.',
    async () => {
      const [{ n } = { n: 0 }] = await inMonth('residual')
      const names = readdirSync(residuals('')).filter((name) => !name.startsWith('Faulty '))
      expect(names).toHaveLength(6)
      for (const name of names) {
        await submitFile(residuals(name))
        await page.getByRole('button', { name: `Undo the import of ${name},` }).waitFor()
      }
      expect(await inMonth('residual')).toEqual([{ n: n + 55 }])
    },
  ],
  [
    'Sign in as `staff`. **Manage → Merchants**: open one of the new ones, change its Sales Rep, **Save**.',
    async () => {
      await signIn('staff')
      const dialog = await openMerchant()
      await dialog.getByLabel('Sales Rep').fill('Ann Walker')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const stored = await server.db.query('select sales_rep from merchant where xmid = $1', [xmid])
      expect(stored).toEqual([{ sales_rep: 'Ann Walker' }])
    },
  ],
  [
    'Sign in as `reassigner` and open the same merchant: Business Type is disabled, and the text below it names the missing permission.',
    async () => {
      await signIn('reassigner')
      const dialog = await openMerchant()
      expect(await dialog.getByLabel('Sales Rep').isEditable()).toBe(true)
      const closed = dialog.getByLabel('Business Type')
      expect(await closed.isEditable()).toBe(false)
      const why = await closed.evaluate((it) => {
        const ids = it.getAttribute('aria-describedby')?.split(' ') ?? []
        return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
      })
      expect(why).toContain('Needs the permission “Manage merchants”')
    },
  ],
  [
    'Sign in as `agent`: **Manage → Merchants** shows only the merchants of one branch. Sign in as `newcomer`: the terms must be accepted first.',
    async () => {
      await signIn('agent')
      await menu('Manage', 'Merchants')
      await page.getByRole('rowheader').first().waitFor()
      const [{ all } = { all: 0 }] = await server.db.query<{ all: number }>(
        'select count(*)::int as all from merchant',
      )
      const pager = await page.getByRole('status').first().innerText()
      const total = Number(/of ([\d,]+)/.exec(pager)![1]!.replace(',', ''))
      expect(total).toBeGreaterThan(0)
      expect(total).toBeLessThan(all)
      await signIn('newcomer')
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
      await button(page, 'Accept').click()
      await button(page, 'Welcome, newcomer').waitFor()
    },
  ],
  [
    'As `staff` again, **Reporting**: choose *Month Checklist* and last month, **Generate Report**. It lists what to check before agents are paid: warnings first, then notes.',
    async () => {
      await signIn('staff')
      await report('Month Checklist')
      await generate()
      await picture('checklist.png')
      const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
      expect(rows[1]).toMatch(/^Warning/)
      expect(rows.filter((row) => row.startsWith('Stop'))).toEqual([])
    },
  ],
  [
    '**Lock Report**, **Lock**: a dialog lists the warnings that block the lock, by kind, with their sums. Type one reason for all of them, and one for the stated total of Borealis, which differs by a cent; **Lock**. The month is locked. The message shows its version and the first characters of its hash.',
    async () => {
      await button(page, 'Lock Report').click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Lock', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Lock Report' })
      await dialog.getByText(/warnings are not waived/).waitFor()
      expect(await dialog.locator('summary').count()).toBeGreaterThan(2)
      await dialog.getByLabel('Reason for all others').fill('Looked at one by one')
      await dialog.getByLabel('Reason for Borealis').fill('A cent of rounding on their side')
      await dialog.getByRole('button', { name: 'Lock', exact: true }).click()
      await page.getByText(`${lastMonth} is locked: version 1, hash `).waitFor()
      expect(
        await server.db.query(`select version, username from month_lock where month = $1::date`, [
          `${lastMonthIso}-01`,
        ]),
      ).toEqual([{ version: 1, username: 'staff' }])
    },
  ],
  [
    '*Agent Residual Statement* of last month and agent MA0002, **Generate Report**: every line of the amount due to the agent; the notes say how much is payable.',
    async () => {
      await report('Agent Residual Statement')
      await chooseOption('Master Agent', 'MA0002 - ')
      await generate()
      await page.getByText(/^\$[\d,.]+ is payable\./).waitFor()
      await picture('statement.png')
    },
  ],
  [
    '**Manage → Payouts**: another person must approve last month. Approve is disabled for `staff`, who locked it.',
    async () => {
      await chooseMonth()
      expect(await button(page, 'Approve').isDisabled()).toBe(true)
      await page
        .getByText(/another person/i)
        .first()
        .waitFor()
    },
  ],
  [
    'Sign in as `admin`. **Manage → Payouts**, last month, **Approve**, and **Approve** again in the question. The month is approved.',
    async () => {
      await signIn('admin')
      await chooseMonth()
      await button(page, 'Approve').click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
      await page.getByText(/^The payouts are approved: \$/).waitFor()
      await page.getByText(/approved by admin/).waitFor()
      await picture('payouts.png')
    },
  ],
  [
    '**Release**, and **Release** again in the dialog. No bank is configured, so the payouts are marked as paid in another way. The month is released, and the ledger below lists every payment.',
    async () => {
      await button(page, 'Release').click()
      const dialog = page.getByRole('dialog', { name: `Release the payouts of ${lastMonth}` })
      expect(await dialog.getByText('In another way').count()).toBe(1)
      await dialog.getByRole('button', { name: 'Release' }).click()
      await page.getByText(/^\$[\d,.]+ were released\.$/).waitFor()
      const paid = `select count(*)::int as n from payout_payment p join payout_release r on r.id = p.releaseid where r.month = $1::date and r.how = 'other'`
      const [{ n } = { n: 0 }] = await server.db.query<{ n: number }>(paid, [`${lastMonthIso}-01`])
      expect(n).toBeGreaterThan(10)
      await page
        .getByRole('row', { name: new RegExp(lastMonth) })
        .first()
        .waitFor()
    },
  ],
  [
    'Sign in as `agent`, **Reporting**: the statement of MA0002 for last month is available now. Agents of other branches are not offered.',
    async () => {
      await signIn('agent')
      await report('Agent Residual Statement')
      const agents = await page.getByLabel('Master Agent', { exact: true }).locator('option').allInnerTexts()
      expect(agents.some((text) => text.startsWith('MA0002'))).toBe(true)
      expect(agents.some((text) => text.startsWith('MA0003'))).toBe(false)
      await chooseOption('Master Agent', 'MA0002 - ')
      await generate()
    },
  ],
  [
    'As `admin`, **Validate** an email in the card at the bottom right; the code is in the newest file of `data/outbox`.',
    async () => {
      await signIn('admin')
      await button(page, 'Validate').click()
      const dialog = page.getByRole('dialog', { name: 'Email Validation' })
      await dialog.getByLabel('Email').fill('admin@example.com')
      await dialog.getByRole('button', { name: 'Validate' }).click()
      await dialog.getByLabel('Code').waitFor()
      const newest = (await outbox(server.config.dataDir)).at(-1)!
      await dialog.getByLabel('Code').fill(/\b\d{6}\b/.exec(newest.text)![0])
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await dialog.waitFor({ state: 'detached' })
      const [user] = await server.db.query(`select email from portal_user where username = 'admin'`)
      expect(user).toEqual({ email: 'admin@example.com' })
    },
  ],
]

describe('the first walk of the README', () => {
  it('has exactly the steps that are walked here', () => {
    const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8')
    const walk = /\n## The first walk\n([^]*?)\n## /.exec(readme)![1]!
    const texts = [...walk.matchAll(/^\d+\. (.*(?:\n +.*)*)/gm)].map(([, text]) =>
      text!.replace(/\s*\n\s+/g, ' '),
    )
    expect(texts).toEqual(steps.map(([text]) => text))
    expect(sampleProcessors).toHaveLength(6)
  })

  let reached = 0
  it.each(steps.map(([text, walk], at) => [text, at, walk] as const))('%s', async (_, at, walk) => {
    // A step begins where the one before ended.
    expect(reached).toBe(at)
    await walk()
    reached += 1
  })
})
