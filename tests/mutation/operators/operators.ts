import { createHash } from 'node:crypto'
import { conditionOperators } from './conditions.ts'
import { listOperators } from './lists.ts'
import { applied, type Change, type Mutant, type Operator } from './mutant.ts'
import { sqlOperators } from './sql.ts'
import { isValid, lineAt, type Node, parse, walk } from './syntax.ts'

export const operators: Readonly<Record<string, Operator>> = {
  ...conditionOperators,
  ...listOperators,
  ...sqlOperators,
}

const idOf = (file: string, { start, after }: Change, operator: string) =>
  createHash('sha1').update(`${file}\0${start}\0${operator}\0${after}`).digest('hex').slice(0, 10)

/** Every mutant of a file that parses, in the order of the source. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  walk(parse(file, source), (node, above) => {
    if (isLeftOut(node, above)) return false
    for (const [operator, changesOf] of Object.entries(operators)) {
      for (const change of changesOf({ node, above, source })) {
        const { start, end, after } = change
        found.push({
          id: idOf(file, change, operator),
          file,
          line: lineAt(source, start),
          operator,
          start,
          end,
          before: source.slice(start, end),
          after,
        })
      }
    }
    return true
  })
  return found.filter((mutant) => isValid(file, applied(source, mutant))).sort((a, b) => a.start - b.start)
}

/** How things look and what is logged: no test is expected to notice a change there. */
const looks = /^(className|style|size|width|height|icon|transitionDuration|intent|variant)$/
const logged = /\b(log|logger|console)\??\.(trace|debug|info|warn|error|fatal|log)$/

function isLeftOut(node: Node, [parent]: readonly Node[]): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true
  if (node.type === 'JSXAttribute') {
    const name = nameOf(node['name'] as Node)
    // The rows of a text area are its height; those of a table are what it shows.
    return looks.test(name) || (name === 'rows' && nameOf(parent!['name'] as Node) === 'TextArea')
  }
  if (node.type === 'Property') return /^(className|style)$/.test(nameOf(node['key'] as Node))
  return node.type === 'CallExpression' && logged.test(nameOf(node['callee'] as Node))
}

/** 'request.log.warn' of a chain of names; empty parts for anything else. */
function nameOf(node: Node): string {
  if (node.type === 'MemberExpression')
    return `${nameOf(node['object'] as Node)}.${nameOf(node['property'] as Node)}`
  if (node.type === 'ChainExpression') return nameOf(node['expression'] as Node)
  return typeof node['name'] === 'string' ? node['name'] : ''
}
