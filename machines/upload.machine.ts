import { assign, fromPromise, setup } from 'xstate'
import type { ImportAnswers, ImportAsks } from '../schemas/imports/answers.ts'
import type {
  ImportProgress,
  ImportReply,
  Preview as PreviewReply,
  RefusedFile,
  Repeated,
} from '../schemas/imports/importReplies.ts'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'

/** The chosen file; `content` is the browser's File. */
export type Chosen = { content: unknown; name: string }
/** The counts of an import, shown with the success message. */
export type Imported = Omit<ImportReply, 'batch'>
export type Refusal = Pick<RefusedFile, 'rows' | 'more'>
/** What an import would do. */
export type Preview = Omit<PreviewReply, 'batch'>
/**
 * Why a file is sent: for a preview, for an import, or for an import although the same file was imported
 * before.
 */
export type Purpose = 'preview' | 'import' | 'again'
/** One upload of a file; `id` is the key of its progress on the server. */
export type Job = { id: string; purpose: Purpose }
/** `answers` is what was said about the file, {} at first. */
export type UploadForm = { kind: string; file: Chosen | null; date: string | null; answers: ImportAnswers }
export type UploadRequest = UploadForm & { job: Job | null }

type Context = UploadForm & {
  /** A date is required; `date` is an ISO calendar day. */
  dated: boolean
  job: Job | null
  /** How much of the file has been sent, 0 to 100. */
  percent: number
  work: ImportProgress | null
  refused: Refusal | null
  repeated: Repeated | null
  /** What must be said about the file before it is taken. */
  asks: ImportAsks | null
  preview: Preview | null
  imported: Imported | null
}
const isComplete = ({ file, dated, date }: Context) =>
  file !== null && /^[A-Za-z0-9 _-]+\.(csv|xlsx|xls)$/.test(file.name) && (!dated || date !== null)
/**
 * One import screen (imports 1): idle, file chosen, uploading, success message for 5 s. After a failure the
 * file stays chosen and the faults are listed. A preview takes the same way but stores nothing (imports 16).
 * What the file does not say is asked; the answers are kept until another file is chosen (processors 1).
 */
export const uploadMachine = setup({
  types: {
    context: {} as Context,
    input: {} as { kind: string; dated: boolean },
    events: {} as
      | { type: 'choose'; file: Chosen }
      | { type: 'rename'; name: string }
      | { type: 'date'; date: string | null }
      | { type: 'submit' | 'preview' | 'again'; job: string }
      | { type: 'answer'; answers: ImportAnswers; job: string }
      | { type: 'clear' }
      | { type: 'progress'; percent: number }
      | { type: 'cancel' },
  },
  actors: {
    upload: fromPromise<Imported | Preview, UploadRequest>(() => notProvided()),
    poll: fromPromise<ImportProgress, { kind: string; job: Job | null }>(() => notProvided()),
  },
  delays: { importMessage: 5_000, progressInterval: 500 },
  guards: {
    isValid: ({ context }) => isComplete(context),
    isRepeat: ({ context }) => context.repeated !== null && isComplete(context),
    isSent: ({ context }) => context.percent >= 100,
    isPreview: ({ context }) => context.job?.purpose === 'preview',
    wasAsked: (_, params: { error: unknown }) => errorProperty(params.error, 'asks') != null,
    wasRepeated: (_, params: { error: unknown }) => errorProperty(params.error, 'repeated') != null,
  },
  actions: {
    keepFile: assign((_, params: { file: Chosen }) => ({
      file: params.file,
      answers: {},
      job: null,
      refused: null,
      repeated: null,
      asks: null,
      preview: null,
      imported: null,
    })),
    keepName: assign(({ context }, params: { name: string }) => ({
      file: context.file && { ...context.file, name: params.name },
    })),
    keepDate: assign((_, params: { date: string | null }) => ({
      date: params.date,
      repeated: null,
      preview: null,
    })),
    keepAnswers: assign(({ context }, params: { answers: ImportAnswers }) => ({
      answers: { ...context.answers, ...params.answers },
    })),
    keepJob: assign((_, params: Job) => ({ job: params })),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    keepWork: assign((_, params: { work: ImportProgress }) => ({ work: params.work })),
    keepPreview: assign((_, params: { preview: Preview }) => ({
      preview: params.preview,
      repeated: params.preview.repeated,
      job: null,
    })),
    keepImported: assign((_, params: { imported: Imported }) => ({
      imported: params.imported,
      file: null,
      date: null,
      answers: {},
      job: null,
    })),
    keepAsks: assign((_, params: { error: unknown }) => ({
      asks: (errorProperty(params.error, 'asks') ?? null) as ImportAsks | null,
      refused: (errorProperty(params.error, 'refused') ?? null) as Refusal | null,
    })),
    keepRepeated: assign((_, params: { error: unknown }) => ({
      repeated: (errorProperty(params.error, 'repeated') ?? null) as Repeated | null,
      job: null,
    })),
    keepRefused: assign((_, params: { error: unknown }) => ({
      refused: (errorProperty(params.error, 'refused') ?? null) as Refusal | null,
      job: null,
    })),
    forgetFile: assign({
      file: null,
      date: null,
      answers: {},
      job: null,
      refused: null,
      repeated: null,
      asks: null,
      preview: null,
    }),
    forgetJob: assign({ job: null }),
    forgetOutcome: assign({
      percent: 0,
      work: null,
      refused: null,
      repeated: null,
      asks: null,
      preview: null,
      imported: null,
    }),
    reloadHistory: () => {},
  },
}).createMachine({
  id: 'upload',
  context: ({ input }) => ({
    kind: input.kind,
    dated: input.dated,
    file: null,
    date: null,
    answers: {},
    job: null,
    percent: 0,
    work: null,
    refused: null,
    repeated: null,
    asks: null,
    preview: null,
    imported: null,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        choose: {
          target: 'chosen',
          actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) },
        },
        date: { actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) } },
      },
    },
    chosen: {
      on: {
        choose: { actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) } },
        rename: { actions: { type: 'keepName', params: ({ event }) => ({ name: event.name }) } },
        date: { actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) } },
        preview: {
          guard: 'isValid',
          target: 'uploading',
          actions: {
            type: 'keepJob',
            params: ({ event }) => ({ id: event.job, purpose: 'preview' as const }),
          },
        },
        submit: {
          guard: 'isValid',
          target: 'uploading',
          actions: {
            type: 'keepJob',
            params: ({ event }) => ({ id: event.job, purpose: 'import' as const }),
          },
        },
        again: {
          guard: 'isRepeat',
          target: 'uploading',
          actions: { type: 'keepJob', params: ({ event }) => ({ id: event.job, purpose: 'again' as const }) },
        },
        clear: { target: 'idle', actions: 'forgetFile' },
      },
    },
    uploading: {
      description: 'A failed request for the progress does not affect the upload.',
      entry: 'forgetOutcome',
      on: {
        progress: { actions: { type: 'keepPercent', params: ({ event }) => ({ percent: event.percent }) } },
        cancel: { target: 'chosen', actions: ['forgetJob', 'reloadHistory'] },
      },
      invoke: {
        id: 'upload',
        src: 'upload',
        input: ({ context }) => ({
          kind: context.kind,
          file: context.file,
          date: context.date,
          answers: context.answers,
          job: context.job,
        }),
        onDone: [
          {
            guard: 'isPreview',
            target: 'previewed',
            actions: { type: 'keepPreview', params: ({ event }) => ({ preview: event.output as Preview }) },
          },
          {
            target: 'done',
            actions: [
              { type: 'keepImported', params: ({ event }) => ({ imported: event.output }) },
              'reloadHistory',
            ],
          },
        ],
        onError: [
          {
            guard: { type: 'wasAsked', params: ({ event }) => ({ error: event.error }) },
            target: 'asked',
            actions: { type: 'keepAsks', params: ({ event }) => ({ error: event.error }) },
          },
          {
            guard: { type: 'wasRepeated', params: ({ event }) => ({ error: event.error }) },
            target: 'chosen',
            actions: [
              { type: 'keepRepeated', params: ({ event }) => ({ error: event.error }) },
              'reloadHistory',
            ],
          },
          {
            target: 'chosen',
            actions: [
              { type: 'keepRefused', params: ({ event }) => ({ error: event.error }) },
              'reloadHistory',
            ],
          },
        ],
      },
      initial: 'waiting',
      states: {
        waiting: {
          after: {
            progressInterval: [
              { guard: 'isSent', target: 'asking' },
              { target: 'waiting', reenter: true },
            ],
          },
        },
        asking: {
          invoke: {
            id: 'poll',
            src: 'poll',
            input: ({ context }) => ({ kind: context.kind, job: context.job }),
            onDone: {
              target: 'waiting',
              actions: { type: 'keepWork', params: ({ event }) => ({ work: event.output }) },
            },
            onError: 'waiting',
          },
        },
      },
    },
    asked: {
      description: 'The answers go with the file, for the same purpose.',
      on: {
        choose: {
          target: 'chosen',
          actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) },
        },
        answer: {
          target: 'uploading',
          actions: [
            { type: 'keepAnswers', params: ({ event }) => ({ answers: event.answers }) },
            {
              type: 'keepJob',
              params: ({ context, event }) => ({
                id: event.job,
                purpose: context.job?.purpose ?? ('preview' as const),
              }),
            },
          ],
        },
        clear: { target: 'idle', actions: 'forgetFile' },
      },
    },
    previewed: {
      description: 'The changes the file would make are shown. Choosing another file or day discards them.',
      on: {
        choose: {
          target: 'chosen',
          actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) },
        },
        date: {
          target: 'chosen',
          actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) },
        },
        submit: {
          target: 'uploading',
          actions: {
            type: 'keepJob',
            params: ({ event }) => ({ id: event.job, purpose: 'import' as const }),
          },
        },
        again: {
          guard: 'isRepeat',
          target: 'uploading',
          actions: { type: 'keepJob', params: ({ event }) => ({ id: event.job, purpose: 'again' as const }) },
        },
        clear: { target: 'idle', actions: 'forgetFile' },
      },
    },
    done: {
      description: "'Data Imported Successfully' is shown for 5 s.",
      after: { importMessage: 'idle' },
      on: {
        choose: {
          target: 'chosen',
          actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) },
        },
        date: { actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) } },
      },
    },
  },
})
