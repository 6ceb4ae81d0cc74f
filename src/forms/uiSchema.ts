import type { UiSchema } from '@rjsf/utils'
import { readOnlyFields, isViewOnly, readOnlyReason, type Entity, type Property } from '../../schemas/entities/entity.ts'
import type { Viewer } from '../../schemas/permissions.ts'

/** Fields shown together. `reason` says why all of them are disabled, when it is one reason. */
export type GroupOptions = { title?: string; fields: readonly string[]; reason?: string }

/** The fields that this viewer's form of this record does not have: neither shown nor sent. */
export const absentFields = (
  { form, schema }: Entity,
  viewer: Viewer,
  row: Record<string, unknown> | null,
): string[] =>
  Object.keys(schema.properties).filter(
    (field) =>
      (!row && form.onlyExisting?.includes(field)) ||
      form.onlyFor?.[field]?.(viewer, row ?? undefined) === false,
  )

/** How an entity's form looks to this viewer: nothing in it is written by hand. */
export const entityUiSchema = (entity: Entity, viewer: Viewer, row: Record<string, unknown> | null): UiSchema => {
  const shut = new Map(
    readOnlyFields(entity, viewer, row ?? undefined).map((field) => [
      field,
      readOnlyReason(entity, field, row ?? undefined),
    ]),
  )
  // What is there to be read alone can be selected and scrolled; a disabled field is in the way of both.
  const closed = row && isViewOnly(entity, viewer, row) ? 'ui:readonly' : 'ui:disabled'
  const unseen = new Set([...absentFields(entity, viewer, row), ...(entity.form.hidden ?? [])])
  const groups = entity.form.groups
    .map((group) => ({ ...group, fields: group.fields.filter((field) => !unseen.has(field)) }))
    .filter((group) => group.fields.length > 0)
    .map((group): GroupOptions => ({ ...group, ...reasonOf(group.fields.map((field) => shut.get(field))) }))
  const shown = new Set(groups.flatMap((group) => group.fields))
  const fields = Object.entries(entity.schema.properties).map(([field, property]) => {
    if (!shown.has(field)) return [field, { 'ui:widget': 'hidden' }]
    const reason = shut.get(field)
    return [
      field,
      {
        ...looks(property),
        ...(!row && entity.form.requiredNew?.includes(field) && { 'ui:required': true }),
        ...(reason !== undefined && { [closed]: true, 'ui:reason': reason }),
      },
    ]
  })
  return { 'ui:options': { groups, label: false }, ...Object.fromEntries(fields) }
}

/** How the fields of a form look that everybody may fill in. */
export const plainUiSchema = (schema: { properties: Readonly<Record<string, Property>> }): UiSchema => ({
  'ui:options': { groups: [{ fields: Object.keys(schema.properties) }], label: false },
  ...Object.fromEntries(
    Object.entries(schema.properties).map(([field, property]) => [field, looks(property)]),
  ),
})

const reasonOf = (reasons: (string | undefined)[]): { reason?: string } =>
  reasons.length > 1 && reasons[0] !== undefined && new Set(reasons).size === 1 ? { reason: reasons[0] } : {}

const looks = ({ kind, type, items, readOnly, rows, placeholder }: Property): UiSchema => {
  if (readOnly && !kind) return { 'ui:widget': 'hidden' }
  if (kind === 'permissions') return { 'ui:field': kind }
  if (items) {
    const inside = Object.entries(items.properties).map(([field, property]) => [field, looks(property)])
    return { 'ui:orderable': false, items: { 'ui:label': false, ...Object.fromEntries(inside) } }
  }
  const types = [type].flat()
  return {
    ...((types.includes('string') || types.includes('null')) && {
      'ui:emptyValue': types.includes('string') ? '' : null,
    }),
    ...(kind && kind !== 'text' && kind !== 'number' && { 'ui:widget': kind }),
    ...(rows !== undefined && { 'ui:rows': Number(rows) }),
    ...(placeholder !== undefined && { 'ui:placeholder': String(placeholder) }),
  }
}
