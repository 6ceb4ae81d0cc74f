import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arrive, logOut, me, signIn, stored } from '../models/lib/account.ts'
import { launch, openChromium } from '../models/lib/drivers/chromiumDriver.ts'
import { ok, type Driver } from '../models/lib/drivers/driver.ts'
import { button, load, signIn as enter } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

let home: Served
let browser: Browser
let tab: Driver
beforeAll(async () => {
  ;[home, browser] = await Promise.all([serve(), launch()])
})
afterAll(async () => {
  await browser.close()
  await home.close()
})
beforeEach(async () => {
  tab = await openChromium(browser, home)
})
afterEach(() => tab.close())

const isIn = (it: Driver) =>
  it.eventually(async () => ok(await it.count('button', `Welcome, ${me}`), 'not in the portal'))
const isOut = (it: Driver) =>
  it.eventually(async () => ok(await it.count('button', 'Login'), 'not at the login'))
const two = async () => {
  await arrive(tab, me, '/import/merchants')
  await isIn(tab)
  const other = await tab.tab('/manage/merchants')
  await isIn(other)
  await tab.eventually(() => ok(tab.network.isIdle(), 'a call is under way'))
  return other
}

describe('two tabs of one browser', () => {
  it('are both out when one logs out, and the token ends once', async () => {
    const other = await two()
    await logOut(other, me)
    await isOut(other)
    await isOut(tab)
    expect([tab.url(), other.url()]).toEqual(['/login?returnUrl=%2Fimport%2Fmerchants', '/login'])
    await expect
      .poll(() => tab.network.calls('PUT /api/v1/logout').map(({ status }) => status))
      .toEqual([204])
    expect(await stored(tab)).toBeNull()
  })

  it('are both in when one signs in, each where it wanted to be', async () => {
    await tab.go('/import/merchants')
    const other = await tab.tab('/manage/merchants?page=2')
    await isOut(other)
    await signIn(tab, me)
    await isIn(tab)
    await isIn(other)
    expect([tab.url(), other.url()]).toEqual(['/import/merchants', '/manage/merchants?page=2'])
  })

  it('renew once for both when they are opened at the same moment: one waits for the other and takes what it got', async () => {
    const { page, close } = await openPage(browser, home, null)
    await load(page, home, '/login')
    await enter(page, me, home.people[me]!.password)
    await button(page, `Welcome, ${me}`).waitFor()
    const other = await page.context().newPage()
    await Promise.all([other.waitForResponse('**/api/v1/renew'), other.goto(home.origin)])
    const locks = async () => {
      const { held = [], pending = [] } = await page.evaluate(() => navigator.locks.query())
      return [held.length, pending.length]
    }
    await expect.poll(locks).toEqual([0, 0])
    let sent = 0
    let release = () => {}
    const released = new Promise<void>((go) => {
      release = go
    })
    await page.context().route('**/api/v1/renew', async (route) => {
      sent++
      await released
      await route.continue()
    })
    await Promise.all([page.reload(), other.reload()])
    await expect.poll(locks).toEqual([1, 1])
    release()
    await expect.poll(locks).toEqual([0, 0])
    expect(sent).toBe(1)
    for (const each of [page, other]) await button(each, `Welcome, ${me}`).waitFor()
    await close()
  })
})
