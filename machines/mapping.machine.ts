import { assign, setup } from 'xstate'
import type { Mapping } from '../schemas/imports/mapping/mapping.ts'

/** A mapping and what it lacks, in a sentence; null when nothing. */
type Checked = { mapping: Mapping; fault: string | null }

/**
 * The step in which the columns of a file are chosen (mapping 3): what is guessed can be accepted at once
 * when it is complete; what differs from a saved mapping is shown first, and accepted at one click (mapping
 * 5). An accepted mapping is sent with the file by the screen that opened the step.
 */
export const mappingMachine = setup({
  types: {
    context: {} as Checked & { isDifferent: boolean },
    input: {} as Checked & { isDifferent: boolean },
    events: {} as ({ type: 'change' } & Checked) | { type: 'edit' } | { type: 'accept' } | { type: 'cancel' },
  },
  guards: {
    isDifferent: ({ context }) => context.isDifferent,
    isComplete: ({ context }) => context.fault === null,
    becomesComplete: (_, params: { fault: string | null }) => params.fault === null,
  },
  actions: {
    keepMapping: assign((_, params: Checked) => ({ mapping: params.mapping, fault: params.fault })),
    sendMapping: () => {},
    dismiss: () => {},
  },
}).createMachine({
  id: 'mapping',
  context: ({ input }) => ({
    mapping: input.mapping,
    fault: input.fault,
    isDifferent: input.isDifferent,
  }),
  initial: 'proposing',
  states: {
    proposing: {
      always: [
        { guard: 'isDifferent', target: 'comparing' },
        { guard: 'isComplete', target: 'complete' },
        { target: 'incomplete' },
      ],
    },
    comparing: {
      description: 'What differs from the saved mapping is shown.',
      on: {
        accept: { guard: 'isComplete', target: 'accepted' },
        edit: [{ guard: 'isComplete', target: 'complete' }, { target: 'incomplete' }],
        cancel: 'cancelled',
      },
    },
    incomplete: {
      on: {
        change: [
          {
            guard: { type: 'becomesComplete', params: ({ event }) => ({ fault: event.fault }) },
            target: 'complete',
            actions: {
              type: 'keepMapping',
              params: ({ event }) => ({ mapping: event.mapping, fault: event.fault }),
            },
          },
          {
            actions: {
              type: 'keepMapping',
              params: ({ event }) => ({ mapping: event.mapping, fault: event.fault }),
            },
          },
        ],
        cancel: 'cancelled',
      },
    },
    complete: {
      on: {
        change: [
          {
            guard: { type: 'becomesComplete', params: ({ event }) => ({ fault: event.fault }) },
            actions: {
              type: 'keepMapping',
              params: ({ event }) => ({ mapping: event.mapping, fault: event.fault }),
            },
          },
          {
            target: 'incomplete',
            actions: {
              type: 'keepMapping',
              params: ({ event }) => ({ mapping: event.mapping, fault: event.fault }),
            },
          },
        ],
        accept: 'accepted',
        cancel: 'cancelled',
      },
    },
    accepted: { entry: 'sendMapping' },
    cancelled: { entry: 'dismiss' },
  },
})
