import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import { serve, type Served } from './lib/serve.ts'

let portal: Served
let browser: Browser
let vite: ViteDevServer
const cacheDir = mkdtempSync(join(tmpdir(), 'inspector-'))
beforeAll(async () => {
  ;[portal, browser] = await Promise.all([serve(), launch()])
  // The portal as `npm run dev` serves it.
  vite = await createServer({
    configFile: join(projectFolder, 'vite.config.ts'),
    mode: 'development',
    cacheDir,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1', hmr: false, proxy: { '^/api/v\\d': portal.origin } },
  })
  await vite.listen()
})
afterAll(async () => {
  await browser.close()
  await vite.close()
  await portal.close()
  rmSync(cacheDir, { recursive: true, force: true })
})

it('with ?inspect a page beside the portal shows every running machine, its state, events and context, and nothing leaves the machine', async () => {
  const context = await browser.newContext()
  // Vite bundles what the page needs when it is first asked for.
  context.setDefaultTimeout(150_000)
  const strangers: string[] = []
  context.on('request', (request) => {
    if (!/^(data|blob):|^http:\/\/127\.0\.0\.1:/.test(request.url())) strangers.push(request.url())
  })
  const origin = vite.resolvedUrls!.local[0]!.replace(/\/$/, '')
  const tab = await context.newPage()
  const [page] = await Promise.all([context.waitForEvent('page'), tab.goto(`${origin}/login?inspect`)])
  const { username, password } = portal.people['staff']!
  await tab.getByLabel('Username').fill(username)
  await tab.getByLabel('Password').fill(password)
  await tab.getByRole('button', { name: 'Login' }).click()
  await tab.getByRole('heading', { name: 'Month', exact: true }).waitFor()

  const session = page.getByRole('button', { name: /^session/ })
  await session.filter({ hasText: 'active.waiting' }).click()
  await page.locator('.state.active[data-state="session.active.waiting"]').waitFor()
  expect(await page.getByRole('button', { name: /^failure/ }).count()).toBe(1)
  expect(await page.locator('#context').textContent()).toContain(username)
  const events = await page.locator('#events').textContent()
  expect(events).toContain('session.login')
  const shown = await page.content()
  expect(
    [
      password,
      (await tab.evaluate(() => JSON.stringify(localStorage))).match(/access_token\\":\\"([^\\]+)/)![1]!,
    ].filter((secret) => shown.includes(secret)),
  ).toEqual([])

  // One that is opened later receives what it missed.
  const late = await context.newPage()
  await late.goto(`${origin}/inspector.html`)
  await late
    .getByRole('button', { name: /^session/ })
    .filter({ hasText: 'active.waiting' })
    .waitFor()
  expect(strangers).toEqual([])
  // Stately's own inspector is another window, and only if asked for; there is no internet here to show it.
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: "Open in Stately's inspector" }).click(),
  ])
  expect(await other.evaluate(() => window.opener !== null)).toBe(true)
  await context.close()
}, 240_000)
