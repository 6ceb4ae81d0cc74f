import type { AgentRates } from '../../schemas/api/agentRates.ts'
import { decisionCalls } from '../../schemas/api/decisions.ts'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import type { PortalSettings, ProfitDay } from '../../schemas/api/home.ts'
import type { ListQuery, Page } from '../../schemas/api/paging.ts'
import type { Entity, Row } from '../../schemas/entities/entity.ts'
import type { LookupName, LookupRow } from '../../schemas/entities/lookups.ts'
import type { Acceptances } from '../../schemas/entities/terms.ts'
import type { Call, CallOptions } from './http.ts'

/** The endpoints table as typed functions. */
export const createClient = (call: Call) => {
  // The types repeat the JSON Schemas of the replies in the table.
  const send = <Reply>(endpoint: Endpoint, options?: CallOptions) => call(endpoint, options) as Promise<Reply>
  const callsOf = (entity: Entity) => {
    const calls = endpoints.entities[entity.name]
    if (!calls) throw new Error(`${entity.name} is not in the registry of entities`)
    return calls
  }
  return {
    changePassword: (password: string, signal?: AbortSignal) =>
      send<void>(endpoints.session.changePassword, { body: { password }, signal }),
    home: {
      profit: async (signal?: AbortSignal) =>
        (await send<{ data: ProfitDay[] }>(endpoints.home.profit, { signal })).data,
      portal: (signal?: AbortSignal) => send<PortalSettings>(endpoints.home.portal, { signal }),
    },
    acceptance: (id: number, signal?: AbortSignal) =>
      send<Acceptances>(endpoints.terms.acceptance, { params: { id }, signal }),
    agentRates: (id: number, signal?: AbortSignal) =>
      send<AgentRates>(endpoints.agents.rates, { params: { id }, signal }),
    rows: {
      list: (entity: Entity, query: ListQuery, signal?: AbortSignal) =>
        send<Page<Row>>(callsOf(entity).list, { query, signal }),
      read: (entity: Entity, id: number, signal?: AbortSignal) =>
        send<Row>(callsOf(entity).read, { params: { id }, signal }),
      create: (entity: Entity, body: object, signal?: AbortSignal) =>
        send<Row>(callsOf(entity).create, { body, signal }),
      update: (entity: Entity, id: number, body: object, signal?: AbortSignal) =>
        send<Row>(callsOf(entity).update, { params: { id }, body, signal }),
      /** `name` is that of one of the entity's decisions. */
      decide: (entity: Entity, name: string, id: number, body: object, signal?: AbortSignal) => {
        const endpoint = (decisionCalls as Record<string, Record<string, Endpoint>>)[entity.name]?.[name]
        if (!endpoint) throw new Error(`${entity.name} has no decision ${name}`)
        return send<Row>(endpoint, { params: { id }, body, signal })
      },
      remove: (entity: Entity, id: number, version: number | undefined, signal?: AbortSignal) =>
        send<void>(callsOf(entity).remove, { params: { id }, version, signal }),
    },
    lookups: async (name: LookupName, query: { search: string } | { id: number }, signal?: AbortSignal) =>
      (await send<{ data: LookupRow[] }>(endpoints.ids[name], { query, signal })).data,
  }
}
export type Client = ReturnType<typeof createClient>
