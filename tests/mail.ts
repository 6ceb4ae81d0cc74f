import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** An email as it arrived: what the envelope says, and what a mail program would show. */
export type Received = { to: string[]; from: string; headers: Record<string, string>; text: string }

/** Reads a message of one text part, however its body is encoded. */
function readEmail(raw: string, envelope: Pick<Received, 'to' | 'from'>): Received {
  const end = raw.search(/\r?\n\r?\n/)
  const lines = raw
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const body = raw.slice(end).replace(/^(\r?\n){2}/, '')
  return {
    ...envelope,
    headers,
    text: decoded(body, headers['content-transfer-encoding'] ?? '7bit').replaceAll('\r\n', '\n'),
  }
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The six digits that stand alone on a line. */
export const codeIn = ({ text }: Received): string => {
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1]
  if (!code) throw new Error(`no code in: ${text}`)
  return code
}

/**
 * A real SMTP server, which keeps what it gets; `refuse` names addresses it takes no mail for. Port 0 is any
 * free one.
 */
export async function mailServer(port = 0) {
  const emails: Received[] = []
  const refuse = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _, done) => done(refuse.has(address) ? new Error('No such user here') : null),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        emails.push(
          readEmail(Buffer.concat(parts).toString('utf8'), {
            to: envelope.rcptTo.map(({ address }) => address),
            from,
          }),
        )
        done()
      })
    },
  })
  await new Promise<void>((open) => server.listen(port, '127.0.0.1', open))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    emails,
    refuse,
    last: () => emails.at(-1)!,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}
export type MailServer = Awaited<ReturnType<typeof mailServer>>

/** The emails in the outbox of a data folder, oldest first. */
export async function outbox(dataDir: string): Promise<Received[]> {
  const folder = join(dataDir, 'outbox')
  const files = await readdir(folder).catch(() => [] as string[])
  return Promise.all(
    files
      .sort()
      .map(async (file) => readEmail(await readFile(join(folder, file), 'utf8'), { to: [], from: '' })),
  )
}
