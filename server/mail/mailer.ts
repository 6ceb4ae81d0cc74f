import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { type MailSettings, smtpUrl } from '../config/mail.ts'
import { parseUrl } from '../config/variables.ts'

export type Email = { to: string; subject: string; text: string }
type Log = { warn(facts: object, message: string): void }
/** The one way mail leaves the portal. */
export type Mailer = {
  /** Throws when the mail server did not take the letter within `patience`. */
  send(letter: Email, log: Log): Promise<void>
  /** In the background: a failure is logged. */
  sendInBackground(letter: Email, log: Log): void
  /** Resolves once what was told is sent, or has failed. */
  flush(): Promise<void>
}

/** Milliseconds a mail server may take for one letter. */
const sendTimeout = 8_000

/** Letters go to the server of SMTP_URL; without one they are put into `outbox`, a folder of the data folder. */
export function createMailer({ smtpUrl: server, from }: MailSettings, dataDir: string): Mailer {
  const under = new Set<Promise<void>>()
  const common = {
    from,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const mailOf = ({ to, ...rest }: Email) => ({ ...common, ...rest, to: { name: '', address: to } })

  async function deliver(url: string, letter: Email) {
    // Each of them ends one kind of silence; the deadline ends a server that keeps talking.
    const transport = createTransport({
      url,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 6_000,
      dnsTimeout: 5_000,
    })
    let deadline: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      deadline = setTimeout(
        () => reject(new Error(`the mail server took longer than ${sendTimeout} ms`)),
        sendTimeout,
      )
    })
    const sending = transport.sendMail(mailOf(letter))
    sending.catch(() => {})
    await Promise.race([sending, late]).finally(() => clearTimeout(deadline))
  }

  async function file(letter: Email, log: Log) {
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
      mailOf(letter),
    )
    const folder = join(dataDir, 'outbox')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(
      folder,
      `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(3).toString('hex')}.eml`,
    )
    await writeFile(path, message as Buffer, { mode: 0o600 })
    log.warn({ file: path }, 'SMTP_URL is not set: a letter was put into the outbox')
  }

  const send: Mailer['send'] = (letter, log) =>
    server === null ? file(letter, log) : deliver(server, letter)
  return {
    send,
    sendInBackground(letter, log) {
      const sent = send(letter, log)
        .catch((error: Error) => log.warn({ reason: error.message }, 'a letter could not be sent'))
        .finally(() => under.delete(sent))
      under.add(sent)
    },
    flush: async () => void (await Promise.all(under)),
  }
}
