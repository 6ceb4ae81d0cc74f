import { parseAst } from 'vite'

/** A node of the ESTree, with offsets into the source. */
export type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** Throws a SyntaxError-like error when the source does not parse. */
export const parse = (file: string, source: string): Node =>
  parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node

export function isValid(file: string, source: string): boolean {
  try {
    parse(file, source)
    return true
  } catch {
    return false
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** These wrap an expression; every other TS node is about types alone. */
const wrappers = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
])

/** The expression without `as`, `satisfies` and `!` around it. */
export const unwrapped = (node: Node): Node =>
  wrappers.has(node.type) ? unwrapped(node['expression'] as Node) : node

/** The nodes directly below, in the order of the source. Types are left out. */
export function childrenOf(node: Node): Node[] {
  if (wrappers.has(node.type)) return [node['expression'] as Node]
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || wrappers.has(type))
    .sort((a, b) => a.start - b.start)
}

/**
 * Calls `visit` for a node and all below it, parents first; `above` begins with the parent. False leaves out
 * what is below.
 */
export function walk(
  node: Node,
  visit: (node: Node, above: readonly Node[]) => boolean | void,
  above: readonly Node[] = [],
): void {
  if (visit(node, above) === false) return
  const next = [node, ...above]
  for (const child of childrenOf(node)) walk(child, visit, next)
}

/** 1 for the first line. */
export const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length
