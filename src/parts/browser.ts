import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { portalName } from '../../schemas/constants.ts'

/** True while the window matches this media query. */
export const useMediaQuery = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** Sets the title of the browser's tab. */
export const useDocumentTitle = (title: string) =>
  useEffect(() => {
    document.title = `${title} - ${portalName}`
  }, [title])
