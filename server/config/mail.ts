import { portalName } from '../../schemas/constants.ts'
import { isEmail } from '../../schemas/fields.ts'
import { failExpected, parseUrl, type ParseVariable, type ReadVariable } from './variables.ts'

export type MailSettings = {
  /** Null for the outbox folder. */
  smtpUrl: string | null
  from: string
}

/** SMTP_URL and MAIL_FROM. */
export function mailSettings(read: ReadVariable): MailSettings {
  const from = read('MAIL_FROM', null, senderAddress)
  return {
    smtpUrl: read('SMTP_URL', null, smtpUrl(from !== null), true),
    from: from ?? `${portalName} <portal@localhost>`,
  }
}

const senderAddress: ParseVariable<string | null> = (text) => {
  const address = /^[^<>"\\\r\n]* <([^<>]+)>$/.exec(text)?.[1] ?? text
  return isEmail(address) ? text : failExpected(`an address like ${portalName} <portal@example.com>`)
}

const smtpUrl =
  (hasSender: boolean): ParseVariable<string | null> =>
  (text) => {
    if (!parseUrl(text, ['smtp:', 'smtps:']))
      return failExpected('a URL like smtp://user:password@mail.example.com:587')
    return hasSender ? text : failExpected('set together with MAIL_FROM, the address the mail comes from')
  }
