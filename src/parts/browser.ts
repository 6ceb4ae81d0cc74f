import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { portalName } from '../../schemas/constants.ts'

/** Does the window fit this media query? */
export const useMediaQuery = (query: string): boolean => {
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

/** What the browser shows on its tab. */
export const useDocumentTitle = (title: string) =>
  useEffect(() => {
    document.title = `${title} - ${portalName}`
  }, [title])
