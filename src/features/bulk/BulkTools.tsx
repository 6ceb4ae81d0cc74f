import { useActor } from '@xstate/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { listMachine } from '../../../machines/list.machine.ts'
import type { Entity, Row } from '../../../schemas/entities/entity.ts'
import type { SearchRecords } from '../../forms/context.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { loadable } from '../../parts/loadable.tsx'
import { noSelection, type RowSelection } from '../../parts/table/Checks.tsx'
import type { BulkOfList, BulkScreenMachines } from './bulk.ts'
import { BulkBar } from './BulkBar.tsx'
import './bulk.css'

const BulkDialog = loadable(async () => (await import('./BulkDialog.tsx')).BulkDialog)

type Props = {
  entity: Entity
  bulk: BulkOfList
  list: SnapshotFrom<typeof listMachine>
  /** Search and filters of the list. */
  foundBy: { search: string; filter: string }
  searchRecords: SearchRecords | undefined
  machines: BulkScreenMachines
  onReload: () => void
  /** The checkboxes of the rows. */
  onSelection: (selection: RowSelection) => void
}

/** Selecting records of a list and changing them at once (bulk 1). */
export const BulkTools = (props: Props) => {
  const { entity, bulk, list, searchRecords, machines, onReload } = props
  const [snapshot, send] = useBulk(props)
  const { selected, all } = snapshot.context
  const count = all ? list.context.total : selected.length
  const hasSelection = count > 0
  useEffect(() => {
    // It brings the forms, and is needed once a change is chosen.
    if (hasSelection) void BulkDialog.preload()
  }, [hasSelection])
  const isChanging = !['selecting', 'done', 'undoing', 'undone'].some((state) =>
    snapshot.matches(state as never),
  )
  return (
    <>
      <BulkBar
        {...{ entity, operations: bulk.operations, snapshot, send, count, machines, onReload }}
        total={list.context.total}
      />
      {isChanging && <BulkDialog {...{ entity, bulk, snapshot, send, count, searchRecords }} />}
    </>
  )
}

/** The actor, which is sent what the list shows, and answers what its checkboxes show. */
const useBulk = ({ list, foundBy, machines, onReload, onSelection }: Props) => {
  const reload = useRef(onReload)
  useEffect(() => {
    reload.current = onReload
  })
  const [machine] = useState(() => machines.bulk.provide({ actions: { reloadList: () => reload.current() } }))
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  const { search, filter } = foundBy
  useEffect(() => send({ type: 'query', foundBy: { search, filter } }), [send, search, filter])
  const isShown = list.matches('shown')
  const { rows } = list.context
  useEffect(() => {
    const records = (rows as readonly Row[]).map(({ id, version }) => ({ id, version }))
    if (isShown) send({ type: 'rows', records })
  }, [send, isShown, rows])
  const { selected, all, page } = snapshot.context
  const selection = useMemo((): RowSelection => {
    const ids = new Set(selected.map(({ id }) => id))
    const onPage = page.filter(({ id }) => all || ids.has(id)).length
    const state = onPage === 0 ? 'none' : onPage < page.length ? 'some' : 'all'
    const isSelected = (id: number) => all || ids.has(id)
    return {
      isReady: isShown,
      isSelected,
      page: state,
      toggle: (id) =>
        send({
          type: isSelected(id) ? 'deselect' : 'select',
          records: page.filter((record) => record.id === id),
        }),
      togglePage: () => send({ type: state === 'all' ? 'deselect' : 'select', records: page }),
    }
  }, [selected, all, page, isShown, send])
  useEffect(() => {
    onSelection(selection)
    return () => onSelection(noSelection)
  }, [onSelection, selection])
  return [snapshot, send] as const
}
