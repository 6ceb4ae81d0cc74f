import { useActor } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { listMachine } from '../../../machines/list.machine.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import type { ListAddress } from './address.ts'

export type ListMachine = typeof listMachine

/** One list actor that follows the URL, once the viewer may see the list at all, and moves it to the last page when the one asked for is past the end. */
export const useList = (machine: ListMachine, address: ListAddress, mayList: boolean) => {
  const latest = useRef(address)
  useEffect(() => {
    latest.current = address
  })
  const [wired] = useState(() =>
    machine.provide({
      actions: { showLastPage: (_, { page }) => latest.current.go({ page }, { replace: true }) },
    }),
  )
  const [snapshot, send] = useActor(wired, useActorEnvironment())
  const { page, size, search, sort } = address.query
  useEffect(() => {
    latest.current.correct()
    if (mayList) send({ type: 'query', query: { page, size, search, sort } })
  }, [send, mayList, page, size, search, sort])
  return [snapshot, send] as const
}
