import { fromPromise } from 'xstate'
import { passwordMachine } from '../../machines/account/password.machine.ts'
import { decisionMachine, type DecisionSubject } from '../../machines/decision.machine.ts'
import { listMachine, type ListResult } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../machines/modal.machine.ts'
import type { ListQuery } from '../../schemas/api/paging.ts'
import { decisionOf, type Entity } from '../../schemas/entities/entity.ts'
import type { LookupName } from '../../schemas/entities/lookups.ts'
import { createClient, type Client } from './client.ts'
import type { Call } from './http.ts'
import { memoize } from './memoize.ts'
import type { Portal } from './portal.ts'
import { provideEmailValidation } from './provide/email.ts'
import { provideInboxCount } from './provide/inboxCount.ts'
import { provideListTools } from './provide/lists.ts'
import { provideTerms } from './provide/terms.ts'

/**
 * The machines of the shell and of lists with their calls, and how to fetch the others. Made once per portal:
 * a machine must stay the same while it is in use.
 */
export const provideMachines = memoize((portal: Pick<Portal, 'call' | 'session' | 'actorEnvironment'>) => ({
  ...provideCommon(createClient(portal.call)),
  listTools: provideListTools(portal.call),
  terms: provideTerms(portal),
  inboxCount: provideInboxCount(portal.call),
  verification: provideEmailValidation(portal),
  /** A running actor, unlike the others; fetched where the widget is configured. */
  helpdeskWidget: async () => (await import('./provide/helpdesk.ts')).startHelpdeskWidget(portal),
  /** Fetched when somebody first finds something. */
  find: () => loadFind(portal.call),
  /** Fetched with the first screen that is neither a list nor Home (decision 32). */
  fetched: fetchOnce(async () => (await import('./provide/fetched/fetched.ts')).provideFetched(portal.call)),
}))

const loadFind = memoize(async (call: Call) => (await import('./provide/find.ts')).provideFind(call))

/** Loads once: with the first call that succeeds. `known` is then the result. */
const fetchOnce = <T>(load: () => Promise<T>) => {
  let known: T | null = null
  return { load: async () => (known ??= await load()), known: () => known }
}

const provideCommon = (api: Client) => ({
  list: memoize((entity: Entity) =>
    listMachine.provide({
      actors: {
        load: fromPromise<ListResult, ListQuery>(({ input, signal }) => api.rows.list(entity, input, signal)),
      },
    }),
  ),
  modal: memoize((entity: Entity) =>
    modalMachine.provide({
      actors: {
        read: fromPromise<StoredRecord, { id: number | null }>(({ input, signal }) =>
          api.rows.read(entity, input.id ?? 0, signal),
        ),
        save: fromPromise<unknown, { row: StoredRecord | null; draft: Draft; overwrite: boolean }>(
          async ({ input, signal }) => {
            const { id: _id, labels: _labels, ...body } = input.draft
            if (!input.row) return api.rows.create(entity, body, signal)
            const { id, version } = input.row
            if (!input.overwrite) return api.rows.update(entity, id, { ...body, version }, signal)
            const latest = await api.rows.read(entity, id, signal)
            return api.rows.update(
              entity,
              id,
              { ...changedFields(body, input.row), version: latest.version },
              signal,
            )
          },
        ),
        remove: fromPromise<unknown, { row: StoredRecord | null }>(({ input, signal }) =>
          api.rows.remove(entity, input.row?.id ?? 0, input.row?.version, signal),
        ),
      },
    }),
  ),
  decision: provideDecisions(api),
  password: passwordMachine.provide({
    actors: {
      changePassword: fromPromise<unknown, { password: string }>(({ input, signal }) =>
        api.changePassword(input.password, signal),
      ),
      reauthenticate: fromPromise<unknown, { password: string }>(({ input, signal }) =>
        api.reauthenticate(input.password, signal),
      ),
    },
  }),
  chart: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => api.home.profit(signal)) },
  }),
  ownHome: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => api.home.own(signal)) },
  }),
  ...provideById(api),
  settings: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => api.home.portal(signal)) },
  }),
  /** The records that match a text, or the one with this id. */
  searchRecords: (to: LookupName, search: string, id: number | null, signal: AbortSignal) =>
    api.lookups(to, id === null ? { search } : { id }, signal),
})

/**
 * The fields of a draft that differ from the row it started from, so that an overwrite keeps other users'
 * fields.
 */
const changedFields = (draft: Draft, row: StoredRecord): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(row[field])),
  )

/** The machine of the decisions about the records of an entity. */
const provideDecisions = (api: Client) =>
  memoize((entity: Entity) =>
    decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(
          async ({ input: { subject, text }, signal }) => {
            const decision = subject && decisionOf(entity, subject.name)
            if (!decision) throw new Error(`${entity.name} has no decision ${subject?.name}`)
            const body = {
              ...(decision.asks && { [decision.asks.field]: text }),
              ...(decision.namesVersion && { version: subject.version }),
            }
            return api.rows.decide(entity, subject.name, subject.id, body, signal)
          },
        ),
      },
    }),
  )

export type ScreenMachines = ReturnType<typeof provideMachines>
export type FetchedMachines = Awaited<ReturnType<ScreenMachines['fetched']['load']>>

/** What is loaded of one record besides itself. */
const provideById = (api: Client) => ({
  /** Who accepted one version of the terms. */
  acceptance: (id: number) =>
    loadMachine.provide({
      actors: { load: fromPromise<unknown>(({ signal }) => api.acceptance(id, signal)) },
    }),
  /** The open sessions of a user, or their own for null, and the question before they are ended. */
  sessions: (user: number | null) => ({
    list: loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(async ({ signal }) => (await api.sessions.list(user, signal)).data),
      },
    }),
    end: decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(
          ({ input: { subject }, signal }) =>
            subject?.name === 'session'
              ? api.sessions.end(user, subject.id, signal)
              : api.sessions.endAll(user, signal),
        ),
      },
    }),
  }),
  /** The rates of one master agent with their months. */
  agentRates: (id: number) =>
    loadMachine.provide({
      actors: { load: fromPromise<unknown>(({ signal }) => api.agentRates(id, signal)) },
    }),
})
