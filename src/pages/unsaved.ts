import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import type { ActorRefFrom } from 'xstate'
import type { ModalMachine } from './dialog.ts'

/** Where a session that has ended leads: nothing can be asked any more there. */
const login = '/login'
const openOf = (search: string) => new URLSearchParams(search).get('open')

/**
 * Holds back what would lose changes: Back, links of the portal, closing the tab. Answers the blocker, whose state is
 * 'blocked' while 'Discard your changes?' has to be asked.
 */
export const useUnsaved = (actor: ActorRefFrom<ModalMachine>, dirty: boolean) => {
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      actor.getSnapshot().context.dirty &&
      nextLocation.pathname !== login &&
      (nextLocation.pathname !== currentLocation.pathname || openOf(nextLocation.search) !== openOf(currentLocation.search)),
  )
}
