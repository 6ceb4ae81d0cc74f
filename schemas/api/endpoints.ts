import type { Entity } from '../entities/entity.ts'
import { entities } from '../entities/index.ts'
import { lites, type LiteName } from '../entities/lookups.ts'
import { acceptancesReply } from '../entities/terms.ts'
import { admins, everyone } from '../permissions.ts'
import { driveEndpoints } from './drive.ts'
import { emailCalls } from './email.ts'
import type { Endpoint } from './endpoint.ts'
import { portalReply, profitReply } from './home.ts'
import { files } from './imports.ts'
import { listQuery } from './paging.ts'
import { list, record, text, whole } from './replies.ts'
import { reports } from './reports.ts'
import { ownPassword } from './session.ts'
import { entrance } from './sessionCalls.ts'
import { ticketCalls } from './tickets.ts'

const idsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    search: { type: 'string', maxLength: 200, default: '' },
    size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  },
} as const

const labels = { type: 'object', additionalProperties: text }
/** The stored record, with the names of what it refers to. */
export const rowReply = (it: Entity) => ({
  type: 'object',
  required: ['id', 'version', ...it.schema.required],
  properties: { ...it.schema.properties, labels },
})

/** The five calls of every entity. */
export const crud = (it: Entity) =>
  ({
    list: {
      route: `GET /api/v1/${it.name}`,
      allow: it.access.list,
      query: listQuery,
      reply: record({ data: list(rowReply(it)), total_length: whole }),
    },
    read: { route: `GET /api/v1/${it.name}/:id`, allow: it.access.list, reply: rowReply(it) },
    create: {
      route: `POST /api/v1/${it.name}`,
      allow: it.access.create,
      body: it.schema,
      reply: rowReply(it),
      status: 201,
    },
    update: {
      route: `PUT /api/v1/${it.name}/:id`,
      allow: it.access.update,
      body: { ...it.schema, $id: `${it.schema.$id}.update`, required: [] },
      reply: rowReply(it),
    },
    remove: { route: `DELETE /api/v1/${it.name}/:id`, allow: it.access.delete, status: 204 },
  }) satisfies Record<string, Endpoint>

const ids = (name: LiteName) =>
  ({
    route: `GET /api/v1/${name}/ids`,
    allow: everyone,
    query: idsQuery,
    reply: record({
      data: list({
        type: 'object',
        properties: { id: whole, ...Object.fromEntries(lites[name].fields.map((field) => [field, text])) },
      }),
    }),
  }) satisfies Endpoint

const map = <K extends string, A, B>(from: Readonly<Record<K, A>>, to: (value: A, key: K) => B) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value as A, key as K)])) as Record<
    K,
    B
  >

/** Every call of the API, one row each: the client reads it left to right, the server too. */
export const endpoints = {
  session: {
    ...entrance.session,
    changePassword: { route: 'PUT /api/v1/user/me', allow: everyone, body: ownPassword, status: 204 },
  },
  terms: {
    ...entrance.terms,
    acceptance: { route: 'GET /api/v1/tc/acceptance/:id', allow: admins, reply: acceptancesReply },
  },
  home: {
    profit: { route: 'GET /api/v1/profit', allow: everyone, reply: profitReply, quiet: true },
    portal: { route: 'GET /api/v1/portal', allow: everyone, reply: portalReply, quiet: true },
  },
  reports,
  email: emailCalls,
  entities: map(entities, crud),
  ids: map(lites, (_, name) => ids(name)),
  ...files,
  drive: driveEndpoints,
  tickets: ticketCalls,
} as const
