import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import {
  attachmentLimits,
  ticketFaults,
  ticketFieldNames,
  ticketFields,
  type TicketValues,
} from '../../schemas/entities/ticket.ts'
import { HttpError, isFullDisk } from '../http/errors.ts'
import { describeBodyFault, partsOf, repeatedField } from '../http/multipart.ts'
import { unstorable, unstorablePath } from '../http/schemas.ts'
import { writeNewFile, type QuotaUse } from '../jobs/diskQuota.ts'

/** An attachment of a call: its bytes are in a file at `path`, which is removed when the call ends. */
export type ReceivedFile = { name: string; mimetype: string; size: number; path: string }
/** Where attachments are written during their call, and the quota that they use. */
type AttachmentPlace = { folder: string; quotaUse: QuotaUse }
export type SubmittedTicket = { values: TicketValues; attachments: ReceivedFile[] }

const attachmentError = (message: string, status = 422) =>
  new HttpError(status, message, { fields: { attachments: message } })
const { count, megabytes, bytes } = attachmentLimits

/** The last part of a path without control characters, at most 255 characters. */
const safeFileName = (sent: string): string => {
  const name = sent
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return [...name].slice(-255).join('') || 'attachment'
}

/** Writes one attachment to `path`. Throws an HttpError (413) at the first byte over the limit. */
async function saveAttachment(part: MultipartFile, path: string, quotaUse: QuotaUse): Promise<ReceivedFile> {
  const name = safeFileName(part.filename)
  let size = 0
  await writeNewFile(
    part.file,
    async (chunk) => {
      size += chunk.length
      if (size > bytes) throw attachmentError(`${name} is larger than ${megabytes} MB`, 413)
      await quotaUse.take(chunk.length)
    },
    path,
  )
  return { name, mimetype: part.mimetype.slice(0, 200), size, path }
}

async function readParts(
  request: FastifyRequest,
  { folder, quotaUse }: AttachmentPlace,
  attachments: ReceivedFile[],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  const names: string[] = []
  await mkdir(folder, { recursive: true })
  try {
    for await (const part of partsOf(request, {
      limits: { files: count + 1, fields: 20, parts: count + 21, fileSize: bytes + 1, fieldSize: 100_000 },
    })) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value
        names.push(part.fieldname)
      } else if (part.filename !== '' && part.filename !== undefined) {
        if (attachments.length === count) throw attachmentError(`At most ${count} attachments can be sent`)
        const path = join(folder, `upload-${randomUUID()}`)
        // Listed before it is written, so that the caller also removes a part of it.
        attachments.push({ name: '', mimetype: '', size: 0, path })
        attachments[attachments.length - 1] = await saveAttachment(part, path, quotaUse)
      } else part.file.resume()
    }
  } catch (error) {
    if (isFullDisk(error as { code?: string }))
      throw new HttpError(507, 'The server has no room for the attachments')
    throw describeBodyFault(error)
  }
  const repeated = repeatedField(names)
  if (repeated) throw new HttpError(400, Object.values(repeated).join(''), { fields: repeated })
  const type = fields['tickettypeid']
  if (typeof type === 'string') fields['tickettypeid'] = /^\d{1,9}$/.test(type) ? Number(type) : null
  return fields
}

/**
 * Reads the ticket of a call, hands it to `use`, and removes its attachments' files afterwards. Throws an
 * HttpError (422) naming each wrong field.
 */
export async function receiveTicket<T>(
  request: FastifyRequest,
  place: AttachmentPlace,
  use: (ticket: SubmittedTicket) => Promise<T>,
): Promise<T> {
  const attachments: ReceivedFile[] = []
  try {
    const sent = request.isMultipart() ? await readParts(request, place, attachments) : request.body
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw new HttpError(400, 'A ticket is sent as multipart/form-data or as JSON')
    return await use({ values: parseTicket(sent as Record<string, unknown>), attachments })
  } finally {
    for (const { path } of attachments) await rm(path, { force: true })
    place.quotaUse.free()
  }
}

/** The rest of the message, after the title of the field, for a value that no ticket can hold; else null. */
function shapeFault(name: keyof TicketValues, value: unknown): string | null {
  if (value === undefined || value === null) return null
  const type = name === 'tickettypeid' ? 'number' : 'string'
  if (typeof value !== type) return `must be ${type === 'number' ? 'a whole number' : 'text'}`
  return unstorablePath(value) && unstorable
}

function parseTicket(sent: Record<string, unknown>): TicketValues {
  const unknown = Object.keys(sent).find((name) => !(ticketFieldNames as string[]).includes(name))
  if (unknown !== undefined)
    throw new HttpError(400, `${unknown} is not a field of a ticket`, {
      fields: { [unknown]: `${unknown} is not a field of a ticket` },
    })
  for (const name of ticketFieldNames) {
    const messageEnd = shapeFault(name, sent[name])
    if (messageEnd === null) continue
    const message = `${ticketFields[name].title} ${messageEnd}`
    throw new HttpError(400, message, { fields: { [name]: message } })
  }
  const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, storedText(value)]))
  const values = { agentoffice: '', agentname: '', ...texts } as unknown as TicketValues
  checkTicket(values)
  return values
}

/** A text as it is stored: trimmed, and with '\n' as line break; other values unchanged. */
export const storedText = <T>(value: T) =>
  typeof value === 'string' ? value.trim().replaceAll('\r\n', '\n') : value

/** Throws an HttpError (422) naming each wrong field. */
export function checkTicket(values: Partial<TicketValues>): void {
  const fields = ticketFaults(values)
  if (Object.keys(fields).length > 0) throw new HttpError(422, Object.values(fields).join('. '), { fields })
}
