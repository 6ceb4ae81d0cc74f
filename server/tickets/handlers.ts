import { join } from 'node:path'
import type { ListQuery } from '../../schemas/api/paging.ts'
import {
  managesTickets,
  ticketFieldNames,
  ticketStatuses,
  ticketTypes,
  type Ticket,
} from '../../schemas/entities/ticket.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Db } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { notFound, HttpError } from '../http/errors.ts'
import { setDownloadHeaders, requestedRange } from '../http/fileResponse.ts'
import { baseVersion } from '../http/version.ts'
import { readAttachment, storeAttachment } from './attachments.ts'
import { findTicket, listTickets } from './find.ts'
import { checkTicket, receiveTicket } from './receive.ts'

type ById = Call<{ id: string }, { id?: number }, Record<string, unknown> | undefined>

const requireEmail = ({ email }: Caller) => {
  if (!email) throw new HttpError(403, 'Validate your email to see support tickets')
}
const toOptions = (options: readonly { const: number; title: string }[]) => ({
  data: options.map((option) => ({ id: option.const, name: option.title })),
})
const stale = () =>
  new HttpError(409, 'This ticket was changed by somebody else meanwhile', { code: 'stale' })

/** Throws 403 naming the fields. Who filed a ticket may correct what it says; its status, and other people's, are the managers'. */
function checkPermission(caller: Caller, ticket: Ticket, changed: readonly string[]) {
  if (managesTickets(caller)) return
  const refused = ticket.own ? changed.filter((field) => field === 'statusid') : changed
  if (refused.length === 0) return
  const message = ticket.own
    ? 'Only who manages tickets may change the status'
    : 'You may not change tickets of others'
  throw new HttpError(403, message, { fields: Object.fromEntries(refused.map((field) => [field, message])) })
}

/** The tickets of the portal's own receiver. */
export const ticketHandlers = (db: Db, config: Pick<Config, 'dataDir' | 'helpdeskForm'>) => {
  const folder = join(config.dataDir, 'tmp')
  return {
    async list({ caller, query }: Call<object, ListQuery>) {
      requireEmail(caller)
      return listTickets(db, caller, query)
    },
    types: async () => toOptions(ticketTypes),
    statuses: async () => toOptions(ticketStatuses),
    desk: async () => config.helpdeskForm,

    async read({ caller, params }: ById) {
      requireEmail(caller)
      return findTicket(db, caller, params.id)
    },

    async create({ caller, address, request }: Call) {
      requireEmail(caller)
      return receiveTicket(request, folder, ({ values, attachments }) =>
        db.transaction(async (tx) => {
          const { agentoffice, agentname, email, tickettypeid, subject, description } = values
          const [made] = await tx.query<{ id: number }>(
            `insert into ticket (agentoffice, agentname, email, tickettypeid, subject, description, reporterid, reporter, masteragentid)
              values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
            [
              agentoffice,
              agentname,
              email,
              tickettypeid,
              subject,
              description,
              caller.userid,
              caller.username,
              caller.masteragentid,
            ],
          )
          for (const attachment of attachments) await storeAttachment(tx, made!.id, attachment)
          const ticket = await findTicket(tx, caller, String(made!.id))
          await audit(tx, {
            username: caller.username,
            address,
            action: 'create',
            entity: 'ticket',
            entityid: ticket.id,
            after: ticket,
          })
          return ticket
        }),
      )
    },

    async update({ caller, address, params, body = {}, request }: ById) {
      requireEmail(caller)
      const version = baseVersion(request.headers['if-match'], body['version'])
      if (version === null)
        throw new HttpError(
          400,
          'Send the version of the ticket that was read, as the field version or the header If-Match',
        )
      return db.transaction(async (tx) => {
        const ticket = await lockTicket(tx, caller, params.id)
        if (ticket.version !== version) throw stale()
        const before = ticket as Record<string, unknown>
        const changed = [...ticketFieldNames, 'statusid'].filter(
          (field) => field in body && body[field] !== before[field],
        )
        checkPermission(caller, ticket, changed)
        const pick = (from: Record<string, unknown>) =>
          Object.fromEntries(changed.map((field) => [field, from[field]]))
        checkTicket({ ...ticket, ...pick(body) })
        if (changed.length === 0) return ticket
        const set = changed.map((field, index) => `${field} = $${index + 2}`)
        await tx.query(`update ticket set version = version + 1, ${set.join(', ')} where id = $1`, [
          ticket.id,
          ...changed.map((field) => body[field]),
        ])
        await audit(tx, {
          username: caller.username,
          address,
          action: 'update',
          entity: 'ticket',
          entityid: ticket.id,
          before: pick(before),
          after: pick(body),
        })
        return findTicket(tx, caller, params.id)
      })
    },

    async remove({ caller, address, params, body, request }: ById) {
      requireEmail(caller)
      const version = baseVersion(request.headers['if-match'], body?.['version'])
      await db.transaction(async (tx) => {
        const ticket = await lockTicket(tx, caller, params.id)
        if (version !== null && ticket.version !== version) throw stale()
        await tx.query('delete from ticket where id = $1', [ticket.id])
        await audit(tx, {
          username: caller.username,
          address,
          action: 'delete',
          entity: 'ticket',
          entityid: ticket.id,
          before: ticket,
        })
      })
    },

    async attachments({ caller, params, query, request, reply }: ById) {
      requireEmail(caller)
      const { files } = await findTicket(db, caller, params.id)
      if (query.id === undefined) return { data: files }
      const file = files.find(({ id }) => id === query.id)
      if (!file) throw notFound('attachment')
      // Its bytes never change, so its id names them.
      const sent = { name: file.name, mimeType: file.mimetype, size: file.size, etag: `"${file.id}"` }
      const span = requestedRange(request, reply, sent)
      setDownloadHeaders(reply, sent, span)
      return readAttachment(db, file, span)
    },

    async detach({ caller, address, params, query }: ById) {
      requireEmail(caller)
      await db.transaction(async (tx) => {
        const ticket = await lockTicket(tx, caller, params.id)
        checkPermission(caller, ticket, ['attachments'])
        const file = ticket.files.find(({ id }) => id === query.id)
        if (!file) throw notFound('attachment')
        await tx.query('delete from ticket_attachment where id = $1', [file.id])
        await tx.query('update ticket set version = version + 1 where id = $1', [ticket.id])
        await audit(tx, {
          username: caller.username,
          address,
          action: 'delete',
          entity: 'ticket attachment',
          entityid: file.id,
          before: { ...file, ticketid: ticket.id },
        })
      })
    },
  }

  /** The ticket, which nobody else changes until the transaction ends. */
  async function lockTicket(
    tx: Parameters<typeof findTicket>[0],
    caller: Caller,
    id: string,
  ): Promise<Ticket> {
    const { id: known } = await findTicket(tx, caller, id)
    await tx.query('select 1 from ticket where id = $1 for no key update', [known])
    return findTicket(tx, caller, id)
  }
}
