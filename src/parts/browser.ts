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

/** A random UUID (version 4). `crypto.randomUUID` is missing on pages without TLS. */
export const newJobId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
