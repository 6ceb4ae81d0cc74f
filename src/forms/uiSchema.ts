import type { UiSchema } from '@rjsf/utils'
import {
  readOnlyFields,
  isViewOnly,
  readOnlyReason,
  type Entity,
  type Property,
} from '../../schemas/entities/entity.ts'
import type { Viewer } from '../../schemas/permissions.ts'
import { isSentWith } from './draft.ts'

/**
 * Fields shown together. `reason` is set if all of them are disabled for the same reason, and not those of
 * all other groups: that one is the form's `reasonOfAll`.
 */
export type GroupOptions = { title?: string; fields: readonly string[]; reason?: string }

/** The fields this viewer's form of this record does not have: neither shown nor sent. */
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

/**
 * The uiSchema of an entity's form for this viewer and this record. `changed` are the changed fields, with
 * which others appear that are sent with them alone.
 */
export const entityUiSchema = (
  entity: Entity,
  viewer: Viewer,
  row: Record<string, unknown> | null,
  changed: readonly string[] = [],
): UiSchema => {
  const reasons = new Map(
    readOnlyFields(entity, viewer, row ?? undefined).map((field) => [
      field,
      readOnlyReason(entity, field, viewer, row ?? undefined),
    ]),
  )
  // In a view-only record fields are read-only, not disabled, so that they can be selected and scrolled.
  const disabledBy = row && isViewOnly(entity, viewer, row) ? 'ui:readonly' : 'ui:disabled'
  const { properties } = entity.schema
  const hidden = new Set([
    ...absentFields(entity, viewer, row),
    ...(entity.form.hidden ?? []),
    ...Object.keys(properties).filter((field) => !isSentWith(properties[field]!, changed)),
  ])
  const shownGroups = entity.form.groups
    .map((group) => ({ ...group, fields: group.fields.filter((field) => !hidden.has(field)) }))
    .filter((group) => group.fields.length > 0)
  const shown = new Set(shownGroups.flatMap((group) => group.fields))
  const ofAll = shownGroups.length > 1 ? commonReason([...shown].map((field) => reasons.get(field))) : {}
  const groups = shownGroups.map((group): GroupOptions => ({
    ...group,
    ...(!ofAll.reason && commonReason(group.fields.map((field) => reasons.get(field)))),
  }))
  const fields = Object.entries(properties).map(([field, property]) => {
    if (!shown.has(field)) return [field, { 'ui:widget': 'hidden' }]
    const reason = reasons.get(field)
    return [
      field,
      {
        ...fieldUiSchema(property),
        ...(!row && entity.form.requiredNew?.includes(field) && { 'ui:required': true }),
        ...(reason !== undefined && { [disabledBy]: true, 'ui:reason': reason }),
      },
    ]
  })
  return { 'ui:options': { groups, label: false, reasonOfAll: ofAll.reason }, ...Object.fromEntries(fields) }
}

/** The uiSchema of a form that is the same for every viewer. */
export const plainUiSchema = (schema: { properties: Readonly<Record<string, Property>> }): UiSchema => ({
  'ui:options': { groups: [{ fields: Object.keys(schema.properties) }], label: false },
  ...Object.fromEntries(
    Object.entries(schema.properties).map(([field, property]) => [field, fieldUiSchema(property)]),
  ),
})

const commonReason = (reasons: (string | undefined)[]): { reason?: string } =>
  reasons.length > 1 && reasons[0] !== undefined && new Set(reasons).size === 1 ? { reason: reasons[0] } : {}

const fieldUiSchema = ({ kind, type, items, readOnly, rows, placeholder }: Property): UiSchema => {
  if (readOnly && !kind) return { 'ui:widget': 'hidden' }
  if (kind === 'permissions') return { 'ui:field': kind }
  if (items) {
    const inside = Object.entries(items.properties).map(([field, property]) => [
      field,
      fieldUiSchema(property),
    ])
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
