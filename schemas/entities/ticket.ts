import { isEmail } from '../fields.ts'
import { everyone, needsPermission, nobody, ruleWithReason, type Rule } from '../permissions.ts'
import type { Entity } from './entity.ts'

/** Limits of the attachments (constants 8). A megabyte is 1,048,576 bytes. */
export const attachmentLimits = { count: 5, megabytes: 20, bytes: 20 * 1024 * 1024 } as const

const numbered = <const T extends readonly string[]>(names: T) =>
  names.map((title, index) => ({ const: index + 1, title }))
/** In the order they are offered (tickets 3). */
export const ticketTypes = numbered([
  'New Application Submission',
  'Equipment Sale',
  'Statement Breakdown',
  'Integration Questions',
  'Bank Change',
  'Account Closing',
  'Price Change',
  'Commissions',
  'Other',
])
/** A new ticket is open. */
export const ticketStatuses = numbered(['Open', 'On Hold', 'Escalated', 'Closed'])

const line = { type: 'string', maxLength: 120 } as const
/** The fields of the form in its order (tickets 2). */
export const ticketFields = {
  agentoffice: { ...line, title: 'Agent Office' },
  agentname: { ...line, title: 'Agent Name' },
  email: { ...line, title: 'Email', required: true },
  tickettypeid: { type: 'integer', title: 'Ticket Type', required: true },
  subject: { type: 'string', title: 'Agent Office-Merchant-Issue', maxLength: 255, required: true },
  description: { type: 'string', title: 'Description', maxLength: 3000, required: true },
} as const
export type TicketField = keyof typeof ticketFields
export const ticketFieldNames = Object.keys(ticketFields) as TicketField[]
export type TicketValues = {
  [name in TicketField]: (typeof ticketFields)[name]['type'] extends 'integer' ? number | null : string
}
export const emptyTicket: TicketValues = {
  agentoffice: '',
  agentname: '',
  email: '',
  tickettypeid: null,
  subject: '',
  description: '',
}

/** In code points: an emoji counts as one. */
const length = (text: string) => [...text].length
const faultOf = (name: TicketField, value: unknown): string | null => {
  const { title, ...limits } = ticketFields[name]
  if ('required' in limits && (value === null || value === undefined || String(value).trim() === ''))
    return `${title} is required`
  if (name === 'tickettypeid')
    return ticketTypes.some((type) => type.const === value)
      ? null
      : `${title} must be one of ${ticketTypes.map((type) => type.title).join(', ')}`
  const text = String(value ?? '')
  if ('maxLength' in limits && length(text) > limits.maxLength)
    return `${title} may have at most ${limits.maxLength.toLocaleString('en-US')} characters`
  return name === 'email' && !isEmail(text) ? `${title} must be a valid email address` : null
}
/** The messages of invalid fields, by field; checked by the form and by the server. */
export const ticketFaults = (
  values: Partial<Record<TicketField, unknown>>,
): Partial<Record<TicketField, string>> =>
  Object.fromEntries(
    ticketFieldNames
      .flatMap((name) => [[name, faultOf(name, values[name])] as const])
      .filter(([, fault]) => fault !== null),
  )

/** The form of a ticket that begins with this subject, above the tickets that have the text (tickets 2). */
export const newTicketPath = (search: string, subject: string): string => {
  const cut = [...subject].slice(0, ticketFields.subject.maxLength).join('')
  return `/tickets?${String(new URLSearchParams({ search, subject: cut, open: 'new' }))}`
}

/** Who may change and delete the tickets of others (tickets 7). */
export const managesTickets: Rule = ruleWithReason(
  (viewer) => viewer.admin || viewer.permissions.manage_tickets,
  needsPermission('manage_tickets'),
)

/**
 * The columns of the list. Tickets are not in the registry of entities, because they have calls of their own.
 */
export const ticketList: Entity = {
  name: 'ticket',
  noun: 'ticket',
  title: 'Tickets',
  path: '/tickets',
  table: 'ticket',
  schema: {
    $id: 'ticket',
    type: 'object',
    required: [],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', title: 'Number' },
      subject: { type: 'string', title: 'Subject' },
      tickettypeid: { type: 'integer', title: 'Type', oneOf: ticketTypes },
      statusid: { type: 'integer', title: 'Status', oneOf: ticketStatuses },
      reporter: { type: 'string', title: 'Reporter' },
      created: { type: 'integer', title: 'Created' },
      attachments: { type: 'integer', title: 'Attachments' },
    },
  },
  access: {
    list: everyone,
    create: nobody,
    update: managesTickets,
    delete: managesTickets,
    open: everyone,
    fields: {},
  },
  scope: null,
  list: {
    columns: [
      { head: 'Number', field: 'id' },
      { head: 'Subject', field: 'subject', grows: true },
      { head: 'Type', field: 'tickettypeid', as: 'choice' },
      { head: 'Status', field: 'statusid', as: 'choice' },
      { head: 'Reporter', field: 'reporter' },
      { head: 'Created', field: 'created', as: 'moment' },
      { head: 'Attachments', field: 'attachments', as: 'number' },
    ],
  },
  form: { title: 'Ticket', size: 'large', groups: [] },
}
