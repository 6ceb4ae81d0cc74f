import { fromPromise } from 'xstate'
import { downloadMachine } from '../../machines/download.machine.ts'
import { listMachine, type Found, type Query } from '../../machines/list.machine.ts'
import { undoMachine } from '../../machines/undo.machine.ts'
import {
  uploadMachine,
  type Form,
  type Imported,
  type Job,
  type Preview,
  type Sent,
  type Work,
} from '../../machines/upload.machine.ts'
import { files } from '../../schemas/api/imports.ts'
import type { Import, ImportName } from '../../schemas/imports/imports.ts'
import { fileForm, save } from './files.ts'
import type { Call, Downloaded } from './http.ts'
import { once } from './memoize.ts'

/** The machines of the import screens with their calls, for each kind of import. */
export const wireImports = (call: Call) => once((it: Import) => wired(call, it.name))

const { file, batches } = files
const purposes = { preview: { dryrun: 1 }, import: {}, again: { again: 1 } } as const

const wired = (call: Call, kind: string) => ({
  upload: uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported | Preview, Sent>(
        ({ input, signal, self }) =>
          call(file[kind as ImportName], {
            query: { ...purposes[input.job?.purpose ?? 'import'], job: input.job?.id },
            body: fileForm(input),
            signal,
            onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
          }) as Promise<Imported | Preview>,
      ),
      poll: fromPromise<Work, { kind: string; job: Job | null }>(async ({ input, signal }) => {
        const work = (await call(batches.progress, {
          params: { kind, job: input.job?.id ?? '' },
          signal,
        })) as Work | { phase: 'unknown' }
        if (work.phase === 'unknown') throw new Error('not begun, or over')
        return work
      }),
    },
  }),
  history: listMachine.provide({
    actors: {
      load: fromPromise<Found, Query>(
        ({ input: { page, size }, signal }) =>
          call(batches.history, { params: { kind }, query: { page, size }, signal }) as Promise<Found>,
      ),
    },
  }),
  undo: undoMachine.provide({
    actors: {
      undo: fromPromise<unknown, { batch: number | null }>(({ input, signal }) =>
        call(batches.undo, { params: { kind, id: input.batch ?? 0 }, signal }),
      ),
    },
  }),
  /** A template in the format its id names. */
  template: downloads((format, signal) =>
    call(batches.template, { params: { kind }, query: { format }, signal }),
  ),
  /** The rejected rows of a file. */
  rejected: (form: Form) =>
    downloads((_, signal) => call(batches.rejected, { params: { kind }, body: fileForm(form), signal })),
})

const downloads = (fetch: (id: string, signal: AbortSignal) => Promise<unknown>) =>
  downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input, signal }) => fetch(input.id, signal)),
    },
    actions: { saveFile: (_, { file: fetched }) => save(fetched as Downloaded) },
  })
