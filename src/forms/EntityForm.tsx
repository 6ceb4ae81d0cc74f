import { Spinner } from '@blueprintjs/core'
import type { ValidatorType } from '@rjsf/utils'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Draft, Faults, StoredRecord } from '../../machines/modal.machine.ts'
import { readOnlyFields, type Entity } from '../../schemas/entities/entity.ts'
import { entities as loaders } from '../../schemas/entities/index.ts?validators'
import type { Viewer } from '../../schemas/permissions.ts'
import type { FormContext, OfferedMonths, SearchRecords } from './context.ts'
import { buildDraft, fieldsThatChanged, formValues } from './draft.ts'
import { entityErrors, schemaErrors } from './errors.ts'
import { absentFields, entityUiSchema } from './uiSchema.ts'
import { ValidatedForm, type Values } from './ValidatedForm.tsx'
import { withValidator } from './validator.ts'

export type EntityFormProps = {
  entity: Entity
  viewer: Viewer
  /** Null for a new record. */
  row: StoredRecord | null
  /** What a new record begins with. */
  given?: Values
  /** The server's messages, by field. */
  faults: Faults
  busy: boolean
  searchRecords: SearchRecords
  /** Shown above the fields of one group. */
  groupNote?: FormContext['groupNote']
  /** By field, the months it offers, once they are known. */
  offeredMonths?: Readonly<Record<string, OfferedMonths>>
  onChange: (dirty: boolean) => void
  onSave: (draft: Draft) => void
  /** For the Save button of the dialog: `<Button type="submit" form={formId} />`. */
  formId: string
  /** Restored values, which replace those of the row. The form then counts as changed. */
  restoredValues?: Values
  /** Called with all values after each change. */
  onValues?: (values: Values) => void
}

/**
 * The form of an entity, made from its schema and rules (lists 7). Another row or version starts a new form.
 */
export const EntityForm = (props: EntityFormProps) => {
  const Form = formOf(props.entity.schema, loaders[props.entity.name])
  return <Form {...props} key={props.row ? `${props.row.id} ${props.row.version}` : 'new'} />
}

type LoadedProps = EntityFormProps & { validator: ValidatorType }

/** The form, once its validator is loaded. */
export const LoadedEntityForm = (props: LoadedProps) => {
  const { entity, viewer, row, faults, busy, onSave, formId, validator } = props
  const { rowValues, initialValues, changeValues, companions, isAdministrator } = useChangeTracking(props)
  const { readOnly, asksPassword, context } = useFormContext(props, isAdministrator)
  const uiSchema = useMemo(
    () => entityUiSchema(entity, viewer, row, companions.split(' ')),
    [entity, viewer, row, companions],
  )
  const transformErrors = useMemo(
    () => schemaErrors(entity.schema, entity.messages, readOnly),
    [entity, readOnly],
  )
  const customValidate = useMemo(
    () =>
      entityErrors(entity.check, {
        isNew: asksPassword,
        readOnly,
        stored: row && rowValues,
        changed: (values) => fieldsThatChanged(entity, rowValues, values),
      }),
    [entity, asksPassword, readOnly, row, rowValues],
  )
  const save = (values: Values) => {
    const usual = Object.entries(props.offeredMonths ?? {}).map(([field, offered]) => [field, offered.usual])
    const sent = { ...Object.fromEntries(usual), ...definedValues(values) }
    onSave(buildDraft(entity, [...readOnly, ...absentFields(entity, viewer, row)], row, sent))
  }
  return (
    <ValidatedForm
      {...{ formId, uiSchema, validator, initialValues, faults, busy, context, transformErrors }}
      customValidate={customValidate}
      schema={entity.schema}
      onValues={changeValues}
      onSubmit={save}
    />
  )
}

/** The fields that cannot be changed, whether a password is asked for, and what the widgets need. */
const useFormContext = (
  { entity, viewer, row, searchRecords, groupNote, offeredMonths }: LoadedProps,
  isAdministrator: boolean,
) => {
  const [changing, setChanging] = useState(false)
  const asksPassword = row === null || changing
  const readOnly = useMemo(
    () => [
      ...readOnlyFields(entity, viewer, row ?? undefined),
      ...(asksPassword ? [] : passwordFields(entity)),
    ],
    [entity, viewer, row, asksPassword],
  )
  const passwordChange = useMemo(
    () => (row === null ? undefined : { changing, toggle: () => setChanging((before) => !before) }),
    [row, changing],
  )
  const context = useMemo(
    (): FormContext => ({
      viewer,
      searchRecords,
      labels: (row?.labels ?? {}) as Record<string, string>,
      passwordChange,
      isAdministrator,
      groupNote,
      offeredMonths,
    }),
    [viewer, searchRecords, row, passwordChange, isAdministrator, groupNote, offeredMonths],
  )
  return { readOnly, asksPassword, context }
}

const definedValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/**
 * Reports values, and whether they differ from the row, or from what a new record begins with. `companions`
 * are the changed fields with which others are sent, separated by blanks; `isAdministrator` follows the flag
 * of a user.
 */
const useChangeTracking = ({ entity, row, given, restoredValues, onValues, onChange }: LoadedProps) => {
  const isDirty = useRef(false)
  const [companions, setCompanions] = useState('')
  const rowValues = useMemo(() => formValues(entity, row ?? given ?? null), [entity, row, given])
  const initialValues = useMemo(() => ({ ...rowValues, ...restoredValues }), [rowValues, restoredValues])
  const [isAdministrator, setAdministrator] = useState(initialValues.admin === true)
  const changeValues = (values: Values) => {
    onValues?.(values)
    setAdministrator(values.admin === true)
    const changed = fieldsThatChanged(entity, rowValues, values)
    setCompanions(changed.filter((field) => companionsOf(entity).includes(field)).join(' '))
    const isDirtyNow = changed.length > 0
    if (isDirtyNow !== isDirty.current) onChange(isDirtyNow)
    isDirty.current = isDirtyNow
  }
  useEffect(() => {
    if (restoredValues) changeValues(initialValues)
    // Only the restored values at the start: the form reports every later change itself.
  }, [])
  return { rowValues, initialValues, changeValues, companions, isAdministrator }
}

const companionsOf = (entity: Entity) =>
  Object.values(entity.schema.properties).flatMap(({ sentWith }) => sentWith ?? [])

const passwordFields = (entity: Entity) =>
  Object.keys(entity.schema.properties).filter(
    (field) => entity.schema.properties[field]!.kind === 'password',
  )

const formOf = withValidator<EntityFormProps>(
  LoadedEntityForm,
  <Spinner className="form-loading" aria-label="Loading the form" />,
)
