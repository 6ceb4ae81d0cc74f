import { fromPromise } from 'xstate'
import { downloadMachine } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { undoMachine } from '../../../machines/undo.machine.ts'
import {
  uploadMachine,
  type UploadForm,
  type Imported,
  type Job,
  type Preview,
  type UploadRequest,
} from '../../../machines/upload.machine.ts'
import { importCalls } from '../../../schemas/api/imports.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import type { Import, ImportName } from '../../../schemas/imports/imports.ts'
import type { ImportProgress } from '../../../schemas/imports/importTypes.ts'
import { uploadFormData, saveDownload } from '../files.ts'
import type { Call, Downloaded } from '../http.ts'
import { memoize } from '../memoize.ts'

/** The machines of an import screen, made once per kind of import. */
export const provideImports = (call: Call) => memoize((kind: Import) => provideKind(call, kind.name))

const { file, batches } = importCalls
const purposeQueries = { preview: { dryrun: 1 }, import: {}, again: { again: 1 } } as const

const provideKind = (call: Call, kind: string) => ({
  upload: uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported | Preview, UploadRequest>(
        ({ input, signal, self }) =>
          call(file[kind as ImportName], {
            query: { ...purposeQueries[input.job?.purpose ?? 'import'], job: input.job?.id },
            body: uploadFormData(input),
            signal,
            onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
          }) as Promise<Imported | Preview>,
      ),
      poll: fromPromise<ImportProgress, { kind: string; job: Job | null }>(async ({ input, signal }) => {
        const work = (await call(batches.progress, {
          params: { kind, job: input.job?.id ?? '' },
          signal,
        })) as ImportProgress | { phase: 'unknown' }
        if (work.phase === 'unknown') throw new Error('the job has not started or is over')
        return work
      }),
    },
  }),
  history: listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(
        ({ input: { page, size }, signal }) =>
          call(batches.history, { params: { kind }, query: { page, size }, signal }) as Promise<ListResult>,
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
  /** Downloads a template; the id of the machine is the format. */
  template: provideDownload((format, signal) =>
    call(batches.template, { params: { kind }, query: { format }, signal }),
  ),
  /** Downloads the rejected rows of a file. */
  rejected: (form: UploadForm) =>
    provideDownload((_, signal) =>
      call(batches.rejected, { params: { kind }, body: uploadFormData(form), signal }),
    ),
})

const provideDownload = (fetch: (id: string, signal: AbortSignal) => Promise<unknown>) =>
  downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input, signal }) => fetch(input.id, signal)),
    },
    actions: { saveFile: (_, { file: fetched }) => saveDownload(fetched as Downloaded) },
  })
