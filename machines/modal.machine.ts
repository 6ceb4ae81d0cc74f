import { assign, fromPromise, setup } from 'xstate'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'

/** A record as the API answers it. */
export type StoredRecord = { id: number; version: number; [field: string]: unknown }
/** The values of the form when it is sent. */
export type Draft = Record<string, unknown>
/** What the viewer may do, computed from the rules when the screen opens. */
export type AllowedRecordActions = { create: boolean; open: boolean; remove: boolean }
/** The server's messages, by field. */
export type Faults = Record<string, string>

/**
 * The dialog that creates, edits and deletes one record (lists 7). On success the list reloads and the dialog
 * closes; on failure it stays open with the typed values. The list reloads as well when the record turns out
 * to be gone.
 */
export const modalMachine = setup({
  types: {
    context: {} as {
      allowed: AllowedRecordActions
      id: number | null
      row: StoredRecord | null
      dirty: boolean
      faults: Faults
    },
    input: {} as { allowed: AllowedRecordActions },
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
    read: fromPromise<StoredRecord, { id: number | null }>(() => notProvided()),
    save: fromPromise<unknown, { row: StoredRecord | null; draft: Draft; overwrite: boolean }>(() =>
      notProvided(),
    ),
    remove: fromPromise<unknown, { row: StoredRecord | null }>(() => notProvided()),
  },
  guards: {
    mayCreate: ({ context }) => context.allowed.create,
    mayOpen: ({ context }) => context.allowed.open,
    mayRemove: ({ context }) => context.allowed.remove && context.row !== null,
    isDirty: ({ context }) => context.dirty,
    isStale: (_, params: { error: unknown }) => errorProperty(params.error, 'code') === 'stale',
    /** Somebody deleted the record meanwhile, or moved it out of what the viewer sees. */
    isGone: (_, params: { error: unknown }) => errorProperty(params.error, 'status') === 404,
  },
  actions: {
    forgetRow: assign({ id: null, row: null, dirty: false, faults: {} }),
    keepId: assign((_, params: { id: number }) => ({ id: params.id })),
    keepRow: assign((_, params: { row: StoredRecord }) => ({ row: params.row, dirty: false, faults: {} })),
    keepDirty: assign((_, params: { dirty: boolean }) => ({ dirty: params.dirty })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (errorProperty(params.error, 'fields') ?? {}) as Faults,
    })),
    clearFaults: assign({ faults: {} }),
    reloadList: () => {},
  },
}).createMachine({
  id: 'modal',
  context: ({ input }) => ({ allowed: input.allowed, id: null, row: null, dirty: false, faults: {} }),
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
        onError: [
          {
            guard: { type: 'isGone', params: ({ event }) => ({ error: event.error }) },
            target: 'closed',
            actions: 'reloadList',
          },
          { target: 'closed' },
        ],
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
      description: 'Neither saving nor deleting can be interrupted, because the list reloads when it ends.',
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
            guard: { type: 'isGone', params: ({ event }) => ({ error: event.error }) },
            target: 'editing',
            actions: 'reloadList',
          },
          {
            target: 'editing',
            actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    stale: {
      description:
        'Somebody else changed the record meanwhile: the choice is to reload it or to overwrite the change.',
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
          {
            guard: { type: 'isGone', params: ({ event }) => ({ error: event.error }) },
            target: 'closed',
            actions: 'reloadList',
          },
          { target: 'editing' },
        ],
      },
    },
    confirmingDiscard: { on: { discard: 'closed', cancel: 'editing', leave: 'closed' } },
  },
})
