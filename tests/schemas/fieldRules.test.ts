import { describe, expect, test } from 'vitest'
import { defineEntity, readOnlyFields, readOnlyReason, type Entity } from '../../schemas/entities/entity.ts'
import { equipment } from '../../schemas/entities/equipment.ts'
import { entities } from '../../schemas/entities/index.ts'
import { identity, text } from '../../schemas/fields.ts'
import { everyone, permissions, type Permissions, type Viewer } from '../../schemas/permissions.ts'

/** Holds every right there is. */
const viewer: Viewer = {
  username: 'ann',
  admin: true,
  permissions: Object.fromEntries(permissions.map((name) => [name, true])) as Permissions,
  masteragentid: null,
  seesall: true,
}
const namesOf = ({ schema }: Entity) => Object.keys(schema.properties)
const all = Object.values(entities)

describe.each(all)('$name', (it) => {
  test('has a rule for each field that is not read-only, and for no other', () => {
    const open = namesOf(it).filter((field) => !it.schema.properties[field]!.readOnly)
    expect(Object.keys(it.access.fields).toSorted()).toEqual(open.toSorted())
  })

  test('has a place in the form for each field, or says that it is hidden', () => {
    const placed = [...it.form.groups.flatMap(({ fields }) => fields), ...(it.form.hidden ?? [])]
    expect([...placed, 'id', 'version'].toSorted()).toEqual([...new Set([...namesOf(it), 'id'])].toSorted())
  })

  test.each(namesOf(it))(
    '%s is closed to everybody, in new and stored records, once its rule is missing',
    (field) => {
      const fields = Object.fromEntries(Object.entries(it.access.fields).filter(([name]) => name !== field))
      const without: Entity = { ...it, access: { ...it.access, fields } }
      for (const row of [undefined, { id: 1 }]) {
        expect(readOnlyFields(without, viewer, row)).toContain(field)
        if (!it.schema.properties[field]!.readOnly)
          expect(readOnlyReason(without, field, viewer, row)).toBe('No rule says who may change this')
      }
    },
  )
})

test('the compiler names a field without a rule, and one without a place in the form', () => {
  const { schema, access, form } = equipment
  const properties = { ...identity, model: text, colour: text } as const
  const next = { ...equipment, schema: { ...schema, properties } } as const
  const [model, colour] = [everyone, everyone]
  const shown = { ...form, groups: [{ fields: ['model', 'colour'] }] } as const
  const made = [
    defineEntity({ ...next, access: { ...access, fields: { model, colour } }, form: shown }),
    // @ts-expect-error no rule for colour
    defineEntity({ ...next, access: { ...access, fields: { model } }, form: shown }),
    defineEntity({
      ...next,
      access: { ...access, fields: { model, colour } },
      // @ts-expect-error no place for colour
      form: { ...form, groups: [{ fields: ['model'] }] },
    }),
    defineEntity({
      ...next,
      access: { ...access, fields: { model, colour } },
      form: { ...form, groups: [{ fields: ['model'] }], hidden: ['colour'] },
    }),
  ]
  expect(made.map((it) => readOnlyFields(it, viewer).includes('colour'))).toEqual([false, true, false, false])
})
