import type { loadMachine } from '../../../machines/load.machine.ts'
import type { manyMachine } from '../../../machines/many.machine.ts'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import type { ManyOperations } from '../../../schemas/api/many/many.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { formatCount } from '../../parts/format.ts'

/** What changing many records calls, as src/api/provide/many.ts provides it. */
export type ManyScreenMachines = {
  many: typeof manyMachine
  history: typeof loadMachine
  undoAction: typeof undoMachine
}
/** The same machines for the same entity. */
export type ManyMachinesOf = (entity: Entity) => ManyScreenMachines

/** What this viewer may do to many records of a list. */
export type ManyOfList = { operations: ManyOperations; viewer: Viewer }

/** '1 merchant', '1,204 merchants' */
export const countOf = ({ title, noun }: Entity, count: number): string =>
  `${formatCount(count)} ${count === 1 ? noun : title.replace(/^Manage /, '').toLowerCase()}`
