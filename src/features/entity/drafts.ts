import type { Draft, StoredRecord } from '../../../machines/modal.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { forgetKept, keepText, keptKey, readKept } from '../../parts/unsaved/keptText.ts'

/** Identifies a form: its user, entity and record; `row` is null for a new record. */
type FormIdentity = { username: string; entity: Entity; row: StoredRecord | null }
const keyOf = ({ username, entity, row }: FormIdentity) => keptKey(username, entity.name, row?.id ?? 'new')

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
  keepText(keyOf(form), Object.fromEntries(changed))
}

/** The values kept for this form, or null. */
export const readDraft = (form: FormIdentity): Draft | null => readKept(keyOf(form))

export const forgetDraft = (form: FormIdentity): void => forgetKept(keyOf(form))
