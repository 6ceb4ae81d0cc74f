import type { Entity } from '../entities/entity.ts'
import { entities } from '../entities/index.ts'
import { lookups, type LookupName } from '../entities/lookups.ts'
import { acceptancesReply } from '../entities/terms.ts'
import { admins, everyone } from '../permissions.ts'
import { agentRatesReply } from './agentRates.ts'
import { decisionCalls } from './decisions.ts'
import { driveCalls } from './drive.ts'
import { emailCalls } from './email.ts'
import type { Endpoint } from './endpoint.ts'
import { portalReply, profitReply } from './home.ts'
import { importCalls } from './imports.ts'
import { monthCalls } from './months.ts'
import { listQuery } from './paging.ts'
import { arrayOf, objectOf, rowReply, string, integer } from './replies.ts'
import { reportCalls } from './reports.ts'
import { ownPassword } from './session.ts'
import { sessionCalls } from './sessionCalls.ts'
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

/** The five calls of every entity. */
export const entityCalls = (entity: Entity) =>
  ({
    list: {
      route: `GET /api/v1/${entity.name}`,
      allow: entity.access.list,
      query: listQuery,
      reply: objectOf({ data: arrayOf(rowReply(entity)), total_length: integer }),
    },
    read: { route: `GET /api/v1/${entity.name}/:id`, allow: entity.access.list, reply: rowReply(entity) },
    create: {
      route: `POST /api/v1/${entity.name}`,
      allow: entity.access.create,
      body: entity.schema,
      reply: rowReply(entity),
      status: 201,
    },
    update: {
      route: `PUT /api/v1/${entity.name}/:id`,
      allow: entity.access.update,
      body: { ...entity.schema, $id: `${entity.schema.$id}.update`, required: [] },
      reply: rowReply(entity),
    },
    remove: { route: `DELETE /api/v1/${entity.name}/:id`, allow: entity.access.delete, status: 204 },
  }) satisfies Record<string, Endpoint>

const ids = (name: LookupName) =>
  ({
    route: `GET /api/v1/${name}/ids`,
    allow: everyone,
    query: idsQuery,
    reply: objectOf({
      data: arrayOf({
        type: 'object',
        properties: {
          id: integer,
          ...Object.fromEntries(lookups[name].fields.map((field) => [field, string])),
        },
      }),
    }),
  }) satisfies Endpoint

const map = <K extends string, A, B>(from: Readonly<Record<K, A>>, to: (value: A, key: K) => B) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value as A, key as K)])) as Record<
    K,
    B
  >

/**
 * Every call of the API: the client takes routes and types from it, the server routes, rules and schemas
 * (api 1).
 */
export const endpoints = {
  session: {
    ...sessionCalls.session,
    changePassword: { route: 'PUT /api/v1/user/me', allow: everyone, body: ownPassword, status: 204 },
  },
  terms: {
    ...sessionCalls.terms,
    acceptance: { route: 'GET /api/v1/tc/acceptance/:id', allow: admins, reply: acceptancesReply },
  },
  home: {
    profit: { route: 'GET /api/v1/profit', allow: everyone, reply: profitReply, quiet: true },
    portal: { route: 'GET /api/v1/portal', allow: everyone, reply: portalReply, quiet: true },
  },
  reports: reportCalls,
  months: monthCalls,
  email: emailCalls,
  entities: map(entities, entityCalls),
  decisions: decisionCalls,
  agents: {
    rates: {
      route: 'GET /api/v1/masteragent/:id/rates',
      allow: entities.masteragent!.access.list,
      reply: agentRatesReply,
      quiet: true,
    },
  },
  ids: map(lookups, (_, name) => ids(name)),
  ...importCalls,
  drive: driveCalls,
  tickets: ticketCalls,
} as const
