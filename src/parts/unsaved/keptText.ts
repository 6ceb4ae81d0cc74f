const prefix = 'draft '

/** What a form held that is not stored, by field. */
export type KeptText = Readonly<Record<string, unknown>>

/** The key under which a form of this user is kept in the storage of the tab (lists 12). */
export const keptKey = (username: string, ...form: readonly (string | number)[]): string =>
  `${prefix}${JSON.stringify([username, ...form])}`

/** Where the storage is full or forbidden nothing is kept, and the screen works as ever (session 4). */
const orNothing = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    return null
  }
}

export const keepText = (key: string, typed: KeptText): void => {
  if (Object.keys(typed).length > 0) orNothing(() => sessionStorage.setItem(key, JSON.stringify(typed)))
}

export const readKept = (key: string): KeptText | null => {
  const kept: unknown = orNothing(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as KeptText) : null
}

export const forgetKept = (key: string): void => void orNothing(() => sessionStorage.removeItem(key))

/** Removes what all other users typed, once this user has signed in in their tab. */
export const forgetKeptOfOthers = (username: string): void => {
  const ownPrefix = `${prefix}[${JSON.stringify(username)},`
  orNothing(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix) && !key.startsWith(ownPrefix)) sessionStorage.removeItem(key)
  })
}
