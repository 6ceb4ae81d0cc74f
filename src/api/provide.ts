import { fromPromise } from 'xstate'
import { downloadMachine } from '../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../machines/modal.machine.ts'
import { passwordMachine } from '../../machines/password.machine.ts'
import { reportMachine, type ReportRequest } from '../../machines/report.machine.ts'
import { driveCalls, type DriveNode } from '../../schemas/api/drive.ts'
import type { ListQuery } from '../../schemas/api/paging.ts'
import {
  reportCalls,
  type ExportFormat,
  type Lock,
  type ReportResult,
  type ReportType,
} from '../../schemas/api/reports.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { LookupName } from '../../schemas/entities/lookups.ts'
import { chosenMonth, requestBody } from '../forms/reportInputs.ts'
import { createClient, type Client } from './client.ts'
import { changedFields, saveDownload } from './files.ts'
import type { Call, Downloaded } from './http.ts'
import { memoize } from './memoize.ts'
import type { Portal } from './portal.ts'
import { provideEmailValidation, startHelpdeskWidget } from './provideHelpdesk.ts'
import { provideImports } from './provideImports.ts'
import { provideTerms } from './provideTerms.ts'
import { provideTickets } from './provideTickets.ts'

/**
 * The machines of the screens with their calls. Made once per portal: a machine must stay the same while it
 * is in use.
 */
export const provideMachines = memoize((portal: Pick<Portal, 'call' | 'session' | 'actorEnvironment'>) => ({
  ...provideCommon(createClient(portal.call)),
  terms: provideTerms(portal),
  imports: provideImports(portal.call),
  drive: provideDrive(portal.call),
  report: provideReports(portal),
  verification: provideEmailValidation(portal),
  /** A running actor, unlike the others. */
  helpdeskWidget: () => startHelpdeskWidget(portal),
  tickets: provideTickets(portal.call),
}))

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
  password: passwordMachine.provide({
    actors: {
      changePassword: fromPromise<unknown, { password: string }>(({ input, signal }) =>
        api.changePassword(input.password, signal),
      ),
    },
  }),
  chart: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => api.home.profit(signal)) },
  }),
  /** Who accepted one version of the terms. */
  acceptance: (id: number) =>
    loadMachine.provide({
      actors: { load: fromPromise<unknown>(({ signal }) => api.acceptance(id, signal)) },
    }),
  settings: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => api.home.portal(signal)) },
  }),
  /** The records that match a text, or the one with this id. */
  searchRecords: (to: LookupName, search: string, id: number | null, signal: AbortSignal) =>
    api.lookups(to, id === null ? { search } : { id }, signal),
})
export type ScreenMachines = ReturnType<typeof provideMachines>

/** The machines of the shared drive. */
const provideDrive = (call: Call) => ({
  manifest: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(
        async ({ signal }) => ((await call(driveCalls.manifest, { signal })) as { data: DriveNode[] }).data,
      ),
    },
  }),
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input: { id }, signal, self }) =>
        call(driveCalls.file, {
          params: { id },
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file as Downloaded) },
  }),
})

const reportOptions = (input: ReportRequest, signal: AbortSignal) => ({
  params: { type: input.report?.id ?? '' },
  body: requestBody(input),
  signal,
  withoutTimeout: true as const,
})

/** The machine of the report runner. */
const provideReports = memoize(({ call }: Pick<Portal, 'call'>) =>
  reportMachine.provide({
    actors: {
      types: fromPromise<readonly ReportType[]>(
        async ({ signal }) => ((await call(reportCalls.types, { signal })) as { data: ReportType[] }).data,
      ),
      generate: fromPromise<ReportResult, ReportRequest>(
        ({ input, signal }) => call(reportCalls.run, reportOptions(input, signal)) as Promise<ReportResult>,
      ),
      download: fromPromise<unknown, ReportRequest & { format: ExportFormat }>(async ({ input, signal }) =>
        saveDownload(
          (await call(reportCalls.export, {
            ...reportOptions(input, signal),
            query: { format: input.format },
          })) as Downloaded,
        ),
      ),
      lock: fromPromise<Lock, ReportRequest>(
        ({ input, signal }) => call(reportCalls.publish, reportOptions(input, signal)) as Promise<Lock>,
      ),
      unlock: fromPromise<Lock, ReportRequest & { reason: string }>(({ input, signal }) => {
        const body = { month: chosenMonth(input)?.id, reason: input.reason }
        return call(reportCalls.unlock, { ...reportOptions(input, signal), body }) as Promise<Lock>
      }),
    },
  }),
)
