import { useSyncExternalStore } from 'react'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'technology-portal.theme'
const listeners = new Set<() => void>()
const darkSchemeQuery = () => window.matchMedia('(prefers-color-scheme: dark)')
let chosen: Theme = 'auto'

const readStoredTheme = (): Theme => {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'auto'
  } catch {
    return chosen
  }
}
const isDark = () => chosen === 'dark' || (chosen === 'auto' && darkSchemeQuery().matches)

const applyTheme = () => {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  document.body.classList.toggle('bp6-dark', isDark())
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Applies the stored theme, also after the system or another tab changes it. Returns a stop function. */
export const startTheme = (): (() => void) => {
  const reload = () => {
    chosen = readStoredTheme()
    applyTheme()
  }
  const system = darkSchemeQuery()
  system.addEventListener('change', applyTheme)
  window.addEventListener('storage', reload)
  reload()
  return () => {
    system.removeEventListener('change', applyTheme)
    window.removeEventListener('storage', reload)
  }
}

/** Applies a theme and stores it in this browser (shell 5). */
export const chooseTheme = (theme: Theme) => {
  chosen = theme
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  applyTheme()
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => chosen)
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark)
