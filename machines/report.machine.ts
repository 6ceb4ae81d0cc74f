import { assign, fromPromise, setup } from 'xstate'
import type { ExportFormat, Lock, ReportResult, ReportType } from '../schemas/api/reports.ts'

/** What stands in the inputs, by their names; a day as '2026-10-31'. */
export type Values = Readonly<Record<string, unknown>>
export type May = { lock: boolean; unlock: boolean }
/** A report and what it is asked with. */
export type Asked = { report: ReportType | null; values: Values }

type Choice = { report: ReportType | null; values: Values }
/** The option chosen in the report's Query3 input, if it has one. */
const monthOf = ({ report, values }: Choice) => {
  const input = report?.inputs.find(({ datatype }) => datatype === 'Query3')
  return input?.constraints.find(({ id }) => id === values[input.inputname])
}
const property = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined

/**
 * The report runner (specification, sections 2, 4 and 5): a report is chosen and filled in, generated, downloaded and,
 * where it is one of a month, locked. What is under way can be cancelled, but for a lock, which pays people.
 */
export const reportMachine = setup({
  types: {
    context: {} as {
      may: May
      types: readonly ReportType[]
      report: ReportType | null
      values: Values
      /** Do the inputs hold what the report needs? The form says so. */
      valid: boolean
      format: ExportFormat
      /** The server's sentences, by input. */
      faults: Readonly<Record<string, string>>
      result: ReportResult | null
      /** What the result was asked with. */
      asked: Values
      /** The result answers other inputs than those that stand there now. */
      stale: boolean
      /** What locking or unlocking just answered. */
      lock: Lock | null
      reason: string
    },
    input: {} as { may: May },
    events: {} as
      | { type: 'load' | 'generate' | 'lock' | 'unlock' | 'confirm' | 'cancel' }
      | { type: 'choose'; report: ReportType }
      | { type: 'change'; values: Values; valid: boolean }
      | { type: 'download'; format: ExportFormat }
      | { type: 'reopen'; reason: string },
  },
  actors: {
    types: fromPromise<readonly ReportType[]>(async () => {
      throw new Error('not provided')
    }),
    generate: fromPromise<ReportResult, Asked>(async () => {
      throw new Error('not provided')
    }),
    download: fromPromise<unknown, Asked & { format: ExportFormat }>(async () => {
      throw new Error('not provided')
    }),
    lock: fromPromise<Lock, Asked>(async () => {
      throw new Error('not provided')
    }),
    unlock: fromPromise<Lock, Asked & { reason: string }>(async () => {
      throw new Error('not provided')
    }),
  },
  guards: {
    isValid: ({ context }) => context.report !== null && context.valid,
    /** Locking takes the whole month: it needs no other input. */
    mayLock: ({ context }) =>
      context.may.lock && monthOf(context) !== undefined && monthOf(context)?.state !== 'Locked',
    mayUnlock: ({ context }) => context.may.unlock && monthOf(context)?.state === 'Locked',
    hasReason: (_, params: { reason: string }) => params.reason.trim() !== '',
    /** Somebody else was faster: the month is locked, or open, already. */
    isConflict: (_, params: { error: unknown }) => property(params.error, 'status') === 409,
  },
  actions: {
    keepTypes: assign(({ context }, params: { types: readonly ReportType[] }) => {
      const report = params.types.find(({ id }) => id === context.report?.id) ?? null
      return { types: params.types, report, ...(report === null && { result: null, stale: false }) }
    }),
    keepReport: assign((_, params: { report: ReportType }) => ({
      report: params.report,
      valid: false,
      faults: {},
      result: null,
      stale: false,
      lock: null,
    })),
    keepChange: assign(({ context }, params: { values: Values; valid: boolean }) => ({
      values: params.values,
      valid: params.valid,
      stale: context.result !== null,
      lock: null,
    })),
    keepFormat: assign((_, params: { format: ExportFormat }) => ({ format: params.format })),
    keepReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    keepResult: assign(({ context }, params: { result: ReportResult }) => ({
      result: params.result,
      asked: context.values,
      stale: false,
    })),
    /** What was shown was the month before it was locked or opened. */
    keepLock: assign(({ context }, params: { lock: Lock }) => ({
      lock: params.lock,
      stale: context.result !== null,
    })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (property(params.error, 'fields') ?? {}) as Record<string, string>,
    })),
    forgetFaults: assign({ faults: {}, lock: null }),
  },
}).createMachine({
  id: 'report',
  context: ({ input }) => ({
    may: input.may,
    types: [],
    report: null,
    values: {},
    valid: false,
    format: 'xlsx',
    faults: {},
    result: null,
    asked: {},
    stale: false,
    lock: null,
    reason: '',
  }),
  initial: 'idle',
  states: {
    idle: { on: { load: 'loading' } },
    loading: {
      description: 'The types of report; after a lock once more, and the choice is kept.',
      invoke: {
        id: 'types',
        src: 'types',
        onDone: {
          target: 'ready',
          actions: { type: 'keepTypes', params: ({ event }) => ({ types: event.output }) },
        },
        onError: 'failed',
      },
    },
    failed: { on: { load: 'loading' } },
    ready: {
      description:
        'A report is chosen and filled in; what it answered is shown, marked as stale once the inputs are others.',
      on: {
        choose: { actions: { type: 'keepReport', params: ({ event }) => ({ report: event.report }) } },
        change: {
          actions: {
            type: 'keepChange',
            params: ({ event }) => ({ values: event.values, valid: event.valid }),
          },
        },
        generate: { guard: 'isValid', target: 'generating' },
        download: {
          guard: 'isValid',
          target: 'downloading',
          actions: { type: 'keepFormat', params: ({ event }) => ({ format: event.format }) },
        },
        lock: { guard: 'mayLock', target: 'confirmingLock', actions: 'forgetFaults' },
        unlock: { guard: 'mayUnlock', target: 'askingReason', actions: 'forgetFaults' },
      },
    },
    generating: {
      entry: 'forgetFaults',
      on: { cancel: 'ready' },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => ({ report: context.report, values: context.values }),
        onDone: {
          target: 'ready',
          actions: { type: 'keepResult', params: ({ event }) => ({ result: event.output }) },
        },
        onError: {
          target: 'ready',
          actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    downloading: {
      entry: 'forgetFaults',
      on: { cancel: 'ready' },
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context }) => ({ report: context.report, values: context.values, format: context.format }),
        onDone: 'ready',
        onError: {
          target: 'ready',
          actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    confirmingLock: { on: { confirm: 'locking', cancel: 'ready' } },
    locking: {
      invoke: {
        id: 'lock',
        src: 'lock',
        input: ({ context }) => ({ report: context.report, values: context.values }),
        onDone: {
          target: 'loading',
          actions: { type: 'keepLock', params: ({ event }) => ({ lock: event.output }) },
        },
        onError: [
          {
            guard: { type: 'isConflict', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
          },
          {
            target: 'ready',
            actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    askingReason: {
      on: {
        reopen: {
          guard: { type: 'hasReason', params: ({ event }) => ({ reason: event.reason }) },
          target: 'unlocking',
          actions: { type: 'keepReason', params: ({ event }) => ({ reason: event.reason }) },
        },
        cancel: 'ready',
      },
    },
    unlocking: {
      invoke: {
        id: 'unlock',
        src: 'unlock',
        input: ({ context }) => ({ report: context.report, values: context.values, reason: context.reason }),
        onDone: {
          target: 'loading',
          actions: { type: 'keepLock', params: ({ event }) => ({ lock: event.output }) },
        },
        onError: [
          {
            guard: { type: 'isConflict', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
          },
          { target: 'askingReason' },
        ],
      },
    },
  },
})
