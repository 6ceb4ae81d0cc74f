import { useActor } from '@xstate/react'
import { useEffect } from 'react'
import type { AllowedRecordActions, StoredRecord } from '../../../../machines/modal.machine.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { offeredColumns } from '../../../../schemas/entities/layout.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'
import { formatCell } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import type { ModalMachine } from './dialog.ts'

type Props = {
  entity: Entity
  viewer: Viewer
  modal: ModalMachine
  allowed: AllowedRecordActions
  /** The record as the form began with it. */
  row: StoredRecord
}

/**
 * What others wrote into the record since the form was opened, as far as a list can show it (lists 13). It is
 * read by another actor of the dialog's machine; the form stays as it is.
 */
export const ChangedMeanwhile = ({ entity, viewer, modal, allowed, row }: Props) => {
  const [newest, send] = useActor(modal, { ...useActorEnvironment(), input: { allowed } })
  useEffect(() => send({ type: 'open', id: row.id }), [send, row.id])
  const now = newest.context.row
  const changes = now === null ? [] : changesOf({ entity, viewer, row }, now)
  return (
    <div role="status">
      {changes.length > 0 && (
        <ul className="record-changes" aria-label="Changes by others">
          {changes.map(({ field, head, before, after }) => (
            <li key={field}>
              {head}: {quoted(before)} before, {quoted(after)} now
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const quoted = (text: string) => (text === '' ? 'empty' : `“${text}”`)

const changesOf = ({ entity, viewer, row }: Pick<Props, 'entity' | 'viewer' | 'row'>, now: StoredRecord) =>
  offeredColumns(entity, viewer)
    .map((column) => {
      const textOf = (of: StoredRecord) => formatCell(column, entity.schema.properties[column.field], of)
      return { field: column.field, head: column.head, before: textOf(row), after: textOf(now) }
    })
    .filter(({ before, after }) => before !== after)
