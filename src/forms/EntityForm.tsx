import { Spinner } from '@blueprintjs/core'
import type { ValidatorType } from '@rjsf/utils'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Draft, Faults, StoredRecord } from '../../machines/modal.machine.ts'
import { readOnlyFields, type Entity } from '../../schemas/entities/entity.ts'
import { entities as loaders } from '../../schemas/entities/index.ts?validators'
import type { Viewer } from '../../schemas/permissions.ts'
import type { SearchRecords } from './context.ts'
import { hasChanges, buildDraft, formValues } from './draft.ts'
import { entityErrors, schemaErrors } from './errors.ts'
import { ValidatedForm, type Values } from './GatedForm.tsx'
import { absentFields, entityUiSchema } from './uiSchema.ts'
import { withValidator } from './validator.ts'

export type EntityFormProps = {
  entity: Entity
  viewer: Viewer
  /** null: a new record. */
  row: StoredRecord | null
  /** The server's sentences, by field. */
  faults: Faults
  busy: boolean
  searchRecords: SearchRecords
  onChange: (dirty: boolean) => void
  onSave: (draft: Draft) => void
  /** The dialog's Save button names it: `<Button type="submit" form={formId} />`. */
  formId: string
  /** What was typed earlier, over the values of the row: then the form starts with changes. */
  restoredValues?: Values
  /** Hears the values whenever one changes. */
  onValues?: (now: Values) => void
}

/** The form of any entity, made from its schema and rules. A row read anew starts it anew. */
export const EntityForm = (props: EntityFormProps) => {
  const Form = formOf(props.entity.schema, loaders[props.entity.name])
  return (
    <Suspense fallback={<Spinner className="form-loading" aria-label="Loading the form" />}>
      <Form {...props} key={props.row ? `${props.row.id} ${props.row.version}` : 'new'} />
    </Suspense>
  )
}

/** The form itself, for an entity whose validator is at hand. */
export const LoadedEntityForm = (props: EntityFormProps & { validator: ValidatorType }) => {
  const { entity, viewer, row, faults, busy, searchRecords: lookup, onChange, onSave, formId, restoredValues: typed, onValues, validator } =
    props
  const start = useMemo(() => formValues(entity, row), [entity, row])
  const [changing, setChanging] = useState(false)
  const passwords = useMemo(
    () => (row === null ? undefined : { changing, toggle: () => setChanging((before) => !before) }),
    [row, changing],
  )
  const asksPassword = row === null || changing
  const shut = useMemo(
    () => [...readOnlyFields(entity, viewer, row ?? undefined), ...(asksPassword ? [] : passwordsOf(entity))],
    [entity, viewer, row, asksPassword],
  )
  const uiSchema = useMemo(() => entityUiSchema(entity, viewer, row), [entity, viewer, row])
  const transformErrors = useMemo(() => schemaErrors(entity.schema, entity.messages, shut), [entity, shut])
  const customValidate = useMemo(
    () => entityErrors(entity.check, asksPassword, shut),
    [entity, asksPassword, shut],
  )
  const context = useMemo(
    () => ({ viewer, lookup, labels: (row?.labels ?? {}) as Record<string, string>, passwords }),
    [viewer, lookup, row, passwords],
  )
  const dirty = useRef(false)
  const begin = useMemo(() => ({ ...start, ...typed }), [start, typed])
  const tell = (now: Values) => {
    onValues?.(now)
    const isDirty = hasChanges(entity, start, now)
    if (isDirty !== dirty.current) onChange(isDirty)
    dirty.current = isDirty
  }
  useEffect(() => {
    if (typed) tell(begin)
    // Only what the form starts with: every later change is told by the form itself.
  }, [])
  return (
    <ValidatedForm
      {...{
        formId,
        uiSchema,
        validator,
        initialValues: begin,
        faults,
        busy,
        context,
        transformErrors,
        customValidate,
      }}
      schema={entity.schema}
      onValues={tell}
      onSubmit={(now) => onSave(buildDraft(entity, [...shut, ...absentFields(entity, viewer, row)], row, now))}
    />
  )
}

const passwordsOf = (entity: Entity) =>
  Object.keys(entity.schema.properties).filter(
    (field) => entity.schema.properties[field]!.kind === 'password',
  )

const formOf = withValidator<EntityFormProps>(LoadedEntityForm)
