import { jwtVerify } from 'jose'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { widgetMachine } from '../../machines/widget.machine.ts'
import { codeIn, outbox } from '../mail.ts'
import { recorder, takenIn } from '../mbt/coverage.ts'
import { logEntry } from '../mbt/pathLog.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { instant, unreachable, unreachableOf } from '../models/lib/unreachable.ts'
import { deskServer, type Manner } from './lib/deskServer.ts'
import { button, item } from './lib/navigate.ts'
import { openPage } from './lib/page.ts'
import { serve, type Served } from './lib/serve.ts'

const secret = 'what the desk and the portal share'
const seen = recorder()
let desk: Awaited<ReturnType<typeof deskServer>>
let home: Served
let browser: Browser
beforeAll(async () => {
  desk = await deskServer()
  ;[home, browser] = await Promise.all([
    serve({ helpdesk: { widget: { script: `${desk.origin}/asap/1?orgId=7`, secret } } }),
    launch(),
  ])
})
afterAll(async () => {
  await browser.close()
  await home.close()
  await desk.close()
})

/**
 * Opens the portal with a help desk that behaves as given. Complaints are what the browser reports about
 * anything but the requests to the desk.
 */
async function open(manner: Manner, { who = 'staff', clock = false } = {}) {
  desk.behave(manner)
  desk.asked.length = 0
  const { page, complaints, close } = await openPage(browser, home, who)
  onTestFinished(close)
  if (clock) await page.clock.install()
  const own = recorder()
  await page.exposeBinding('took', (_, ids: string[]) => (own.take(ids), seen.take(ids)))
  onTestFinished(({ task }) => {
    const error = task.result?.errors?.[0]?.message ?? null
    logEntry({
      kind: 'path',
      layer: 'chromium',
      machine: 'widget',
      model: 'widget',
      steps: [task.name],
      states: [],
      taken: [...own.taken],
      error,
      shots: {},
    })
  })
  // Each transition is sent once: sending that of each check, every ten milliseconds, would leave the page no
  // time to answer a click on a busy machine.
  await page.addInitScript(`
    const sent = new Set()
    globalThis.portalInspect = (event) => {
      const ids = (${takenIn})(event).filter((id) => !sent.has(id))
      ids.forEach((id) => sent.add(id))
      if (ids.length > 0) globalThis.took(ids)
    }`)
  await page.goto(`${home.origin}/import/merchants`)
  await page.getByRole('heading', { level: 1, name: 'Import Merchants' }).waitFor()
  return { page, complaints: () => complaints.filter((text) => !text.startsWith(`request: ${desk.origin}`)) }
}
const heard = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { deskLog?: string[] }).deskLog ?? [])
/** The traces of the widget in the page: its box, its script and its global names. */
const remainsOf = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('#zohodesk-stand-in, #zohodeskasapscript')].map(({ id }) => id),
    ...Object.keys(globalThis).filter((name) => name.startsWith('ZohoDesk')),
  ])
const logOut = async (page: Page, who: string) => {
  await button(page, `Welcome, ${who}`).click()
  await item(page, 'Logout').click()
  await page.getByLabel('Username').waitFor()
}
const took = (id: string) => expect.poll(() => seen.taken.has(id), { timeout: 60_000 }).toBe(true)

describe('the help desk', () => {
  it('is loaded for users with an email and signed in with a token for it, without a policy violation', async () => {
    const { page, complaints } = await open('good')
    await expect.poll(async () => (await heard(page)).length, { timeout: 15_000 }).toBe(2)
    const [login, token = ''] = await heard(page)
    expect(login).toBe('login')
    const { payload } = await jwtVerify(token.replace('token ', ''), new TextEncoder().encode(secret))
    expect(payload).toMatchObject({ email: 'staff@example.com', email_verified: true })
    expect(desk.asked).toEqual(['/asap/1?orgId=7'])
    expect(complaints()).toEqual([])

    await logOut(page, 'staff')
    expect((await heard(page)).at(-1)).toBe('logout')
    expect(await remainsOf(page)).toEqual([])
  })

  it('is not called without an email, and is loaded as soon as the email is validated', async () => {
    const { page, complaints } = await open('good', { who: 'admin' })
    await button(page, 'Validate').click()
    const dialog = page.getByRole('dialog', { name: 'Email Validation' })
    await dialog.getByLabel('Email').fill('admin@example.com')
    await dialog.getByRole('button', { name: 'Validate' }).click()
    await dialog.getByLabel('Code').waitFor()
    expect(desk.asked).toEqual([])
    await dialog.getByLabel('Code').fill(codeIn((await outbox(home.config.dataDir)).at(-1)!))
    await dialog.getByLabel('Code').press('Enter')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await expect.poll(async () => (await heard(page)).length, { timeout: 15_000 }).toBe(2)
    expect(complaints()).toEqual([])
  })

  it.each([
    ['missing', 'widget.loading | xstate.error.actor.loadScript | 0'],
    ['throws at sign-in', 'widget.signingIn | xstate.error.actor.signIn | 0'],
    ['never ready', 'widget.checking | xstate.done.actor.checkReadiness | 2'],
    ['hangs', 'widget.loading | xstate.after.scriptTimeout.widget.loading | 0'],
  ] as const)('that is %s is taken away, and disturbs nobody', async (manner, id) => {
    const { page } = await open(manner, { clock: true })
    await expect
      .poll(() => page.clock.runFor(1_000).then(() => seen.taken.has(id)), { timeout: 60_000 })
      .toBe(true)
    expect(await remainsOf(page)).toEqual([])
    expect(await page.getByRole('dialog').count()).toBe(0)
    await logOut(page, 'staff')
  })

  it.each([
    ['hangs', 'widget.idle | install | 0'],
    ['never ready', 'widget.loading | xstate.done.actor.loadScript | 0'],
  ] as const)('that %s goes when the person does, and is not waited for', async (manner, id) => {
    seen.taken.delete(id)
    const { page } = await open(manner)
    await took(id)
    await logOut(page, 'staff')
    expect(await remainsOf(page)).toEqual([])
  })

  it('takes every transition of its machine, except those that end within one turn of the event loop', () => {
    expect(seen.missing(widgetMachine)).toEqual(
      unreachableOf('widget').filter((id) => unreachable[id] === instant),
    )
  })
})
