import { assign, fromPromise, setup } from 'xstate'
import { notProvided } from './errors/notProvided.ts'

/** A received file; `disposition` is the header Content-Disposition, which has its name. */
export type Downloaded = { content: Blob; disposition: string }

/** The download of one file. It can be repeated, but runs once at a time. */
export const downloadMachine = setup({
  types: {
    context: {} as {
      id: string
      /** 0 to 100; null while the size is unknown. */
      percent: number | null
    },
    input: {} as { id: string },
    events: {} as { type: 'download' } | { type: 'progress'; percent: number } | { type: 'cancel' },
  },
  actors: {
    download: fromPromise<Downloaded, { id: string }>(() => notProvided()),
  },
  actions: {
    forgetPercent: assign({ percent: null }),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    saveFile: (_args, _params: { file: Downloaded }) => {},
    tellFailure: (_args, _params: { error: unknown }) => {},
  },
}).createMachine({
  id: 'download',
  context: ({ input }) => ({ id: input.id, percent: null }),
  initial: 'idle',
  states: {
    idle: { on: { download: 'downloading' } },
    downloading: {
      entry: 'forgetPercent',
      on: {
        progress: { actions: { type: 'keepPercent', params: ({ event }) => ({ percent: event.percent }) } },
        cancel: 'idle',
      },
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context }) => ({ id: context.id }),
        onDone: {
          target: 'idle',
          actions: { type: 'saveFile', params: ({ event }) => ({ file: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'tellFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: { on: { download: 'downloading' } },
  },
})
