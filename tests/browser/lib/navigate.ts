import type { Page } from 'playwright-core'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { entities } from '../../../schemas/entities/index.ts'
import type { Served } from './serve.ts'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
export const title = (page: Page, name: string) =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
export const answer = (page: Page, route: string, status: number, body: object) =>
  page.route(`**${route}`, (call) =>
    call.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
export const refusal = { error: 'Something went wrong on purpose', requestId: '0123-4567' }

/** Presses Dismiss in the error dialog, and waits until it is gone. */
export const dismiss = async (page: Page) => {
  await button(page, 'Dismiss').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Waits until the screen has a heading and nothing is loading. */
export const settled = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('h1') &&
      !document.querySelector('[aria-busy=true], .bp6-skeleton, .bp6-spinner'),
  )

/** Loads the page at this path, and waits until everything is there. */
export const load = async (page: Page, server: Served, path: string) => {
  await page.goto(server.origin + path)
  await settled(page)
}

/**
 * Goes to another screen as a link does, without loading the page; `heading` is what the screen is called.
 */
export const follow = async (page: Page, path: string, heading: string) => {
  await page.evaluate((to) => {
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ idx: idx + 1, key: String(idx + 1) }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)
  await title(page, heading)
  await settled(page)
}

export const form = (page: Page, it: Entity) =>
  page.getByRole('dialog', { name: it.form.title }).locator('.form-frame').waitFor()
export const row = (page: Page) => page.getByRole('rowheader').first().getByRole('link').click()

export const merchants = entities.merchant!
export const signIn = async (page: Page, who: string, password: string) => {
  await page.getByLabel('Username').fill(who)
  await page.getByLabel('Password').fill(password)
  await button(page, 'Login').click()
}
