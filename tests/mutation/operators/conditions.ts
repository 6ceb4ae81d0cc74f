import type { Change, Operator } from './mutant.ts'
import type { Node } from './syntax.ts'

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
}

const textOf = (source: string, { start, end }: Node) => source.slice(start, end)
const isEquality = ({ type, operator }: Node) =>
  type === 'BinaryExpression' && /^[!=]==?$/.test(operator as string)
const isNot = ({ type, operator }: Node) => type === 'UnaryExpression' && operator === '!'

/** The same expression with its operator replaced. */
function withOperator(source: string, node: Node, after: string): Change[] {
  const [left, right] = [node['left'] as Node, node['right'] as Node]
  const between = source.slice(left.end, right.start).replace(node['operator'] as string, () => after)
  return [
    {
      start: node.start,
      end: node.end,
      after: source.slice(node.start, left.end) + between + source.slice(right.start, node.end),
    },
  ]
}

const clock = /\b(Date|performance)\.now\(\)/

/**
 * `<` becomes `<=`, `===` becomes `!==`, and so on. Nothing happens in the very instant that a clock is
 * compared with.
 */
const comparison: Operator = ({ node, source }) => {
  const after = node.type === 'BinaryExpression' ? comparisons[node['operator'] as string] : undefined
  return after && !clock.test(textOf(source, node)) ? withOperator(source, node, after) : []
}

/** `&&` becomes `||` and the other way round. */
const logical: Operator = ({ node, source }) => {
  if (node.type !== 'LogicalExpression' || node['operator'] === '??') return []
  return withOperator(source, node, node['operator'] === '&&' ? '||' : '&&')
}

/**
 * `if (x)` becomes `if (!(x))`, `!x` becomes `x`. Where another operator makes the same change, it is not
 * made twice.
 */
const negation: Operator = ({ node, above, source }) => {
  if (isNot(node)) {
    const isDouble = isNot(node['argument'] as Node) || (above[0] !== undefined && isNot(above[0]))
    return isDouble
      ? []
      : [{ start: node.start, end: node.end, after: source.slice(node.start + 1, node.end) }]
  }
  if (node.type !== 'WhileStatement' && !(node.type === 'IfStatement' && !node['alternate'])) return []
  const test = node['test'] as Node
  return isEquality(test) || isNot(test)
    ? []
    : [{ start: test.start, end: test.end, after: `!(${textOf(source, test)})` }]
}

/**
 * `await x` becomes `x`. A line that would then begin with a bracket goes on with the line before, and is
 * left out.
 */
const awaited: Operator = ({ node, source }) => {
  if (node.type !== 'AwaitExpression') return []
  const after = source.slice(node.start + 'await'.length, node.end).trimStart()
  return /^[([`]/.test(after) ? [] : [{ start: node.start, end: node.end, after }]
}

/** `a ? b : c` becomes `a ? c : b`, `if (a) b else c` becomes `if (a) c else b`. */
const branches: Operator = ({ node, source }) => {
  const [test, first, second] = [node['test'], node['consequent'], node['alternate']] as (Node | null)[]
  if (
    !/^(ConditionalExpression|IfStatement)$/.test(node.type) ||
    !test ||
    !first ||
    !second ||
    isEquality(test) ||
    isNot(test)
  )
    return []
  const block = (it: Node) =>
    node.type === 'ConditionalExpression' || it.type === 'BlockStatement'
      ? textOf(source, it)
      : `{ ${textOf(source, it)} }`
  return [
    {
      start: first.start,
      end: second.end,
      after: block(second) + source.slice(first.end, second.start) + block(first),
    },
  ]
}

/** `if (x) return …`, and the same with throw, continue and break, is taken away. */
const guard: Operator = ({ node }) => {
  if (node.type !== 'IfStatement' || node['alternate']) return []
  const then = node['consequent'] as Node
  const only = then.type === 'BlockStatement' ? (then['body'] as Node[]) : [then]
  const leaves = only.length === 1 && /^(Return|Throw|Continue|Break)Statement$/.test(only[0]!.type)
  return leaves ? [{ start: node.start, end: node.end, after: '{}' }] : []
}

export const conditionOperators = { comparison, logical, negation, await: awaited, branches, guard }
