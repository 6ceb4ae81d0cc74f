import { assign, fromPromise, setup } from 'xstate'

/** A stored record: what the API answers, with its id and version. */
export type Stored = { id: number; version: number; [field: string]: unknown }
/** What the form holds when it is sent. */
export type Draft = Record<string, unknown>
/** What the viewer may do here, worked out from the rules when the screen opens. */
export type May = { create: boolean; open: boolean; remove: boolean }
/** Sentences for single fields, as the server answered them. */
export type Faults = Record<string, string>

const stub = async (): Promise<never> => {
  throw new Error('not provided')
}

/**
 * The dialog that creates, edits and deletes one record (specification, section 4, "Modal flows"): on success
 * the list reloads and the dialog closes; on failure it stays open with what was typed.
 */
export const modalMachine = setup({
  types: {
    context: {} as { may: May; id: number | null; row: Stored | null; dirty: boolean; faults: Faults },
    input: {} as { may: May },
    events: {} as
      | { type: 'create' }
      | { type: 'open'; id: number }
      | { type: 'leave' }
      | { type: 'close' }
      | { type: 'change'; dirty: boolean }
      | { type: 'save'; draft: Draft }
      | { type: 'delete' }
      | { type: 'confirm' }
      | { type: 'cancel' }
      | { type: 'discard' }
      | { type: 'reload' }
      | { type: 'overwrite'; draft: Draft },
  },
  actors: {
    read: fromPromise<Stored, { id: number | null }>(stub),
    save: fromPromise<unknown, { row: Stored | null; draft: Draft; overwrite: boolean }>(stub),
    remove: fromPromise<unknown, { row: Stored | null }>(stub),
  },
  guards: {
    mayCreate: ({ context }) => context.may.create,
    mayOpen: ({ context }) => context.may.open,
    mayRemove: ({ context }) => context.may.remove && context.row !== null,
    isDirty: ({ context }) => context.dirty,
    isStale: (_, params: { error: unknown }) =>
      typeof params.error === 'object' &&
      params.error !== null &&
      'code' in params.error &&
      params.error.code === 'stale',
  },
  actions: {
    forgetRow: assign({ id: null, row: null, dirty: false, faults: {} }),
    keepId: assign((_, params: { id: number }) => ({ id: params.id })),
    keepRow: assign((_, params: { row: Stored }) => ({ row: params.row, dirty: false, faults: {} })),
    keepDirty: assign((_, params: { dirty: boolean }) => ({ dirty: params.dirty })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults:
        typeof params.error === 'object' && params.error !== null && 'fields' in params.error
          ? ((params.error.fields ?? {}) as Faults)
          : {},
    })),
    clearFaults: assign({ faults: {} }),
    reloadList: () => {},
  },
}).createMachine({
  id: 'modal',
  context: ({ input }) => ({ may: input.may, id: null, row: null, dirty: false, faults: {} }),
  initial: 'closed',
  states: {
    closed: {
      entry: 'forgetRow',
      on: {
        create: { guard: 'mayCreate', target: 'editing' },
        open: {
          guard: 'mayOpen',
          target: 'reading',
          actions: { type: 'keepId', params: ({ event }) => ({ id: event.id }) },
        },
      },
    },
    reading: {
      on: { close: 'closed', leave: 'closed' },
      invoke: {
        id: 'read',
        src: 'read',
        input: ({ context }) => ({ id: context.id }),
        onDone: {
          target: 'editing',
          actions: { type: 'keepRow', params: ({ event }) => ({ row: event.output }) },
        },
        onError: 'closed',
      },
    },
    editing: {
      on: {
        change: { actions: { type: 'keepDirty', params: ({ event }) => ({ dirty: event.dirty }) } },
        save: 'saving',
        delete: { guard: 'mayRemove', target: 'confirmingDelete' },
        close: [{ guard: 'isDirty', target: 'confirmingDiscard' }, { target: 'closed' }],
        leave: 'closed',
      },
    },
    saving: {
      description: 'Nothing interrupts it, nor a deletion: the list must learn how it ended.',
      entry: 'clearFaults',
      invoke: {
        id: 'save',
        src: 'save',
        input: ({ context, event }) => ({
          row: context.row,
          draft: event.type === 'save' || event.type === 'overwrite' ? event.draft : {},
          overwrite: event.type === 'overwrite',
        }),
        onDone: { target: 'closed', actions: 'reloadList' },
        onError: [
          { guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) }, target: 'stale' },
          {
            target: 'editing',
            actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    stale: {
      description: 'Somebody else changed the record meanwhile: reload it, or overwrite their change.',
      on: { reload: 'reading', overwrite: 'saving', cancel: 'editing', leave: 'closed' },
    },
    confirmingDelete: { on: { confirm: 'deleting', cancel: 'editing', leave: 'closed' } },
    deleting: {
      invoke: {
        id: 'remove',
        src: 'remove',
        input: ({ context }) => ({ row: context.row }),
        onDone: { target: 'closed', actions: 'reloadList' },
        onError: [
          { guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) }, target: 'reading' },
          { target: 'editing' },
        ],
      },
    },
    confirmingDiscard: { on: { discard: 'closed', cancel: 'editing', leave: 'closed' } },
  },
})
