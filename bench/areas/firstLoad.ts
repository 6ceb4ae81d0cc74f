import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, BrowserContext } from 'playwright-core'
import type { Rollup } from 'vite'
import { storageKey } from '../../src/api/storedSession.ts'
import { type Area, type Figures, most } from '../case.ts'
import type { Environment } from '../environment.ts'
import { callHttp } from '../http.ts'
import { listAddress } from '../plainSql.ts'

const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** Builds the floor page and gives it to the bare server, compressed as the portal's files are. */
async function serveFloor(it: Environment): Promise<string> {
  const { build } = await import('vite')
  const built = (await build({
    root: join(import.meta.dirname, '../peers/floor'),
    configFile: false,
    logLevel: 'error',
    build: { write: false, modulePreload: { polyfill: false } },
  })) as Rollup.RollupOutput
  const put = (path: string, body: Buffer, type: string) =>
    callHttp(`${it.bare.address}/${path}`, {
      method: 'PUT',
      headers: { 'content-type': type, 'x-encoding': 'br' },
      body: brotliCompressSync(body),
    })
  for (const file of built.output)
    await put(
      file.fileName,
      Buffer.from(file.type === 'chunk' ? file.code : file.source),
      types[file.fileName.split('.').at(-1)!] ?? 'application/octet-stream',
    )
  await put('rows.json', await it.call('admin', listAddress({})), 'application/json')
  return `${it.bare.address}/index.html`
}

/** Opens an address with empty caches, until there are ten rows. */
async function load(context: BrowserContext, url: string): Promise<Figures> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let [requests, bytes] = [0, 0]
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const start = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('tbody tr:nth-child(10) td').first().waitFor({ state: 'visible', timeout: 60_000 })
  const time = performance.now() - start
  // What is fetched after the rows is a part of the first load too.
  await page.waitForLoadState('networkidle')
  return { time, requests, transfer: bytes / 1000 }
}

let browser: Promise<Browser> | undefined
const openBrowser = () => (browser ??= startBrowser())
async function startBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: process.env.CHROMIUM!, args: ['--no-sandbox'] })
}

/** Ends the browser, if one was started. */
export async function closeBrowser(): Promise<void> {
  const open = await browser
  browser = undefined
  await open?.close()
}

async function withContext<T>(work: (context: BrowserContext) => Promise<T>): Promise<T> {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1440, height: 900 } })
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

const loadPortal = (it: Environment) =>
  withContext(async (context) => {
    const { user, xsrfToken } = await it.signedIn('admin')
    await context.addCookies([{ name: 'XSRF-TOKEN', value: xsrfToken, url: it.portal.address }])
    const stored = JSON.stringify({ user, renewed: Date.now() })
    await context.addInitScript(([key, text]) => localStorage.setItem(key!, text!), [storageKey, stored])
    return load(context, `${it.portal.address}/manage/merchants`)
  })

/** Why there is no first load to measure; null where there is. */
export const whyNoBrowser = (): string | null =>
  process.env.CHROMIUM ? null : 'The first load of a list is not measured: set CHROMIUM to a browser'

/** The first load of a list by somebody who is signed in, beside a page in React that does no more. */
export const firstLoad: Area = {
  name: 'First load',
  where: 'smallest',
  cases: [
    {
      name: 'first load of a list',
      goals: [most('requests', 12), most('transfer', 240), most('time', 2, { of: 'floor' })],
      async contenders(it) {
        const floor = await serveFloor(it)
        return [
          { name: 'portal', sample: () => loadPortal(it) },
          { name: 'floor', sample: () => withContext((context) => load(context, floor)) },
        ]
      },
    },
  ],
}
