import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { May, modalMachine } from '../../machines/modal.machine.ts'
import type { Entity } from '../../schemas/entity.ts'
import type { Viewer } from '../../schemas/permissions.ts'
import { useGiven } from '../actorOptions.ts'
import { rowLinkId } from '../parts/Table.tsx'
import type { Address } from './address.ts'

export type ModalMachine = typeof modalMachine

/** What this viewer may do with the records of an entity. */
export const mayOf = ({ access }: Entity, viewer: Viewer): May => ({
  create: access.create(viewer),
  open: (access.open ?? access.update)(viewer),
  remove: access.delete(viewer),
})

/** The dialog's actor, which follows the `open` of the URL and takes it away again when the dialog closes. */
export const useDialog = (machine: ModalMachine, may: May, address: Address, reloadList: () => void) => {
  const [wired] = useState(() => machine.provide({ actions: { reloadList } }))
  const actor = useActorRef(wired, { ...useGiven(), input: { may } })
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
