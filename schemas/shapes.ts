/**
 * The JSON Schemas of calls and the types of the values that they describe: `ShapeOf` reads the part of JSON
 * Schema that the endpoints use. Limits (`minLength`, `pattern` …) are no part of a type.
 */

declare const described: unique symbol
/** A schema whose value has the type T, which the schema itself does not say; for the compiler alone. */
export type Describes<T> = { readonly [described]: T }
/** Says the type of the value of a schema, where its parts are known at run time only. */
export const describes = <T>() => ({
  by: <const S extends object>(schema: S) => schema as S & Describes<T>,
})

export const string = { type: 'string' } as const
export const stringOrNull = { type: ['string', 'null'] } as const
export const integer = { type: 'integer' } as const
export const integerOrNull = { type: ['integer', 'null'] } as const
export const number = { type: 'number' } as const
export const numberOrNull = { type: ['number', 'null'] } as const
export const boolean = { type: 'boolean' } as const
/** One of these texts. */
export const oneOf = <const V extends string>(...texts: readonly V[]) =>
  ({ type: 'string', enum: texts }) as const
export const arrayOf = <const T>(items: T) => ({ type: 'array', items }) as const
/** An object whose properties are required, except those named `optional`. */
export const objectOf = <const P extends Record<string, object>, O extends keyof P & string = never>(
  properties: P,
  ...optional: O[]
) => ({
  type: 'object' as const,
  required: Object.keys(properties).filter((name) => !optional.includes(name as O)) as Exclude<
    keyof P & string,
    O
  >[],
  properties,
})
/** An object of this schema, or null. */
export const orNull = <const S extends { type: 'object' }>(schema: S) =>
  ({ ...schema, type: ['object', 'null'] }) as Omit<S, 'type'> & { type: readonly ['object', 'null'] }

type Scalars = { string: string; number: number; integer: number; boolean: boolean; null: null }

/**
 * The type of the values that a schema describes. With `Filled`, properties that have a default are present
 * also if they are not required, as in a query after its check.
 */
export type ShapeOf<S, Filled extends boolean = false> =
  S extends Describes<infer T>
    ? T
    : S extends { readonly enum: readonly (infer V)[] }
      ? V
      : S extends { readonly oneOf: readonly { readonly const: infer V }[] }
        ? V
        : S extends { readonly type: readonly (infer T)[] }
          ? ShapeOfType<T, S, Filled>
          : S extends { readonly type: infer T }
            ? ShapeOfType<T, S, Filled>
            : unknown

type ShapeOfType<T, S, Filled extends boolean> = T extends keyof Scalars
  ? Scalars[T]
  : T extends 'array'
    ? S extends { readonly items: infer I }
      ? ShapeOf<I>[]
      : unknown[]
    : T extends 'object'
      ? ShapeOfObject<S, Filled>
      : unknown

type ShapeOfObject<S, Filled extends boolean> = S extends { readonly properties: infer P }
  ? S extends { readonly additionalProperties: infer A extends object }
    ? Properties<P, Present<S, P, Filled>> & Record<string, ShapeOf<A>>
    : Properties<P, Present<S, P, Filled>>
  : S extends { readonly additionalProperties: infer A }
    ? Record<string, A extends false ? never : ShapeOf<A>>
    : Record<string, unknown>

type Properties<P, Required> = Flat<
  { -readonly [K in keyof P as K extends Required ? K : never]: ShapeOf<P[K]> } & {
    -readonly [K in keyof P as K extends Required ? never : K]?: ShapeOf<P[K]>
  }
>
type Flat<T> = { [K in keyof T]: T[K] }

/** The names of the properties that are there for sure. */
type Present<S, P, Filled extends boolean> =
  | (S extends { readonly required: readonly (infer R)[] } ? R : never)
  | (Filled extends true
      ? { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P]
      : never)

/** An object with the same keys and other values. */
export const mapValues = <K extends string, A, B>(
  from: Readonly<Record<K, A>>,
  to: (value: A, key: K) => B,
): Record<K, B> =>
  Object.fromEntries(Object.entries<A>(from).map(([key, value]) => [key, to(value, key as K)])) as Record<
    K,
    B
  >
