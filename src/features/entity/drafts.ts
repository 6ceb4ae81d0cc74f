import type { Draft, StoredRecord } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'

/** Identifies a form: its user, entity and record; `row` is null for a new record. */
type FormIdentity = { username: string; entity: Entity; row: StoredRecord | null }

const prefix = 'draft '
const storageKeyOf = ({ username, entity, row }: FormIdentity) =>
  `${prefix}${JSON.stringify([username, entity.name, row?.id ?? 'new'])}`
/** Fields with these names are never kept, even if their schema does not call them secret (lists 12). */
const secretNames = /password|routing|bankaccount|taxid/i
const isSecret = (entity: Entity, field: string) => {
  const property = entity.schema.properties[field]
  return (
    property === undefined ||
    property.secret === true ||
    property.kind === 'password' ||
    secretNames.test(field)
  )
}

/** Keeps the changed values of a form in this tab, when the end of the session closes the form. */
export const keepDraft = (form: FormIdentity, typed: Draft): void => {
  const { entity, row } = form
  const changed = Object.entries(typed).filter(
    ([field, value]) => !isSecret(entity, field) && JSON.stringify(value) !== JSON.stringify(row?.[field]),
  )
  try {
    if (changed.length > 0)
      sessionStorage.setItem(storageKeyOf(form), JSON.stringify(Object.fromEntries(changed)))
  } catch {
    // The storage is full or forbidden. The draft is lost, but leaving the form must not fail.
  }
}

/** The values kept for this form, or null. */
export const readDraft = (form: FormIdentity): Draft | null => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKeyOf(form)) ?? 'null')
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Draft) : null
  } catch {
    return null
  }
}

export const forgetDraft = (form: FormIdentity): void => sessionStorage.removeItem(storageKeyOf(form))

/** Removes the drafts of all other users, once this user has signed in in their tab. */
export const forgetDraftsOfOthers = (username: string): void => {
  const ownPrefix = `${prefix}[${JSON.stringify(username)},`
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && !key.startsWith(ownPrefix)) sessionStorage.removeItem(key)
}
