import type { Page } from 'playwright-core'
import type { Entity } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import type { Served } from './server.ts'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
export const title = (page: Page, name: string) =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
/** On a narrow screen all menus stand in one drawer. */
export const openMenu = (page: Page, name: string, width = 1440) =>
  button(page, width < 900 ? 'Menu' : name).click()
export const answer = (page: Page, route: string, status: number, body: object) =>
  page.route(`**${route}`, (call) =>
    call.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
export const refusal = { error: 'Something went wrong on purpose', requestId: '0123-4567' }

/** The error dialog, until it has gone. */
export const dismiss = async (page: Page) => {
  await button(page, 'Dismiss').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Waits until everything is there. */
export const go = async (page: Page, server: Served, path: string) => {
  await page.goto(server.origin + path)
  await page.waitForFunction(
    () =>
      document.querySelector('h1') &&
      !document.querySelector('[aria-busy=true], .bp6-skeleton, .bp6-spinner'),
  )
}
export const form = (page: Page, it: Entity) =>
  page.getByRole('dialog', { name: it.form.title }).locator('.form-frame').waitFor()
export const row = (page: Page) => page.getByRole('rowheader').first().getByRole('link').click()

export const merchants = entities.merchant!
export const signIn = async (page: Page, server: Served, who: string) => {
  await go(page, server, '/login')
  await page.getByLabel('Username').fill(who)
  await page.getByLabel('Password').fill(server.people[who]!.password)
  await button(page, 'Login').click()
}
