import { Button } from '@blueprintjs/core'
import { AddIcon, LockIcon } from '@blueprintjs/icons'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { reasonOf, type Viewer } from '../../../schemas/permissions.ts'
import type { SearchRecords } from '../../forms/context.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import type { ExtraColumn } from '../../parts/Table.tsx'
import '../../parts/parts.css'
import { useListAddress } from './address.ts'
import { createButtonId, allowedRecordActions, type ModalMachine, useDialog, useUnsavedChanges } from './dialog.ts'
import { forgetDraftsOfOthers } from './drafts.ts'
import { EntityList } from './EntityList.tsx'
import { useList, type ListMachine } from './list.ts'

const loadDialog = () => import('./EntityDialog.tsx')
const EntityDialog = lazy(async () => ({ default: (await loadDialog()).EntityDialog }))

type Props = {
  entity: Entity
  list: ListMachine
  modal: ModalMachine
  lookup: SearchRecords
  viewer: Viewer
  extraColumn?: ExtraColumn
}

/** The screen of one entity: its list, and the dialog that creates, edits and deletes its records. */
export const EntityPage = (props: Props) => <EntityScreen key={props.entity.name} {...props} />

const EntityScreen = ({ entity, list, modal, lookup, viewer, extraColumn: extra }: Props) => {
  const mayList = entity.access.list(viewer)
  const fields = useMemo(() => entity.list.columns.map((column) => column.field), [entity])
  const address = useListAddress(fields)
  const [found, sendList] = useList(list, address, mayList)
  const [may] = useState(() => allowedRecordActions(entity, viewer))
  const [dialog, actor] = useDialog(modal, may, address, () => sendList({ type: 'reload' }))
  const blocker = useUnsavedChanges(actor, dialog.context.dirty)
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => forgetDraftsOfOthers(viewer.username), [viewer.username])
  const hasGivenUp = useRef(false)
  const isClosed = dialog.matches('closed')
  useEffect(() => {
    if (isClosed) hasGivenUp.current = false
  }, [isClosed])
  const discard = () => {
    if (!isBlocked) return actor.send({ type: 'discard' })
    hasGivenUp.current = true
    blocker.proceed()
  }
  const keep = () => {
    if (isBlocked) blocker.reset()
    actor.send({ type: 'cancel' })
  }
  return (
    <section className="entity-page">
      <header className="page-head">
        <h1>{entity.title}</h1>
        {may.create && (
          <Button
            id={createButtonId}
            intent="primary"
            icon={<AddIcon />}
            text="Create"
            onClick={() => address.openRow('new')}
          />
        )}
      </header>
      {mayList ? (
        <EntityList
          {...{ entity, allowed: may, list: found, address, extraColumn: extra }}
          onReload={() => sendList({ type: 'reload' })}
        />
      ) : (
        <EmptyState
          title={`The list of ${entity.title.toLowerCase().replace('manage ', '')} is not shown to you`}
          icon={<LockIcon size={32} />}
        >
          {reasonOf(entity.access.list)}
        </EmptyState>
      )}
      {!isClosed && (
        <Suspense>
          <EntityDialog
            entity={entity}
            viewer={viewer}
            lookup={lookup}
            snapshot={dialog}
            send={actor.send}
            isUnsaved={() => actor.getSnapshot().context.dirty && !hasGivenUp.current}
          />
        </Suspense>
      )}
      {(isBlocked || dialog.matches('confirmingDiscard')) && (
        <Confirm
          choices={[
            { text: 'Discard', intent: 'danger', onClick: discard },
            { text: 'Keep editing', onClick: keep },
          ]}
        >
          Discard your changes?
        </Confirm>
      )}
    </section>
  )
}
