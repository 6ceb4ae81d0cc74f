import type { SignedIn } from './testPortal.ts'

/** A ticket that nothing is wrong with. */
export const goodTicket = {
  agentoffice: 'North Office',
  agentname: 'Ann',
  email: 'ann@example.com',
  tickettypeid: 9,
  subject: 'A terminal is silent',
  description: 'It does not ring.',
}
export type Upload = { name: string; content: string | Buffer; type?: string }

/** The bytes of a form as a browser sends them. */
export function formOf(
  fields: Record<string, unknown>,
  files: readonly Upload[] = [],
): { body: Buffer; headers: Record<string, string> } {
  const boundary = '----ticket-test'
  const parts: Buffer[] = []
  for (const [name, value] of Object.entries(fields))
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
      ),
    )
  for (const { name, content, type = 'text/plain' } of files)
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="attachments"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      Buffer.from(content as Buffer),
      Buffer.from('\r\n'),
    )
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** Files a ticket with attachments. */
export const fileTicket = (who: SignedIn, fields: object = {}, files: readonly Upload[] = []) => {
  const { body, headers } = formOf({ ...goodTicket, ...fields }, files)
  return who.call('POST', '/api/v1/ticket', body, headers)
}
