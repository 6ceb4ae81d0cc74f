/** The words that replies are written in. */
export const text = { type: 'string' } as const
export const textOrNull = { type: ['string', 'null'] } as const
export const whole = { type: 'integer' } as const
export const wholeOrNull = { type: ['integer', 'null'] } as const
export const list = <T>(items: T) => ({ type: 'array', items }) as const
/** Everything in it is there, but for what is named after it. */
export const record = <P extends Record<string, object>>(properties: P, ...optional: (keyof P & string)[]) =>
  ({
    type: 'object',
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  }) as const
