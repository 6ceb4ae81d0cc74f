import { useActor } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { listMachine } from '../../../machines/list.machine.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import type { ListAddress } from './address.ts'

export type ListMachine = typeof listMachine

/**
 * The actor of a list. It loads what the URL asks for, unless the viewer may not list (`canList`), and
 * replaces a page past the end by the last one in the URL (lists 3).
 */
export const useList = (machine: ListMachine, address: ListAddress, canList = true) => {
  const latestAddress = useRef(address)
  useEffect(() => {
    latestAddress.current = address
  })
  const [listWithActions] = useState(() =>
    machine.provide({
      actions: {
        showLastPage: (_, { page }) => latestAddress.current.changeQuery({ page }, { replace: true }),
      },
    }),
  )
  const [snapshot, send] = useActor(listWithActions, useActorEnvironment())
  const { page, size, search, sort, filter } = address.query
  useEffect(() => address.correctUrl(), [address])
  useEffect(() => {
    if (canList) send({ type: 'query', query: { page, size, search, sort, filter } })
  }, [send, canList, page, size, search, sort, filter])
  return [snapshot, send] as const
}
