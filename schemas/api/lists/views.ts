import { entities } from '../../entities/index.ts'
import { ticketList } from '../../entities/ticket.ts'
import { everyone, type Viewer } from '../../permissions.ts'
import { readsAudit } from '../../screenRules.ts'
import { arrayOf, boolean, integer, integerOrNull, objectOf, string, type ShapeOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'

/** The lists that have views: every entity's by its name, that of the tickets and the audit's. */
export const viewLists = [...Object.keys(entities), ticketList.name, 'audit']
/**
 * Whether this viewer may open the list, and with it its views. That of tickets also needs a validated
 * email.
 */
export const mayList = (viewer: Viewer, list: string): boolean =>
  (list === ticketList.name ? ticketList.access.list : (entities[list]?.access.list ?? readsAudit))(viewer)

/**
 * In characters, and how many of one list a person keeps; the records of a view are counted up to `counted`
 * (constants 2).
 */
export const viewLimits = { name: 60, count: 50, search: 6_000, counted: 1_000 }

const view = objectOf({
  id: integer,
  name: string,
  /** Others who may open the list and see as much as its owner see it too. */
  shared: boolean,
  /** Whether it is the caller's. */
  own: boolean,
  /** Whether the caller may remove it. */
  removable: boolean,
  owner: string,
  /** The part of the list's address that says what is listed and how, without '?' (views 1). */
  search: string,
})
export type View = ShapeOf<typeof view>

/** What stands for the default view, the list without a filter, where views are named by id. */
export const defaultView = 0

/**
 * How many records a view lists for the caller: exact up to the limit, or that there are more. Null for one
 * whose filters can no longer be read, or that takes too long to count.
 */
const viewCount = objectOf({ id: integer, total: integerOrNull, more: boolean })
export type ViewCount = ShapeOf<typeof viewCount>

const list = { type: 'string', title: 'List', enum: viewLists } as const
const listOfViews = {
  type: 'object',
  required: ['list'],
  additionalProperties: false,
  properties: { list },
} as const
const viewBody = {
  $id: 'view',
  type: 'object',
  required: ['list', 'name', 'shared', 'search'],
  additionalProperties: false,
  properties: {
    list,
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: viewLimits.name, pattern: '\\S' },
    shared: { type: 'boolean', title: 'Shared' },
    search: { type: 'string', title: 'Filters', maxLength: viewLimits.search },
  },
} as const
export type ViewBody = ShapeOf<typeof viewBody>

/** The named views of lists (views 1). */
export const viewCalls = {
  /** One's own and those that others share, by name. 403 for a list that the caller may not open. */
  list: {
    route: 'GET /api/v1/view',
    task: 'get views',
    allow: everyone,
    query: listOfViews,
    reply: objectOf({ data: arrayOf(view) }),
    quiet: true,
  },
  /** The records of the default view and of each of these (views 4). 403 for a list that one may not open. */
  count: {
    route: 'GET /api/v1/view/count',
    task: 'count views',
    allow: everyone,
    query: listOfViews,
    reply: objectOf({ data: arrayOf(viewCount) }),
    quiet: true,
  },
  /** One's own view of the same list and name is replaced. */
  save: {
    route: 'POST /api/v1/view',
    task: 'save view',
    done: { text: 'Saved.' },
    allow: everyone,
    body: viewBody,
    reply: view,
    status: 201,
  },
  /** One's own; an administrator removes any that is shared. */
  remove: {
    route: 'DELETE /api/v1/view/:id',
    task: 'delete view',
    done: { text: 'Deleted.' },
    allow: everyone,
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
