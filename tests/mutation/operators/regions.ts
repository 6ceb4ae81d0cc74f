import { childrenOf, type Node, parse } from './syntax.ts'

/**
 * A stretch of a file that runs as a whole or not at all: the file itself, the body of a function, a branch
 * of a condition.
 */
export type Region = { start: number; end: number }

type Wrapping = 'block' | 'statement' | 'expression'
type Entry = Region & { wrapping: Wrapping }

/** The regions of a file, outer before inner; the first is the whole file. */
export const regionsOf = (file: string, source: string): Region[] =>
  entriesOf(parse(file, source)).map(({ start, end }) => ({ start, end }))

/** The number of the innermost region that holds a change. */
export function regionAt(regions: readonly Region[], { start, end }: Region): number {
  return regions.reduce((best, it, index) => {
    const inner = regions[best]!
    return it.start <= start && it.end >= end && it.end - it.start <= inner.end - inner.start ? index : best
  }, 0)
}

function entriesOf(program: Node): Entry[] {
  const found: Entry[] = [{ start: 0, end: Number.MAX_SAFE_INTEGER, wrapping: 'block' }]
  const add = (node: Node | null, wrapping: Wrapping) => {
    if (node)
      found.push({
        start: node.start,
        end: node.end,
        wrapping: node.type === 'BlockStatement' ? 'block' : wrapping,
      })
  }
  const visit = (node: Node) => {
    const { type } = node
    const [body, first, second] = [node['body'], node['consequent'], node['alternate']] as (Node | null)[]
    if (/^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|CatchClause)$/.test(type))
      add(body!, 'expression')
    if (type === 'IfStatement') [first!, second!].forEach((it) => add(it, 'statement'))
    if (/^(For|ForIn|ForOf|While)Statement$/.test(type)) add(body!, 'statement')
    if (type === 'ConditionalExpression') [first!, second!].forEach((it) => add(it, 'expression'))
    if (type === 'LogicalExpression') add(node['right'] as Node, 'expression')
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return found
}

/**
 * The source with a call of `__hit` at the begin of every region, numbered from `first`. Every line stays
 * where it is;
 * `prologue` is put before the first.
 */
export function instrumented(file: string, source: string, first: number, prologue: string): string {
  const [, ...entries] = entriesOf(parse(file, source))
  const inserts = entries.flatMap(({ start, end, wrapping }, index) => {
    const call = `__hit(${first + 1 + index})`
    if (wrapping === 'block') return [{ at: start + 1, text: `${call};`, order: index }]
    const [before, after] = wrapping === 'statement' ? [`{${call};`, '}'] : [`(${call},`, ')']
    return [
      { at: start, text: before, order: index },
      { at: end, text: after, order: -index },
    ]
  })
  let done = 0
  const parts = inserts
    .sort((a, b) => a.at - b.at || a.order - b.order)
    .map(({ at, text }) => {
      const part = source.slice(done, at) + text
      done = at
      return part
    })
  return `${prologue}__hit(${first});${parts.join('')}${source.slice(done)}`
}
