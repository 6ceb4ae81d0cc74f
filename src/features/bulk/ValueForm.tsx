import { FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useId, useMemo } from 'react'
import type { Faults } from '../../../machines/modal.machine.ts'
import type { Entity, Property } from '../../../schemas/entities/entity.ts'
import type { SearchRecords } from '../../forms/context.ts'
import { schemaErrors } from '../../forms/errors.ts'
import { runtimeValidator } from '../../forms/runtimeValidator.ts'
import { plainUiSchema } from '../../forms/uiSchema.ts'
import { ValidatedForm, type Values } from '../../forms/ValidatedForm.tsx'
import type { BulkOfList } from './bulk.ts'

/** The field to set, and what was typed, by field. */
export type ChosenValue = { field: string; values: Values }
type Props = {
  entity: Entity
  bulk: BulkOfList
  formId: string
  /** The server's messages, by 'values.{field}'. */
  faults: Faults
  searchRecords: SearchRecords | undefined
  chosen: ChosenValue
  /** The field cannot be chosen. */
  isFixed: boolean
  onChosen: (chosen: ChosenValue) => void
  onValues: (values: Values) => void
}

/** A field and its value, typed with the widget of the record's own form (bulk 3). */
export const ValueForm = (props: Props) => {
  const { entity, bulk, isFixed, chosen, onChosen } = props
  const id = useId()
  return (
    <>
      {!isFixed && (
        <FormGroup label="Field" labelFor={id}>
          <HTMLSelect
            id={id}
            fill
            autoFocus
            iconProps={{ title: undefined, 'aria-hidden': true }}
            value={chosen.field}
            options={bulk.operations.fields.map((field) => ({
              value: field,
              label: entity.schema.properties[field]?.title ?? field,
            }))}
            onChange={({ currentTarget }) => onChosen({ ...chosen, field: currentTarget.value })}
          />
        </FormGroup>
      )}
      <FieldForm key={chosen.field} {...props} />
    </>
  )
}

/** Whether the field can be without a value. Then an empty one clears it. */
const isOptional = ({ type, default: unset }: Property) =>
  unset !== undefined || [type].flat().includes('null')

const FieldForm = ({ entity, bulk, formId, faults, searchRecords, ...props }: Props) => {
  const { chosen, isFixed, onChosen, onValues } = props
  const { field, values } = chosen
  const property = useMemo(() => entity.schema.properties[field] ?? {}, [entity, field])
  const schema = useMemo(
    () => ({
      $id: `bulk.${entity.name}.${field}`,
      type: 'object',
      required: isOptional(property) ? [] : [field],
      properties: { [field]: property },
    }),
    [entity, field, property],
  )
  const uiSchema = useMemo(() => plainUiSchema(schema), [schema])
  const transformErrors = useMemo(() => schemaErrors(schema, entity.messages, []), [schema, entity])
  const ownFaults = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(faults).map(([name, message]) => [name.replace(/^values\./, ''), message]),
      ),
    [faults],
  )
  const context = useMemo(() => ({ viewer: bulk.viewer, searchRecords }), [bulk, searchRecords])
  return (
    <ValidatedForm
      {...{ formId, schema, uiSchema, transformErrors, context }}
      busy={false}
      noAutoFocus={!isFixed}
      faults={ownFaults}
      validator={runtimeValidator}
      initialValues={{ [field]: values[field] ?? property.default }}
      onValues={(typed) => onChosen({ field, values: { ...values, ...typed } })}
      onSubmit={(typed) => onValues({ [field]: typed[field] ?? property.default ?? null })}
    />
  )
}
