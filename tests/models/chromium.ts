import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import type { Served } from '../browser/server.ts'
import { takenIn } from '../mbt/coverage.ts'
import { ok, type Driver, type Place, type Role } from './driver.ts'
import { createNetwork, refusalBody, type Network } from './network.ts'

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']
export const launch = (): Promise<Browser> => chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args })

type Options = { /** Hears which transitions the machines of the page take. */ take?: (ids: readonly string[]) => void }

const patience = 5_000
const start = new Date('2026-01-01T00:00:00Z')

/** Opens a window without a page; `go` loads one. */
export async function openChromium(browser: Browser, server: Served, { take }: Options = {}): Promise<Driver> {
  const context = await browser.newContext()
  context.setDefaultTimeout(patience)
  const network = createNetwork()
  await context.clock.install({ time: start })
  await context.exposeBinding('took', (_, ids: string[]) => take?.(ids))
  await context.addInitScript(`(${watch})(${takenIn})`)
  await context.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    const bearer = /^Bearer (.+)$/.exec(request.headers()['authorization'] ?? '')?.[1] ?? null
    const call = { route: `${request.method()} ${pathname}`, query: search.slice(1), bearer, body: request.postData() ?? '', status: null as number | null }
    const instead = await network.pass(call)
    const isOver = () => void (call.status ??= 0)
    // A call that was cancelled while it waited can no longer be answered.
    if (instead === 'no answer') return route.abort('connectionfailed').then(isOver, isOver)
    void request.response().then((response) => (call.status = response?.status() ?? 0), isOver)
    if (instead) return route.fulfill({ status: instead, contentType: 'application/json', body: refusalBody(instead) }).catch(isOver)
    return route.continue().catch(isOver)
  })
  return tabOf(await context.newPage(), { context, network, server })
}

/** Runs in the page before anything else: reports transitions, and remembers when each long timer began. */
function watch(taken: typeof takenIn) {
  const page = globalThis as unknown as { took: (ids: string[]) => void; portalInspect: unknown; begun: Map<number, number> }
  page.portalInspect = (event: Parameters<typeof takenIn>[0]) => {
    const ids = taken(event)
    if (ids.length > 0) page.took(ids)
  }
  page.begun = new Map()
  const set = globalThis.setTimeout
  globalThis.setTimeout = ((run: () => void, ms = 0, ...given: unknown[]) => {
    if (ms >= 300) page.begun.set(ms, Date.now())
    return set(run, ms, ...given)
  }) as typeof setTimeout
}

type Window = { context: BrowserContext; network: Network; server: Served }

function tabOf(page: Page, window: Window): Driver {
  const { context, network, server } = window
  const scope = (dialog: Place['dialog']) =>
    dialog ? page.getByRole('dialog', { name: dialog, exact: true }).or(page.getByRole('alertdialog', { name: dialog, exact: true })) : page
  const find = (role: Role, name?: string | RegExp, dialog?: Place['dialog']) => scope(dialog).getByRole(role, { name, exact: true })
  const now = () => page.evaluate(() => Date.now())
  let isFrozen = false
  const freezeAt = async (time: number) => {
    await page.clock.pauseAt(time)
    isFrozen = true
  }

  return {
    world: server,
    network,
    go: async (path) => void (await page.goto(server.origin + path)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    url: () => page.url().slice(server.origin.length),
    fill: (label, text, place) => scope(place?.dialog).getByLabel(label, { exact: true }).fill(text),
    press: (name, { role = 'button', dialog } = {}) => find(role, name, dialog).click(),
    choose: (label, { name, content }) =>
      page.getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }),
    pick: async (label, option) => void (await page.getByLabel(label, { exact: true }).selectOption(option)),
    count: (role, name, place) => find(role, name, place?.dialog).count(),
    text: async (role, name) => (await find(role, name).allTextContents()).join(' '),
    value: (label) => page.getByLabel(label, { exact: true }).inputValue(),
    storage: async () => (await context.storageState()).origins.flatMap(({ localStorage }) => localStorage).reduce((all, { name, value }) => ({ ...all, [name]: value }), {}),
    freeze: async () => freezeAt((await now()) + 1),
    async thaw() {
      if (isFrozen) await page.clock.resume()
      isFrozen = false
    },
    pass: (ms) => page.clock.fastForward(ms),
    async elapse(timer, short) {
      await eventually(async () => ok(await page.evaluate((ms) => (globalThis as never as { begun: Map<number, number> }).begun.has(ms), timer), `nothing waits for ${timer} ms`))
      const began = await page.evaluate((ms) => (globalThis as never as { begun: Map<number, number> }).begun.get(ms)!, timer)
      await freezeAt(began + timer - short)
    },
    eventually,
    async tab(path) {
      const other = tabOf(await context.newPage(), window)
      await other.go(path)
      return { ...other, close: () => page.close() }
    },
    async close() {
      network.reset()
      await context.close()
    },
  }
}

async function eventually(check: () => Promise<void> | void): Promise<void> {
  const end = Date.now() + patience
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((again) => setTimeout(again, 25))
    }
  }
}
