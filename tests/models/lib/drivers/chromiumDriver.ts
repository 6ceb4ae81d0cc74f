import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Download,
  type Locator,
  type Page,
} from 'playwright-core'
import type { Served } from '../../../browser/lib/serve.ts'
import { findChromium } from '../../../chromium.mjs'
import { takenIn } from '../../../mbt/coverage.ts'
import { eventually, ok, timeout, statesOf, type Driver, type Place, type Role } from './driver.ts'
import { createNetwork, refusalBody, type Network, type Seen } from './network.ts'

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']
export function launch(): Promise<Browser> {
  const executablePath = findChromium()
  ok(executablePath, 'There is no Chromium: set CHROMIUM to one')
  return chromium.launch({ executablePath, args })
}

type Options = {
  /** Is called with the transitions that the machines of the page take. */
  take?: (ids: readonly string[]) => void
}

const start = new Date('2026-01-01T00:00:00Z')

/** Opens a window without a page; `go` loads one. */
export async function openChromium(
  browser: Browser,
  server: Served,
  { take }: Options = {},
): Promise<Driver> {
  const context = await browser.newContext()
  context.setDefaultTimeout(timeout)
  const network = createNetwork()
  await context.clock.install({ time: start })
  await context.exposeBinding('took', (_, ids: string[]) => take?.(ids))
  await context.addInitScript(`(${watch})(${takenIn})`)
  const window = { context, network, server, folders: [] }
  return tabOf(await pageOf(window), window)
}

/**
 * A page whose calls pass the network of the test. Not `context.route()`: that stops the page's own files as
 * well, and every load of it would fetch and compile them anew.
 */
async function pageOf({ context, network }: Window): Promise<Page> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const calls = new Map<string | undefined, Seen>()
  const over = (id: string, status: number) => {
    const call = calls.get(id)
    if (call) call.status ??= status
  }
  devtools.on('Network.responseReceived', ({ requestId, response }) => over(requestId, response.status))
  // Nobody waits any more for what a page that is gone had asked for.
  const forget = () => calls.forEach((call) => void (call.status ??= 0))
  devtools.on('Page.frameNavigated', ({ frame }) => !frame.parentId && forget())
  page.on('close', forget)
  devtools.on('Network.loadingFailed', ({ requestId }) => over(requestId, 0))
  devtools.on('Fetch.requestPaused', async ({ requestId, networkId, request }) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    const bearer = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? null
    const call: Seen = {
      route: `${request.method} ${pathname}`,
      query: search.slice(1),
      bearer,
      body: request.postData ?? '',
      status: null,
    }
    calls.set(networkId, call)
    const instead = await network.pass(call)
    const answer =
      instead === 'no answer'
        ? devtools.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' })
        : instead
          ? devtools.send('Fetch.fulfillRequest', {
              requestId,
              responseCode: instead,
              responseHeaders: [{ name: 'content-type', value: 'application/json' }],
              body: Buffer.from(refusalBody(instead)).toString('base64'),
            })
          : devtools.send('Fetch.continueRequest', { requestId })
    // A call that was cancelled while it waited can no longer be answered.
    await answer.catch(() => void (call.status ??= 0))
  })
  await devtools.send('Page.enable')
  await devtools.send('Network.enable')
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] })
  return page
}

/**
 * Runs in the page before anything else: reports transitions, and remembers when each long timer began. A
 * report is lost when its transition loads the page anew, so all of a tab are reported again after each load.
 */
function watch(taken: typeof takenIn) {
  const page = globalThis as unknown as {
    took: (ids: string[]) => void
    portalInspect: unknown
    begun: Map<number, number>
  }
  const key = 'transitions taken'
  // A window without an address yet has no storage.
  const all = location.protocol.startsWith('http')
    ? new Set<string>(JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[])
    : new Set<string>()
  if (all.size > 0) page.took([...all])
  page.portalInspect = (event: Parameters<typeof takenIn>[0]) => {
    const ids = taken(event)
    if (ids.every((id) => all.has(id))) return
    for (const id of ids) all.add(id)
    sessionStorage.setItem(key, JSON.stringify([...all]))
    page.took(ids)
  }
  page.begun = new Map()
  const set = globalThis.setTimeout
  globalThis.setTimeout = ((run: () => void, ms = 0, ...given: unknown[]) => {
    if (ms >= 300) page.begun.set(ms, performance.now())
    return set(run, ms, ...given)
  }) as typeof setTimeout
}

/** A browser reads a file from the disk at once; handed over in messages a large one takes its time. */
async function onDisk(
  { name, content }: { name: string; content: string | Buffer },
  folders: string[],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chosen-'))
  folders.push(folder)
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

/**
 * On a busy machine the moment may be over when the order arrives; then nothing has happened yet, and it is
 * given again.
 */
async function inTime(order: () => Promise<void>, most = 20): Promise<void> {
  for (let turn = 1; ; turn++) {
    const late = await order().then(
      () => null,
      (error: Error) => error,
    )
    if (!late) return
    if (turn === most || !late.message.includes('to the past')) throw late
  }
}

/** Reads the one element there is, once there is one: in a third of the messages that `evaluate()` takes. */
const only = <T>(elements: Locator, read: (all: Element[]) => T[]): Promise<T> =>
  eventually(async () => {
    const [first, ...others]: T[] = await elements.evaluateAll<T[], Element>(read as never)
    ok(first !== undefined && others.length === 0, `there is not one ${elements}`)
    return first
  })

/** `folders` hold the files that were chosen. */
type Window = { context: BrowserContext; network: Network; server: Served; folders: string[] }

function tabOf(page: Page, window: Window): Driver {
  const { context, network, server, folders } = window
  const scope = (dialog: Place['dialog']) =>
    dialog
      ? page
          .getByRole('dialog', { name: dialog, exact: true })
          .or(page.getByRole('alertdialog', { name: dialog, exact: true }))
      : page
  const find = (role: Role, name?: string | RegExp, dialog?: Place['dialog']) =>
    scope(dialog).getByRole(role, { name, exact: true })
  // The label around a list of options holds these in its text, but not in the name it gives.
  const labelled = (label: string, dialog?: Place['dialog']) =>
    scope(dialog)
      .getByLabel(label, { exact: true })
      // A heading of a list that has its help beside it is named as the field.
      .and(page.locator(':not(th)'))
      .or(scope(dialog).getByRole('combobox', { name: label, exact: true }))
  const saved: Download[] = []
  page.on('download', (it) => void saved.push(it))
  let isFrozen = false
  /** A moment ahead, for time goes on until the order to stop arrives. */
  const freeze = async () => {
    if (isFrozen) return
    await inTime(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 150))
    isFrozen = true
  }
  const begun = (ms: number) =>
    eventually(async () => {
      const began = await page.evaluate(
        (length) => (globalThis as never as { begun: Map<number, number> }).begun.get(length),
        ms,
      )
      ok(began !== undefined, `nothing waits for ${ms} ms`)
      return began
    })

  return {
    portal: server,
    network,
    go: async (path) => void (await page.goto(server.origin + path)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    forward: async () => void (await page.goForward()),
    url: () => page.url().slice(server.origin.length),
    fill: (label, text, place) => labelled(label, place?.dialog).fill(text),
    press: (name, { role = 'button', dialog, last } = {}) =>
      // The mark that a checkbox is drawn with lies over it.
      (last ? find(role, name, dialog).last() : find(role, name, dialog)).click({
        force: role === 'checkbox',
      }),
    async choose(button, ...files) {
      const [dialog] = await Promise.all([page.waitForEvent('filechooser'), find('button', button).click()])
      await dialog.setFiles(await Promise.all(files.map((file) => onDisk(file, folders))))
    },
    pick: async (label, option) => void (await labelled(label).selectOption(option)),
    count: (role, name, place) => find(role, name, place?.dialog).count(),
    text: async (role, name) => (await find(role, name).allTextContents()).join(' '),
    texts: (role, name, region, place = 'region') =>
      (region
        ? find(place, region).getByRole(role, { name, exact: true })
        : find(role, name)
      ).allTextContents(),
    state: (role, name, place) => only(find(role, name, place?.dialog), statesOf),
    shows: async (words) => (await page.getByText(words).filter({ visible: true }).count()) > 0,
    key: (name) => page.keyboard.press(name),
    focus: (role, name) => find(role, name).focus(),
    saved: () =>
      Promise.all(
        saved.map(async (it) => ({
          name: it.suggestedFilename(),
          content: await readFile(await it.path(), 'utf8'),
        })),
      ),
    value: (label) => only(labelled(label), (all) => all.map((it) => (it as HTMLInputElement).value)),
    async storage() {
      const kept = (await context.storageState()).origins.flatMap(({ localStorage }) => localStorage)
      return Object.fromEntries(kept.map(({ name, value }) => [name, value]))
    },
    async keep(key, value) {
      await page.goto(`${server.origin}/robots.txt`)
      await page.evaluate(([name, text]) => localStorage.setItem(name!, text!), [key, value])
    },
    freeze,
    async thaw() {
      if (isFrozen) await page.clock.resume()
      isFrozen = false
    },
    async pass(ms) {
      await inTime(() => page.clock.fastForward(ms))
      await page.evaluate(settle)
    },
    async elapse(timer, short) {
      const end = Math.ceil((await begun(timer)) + timer)
      await freeze()
      const left = end - short - (await page.evaluate(() => performance.now()))
      // On a busy machine it may be over already.
      if (left > 0) await page.clock.fastForward(left)
      await page.evaluate(settle)
    },
    begun,
    eventually,
    settle: () => page.evaluate(settle),
    async picture() {
      // Not page.screenshot(), which waits for frames that do not come while time stands still.
      const devtools = await context.newCDPSession(page)
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 60 })
      await devtools.detach()
      return Buffer.from(data, 'base64')
    },
    async tab(path) {
      const fresh = await pageOf(window)
      const other = { ...tabOf(fresh, window), close: () => fresh.close() }
      await other.go(path)
      return other
    },
    async close() {
      network.reset()
      await context.close()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

/** Runs in the page, where frames do not come while time stands still. */
async function settle() {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((drawn) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = drawn
      port2.postMessage(null)
    })
  }
}
