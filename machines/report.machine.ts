import { assign, fromPromise, setup } from 'xstate'
import type { Finding, minWaiverReason, singlyWaivedKind } from '../schemas/api/months/months.ts'
import type { ExportFormat, Lock, ReportResult, ReportType } from '../schemas/api/reports.ts'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'

/** The values of the inputs, by their names; a day is '2026-10-31'. */
export type Values = Readonly<Record<string, unknown>>
export type AllowedMonthActions = { lock: boolean; unlock: boolean }
/** A report and the values of its inputs. */
export type ReportRequest = { report: ReportType | null; values: Values }

/** Why findings are waived: all but stated totals for one reason, each of these for its own, by key. */
export type Waivers = { reason: string; stated: Readonly<Record<string, string>> }
/** A report as a file, sorted as its rows are on the screen (reports 42). */
export type DownloadRequest = ReportRequest & { format: ExportFormat; sort: string }
export type LockRequest = ReportRequest & { waivers: Waivers | null }

/** The option chosen in the report's Query3 input, if it has one. */
const monthOf = ({ report, values }: ReportRequest) => {
  const input = report?.inputs.find(({ datatype }) => datatype === 'Query3')
  return input?.constraints.find(({ id }) => id === values[input.inputname])
}

/** The types are those of the schemas, which a machine does not import at run time. */
const minReason: typeof minWaiverReason = 10
const singlyWaived: typeof singlyWaivedKind = 'stated-total'
const findingsOf = (error: unknown) => errorProperty(error, 'findings') as readonly Finding[] | undefined
const isLongEnough = (reason: string | undefined) => (reason ?? '').trim().length >= minReason
/** Every warning has a reason, and nothing is a stop, which has none (months 10). */
const waivesAll = (findings: readonly Finding[], { reason, stated }: Waivers) =>
  findings.every(
    ({ severity, kind, key }) =>
      severity !== 'stop' && isLongEnough(kind === singlyWaived ? stated[key] : reason),
  )

/**
 * The report runner (reports 1): a report is chosen and filled in, generated and downloaded; a monthly one is
 * locked and reopened (months 4, months 9). Locking and reopening cannot be cancelled.
 */
export const reportMachine = setup({
  types: {
    context: {} as {
      allowed: AllowedMonthActions
      types: readonly ReportType[]
      report: ReportType | null
      values: Values
      /** Whether the form found the inputs valid. */
      valid: boolean
      format: ExportFormat
      /** The order of the last download: '{column}', '-{column}' for descending, or '' (reports 42). */
      sort: string
      /** The server's messages, by input. */
      faults: Readonly<Record<string, string>>
      result: ReportResult | null
      /** The values that the result was generated with. */
      resultValues: Values
      /** How many reports begin before this one; null when it does not wait. */
      before: number | null
      /** The result was generated before the inputs changed or the month was locked or reopened. */
      stale: boolean
      /** The answer of the last locking or reopening, until the next action. */
      lock: Lock | null
      reason: string
      /** What the last refused locking was refused for. */
      findings: readonly Finding[]
      waivers: Waivers | null
    },
    input: {} as { allowed: AllowedMonthActions },
    events: {} as
      | { type: 'load' | 'generate' | 'lock' | 'unlock' | 'confirm' | 'cancel' }
      /** null: no report is chosen any more. */
      | { type: 'choose'; report: ReportType | null }
      | { type: 'queued'; before: number | null }
      | { type: 'change'; values: Values; valid: boolean }
      | { type: 'download'; format: ExportFormat; sort: string }
      | { type: 'reopen'; reason: string }
      | { type: 'waive'; waivers: Waivers },
  },
  actors: {
    types: fromPromise<readonly ReportType[]>(() => notProvided()),
    generate: fromPromise<ReportResult, ReportRequest>(() => notProvided()),
    download: fromPromise<unknown, DownloadRequest>(() => notProvided()),
    lock: fromPromise<Lock, LockRequest>(() => notProvided()),
    unlock: fromPromise<Lock, ReportRequest & { reason: string }>(() => notProvided()),
  },
  guards: {
    isValid: ({ context }) => context.report !== null && context.valid,
    /** Locking is for a whole month: it needs no other input. */
    mayLock: ({ context }) =>
      context.allowed.lock && monthOf(context) !== undefined && monthOf(context)?.state !== 'Locked',
    mayUnlock: ({ context }) => context.allowed.unlock && monthOf(context)?.state === 'Locked',
    hasReason: (_, params: { reason: string }) => params.reason.trim() !== '',
    waivesAll: ({ context }, params: { waivers: Waivers }) => waivesAll(context.findings, params.waivers),
    /** The checklist holds something that nobody waived. */
    hasFindings: (_, params: { error: unknown }) => findingsOf(params.error) !== undefined,
    /** Somebody else has locked or reopened the month meanwhile. */
    isConflict: (_, params: { error: unknown }) => errorProperty(params.error, 'status') === 409,
  },
  actions: {
    keepTypes: assign(({ context }, params: { types: readonly ReportType[] }) => {
      const report = params.types.find(({ id }) => id === context.report?.id) ?? null
      return { types: params.types, report, ...(report === null && { result: null, stale: false }) }
    }),
    keepReport: assign((_, params: { report: ReportType | null }) => ({
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
    keepFormat: assign((_, params: { format: ExportFormat; sort: string }) => params),
    keepReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    keepFindings: assign((_, params: { error: unknown }) => ({ findings: findingsOf(params.error) ?? [] })),
    keepWaivers: assign((_, params: { waivers: Waivers }) => ({ waivers: params.waivers })),
    forgetWaivers: assign({ findings: [], waivers: null }),
    keepResult: assign(({ context }, params: { result: ReportResult }) => ({
      result: params.result,
      resultValues: context.values,
      stale: false,
    })),
    keepLock: assign(({ context }, params: { lock: Lock }) => ({
      lock: params.lock,
      stale: context.result !== null,
    })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (errorProperty(params.error, 'fields') ?? {}) as Record<string, string>,
    })),
    forgetFaults: assign({ faults: {}, lock: null }),
    keepPlace: assign((_, params: { before: number | null }) => ({ before: params.before })),
    forgetPlace: assign({ before: null }),
  },
}).createMachine({
  id: 'report',
  context: ({ input }) => ({
    allowed: input.allowed,
    types: [],
    report: null,
    values: {},
    valid: false,
    format: 'xlsx',
    sort: '',
    faults: {},
    result: null,
    resultValues: {},
    before: null,
    stale: false,
    lock: null,
    reason: '',
    findings: [],
    waivers: null,
  }),
  initial: 'idle',
  states: {
    idle: { on: { load: 'loading' } },
    loading: {
      description: 'The types of report; they are loaded again after locking, and the chosen report stays.',
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
        'A report is chosen and filled in. Its result is shown, and marked as stale when the inputs change.',
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
          actions: {
            type: 'keepFormat',
            params: ({ event }) => ({ format: event.format, sort: event.sort }),
          },
        },
        lock: { guard: 'mayLock', target: 'confirmingLock', actions: 'forgetFaults' },
        unlock: { guard: 'mayUnlock', target: 'askingReason', actions: 'forgetFaults' },
      },
    },
    generating: {
      entry: 'forgetFaults',
      exit: 'forgetPlace',
      on: {
        cancel: 'ready',
        queued: { actions: { type: 'keepPlace', params: ({ event }) => ({ before: event.before }) } },
      },
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
      exit: 'forgetPlace',
      on: {
        cancel: 'ready',
        queued: { actions: { type: 'keepPlace', params: ({ event }) => ({ before: event.before }) } },
      },
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context }) => ({
          report: context.report,
          values: context.values,
          format: context.format,
          sort: context.sort,
        }),
        onDone: 'ready',
        onError: {
          target: 'ready',
          actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    confirmingLock: { entry: 'forgetWaivers', on: { confirm: 'locking', cancel: 'ready' } },
    locking: {
      invoke: {
        id: 'lock',
        src: 'lock',
        input: ({ context }) => ({
          report: context.report,
          values: context.values,
          waivers: context.waivers,
        }),
        onDone: {
          target: 'loading',
          actions: { type: 'keepLock', params: ({ event }) => ({ lock: event.output }) },
        },
        onError: [
          {
            guard: { type: 'hasFindings', params: ({ event }) => ({ error: event.error }) },
            target: 'showingFindings',
            actions: { type: 'keepFindings', params: ({ event }) => ({ error: event.error }) },
          },
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
    showingFindings: {
      description: 'What keeps the month from being locked: warnings are waived with reasons, stops are not.',
      on: {
        waive: {
          guard: { type: 'waivesAll', params: ({ event }) => ({ waivers: event.waivers }) },
          target: 'waiving',
          actions: { type: 'keepWaivers', params: ({ event }) => ({ waivers: event.waivers }) },
        },
        cancel: 'ready',
      },
    },
    waiving: {
      description: 'The month is locked together with the waivers. A failure leaves the reasons as they are.',
      invoke: {
        id: 'waivedLock',
        src: 'lock',
        input: ({ context }) => ({
          report: context.report,
          values: context.values,
          waivers: context.waivers,
        }),
        onDone: {
          target: 'loading',
          actions: { type: 'keepLock', params: ({ event }) => ({ lock: event.output }) },
        },
        onError: [
          {
            guard: { type: 'hasFindings', params: ({ event }) => ({ error: event.error }) },
            target: 'showingFindings',
            actions: { type: 'keepFindings', params: ({ event }) => ({ error: event.error }) },
          },
          {
            guard: { type: 'isConflict', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
          },
          { target: 'showingFindings' },
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
