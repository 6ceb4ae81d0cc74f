import { assign, fromPromise, setup } from 'xstate'
import { notProvided } from './errors/notProvided.ts'

/**
 * The help desk's widget (tickets 9): its script is loaded, its readiness checked every 10 ms, the user
 * signed in. After any failure it is removed from the page, without an error shown.
 */
export const widgetMachine = setup({
  types: {
    /** `checks` found the script not ready, at most `maxChecks`. */
    context: {} as { script: string | null; checks: number; maxChecks: number },
    input: {} as { maxChecks: number },
    events: {} as { type: 'install'; script: string } | { type: 'leave' },
  },
  actors: {
    loadScript: fromPromise<unknown, { script: string | null }>(() => notProvided()),
    checkReadiness: fromPromise<boolean>(() => notProvided()),
    signIn: fromPromise<unknown>(() => notProvided()),
  },
  delays: { readinessPoll: 10, scriptTimeout: 15_000 },
  guards: {
    isReady: (_, params: { ready: boolean }) => params.ready,
    hasChecksLeft: ({ context }) => context.checks + 1 < context.maxChecks,
  },
  actions: {
    begin: assign((_, params: { script: string }) => ({ script: params.script, checks: 0 })),
    countCheck: assign(({ context }) => ({ checks: context.checks + 1 })),
    uninstall: () => {},
  },
}).createMachine({
  id: 'widget',
  context: ({ input }) => ({ script: null, checks: 0, maxChecks: input.maxChecks }),
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
      after: { scriptTimeout: { target: 'failed', actions: 'uninstall' } },
      invoke: {
        id: 'loadScript',
        src: 'loadScript',
        input: ({ context }) => ({ script: context.script }),
        onDone: 'waiting',
        onError: { target: 'failed', actions: 'uninstall' },
      },
    },
    waiting: {
      on: { leave: { target: 'idle', actions: 'uninstall' } },
      after: { readinessPoll: 'checking' },
    },
    checking: {
      on: { leave: { target: 'idle', actions: 'uninstall' } },
      invoke: {
        id: 'checkReadiness',
        src: 'checkReadiness',
        onDone: [
          {
            guard: { type: 'isReady', params: ({ event }) => ({ ready: event.output }) },
            target: 'signingIn',
          },
          { guard: 'hasChecksLeft', target: 'waiting', actions: 'countCheck' },
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
      description: 'Until the user leaves: the script is not loaded again.',
      on: { leave: 'idle' },
    },
  },
})
