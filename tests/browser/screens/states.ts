import type { Page } from 'playwright-core'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { screens } from '../../../src/app/screenTable.tsx'
import {
  answer,
  button,
  dismiss,
  follow,
  form,
  item,
  load,
  merchants,
  refusal,
  row,
  settled,
  signIn,
} from '../lib/navigate.ts'
import { sequence, type ScreenState } from './state.ts'

const homeTitle = 'Welcome to the Technology Portal.'

export const loginStates = sequence(
  null,
  { name: 'the login', show: (page, server) => load(page, server, '/login') },
  {
    name: 'the login, nothing typed',
    show: async (page) => {
      await button(page, 'Login').click()
      await page.getByText('Password is required').waitFor()
    },
  },
  {
    name: 'the login, rejected',
    fails: true,
    show: async (page) => {
      await answer(page, '/api/v1/login', 401, refusal)
      await signIn(page, 'staff', 'a wrong password')
      await page.getByText('Invalid Username or Password').waitFor()
    },
  },
  {
    name: 'the terms at the login',
    show: async (page, server) => {
      await page.unroute('**/api/v1/login')
      await signIn(page, 'newcomer', server.people['newcomer']!.password)
      await page.getByText('Terms and Conditions').first().waitFor()
      await page.waitForFunction(() => document.querySelector('textarea')?.value)
    },
  },
)

/** '2026-10': the newest month of the demo data. */
const lastMonth = () => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

/** Home, then every screen that is not the list of an entity, then Home again. */
const screenStates = sequence(
  'admin',
  {
    name: 'the screen Home',
    show: async (page, server) => {
      await load(page, server, '/')
      await page.locator('.home-chart svg').waitFor()
    },
  },
  { name: 'a figure of the chart', show: (page) => page.locator('.home-chart svg').hover() },
  ...screens
    .filter(({ path }) => path !== '/' && Object.values(entities).every((it) => it.path !== path))
    .map(({ path, title: name }) => ({
      name: `the screen ${name}`,
      show: (page: Page) => follow(page, path.replace(':month', lastMonth()), name),
    })),
  {
    name: 'Home, and the server failed',
    fails: true,
    show: async (page) => {
      await answer(page, '/api/v1/profit', 500, refusal)
      await follow(page, '/', homeTitle)
      await button(page, 'Retry').waitFor()
    },
  },
  {
    name: 'Home before there is any volume',
    show: async (page) => {
      await answer(page, '/api/v1/profit', 200, { data: [] })
      await button(page, 'Retry').click()
      await page.getByRole('heading', { name: 'No daily volume has been imported yet' }).waitFor()
    },
  },
)

const agentHomeStates = sequence(
  'agent',
  {
    name: 'Home of a person of a master agent',
    show: async (page, server) => {
      await load(page, server, '/')
      await page.getByRole('link', { name: 'Open Statement' }).waitFor()
      await page.getByText('As a table').click()
    },
  },
  {
    name: 'Home of a person of a master agent, and the server failed',
    fails: true,
    show: async (page) => {
      await answer(page, '/api/v1/home', 500, refusal)
      await follow(page, '/reporting', 'Reporting')
      await follow(page, '/', homeTitle)
      await button(page, 'Try again').waitFor()
    },
  },
)

/** The list, a record of it, and a new record whose form says what is missing. */
const statesOf = (it: Entity): Omit<ScreenState, 'who'>[] => [
  { name: `the screen ${it.title}`, show: (page) => follow(page, it.path, it.title) },
  {
    name: `a record of ${it.title}`,
    show: async (page) => {
      await row(page)
      await form(page, it)
    },
  },
  {
    name: `a new record of ${it.title}, nothing typed`,
    show: async (page) => {
      await button(page, /^(Cancel|Close)$/)
        .last()
        .click()
      await button(page, 'Create').click()
      await form(page, it)
      await button(page, 'Save').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
]

/** A month on its way; the demo data have one that is open, and those before it paid. */
export const monthStates = sequence(
  'staff',
  {
    name: 'an open month',
    show: async (page, server) => {
      await load(page, server, '/month')
      await page
        .getByRole('img', { name: /^Net of/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'a total that is no amount',
    show: async (page) => {
      await page.getByLabel('Stated Net of Aurora').fill('1.2.3')
      await button(page, 'Save Totals').click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'the question before a kind of findings is waived',
    show: async (page) => {
      await button(page, /^Waive all 3/)
        .first()
        .click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
    },
  },
  {
    name: 'the question before the month is locked',
    show: async (page) => {
      await button(page, 'Cancel').click()
      await button(page, /^Lock /).click()
      await page.getByRole('dialog').getByLabel('Reason', { exact: false }).first().waitFor()
    },
  },
  {
    name: 'the months before as a table',
    show: async (page) => {
      await button(page, 'Cancel').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('As a table').click()
      await page.getByRole('region', { name: 'Figures of the months before' }).waitFor()
    },
  },
  {
    name: 'the question before typed totals are left',
    show: async (page) => {
      await page.getByLabel('Month', { exact: true }).selectOption({ index: 3 })
      await page.getByText('Discard your changes?').waitFor()
    },
  },
  {
    name: 'a month that is paid',
    show: async (page) => {
      await button(page, 'Discard').click()
      await page.getByRole('heading', { name: 'Payout' }).waitFor()
    },
  },
)

/** The newest month that is paid is opened again; it stays so for the states after these. */
export const reopenedStates = sequence(
  'admin',
  {
    name: 'the question before a month is opened again',
    show: async (page, server) => {
      await load(page, server, '/payouts')
      await button(page, 'Open Again').click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
    },
  },
  {
    name: 'a month that is open again',
    show: async (page) => {
      await page.getByRole('dialog').getByLabel('Reason').fill('A file came late')
      await page.getByRole('dialog').getByRole('button', { name: 'Open Again' }).click()
      await page.getByText('The month is open again.').waitFor()
      // The payments below are read again, and pale until then.
      await settled(page)
    },
  },
  {
    name: 'the question before a return is booked',
    show: async (page) => {
      await button(page, 'Book Return').click()
      await page.getByRole('dialog').getByLabel('Trace Number').waitFor()
    },
  },
)

const list = merchants.path
export const recordStates = sequence(
  'admin',
  {
    name: 'a search that finds nothing',
    show: async (page, server) => {
      await load(page, server, `${list}?search=zzzzzz`)
      await page.getByText('Nothing matches “zzzzzz”').waitFor()
    },
  },
  ...Object.values(entities).flatMap(statesOf),
  {
    name: 'the question before a record is deleted',
    show: async (page) => {
      await follow(page, list, merchants.title)
      await row(page)
      await form(page, merchants)
      await button(page, 'Delete').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'the question before changes are discarded',
    show: async (page) => {
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByLabel('Sales Rep', { exact: true }).fill('Ann Walker')
      await button(page, 'Cancel').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'who accepted the terms',
    show: async (page) => {
      await button(page, 'Discard').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await follow(page, entities['tc']!.path, entities['tc']!.title)
      await button(page, /^Acceptance by User/)
        .first()
        .click()
      await page.getByRole('columnheader', { name: 'Accepted Time' }).waitFor()
    },
  },
  {
    name: 'the error dialog',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/merchant?*', 500, refusal)
      await load(page, server, list)
      await page.getByRole('dialog', { name: "That's an error." }).waitFor()
    },
  },
  { name: 'a list that failed', fails: true, show: dismiss },
  {
    name: 'the terms over the portal',
    fails: true,
    show: async (page) => {
      await answer(page, '/api/v1/merchant?*', 428, refusal)
      await button(page, 'Try again').click()
      await page.getByRole('region', { name: 'Terms and Conditions' }).waitFor()
    },
  },
)

const menuStates = sequence(
  'admin',
  {
    name: 'an open menu',
    width: 1440,
    show: async (page, server) => {
      await load(page, server, '/')
      await button(page, 'Manage').click()
      await item(page, 'Merchants').waitFor()
    },
  },
  {
    name: 'the menu of the account',
    width: 1440,
    show: async (page) => {
      await page.keyboard.press('Escape')
      await item(page, 'Merchants').waitFor({ state: 'detached' })
      await button(page, 'Welcome, admin').click()
      await item(page, 'Logout').waitFor()
    },
  },
  {
    name: 'the sessions',
    width: 1440,
    show: async (page) => {
      await item(page, 'Sessions').click()
      await page.getByRole('dialog', { name: 'Sessions' }).getByRole('table').waitFor()
    },
  },
  {
    name: 'the menus of a narrow screen',
    width: 360,
    show: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await button(page, 'Menu').click()
      await item(page, 'Merchants').waitFor()
      await item(page, 'Logout').waitFor()
    },
  },
  {
    name: 'a new password',
    show: async (page) => {
      await page.keyboard.press('Escape')
      await item(page, 'Logout').waitFor({ state: 'detached' })
      await button(page, 'Welcome, admin').click()
      await item(page, 'Change Password').click()
      await page.getByLabel('Confirm Password').waitFor()
      await button(page, 'Save').click()
      await page.getByText('Confirm Password is required').waitFor()
    },
  },
  {
    name: 'the question for the present password',
    fails: true,
    show: async (page) => {
      const password = 'tall green lanterns over the bay'
      await answer(page, '/api/v1/user/me', 403, { ...refusal, code: 'reauthenticate' })
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Confirm Password', { exact: true }).fill(password)
      await button(page, 'Save').click()
      await page.getByLabel('Present Password').waitFor()
    },
  },
)

/** The states of what surrounds the screens of records, months, imports and tickets. */
export const shellStates: readonly ScreenState[] = [
  ...loginStates,
  ...screenStates,
  ...agentHomeStates,
  ...menuStates,
  {
    name: 'a record that may not be changed in full',
    who: 'reassigner',
    show: async (page, server) => {
      await load(page, server, list)
      await row(page)
      await form(page, merchants)
    },
  },
  {
    name: 'a screen for others',
    who: 'clerk',
    show: async (page, server) => {
      await load(page, server, imports.merchant.path)
    },
  },
]
