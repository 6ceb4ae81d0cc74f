import { fromPromise } from 'xstate'
import { bulkMachine, type BulkDone } from '../../../machines/bulk.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { undoMachine } from '../../../machines/undo.machine.ts'
import { bulkCalls, type BulkRequest, type BulkPreview } from '../../../schemas/api/bulk/bulk.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Call } from '../http.ts'

/** How many changes the history shows. */
const shownChanges = 100

/** The machines of changing many records of an entity: selection to undo, the history, and undo from it. */
export const provideBulk = (call: Call, entity: Entity) => {
  const calls = bulkCalls[entity.name]
  if (!calls) throw new Error(`Records of ${entity.name} are not changed many at once`)
  const undo = (id: number, signal: AbortSignal) => call(calls.undo, { params: { id }, signal })
  return {
    bulk: bulkMachine.provide({
      actors: {
        preview: fromPromise<BulkPreview, BulkRequest>(({ input, signal }) =>
          call(calls.preview, { body: input, signal }),
        ),
        commit: fromPromise<BulkDone, { request: BulkRequest; fingerprint: string }>(({ input, signal }) =>
          call(calls.commit, {
            body: { ...input.request, fingerprint: input.fingerprint },
            signal,
          }),
        ),
        undo: fromPromise<unknown, { id: number }>(({ input, signal }) => undo(input.id, signal)),
      },
    }),
    history: loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(({ signal }) =>
          call(calls.history, { query: { size: shownChanges }, signal }),
        ),
      },
    }),
    undo: undoMachine.provide({
      actors: {
        undo: fromPromise<unknown, { id: number | null }>(({ input, signal }) => undo(input.id ?? 0, signal)),
      },
    }),
  }
}
