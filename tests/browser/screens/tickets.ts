import type { Page } from 'playwright-core'
import { goodTicket } from '../../ticket.ts'
import { answer, button, dismiss, load, refusal } from '../lib/navigate.ts'
import type { Served } from '../lib/serve.ts'
import { sequence, type ScreenState } from './state.ts'

const shown = async (page: Page, server: Served) => {
  await load(page, server, '/tickets')
  await page.getByLabel('Description').waitFor()
}
const fill = async (page: Page) => {
  await page.getByLabel('Ticket Type').selectOption('Other')
  await page.getByLabel(/Merchant-Issue/).fill('A terminal is silent')
  await page.getByLabel('Description').fill('It does not ring.')
}
const attach = (page: Page, count: number) =>
  page.getByLabel('Files to attach').setInputFiles(
    Array.from({ length: count }, (_, index) => ({
      name: `${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('text'),
    })),
  )
/** Something is in the list, with an attachment. */
const opened = async (page: Page, server: Served) => {
  const { db } = server
  await db.query('delete from ticket')
  const [made] = await db.query<{ id: number }>(
    `insert into ticket (email, tickettypeid, subject, description, reporterid, reporter, masteragentid)
      select $1, 9, $2, $3, id, username, masteragentid from portal_user where username = 'staff' returning id`,
    [goodTicket.email, goodTicket.subject, goodTicket.description],
  )
  await db.query(
    `insert into ticket_attachment (ticketid, name, mimetype, size) values ($1, 'a.txt', 'text/plain', 4)`,
    [made!.id],
  )
  await shown(page, server)
  await page.getByRole('rowheader').first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Attachments' }).waitFor()
}

const formStates = sequence(
  'staff',
  { name: 'the form of a ticket', show: shown },
  {
    name: 'the form of a ticket, nothing typed, a file too many',
    show: async (page) => {
      await attach(page, 6)
      await button(page, 'Submit').click()
      await page.getByText('Description is required').waitFor()
      await page.getByText('5.txt was left out').waitFor()
    },
  },
  {
    name: 'a ticket being sent',
    show: async (page) => {
      await page.route('**/api/v1/ticket', () => {})
      await fill(page)
      await button(page, 'Submit').click()
      await button(page, 'Cancel').waitFor()
    },
  },
  {
    name: 'a ticket that failed',
    fails: true,
    show: async (page) => {
      await button(page, 'Cancel').click()
      await answer(page, '/api/v1/ticket', 500, refusal)
      await button(page, 'Submit').click()
      await dismiss(page)
    },
  },
  {
    name: 'a ticket that was sent',
    show: async (page) => {
      await page.unroute('**/api/v1/ticket')
      await button(page, 'Submit').click()
      await button(page, 'New ticket').waitFor()
    },
  },
)

const openedStates = sequence(
  'staff',
  { name: 'a ticket of somebody who manages tickets', show: opened },
  {
    name: 'the question before a ticket is deleted',
    show: async (page) => {
      await button(page, 'Delete').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
)

export const ticketStates: readonly ScreenState[] = [
  ...formStates,
  ...openedStates,
  { name: 'a ticket of somebody who only reads tickets', who: 'clerk', show: opened },
]
