import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import { createPrecompiledValidator, type ValidatorFunctions } from '@rjsf/validator-ajv8'
import { createElement, lazy, type ComponentType, type LazyExoticComponent } from 'react'

export type LoadValidator = () => Promise<{ default: ValidatorFunctions }>

const failToLoad: LoadValidator = () =>
  Promise.reject(
    new Error(
      'This form has no validator: is its schema exported by schemas/entities/index.ts ' +
        'or schemas/api/session.ts?',
    ),
  )

/**
 * Returns a component that loads the validator of a schema before it renders `Form`, to be used inside a
 * Suspense. There is one component per schema. After a failed load the next rendering loads again.
 */
export const withValidator = <P extends object>(Form: ComponentType<P & { validator: ValidatorType }>) => {
  const components = new Map<object, LazyExoticComponent<ComponentType<P>>>()
  return (schema: object, load: LoadValidator = failToLoad): LazyExoticComponent<ComponentType<P>> => {
    const known = components.get(schema)
    if (known) return known
    const component = lazy(async () => {
      try {
        const validator = createPrecompiledValidator((await load()).default, schema as RJSFSchema)
        return { default: (props: P) => createElement(Form, { ...props, validator }) }
      } catch (error) {
        components.delete(schema)
        throw error
      }
    })
    components.set(schema, component)
    return component
  }
}
