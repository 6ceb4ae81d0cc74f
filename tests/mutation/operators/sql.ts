import type { Change, Operator } from './mutant.ts'
import type { Node } from './syntax.ts'

/**
 * The SQL of a string or template literal. `text` has the length of the literal: what stands in `${…}`, in
 * quotes or in comments is replaced by a sign that no keyword contains. `depth` counts the brackets around
 * each character.
 */
type Sql = { start: number; text: string; depth: number[]; raw: string }

const hole = '\uE000'
const hidden = (text: string) => hole.repeat(text.length)
const looksLikeSql =
  /\bselect\b[^]*\bfrom\b|\binsert into\b|\bupdate\b[^]*\bset\b|\bdelete from\b|\bcoalesce\s*\(|\border by\b|\bfor (no key )?update\b|\bleft join\b|\bis (not )?null\b|\bis (not )?distinct from\b|\bwhere\b[^]*[=<>(\uE000]|= any \(|^\s*(and|or)\s/

function sqlOf(node: Node, source: string): Sql | null {
  const isText = node.type === 'Literal' && typeof node['value'] === 'string'
  if (!isText && node.type !== 'TemplateLiteral') return null
  let raw = source.slice(node.start + 1, node.end - 1)
  for (const { start, end } of (node['expressions'] ?? []) as Node[]) {
    const from = source.lastIndexOf('${', start) - node.start - 1
    const to = source.indexOf('}', end) - node.start
    raw = raw.slice(0, from) + hidden(raw.slice(from, to)) + raw.slice(to)
  }
  const text = raw.replace(/--[^\n]*|\/\*[^]*?\*\/|\\?'(?:[^'\n]|'')*'/g, hidden)
  if (!looksLikeSql.test(text)) return null
  let level = 0
  const depth = text.split('').map((sign) => (sign === '(' ? level++ : sign === ')' ? --level : level))
  return { start: node.start + 1, text, depth, raw: source.slice(node.start + 1, node.end - 1) }
}

const operator =
  (changesOf: (sql: Sql) => Change[]): Operator =>
  ({ node, above, source }) => {
    // The text of a property's key or of a type is no statement.
    if (above[0]?.type === 'Property' && above[0]['key'] === node) return []
    const sql = sqlOf(node, source)
    return sql ? changesOf(sql) : []
  }

/** Every place where the text matches, replaced. */
const each = (pattern: RegExp, after: (found: string) => string) =>
  operator(({ text, start, raw }) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
      start: start + index,
      end: start + index + found.length,
      after: after(raw.slice(index, index + found.length)),
    })),
  )

const ends =
  /^(and|or|then|when|else|end|group by|order by|limit|offset|fetch|for (no key )?update|for share|returning|union|except|intersect|having|window|on conflict|(left |right |inner |cross )?join|from|set|using|where|as)\b/
/**
 * After one of these an interpolation belongs to the condition; after anything else it is the next part of
 * the statement.
 */
const open = /(^|[=<>+\-*/|(,:.]|\b(in|any|all|is|not|like|ilike|between|and|or|from|distinct|exists|to))\s*$/

/**
 * Where the condition that begins at `from` ends: before the next keyword, comma or closing bracket of its
 * own level.
 */
function endOf({ text, depth }: Sql, from: number): number {
  const level = depth[from] ?? 0
  let between = false
  for (let at = from; at < text.length; at++) {
    if (depth[at]! < level || (text[at] === ')' && depth[at] === level - 1)) return at
    if (depth[at]! > level) continue
    if (/[,;]/.test(text[at]!)) return at
    if (/\w/.test(text[at - 1] ?? '')) continue
    const rest = text.slice(at)
    if (/^between\b/.test(rest)) between = true
    else if (between && /^and\b/.test(rest)) between = false
    else if (at > from && ends.test(rest) && !/\bdistinct\s+$/.test(text.slice(from, at))) return at
    if (at > from && text[at] === hole && /\s/.test(text[at - 1]!) && !open.test(text.slice(from, at)))
      return at
  }
  return text.length
}

/** The conditions after `where`, `having` and `and`, without the second half of `between … and …`. */
function conditions(sql: Sql): [from: number, to: number][] {
  const { text, depth } = sql
  return [...text.matchAll(/\b(where|having|and)\s+/g)].flatMap(({ index, 0: word }) => {
    const isSecondHalf = word.startsWith('and') && /\bbetween\b(?![^]*\band\b)/.test(levelBefore(sql, index))
    const from = index + word.length
    const to = endOf(sql, from)
    const length = text.slice(from, to).trimEnd().length
    return isSecondHalf || length === 0 || depth[from]! < depth[index]!
      ? []
      : [[from, from + length] as [number, number]]
  })
}

/** The text before `to` back to the bracket around it, on its own level alone. */
function levelBefore({ text, depth }: Sql, to: number): string {
  const level = depth[to]!
  let from = to
  while (from > 0 && depth[from - 1]! >= level && !(text[from - 1] === '(' && depth[from - 1] === level - 1))
    from--
  return text
    .slice(from, to)
    .split('')
    .filter((_, index) => depth[from + index] === level)
    .join('')
}

/**
 * A condition holds for every row. It stays in the statement, so that PostgreSQL still knows the types of its
 * parameters.
 */
const sqlCondition = operator((sql) =>
  conditions(sql).map(([from, to]) => ({
    start: sql.start + from,
    end: sql.start + to,
    after: `(${sql.raw.slice(from, to)} or true)`,
  })),
)

const limits: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
/** Nothing happens in the very microsecond that the clock is compared with. */
const sqlComparison = each(
  /(?<!\bnow\(\) ?)(?<=[\s\uE000)\w])(<=|>=|<|>)(?=\s)(?!\s+now\(\))/g,
  (found) => limits[found]!,
)
const sqlLock = each(/\s+for (no key update|update|share)( of \w+)?( skip locked| nowait)?\b/g, () => '')
const sqlOrder = each(/\b(asc|desc)\b/g, (found) => (found === 'asc' ? 'desc' : 'asc'))
const sqlJoin = each(/\bleft join\b/g, () => 'join')

/** `coalesce(x, 0)` becomes `(x)`. */
const sqlDefault = operator(({ start, text, depth, raw }) =>
  [...text.matchAll(/\bcoalesce\s*\(/g)].flatMap(({ index, 0: found }) => {
    const inside = index + found.length
    const end = depth.indexOf(depth[inside - 1]!, inside)
    const commas = [...text.slice(inside, end).matchAll(/,/g)]
      .map((comma) => inside + comma.index)
      .filter((at) => depth[at] === depth[inside - 1]! + 1)
    const standard = raw.slice(commas.at(-1)! + 1, end)
    if (
      end < 0 ||
      commas.length === 0 ||
      !/^\s*(-?\d+(\.\d+)?|\\?'[^']*'|true|false)(::\w+)?\s*$/.test(standard)
    )
      return []
    return [
      {
        start: start + index,
        end: start + end + 1,
        after:
          commas.length > 1 ? raw.slice(index, commas.at(-1)) + ')' : `(${raw.slice(inside, commas[0])})`,
      },
    ]
  }),
)

export const sqlOperators = {
  'sql condition': sqlCondition,
  'sql comparison': sqlComparison,
  'sql lock': sqlLock,
  'sql order': sqlOrder,
  'sql join': sqlJoin,
  'sql default': sqlDefault,
}
