import type { RJSFSchema } from '@rjsf/utils'
import runtime, { createPrecompiledValidator } from '@rjsf/validator-ajv8'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newPassword } from '../../schemas/api/session.ts'
import { newPassword as loadNewPassword } from '../../schemas/api/session.ts?validators'
import { entities } from '../../schemas/entities/index.ts'
import { entities as loaders } from '../../schemas/entities/index.ts?validators'

test('every entity of the registry has its form validator, without a file of its own', () => {
  expect(Object.keys(loaders).sort()).toEqual(Object.keys(entities).sort())
})

const forms = [
  ...Object.entries(entities).map(([name, it]) => ({
    name,
    schema: it.schema as object,
    load: loaders[name]!,
  })),
  { name: 'newPassword', schema: newPassword as object, load: loadNewPassword },
]

test.each(forms)(
  'the validator of $name made while building judges like one made at run time',
  async ({ schema, load }) => {
    const properties = Object.keys((schema as RJSFSchema).properties ?? {})
    const made = createPrecompiledValidator((await load()).default, schema as RJSFSchema)
    const value = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.integer(),
      fc.double(),
      fc.constantFrom(null, true, 0, 1, 2, 3, 7, '', 'A', -1, 4_000_000_000, 253_402_214_400),
    )
    const record = fc.dictionary(fc.constantFrom(...properties, 'stranger'), value, { noNullPrototype: true })
    fc.assert(
      fc.property(record, (data) => {
        // Which of several choices did not fit is noise beside the oneOf that none did.
        const sayings = (validator: typeof runtime) =>
          validator
            .validateFormData(data, schema as RJSFSchema)
            .errors.filter(({ name }) => name !== 'const')
            .map(({ name, property, params }) => ({ name, property, params }))
        expect(sayings(made as typeof runtime)).toEqual(sayings(runtime))
      }),
      { numRuns: 200 },
    )
  },
)
