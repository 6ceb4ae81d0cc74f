import type { Page } from 'playwright-core'
import { goodTicket } from '../ticket.ts'
import { answer, button, dismiss, go, refusal } from './going.ts'
import type { Served } from './server.ts'
import type { Visit } from './visits.ts'

const at = '/tickets'
const shown = async (page: Page, server: Served) => {
  await go(page, server, at)
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

export const ticketVisits: readonly Visit[] = [
  { name: 'the form of a ticket', who: 'staff', show: shown },
  {
    name: 'the form of a ticket, nothing typed, a file too many',
    who: 'staff',
    show: async (page, server) => {
      await shown(page, server)
      await attach(page, 6)
      await button(page, 'Submit').click()
      await page.getByText('Description is required').waitFor()
      await page.getByText('5.txt was left out').waitFor()
    },
  },
  {
    name: 'a ticket on its way',
    who: 'staff',
    show: async (page, server) => {
      await page.route('**/api/v1/ticket', () => {})
      await shown(page, server)
      await fill(page)
      await button(page, 'Submit').click()
      await button(page, 'Cancel').waitFor()
    },
  },
  {
    name: 'a ticket that failed',
    who: 'staff',
    fails: true,
    show: async (page, server) => {
      await answer(page, '/api/v1/ticket', 500, refusal)
      await shown(page, server)
      await fill(page)
      await button(page, 'Submit').click()
      await dismiss(page)
    },
  },
  {
    name: 'a ticket that was sent',
    who: 'staff',
    show: async (page, server) => {
      await shown(page, server)
      await fill(page)
      await button(page, 'Submit').click()
      await button(page, 'New ticket').waitFor()
    },
  },
  { name: 'a ticket of who manages', who: 'staff', show: opened },
  {
    name: 'the question before a ticket is deleted',
    who: 'staff',
    show: async (page, server) => {
      await opened(page, server)
      await button(page, 'Delete').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'a ticket of who only reads', who: 'clerk', show: opened },
]
