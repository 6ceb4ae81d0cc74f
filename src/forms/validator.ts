import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import { createPrecompiledValidator, type ValidatorFunctions } from '@rjsf/validator-ajv8'
import { createElement, type ComponentType, type ReactNode } from 'react'
import { loadable } from '../parts/loadable.tsx'

export type LoadValidator = () => Promise<{ default: ValidatorFunctions }>

const failToLoad: LoadValidator = () =>
  Promise.reject(
    new Error(
      'This form has no validator: is its schema exported by schemas/entities/index.ts ' +
        'or schemas/api/session.ts?',
    ),
  )

/**
 * Returns a component that loads the validator of a schema before it renders `Form`, and shows `waiting`
 * until then. There is one component per schema.
 */
export const withValidator = <P extends object>(
  Form: ComponentType<P & { validator: ValidatorType }>,
  waiting: ReactNode,
) => {
  const components = new Map<object, ComponentType<P>>()
  return (schema: object, load: LoadValidator = failToLoad): ComponentType<P> => {
    const known = components.get(schema)
    if (known) return known
    const component = loadable(async () => {
      const validator = createPrecompiledValidator((await load()).default, schema as RJSFSchema)
      return (props: P) => createElement(Form, { ...props, validator })
    }, waiting)
    components.set(schema, component)
    return component
  }
}
