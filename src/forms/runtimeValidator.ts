import { toErrorSchema, type RJSFSchema, type RJSFValidationError, type ValidatorType } from '@rjsf/utils'
import { isIsoDay } from '../../schemas/dates.ts'

/**
 * Validates by a schema that is only known at run time, such as a report's inputs. It compiles no code, which
 * the page's Content-Security-Policy forbids. It knows the keywords of flat forms: type, required, minLength,
 * maxLength, pattern, format date, enum.
 */
export const runtimeValidator: ValidatorType = {
  isValid: (schema, data) => faultsOf(schema, data, '').length === 0,
  rawValidation: <Result>(schema: RJSFSchema, data: unknown) => ({
    errors: faultsOf(schema, data, '') as Result[],
  }),
  validateFormData(data, schema, _check, transform, uiSchema) {
    const found = faultsOf(schema, data ?? {}, '')
    const errors = transform ? transform(found, uiSchema) : found
    return { errors, errorSchema: toErrorSchema(errors) }
  },
}

type Params = Record<string, unknown>
const fault = (name: string, property: string, params: Params): RJSFValidationError => ({
  name,
  property,
  params,
  message: name,
  stack: name,
})

function faultsOf(schema: RJSFSchema, value: unknown, at: string): RJSFValidationError[] {
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOf(String(type), value)))
    return [fault('type', at, { type: schema.type })]
  const faults: RJSFValidationError[] = []
  const add = (keyword: string, params: Params) => faults.push(fault(keyword, at, params))
  if (schema.enum && !schema.enum.includes(value as string)) add('enum', {})
  if (typeof value === 'string') {
    const { length } = [...value]
    if (schema.minLength !== undefined && length < schema.minLength)
      add('minLength', { limit: schema.minLength })
    if (schema.maxLength !== undefined && length > schema.maxLength)
      add('maxLength', { limit: schema.maxLength })
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      add('pattern', { pattern: schema.pattern })
    if (schema.format === 'date' && !isIsoDay(value)) add('format', { format: 'date' })
  }
  if (isOf('object', value)) {
    const values = value as Record<string, unknown>
    for (const name of schema.required ?? []) {
      if (values[name] === undefined)
        faults.push(fault('required', `${at}.${name}`, { missingProperty: name }))
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (values[name] !== undefined)
        faults.push(...faultsOf(inner as RJSFSchema, values[name], `${at}.${name}`))
    }
  }
  return faults
}

const isOf = (type: string, value: unknown): boolean => {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'null') return value === null
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
