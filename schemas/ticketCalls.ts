import { pageSizes, defaultSize } from './constants.ts'
import type { Endpoint } from './endpoints.ts'
import { everyone } from './permissions.ts'
import { managesTickets, ticketFields, ticketStatuses } from './ticket.ts'

const text = { type: 'string' } as const
const number = { type: 'integer' } as const
const listed = {
  type: 'object',
  required: ['id', 'version', 'tickettypeid', 'subject', 'statusid', 'reporter', 'created', 'own', 'attachments'],
  properties: {
    id: number,
    version: number,
    agentoffice: text,
    agentname: text,
    email: text,
    tickettypeid: number,
    subject: text,
    statusid: number,
    reporter: text,
    created: number,
    own: { type: 'boolean' },
    attachments: number,
  },
} as const
const attachment = { type: 'object', required: ['id', 'name'], properties: { id: number, name: text, mimetype: text, size: number } } as const
const ticket = { ...listed, properties: { ...listed.properties, description: text, files: { type: 'array', items: attachment } } } as const
const named = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: { type: 'object', required: ['id', 'name'], properties: { id: number, name: text } } } },
} as const
const { email, agentname, agentoffice, subject, description, tickettypeid } = ticketFields
const bare = ({ title }: { title: string }, type: 'string' | 'integer') => ({ title, type })

const whichFile = { type: 'object', additionalProperties: false, properties: { id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } } } as const

/** The tickets API of the specification, section 7; every call but the two lists of choices needs a validated e-mail. */
export const ticketCalls = {
  list: {
    route: 'GET /api/v1/ticket',
    allow: everyone,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        page: { type: 'integer', minimum: 1, maximum: 10_000_000, default: 1 },
        size: { type: 'integer', enum: pageSizes, default: defaultSize },
        search: { type: 'string', maxLength: 200, default: '' },
        sort: { type: 'string', maxLength: 60, default: '' },
      },
    },
    reply: { type: 'object', required: ['data', 'total_length'], properties: { data: { type: 'array', items: listed }, total_length: number } },
  },
  types: { route: 'GET /api/v1/ticket/type', allow: everyone, reply: named },
  statuses: { route: 'GET /api/v1/ticket/status', allow: everyone, reply: named },
  /** Where the form is posted to when that is not the portal itself, and what goes along unseen. */
  desk: {
    route: 'GET /api/v1/ticket/desk',
    allow: everyone,
    quiet: true,
    reply: {
      type: 'object',
      required: ['url', 'fields'],
      properties: { url: { type: ['string', 'null'] }, fields: { type: 'object', additionalProperties: text } },
    },
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
  attachments: { route: 'GET /api/v1/ticket/:id/attachment', allow: everyone, query: whichFile, download: true },
  detach: { route: 'DELETE /api/v1/ticket/:id/attachment', allow: everyone, query: { ...whichFile, required: ['id'] }, status: 204 },
} as const satisfies Record<string, Endpoint>
export type Desk = { url: string | null; fields: Record<string, string> }
