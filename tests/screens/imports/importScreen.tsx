import { act, render, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect } from 'vitest'
import { fromPromise, SimulatedClock } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { mappingMachine } from '../../../machines/mapping.machine.ts'
import { undoMachine } from '../../../machines/undo.machine.ts'
import {
  uploadMachine,
  type UploadForm,
  type Imported,
  type Job,
  type Preview,
  type UploadRequest,
} from '../../../machines/upload.machine.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import type { ImportProgress, RunningImport } from '../../../schemas/imports/importReplies.ts'
import { imports, type Batch, type Import, type ImportName } from '../../../schemas/imports/imports.ts'
import type { SavedMapping } from '../../../schemas/imports/mapping/mapping.ts'
import { ImportPage } from '../../../src/features/imports/ImportPage.tsx'
import { ActorEnvironmentContext } from '../../../src/parts/hooks/actorEnvironment.ts'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

/** A call that waits until the test answers it. */
type Held<Input, Output> = {
  input: Input
  signal: AbortSignal
  answer: (output: Output) => void
  refuse: (error: unknown) => void
}
const held = <Output, Input>(calls: Held<Input, Output>[]) =>
  fromPromise<Output, Input>(
    ({ input, signal }) => new Promise((answer, refuse) => calls.push({ input, signal, answer, refuse })),
  )

/** A file whose header says `disposition`. */
export const received = (disposition: string): Downloaded => ({ content: new Blob(), disposition })

export const batchOf = (given: Partial<Batch> = {}): Batch => ({
  id: 7,
  filename: 'merchants.csv',
  sha256: '0123456789abcdef'.repeat(4),
  size: 1200,
  username: 'ann',
  importedat: 1_777_896_000,
  processor: null,
  date: null,
  rows: 1203,
  inserted: 1200,
  updated: 3,
  unchanged: 0,
  totals: { rows: 1203 },
  state: 'imported',
  undo: { allowed: true, reason: null },
  undoneby: null,
  undoneat: null,
  ...given,
})

type Options = {
  /** Whose choices are kept when the session ends. */
  person?: ReturnType<typeof fakeSession>
  running?: RunningImport[]
  mappings?: SavedMapping[]
  batches?: Batch[]
  total?: number
  fails?: boolean
  holds?: boolean
  at?: string
}

/**
 * A screen whose calls wait until the test answers them, but for the history, and whose time passes only by
 * `pass`.
 */
export const draw = (
  it: Import = imports.merchant,
  {
    running = [],
    batches = [],
    mappings = [],
    total,
    fails,
    holds,
    at = '',
    person = fakeSession(),
  }: Options = {},
) => {
  const edge = {
    uploads: [] as (Held<UploadRequest, Imported | Preview> & { progress: (percent: number) => void })[],
    polls: [] as Held<{ kind: string; job: Job | null }, ImportProgress>[],
    undos: [] as Held<{ id: number | null }, unknown>[],
    templates: [] as Held<{ id: string }, Downloaded>[],
    fixes: [] as Held<{ id: string }, Downloaded>[],
    forms: [] as UploadForm[],
    saved: [] as unknown[],
    loads: [] as ListQuery[],
    running,
    /** How often it was asked what is under way. */
    looks: 0,
    /** Whether that is not answered. */
    isAway: false,
    mappings,
    removals: [] as Held<{ subject: DecisionSubject | null; text: string }, unknown>[],
    batches,
    fails,
  }
  const upload = uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported | Preview, UploadRequest>(
        ({ input, signal, self }) =>
          new Promise((answer, refuse) => {
            edge.uploads.push({
              input,
              signal,
              answer,
              refuse,
              progress: (percent) => self._parent?.send({ type: 'progress', percent }),
            })
          }),
      ),
      poll: held(edge.polls),
    },
  })
  const loads = (batch: number | null) =>
    listMachine.provide({
      actors: {
        load: fromPromise<ListResult, ListQuery>(async ({ input }) => {
          edge.loads.push(input)
          if (holds) await new Promise(() => {})
          if (edge.fails) throw new Error('away')
          const data = edge.batches.filter(({ id }) => batch === null || id === batch)
          return { data, total_length: total ?? data.length }
        }),
      },
    })
  const downloads = (calls: Held<{ id: string }, Downloaded>[]) =>
    downloadMachine.provide({
      actors: { download: held(calls) },
      actions: { saveFile: (_, { file }) => void edge.saved.push(file.disposition) },
    })
  const machines = {
    upload,
    running: loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(async () => {
          edge.looks += 1
          if (edge.isAway) throw new Error('away')
          return edge.running
        }),
      },
    }),
    history: loads(null),
    oneBatch: loads,
    undo: undoMachine.provide({ actors: { undo: held(edge.undos) } }),
    template: downloads(edge.templates),
    mapping: mappingMachine,
    mappings: {
      list: loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => edge.mappings) } }),
      remove: decisionMachine.provide({ actors: { decide: held(edge.removals) } }),
    },
    rejected: (form: UploadForm) => {
      edge.forms.push(form)
      return downloads(edge.fixes)
    },
  }
  const router = createMemoryRouter(
    [
      { path: it.path, element: <ImportPage kind={it.name as ImportName} machines={machines} /> },
      { path: '*', element: <main /> },
    ],
    { initialEntries: [it.path + at] },
  )
  const clock = new SimulatedClock()
  const { container, unmount } = render(
    person.drawnFor(
      <ActorEnvironmentContext value={{ clock }}>
        <RouterProvider router={router} />
      </ActorEnvironmentContext>,
    ),
  )
  const choose = (name: string) =>
    newUser({ applyAccept: false }).upload(
      screen.getByLabelText('File', { exact: true }),
      new File(['XMID'], name),
    )
  /** Lets this many milliseconds pass for the screen. */
  const pass = (ms: number) => act(() => clock.increment(ms))
  /** Goes to another screen, and answers whether it is shown then. */
  const leave = async (path = '/month') => {
    await act(() => router.navigate(path))
    return router.state.location.pathname === path
  }
  return { edge, container, unmount, choose, pass, leave, search: () => router.state.location.search }
}

export const button = (name: string) => screen.queryByRole('button', { name })
export const press = (name: string) => newUser().click(screen.getByRole('button', { name }))
/** The place of the success message (imports 1). */
export const statusMessage = () => screen.getAllByRole('status')[0]
/** The texts of the cells of a table in this region, row by row. */
export const cellsOf = (region: string) =>
  within(screen.getByRole('region', { name: region }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )

export const expectClean = async (container: HTMLElement) => {
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
