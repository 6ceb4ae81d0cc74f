import type { Page } from 'playwright-core'
import type { Entity } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import { imports } from '../../schemas/imports/imports.ts'
import { screens } from '../../src/app/screenTable.tsx'
import {
  answer,
  button,
  dismiss,
  form,
  go,
  item,
  merchants,
  openMenu,
  refusal,
  row,
  signIn,
  title,
} from './going.ts'
import type { Served } from './server.ts'
import { driveVisits } from './visits.drive.ts'
import { emailVisits } from './visits.email.ts'
import { importVisits } from './visits.imports.ts'
import { reportVisits } from './visits.reports.ts'
import { ticketVisits } from './visits.tickets.ts'

/** Something that can be on the screen: who sees it, and how to get there. */
export type Visit = {
  name: string
  who: string | null
  show: (page: Page, server: Served, width?: number) => Promise<unknown>
  /** Something fails on the way, of which browsers complain themselves. */
  fails?: true
  /** Another way leads there on a narrow screen, which `width` tells. */
  differs?: true
  /** Where it goes on from, without loading the page again. */
  from?: Visit
}

/** The list, a record of it, a new one, and a new one without a word: each goes on from the one before. */
const visitsOf = (it: Entity): Visit[] => {
  const list: Visit = {
    name: `the screen ${it.title}`,
    who: 'admin',
    show: async (page, server) => {
      await go(page, server, it.at)
      await title(page, it.title)
    },
  }
  const record: Visit = {
    name: `a record of ${it.title}`,
    who: 'admin',
    from: list,
    show: async (page) => {
      await row(page)
      await form(page, it)
    },
  }
  const fresh: Visit = {
    name: `a new record of ${it.title}`,
    who: 'admin',
    from: record,
    show: async (page) => {
      await button(page, /^(Cancel|Close)$/)
        .last()
        .click()
      await button(page, 'Create').click()
      await form(page, it)
    },
  }
  const untyped: Visit = {
    name: `a new record of ${it.title}, nothing typed`,
    who: 'admin',
    from: fresh,
    show: async (page) => {
      await button(page, 'Save').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  }
  return [list, record, fresh, untyped]
}

export const visits: readonly Visit[] = [
  ...emailVisits,
  { name: 'the login', who: null, show: (page, server) => go(page, server, '/login') },
  {
    name: 'the login, nothing typed',
    who: null,
    show: async (page, server) => {
      await go(page, server, '/login')
      await button(page, 'Login').click()
      await page.getByText('Password is required').waitFor()
    },
  },
  {
    name: 'the login, rejected',
    who: null,
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/login', 401, refusal)
      await signIn(page, server, 'staff')
      await page.getByText('Invalid Username or Password').waitFor()
    },
  },
  {
    name: 'the terms at the login',
    who: null,
    show: async (page, server) => {
      await signIn(page, server, 'newcomer')
      await page.getByText('Terms and Conditions').first().waitFor()
      await page.waitForFunction(() => document.querySelector('textarea')?.value)
    },
  },
  ...screens
    .filter(({ path }) => Object.values(entities).every(({ at }) => at !== path))
    .map(({ path, title: name }): Visit => ({
      name: `the screen ${name}`,
      who: 'admin',
      show: async (page, server) => {
        await go(page, server, path)
        if (path === '/') await page.locator('.home-chart svg').waitFor()
        else await title(page, name)
      },
    })),
  ...Object.values(entities).flatMap(visitsOf),
  {
    name: 'a record that may not be changed in full',
    who: 'reassigner',
    show: async (page, server) => {
      await go(page, server, merchants.at)
      await row(page)
      await form(page, merchants)
    },
  },
  {
    name: 'the question before a record is deleted',
    who: 'admin',
    show: async (page, server) => {
      await go(page, server, merchants.at)
      await row(page)
      await form(page, merchants)
      await button(page, 'Delete').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'the question before changes are given up',
    who: 'admin',
    show: async (page, server) => {
      await go(page, server, `${merchants.at}?open=new`)
      await form(page, merchants)
      await page.getByLabel('DBA', { exact: true }).fill('First Shop')
      await button(page, 'Cancel').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'who accepted the terms',
    who: 'admin',
    show: async (page, server) => {
      await go(page, server, entities.tc!.at)
      await button(page, /^Acceptance by User/)
        .first()
        .click()
      await page.getByRole('columnheader', { name: 'Accepted Time' }).waitFor()
    },
  },
  {
    name: 'a search that finds nothing',
    who: 'admin',
    show: (page, server) => go(page, server, `${merchants.at}?search=zzzzzz`),
  },
  {
    name: 'the error dialog',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/merchant?*', 500, refusal)
      await go(page, server, merchants.at)
      await page.getByRole('dialog', { name: "That's an error." }).waitFor()
    },
  },
  {
    name: 'a list that failed',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/merchant?*', 500, refusal)
      await go(page, server, merchants.at)
      await dismiss(page)
    },
  },
  {
    name: 'the terms over the portal',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/merchant?*', 428, refusal)
      await page.goto(server.origin + merchants.at)
      await page.getByRole('region', { name: 'Terms and Conditions' }).waitFor()
    },
  },
  {
    name: 'Home before there is any volume',
    who: 'admin',
    show: async (page, server) => {
      await answer(page, '/api/v1/profit', 200, { data: [] })
      await go(page, server, '/')
    },
  },
  {
    name: 'Home, and the server failed',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/profit', 500, refusal)
      await go(page, server, '/')
      await button(page, 'Retry').waitFor()
    },
  },
  {
    name: 'a figure of the chart',
    who: 'admin',
    show: async (page, server) => {
      await go(page, server, '/')
      await page.locator('.home-chart svg').hover()
    },
  },
  {
    name: 'an open menu',
    who: 'admin',
    differs: true,
    show: async (page, server, width) => {
      await go(page, server, '/')
      await openMenu(page, 'Manage', width)
      await item(page, 'Merchants').waitFor()
    },
  },
  {
    name: 'the menu of the account',
    who: 'admin',
    differs: true,
    show: async (page, server, width) => {
      await go(page, server, '/')
      await openMenu(page, 'Welcome, admin', width)
      await item(page, 'Logout').waitFor()
    },
  },
  {
    name: 'a new password',
    who: 'admin',
    differs: true,
    show: async (page, server, width) => {
      await go(page, server, '/')
      await openMenu(page, 'Welcome, admin', width)
      await item(page, 'Change Password').click()
      await page.getByLabel('Confirm Password').waitFor()
      await button(page, 'Save').click()
      await page.getByText('Confirm Password is required').waitFor()
    },
  },
  ...driveVisits,
  ...reportVisits,
  ...importVisits,
  ...ticketVisits,
  {
    name: 'a screen for others',
    who: 'clerk',
    show: (page, server) => go(page, server, imports.merchant.path),
  },
]
