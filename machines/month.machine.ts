import { assign, fromPromise, setup } from 'xstate'
import type { DifferenceKind, MonthDifferences } from '../schemas/api/months/differences.ts'
import type {
  Finding,
  MonthDetail,
  MonthReleases,
  MonthSummary,
  Payout,
  PayoutEntry,
  PayoutRelease,
} from '../schemas/api/months/months.ts'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'

/** What a person does to a month; each but 'total', typing stated totals, is confirmed in a dialog first. */
export type MonthStep =
  | 'total'
  | 'waive'
  | 'lock'
  | 'approve'
  | 'release'
  | 'hold'
  | 'unhold'
  | 'return'
  | 'reopen'
  | 'takeover'
  | 'countCopy'
/** Differences to be taken over: their keys or kinds, how many there are, and what the dialog calls them. */
type ChosenDifferences = { keys: readonly string[]; count: number; what: string }
/** What a processor's statement says of the month, as it was typed; `id` is null before the first time. */
export type TypedTotal = {
  processor: string
  id: number | null
  version: number
  /** Dollars. */
  statednet: number | null
  nofile: boolean
}
/** A payment of the ledger that came back; `trace` is '' of what was paid before the ledger. */
export type ReturnedPayment = { id: number; month: string; trace: string; payee: string; amount: number }
/** A step, and what it is about: a payee, differences, findings, totals, a payment or a release. */
type MonthQuestion = {
  step: MonthStep
  entry: PayoutEntry | null
  chosen?: ChosenDifferences
  /** One finding, or all of a kind that are not waived. */
  waived?: readonly Finding[]
  totals?: readonly TypedTotal[]
  /** The payment or the release that came back; neither where a trace number is typed. */
  payment?: ReturnedPayment | undefined
  release?: PayoutRelease | undefined
}
/** Which differences are shown: those of one kind or, with '', of all, and the page of them. */
export type DifferencePage = { kind: DifferenceKind | ''; page: number }
/** What the server answered of the months. */
export type MonthView = {
  months: readonly MonthSummary[]
  /** The month that is shown; null only before the first answer. */
  month: MonthSummary | null
  /** Its payout run; null while it is open. */
  payout: Payout | null
  /** Its releases; null when it was never locked. */
  released: MonthReleases | null
  /** What differs from the copies of its last lock; null unless it was reopened. */
  differences: MonthDifferences | null
  /** Its files and findings; null on the screen Payouts, which does not read them. */
  detail: MonthDetail | null
}
export type ViewRequest = { wanted: string | null; page: DifferencePage }
export type StepRequest = {
  month: string
  hash: string
  question: MonthQuestion | null
  values: Readonly<Record<string, unknown>>
}
/** `typeTotals`: may type what processors' statements say (months 11). */
export type AllowedSteps = { typeTotals: boolean; settle: boolean; reopen: boolean }

const firstPage: DifferencePage = { kind: '', page: 1 }
const nothingRead: MonthView = {
  months: [],
  month: null,
  payout: null,
  released: null,
  differences: null,
  detail: null,
}
const stateOf = ({ view }: { view: MonthView }) => view.month?.state

/**
 * A month on its way from open to settled (months 2): locked with its findings waived, approved by another
 * person, released, and settled by time; payments come back, and an administrator opens it again. The server
 * decides the state; a step that it refuses because the month is another (409) shows the month as it is now.
 */
export const monthMachine = setup({
  types: {
    context: {} as {
      allowed: AllowedSteps
      view: MonthView
      /** The month to show, '2026-10'; the newest that is not open when null. */
      wanted: string | null
      page: DifferencePage
      /** The page that the differences of the view are of; `page` is ahead of it while another is loaded. */
      shownPage: DifferencePage
      question: MonthQuestion | null
      values: StepRequest['values']
      /** The server's messages about the values, by field. */
      faults: Readonly<Record<string, string>>
      /** The last step that was done, until the next one. */
      done: MonthStep | null
    },
    /** `view` is what was shown of the wanted month before; it stays until the month is read again. */
    input: {} as { allowed: AllowedSteps; wanted: string | null; view?: MonthView },
    events: {} as
      | { type: 'load' | 'lock' | 'approve' | 'release' | 'reopen' | 'cancel' }
      | { type: 'choose'; month: string | null }
      | { type: 'saveTotals'; totals: readonly TypedTotal[] }
      | { type: 'waive'; waived: readonly Finding[] }
      | { type: 'hold' | 'unhold'; entry: PayoutEntry }
      | { type: 'bookReturn'; payment?: ReturnedPayment; release?: PayoutRelease }
      | { type: 'browse'; page: DifferencePage }
      | { type: 'takeOver' | 'countCopy'; chosen: ChosenDifferences }
      | { type: 'confirm'; values: StepRequest['values'] },
  },
  actors: {
    view: fromPromise<MonthView, ViewRequest>(() => notProvided()),
    /** A waiver answers the month as it is now, the other steps null. */
    step: fromPromise<MonthDetail | null, StepRequest>(() => notProvided()),
  },
  guards: {
    isOpen: ({ context }) => stateOf(context) === 'open',
    isApproved: ({ context }) => stateOf(context) === 'approved',
    isReleased: ({ context }) => stateOf(context) === 'released',
    isSettled: ({ context }) => stateOf(context) === 'settled',
    mayTypeTotals: ({ context: { allowed, view } }) => allowed.typeTotals && view.detail !== null,
    mayLock: ({ context: { allowed, view } }) => allowed.settle && view.detail !== null,
    mayApprove: ({ context: { allowed, view } }) => allowed.settle && view.payout?.cannotapprove === null,
    mayRelease: ({ context: { allowed, view } }) => allowed.settle && view.payout?.cannotrelease === null,
    /** Holds begin and end until a later month was locked (payouts 2). */
    mayHold: ({ context: { allowed, view } }) => allowed.settle && view.payout?.isclosed === false,
    mayTakeOver: ({ context: { allowed, view } }) => allowed.settle && view.differences !== null,
    /** A payment of any version may come back, also while the month is open again. */
    mayReturn: ({ context: { allowed, view } }) =>
      allowed.settle && (view.released?.releases.length ?? 0) > 0,
    mayReopen: ({ context: { allowed, view } }) => allowed.reopen && view.payout?.isnewestlock === true,
    waives: ({ context }) => context.question?.step === 'waive',
    /** Stated totals are stored one by one: after a failure some may be, so the month is read again. */
    savesTotals: ({ context }) => context.question?.step === 'total',
    /** The month was locked, reopened or changed since it was read. */
    isConflict: (_, params: { error: unknown }) => errorProperty(params.error, 'status') === 409,
  },
  actions: {
    keepWanted: assign((_, params: { month: string | null }) => ({
      wanted: params.month,
      page: firstPage,
      done: null,
    })),
    keepPage: assign((_, params: { page: DifferencePage }) => ({ page: params.page })),
    keepView: assign(({ context }, params: { view: MonthView }) => ({
      view: params.view,
      shownPage: context.page,
      wanted: params.view.month?.month ?? null,
    })),
    keepDetail: assign(({ context }, params: { detail: MonthDetail | null }) => ({
      view: { ...context.view, detail: params.detail },
    })),
    ask: assign((_, params: MonthQuestion) => ({ question: params, faults: {}, done: null })),
    keepValues: assign((_, params: { values: StepRequest['values'] }) => ({ values: params.values })),
    keepDone: assign(({ context }) => ({ done: context.question?.step ?? null, question: null })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (errorProperty(params.error, 'fields') ?? {}) as Record<string, string>,
    })),
    forgetQuestion: assign({ question: null, faults: {} }),
    reloadLedger: () => {},
  },
}).createMachine({
  id: 'month',
  context: ({ input }) => ({
    allowed: input.allowed,
    view: input.view ?? nothingRead,
    wanted: input.wanted,
    page: firstPage,
    shownPage: firstPage,
    question: null,
    values: {},
    faults: {},
    done: null,
  }),
  initial: 'idle',
  states: {
    idle: { on: { load: 'loading' } },
    loading: {
      description: 'The months and the payouts of one. What is on screen stays until they are there.',
      invoke: {
        id: 'view',
        src: 'view',
        input: ({ context }) => ({ wanted: context.wanted, page: context.page }),
        onDone: {
          target: 'shown',
          actions: { type: 'keepView', params: ({ event }) => ({ view: event.output }) },
        },
        onError: 'failed',
      },
    },
    failed: { on: { load: 'loading' } },
    shown: {
      description: 'Passes on to the state that the server answered.',
      always: [
        { guard: 'isOpen', target: 'open' },
        { guard: 'isApproved', target: 'run.approved' },
        { guard: 'isReleased', target: 'run.released' },
        { guard: 'isSettled', target: 'run.settled' },
        { target: 'run' },
      ],
    },
    open: {
      description:
        'Locked by the report runner or here. Once it was locked, the copies count that are not taken over.',
      on: {
        saveTotals: {
          guard: 'mayTypeTotals',
          target: 'working',
          actions: {
            type: 'ask',
            params: ({ event }) => ({ step: 'total', entry: null, totals: event.totals }),
          },
        },
        waive: {
          guard: 'mayLock',
          target: 'asking',
          actions: {
            type: 'ask',
            params: ({ event }) => ({ step: 'waive', entry: null, waived: event.waived }),
          },
        },
        lock: {
          guard: 'mayLock',
          target: 'asking',
          actions: { type: 'ask', params: { step: 'lock', entry: null } },
        },
        choose: {
          target: 'loading',
          actions: { type: 'keepWanted', params: ({ event }) => ({ month: event.month }) },
        },
        bookReturn: {
          guard: 'mayReturn',
          target: 'asking',
          actions: {
            type: 'ask',
            params: ({ event: { payment, release } }) => ({ step: 'return', entry: null, payment, release }),
          },
        },
        browse: {
          guard: 'mayTakeOver',
          target: 'loading',
          actions: { type: 'keepPage', params: ({ event }) => ({ page: event.page }) },
        },
        takeOver: {
          guard: 'mayTakeOver',
          target: 'asking',
          actions: {
            type: 'ask',
            params: ({ event }) => ({ step: 'takeover', entry: null, chosen: event.chosen }),
          },
        },
        countCopy: {
          guard: 'mayTakeOver',
          target: 'asking',
          actions: {
            type: 'ask',
            params: ({ event }) => ({ step: 'countCopy', entry: null, chosen: event.chosen }),
          },
        },
      },
    },
    run: {
      description: 'A payout run, which a locked month has; what is possible in every state of it.',
      on: {
        choose: {
          target: 'loading',
          actions: { type: 'keepWanted', params: ({ event }) => ({ month: event.month }) },
        },
        bookReturn: {
          guard: 'mayReturn',
          target: 'asking',
          actions: {
            type: 'ask',
            params: ({ event: { payment, release } }) => ({ step: 'return', entry: null, payment, release }),
          },
        },
        hold: {
          guard: 'mayHold',
          target: 'asking',
          actions: { type: 'ask', params: ({ event }) => ({ step: 'hold', entry: event.entry }) },
        },
        unhold: {
          guard: 'mayHold',
          target: 'asking',
          actions: { type: 'ask', params: ({ event }) => ({ step: 'unhold', entry: event.entry }) },
        },
        reopen: {
          guard: 'mayReopen',
          target: 'asking',
          actions: { type: 'ask', params: { step: 'reopen', entry: null } },
        },
      },
      initial: 'locked',
      states: {
        locked: {
          description: 'Nobody has approved its payouts as they are.',
          on: {
            approve: {
              guard: 'mayApprove',
              target: '#month.asking',
              actions: { type: 'ask', params: { step: 'approve', entry: null } },
            },
          },
        },
        approved: {
          description: 'A hold makes the approval void.',
          on: {
            release: {
              guard: 'mayRelease',
              target: '#month.asking',
              actions: { type: 'ask', params: { step: 'release', entry: null } },
            },
          },
        },
        released: {
          description: 'What is left makes a further run, which is approved again.',
          on: {
            approve: {
              guard: 'mayApprove',
              target: '#month.asking',
              actions: { type: 'ask', params: { step: 'approve', entry: null } },
            },
          },
        },
        settled: {
          description: 'Five bank days have passed; payments may still come back.',
          on: {
            approve: {
              guard: 'mayApprove',
              target: '#month.asking',
              actions: { type: 'ask', params: { step: 'approve', entry: null } },
            },
          },
        },
      },
    },
    asking: {
      on: {
        cancel: { target: 'shown', actions: 'forgetQuestion' },
        confirm: {
          target: 'working',
          actions: { type: 'keepValues', params: ({ event }) => ({ values: event.values }) },
        },
      },
    },
    working: {
      description: 'The step is on its way; it cannot be cancelled.',
      invoke: {
        id: 'step',
        src: 'step',
        input: ({ context }) => ({
          month: context.view.month?.month ?? '',
          hash: context.view.payout?.hash ?? '',
          question: context.question,
          values: context.values,
        }),
        onDone: [
          {
            guard: 'waives',
            target: 'shown',
            actions: [{ type: 'keepDetail', params: ({ event }) => ({ detail: event.output }) }, 'keepDone'],
          },
          { target: 'loading', actions: ['keepDone', 'reloadLedger'] },
        ],
        onError: [
          {
            guard: { type: 'isConflict', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
            actions: 'forgetQuestion',
          },
          { guard: 'savesTotals', target: 'loading', actions: 'forgetQuestion' },
          {
            target: 'asking',
            actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
  },
})
