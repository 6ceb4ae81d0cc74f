import { assign, fromPromise, setup } from 'xstate'

/** One file that can be downloaded, as often as somebody wishes, once at a time. */
export const downloadMachine = setup({
  types: {
    context: {} as {
      id: string
      /** Null until it is known how much there is. */
      percent: number | null
    },
    input: {} as { id: string },
    events: {} as { type: 'download' } | { type: 'progress'; percent: number } | { type: 'cancel' },
  },
  actors: {
    download: fromPromise<unknown, { id: string }>(async () => {
      throw new Error('not provided')
    }),
  },
  actions: {
    forgetPercent: assign({ percent: null }),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    saveFile: (_args, _params: { file: unknown }) => {},
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
        onError: 'failed',
      },
    },
    failed: { on: { download: 'downloading' } },
  },
})
