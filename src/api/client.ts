import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import type { PortalSettings, ProfitDay } from '../../schemas/api/home.ts'
import type { ListQuery, Page } from '../../schemas/api/paging.ts'
import type { Entity, Row } from '../../schemas/entities/entity.ts'
import type { LiteName, LiteRow } from '../../schemas/entities/lookups.ts'
import type { Acceptances } from '../../schemas/entities/terms.ts'
import type { Call, Options } from './http.ts'

/** The endpoints table as functions, each typed by what the row says it takes and answers. */
export const createClient = (call: Call) => {
  // The table's JSON Schemas say the same of each reply; this is the one place that turns them into types.
  const answer = <Reply>(endpoint: Endpoint, options?: Options) => call(endpoint, options) as Promise<Reply>
  const of = (it: Entity) => {
    const rows = endpoints.entities[it.name]
    if (!rows) throw new Error(`${it.name} is not in the registry of entities`)
    return rows
  }
  return {
    changePassword: (password: string, signal?: AbortSignal) =>
      answer<void>(endpoints.session.changePassword, { body: { password }, signal }),
    home: {
      profit: async (signal?: AbortSignal) =>
        (await answer<{ data: ProfitDay[] }>(endpoints.home.profit, { signal })).data,
      portal: (signal?: AbortSignal) => answer<PortalSettings>(endpoints.home.portal, { signal }),
    },
    acceptance: (id: number, signal?: AbortSignal) =>
      answer<Acceptances>(endpoints.terms.acceptance, { params: { id }, signal }),
    rows: {
      list: (it: Entity, query: ListQuery, signal?: AbortSignal) =>
        answer<Page<Row>>(of(it).list, { query, signal }),
      read: (it: Entity, id: number, signal?: AbortSignal) =>
        answer<Row>(of(it).read, { params: { id }, signal }),
      create: (it: Entity, body: object, signal?: AbortSignal) =>
        answer<Row>(of(it).create, { body, signal }),
      update: (it: Entity, id: number, body: object, signal?: AbortSignal) =>
        answer<Row>(of(it).update, { params: { id }, body, signal }),
      remove: (it: Entity, id: number, version: number | undefined, signal?: AbortSignal) =>
        answer<void>(of(it).remove, { params: { id }, version, signal }),
    },
    lites: async (name: LiteName, query: { search: string } | { id: number }, signal?: AbortSignal) =>
      (await answer<{ data: LiteRow[] }>(endpoints.ids[name], { query, signal })).data,
  }
}
export type Client = ReturnType<typeof createClient>
