import { fromPromise } from 'xstate'
import { downloadMachine } from '../../machines/download.machine.ts'
import { listMachine, type Found, type Query } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type Stored } from '../../machines/modal.machine.ts'
import { passwordMachine } from '../../machines/password.machine.ts'
import { reportMachine, type Asked } from '../../machines/report.machine.ts'
import { driveEndpoints, type DriveNode } from '../../schemas/api/drive.ts'
import {
  reports,
  type ExportFormat,
  type Lock,
  type ReportResult,
  type ReportType,
} from '../../schemas/api/reports.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { LiteName } from '../../schemas/entities/lookups.ts'
import { bodyOf, monthOf } from '../forms/reportInputs.ts'
import { createClient, type Client } from './client.ts'
import { changesOf, save } from './files.ts'
import type { Call, Downloaded } from './http.ts'
import { once } from './memoize.ts'
import type { Portal } from './portal.ts'
import { wireEmail, wireWidget } from './provideHelpdesk.ts'
import { wireImports } from './provideImports.ts'
import { wireTerms } from './provideTerms.ts'
import { wireTickets } from './provideTickets.ts'

/** The machines of the screens with their calls. Each is made once, for a machine must not change while a screen uses it. */
export const wire = once((portal: Pick<Portal, 'call' | 'session' | 'given'>) => ({
  ...wired(createClient(portal.call)),
  terms: wireTerms(portal),
  imports: wireImports(portal.call),
  drive: wireDrive(portal.call),
  report: wireReports(portal),
  verification: wireEmail(portal),
  /** Runs already: it is told when it is wanted. */
  widget: () => wireWidget(portal),
  tickets: wireTickets(portal.call),
}))

const wired = (api: Client) => ({
  list: once((it: Entity) =>
    listMachine.provide({
      actors: { load: fromPromise<Found, Query>(({ input, signal }) => api.rows.list(it, input, signal)) },
    }),
  ),
  modal: once((it: Entity) =>
    modalMachine.provide({
      actors: {
        read: fromPromise<Stored, { id: number | null }>(({ input, signal }) =>
          api.rows.read(it, input.id ?? 0, signal),
        ),
        save: fromPromise<unknown, { row: Stored | null; draft: Draft; overwrite: boolean }>(
          async ({ input, signal }) => {
            const { id: _id, labels: _labels, ...body } = input.draft
            if (!input.row) return api.rows.create(it, body, signal)
            const { id, version } = input.row
            if (!input.overwrite) return api.rows.update(it, id, { ...body, version }, signal)
            const latest = await api.rows.read(it, id, signal)
            return api.rows.update(it, id, { ...changesOf(body, input.row), version: latest.version }, signal)
          },
        ),
        remove: fromPromise<unknown, { row: Stored | null }>(({ input, signal }) =>
          api.rows.remove(it, input.row?.id ?? 0, input.row?.version, signal),
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
  /** Who accepted one version of the terms.  */
  acceptance: (id: number) =>
    loadMachine.provide({
      actors: { load: fromPromise<unknown>(({ signal }) => api.acceptance(id, signal)) },
    }),
  settings: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => api.home.portal(signal)) },
  }),
  /** The records a picker offers: those that match a text, or the one with this id. */
  lookup: (to: LiteName, search: string, id: number | null, signal: AbortSignal) =>
    api.lites(to, id === null ? { search } : { id }, signal),
})
export type Wired = ReturnType<typeof wire>

/** The machines of the shared drive with their calls. */
export const wireDrive = (call: Call) => ({
  manifest: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(
        async ({ signal }) =>
          ((await call(driveEndpoints.manifest, { signal })) as { data: DriveNode[] }).data,
      ),
    },
  }),
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input: { id }, signal, self }) =>
        call(driveEndpoints.file, {
          params: { id },
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
    },
    actions: { saveFile: (_, { file }) => save(file as Downloaded) },
  }),
})

const of = (input: Asked, signal: AbortSignal) => ({
  params: { type: input.report?.id ?? '' },
  body: bodyOf(input),
  signal,
  patient: true as const,
})

/** The report runner with its calls. */
export const wireReports = once(({ call }: Pick<Portal, 'call'>) =>
  reportMachine.provide({
    actors: {
      types: fromPromise<readonly ReportType[]>(
        async ({ signal }) => ((await call(reports.types, { signal })) as { data: ReportType[] }).data,
      ),
      generate: fromPromise<ReportResult, Asked>(
        ({ input, signal }) => call(reports.run, of(input, signal)) as Promise<ReportResult>,
      ),
      download: fromPromise<unknown, Asked & { format: ExportFormat }>(async ({ input, signal }) =>
        save(
          (await call(reports.export, {
            ...of(input, signal),
            query: { format: input.format },
          })) as Downloaded,
        ),
      ),
      lock: fromPromise<Lock, Asked>(
        ({ input, signal }) => call(reports.publish, of(input, signal)) as Promise<Lock>,
      ),
      unlock: fromPromise<Lock, Asked & { reason: string }>(({ input, signal }) => {
        const body = { month: monthOf(input)?.id, reason: input.reason }
        return call(reports.unlock, { ...of(input, signal), body }) as Promise<Lock>
      }),
    },
  }),
)
