import { codeIn, mailServer, outbox, type MailServer } from '../../mail.ts'
import type { TestPortal } from '../../testPortal.ts'
import { ok, type Driver } from './drivers/driver.ts'

const servers = new Map<string, MailServer>()

/** Settings with a real mail server of their own. */
export async function withMail() {
  const mail = await mailServer()
  servers.set(mail.url, mail)
  return { mail: { smtpUrl: mail.url, from: 'Technology Portal <portal@example.com>' } }
}
export const closeMail = () => Promise.all([...servers.values()].map((mail) => mail.close()))

export const mailOf = ({ config }: TestPortal): MailServer => servers.get(config.mail.smtpUrl ?? '')!

/** Does something that sends a code, and reads it from the email. */
export async function codeSent(it: Driver, address: string, act: () => Promise<void>): Promise<string> {
  const { emails } = mailOf(it.portal)
  const before = emails.length
  await act()
  await it.eventually(() => ok(emails.length === before + 1, `${emails.length - before} emails came`))
  const received = emails.at(-1)!
  ok(received.to.join() === address, `the email went to ${received.to.join()}`)
  return codeIn(received)
}

/** Somebody whose email the server has forgotten validates it again, where emails go to the outbox. */
export async function validateAgain(it: Driver, who: string): Promise<void> {
  const { db, config } = it.portal
  const dialog = 'Email Validation'
  const address = `${who}@mail.example.com`
  await db.query('update portal_user set email = null where username = $1', [who])
  await db.query('delete from email_code')
  await it.reload()
  await it.press('Validate')
  await it.fill('Email', address, { dialog })
  const before = (await outbox(config.dataDir)).length
  await it.press('Validate', { dialog })
  await it.eventually(async () =>
    ok((await outbox(config.dataDir)).length > before, 'no email is in the outbox'),
  )
  await it.fill('Code', codeIn((await outbox(config.dataDir)).at(-1)!), { dialog })
  await it.press('Submit', { dialog })
  await it.eventually(async () =>
    ok((await it.count('complementary', 'Support')) === 0, 'the card is still there'),
  )
}
