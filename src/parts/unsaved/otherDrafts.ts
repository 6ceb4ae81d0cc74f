// A file of its own, because the shell needs it: what stores drafts is loaded with the forms alone.

/** The prefix of the keys of all drafts in sessionStorage. */
export const draftPrefix = 'draft '

/** The result of `use`; null if the storage is full or forbidden, so that no draft is stored (session 4). */
export const withStorage = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    return null
  }
}

/** Deletes the drafts of all users but this one, who signed in in their tab; undefined leaves all. */
export const deleteDraftsOfOthers = (username: string | undefined): void => {
  if (username === undefined) return
  const ownPrefix = `${draftPrefix}[${JSON.stringify(username)},`
  withStorage(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(draftPrefix) && !key.startsWith(ownPrefix)) sessionStorage.removeItem(key)
  })
}
