import { isDeepStrictEqual } from 'node:util'
import { fixedTicketFields, type Ticket, type ticketCalls } from '../../schemas/api/tickets.ts'
import { managesTickets, ticketFieldNames } from '../../schemas/entities/ticket.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Call, CallOf, Caller } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { baseVersion } from '../http/version.ts'
import { storeAttachment } from './attachments.ts'
import { findTicket, ticketId } from './find.ts'
import { checkTicket, storedText, type SubmittedTicket } from './receive.ts'

const changeableFields = [...ticketFieldNames, 'statusid'] as const
type ChangeableField = (typeof changeableFields)[number]
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

/** Throws an HttpError (403) that names read-only fields for which the body has other values (api 5). */
function refuseFixed(ticket: Record<string, unknown>, body: Record<string, unknown>) {
  const refused = Object.entries(fixedTicketFields).filter(
    ([field]) => field in body && !isDeepStrictEqual(body[field], ticket[field]),
  )
  if (refused.length === 0) return
  const message = (title: string) => `You may not change ${title}`
  throw new HttpError(403, message(refused.map(([, { title }]) => title).join(', ')), {
    fields: Object.fromEntries(refused.map(([field, { title }]) => [field, message(title)])),
  })
}

/** The ticket, locked against changes of others until the transaction ends. Throws an HttpError (404). */
async function lockTicket(sql: Sql, caller: Caller, id: number): Promise<Ticket> {
  await findTicket(sql, caller, id)
  await sql.query('select 1 from ticket where id = $1 for no key update', [id])
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
    const ticket = await findTicket(tx, caller, created!.id)
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
  { caller, address, params, body, request }: CallOf<typeof ticketCalls.update>,
): Promise<Ticket> {
  const version = baseVersion(request.headers['if-match'], body.version)
  if (version === null)
    throw new HttpError(
      400,
      'Send the version of the ticket that was read, as the field version or the header If-Match',
    )
  return db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, caller, ticketId(params))
    if (ticket.version !== version) throw staleError()
    const sent = Object.fromEntries(changeableFields.map((field) => [field, storedText(body[field])]))
    const changed = changeableFields.filter(
      (field) => field in body && ![body[field], sent[field]].includes(ticket[field]),
    )
    refuseFixed(ticket, body)
    checkPermission(caller, ticket, changed)
    if (changed.length === 0) return ticket
    const pick = (from: Partial<Pick<Ticket, ChangeableField>>) =>
      Object.fromEntries(changed.map((field) => [field, from[field]]))
    checkTicket({ ...ticket, ...pick(sent) })
    const set = changed.map((field, index) => `${field} = $${index + 2}`)
    await tx.query(`update ticket set version = version + 1, ${set.join(', ')} where id = $1`, [
      ticket.id,
      ...changed.map((field) => sent[field]),
    ])
    await audit(tx, {
      username: caller.username,
      address,
      action: 'update',
      entity: 'ticket',
      entityid: ticket.id,
      before: pick(ticket),
      after: pick(sent),
    })
    return findTicket(tx, caller, ticket.id)
  })
}

/** Throws an HttpError: 404, or 409 when a version is sent that is no longer the ticket's. */
export async function deleteTicket(
  db: Db,
  { caller, address, params, body, request }: CallOf<typeof ticketCalls.remove>,
) {
  const version = baseVersion(request.headers['if-match'], body?.version)
  await db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, caller, ticketId(params))
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
export async function deleteAttachment(
  db: Db,
  { caller, address, params, query }: CallOf<typeof ticketCalls.detach>,
) {
  await db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, caller, ticketId(params))
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
