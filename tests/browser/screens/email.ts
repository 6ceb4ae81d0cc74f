import type { Page } from 'playwright-core'
import { answer, button, load } from '../lib/navigate.ts'
import { sequence } from './state.ts'

const request = '/api/v1/user/requestemailverification'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Email Validation' })
const submit = (page: Page, name: string) => dialogOf(page).getByRole('button', { name }).click()

/** The dialog 'Email Validation'. The support card is on every screen of a user without an email. */
export const emailStates = sequence(
  'admin',
  {
    name: 'an email to be validated',
    show: async (page, server) => {
      await load(page, server, '/import/merchants')
      await button(page, 'Validate').click()
      await dialogOf(page).getByLabel('Email').fill('somebody@example.com')
    },
  },
  {
    name: 'an email the server refuses',
    fails: true,
    show: async (page) => {
      await answer(page, request, 429, {
        error: 'A code was sent a moment ago. Please try again in 42 seconds.',
      })
      await submit(page, 'Validate')
      await page.getByText('A code was sent a moment ago.').waitFor()
    },
  },
  {
    name: 'the code of an email',
    show: async (page) => {
      await page.route(`**${request}`, (call) => call.fulfill({ status: 204 }))
      await submit(page, 'Validate')
      await dialogOf(page).getByLabel('Code').waitFor()
    },
  },
  {
    name: 'a code the server refuses',
    fails: true,
    show: async (page) => {
      await dialogOf(page).getByLabel('Code').fill('123456')
      await submit(page, 'Submit')
      await page.getByText('This code').waitFor()
    },
  },
)
