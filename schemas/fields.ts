/**
 * The kinds of field. `kind` chooses the widget of the form and the format of the column;
 * the rest of each literal is plain JSON Schema.
 */
export const kinds = [
  'text',
  'textarea',
  'number',
  'dollars',
  'percent',
  'seconds',
  'moment',
  'month',
  'reference',
  'choice',
  'flag',
  'password',
  'permissions',
] as const
export type Kind = (typeof kinds)[number]

/** Required text; blanks alone count as missing. */
export const name = { kind: 'text', type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' } as const
/** Whether an id holds digits that are not 0 to 9, or full-width forms (imports 9). */
const hasUnusualDigits = (id: string): boolean => /(?![0-9])\p{Nd}|[\uff01-\uff5e]/u.test(id)
const unusualDigits = 'holds full-width signs or digits of another script; write 0 to 9 and A to Z'
/** Whether a text holds signs of width zero, of control or of direction: two texts that look alike differ. */
export const hasUnseen = (text: string): boolean =>
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)
export const unseen = 'holds a character that cannot be seen'

/** What makes an id another one than that which it looks like, to stand behind its title (imports 9). */
export function idFault(id: string): string | null {
  if (hasUnusualDigits(id)) return unusualDigits
  if (hasUnseen(id)) return unseen
  return id === id.trim() ? null : 'may neither begin nor end with a space'
}

/** Text that may stay empty; never null. */
export const text = { kind: 'text', type: 'string', maxLength: 200, default: '' } as const
export const paragraph = { kind: 'textarea', type: 'string', maxLength: 4000, default: '' } as const
/** Money in dollars and cents, exact to the cent; stored as numeric(14,2). */
export const dollars = {
  kind: 'dollars',
  type: 'number',
  minimum: 0,
  maximum: 999_999_999_999,
  multipleOf: 0.01,
  default: 0,
} as const
/** 0 to 100, at most four decimals. */
export const percent = {
  kind: 'percent',
  type: ['number', 'null'],
  minimum: 0,
  maximum: 100,
  multipleOf: 0.0001,
  default: null,
} as const
/** A UTC calendar date as epoch seconds of its midnight; 0 and null both mean no date (lists 10). */
export const seconds = {
  kind: 'seconds',
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 253_402_214_400,
  default: null,
} as const
/** When something happened, as epoch seconds; written by the portal alone (lists 10). */
export const moment = { ...seconds, kind: 'moment' } as const
/** A month as '2026-10'; a date column of its first day. */
export const month = {
  kind: 'month',
  type: 'string',
  minLength: 1,
  pattern: '^20\\d{2}-(0[1-9]|1[0-2])$',
} as const
/** A month as `month`, or null. */
export const optionalMonth = {
  kind: 'month',
  type: ['string', 'null'],
  pattern: month.pattern,
  default: null,
} as const
export const flag = { kind: 'flag', type: 'boolean', default: false } as const
/**
 * The id of a record of another entity, or null. `to` names the lookup that is searched (`GET
 * /api/v1/{to}/ids`).
 */
export const reference = (to: string) =>
  ({
    kind: 'reference',
    to,
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 2_147_483_647,
    default: null,
  }) as const
/** The required id of a record of another entity. */
export const requiredReference = (to: string) =>
  ({ kind: 'reference', to, type: 'integer', minimum: 1, maximum: 2_147_483_647 }) as const
/**
 * Every record has an id and a version. A write names the version it read; an outdated one answers 409
 * (api 6).
 */
export const identity = {
  id: { type: 'integer', readOnly: true },
  version: { type: 'integer', readOnly: true },
} as const

const word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const domainLabel = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/**
 * An address without quotes and comments whose domain has a dot. At most 254 characters in all and 64 before
 * the @ (RFC 5321).
 */
export const emailPattern = `^(?=.{1,64}@)${word}(\\.${word})*@(${domainLabel}\\.)+${domainLabel}$`

export const emailMaxLength = 254

const validEmail = new RegExp(emailPattern)

export const isEmail = (text: string) => text.length <= emailMaxLength && validEmail.test(text)
