import { managesTickets, ticketFieldNames, type Ticket } from '../../schemas/entities/ticket.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { baseVersion } from '../http/version.ts'
import { storeAttachment } from './attachments.ts'
import { findTicket } from './find.ts'
import { checkTicket, type SubmittedTicket } from './receive.ts'

export type TicketCall = Call<{ id: string }, { id?: number }, Record<string, unknown> | undefined>
type Author = Pick<Call, 'caller' | 'address'>

const staleError = () =>
  new HttpError(409, 'This ticket was changed by somebody else meanwhile', { code: 'stale' })

/**
 * Refuses to change fields that are not the caller's to change (tickets 7). Throws an HttpError (403) naming
 * them.
 */
function checkPermission(caller: Caller, ticket: Ticket, changed: readonly string[]) {
  if (managesTickets(caller)) return
  const refused = ticket.own ? changed.filter((field) => field === 'statusid') : changed
  if (refused.length === 0) return
  const message = ticket.own
    ? 'Only who manages tickets may change the status'
    : 'You may not change tickets of others'
  throw new HttpError(403, message, { fields: Object.fromEntries(refused.map((field) => [field, message])) })
}

/** The ticket, locked against changes of others until the transaction ends. Throws an HttpError (404). */
async function lockTicket(sql: Sql, caller: Caller, id: string): Promise<Ticket> {
  const { id: known } = await findTicket(sql, caller, id)
  await sql.query('select 1 from ticket where id = $1 for no key update', [known])
  return findTicket(sql, caller, id)
}

export const createTicket = (
  db: Db,
  { caller, address }: Author,
  { values, attachments }: SubmittedTicket,
): Promise<Ticket> =>
  db.transaction(async (tx) => {
    const { agentoffice, agentname, email, tickettypeid, subject, description } = values
    const [created] = await tx.query<{ id: number }>(
      `insert into ticket (agentoffice, agentname, email, tickettypeid, subject, description,
          reporterid, reporter, masteragentid)
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
    for (const attachment of attachments) await storeAttachment(tx, created!.id, attachment)
    const ticket = await findTicket(tx, caller, String(created!.id))
    await audit(tx, {
      username: caller.username,
      address,
      action: 'create',
      entity: 'ticket',
      entityid: ticket.id,
      after: ticket,
    })
    return ticket
  })

/**
 * Throws an HttpError: 400 without a version, 403, 404, 409 when the version is no longer the ticket's, 422.
 */
export async function updateTicket(
  db: Db,
  { caller, address, params, body = {}, request }: TicketCall,
): Promise<Ticket> {
  const version = baseVersion(request.headers['if-match'], body['version'])
  if (version === null)
    throw new HttpError(
      400,
      'Send the version of the ticket that was read, as the field version or the header If-Match',
    )
  return db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, caller, params.id)
    if (ticket.version !== version) throw staleError()
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
}

/** Throws an HttpError: 404, or 409 when a version is sent that is no longer the ticket's. */
export async function deleteTicket(db: Db, { caller, address, params, body, request }: TicketCall) {
  const version = baseVersion(request.headers['if-match'], body?.['version'])
  await db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, caller, params.id)
    if (version !== null && ticket.version !== version) throw staleError()
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
}

/** Deletes the attachment whose id the query names. Throws an HttpError (403, 404). */
export async function deleteAttachment(db: Db, { caller, address, params, query }: TicketCall) {
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
}
