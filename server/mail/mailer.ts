import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MailSettings } from '../config/mail.ts'

export type Email = { to: string; subject: string; text: string }
export type Log = { warn(facts: object, message: string): void }
export type Mailer = {
  /** Rejects when the mail server did not accept the email within `sendTimeout`. */
  send(email: Email, log: Log): Promise<void>
  /** Sends after the call has returned; a failure is logged. */
  sendInBackground(email: Email, log: Log): void
  /** Resolves when every email of `sendInBackground` is sent or has failed. */
  flush(): Promise<void>
}

/** Milliseconds a mail server may take for one email. */
const sendTimeout = 8_000

/**
 * Sends emails to the server of SMTP_URL; without one they are written to `outbox`, a folder of the data
 * folder.
 */
export function createMailer({ smtpUrl, from }: MailSettings, dataDir: string): Mailer {
  const pending = new Set<Promise<void>>()
  const common = {
    from,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const send: Mailer['send'] = ({ to, ...rest }, log) => {
    const message = { ...common, ...rest, to: { name: '', address: to } }
    return smtpUrl === null ? writeToOutbox(dataDir, message, log) : sendBySmtp(smtpUrl, message)
  }
  return {
    send,
    sendInBackground(email, log) {
      const sent = send(email, log)
        .catch((error: Error) => log.warn({ reason: error.message }, 'an email could not be sent'))
        .finally(() => pending.delete(sent))
      pending.add(sent)
    },
    flush: async () => void (await Promise.all(pending)),
  }
}

async function sendBySmtp(url: string, message: SendMailOptions) {
  // Each of these limits one wait for a silent server; only the deadline stops a server that keeps sending.
  const transport = createTransport({
    url,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 6_000,
    dnsTimeout: 5_000,
  })
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the mail server took longer than ${sendTimeout} ms`)),
      sendTimeout,
    )
  })
  const sending = transport.sendMail(message)
  // Without this a failure after the deadline would be an unhandled rejection.
  sending.catch(() => {})
  await Promise.race([sending, deadline]).finally(() => clearTimeout(timer))
}

async function writeToOutbox(dataDir: string, email: SendMailOptions, log: Log) {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(email)
  const folder = join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(3).toString('hex')}.eml`
  const path = join(folder, name)
  await writeFile(path, message as Buffer, { mode: 0o600 })
  log.warn({ file: path }, 'SMTP_URL is not set: an email was put into the outbox')
}
