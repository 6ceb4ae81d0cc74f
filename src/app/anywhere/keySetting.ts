import { useSyncExternalStore } from 'react'

const storageKey = 'technology-portal.keys'
const listeners = new Set<() => void>()
let chosen: boolean | null = null

/** Whether keys without a modifier are on: unless they were switched off in this browser (everywhere 2). */
export const areKeysOn = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    // Without storage the choice lasts until the page is closed.
    return chosen ?? true
  }
}

export const switchKeys = (on: boolean) => {
  chosen = on
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off')
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
export const useKeysOn = (): boolean => useSyncExternalStore(subscribe, areKeysOn)
