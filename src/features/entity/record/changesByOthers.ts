import type { StoredRecord } from '../../../../machines/modal.machine.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { offeredColumns } from '../../../../schemas/entities/lists/layout.ts'
import {
  permissions,
  permissionWords,
  type Permissions,
  type Viewer,
} from '../../../../schemas/permissions.ts'
import { formatCell, formatDollars } from '../../../parts/format.ts'

type Change = { field: string; head: string; before: string; after: string }
type Compared = { entity: Entity; viewer: Viewer; row: StoredRecord; now: StoredRecord }

/**
 * The fields that differ between `row`, with which a form began, and `now`, the stored record, as texts: the
 * fields that a list can show, permissions and subscriptions. A save overwrites the last two as a whole.
 */
export const changesByOthers = ({ entity, viewer, row, now }: Compared): Change[] => {
  const { properties } = entity.schema
  const changeOf = (field: string, head: string, textOf: (of: StoredRecord) => string): Change => ({
    field,
    head,
    before: textOf(row),
    after: textOf(now),
  })
  return [
    ...offeredColumns(entity, viewer).map((column) =>
      changeOf(column.field, column.head, (of) => formatCell(column, properties[column.field], of)),
    ),
    ...permissions.map((name) => changeOf(name, permissionWords[name], permissionText(name))),
    changeOf(
      'collectionSubscriptions',
      properties['collectionSubscriptions']?.title ?? '',
      subscriptionsText,
    ),
  ].filter(({ before, after }) => before !== after)
}

const permissionText =
  (name: keyof Permissions) =>
  ({ permissions: held }: StoredRecord) =>
    held === undefined ? '' : (held as Permissions)[name] ? 'Yes' : 'No'

type Subscription = { amount: number; notes: string }
const subscriptionsText = ({ collectionSubscriptions: rows = [] }: StoredRecord) =>
  (rows as Subscription[]).map(({ amount, notes }) => `${formatDollars(amount)} ${notes}`).join(', ')
