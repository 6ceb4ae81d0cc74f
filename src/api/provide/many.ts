import { fromPromise } from 'xstate'
import { loadMachine } from '../../../machines/load.machine.ts'
import { manyMachine, type ManyDone } from '../../../machines/many.machine.ts'
import { undoMachine } from '../../../machines/undo.machine.ts'
import { manyCalls, type ManyAsked, type ManyPreview } from '../../../schemas/api/many/many.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Call } from '../http.ts'

/** How many changes the history shows. */
const shownActions = 100

/** The machines of changing many records of an entity: selection to undo, the history, and undo from it. */
export const provideMany = (call: Call, entity: Entity) => {
  const calls = manyCalls[entity.name]
  if (!calls) throw new Error(`Records of ${entity.name} are not changed many at once`)
  const undo = (id: number, signal: AbortSignal) =>
    call(calls.undo, { params: { id }, signal, withoutTimeout: true })
  return {
    many: manyMachine.provide({
      actors: {
        preview: fromPromise<ManyPreview, ManyAsked>(({ input, signal }) =>
          call(calls.preview, { body: input, signal, withoutTimeout: true }),
        ),
        commit: fromPromise<ManyDone, { asked: ManyAsked; fingerprint: string }>(({ input, signal }) =>
          call(calls.commit, {
            body: { ...input.asked, fingerprint: input.fingerprint },
            signal,
            withoutTimeout: true,
          }),
        ),
        undo: fromPromise<unknown, { id: number }>(({ input, signal }) => undo(input.id, signal)),
      },
    }),
    history: loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(({ signal }) =>
          call(calls.history, { query: { size: shownActions }, signal }),
        ),
      },
    }),
    undoAction: undoMachine.provide({
      actors: {
        undo: fromPromise<unknown, { batch: number | null }>(({ input, signal }) =>
          undo(input.batch ?? 0, signal),
        ),
      },
    }),
  }
}
