import { assign, fromPromise, setup } from 'xstate'
import type { FoundBy, BulkRequest, BulkPreview, SeenRecord } from '../schemas/api/bulk/bulk.ts'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'
import type { Faults } from './modal.machine.ts'

/** `reassign` sets the field that has a button of its own. */
type BulkOperation = 'set' | 'reassign' | 'remove'
/** What came of a commit. */
export type BulkDone = { id: number; changed: number; unchanged: number; refused: number }

type Context = {
  /** Of the list. */
  foundBy: FoundBy
  /** The records of the shown page. */
  page: readonly SeenRecord[]
  selected: readonly SeenRecord[]
  /** All that the list finds are selected; `selected` is empty then. */
  all: boolean
  operation: BulkOperation
  /** What the preview and the commit are asked for. */
  request: BulkRequest
  preview: BulkPreview | null
  done: BulkDone | null
  /** The server's messages, by field. */
  faults: Faults
}

const idsOf = (records: readonly SeenRecord[]) => new Set(records.map(({ id }) => id))
/** A selection without some records; one of all becomes that of the page. */
const without = ({ all, page, selected }: Context, records: readonly SeenRecord[]) =>
  (all ? page : selected).filter(({ id }) => !idsOf(records).has(id))

/**
 * Selecting records of a list and changing them at once, after a preview (bulk 1, bulk 3). Only the commit
 * and the undo cannot be interrupted: the list reloads when they end.
 */
export const bulkMachine = setup({
  types: {
    context: {} as Context,
    events: {} as
      | { type: 'query'; foundBy: FoundBy }
      | { type: 'rows'; records: readonly SeenRecord[] }
      | { type: 'select'; records: readonly SeenRecord[] }
      | { type: 'deselect'; records: readonly SeenRecord[] }
      | { type: 'selectAll' }
      | { type: 'clear' }
      | { type: 'begin'; operation: BulkOperation }
      | { type: 'preview'; values: Record<string, unknown> }
      | { type: 'back' }
      | { type: 'cancel' }
      | { type: 'commit' }
      | { type: 'again' }
      | { type: 'undo' }
      | { type: 'dismiss' },
  },
  actors: {
    preview: fromPromise<BulkPreview, BulkRequest>(() => notProvided()),
    commit: fromPromise<BulkDone, { request: BulkRequest; fingerprint: string }>(() => notProvided()),
    undo: fromPromise<unknown, { id: number }>(() => notProvided()),
  },
  guards: {
    isOtherList: ({ context }, { foundBy }: { foundBy: FoundBy }) =>
      context.foundBy.search !== foundBy.search || context.foundBy.filter !== foundBy.filter,
    hasSelection: ({ context }) => context.all || context.selected.length > 0,
    removesSelection: ({ context }, { operation }: { operation: BulkOperation }) =>
      operation === 'remove' && (context.all || context.selected.length > 0),
    isRemoval: ({ context }) => context.operation === 'remove',
    setsField: ({ context }) => context.operation !== 'remove',
    changesSomething: ({ context }) => context.preview !== null && context.preview.changed > 0,
    isNoLongerPreviewed: (_, params: { error: unknown }) =>
      errorProperty(params.error, 'code') === 'previewed',
  },
  actions: {
    keepFoundBy: assign((_, { foundBy }: { foundBy: FoundBy }) => ({ foundBy })),
    keepPage: assign(({ context }, { records }: { records: readonly SeenRecord[] }) => ({
      page: records,
      selected: context.selected.map((it) => records.find(({ id }) => id === it.id) ?? it),
    })),
    addRecords: assign(({ context }, { records }: { records: readonly SeenRecord[] }) =>
      context.all ? {} : { selected: [...without(context, records), ...records] },
    ),
    removeRecords: assign(({ context }, { records }: { records: readonly SeenRecord[] }) => ({
      selected: without(context, records),
      all: false,
    })),
    addAll: assign({ selected: [], all: true }),
    forgetSelection: assign({ selected: [], all: false }),
    forgetOperation: assign({ operation: 'set', request: {}, preview: null, done: null, faults: {} }),
    forgetPreview: assign({ preview: null }),
    keepOperation: assign((_, { operation }: { operation: BulkOperation }) => ({ operation })),
    keepRequest: assign(({ context }, { values }: { values: Record<string, unknown> | null }) => ({
      request: {
        ...(context.all ? { found: context.foundBy } : { records: [...context.selected] }),
        ...(values ? { values } : { remove: true }),
      },
    })),
    keepPreview: assign((_, { preview }: { preview: BulkPreview }) => ({ preview })),
    keepDone: assign((_, { done }: { done: BulkDone }) => ({ done, selected: [], all: false })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (errorProperty(params.error, 'fields') ?? {}) as Faults,
    })),
    clearFaults: assign({ faults: {} }),
    reloadList: () => {},
  },
}).createMachine({
  id: 'bulk',
  context: {
    foundBy: { search: '', filter: '' },
    page: [],
    selected: [],
    all: false,
    operation: 'set',
    request: {},
    preview: null,
    done: null,
    faults: {},
  },
  initial: 'selecting',
  on: {
    rows: { actions: { type: 'keepPage', params: ({ event }) => ({ records: event.records }) } },
    query: {
      guard: { type: 'isOtherList', params: ({ event }) => ({ foundBy: event.foundBy }) },
      target: '.selecting',
      actions: [
        { type: 'keepFoundBy', params: ({ event }) => ({ foundBy: event.foundBy }) },
        'forgetSelection',
      ],
    },
  },
  states: {
    selecting: {
      entry: 'forgetOperation',
      on: {
        select: { actions: { type: 'addRecords', params: ({ event }) => ({ records: event.records }) } },
        deselect: { actions: { type: 'removeRecords', params: ({ event }) => ({ records: event.records }) } },
        selectAll: { actions: 'addAll' },
        clear: { actions: 'forgetSelection' },
        begin: [
          {
            guard: { type: 'removesSelection', params: ({ event }) => ({ operation: event.operation }) },
            target: 'previewing',
            actions: [
              { type: 'keepOperation', params: ({ event }) => ({ operation: event.operation }) },
              { type: 'keepRequest', params: { values: null } },
            ],
          },
          {
            guard: 'hasSelection',
            target: 'choosing',
            actions: { type: 'keepOperation', params: ({ event }) => ({ operation: event.operation }) },
          },
        ],
      },
    },
    choosing: {
      entry: 'forgetPreview',
      on: {
        preview: {
          target: 'previewing',
          actions: [
            'clearFaults',
            { type: 'keepRequest', params: ({ event }) => ({ values: event.values }) },
          ],
        },
        cancel: 'selecting',
      },
    },
    previewing: {
      entry: 'forgetPreview',
      on: { cancel: 'selecting' },
      invoke: {
        id: 'preview',
        src: 'preview',
        input: ({ context }) => context.request,
        onDone: {
          target: 'previewed',
          actions: { type: 'keepPreview', params: ({ event }) => ({ preview: event.output }) },
        },
        onError: [
          { guard: 'isRemoval', target: 'selecting' },
          {
            target: 'choosing',
            actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    previewed: {
      on: {
        commit: { guard: 'changesSomething', target: 'committing' },
        back: { guard: 'setsField', target: 'choosing' },
        cancel: 'selecting',
      },
    },
    committing: {
      on: {
        query: { actions: { type: 'keepFoundBy', params: ({ event }) => ({ foundBy: event.foundBy }) } },
      },
      invoke: {
        id: 'commit',
        src: 'commit',
        input: ({ context }) => ({
          request: context.request,
          fingerprint: context.preview?.fingerprint ?? '',
        }),
        onDone: {
          target: 'done',
          actions: [{ type: 'keepDone', params: ({ event }) => ({ done: event.output }) }, 'reloadList'],
        },
        onError: [
          {
            guard: { type: 'isNoLongerPreviewed', params: ({ event }) => ({ error: event.error }) },
            target: 'changedMeanwhile',
            actions: 'reloadList',
          },
          { target: 'failed', actions: 'reloadList' },
        ],
      },
    },
    changedMeanwhile: { on: { again: 'previewing', cancel: 'selecting' } },
    failed: {
      description: 'The answer may be lost of a change that was made; a further preview shows what is left.',
      on: { again: 'previewing', cancel: 'selecting' },
    },
    done: {
      on: {
        undo: 'undoing',
        dismiss: 'selecting',
        select: {
          target: 'selecting',
          actions: { type: 'addRecords', params: ({ event }) => ({ records: event.records }) },
        },
      },
    },
    undoing: {
      on: {
        query: { actions: { type: 'keepFoundBy', params: ({ event }) => ({ foundBy: event.foundBy }) } },
      },
      invoke: {
        id: 'undo',
        src: 'undo',
        input: ({ context }) => ({ id: context.done?.id ?? 0 }),
        onDone: { target: 'undone', actions: 'reloadList' },
        onError: { target: 'done', actions: 'reloadList' },
      },
    },
    undone: {
      on: {
        dismiss: 'selecting',
        select: {
          target: 'selecting',
          actions: { type: 'addRecords', params: ({ event }) => ({ records: event.records }) },
        },
      },
    },
  },
})
