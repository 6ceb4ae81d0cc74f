import type { bulkMachine } from '../../../machines/bulk.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import type { BulkOperations } from '../../../schemas/api/bulk/bulk.ts'
import { recordsTitle, type Entity } from '../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { formatCount } from '../../parts/format.ts'

/** What changing many records calls, as src/api/provide/bulk.ts provides it. */
export type BulkScreenMachines = {
  bulk: typeof bulkMachine
  history: typeof loadMachine
  undo: typeof undoMachine
}
/** The same machines for the same entity. */
export type BulkMachinesOf = (entity: Entity) => BulkScreenMachines

/** What this viewer may do to many records of a list. */
export type BulkOfList = { operations: BulkOperations; viewer: Viewer }

/** '1 merchant', '1,204 merchants' */
export const countOf = (entity: Entity, count: number): string =>
  `${formatCount(count)} ${count === 1 ? entity.noun : recordsTitle(entity).toLowerCase()}`
