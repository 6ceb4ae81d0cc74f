/**
 * The SQL of a list or a write as one would write it by hand: `rows`, and `count` where the answer has a
 * total, which takes the first `countValues` of the values.
 */
export type Statement = { rows: string; count?: string; countValues?: number }
