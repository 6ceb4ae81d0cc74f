/** Building blocks of the JSON Schemas of replies. */
export const string = { type: 'string' } as const
export const stringOrNull = { type: ['string', 'null'] } as const
export const integer = { type: 'integer' } as const
export const integerOrNull = { type: ['integer', 'null'] } as const
export const arrayOf = <T>(items: T) => ({ type: 'array', items }) as const
/** An object whose properties are required, except those named `optional`. */
export const objectOf = <P extends Record<string, object>>(
  properties: P,
  ...optional: (keyof P & string)[]
) =>
  ({
    type: 'object',
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  }) as const
