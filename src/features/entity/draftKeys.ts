import type { StoredRecord } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'

// A file of its own, because the list needs it: drafts.ts is loaded with the dialog alone.

/** Identifies a form: its user, entity and record; `row` is null for a new record. */
export type FormIdentity = { username: string; entity: Entity; row: StoredRecord | null }

const prefix = 'draft '

/** The key of the form's draft in the storage of the tab. */
export const draftKey = ({ username, entity, row }: FormIdentity): string =>
  `${prefix}${JSON.stringify([username, entity.name, row?.id ?? 'new'])}`

/** Removes the drafts of all other users, once this user has signed in in their tab. */
export const forgetDraftsOfOthers = (username: string): void => {
  const ownPrefix = `${prefix}[${JSON.stringify(username)},`
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && !key.startsWith(ownPrefix)) sessionStorage.removeItem(key)
}
