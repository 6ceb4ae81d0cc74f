import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import { createPrecompiledValidator, type ValidatorFunctions } from '@rjsf/validator-ajv8'
import { createElement, lazy, type ComponentType, type LazyExoticComponent } from 'react'

export type LoadValidator = () => Promise<{ default: ValidatorFunctions }>

const missing: LoadValidator = () =>
  Promise.reject(
    new Error(
      'This form has no validator: is its schema exported by schemas/entities/index.ts or schemas/api/session.ts?',
    ),
  )

/**
 * A form that loads the validator of its schema before it is drawn (inside a Suspense). One for each schema, kept;
 * when loading fails the next one drawn loads again.
 */
export const withValidator = <P extends object>(Form: ComponentType<P & { validator: ValidatorType }>) => {
  const kept = new Map<object, LazyExoticComponent<ComponentType<P>>>()
  return (schema: object, load: LoadValidator = missing): LazyExoticComponent<ComponentType<P>> => {
    const known = kept.get(schema)
    if (known) return known
    const made = lazy(async () => {
      try {
        const validator = createPrecompiledValidator((await load()).default, schema as RJSFSchema)
        return { default: (props: P) => createElement(Form, { ...props, validator }) }
      } catch (error) {
        kept.delete(schema)
        throw error
      }
    })
    kept.set(schema, made)
    return made
  }
}
