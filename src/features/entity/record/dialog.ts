import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useBlocker, useLocation, type BlockerFunction } from 'react-router-dom'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { AllowedRecordActions, modalMachine } from '../../../../machines/modal.machine.ts'
import { opensRecords, type Entity } from '../../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'
import { createButtonId } from '../../../parts/anywhere.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import { rowLinkId } from '../../../parts/table/Table.tsx'
import { leavesScreen, useCloseQuestion, type FormChanges } from '../../../parts/unsaved/discard.ts'
import type { ListAddress } from '../address.ts'

export type ModalMachine = typeof modalMachine

/** What this viewer may do with the records of an entity. */
export const allowedRecordActions = (entity: Entity, viewer: Viewer): AllowedRecordActions => ({
  create: entity.access.create(viewer),
  open: opensRecords(entity)(viewer),
  remove: entity.access.delete(viewer),
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
    // The page cannot take the focus until the dialog has been removed. The row may be on another page.
    requestAnimationFrame(() => {
      const control = document.getElementById(opener)
      if (control) control.focus()
      else document.getElementById('main')?.focus({ preventScroll: true })
    })
  }, [actor, isClosed, address])
  return [snapshot, actor] as const
}

/** The question, and whether the form has changes that the person has not discarded. */
export type Discarding = ReturnType<typeof useDiscardQuestion>

const openParameter = (search: string) => new URLSearchParams(search).get('open')

/**
 * The question 'Discard your changes?' (lists 12): the dialog asks it when it is closed, the router before
 * Back, links of the portal and the closing of the tab. `isUnsaved` answers whether the dialog has changes
 * that were not discarded. `form` holds the changes of a form beside the list, which the same blocker asks
 * about, because the router has one at a time.
 */
export const useDiscardQuestion = (
  dialog: SnapshotFrom<ModalMachine>,
  actor: ActorRefFrom<ModalMachine>,
  form?: RefObject<FormChanges>,
) => {
  const { pathname } = useLocation()
  useCloseQuestion(dialog.context.dirty)
  const blocker = useBlocker(
    (way) =>
      (leavesScreen(way) && (form?.current.typed ?? null) !== null) ||
      (actor.getSnapshot().context.dirty && leavesDialog(way)),
  )
  const isBlocked = blocker.state === 'blocked'
  const wasDiscarded = useRef(false)
  const isClosed = dialog.matches('closed')
  useEffect(() => {
    if (isClosed) wasDiscarded.current = false
  }, [isClosed])
  return {
    isAsked: isBlocked || dialog.matches('confirmingDiscard'),
    isUnsaved: () => actor.getSnapshot().context.dirty && !wasDiscarded.current,
    discard: () => {
      if (!isBlocked) return actor.send({ type: 'discard' })
      wasDiscarded.current = true
      // The form stays with its changes where the dialog alone is left.
      if (form && blocker.location.pathname !== pathname) form.current.areDiscarded = true
      blocker.proceed()
    },
    keepEditing: () => {
      if (isBlocked) blocker.reset()
      actor.send({ type: 'cancel' })
    },
  }
}

const leavesDialog: BlockerFunction = (way) =>
  leavesScreen(way) ||
  (way.nextLocation.pathname === way.currentLocation.pathname &&
    openParameter(way.nextLocation.search) !== openParameter(way.currentLocation.search))
