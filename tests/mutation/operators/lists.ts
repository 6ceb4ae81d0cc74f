import type { Change, Operator, Place } from './mutant.ts'
import { type Node, unwrapped } from './syntax.ts'

/** A time in milliseconds that is one longer or shorter is no fault that anybody could notice. */
const time = /timeout|delay|pause|interval|duration|wait|patience|every|ms$/i
const timers = /^(setTimeout|setInterval|pause|sleep|debounce)$/

const nameOf = (node: Node | undefined) => (node && typeof node['name'] === 'string' ? node['name'] : '')

function isTime(above: readonly Node[]): boolean {
  const owner = above.find(({ type }) => !/^(BinaryExpression|UnaryExpression|TS\w+)$/.test(type))
  if (owner?.type === 'Property') return time.test(nameOf(owner['key'] as Node))
  if (owner?.type === 'VariableDeclarator') return time.test(nameOf(owner['id'] as Node))
  return owner?.type === 'CallExpression' && timers.test(nameOf(owner['callee'] as Node))
}

/** `10` becomes `11` and `9`. */
const number: Operator = ({ node, above, source }) => {
  if (node.type !== 'Literal' || typeof node['value'] !== 'number' || isTime(above)) return []
  const parent = above[0]
  if (parent?.type === 'Property' && parent['key'] === node) return []
  const value = node['value']
  const digits = /\.(\d+)$/.exec(source.slice(node.start, node.end))?.[1]?.length ?? 0
  const change = (to: number): Change => ({ start: node.start, end: node.end, after: to.toFixed(digits) })
  return value < 1 ? [change(value + 1)] : [change(value + 1), change(value - 1)]
}

/** Takes one of several items away, with the comma that divides it from its neighbour. */
function without(items: readonly Node[], index: number): Change {
  const [before, it, after] = [items[index - 1], items[index]!, items[index + 1]]
  return after
    ? { start: it.start, end: after.start, after: '' }
    : { start: before!.end, end: it.end, after: '' }
}

const listed =
  /^(Literal|TemplateLiteral|Identifier|MemberExpression|CallExpression|ObjectExpression|ArrayExpression|SpreadElement)$/

/**
 * Values of a statement and what a hook depends on are no list of kinds: leaving one out breaks the call, or
 * changes nothing.
 */
function isArgument({ node, above }: Place): boolean {
  const call = above[0]
  if (call?.type !== 'CallExpression') return false
  const callee = call['callee'] as Node
  const name = callee.type === 'MemberExpression' ? nameOf(callee['property'] as Node) : nameOf(callee)
  return (call['arguments'] as Node[]).indexOf(node) > 0 && /^(use[A-Z]|query$|cursor$)/.test(name)
}

/** One of the names or rows of an array is forgotten. */
const element: Operator = (place) => {
  if (place.node.type !== 'ArrayExpression' || isArgument(place)) return []
  const items = place.node['elements'] as (Node | null)[]
  if (
    items.length < 2 ||
    !items.every((item): item is Node => item !== null && listed.test(unwrapped(item).type))
  )
    return []
  return items.map((_, index) => without(items as Node[], index))
}

const isFunction = ({ type }: Node) => /Function/.test(type)

/** One property of a table is forgotten: of an object outside all functions, or of a row of a list. */
const property: Operator = ({ node, above }) => {
  if (node.type !== 'ObjectExpression') return []
  const parent = above.find(({ type }) => !type.startsWith('TS'))
  if (above.some(isFunction) && parent?.type !== 'ArrayExpression') return []
  const items = node['properties'] as Node[]
  return items.length < 2 ? [] : items.map((_, index) => without(items, index))
}

const nextNumber = (text: string | undefined, step: number) => String(Number(text) + step)

/**
 * The limits of a pattern: `{1,10}` becomes `{1,11}` and `{2,10}`, `{3}` becomes `{4}`, `^` at the begin and
 * `$` at the end go.
 */
const pattern: Operator = ({ node, above, source }) => {
  const isPattern =
    above[0]?.type === 'Property' &&
    nameOf(above[0]['key'] as Node) === 'pattern' &&
    typeof node['value'] === 'string'
  if (node.type !== 'Literal' || !(node['regex'] || isPattern)) return []
  const text = source.slice(node.start, node.end)
  const at = (index: number, length: number, after: string): Change => ({
    start: node.start,
    end: node.end,
    after: text.slice(0, index) + after + text.slice(index + length),
  })
  const limits = [...text.matchAll(/(?<!\\)\{(\d+)(,?)(\d*)\}/g)].flatMap((found) => {
    const [whole, least, comma, most] = found
    const change = (after: string) => at(found.index, whole.length, after)
    if (!comma) return [change(`{${nextNumber(least, 1)}}`)]
    const upper = most ? [change(`{${least},${nextNumber(most, 1)}}`)] : []
    return most === least ? upper : [...upper, change(`{${nextNumber(least, 1)},${most}}`)]
  })
  const last = text.search(/(?<!\\)\$['"/][a-z]*$/)
  return [...limits, ...(text[1] === '^' ? [at(1, 1, '')] : []), ...(last < 0 ? [] : [at(last, 1, '')])]
}

export const listOperators = { number, element, property, pattern }
