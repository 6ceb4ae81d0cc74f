import { Button } from '@blueprintjs/core'
import { AddIcon, LockIcon } from '@blueprintjs/icons'
import { useCallback, useState } from 'react'
import { bulkOperations } from '../../../schemas/api/bulk/bulk.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { importKinds, importRule, isImportName, type ImportKind } from '../../../schemas/imports/kinds.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { SearchRecords } from '../../forms/context.ts'
import { createButtonId } from '../../parts/anywhere.ts'
import { loadable } from '../../parts/loadable.tsx'
import '../../parts/parts.css'
import type { ExtraColumn } from '../../parts/table/Table.tsx'
import type { BulkOfList } from '../bulk/bulk.ts'
import { EntityList } from './EntityList.tsx'
import { useList, type ListMachine } from './list.ts'
import { useListLayout } from './list/layout.ts'
import type { ListMachines } from './list/ListTools.tsx'
import { allowedRecordActions, type ModalMachine, useDialog, useDiscardQuestion } from './record/dialog.ts'
import type { RecordFrame } from './record/EntityDialog.tsx'
import type { DecisionMachine } from './record/RecordReview.tsx'

const HiddenList = loadable(async () => (await import('./list/HiddenList.tsx')).HiddenList)
const EntityDialog = loadable(async () => (await import('./record/EntityDialog.tsx')).EntityDialog)

type Props = {
  entity: Entity
  list: ListMachine
  modal: ModalMachine
  decision: DecisionMachine
  searchRecords: SearchRecords
  tools: ListMachines
  viewer: Viewer
  extraColumn?: ExtraColumn
  recordFrame?: RecordFrame
}

/** The screen of one entity: its list, and the dialog that creates, edits and deletes its records. */
export const EntityPage = (props: Props) => <EntityScreen key={props.entity.name} {...props} />

const EntityScreen = (props: Props) => {
  const { entity, list, modal, decision, searchRecords, tools, viewer, extraColumn, recordFrame } = props
  const canList = entity.access.list(viewer)
  const { address, layout } = useListLayout(entity, viewer)
  const [listSnapshot, sendList] = useList(list, address, canList)
  const reload = useCallback(() => sendList({ type: 'reload' }), [sendList])
  const [allowed] = useState(() => allowedRecordActions(entity, viewer))
  const [bulk] = useState(() => bulkOf(entity, viewer))
  const importKind = importKindOf(entity, viewer)
  const [dialog, actor] = useDialog(modal, allowed, address, reload)
  const discarding = useDiscardQuestion(dialog, actor)
  return (
    <section className="entity-page">
      <header className="page-head">
        <h1>{entity.title}</h1>
        {allowed.create && (
          <Button
            id={createButtonId}
            intent="primary"
            icon={<AddIcon />}
            text="Create"
            onClick={() => address.openRecord('new')}
          />
        )}
      </header>
      {canList ? (
        <EntityList
          {...{ entity, allowed, address, layout, extraColumn, searchRecords, tools, bulk, importKind }}
          list={listSnapshot}
          onReload={reload}
        />
      ) : (
        <HiddenList {...{ entity, viewer }} icon={<LockIcon size={32} />} />
      )}
      {!dialog.matches('closed') && (
        <EntityDialog
          {...{ entity, viewer, searchRecords, modal, decision, reload, recordFrame }}
          snapshot={dialog}
          send={actor.send}
          discarding={discarding}
        />
      )}
    </section>
  )
}

/** What the viewer may do to many records of the list. */
const bulkOf = (entity: Entity, viewer: Viewer): BulkOfList | undefined => {
  const operations = bulkOperations(entity, viewer)
  return operations ? { operations, viewer } : undefined
}

/** The import whose files add records of the entity; undefined where there is none the viewer may use. */
const importKindOf = ({ name }: Entity, viewer: Viewer): ImportKind | undefined =>
  isImportName(name) && importRule(importKinds[name])(viewer) ? importKinds[name] : undefined
