import type { Draft, StoredRecord } from '../../../../machines/modal.machine.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { deleteDraft, storeDraft, draftKey, readStoredDraft } from '../../../parts/unsaved/draftStorage.ts'

/** Identifies a form: its user, entity and record; `row` is null for a new record. */
type FormIdentity = { username: string; entity: Entity; row: StoredRecord | null }
const keyOf = ({ username, entity, row }: FormIdentity) => draftKey(username, entity.name, row?.id ?? 'new')

/** Fields with these names are in no draft, even if their schema does not call them secret (lists 12). */
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

/** Stores the changed values of a form in this tab, when the end of the session closes the form. */
export const storeRecordDraft = (form: FormIdentity, typed: Draft): void => {
  const { entity, row } = form
  const changed = Object.entries(typed).filter(
    ([field, value]) => !isSecret(entity, field) && JSON.stringify(value) !== JSON.stringify(row?.[field]),
  )
  storeDraft(keyOf(form), Object.fromEntries(changed))
}

/** The draft of this form, or null. */
export const readRecordDraft = (form: FormIdentity): Draft | null => readStoredDraft(keyOf(form))

export const deleteRecordDraft = (form: FormIdentity): void => deleteDraft(keyOf(form))
