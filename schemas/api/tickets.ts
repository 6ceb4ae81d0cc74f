import { managesTickets, ticketFields, ticketStatuses } from '../entities/ticket.ts'
import { everyone } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { listQuery } from './paging.ts'
import { list, record, text, textOrNull, whole } from './replies.ts'

const listed = record(
  {
    id: whole,
    version: whole,
    agentoffice: text,
    agentname: text,
    email: text,
    tickettypeid: whole,
    subject: text,
    statusid: whole,
    reporter: text,
    created: whole,
    own: { type: 'boolean' },
    attachments: whole,
  },
  'agentoffice',
  'agentname',
  'email',
)
const attachment = record({ id: whole, name: text, mimetype: text, size: whole }, 'mimetype', 'size')
const ticket = {
  ...listed,
  properties: { ...listed.properties, description: text, files: list(attachment) },
} as const
const named = record({ data: list(record({ id: whole, name: text })) })
const { email, agentname, agentoffice, subject, description, tickettypeid } = ticketFields
const bare = ({ title }: { title: string }, type: 'string' | 'integer') => ({ title, type })

const whichFile = {
  type: 'object',
  additionalProperties: false,
  properties: { id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
} as const

/** The tickets API of the specification, section 7; every call but the two lists of choices needs a validated e-mail. */
export const ticketCalls = {
  list: {
    route: 'GET /api/v1/ticket',
    allow: everyone,
    query: listQuery,
    reply: record({ data: list(listed), total_length: whole }),
  },
  types: { route: 'GET /api/v1/ticket/type', allow: everyone, reply: named },
  statuses: { route: 'GET /api/v1/ticket/status', allow: everyone, reply: named },
  /** Where the form is posted to when that is not the portal itself, and what goes along unseen. */
  desk: {
    route: 'GET /api/v1/ticket/desk',
    allow: everyone,
    quiet: true,
    reply: record({ url: textOrNull, fields: { type: 'object', additionalProperties: text } }),
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
        agentoffice: bare(agentoffice, 'string'),
        agentname: bare(agentname, 'string'),
        email: bare(email, 'string'),
        tickettypeid: bare(tickettypeid, 'integer'),
        subject: bare(subject, 'string'),
        description: bare(description, 'string'),
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
    query: whichFile,
    download: true,
  },
  detach: {
    route: 'DELETE /api/v1/ticket/:id/attachment',
    allow: everyone,
    query: { ...whichFile, required: ['id'] },
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
export type Desk = { url: string | null; fields: Record<string, string> }
