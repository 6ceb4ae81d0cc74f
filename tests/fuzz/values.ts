import fc from 'fast-check'

type JsonSchema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  oneOf?: readonly { const?: unknown }[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  required?: readonly string[]
  readOnly?: boolean
}

const spaced = (texts: string) => texts.split(/\s+/).filter(Boolean)
const nastyTexts = [
  ...spaced(
    '__proto__ constructor toString hasOwnProperty -__proto__ -constructor - 0 -0 -1 1e3 5e-324 1e400',
  ),
  ...spaced(
    'NaN Infinity 0x10 1_000 ٣ １２ 99999999999999999999 2147483648 -2147483649 9007199254740993 0.1',
  ),
  ...spaced(`null true [] ' " \\ % _ %_% '; =1+1 @SUM(1) ../../etc a/b .. . %2e%2e $1 {} {{7*7}} <script>`),
  ...spaced('9999-99 0000-01 2026-13 2026-00 02/30/2026 13/01/2026 1/1/1 12/31/99999 * ( [a ? a&b=c # ;'),
  '',
  ' ',
  '\t',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '\ufeff',
  '\u200b',
  'İ',
  'ß',
  '\u{1f4b8}',
  '\r\nX: y',
]
/** Texts that programs take for something else, such as names of Object.prototype, numbers and paths. */
export const nastyText = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(1, 41, 201, 256, 400).map((length) => 'x'.repeat(length)),
  fc.constantFrom(1_001, 20_000).map((length) => 'й'.repeat(length)),
)

const nastyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1.005, 5e-324, 1e308, -1e308, 1e21, 2 ** 31, -(2 ** 31) - 1, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Any value of JSON, with what is seldom thought of. */
export const nastyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 3, arbitrary: nastyNumber },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: 1 } }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 3_000 }).map(nested) },
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value }
  return value
}

/** Inputs of reports, which a schema does not name. */
const likelyName = fc.constantFrom(
  'month',
  'masteragent',
  'from',
  'to',
  'year',
  'days',
  'merchant',
  'processor',
)

const day = fc.integer({ min: 1_600_000_000, max: 1_800_000_000 })
const textLike = fc.oneof(
  fc.constantFrom(
    'MA0002',
    '2026-10',
    '2026-09',
    '10/01/2026',
    'Shop',
    'clerk',
    'Retail',
    '021000021',
    'a@b.co',
  ),
  fc.string({ minLength: 1, maxLength: 20 }),
)

/** Values that a schema describes, mostly. */
export function plausible(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.oneOf?.every((it) => 'const' in it))
    return fc.constantFrom(...schema.oneOf.map((it) => it.const))
  const types = [schema.type ?? 'string'].flat() as string[]
  return fc.oneof(...types.map((type) => ofType(type, schema)))
}

const months = fc.constantFrom('2026-08', '2026-09', '2026-10', '2026-11')
const days = {
  from: fc.constantFrom('01/01/2026', '10/31/2026'),
  to: fc.constantFrom('10/31/2026', '11/30/2026'),
}
/** The inputs of reports. */
const likelyMap = fc.oneof(
  fc.record({ month: months }),
  fc.record({ month: months, agent: fc.constantFrom('1', '2', '3') }),
  fc.record(days),
  fc.record({ year: fc.constantFrom('2025', '2026') }),
  fc.record({ days: fc.constant('30') }, { requiredKeys: [] }),
)

/** Texts of a pattern; undefined for one with an assertion, which fast-check cannot follow. */
const matchingText = (pattern: string) =>
  pattern.includes('(?') ? undefined : fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 100 })

function ofType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum: min = 0, maximum: max = 1_000_000, minLength = 0, maxLength = 40 } = schema
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer')
    return fc.oneof(
      fc.integer({ min: Math.max(min, 1), max: Math.max(1, Math.min(max, 60)) }),
      day,
      fc.constantFrom(min, max),
    )
  if (type === 'number')
    return fc.oneof(
      fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
      fc.constantFrom(min, max),
    )
  if (type === 'array') return fc.array(plausible(schema.items ?? {}), { maxLength: 4 })
  if (type === 'object') return schema.properties ? objectLike(schema) : likelyMap
  if (schema.format === 'uuid') return fc.uuid()
  const matching = schema.pattern === undefined ? undefined : matchingText(schema.pattern)
  if (matching) return matching
  return fc.oneof(
    textLike,
    fc.string({ minLength: Math.min(minLength, 40), maxLength: Math.min(maxLength, 40) }),
  )
}

/** An object of the schema's properties: all of them, those that are required, or some. */
export function objectLike({ properties = {}, required }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const written = Object.entries(properties).filter(([name, it]) => !it.readOnly || name === 'version')
  const fields = Object.fromEntries(
    written.map(([name, it]) => [name, name === 'version' ? fc.constantFrom(1, 1, 1, 2) : plausible(it)]),
  )
  const needed = [...(required ?? []), 'version'].filter((name) => name in fields)
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(fields) },
    { weight: 4, arbitrary: fc.record(fields, { requiredKeys: needed }) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  )
}

/** An object of the schema with up to two of its values, or of further ones, that nobody would send. */
export const spoiled = (schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> => {
  const names = Object.keys(schema.properties ?? {})
  const name = fc.oneof(
    { weight: 9, arbitrary: names.length > 0 ? fc.constantFrom(...names) : likelyName },
    { weight: 1, arbitrary: nastyText },
  )
  const spoils = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(fc.tuple(name, nastyJson), { minLength: 1, maxLength: 2 }) },
  )
  return fc.tuple(objectLike(schema), spoils).map(([value, changes]) => {
    // JSON of `__proto__` is a property of its own, as a client can send it.
    for (const [key, to] of changes)
      Object.defineProperty(value, key, { value: to, enumerable: true, configurable: true, writable: true })
    return value
  })
}
