import { fromPromise } from 'xstate'
import { listMachine, type Found, type Query } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type Stored } from '../../machines/modal.machine.ts'
import { passwordMachine } from '../../machines/password.machine.ts'
import type { Entity } from '../../schemas/entity.ts'
import type { LiteName } from '../../schemas/lites.ts'
import type { Portal } from '../portal.ts'
import { changesOf } from './bodies.ts'
import { createClient, type Client } from './client.ts'
import { once } from './once.ts'
import { wireDrive } from './wireDrive.ts'
import { wireImports } from './wireImports.ts'
import { wireReports } from './wireReports.ts'
import { wireEmail } from './wireEmail.ts'
import { wireTerms } from './wireTerms.ts'
import { wireWidget } from './wireWidget.ts'
import { wireTickets } from './wireTickets.ts'

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
    listMachine.provide({ actors: { load: fromPromise<Found, Query>(({ input, signal }) => api.rows.list(it, input, signal)) } }),
  ),
  modal: once((it: Entity) =>
    modalMachine.provide({
      actors: {
        read: fromPromise<Stored, { id: number | null }>(({ input, signal }) => api.rows.read(it, input.id ?? 0, signal)),
        save: fromPromise<unknown, { row: Stored | null; draft: Draft; overwrite: boolean }>(async ({ input, signal }) => {
          const { id: _id, labels: _labels, ...body } = input.draft
          if (!input.row) return api.rows.create(it, body, signal)
          const { id, version } = input.row
          if (!input.overwrite) return api.rows.update(it, id, { ...body, version }, signal)
          const latest = await api.rows.read(it, id, signal)
          return api.rows.update(it, id, { ...changesOf(body, input.row), version: latest.version }, signal)
        }),
        remove: fromPromise<unknown, { row: Stored | null }>(({ input, signal }) => api.rows.remove(it, input.row?.id ?? 0, input.row?.version, signal)),
      },
    }),
  ),
  password: passwordMachine.provide({
    actors: {
      changePassword: fromPromise<unknown, { password: string }>(({ input, signal }) => api.changePassword(input.password, signal)),
    },
  }),
  chart: loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => api.home.profit(signal)) } }),
  /** Who accepted one version of the terms.  */
  acceptance: (id: number) => loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => api.acceptance(id, signal)) } }),
  settings: loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => api.home.portal(signal)) } }),
  /** The records a picker offers: those that match a text, or the one with this id. */
  lookup: (to: LiteName, search: string, id: number | null, signal: AbortSignal) => api.lites(to, id === null ? { search } : { id }, signal),
})
export type Wired = ReturnType<typeof wire>
