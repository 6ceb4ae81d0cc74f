import { useCallback, useSyncExternalStore } from 'react'

/** Does the window fit this media query? */
export const useMedia = (query: string): boolean => {
  const hear = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(hear, () => window.matchMedia(query).matches)
}
