import { join } from 'node:path'
import type { Ticket } from '../../schemas/api/tickets.ts'
import { ticketList, ticketStatuses, ticketTypes } from '../../schemas/entities/ticket.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Handlers } from '../http/call.ts'
import { notFound } from '../http/errors.ts'
import { requestedRange, setDownloadHeaders } from '../http/fileResponse.ts'
import type { DiskQuota } from '../jobs/diskQuota.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { sourceFileHandler } from '../lists/entityFile.ts'
import { readAttachment } from './attachments.ts'
import { createTicket, deleteAttachment, deleteTicket, updateTicket } from './changes.ts'
import { findTicket, listTickets, requireEmail, ticketFileSource, ticketId } from './find.ts'
import { receiveTicket, type SubmittedTicket } from './receive.ts'

const toOptions = (options: readonly { const: number; title: string }[]) => ({
  data: options.map((option) => ({ id: option.const, name: option.title })),
})

/**
 * Files a ticket after its attachments were received. This may have taken minutes, so the caller is
 * authorized again.
 */
async function fileReceived(db: Db, call: Call, ticket: SubmittedTicket): Promise<Ticket> {
  const caller = await call.authorizeAgain()
  requireEmail(caller)
  return createTicket(db, { ...call, caller }, ticket)
}

/** The calls of the portal's own tickets (tickets 10). */
export const ticketHandlers = (
  db: Db,
  config: Config,
  { downloads, uploads }: { downloads: Downloads; uploads: DiskQuota },
): Handlers['tickets'] => ({
  async list({ caller, query }) {
    requireEmail(caller)
    return listTickets(db, caller, query)
  },
  export: sourceFileHandler(ticketList, { db, config, downloads }, async ({ caller, query }) => {
    requireEmail(caller)
    return ticketFileSource(caller, query)
  }),
  types: async () => toOptions(ticketTypes),
  statuses: async () => toOptions(ticketStatuses),
  helpdeskForm: async () => config.helpdeskForm,

  async read({ caller, params }) {
    requireEmail(caller)
    return findTicket(db, caller, ticketId(params))
  },

  async create(call) {
    requireEmail(call.caller)
    const place = { folder: join(config.dataDir, 'tmp'), quotaUse: uploads(call.caller.username) }
    return receiveTicket(call.request, place, (ticket) => fileReceived(db, call, ticket))
  },

  async update(call) {
    requireEmail(call.caller)
    return updateTicket(db, call)
  },

  async remove(call) {
    requireEmail(call.caller)
    await deleteTicket(db, call)
  },

  /** The list of attachments, or the bytes of the one whose id the query names. */
  async attachments({ caller, params, query, request, reply }) {
    requireEmail(caller)
    const { files } = await findTicket(db, caller, ticketId(params))
    if (query.id === undefined) return { data: files }
    const file = files.find(({ id }) => id === query.id)
    if (!file) throw notFound('attachment')
    // The bytes of an attachment never change, so its id is its ETag.
    const info = { name: file.name, mimeType: file.mimetype, size: file.size, etag: `"${file.id}"` }
    const range = requestedRange(request, reply, info)
    setDownloadHeaders(reply, info, range)
    return readAttachment(db, file, range)
  },

  async detach(call) {
    requireEmail(call.caller)
    await deleteAttachment(db, call)
  },
})
