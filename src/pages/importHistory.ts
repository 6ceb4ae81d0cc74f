import { useEffect, useMemo, useRef } from 'react'
import { useAddress } from './address.ts'
import { useList, type ListMachine } from './list.ts'

const sortable: readonly string[] = []

/** The history of one kind of import, whose page stands in the URL, and two ways to read it again. */
export const useHistory = (machine: ListMachine) => {
  const address = useAddress(sortable)
  const [found, send] = useList(machine, address, true)
  const latest = useRef(address)
  useEffect(() => {
    latest.current = address
  })
  const ways = useMemo(() => {
    const reload = () => send({ type: 'reload' })
    return {
      reload,
      /** To the page a new import is on. */
      showNewest: () => (latest.current.query.page === 1 ? reload() : latest.current.go({ page: 1 }, { replace: true })),
    }
  }, [send])
  return { found, address, ...ways }
}
export type History = ReturnType<typeof useHistory>
