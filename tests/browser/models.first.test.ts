import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { launch, openChromium } from '../models/chromium.ts'
import { ok, type Driver } from '../models/driver.ts'
import { recorder } from '../mbt/coverage.ts'
import { sessionMachine } from '../../machines/session.machine.ts'
import { served, type Served } from './server.ts'

let it: Served
let browser: Browser
beforeAll(async () => {
  it = await served()
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await it.close()
})

async function walk(d: Driver) {
  const staff = it.people.staff!
  await d.go('/manage/merchants?page=2')
  await d.fill('Username', staff.username)
  await d.fill('Password', staff.password)
  await d.press('Login')
  await d.eventually(async () => ok(await d.count('heading', 'Merchants'), 'not there'))
  const before = d.network.calls('PUT /api/v1/renew').length
  await d.elapse(300_000, 1)
  expect(d.network.calls('PUT /api/v1/renew').length).toBe(before)
  await d.pass(1)
  await d.eventually(() => ok(d.network.calls('PUT /api/v1/renew').length === before + 1, 'no renewal'))
  await d.thaw()
  expect(d.url()).toBe('/manage/merchants?page=2')
  await d.press(/Welcome, staff/)
  await d.press('Logout', { role: 'menuitem' })
  await d.eventually(async () => ok(await d.count('button', 'Login'), 'still in'))
}

test('a first walk', async () => {
  const seen = recorder()
  const d = await openChromium(browser, it, { take: seen.take })
  try {
    await walk(d)
  } finally {
    await d.close()
  }
})
