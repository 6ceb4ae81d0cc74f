import { openSessionCalls } from '../../schemas/api/accounts/openSessions.ts'
import { decisionCalls, type DecisionCall } from '../../schemas/api/decisions.ts'
import type { ListQuery } from '../../schemas/api/paging.ts'
import { shellCalls } from '../../schemas/api/shellCalls.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { LookupName } from '../../schemas/entities/lookups.ts'
import type { Call } from './http.ts'

/** The calls of an entity. Throws an Error for one that the registry lacks. */
export const callsOf = (entity: Entity) => {
  const calls = shellCalls.entities[entity.name]
  if (!calls) throw new Error(`${entity.name} is not in the registry of entities`)
  return calls
}

/** The endpoints table as typed functions. */
export const createClient = (call: Call) => {
  const decisions: Readonly<Record<string, Readonly<Record<string, DecisionCall>>>> = decisionCalls
  return {
    changePassword: (password: string, signal?: AbortSignal) =>
      call(shellCalls.session.changePassword, { body: { password }, signal }),
    reauthenticate: (password: string, signal?: AbortSignal) =>
      call(shellCalls.session.reauthenticate, { body: { password }, signal }),
    sessions: openSessionsOf(call),
    home: {
      profit: async (signal?: AbortSignal) => (await call(shellCalls.home.profit, { signal })).data,
      own: (signal?: AbortSignal) => call(shellCalls.home.own, { signal }),
      portal: (signal?: AbortSignal) => call(shellCalls.home.portal, { signal }),
    },
    acceptance: (id: number, signal?: AbortSignal) =>
      call(shellCalls.terms.acceptance, { params: { id }, signal }),
    agentRates: (id: number, signal?: AbortSignal) =>
      call(shellCalls.agents.rates, { params: { id }, signal }),
    rows: {
      list: (entity: Entity, query: ListQuery, signal?: AbortSignal) =>
        call(callsOf(entity).list, { query, signal }),
      read: (entity: Entity, id: number, signal?: AbortSignal) =>
        call(callsOf(entity).read, { params: { id }, signal }),
      /** Without an id; `update` sends that of the record (api 5). */
      create: (entity: Entity, body: Record<string, unknown>, signal?: AbortSignal) =>
        call(callsOf(entity).create, { body, signal }),
      update: (entity: Entity, id: number, body: Record<string, unknown>, signal?: AbortSignal) =>
        call(callsOf(entity).update, { params: { id }, body: { ...body, id }, signal }),
      /** `name` is that of one of the entity's decisions. */
      decide: (
        entity: Entity,
        name: string,
        id: number,
        body: Record<string, unknown>,
        signal?: AbortSignal,
      ) => {
        const endpoint = decisions[entity.name]?.[name]
        if (!endpoint) throw new Error(`${entity.name} has no decision ${name}`)
        return call(endpoint, { params: { id }, body, signal })
      },
      remove: (entity: Entity, id: number, version: number | undefined, signal?: AbortSignal) =>
        call(callsOf(entity).remove, { params: { id }, version, signal }),
    },
    lookups: async (name: LookupName, query: { search: string } | { id: number }, signal?: AbortSignal) =>
      (await call(shellCalls.ids[name], { query, signal })).data,
  }
}
/** The open sessions of a user: of the one with this id, or their own for null. */
const openSessionsOf = (call: Call) => ({
  list: (user: number | null, signal?: AbortSignal) =>
    user === null
      ? call(openSessionCalls.own, { signal })
      : call(openSessionCalls.ofUser, { params: { id: user }, signal }),
  end: (user: number | null, session: number, signal?: AbortSignal) =>
    user === null
      ? call(openSessionCalls.endOwn, { params: { session }, signal })
      : call(openSessionCalls.endOfUser, { params: { id: user, session }, signal }),
  /** All but the current one. */
  endAll: (user: number | null, signal?: AbortSignal) =>
    user === null
      ? call(openSessionCalls.endOthers, { signal })
      : call(openSessionCalls.endAllOfUser, { params: { id: user }, signal }),
})

export type Client = ReturnType<typeof createClient>
