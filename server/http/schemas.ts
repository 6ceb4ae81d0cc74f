import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

/**
 * Validates bodies as they are; texts of a query or an address are converted to the types of their schema.
 */
export function useSchemaValidators(app: FastifyInstance) {
  const bodies = createAjv({ coerceTypes: false })
  const texts = createAjv({ coerceTypes: true, useDefaults: true })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? bodies : texts).compile(schema as object),
  )
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
  ajv.addVocabulary(['kind', 'to', 'secret', 'virtual', 'show', 'none', 'placeholder', 'rows'])
  addFormats.default(ajv)
  return ajv
}

/**
 * The part of a schema that Fastify's serializer needs: which values a reply holds, without titles and
 * limits.
 */
export function serializerSchema(schema: unknown): unknown {
  if (Array.isArray(schema) || typeof schema !== 'object' || schema === null) return schema
  const { type, properties, items, required, additionalProperties } = schema as Record<string, never>
  const kept = {
    type,
    required,
    items: items && serializerSchema(items),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, serializerSchema(it)])),
    additionalProperties:
      typeof additionalProperties === 'object'
        ? serializerSchema(additionalProperties)
        : additionalProperties,
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}
