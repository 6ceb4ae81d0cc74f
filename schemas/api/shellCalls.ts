import { recordsTitle, opensRecords, type Entity } from '../entities/entity.ts'
import { entities } from '../entities/index.ts'
import { lookups, type LookupName, type LookupRow } from '../entities/lookups.ts'
import { acceptancesReply } from '../entities/terms.ts'
import { adminsSee, everyone } from '../permissions.ts'
import { arrayOf, describes, integer, mapValues, objectOf, string } from '../shapes.ts'
import { agentRatesReply } from './agentRates.ts'
import type { Endpoint } from './endpoint.ts'
import { ownHomeReply, portalReply, profitReply } from './home.ts'
import { filteredQuery, listFileQuery } from './paging.ts'
import { answerOnlyFields, rowReply, versionBody } from './replies.ts'
import { ownPassword } from './session.ts'

const idsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    search: { type: 'string', maxLength: 200, default: '' },
    size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  },
} as const

/** The fields of a record. Which entity it is of is known at run time, so its type names none. */
const fieldsOf = describes<Record<string, unknown>>()

/** The dialog of a record, for those who may open it. */
const viewOf = (entity: Entity) => ({ view: `${entity.path}?open=:id`, viewFor: opensRecords(entity) })

/** The six calls of every entity. */
const entityCalls = (entity: Entity) =>
  ({
    list: {
      route: `GET /api/v1/${entity.name}`,
      allow: entity.access.list,
      task: `get ${recordsTitle(entity).toLowerCase()}`,
      query: filteredQuery,
      reply: objectOf({ data: arrayOf(rowReply(entity)), total_length: integer }),
    },
    export: {
      route: `GET /api/v1/${entity.name}/export`,
      allow: entity.access.list,
      task: `download ${recordsTitle(entity).toLowerCase()}`,
      query: listFileQuery,
      download: true,
      ownTurn: true,
    },
    read: {
      route: `GET /api/v1/${entity.name}/:id`,
      allow: entity.access.list,
      task: `get ${entity.noun}`,
      reply: rowReply(entity),
    },
    create: {
      route: `POST /api/v1/${entity.name}`,
      allow: entity.access.create,
      task: `create ${entity.noun}`,
      body: fieldsOf.by({
        ...entity.schema,
        $id: `${entity.schema.$id}.create`,
        required: [...entity.schema.required, ...(entity.form.requiredNew ?? [])],
      }),
      reply: rowReply(entity),
      status: 201,
      done: { text: 'Created.', ...viewOf(entity) },
    },
    update: {
      route: `PUT /api/v1/${entity.name}/:id`,
      allow: entity.access.update,
      task: `update ${entity.noun}`,
      body: fieldsOf.by({
        ...entity.schema,
        $id: `${entity.schema.$id}.update`,
        required: [],
        properties: { ...entity.schema.properties, ...answerOnlyFields },
      }),
      reply: rowReply(entity),
      done: { text: 'Saved.', ...viewOf(entity) },
    },
    remove: {
      route: `DELETE /api/v1/${entity.name}/:id`,
      allow: entity.access.delete,
      task: `delete ${entity.noun}`,
      body: versionBody,
      status: 204,
      done: { text: 'Deleted.' },
    },
  }) satisfies Record<string, Endpoint>

const ids = (name: LookupName) =>
  ({
    route: `GET /api/v1/${name}/ids`,
    allow: everyone,
    task: `get ${entities[name]!.title.toLowerCase()}`,
    query: idsQuery,
    reply: objectOf({
      data: arrayOf(
        describes<LookupRow>().by({
          type: 'object',
          properties: {
            id: integer,
            ...Object.fromEntries(lookups[name].fields.map((field) => [field, string])),
          },
        }),
      ),
    }),
  }) satisfies Endpoint

/**
 * The calls of the shell, of Home and of the lists. They are not in endpoints.ts, which would bring the calls
 * of every screen into the first load (decision 32).
 */
export const shellCalls = {
  session: {
    changePassword: {
      route: 'PUT /api/v1/user/me',
      allow: everyone,
      task: 'change the password',
      body: ownPassword,
      status: 204,
      done: { text: 'The password is changed.' },
    },
    reauthenticate: {
      route: 'PUT /api/v1/reauthenticate',
      allow: everyone,
      body: ownPassword,
      status: 204,
      quiet: true,
    },
  },
  terms: {
    acceptance: {
      route: 'GET /api/v1/tc/acceptance/:id',
      allow: adminsSee,
      task: 'get acceptances',
      reply: acceptancesReply,
    },
  },
  home: {
    profit: { route: 'GET /api/v1/profit', allow: everyone, reply: profitReply, quiet: true },
    own: { route: 'GET /api/v1/home', allow: everyone, reply: ownHomeReply, quiet: true },
    portal: { route: 'GET /api/v1/portal', allow: everyone, reply: portalReply, quiet: true },
  },
  entities: mapValues(entities, entityCalls),
  agents: {
    rates: {
      route: 'GET /api/v1/masteragent/:id/rates',
      allow: entities.masteragent!.access.list,
      reply: agentRatesReply,
      quiet: true,
    },
  },
  ids: mapValues(lookups, (_, name) => ids(name)),
} as const
