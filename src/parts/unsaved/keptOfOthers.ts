// A file of its own, because lists need it: what keeps texts is loaded with the forms alone.

/** Begins the keys of all kept texts in the storage of the tab. */
export const keptPrefix = 'draft '

/** Where the storage is full or forbidden nothing is kept, and the screen works as ever (session 4). */
export const withStorage = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    return null
  }
}

/** Removes what all other users typed, once this user has signed in in their tab; undefined leaves all. */
export const forgetKeptOfOthers = (username: string | undefined): void => {
  if (username === undefined) return
  const ownPrefix = `${keptPrefix}[${JSON.stringify(username)},`
  withStorage(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(keptPrefix) && !key.startsWith(ownPrefix)) sessionStorage.removeItem(key)
  })
}
