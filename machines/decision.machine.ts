import { assign, fromPromise, setup } from 'xstate'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'

/** What is decided about a record: the name of the decision, and the record as it was seen. */
export type DecisionSubject = { name: string; id: number; version: number }

/**
 * The decision of another person about an opened record (agents 11): a question, then a call. Once it is
 * made, or the record turns out to have changed, the record is read again; after any other failure the
 * question stays open.
 */
export const decisionMachine = setup({
  types: {
    context: {} as { subject: DecisionSubject | null; faults: Record<string, string> },
    events: {} as
      | { type: 'ask'; subject: DecisionSubject }
      | { type: 'cancel' }
      | { type: 'decide'; text: string }
      | { type: 'reload' },
  },
  actors: {
    decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(() => notProvided()),
  },
  guards: {
    isStale: (_, params: { error: unknown }) => errorProperty(params.error, 'code') === 'stale',
  },
  actions: {
    keepSubject: assign((_, params: { subject: DecisionSubject }) => ({ subject: params.subject })),
    forgetSubject: assign({ subject: null, faults: {} }),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (errorProperty(params.error, 'fields') ?? {}) as Record<string, string>,
    })),
    reloadRecord: () => {},
  },
}).createMachine({
  id: 'decision',
  context: { subject: null, faults: {} },
  initial: 'idle',
  states: {
    idle: {
      entry: 'forgetSubject',
      on: {
        ask: {
          target: 'asking',
          actions: { type: 'keepSubject', params: ({ event }) => ({ subject: event.subject }) },
        },
      },
    },
    asking: { on: { cancel: 'idle', decide: 'deciding' } },
    deciding: {
      invoke: {
        id: 'decide',
        src: 'decide',
        input: ({ context, event }) => ({
          subject: context.subject,
          text: event.type === 'decide' ? event.text : '',
        }),
        onDone: { target: 'idle', actions: 'reloadRecord' },
        onError: [
          { guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) }, target: 'stale' },
          {
            target: 'asking',
            actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    stale: {
      description: 'Somebody else changed the record after it was read: it must be seen again first.',
      on: { reload: { target: 'idle', actions: 'reloadRecord' } },
    },
  },
})
