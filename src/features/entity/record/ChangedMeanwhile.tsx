import { useActor } from '@xstate/react'
import { useEffect } from 'react'
import type { AllowedRecordActions, StoredRecord } from '../../../../machines/modal.machine.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import { changesByOthers } from './changesByOthers.ts'
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
 * What others wrote into the record since the form was opened (lists 13). It is read by another actor of the
 * dialog's machine; the form stays as it is.
 */
export const ChangedMeanwhile = ({ entity, viewer, modal, allowed, row }: Props) => {
  const [newest, send] = useActor(modal, { ...useActorEnvironment(), input: { allowed } })
  useEffect(() => send({ type: 'open', id: row.id }), [send, row.id])
  const now = newest.context.row
  const changes = now === null ? [] : changesByOthers({ entity, viewer, row, now })
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
