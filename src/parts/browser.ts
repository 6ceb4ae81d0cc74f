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

/**
 * The icon of the portal, as index.html names it too: as an address of its own it would be one more request
 * before the first screen.
 */
export const iconImage =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  "%3Crect width='32' height='32' rx='6' fill='%231b2a3f'/%3E" +
  "%3Cpath d='M7 23V15h4v8zm7 0V9h4v14zm7 0v-5h4v5z' fill='%237fb2f5'/%3E%3C/svg%3E"
