import { assign, fromPromise, setup } from 'xstate'

/** The chosen file; `content` is the browser's File, which the machine only hands on. */
export type Chosen = { content: unknown; name: string }
/** What the server counted, shown with the success message. Totals are dollars, but for 'rows'. */
export type Imported = {
  inserted: number
  updated: number
  unchanged: number
  warnings: string[]
  ignored: string[]
  totals: Record<string, number>
}
/** One thing wrong in the file; `row` counts from 1 as a spreadsheet does. */
export type Fault = { row: number | null; column: string | null; value: string; message: string }
export type Refusal = { rows: Fault[]; more: number }
/** One stored value the file would change, as a person reads it; '' where nothing stands. */
export type Difference = { row: number; key: string; column: string; before: string; after: string }
/** Who imported the same file when, in epoch seconds UTC. */
export type Repeated = { username: string; importedat: number }
/** What an import would do. */
export type Preview = Imported &
  Refusal & { rejected: number; differences: Difference[]; repeated: Repeated | null }
/** What a file is sent for: to be looked at, to be imported, or to be imported although it was before. */
export type Purpose = 'preview' | 'import' | 'again'
/** One sending of a file; `id` is how the server's progress is asked for. */
export type Job = { id: string; purpose: Purpose }
/** How far the server is, in rows; `total` is null while it is not known. */
export type Work = { phase: 'reading' | 'checking' | 'storing'; done: number; total: number | null }
export type Form = { kind: string; file: Chosen | null; date: string | null }
export type Sent = Form & { job: Job | null }

type Context = Form & {
  /** `date`, an ISO calendar day, is needed. */
  dated: boolean
  job: Job | null
  /** How much of the file is sent. */
  percent: number
  work: Work | null
  refused: Refusal | null
  repeated: Repeated | null
  preview: Preview | null
  imported: Imported | null
}
const isComplete = ({ file, dated, date }: Context) =>
  file !== null && /^[A-Za-z0-9 _-]+\.(csv|xlsx|xls)$/.test(file.name) && (!dated || date !== null)
const stub = async (): Promise<never> => {
  throw new Error('not provided')
}
/** What a failure carries under this name, or null. */
const carried = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? ((error as Record<string, unknown>)[name] ?? null) : null

/**
 * One import screen (specification, sections 2 and 4): idle, file chosen, uploading, success for 5 s. A failure
 * ends the loading and keeps the screen; what the server refused is listed. A preview is the same way without storing.
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
      | { type: 'clear' }
      | { type: 'progress'; percent: number }
      | { type: 'cancel' },
  },
  actors: {
    upload: fromPromise<Imported | Preview, Sent>(stub),
    poll: fromPromise<Work, { kind: string; job: Job | null }>(stub),
  },
  delays: { importMessage: 5_000, progressInterval: 500 },
  guards: {
    isValid: ({ context }) => isComplete(context),
    isRepeat: ({ context }) => context.repeated !== null && isComplete(context),
    isSent: ({ context }) => context.percent >= 100,
    isPreview: ({ context }) => context.job?.purpose === 'preview',
    wasRepeated: (_, params: { error: unknown }) => carried(params.error, 'repeated') !== null,
  },
  actions: {
    keepFile: assign((_, params: { file: Chosen }) => ({
      file: params.file,
      refused: null,
      repeated: null,
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
    keepJob: assign((_, params: Job) => ({ job: params })),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    keepWork: assign((_, params: { work: Work }) => ({ work: params.work })),
    keepPreview: assign((_, params: { preview: Preview }) => ({
      preview: params.preview,
      repeated: params.preview.repeated,
      job: null,
    })),
    keepImported: assign((_, params: { imported: Imported }) => ({
      imported: params.imported,
      file: null,
      date: null,
      job: null,
    })),
    keepRepeated: assign((_, params: { error: unknown }) => ({
      repeated: carried(params.error, 'repeated') as Repeated | null,
      job: null,
    })),
    keepRefused: assign((_, params: { error: unknown }) => ({
      refused: carried(params.error, 'refused') as Refusal | null,
      job: null,
    })),
    forgetFile: assign({ file: null, date: null, refused: null, repeated: null, preview: null }),
    forgetJob: assign({ job: null }),
    forgetOutcome: assign({
      percent: 0,
      work: null,
      refused: null,
      repeated: null,
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
    job: null,
    percent: 0,
    work: null,
    refused: null,
    repeated: null,
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
      description: 'The call goes on whatever is known of its progress; a failure to learn it is no failure.',
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
            guard: { type: 'wasRepeated', params: ({ event }) => ({ error: event.error }) },
            target: 'chosen',
            actions: { type: 'keepRepeated', params: ({ event }) => ({ error: event.error }) },
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
    previewed: {
      description: 'What the file would do is shown. Another file or day is another question.',
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
