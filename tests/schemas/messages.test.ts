import type { RJSFSchema } from '@rjsf/utils'
import validator from '@rjsf/validator-ajv8'
import { describe, expect, test } from 'vitest'
import { newPassword } from '../../schemas/api/session.ts'
import { newFaults, type Entity } from '../../schemas/entities/entity.ts'
import { merchant } from '../../schemas/entities/merchant.ts'
import { ticketFaults } from '../../schemas/entities/ticket.ts'
import { schemaErrors } from '../../src/forms/errors.ts'
import { entities } from '../screens/forms/sample.ts'

type Form = Pick<Entity, 'schema' | 'messages'>
/** Every sentence a form shows for these values, by field. */
const messagesOf = ({ schema, messages }: Form, values: Record<string, unknown>, frozen: string[] = []) =>
  Object.fromEntries(
    validator
      .validateFormData(
        values,
        schema as unknown as RJSFSchema,
        undefined,
        schemaErrors(schema, messages, frozen),
      )
      .errors.map((error) => [error.property?.slice(1), error.message]),
  )

describe('the words of the specification', () => {
  test.each<[Form, string, Record<string, unknown>, string]>([
    [merchant, 'xmid', {}, 'XMID is required'],
    [merchant, 'xmid', { xmid: '' }, 'XMID is required'],
    [merchant, 'dba', {}, 'DBA is required'],
    [merchant, 'dba', { dba: '' }, 'DBA is required'],
    [merchant, 'masteragentid', {}, 'Master Agent ID is required'],
    [merchant, 'masteragentid', { masteragentid: null }, 'Master Agent ID is required'],
    [{ schema: newPassword }, 'password', {}, 'Password is required'],
    [{ schema: newPassword }, 'password', { password: '' }, 'Password is required'],
    [{ schema: newPassword }, 'confirm_password', {}, 'Confirm Password is required'],
  ])('%#: %s', (form, field, values, sentence) => expect(messagesOf(form, values)[field]).toBe(sentence))
})

const sample = entities.sample
describe('each kind of fault has a sentence of its own', () => {
  test.each<[string, string, unknown, string]>([
    ['too long', 'email', 'x'.repeat(61), 'Email may have at most 60 characters'],
    ['too low', 'cost', -1, 'Cost must be at least 0'],
    ['too high', 'share', 101, 'Share may be at most 100'],
    ['far too high', 'cost', 1e13, 'Cost may be at most 999,999,999,999'],
    ['too many decimals', 'cost', 1.005, 'Cost may have at most 2 decimals'],
    ['too many decimals', 'share', 1.00005, 'Share may have at most 4 decimals'],
    ['no number', 'cost', 'abc', 'Cost must be a number'],
    ['no whole number', 'quantity', 1.5, 'Quantity must be a whole number'],
    ['not one of the choices', 'owner', 7, 'Owner must be one of PPS, Master Agent, None'],
    ['a day before 1970', 'day', -86_400, 'Day is not a valid date'],
    ['a day after 9999', 'day', 253_402_300_800, 'Day is not a valid date'],
    ['no text', 'name', 7, 'Name must be text'],
    ['blanks alone', 'name', '  ', 'Name is required'],
  ])('%s: %s %s', (_, field, value, sentence) =>
    expect(messagesOf(sample, { name: 'A', agent: 1, [field]: value })).toEqual({ [field]: sentence }),
  )

  test('a fault inside a row of a list names its field there', () => {
    expect(
      messagesOf(sample, { name: 'A', agent: 1, lines: [{ amount: 1, remark: 'ok' }, { amount: 'x' }] }),
    ).toEqual({
      'lines.1.amount': 'Amount must be a number',
      'lines.1.remark': 'Remark is required',
    })
  })
})

test.each([
  ['x1', 'x1 must be text'],
  ['1x', '1x must be text'],
  ['12', 'The body must be text'],
])('a field %j that has no title is called by its name, unless it counts rows: %s', (field, sentence) => {
  const schema = { type: 'object', properties: {}, additionalProperties: { type: 'string' } }
  expect(messagesOf({ schema } as unknown as Form, { [field]: 5 })).toEqual({ [field]: sentence })
})

test.each([
  ['', 'Email is required'],
  [' \n', 'Email is required'],
  [null, 'Email is required'],
  [undefined, 'Email is required'],
  ['a@b', 'Email must be a valid email address'],
  ['a@b.co', undefined],
])('the form of a ticket says of the email %j: %s', (email, sentence) =>
  expect(ticketFaults({ email }).email).toBe(sentence),
)

describe('what an entity checks across fields', () => {
  const check = ({ a, b }: Record<string, unknown>, isNew: boolean): Record<string, string> => ({
    ...(a === 'wrong' && { a: 'A is wrong' }),
    ...(b === 'wrong' && { b: 'B is wrong' }),
    ...(isNew && { c: 'C is required' }),
  })
  test.each<[what: string, stored: object | null, values: object, changed: string[], faults: object]>([
    ['a new record', null, { a: 'wrong' }, [], { a: 'A is wrong', c: 'C is required' }],
    ['what was right before', { a: '' }, { a: 'wrong' }, ['a'], { a: 'A is wrong' }],
    ['what a change of another field made wrong', { a: '' }, { a: 'wrong' }, ['b'], { a: 'A is wrong' }],
    ['what was wrong before and is left', { a: 'wrong' }, { a: 'wrong', b: '' }, ['b'], {}],
    ['what was wrong before and is changed', { a: 'wrong' }, { a: 'wrong' }, ['a'], { a: 'A is wrong' }],
    [
      'what was wrong before beside what is now',
      { a: 'wrong' },
      { a: 'wrong', b: 'wrong' },
      ['b'],
      { b: 'B is wrong' },
    ],
  ])('is said of %s', (_, stored, values, changed, faults) => {
    const isNew = stored === null
    const isChanged = (field: string) => changed.includes(field)
    const given = { isNew, stored: stored as Record<string, unknown> | null, isChanged }
    expect(newFaults(check, values as Record<string, unknown>, given)).toEqual(faults)
    expect(newFaults(undefined, values as Record<string, unknown>, given)).toEqual({})
  })
})

describe('what is not said', () => {
  test('a field has one sentence, however many rules it breaks', () => {
    const { errors } = validator.validateFormData(
      { name: 'A', agent: 1, owner: 'x' },
      sample.schema as unknown as RJSFSchema,
      undefined,
      schemaErrors(sample.schema, {}, []),
    )
    expect(errors).toHaveLength(1)
  })
  test('values that are right, empty ones included, break no rule', () => {
    expect(
      messagesOf(sample, {
        name: 'A',
        agent: 1,
        cost: 12.34,
        share: 12.3456,
        owner: null,
        day: 0,
        quantity: null,
        notes: '',
      }),
    ).toEqual({})
  })
  test('a field that cannot be changed here never keeps a record from being saved', () => {
    expect(messagesOf(sample, { agent: 1, cost: -1 }, ['name', 'cost'])).toEqual({})
  })
})
