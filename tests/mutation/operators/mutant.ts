import type { Node } from './syntax.ts'

/** The text from `start` to `end` is replaced by `after`. */
export type Change = { start: number; end: number; after: string }

/** A node with the nodes above it (the parent first) and the source of its file. */
export type Place = { node: Node; above: readonly Node[]; source: string }

/** Every change of one kind that can be made at a node. */
export type Operator = (place: Place) => Change[]

/** One fault in one file. The id depends on the file, the offset, the operator and the replacement. */
export type Mutant = Change & { id: string; file: string; line: number; operator: string; before: string }

export const applied = (source: string, { start, end, after }: Change): string =>
  source.slice(0, start) + after + source.slice(end)
