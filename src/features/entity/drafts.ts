import type { Draft } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { draftKey, type FormIdentity } from './draftKeys.ts'

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
      sessionStorage.setItem(draftKey(form), JSON.stringify(Object.fromEntries(changed)))
  } catch {
    // The storage is full or forbidden. The draft is lost, but leaving the form must not fail.
  }
}

/** The values kept for this form, or null. */
export const readDraft = (form: FormIdentity): Draft | null => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(draftKey(form)) ?? 'null')
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Draft) : null
  } catch {
    return null
  }
}

export const forgetDraft = (form: FormIdentity): void => sessionStorage.removeItem(draftKey(form))
