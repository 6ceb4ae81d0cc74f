import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import type { ActorRefFrom } from 'xstate'
import type { AllowedRecordActions, modalMachine } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import { rowLinkId } from '../../parts/Table.tsx'
import type { ListAddress } from './address.ts'

export type ModalMachine = typeof modalMachine

/** What this viewer may do with the records of an entity. */
export const allowedRecordActions = ({ access }: Entity, viewer: Viewer): AllowedRecordActions => ({
  create: access.create(viewer),
  open: (access.open ?? access.update)(viewer),
  remove: access.delete(viewer),
})

/** The dialog's actor, which follows the `open` of the URL and takes it away again when the dialog closes. */
export const useDialog = (machine: ModalMachine, may: AllowedRecordActions, address: ListAddress, reloadList: () => void) => {
  const [wired] = useState(() => machine.provide({ actions: { reloadList } }))
  const actor = useActorRef(wired, { ...useActorEnvironment(), input: { allowed: may } })
  const snapshot = useSelector(actor, (state) => state)
  const isClosed = snapshot.matches('closed')
  const { open } = address
  const last = useRef<number | 'new' | null>(null)
  useEffect(() => {
    actor.send({ type: 'leave' })
    if (open === 'new') actor.send({ type: 'create' })
    else if (open !== null) actor.send({ type: 'open', id: open })
  }, [actor, open])
  useEffect(() => {
    if (!actor.getSnapshot().matches('closed')) {
      last.current = address.open
      return
    }
    if (address.hasOpen) address.leaveRow()
    if (last.current === null) return
    const opener = last.current === 'new' ? createButtonId : rowLinkId(last.current)
    last.current = null
    // The page behind is out of reach until the dialog has gone.
    requestAnimationFrame(() => document.getElementById(opener)?.focus())
  }, [actor, isClosed, address])
  return [snapshot, actor] as const
}

export const createButtonId = 'create-record'

/** Where a session that has ended leads: nothing can be asked any more there. */
const loginPath = '/login'
const openParameter = (search: string) => new URLSearchParams(search).get('open')

/**
 * Holds back what would lose changes: Back, links of the portal, closing the tab. Answers the blocker, whose state is
 * 'blocked' while 'Discard your changes?' has to be asked.
 */
export const useUnsavedChanges = (actor: ActorRefFrom<ModalMachine>, dirty: boolean) => {
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      actor.getSnapshot().context.dirty &&
      nextLocation.pathname !== loginPath &&
      (nextLocation.pathname !== currentLocation.pathname ||
        openParameter(nextLocation.search) !== openParameter(currentLocation.search)),
  )
}
