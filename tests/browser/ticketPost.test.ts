import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { deskPeer } from '../peers/desk.ts'
import { button, load } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

let browser: Browser
let desk: Awaited<ReturnType<typeof deskPeer>>
let home: Served
beforeAll(async () => {
  desk = await deskPeer()
  const fields = { orgId: '77', CASECF4: '{agentoffice}', returnURL: '*' }
  ;[home, browser] = await Promise.all([
    serve({ helpdeskForm: { url: `${desk.url}/support/WebToCase`, fields } }),
    launch(),
  ])
})
afterAll(async () => {
  await browser.close()
  await home.close()
  await desk.close()
})

it('posts the ticket straight to the configured desk, in a tab of its own, with the hidden fields and the attachments', async () => {
  const { page, complaints, close } = await openPage(browser, home, 'staff')
  await load(page, home, '/tickets')
  await page.getByLabel('Agent Office', { exact: true }).fill('North Office')
  await page.getByLabel('Ticket Type').selectOption('Bank Change')
  await page.getByLabel(/Merchant-Issue/).fill('North - Bakery - new account')
  await page.getByLabel('Description').fill('First line\nSecond line')
  const files = ['one', 'two'].map((name) => ({
    name: `${name}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`text of ${name}`),
  }))
  await page.getByLabel('Files to attach').setInputFiles(files)
  const [tab] = await Promise.all([page.context().waitForEvent('page'), button(page, 'Submit').click()])
  await tab.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.getByText('The ticket was handed to the help desk in a new tab').waitFor()
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  const [{ path, type, body }] = desk.posts as [(typeof desk.posts)[number]]
  expect([path, type.split(';')[0], desk.posts.length]).toEqual([
    '/support/WebToCase',
    'multipart/form-data',
    1,
  ])
  const parts = body.split(type.split('boundary=')[1]!).slice(1, -1)
  const posted = parts.map((part) =>
    /name="([^"]*)"(?:; filename="([^"]*)")?[^]*?\r\n\r\n([^]*)\r\n--$/.exec(part)!.slice(1, 4),
  )
  expect(posted).toEqual([
    ['orgId', undefined, '77'],
    ['returnURL', undefined, '*'],
    ['CASECF4', undefined, 'North Office'],
    ['Agent Name', undefined, ''],
    ['Email', undefined, 'staff@example.com'],
    ['Ticket Type', undefined, 'Bank Change'],
    ['Subject', undefined, 'North - Bakery - new account'],
    ['Description', undefined, 'First line\r\nSecond line'],
    ['attachment_1', 'one.txt', 'text of one'],
    ['attachment_2', 'two.txt', 'text of two'],
  ])
  expect(complaints.filter((text) => !text.includes(desk.url))).toEqual([])
  expect(await home.db.query('select 1 from ticket')).toEqual([])
  await close()
})

it('lets forms go to exactly that host, and without a desk to none', async () => {
  const policy = async (it: Served) =>
    String((await it.app.inject({ url: '/healthz' })).headers['content-security-policy'])
  expect(await policy(home)).toContain(`form-action 'self' ${desk.url};`)
  const plain = await serve()
  expect(await policy(plain)).toContain(`form-action 'self';`)
  await plain.close()
})
