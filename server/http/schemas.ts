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
  const validate = bodies.compile(anonymous)
  return (body) => {
    if (validate(body)) return body as ShapeOf<S>
    throw bodyError((validate.errors ?? []) as unknown as SchemaFault[], { schema })
  }
}

/**
 * Validates bodies as they are; texts of a query or an address are converted to the types of their schema.
 */
export function useSchemaValidators(app: FastifyInstance) {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body'
      ? compiledAtFirstUse(bodies, schema as object)
      : finiteOnly(compiledAtFirstUse(texts, schema as object)),
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

/**
 * Refuses '1e400' and 'Infinity', of which ajv makes a number that passes every limit: it compares finite
 * numbers alone, and does not look again at what it has converted.
 */
function finiteOnly(check: FastifyValidationResult): FastifyValidationResult {
  const checkFinite: FastifyValidationResult = (value) => {
    const isValid = check(value)
    const infinite = Object.entries(value as object).find(([, it]) => Math.abs(it) === Infinity)
    checkFinite.errors = infinite
      ? [
          {
            keyword: 'type',
            instancePath: `/${infinite[0]}`,
            schemaPath: '#/type',
            params: { type: 'integer' },
            message: 'must be integer',
          },
        ]
      : (check.errors ?? null)
    return isValid && !infinite
  }
  return checkFinite
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
  ajv.addVocabulary(['kind', 'to', 'secret', 'virtual', 'show', 'none', 'placeholder', 'rows', 'sentWith'])
  addFormats.default(ajv)
  return ajv
}

const bodies = createAjv({ coerceTypes: false })
const texts = createAjv({ coerceTypes: true, useDefaults: true })

const schemas = new WeakMap<Endpoint, object>()

/**
 * What Fastify checks and writes for a call. A call has one schema object in a process: the validators are
 * kept by the identity of the schema, so a second server, as tests start them, compiles none of them again.
 */
export function routeSchema(endpoint: Endpoint): object {
  const known = schemas.get(endpoint)
  if (known) return known
  const { $id: _, ...body } = (endpoint.body ?? {}) as { $id?: string }
  const schema = {
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && !endpoint.bodyAfterState && { body }),
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
