import { assign, fromPromise, setup } from 'xstate'

/** The chosen file; `content` is the browser's File, which the machine only hands on. */
export type Chosen = { content: unknown; name: string }
/** What the server counted, shown with the success message. */
export type Imported = { inserted: number; updated: number; unchanged: number; warnings: string[]; ignored: string[]; totals: Record<string, number> }
/** One thing wrong in the file; `row` counts from 1 as a spreadsheet does. */
export type Fault = { row: number | null; column: string | null; value: string; message: string }
export type Refusal = { rows: Fault[]; more: number }
export type Sent = { kind: string; file: Chosen | null; date: string | null }

/**
 * One import screen (specification, sections 2 and 4): idle, file chosen, uploading, success for 5 s. A failure
 * ends the loading and keeps the screen; what the server refused is listed.
 */
export const uploadMachine = setup({
  types: {
    context: {} as {
      kind: string
      dated: boolean
      file: Chosen | null
      /** ISO calendar day, for daily volume alone. */
      date: string | null
      percent: number
      refused: Refusal | null
      imported: Imported | null
    },
    input: {} as { kind: string; dated: boolean },
    events: {} as
      | { type: 'choose'; file: Chosen }
      | { type: 'rename'; name: string }
      | { type: 'date'; date: string | null }
      | { type: 'submit' }
      | { type: 'clear' }
      | { type: 'progress'; percent: number }
      | { type: 'cancel' },
  },
  actors: {
    upload: fromPromise<Imported, Sent>(async () => {
      throw new Error('not provided')
    }),
  },
  delays: { importMessage: 5_000 },
  guards: {
    isValid: ({ context }) =>
      context.file !== null &&
      /^[A-Za-z0-9 _-]+\.(csv|xlsx|xls)$/.test(context.file.name) &&
      (!context.dated || context.date !== null),
  },
  actions: {
    keepFile: assign((_, params: { file: Chosen }) => ({ file: params.file, refused: null, imported: null })),
    keepName: assign(({ context }, params: { name: string }) => ({ file: context.file && { ...context.file, name: params.name } })),
    keepDate: assign((_, params: { date: string | null }) => ({ date: params.date })),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    keepImported: assign((_, params: { imported: Imported }) => ({ imported: params.imported, file: null, date: null })),
    keepRefused: assign((_, params: { error: unknown }) => ({
      refused:
        typeof params.error === 'object' && params.error !== null && 'refused' in params.error
          ? ((params.error.refused ?? null) as Refusal | null)
          : null,
    })),
    forgetFile: assign({ file: null, date: null, refused: null }),
    forgetOutcome: assign({ percent: 0, refused: null, imported: null }),
  },
}).createMachine({
  id: 'upload',
  context: ({ input }) => ({ kind: input.kind, dated: input.dated, file: null, date: null, percent: 0, refused: null, imported: null }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        choose: { target: 'chosen', actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) } },
        date: { actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) } },
      },
    },
    chosen: {
      on: {
        choose: { actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) } },
        rename: { actions: { type: 'keepName', params: ({ event }) => ({ name: event.name }) } },
        date: { actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) } },
        submit: { guard: 'isValid', target: 'uploading' },
        clear: { target: 'idle', actions: 'forgetFile' },
      },
    },
    uploading: {
      entry: 'forgetOutcome',
      on: {
        progress: { actions: { type: 'keepPercent', params: ({ event }) => ({ percent: event.percent }) } },
        cancel: 'chosen',
      },
      invoke: {
        id: 'upload',
        src: 'upload',
        input: ({ context }) => ({ kind: context.kind, file: context.file, date: context.date }),
        onDone: { target: 'done', actions: { type: 'keepImported', params: ({ event }) => ({ imported: event.output }) } },
        onError: { target: 'chosen', actions: { type: 'keepRefused', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    done: {
      description: "'Data Imported Successfully' is shown for 5 s.",
      after: { importMessage: 'idle' },
      on: {
        choose: { target: 'chosen', actions: { type: 'keepFile', params: ({ event }) => ({ file: event.file }) } },
        date: { actions: { type: 'keepDate', params: ({ event }) => ({ date: event.date }) } },
      },
    },
  },
})
