import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { storageKey } from '../../../src/api/storedSession.ts'
import { launch } from '../../models/lib/drivers/chromiumDriver.ts'
import type { ScreenState } from '../screens/state.ts'
import { serve, type Served } from './serve.ts'

/**
 * A page, and what its browser reported: console messages, errors, failed calls, requests to other hosts and
 * violations of the content security policy.
 */
type Watched = { page: Page; complaints: string[]; close(): Promise<void> }

/** Opens an empty page for a user who is signed in already, or for nobody (null). */
export async function openPage(
  browser: Browser,
  server: Served,
  who: string | null,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(15_000)
  const complaints: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== server.origin)
      complaints.push(`request: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${new URL(response.url()).pathname}`)
  })
  await context.exposeBinding('violated', (_, text: string) => void complaints.push(`violation: ${text}`))
  await context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        ;(globalThis as unknown as { violated: (text: string) => void }).violated(
          `${violatedDirective} of ${blockedURI} at ${sourceFile}:${lineNumber}`,
        )
      },
    )
  })
  if (who !== null) {
    const { username, password } = server.people[who]!
    const { status, body, headers } = await (
      await server.stranger()
    ).call('PUT', '/api/v1/login', { username, password })
    if (status !== 200) throw new Error(`${who} cannot sign in: ${status}`)
    const [name = '', value = ''] = String(headers['set-cookie']).split(';')[0]!.split('=')
    await context.addCookies([{ name, value, url: server.origin }])
    const session = JSON.stringify({ user: { username, ...body }, renewed: 0 })
    await context.addInitScript(([key, text]) => localStorage.setItem(key!, text!), [storageKey, session])
  }
  return { page, complaints, close: () => context.close() }
}

/**
 * One browser and one server for the tests of a file. Each person has one page, which shows one state after
 * another.
 */
export function sharedPages(options: BrowserContextOptions = {}) {
  let home: Served
  let browser: Browser
  const pages = new Map<string | null, Promise<Watched>>()
  const shown = new Map<Page, string>()
  beforeAll(async () => {
    ;[home, browser] = await Promise.all([serve(), launch()])
  })
  afterAll(async () => {
    await browser.close()
    await home.close()
  })

  /** Shows a state. Resolves with the page and what the browser reported meanwhile. */
  async function show({ name, who, show: lead, from }: ScreenState): Promise<Omit<Watched, 'close'>> {
    const opened = pages.get(who) ?? openPage(browser, home, who, options)
    pages.set(who, opened)
    const { page, complaints } = await opened
    if (from && shown.get(page) !== from.name) await show(from)
    shown.delete(page)
    if (!from) {
      await page.unrouteAll()
      // Unfinished calls of the previous state end with its page, and do not count for this one.
      await page.goto(`${home.origin}/robots.txt`)
    }
    // A page behind another one draws no frames, so it would not change its width or theme.
    await page.bringToFront()
    await page.mouse.move(0, 0)
    complaints.length = 0
    await lead(page, home)
    shown.set(page, name)
    return { page, complaints }
  }
  return { home: () => home, browser: () => browser, show }
}
