import {
  ErrorSchemaBuilder,
  type CustomValidator,
  type ErrorSchema,
  type ErrorTransformer,
  type RJSFValidationError,
} from '@rjsf/utils'
import { newFaults, type Entity, type Property } from '../../schemas/entities/entity.ts'
import { validationMessage, type MessageOverrides } from '../../schemas/messages.ts'

/**
 * Gives the validator's errors the messages of schemas/messages.ts. Each field has one error, read-only
 * fields have none, because the user could not correct them.
 */
export const schemaErrors =
  (
    schema: { properties: Readonly<Record<string, Property>> },
    overrides: MessageOverrides | undefined,
    readOnly: readonly string[],
  ): ErrorTransformer =>
  (errors) => {
    const byField = new Map<string, RJSFValidationError>()
    for (const error of errors) {
      const { field, message } = validationMessage(
        schema,
        { keyword: error.name ?? '', instancePath: parentOf(error), params: error.params },
        overrides,
      )
      if (byField.has(field) || readOnly.includes(field.split('.')[0] ?? '')) continue
      byField.set(field, { ...error, property: `.${field}`, message, stack: message })
    }
    return [...byField.values()]
  }

/** The path of the object with the fault, without the name of a missing field. */
const parentOf = ({ property = '', params }: RJSFValidationError): string => {
  const path = property.split('.').filter(Boolean)
  if (typeof params?.missingProperty === 'string') path.pop()
  return path.map((step) => `/${step}`).join('')
}

type Values = Readonly<Record<string, unknown>>
type CheckOptions = {
  isNew: boolean
  readOnly: readonly string[]
  /** The values of the stored record; null for a new one. */
  stored: Values | null
  /** The fields that hold another value than the stored one. */
  changed: (values: Values) => readonly string[]
}

/**
 * An entity's check across fields, by the rule of the server (`newFaults`). A field that has an error of the
 * validator gets no second one.
 */
export const entityErrors =
  (check: Entity['check'], { isNew, readOnly, stored, changed }: CheckOptions): CustomValidator =>
  (sent, errors, _uiSchema, validatorErrors) => {
    const values = sent ?? {}
    const isChanged = (field: string) => changed(values).includes(field)
    const faults = newFaults(check, values, { isNew, stored, isChanged })
    for (const [field, message] of Object.entries(faults))
      if (!readOnly.includes(field) && !validatorErrors?.[field]?.__errors?.length)
        errors[field]?.addError(message)
    return errors
  }

/** Converts messages by field ('name', 'collectionSubscriptions.0.amount') for the form library. */
export const toErrorSchema = (faults: Readonly<Record<string, string>>): ErrorSchema =>
  Object.entries(faults).reduce(
    (builder, [field, message]) => builder.addErrors(message, field),
    new ErrorSchemaBuilder(),
  ).ErrorSchema
