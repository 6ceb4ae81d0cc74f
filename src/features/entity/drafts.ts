import type { Draft, StoredRecord } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'

/** Whose form of which record it is; `row` is null for a new one. */
type FormIdentity = { username: string; entity: Entity; row: StoredRecord | null }

const prefix = 'draft '
const keyOf = ({ username, entity, row }: FormIdentity) =>
  `${prefix}${JSON.stringify([username, entity.name, row?.id ?? 'new'])}`
/** Numbers of banks and tax offices, and passwords, are never kept, whatever their schema says. */
const secretName = /password|routing|bankaccount|taxid/i
const isSecret = (entity: Entity, field: string) => {
  const property = entity.schema.properties[field]
  return (
    property === undefined ||
    property.secret === true ||
    property.kind === 'password' ||
    secretName.test(field)
  )
}

/** Keeps in this tab what was changed in a form that the end of the session took away. */
export const keepDraft = (form: FormIdentity, typed: Draft): void => {
  const { entity, row } = form
  const changed = Object.entries(typed).filter(
    ([field, value]) => !isSecret(entity, field) && JSON.stringify(value) !== JSON.stringify(row?.[field]),
  )
  try {
    if (changed.length > 0) sessionStorage.setItem(keyOf(form), JSON.stringify(Object.fromEntries(changed)))
  } catch {
    // A full or forbidden store: signing in again must work all the same.
  }
}

/** What was kept of this form, or null. */
export const readDraft = (form: FormIdentity): Draft | null => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? 'null')
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Draft) : null
  } catch {
    return null
  }
}

export const forgetDraft = (form: FormIdentity): void => sessionStorage.removeItem(keyOf(form))

/** Somebody else signed in here: what others typed is not for them. */
export const forgetDraftsOfOthers = (username: string): void => {
  const ownPrefix = `${prefix}[${JSON.stringify(username)},`
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && !key.startsWith(ownPrefix)) sessionStorage.removeItem(key)
}
