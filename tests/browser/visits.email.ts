import type { Page } from 'playwright-core'
import { answer, button, go } from './going.ts'
import type { Served } from './server.ts'
import type { Visit } from './visits.ts'

const request = '/api/v1/user/requestemailverification'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Email Validation' })
const emailStep = async (page: Page, server: Served) => {
  await go(page, server, '/import/merchants')
  await button(page, 'Validate').click()
  await dialogOf(page).getByLabel('Email').fill('somebody@example.com')
}
const submit = (page: Page, name: string) => dialogOf(page).getByRole('button', { name }).click()
const codeStep = async (page: Page, server: Served) => {
  await page.route(`**${request}`, (call) => call.fulfill({ status: 204 }))
  await emailStep(page, server)
  await submit(page, 'Validate')
  await dialogOf(page).getByLabel('Code').waitFor()
}

/** The dialog 'Email Validation'. The support card stands on every screen of who has no email. */
export const emailVisits: readonly Visit[] = [
  { name: 'an email to be validated', who: 'admin', show: emailStep },
  {
    name: 'an email the server refuses',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await answer(page, request, 429, {
        error: 'A code was sent a moment ago. Please try again in 42 seconds.',
      })
      await emailStep(page, server)
      await submit(page, 'Validate')
      await page.getByText('A code was sent a moment ago.').waitFor()
    },
  },
  { name: 'the code of an email', who: 'admin', show: codeStep },
  {
    name: 'a code the server refuses',
    who: 'admin',
    fails: true,
    show: async (page, server) => {
      await codeStep(page, server)
      await dialogOf(page).getByLabel('Code').fill('123456')
      await submit(page, 'Submit')
      await page.getByText('This code').waitFor()
    },
  },
]
