import { useSyncExternalStore } from 'react'

const query = () => window.matchMedia('(max-width: 899.98px)')
const hear = (changed: () => void) => {
  const list = query()
  list.addEventListener('change', changed)
  return () => list.removeEventListener('change', changed)
}

/** Too narrow for the bar: the menus move into a drawer. */
export const useIsNarrow = (): boolean => useSyncExternalStore(hear, () => query().matches)
