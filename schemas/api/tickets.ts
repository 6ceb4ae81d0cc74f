import { managesTickets, ticketFields, ticketStatuses } from '../entities/ticket.ts'
import { everyone } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { listQuery } from './paging.ts'
import { arrayOf, objectOf, string, stringOrNull, integer } from './replies.ts'

const listed = objectOf(
  {
    id: integer,
    version: integer,
    agentoffice: string,
    agentname: string,
    email: string,
    tickettypeid: integer,
    subject: string,
    statusid: integer,
    reporter: string,
    created: integer,
    own: { type: 'boolean' },
    attachments: integer,
  },
  'agentoffice',
  'agentname',
  'email',
)
const attachment = objectOf(
  { id: integer, name: string, mimetype: string, size: integer },
  'mimetype',
  'size',
)
const ticket = {
  ...listed,
  properties: { ...listed.properties, description: string, files: arrayOf(attachment) },
} as const
const namedIds = objectOf({ data: arrayOf(objectOf({ id: integer, name: string })) })
const { email, agentname, agentoffice, subject, description, tickettypeid } = ticketFields
const withoutLimits = ({ title }: { title: string }, type: 'string' | 'integer') => ({ title, type })

const fileQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
} as const

/** The calls of the support tickets (tickets 10). All but `types` and `statuses` need a validated email. */
export const ticketCalls = {
  list: {
    route: 'GET /api/v1/ticket',
    allow: everyone,
    query: listQuery,
    reply: objectOf({ data: arrayOf(listed), total_length: integer }),
  },
  types: { route: 'GET /api/v1/ticket/type', allow: everyone, reply: namedIds },
  statuses: { route: 'GET /api/v1/ticket/status', allow: everyone, reply: namedIds },
  /**
   * The address of a help desk elsewhere that the form is posted to, or null, and its hidden fields
   * (tickets 6).
   */
  helpdeskForm: {
    route: 'GET /api/v1/ticket/desk',
    allow: everyone,
    quiet: true,
    reply: objectOf({ url: stringOrNull, fields: { type: 'object', additionalProperties: string } }),
  },
  read: { route: 'GET /api/v1/ticket/:id', allow: everyone, reply: ticket },
  /** multipart/form-data with the fields and up to five files, or the fields as JSON. */
  create: { route: 'POST /api/v1/ticket', allow: everyone, reply: ticket, status: 201, upload: true },
  update: {
    route: 'PUT /api/v1/ticket/:id',
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
      },
    },
    reply: ticket,
  },
  remove: { route: 'DELETE /api/v1/ticket/:id', allow: managesTickets, status: 204 },
  /** The list of attachments; with `id` the bytes of one. */
  attachments: {
    route: 'GET /api/v1/ticket/:id/attachment',
    allow: everyone,
    query: fileQuery,
    download: true,
  },
  detach: {
    route: 'DELETE /api/v1/ticket/:id/attachment',
    allow: everyone,
    query: { ...fileQuery, required: ['id'] },
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
export type HelpdeskForm = { url: string | null; fields: Record<string, string> }
