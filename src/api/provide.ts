import { fromPromise, type AnyActorRef } from 'xstate'
import { passwordMachine } from '../../machines/account/password.machine.ts'
import { decisionMachine, type DecisionSubject } from '../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../machines/modal.machine.ts'
import {
  reportMachine,
  type DownloadRequest,
  type LockRequest,
  type ReportRequest,
} from '../../machines/report.machine.ts'
import { driveCalls } from '../../schemas/api/drive.ts'
import { monthCalls, singlyWaivedKind } from '../../schemas/api/months/months.ts'
import type { ListQuery } from '../../schemas/api/paging.ts'
import { reportCalls, type Lock, type ReportResult, type ReportType } from '../../schemas/api/reports.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { LookupName } from '../../schemas/entities/lookups.ts'
import { chosenMonth, requestBody } from '../forms/reportInputs.ts'
import { createClient, type Client } from './client.ts'
import { changedFields, saveDownload } from './files.ts'
import type { Call } from './http.ts'
import { memoize } from './memoize.ts'
import type { Portal } from './portal.ts'
import { provideAudit } from './provide/audit.ts'
import { provideEmailValidation, startHelpdeskWidget } from './provide/helpdesk.ts'
import { provideImports } from './provide/imports.ts'
import { provideInbox } from './provide/inbox.ts'
import { provideListTools } from './provide/lists.ts'
import { provideMonth, providePayouts } from './provide/payouts.ts'
import { whileQueued } from './provide/queue.ts'
import { readResult } from './provide/reportAnswer.ts'
import { provideTerms } from './provide/terms.ts'
import { provideTickets } from './provide/tickets.ts'
import { provideVariance } from './provide/variance.ts'

/**
 * The machines of the screens with their calls. Made once per portal: a machine must stay the same while it
 * is in use.
 */
export const provideMachines = memoize((portal: Pick<Portal, 'call' | 'session' | 'actorEnvironment'>) => ({
  ...provideCommon(createClient(portal.call)),
  listTools: provideListTools(portal.call),
  terms: provideTerms(portal),
  imports: provideImports(portal.call),
  inbox: provideInbox(portal.call),
  drive: provideDrive(portal.call),
  report: provideReports(portal),
  verification: provideEmailValidation(portal),
  /** A running actor, unlike the others. */
  helpdeskWidget: () => startHelpdeskWidget(portal),
  payouts: providePayouts(portal.call),
  variance: provideVariance(portal.call),
  month: provideMonth(portal.call),
  audit: provideAudit(portal.call),
  tickets: provideTickets(portal.call),
  /** Fetched when somebody first finds something. */
  find: () => loadFind(portal.call),
}))

const loadFind = memoize(async (call: Call) => (await import('./provide/find.ts')).provideFind(call))

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
/** The machine of the decisions about the records of an entity. */
const provideDecisions = (api: Client) =>
  memoize((entity: Entity) =>
    decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(
          async ({ input: { subject, text }, signal }) => {
            const decision = subject && entity.review?.decisions[subject.name]
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

/** What is loaded of one record besides itself. */
const provideById = (api: Client) => ({
  /** Who accepted one version of the terms. */
  acceptance: (id: number) =>
    loadMachine.provide({
      actors: { load: fromPromise<unknown>(({ signal }) => api.acceptance(id, signal)) },
    }),
  /** The open sessions of a user, or the own ones for null, and the question before they are ended. */
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

/** The machines of the shared drive. */
const provideDrive = (call: Call) => ({
  manifest: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(async ({ signal }) => (await call(driveCalls.manifest, { signal })).data),
    },
  }),
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input: { id }, signal, self }) =>
        call(driveCalls.file, {
          params: { id },
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file) },
  }),
})

const reportOptions = (input: ReportRequest, signal: AbortSignal) => ({
  params: { type: input.report?.id ?? '' },
  body: requestBody(input),
  signal,
  withoutTimeout: true as const,
})

const tellPlace = (machine: AnyActorRef | undefined) => (before: number | null) =>
  machine?.send({ type: 'queued', before })

/** The machine of the report runner. */
const provideReports = memoize(({ call }: Pick<Portal, 'call'>) =>
  reportMachine.provide({
    actors: {
      types: fromPromise<readonly ReportType[]>(
        async ({ signal }) => (await call(reportCalls.types, { signal })).data,
      ),
      generate: fromPromise<ReportResult, ReportRequest>(async ({ input, signal, self }) =>
        readResult(
          await whileQueued({ call, signal, tell: tellPlace(self._parent) }, (job) =>
            call(reportCalls.run, { ...reportOptions(input, signal), query: { job } }),
          ),
        ),
      ),
      download: fromPromise<unknown, DownloadRequest>(async ({ input, signal, self }) =>
        saveDownload(
          await whileQueued({ call, signal, tell: tellPlace(self._parent) }, (job) =>
            call(reportCalls.export, {
              ...reportOptions(input, signal),
              query: { format: input.format, ...(input.sort && { sort: input.sort }), job },
            }),
          ),
        ),
      ),
      lock: fromPromise<Lock, LockRequest>(async ({ input, signal }) => {
        const { reason, stated = {} } = input.waivers ?? {}
        const month = chosenMonth(input)?.id ?? ''
        for (const [key, own] of Object.entries(stated))
          await call(monthCalls.waive, {
            params: { month },
            body: { kind: singlyWaivedKind, key, reason: own },
            signal,
          })
        const options = reportOptions(input, signal)
        const body = { ...options.body, ...(reason && { waive: reason }) }
        return call(reportCalls.publish, { ...options, body })
      }),
      unlock: fromPromise<Lock, ReportRequest & { reason: string }>(({ input, signal }) => {
        const body = { month: chosenMonth(input)?.id ?? '', reason: input.reason }
        return call(reportCalls.unlock, { ...reportOptions(input, signal), body })
      }),
    },
  }),
)
