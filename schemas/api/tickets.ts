import { managesTickets, ticketFields, ticketStatuses } from '../entities/ticket.ts'
import { everyone } from '../permissions.ts'
import { arrayOf, boolean, integer, objectOf, string, stringOrNull, type ShapeOf } from '../shapes.ts'
import type { Endpoint } from './endpoint.ts'
import { filteredQuery, listFileQuery } from './paging.ts'
import { versionBody } from './replies.ts'

const listed = objectOf({
  id: integer,
  version: integer,
  agentoffice: string,
  agentname: string,
  email: string,
  tickettypeid: integer,
  subject: string,
  statusid: integer,
  reporter: string,
  /** Epoch seconds UTC. */
  created: integer,
  /** Whether the caller filed it. */
  own: boolean,
  attachments: integer,
})
/** `size` is in bytes. */
const attachment = objectOf({ id: integer, name: string, mimetype: string, size: integer })
export type Attachment = ShapeOf<typeof attachment>
const ticket = objectOf({ ...listed.properties, description: string, files: arrayOf(attachment) })
export type TicketSummary = ShapeOf<typeof listed>
export type Ticket = ShapeOf<typeof ticket>
const helpdeskForm = objectOf({
  url: stringOrNull,
  fields: { type: 'object', additionalProperties: string },
})
export type HelpdeskForm = ShapeOf<typeof helpdeskForm>
const namedIds = objectOf({ data: arrayOf(objectOf({ id: integer, name: string })) })
const { email, agentname, agentoffice, subject, description, tickettypeid } = ticketFields
/** What a ticket is answered with and nobody changes; taken back unchanged (api 5). */
export const fixedTicketFields = {
  id: { type: 'integer', title: 'Number' },
  reporter: { type: 'string', title: 'Reporter' },
  created: { type: 'integer', title: 'Created' },
  own: { type: 'boolean', title: 'Own' },
  attachments: { type: 'integer', title: 'Attachments' },
  files: { type: 'array', title: 'Files' },
} as const
const withoutLimits = <const T extends 'string' | 'integer'>({ title }: { title: string }, type: T) => ({
  title,
  type,
})

const fileQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
} as const

/** The calls of the support tickets (tickets 10). All but `types` and `statuses` need a validated email. */
export const ticketCalls = {
  list: {
    route: 'GET /api/v1/ticket',
    task: 'get tickets',
    allow: everyone,
    query: filteredQuery,
    reply: objectOf({ data: arrayOf(listed), total_length: integer }),
  },
  export: {
    route: 'GET /api/v1/ticket/export',
    allow: everyone,
    task: 'download tickets',
    query: listFileQuery,
    download: true,
    ownTurn: true,
  },
  types: { route: 'GET /api/v1/ticket/type', task: 'get ticket types', allow: everyone, reply: namedIds },
  statuses: {
    route: 'GET /api/v1/ticket/status',
    task: 'get ticket statuses',
    allow: everyone,
    reply: namedIds,
  },
  /**
   * The address of a help desk elsewhere that the form is posted to, or null, and its hidden fields
   * (tickets 6).
   */
  helpdeskForm: {
    route: 'GET /api/v1/ticket/desk',
    allow: everyone,
    quiet: true,
    reply: helpdeskForm,
  },
  read: { route: 'GET /api/v1/ticket/:id', task: 'get ticket', allow: everyone, reply: ticket },
  /** multipart/form-data with the fields and up to five files, or the fields as JSON. */
  create: {
    route: 'POST /api/v1/ticket',
    done: { text: 'Created.', view: '/tickets?open=:id' },
    task: 'create ticket',
    allow: everyone,
    reply: ticket,
    status: 201,
    upload: true,
  },
  update: {
    route: 'PUT /api/v1/ticket/:id',
    done: { text: 'Saved.', view: '/tickets?open=:id' },
    task: 'update ticket',
    allow: everyone,
    body: {
      type: 'object',
      additionalProperties: false,
      required: [],
      properties: {
        version: { type: 'integer' },
        agentoffice: withoutLimits(agentoffice, 'string'),
        agentname: withoutLimits(agentname, 'string'),
        email: withoutLimits(email, 'string'),
        tickettypeid: withoutLimits(tickettypeid, 'integer'),
        subject: withoutLimits(subject, 'string'),
        description: withoutLimits(description, 'string'),
        statusid: { type: 'integer', title: 'Status', oneOf: ticketStatuses },
        ...fixedTicketFields,
      },
    },
    reply: ticket,
  },
  remove: {
    route: 'DELETE /api/v1/ticket/:id',
    task: 'delete ticket',
    allow: managesTickets,
    body: versionBody,
    status: 204,
    done: { text: 'Deleted.' },
  },
  /** The list of attachments; with `id` the bytes of one. */
  attachments: {
    route: 'GET /api/v1/ticket/:id/attachment',
    task: 'get ticket attachments',
    allow: everyone,
    query: fileQuery,
    reply: objectOf({ data: arrayOf(attachment) }),
    download: true,
    auditedAs: 'ticket attachment',
  },
  detach: {
    route: 'DELETE /api/v1/ticket/:id/attachment',
    done: { text: 'Deleted.' },
    task: 'delete ticket attachment',
    allow: everyone,
    query: { ...fileQuery, required: ['id'] },
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
