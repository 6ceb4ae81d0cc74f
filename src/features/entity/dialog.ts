import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import type { ActorRefFrom } from 'xstate'
import type { AllowedRecordActions, modalMachine } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { createButtonId } from '../../parts/anywhere.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { rowLinkId } from '../../parts/table/Table.tsx'
import { loginAddress, useCloseQuestion } from '../../parts/unsaved/Unsaved.tsx'
import type { ListAddress } from './address.ts'

export type ModalMachine = typeof modalMachine

/** What this viewer may do with the records of an entity. */
export const allowedRecordActions = ({ access }: Entity, viewer: Viewer): AllowedRecordActions => ({
  create: access.create(viewer),
  open: (access.open ?? access.update)(viewer),
  remove: access.delete(viewer),
})

/** The actor of the dialog. It follows the `open` of the URL and removes it when the dialog closes. */
export const useDialog = (
  machine: ModalMachine,
  allowed: AllowedRecordActions,
  address: ListAddress,
  reloadList: () => void,
) => {
  const [modalWithActions] = useState(() => machine.provide({ actions: { reloadList } }))
  const actor = useActorRef(modalWithActions, { ...useActorEnvironment(), input: { allowed } })
  const snapshot = useSelector(actor, (state) => state)
  const isClosed = snapshot.matches('closed')
  const { open } = address
  const lastOpen = useRef<number | 'new' | null>(null)
  useEffect(() => {
    actor.send({ type: 'leave' })
    if (open === 'new') actor.send({ type: 'create' })
    else if (open !== null) actor.send({ type: 'open', id: open })
  }, [actor, open])
  useEffect(() => {
    if (!actor.getSnapshot().matches('closed')) {
      lastOpen.current = address.open
      return
    }
    if (address.hasOpen) address.closeRecord()
    if (lastOpen.current === null) return
    const opener = lastOpen.current === 'new' ? createButtonId : rowLinkId(lastOpen.current)
    lastOpen.current = null
    // The page cannot take the focus until the dialog has been removed.
    requestAnimationFrame(() => document.getElementById(opener)?.focus())
  }, [actor, isClosed, address])
  return [snapshot, actor] as const
}

const openParameter = (search: string) => new URLSearchParams(search).get('open')

/**
 * Blocks Back, links of the portal and closing the tab while there are unsaved changes (lists 12). Returns
 * the blocker of the router; its state is 'blocked' while 'Discard your changes?' must be asked.
 */
export const useUnsavedChanges = (actor: ActorRefFrom<ModalMachine>, dirty: boolean) => {
  useCloseQuestion(dirty)
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      actor.getSnapshot().context.dirty &&
      nextLocation.pathname !== loginAddress &&
      (nextLocation.pathname !== currentLocation.pathname ||
        openParameter(nextLocation.search) !== openParameter(currentLocation.search)),
  )
}
