import { Spinner } from '@blueprintjs/core'
import { deepEquals, type CustomValidator, type UiSchema, type ValidatorType } from '@rjsf/utils'
import { Suspense, useMemo, useRef } from 'react'
import type { Property } from '../../schemas/entities/entity.ts'
import type { MessageOverrides } from '../../schemas/messages.ts'
import { schemaErrors } from './errors.ts'
import { ValidatedForm, type Values } from './GatedForm.tsx'
import { plainUiSchema } from './uiSchema.ts'
import { withValidator, type LoadValidator } from './validator.ts'

export type SchemaFormProps = {
  schema: { readonly $id: string; readonly properties: Readonly<Record<string, Property>> }
  /** Its validator: `import { name } from './file.ts?validators'`. */
  loadValidator: LoadValidator
  messages?: MessageOverrides
  /** What a schema cannot say, such as two fields that must agree. */
  customValidate?: CustomValidator
  uiSchema?: UiSchema
  faults?: Readonly<Record<string, string>>
  busy: boolean
  onChange?: (dirty: boolean) => void
  onSave: (values: Values) => void
  formId: string
}

/** A form that is no entity's: empty at first, the same for every viewer. */
export const SchemaForm = (props: SchemaFormProps) => {
  const Form = formOf(props.schema, props.loadValidator)
  return (
    <Suspense fallback={<Spinner className="form-loading" aria-label="Loading the form" />}>
      <Form {...props} />
    </Suspense>
  )
}

const none = {}

const Loaded = (props: SchemaFormProps & { validator: ValidatorType }) => {
  const {
    schema,
    messages: sayings,
    customValidate,
    uiSchema,
    faults = none,
    busy,
    onChange,
    onSave,
    formId,
    validator,
  } = props
  const looks = useMemo(() => ({ ...plainUiSchema(schema), ...uiSchema }), [schema, uiSchema])
  const transformErrors = useMemo(() => schemaErrors(schema, sayings, []), [schema, sayings])
  const dirty = useRef(false)
  const tell = (now: Values) => {
    const isDirty = !deepEquals(
      Object.values(now).filter((value) => value !== '' && value !== undefined),
      [],
    )
    if (isDirty !== dirty.current) onChange?.(isDirty)
    dirty.current = isDirty
  }
  return (
    <ValidatedForm
      {...{ formId, schema, validator, faults, busy, transformErrors, customValidate }}
      uiSchema={looks}
      initialValues={none}
      onValues={tell}
      onSubmit={onSave}
    />
  )
}

const formOf = withValidator<SchemaFormProps>(Loaded)
