import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../../machines/list.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import { mappingMachine } from '../../../../machines/mapping.machine.ts'
import { undoMachine } from '../../../../machines/undo.machine.ts'
import {
  uploadMachine,
  type UploadForm,
  type Imported,
  type Job,
  type Preview,
  type UploadRequest,
} from '../../../../machines/upload.machine.ts'
import { importCalls } from '../../../../schemas/api/imports.ts'
import type { ListQuery } from '../../../../schemas/api/paging.ts'
import type { ImportProgress } from '../../../../schemas/imports/importReplies.ts'
import { importKinds, type ImportName } from '../../../../schemas/imports/kinds.ts'
import { uploadFormData, saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'
import { memoize } from '../../memoize.ts'

/** The machines of an import screen, made once per kind of import. */
export const provideImports = (call: Call) => {
  const byKind = memoize(({ name }: (typeof importKinds)[ImportName]) => provideKind(call, name))
  return (kind: ImportName) => byKind(importKinds[kind])
}

const { file, batches } = importCalls
const purposeQueries = { preview: { dryrun: 1 }, import: {}, again: { again: 1 } } as const

const provideKind = (call: Call, kind: ImportName) => ({
  upload: uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported | Preview, UploadRequest>(({ input, signal, self }) =>
        call(file[kind], {
          query: { ...purposeQueries[input.job?.purpose ?? 'import'], job: input.job?.id },
          body: uploadFormData(input),
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
      poll: fromPromise<ImportProgress, { kind: string; job: Job | null }>(async ({ input, signal }) => {
        const params = { kind, job: input.job?.id ?? '' }
        const { phase, ...work } = await call(batches.progress, { params, signal })
        if (phase === 'unknown') throw new Error('the job has not started or is over')
        return { phase, ...work }
      }),
    },
  }),
  /** The imports that are under way. */
  running: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(
        async ({ signal }) => (await call(batches.running, { params: { kind }, signal })).data,
      ),
    },
  }),
  history: provideHistory(call, kind),
  /** The history with one import alone. */
  oneBatch: (batch: number) => provideHistory(call, kind, batch),
  undo: undoMachine.provide({
    actors: {
      undo: fromPromise<unknown, { id: number | null }>(({ input, signal }) =>
        call(batches.undo, { params: { kind, id: input.id ?? 0 }, signal }),
      ),
    },
  }),
  mapping: mappingMachine,
  mappings: provideMappings(call, kind),
  /** Downloads a template; the id of the machine is the format. */
  template: provideDownload((format, signal) =>
    call(batches.template, {
      params: { kind },
      query: { format: format === 'xlsx' ? 'xlsx' : 'csv' },
      signal,
    }),
  ),
  /** Downloads the rejected rows of a file. */
  rejected: (form: UploadForm) =>
    provideDownload((_, signal) =>
      call(batches.rejected, { params: { kind }, body: uploadFormData(form), signal }),
    ),
})

const provideHistory = (call: Call, kind: ImportName, batch?: number) =>
  listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(({ input: { page, size }, signal }) =>
        call(batches.history, { params: { kind }, query: { page, size, batch }, signal }),
      ),
    },
  })

/** The mappings saved for a kind, and the question before one is deleted. */
const provideMappings = (call: Call, kind: ImportName) => ({
  list: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(
        async ({ signal }) => (await call(batches.mappings, { params: { kind }, signal })).data,
      ),
    },
  }),
  remove: decisionMachine.provide({
    actors: {
      decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(
        ({ input: { subject }, signal }) =>
          call(batches.removeMapping, { params: { kind, id: subject?.id ?? 0 }, signal }),
      ),
    },
  }),
})

const provideDownload = (fetch: (id: string, signal: AbortSignal) => Promise<Downloaded>) =>
  downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input, signal }) => fetch(input.id, signal)),
    },
    actions: { saveFile: (_, { file: fetched }) => saveDownload(fetched) },
  })
