import { assign, fromPromise, setup } from 'xstate'

const stub = async (): Promise<never> => {
  throw new Error('not provided')
}

/**
 * The help desk's widget (specification, sections 4 and 9): its script is loaded, its readiness polled every 10 ms, the
 * user signed in. Whatever fails, it is taken away, and the portal goes on.
 */
export const widgetMachine = setup({
  types: {
    /** `looks` were in vain, of `most`. */
    context: {} as { script: string | null; looks: number; most: number },
    input: {} as { most: number },
    events: {} as { type: 'install'; script: string } | { type: 'leave' },
  },
  actors: {
    loadScript: fromPromise<unknown, { script: string | null }>(stub),
    look: fromPromise<boolean>(stub),
    signIn: fromPromise<unknown>(stub),
  },
  delays: { readinessPoll: 10, scriptPatience: 15_000 },
  guards: {
    isReady: (_, params: { ready: boolean }) => params.ready,
    hasMoreLooks: ({ context }) => context.looks + 1 < context.most,
  },
  actions: {
    begin: assign((_, params: { script: string }) => ({ script: params.script, looks: 0 })),
    countLook: assign(({ context }) => ({ looks: context.looks + 1 })),
    uninstall: () => {},
  },
}).createMachine({
  id: 'widget',
  context: ({ input }) => ({ script: null, looks: 0, most: input.most }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        install: {
          target: 'loading',
          actions: { type: 'begin', params: ({ event }) => ({ script: event.script }) },
        },
      },
    },
    loading: {
      on: { leave: { target: 'idle', actions: 'uninstall' } },
      after: { scriptPatience: { target: 'failed', actions: 'uninstall' } },
      invoke: {
        id: 'loadScript',
        src: 'loadScript',
        input: ({ context }) => ({ script: context.script }),
        onDone: 'waiting',
        onError: { target: 'failed', actions: 'uninstall' },
      },
    },
    waiting: { on: { leave: { target: 'idle', actions: 'uninstall' } }, after: { readinessPoll: 'looking' } },
    looking: {
      on: { leave: { target: 'idle', actions: 'uninstall' } },
      invoke: {
        id: 'look',
        src: 'look',
        onDone: [
          {
            guard: { type: 'isReady', params: ({ event }) => ({ ready: event.output }) },
            target: 'signingIn',
          },
          { guard: 'hasMoreLooks', target: 'waiting', actions: 'countLook' },
          { target: 'failed', actions: 'uninstall' },
        ],
        onError: { target: 'failed', actions: 'uninstall' },
      },
    },
    signingIn: {
      on: { leave: { target: 'idle', actions: 'uninstall' } },
      invoke: {
        id: 'signIn',
        src: 'signIn',
        onDone: 'ready',
        onError: { target: 'failed', actions: 'uninstall' },
      },
    },
    ready: { on: { leave: { target: 'idle', actions: 'uninstall' } } },
    failed: {
      description: 'Until the user leaves: a desk that is down is not asked again and again.',
      on: { leave: 'idle' },
    },
  },
})
