import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { FastifyValidationResult } from 'fastify/types/schema.d.ts'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import type { SchemaFault } from '../../schemas/messages.ts'
import type { ShapeOf } from '../../schemas/shapes.ts'
import { bodyError, type BodyNames } from './answerError.ts'

/**
 * Checks a body in its handler, for a call that judges the state of a record first (api 1). The returned
 * function throws the HttpError (400, 422) that the route would answer.
 */
export function bodyCheck<const S extends BodyNames['schema'] & object>(
  schema: S,
): (body: unknown) => ShapeOf<S> {
  const { $id: _, ...anonymous }: BodyNames['schema'] & { $id?: string } = schema
  const check = storableOnly(bodies.compile(anonymous))
  return (body) => {
    if (check(body)) return body as ShapeOf<S>
    throw bodyError((check.errors ?? []) as unknown as SchemaFault[], { schema })
  }
}

/**
 * Validates bodies as they are; texts of a query or an address are converted to the types of their schema.
 */
export function useSchemaValidators(app: FastifyInstance) {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body'
      ? storableOnly(compiledAtFirstUse(bodies, schema as object))
      : readableOnly(schema as TextSchema, storableOnly(compiledAtFirstUse(texts, schema as object))),
  )
}

/** To compile the schemas of all routes takes a fifth of the processor time of a start. */
function compiledAtFirstUse(ajv: Ajv, schema: object): FastifyValidationResult {
  const check: FastifyValidationResult = (value) => {
    const validate = ajv.compile(schema)
    const isValid = validate(value)
    check.errors = validate.errors ?? null
    return isValid
  }
  return check
}

/** Whether PostgreSQL takes the text: it stores neither U+0000 nor half of a surrogate pair. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** What is said of such a text, behind its title. */
export const unstorable = 'holds a character that cannot be stored'

/** The path to the first text within the value that cannot be stored, as keys; null where all can be. */
export function unstorablePath(value: unknown): string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const path = unstorablePath(inner)
    if (path) return [key, ...path]
  }
  return null
}

type Fault = NonNullable<FastifyValidationResult['errors']>[number]

/** Adds a check: refuses texts that the database would refuse without naming the field. */
function storableOnly(check: FastifyValidationResult): FastifyValidationResult {
  const faultOf = (value: unknown): Fault | null => {
    const path = unstorablePath(value)
    const instancePath = path?.map((key) => `/${key}`).join('') ?? ''
    return path && { keyword: 'storable', instancePath, schemaPath: '', params: { messageEnd: unstorable } }
  }
  const checkBoth: FastifyValidationResult = (value) => {
    const isValid = check(value)
    const fault = isValid ? faultOf(value) : null
    checkBoth.errors = fault ? [fault] : (check.errors ?? null)
    return isValid && !fault
  }
  return checkBoth
}

type TextSchema = { properties?: Readonly<Record<string, { type?: unknown }>> }
const isWhole = (text: string) => /^-?\d{1,300}$/.test(text)

/**
 * Looks at parameters before ajv converts them. It takes '0x1', '1e0' and ' 1' for numbers, makes an infinite
 * one of '1e400', which passes every limit, and of one that is given twice it would say that it must be text.
 */
function readableOnly(
  { properties = {} }: TextSchema,
  check: FastifyValidationResult,
): FastifyValidationResult {
  const faultOf = ([name, value]: [string, unknown]): Fault[] => {
    const fault = { instancePath: `/${name}`, schemaPath: '' }
    if (Array.isArray(value))
      return [{ ...fault, keyword: 'repeated', params: { messageEnd: 'is given more than once' } }]
    const isNumber = properties[name]?.type === 'integer'
    if (!isNumber || typeof value !== 'string' || isWhole(value)) return []
    return [{ ...fault, keyword: 'type', params: { type: 'integer' } }]
  }
  const checkReadable: FastifyValidationResult = (value) => {
    const faults = Object.entries(value as object).flatMap(faultOf)
    const isValid = faults.length === 0 && check(value)
    checkReadable.errors = faults.length > 0 ? faults : (check.errors ?? null)
    return isValid
  }
  return checkReadable
}

const createAjv = (options: Options) => {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    strictRequired: false,
    multipleOfPrecision: 8,
    ...options,
  })
  ajv.addVocabulary([
    'kind',
    'to',
    'secret',
    'virtual',
    'show',
    'none',
    'placeholder',
    'rows',
    'sentWith',
    'messageEnd',
  ])
  addFormats.default(ajv)
  return ajv
}

const bodies = createAjv({ coerceTypes: false, verbose: true })
const texts = createAjv({ coerceTypes: true, useDefaults: true, verbose: true })

const schemas = new WeakMap<Endpoint, object>()

const noParameters = { type: 'object', additionalProperties: false } as const
const noBody = { type: ['object', 'null'], additionalProperties: false } as const

/** The schema of the body that a route checks; null where its handler reads the body, and for a GET. */
function checkedBody({ route, body, bodyAfterState, upload }: Endpoint): object | null {
  if (bodyAfterState || upload || route.startsWith('GET')) return null
  const { $id: _, ...anonymous } = (body ?? noBody) as { $id?: string }
  return anonymous
}

/**
 * What Fastify checks and writes for a call; one without a query or a body takes none (api 1). A call has one
 * schema object in a process: the validators are kept by the identity of the schema, so a second server, as
 * tests start them, compiles none of them again.
 */
export function routeSchema(endpoint: Endpoint): object {
  const known = schemas.get(endpoint)
  if (known) return known
  const body = checkedBody(endpoint)
  const schema = {
    querystring: endpoint.query ?? noParameters,
    ...(body && { body }),
    ...(endpoint.reply && { response: { [endpoint.status ?? 200]: serializerSchema(endpoint.reply) } }),
  }
  schemas.set(endpoint, schema)
  return schema
}

/**
 * The part of a schema that Fastify's serializer needs: which values a reply holds, without titles and
 * limits. An object of which it names no fields is answered whole.
 */
function serializerSchema(schema: unknown): unknown {
  if (Array.isArray(schema) || typeof schema !== 'object' || schema === null) return schema
  const { type, properties, items, required, additionalProperties } = schema as Record<string, never>
  const isWhole =
    !properties && additionalProperties === undefined && [type].flat().includes('object' as never)
  const rules = {
    type,
    required,
    items: items && serializerSchema(items),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, serializerSchema(it)])),
    additionalProperties:
      typeof additionalProperties === 'object'
        ? serializerSchema(additionalProperties)
        : isWhole || additionalProperties,
  }
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined))
}
