import { Spinner } from '@blueprintjs/core'
import type { CustomValidator, UiSchema, ValidatorType } from '@rjsf/utils'
import { useMemo, useRef } from 'react'
import type { Property } from '../../schemas/entities/entity.ts'
import type { MessageOverrides } from '../../schemas/messages.ts'
import { schemaErrors } from './errors.ts'
import { plainUiSchema } from './uiSchema.ts'
import { ValidatedForm, type Values } from './ValidatedForm.tsx'
import { withValidator, type LoadValidator } from './validator.ts'

type SchemaFormProps = {
  schema: { readonly $id: string; readonly properties: Readonly<Record<string, Property>> }
  /** Loads its validator: `import { name } from './file.ts?validators'`. */
  loadValidator: LoadValidator
  messages?: MessageOverrides
  /** Checks across fields, such as two that must be equal. */
  customValidate?: CustomValidator
  uiSchema?: UiSchema
  faults?: Readonly<Record<string, string>>
  busy: boolean
  onChange?: (dirty: boolean) => void
  onSave: (values: Values) => void
  formId: string
}

/** A form that belongs to no entity: empty at first, and the same for every viewer. */
export const SchemaForm = (props: SchemaFormProps) => {
  const Form = formOf(props.schema, props.loadValidator)
  return <Form {...props} />
}

const noValues = {}

const LoadedSchemaForm = (props: SchemaFormProps & { validator: ValidatorType }) => {
  const { schema, messages, customValidate, uiSchema, faults = noValues } = props
  const { busy, onChange, onSave, formId, validator } = props
  const wholeUiSchema = useMemo(() => ({ ...plainUiSchema(schema), ...uiSchema }), [schema, uiSchema])
  const transformErrors = useMemo(() => schemaErrors(schema, messages, []), [schema, messages])
  const isDirty = useRef(false)
  const changeValues = (values: Values) => {
    const isDirtyNow = Object.values(values).some((value) => value !== '' && value !== undefined)
    if (isDirtyNow !== isDirty.current) onChange?.(isDirtyNow)
    isDirty.current = isDirtyNow
  }
  return (
    <ValidatedForm
      {...{ formId, schema, validator, faults, busy, transformErrors, customValidate }}
      uiSchema={wholeUiSchema}
      initialValues={noValues}
      onValues={changeValues}
      onSubmit={onSave}
    />
  )
}

const formOf = withValidator<SchemaFormProps>(
  LoadedSchemaForm,
  <Spinner className="form-loading" aria-label="Loading the form" />,
)
