import { useSyncExternalStore } from 'react'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'technology-portal.theme'
const hearers = new Set<() => void>()
const night = () => window.matchMedia('(prefers-color-scheme: dark)')
let chosen: Theme = 'auto'

const read = (): Theme => {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'auto'
  } catch {
    return chosen
  }
}
const isDark = () => chosen === 'dark' || (chosen === 'auto' && night().matches)

const apply = () => {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  document.body.classList.toggle('bp6-dark', isDark())
  for (const hear of hearers) hear()
}
const hear = (hearer: () => void) => {
  hearers.add(hearer)
  return () => hearers.delete(hearer)
}

/** Shows the remembered theme and follows the system and the other tabs. Answers how to stop. */
export const startTheme = (): (() => void) => {
  const again = () => {
    chosen = read()
    apply()
  }
  const system = night()
  system.addEventListener('change', apply)
  window.addEventListener('storage', again)
  again()
  return () => {
    system.removeEventListener('change', apply)
    window.removeEventListener('storage', again)
  }
}

/** Remembered in this browser. */
export const chooseTheme = (theme: Theme) => {
  chosen = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Then it holds until the page is closed.
  }
  apply()
}

export const useTheme = (): Theme => useSyncExternalStore(hear, () => chosen)
export const useIsDark = (): boolean => useSyncExternalStore(hear, isDark)
