import { keptPrefix, withStorage } from './keptOfOthers.ts'

/** What a form held that is not stored, by field. */
export type KeptText = Readonly<Record<string, unknown>>

/** The key under which a form of this user is kept in the storage of the tab (lists 12). */
export const keptKey = (username: string, ...form: readonly (string | number)[]): string =>
  `${keptPrefix}${JSON.stringify([username, ...form])}`

export const keepText = (key: string, typed: KeptText): void => {
  if (Object.keys(typed).length > 0) withStorage(() => sessionStorage.setItem(key, JSON.stringify(typed)))
}

export const readKept = (key: string): KeptText | null => {
  const kept: unknown = withStorage(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as KeptText) : null
}

export const forgetKept = (key: string): void => void withStorage(() => sessionStorage.removeItem(key))
