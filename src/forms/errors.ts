import {
  ErrorSchemaBuilder,
  type CustomValidator,
  type ErrorSchema,
  type ErrorTransformer,
  type RJSFValidationError,
} from '@rjsf/utils'
import type { Entity, Property } from '../../schemas/entities/entity.ts'
import { validationMessage, type MessageOverrides } from '../../schemas/messages.ts'

/**
 * The validator's errors in the words of schemas/messages.ts: one a field, and none for fields that cannot be
 * changed here, for nobody could mend them.
 */
export const schemaErrors =
  (
    schema: { properties: Readonly<Record<string, Property>> },
    sayings: MessageOverrides | undefined,
    frozen: readonly string[],
  ): ErrorTransformer =>
  (errors) => {
    const byField = new Map<string, RJSFValidationError>()
    for (const error of errors) {
      const { field, message } = validationMessage(
        schema,
        { keyword: error.name ?? '', instancePath: parentOf(error), params: error.params },
        sayings,
      )
      if (byField.has(field) || frozen.includes(field.split('.')[0] ?? '')) continue
      byField.set(field, { ...error, property: `.${field}`, message, stack: message })
    }
    return [...byField.values()]
  }

/** Where the validator found the fault; the name of a missing field is not part of it. */
const parentOf = ({ property = '', params }: RJSFValidationError): string => {
  const path = property.split('.').filter(Boolean)
  if (typeof params?.missingProperty === 'string') path.pop()
  return path.map((step) => `/${step}`).join('')
}

/** An entity's own check of its values together; a field the validator has already spoken of is not spoken of twice. */
export const entityErrors =
  (check: Entity['check'], isNew: boolean, frozen: readonly string[]): CustomValidator =>
  (values, errors, _uiSchema, found) => {
    for (const [field, message] of Object.entries(check?.(values ?? {}, isNew) ?? {})) {
      if (!frozen.includes(field) && !found?.[field]?.__errors?.length) errors[field]?.addError(message)
    }
    return errors
  }

/** Sentences by field ('name', 'collectionSubscriptions.0.amount') as the form library takes them. */
export const toErrorSchema = (faults: Readonly<Record<string, string>>): ErrorSchema =>
  Object.entries(faults).reduce(
    (builder, [field, message]) => builder.addErrors(message, field),
    new ErrorSchemaBuilder(),
  ).ErrorSchema
