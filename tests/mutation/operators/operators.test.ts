import { describe, expect, it, test } from 'vitest'
import { changeOf } from '../change.ts'
import { sample } from '../sample.ts'
import { applied } from './mutant.ts'
import { mutantsOf, operators } from './operators.ts'

/** Every source that one operator makes of a source. */
const madeOf = (source: string, operator: string, file = 'a.ts') =>
  mutantsOf(file, source)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => applied(source, mutant))

const table: Record<string, [source: string, made: string[]][]> = {
  comparison: [
    ['a(b < c, d >= e)', ['a(b <= c, d >= e)', 'a(b < c, d > e)']],
    ['a((b) === c)', ['a((b) !== c)']],
    ['a(b !== c)', ['a(b === c)']],
    ['a(b + c)', []],
    ['while (Date.now() < a) b()', []],
  ],
  logical: [
    ['a(b && c)', ['a(b || c)']],
    ['a(b || (c ?? d))', ['a(b && (c ?? d))']],
  ],
  negation: [
    ['if (a) b()', ['if (!(a)) b()']],
    ['a(!b)', ['a(b)']],
    ['if (!a) b()', ['if (a) b()']],
    ['if (a === b) c()', []],
    ['a(!!b)', []],
  ],
  await: [
    ['await a(b)', ['a(b)']],
    ['await (async () => {})()', []],
  ],
  branches: [
    ['a(b ? c : (d, e))', []],
    ['a(b ? c : d)', ['a(b ? d : c)']],
    ['if (a) b()\nelse { c() }', ['if (a) { c() }\nelse { b() }']],
    ['a(!b ? c : d)', []],
  ],
  guard: [
    [
      'const f = (a) => {\n  if (!a) return null\n  return a.b\n}',
      ['const f = (a) => {\n  {}\n  return a.b\n}'],
    ],
    ['for (const a of b) if (a) { throw a }', ['for (const a of b) {}']],
    ['if (a) b()', []],
  ],
  number: [
    ['a(10)', ['a(11)', 'a(9)']],
    ['a(0, 1.5)', ['a(1, 1.5)', 'a(0, 2.5)', 'a(0, 0.5)']],
    ['const requestTimeout = 60 * 1_000', []],
    ['setTimeout(a, 500)', []],
    ['await sleep(20)', []],
  ],
  element: [
    ["const a = ['b', 'c'] as const", ["const a = ['c'] as const", "const a = ['b'] as const"]],
    ['a([b, ...c])', ['a([...c])', 'a([b])']],
    ['db.query(a, [b, c])', []],
    ['useMemo(a, [b, c])', []],
    ['a([(b) => b, c])', []],
  ],
  property: [
    [
      'const a = { b: 1, c, ...d }',
      ['const a = { c, ...d }', 'const a = { b: 1, ...d }', 'const a = { b: 1, c }'],
    ],
    ['const f = () => [{ a, b }]', ['const f = () => [{ b }]', 'const f = () => [{ a }]']],
    ['const f = () => ({ a, b })', []],
  ],
  pattern: [
    ['a(/^b{1,10}$/i)', ['a(/^b{1,11}$/i)', 'a(/^b{2,10}$/i)', 'a(/b{1,10}$/i)', 'a(/^b{1,10}/i)']],
    ["const a = { pattern: '[0-9]{3}' }", ["const a = { pattern: '[0-9]{4}' }"]],
    ['a(/b{2,}/)', ['a(/b{3,}/)']],
  ],
  'sql condition': [
    [
      "q('select a from b where c = $1 and d between 1 and 2 order by e')",
      [
        "q('select a from b where (c = $1 or true) and d between 1 and 2 order by e')",
        "q('select a from b where c = $1 and (d between 1 and 2 or true) order by e')",
      ],
    ],
    ['q(`delete from a where ${b} ${c}`)', ['q(`delete from a where (${b} or true) ${c}`)']],
    [
      'q(`select (select 1 from a where b = c), d from e`)',
      ['q(`select (select 1 from a where (b = c or true)), d from e`)'],
    ],
    ["say('Look where you go, and come back')", []],
  ],
  'sql comparison': [
    [
      'q(`select a from b where c <= ${d} and e ->> f <> g`)',
      ['q(`select a from b where c < ${d} and e ->> f <> g`)'],
    ],
    ["q(`delete from a where b < now() - interval '1 hour' and now() >= c`)", []],
  ],
  'sql lock': [['q(`select a from b for update of b`)', ['q(`select a from b`)']]],
  'sql order': [["q('select a from b order by a desc, c')", ["q('select a from b order by a asc, c')"]]],
  'sql join': [["q('select a from b left join c using (d)')", ["q('select a from b join c using (d)')"]]],
  'sql default': [
    ["q('select coalesce(sum(a), 0) from b')", ["q('select (sum(a)) from b')"]],
    ["q('select coalesce(a, c, 0) from b')", ["q('select coalesce(a, c) from b')"]],
    ["q('select coalesce(a, c) from b')", []],
  ],
}

describe('an operator', () => {
  const rows = Object.entries(table).flatMap(([operator, cases]) =>
    cases.map(([source, made]) => ({ operator, source, made })),
  )

  test.each(rows)('$operator makes exactly these faults of: $source', ({ operator, source, made }) => {
    expect(madeOf(source, operator)).toEqual(made)
  })

  it('is in the table, whichever it is', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(operators).sort())
  })
})

describe('no fault is made', () => {
  test.each([
    ['in types', 'type A = { a: 1 | 2; b: "c" }[]'],
    ['in imports', 'import { a } from "./b10.ts"'],
    ['in what is logged', 'request.log.warn({ a: 1, b: c && d }, "e")'],
    ['in comments', '// a < b'],
    ['in how things look', 'const a = <b className={c ? "d" : "e"} size={10} style={{ top: 1, left: 2 }} />'],
    ['in the height of a text area', 'const a = <TextArea rows={b ?? 4} />'],
  ])('%s', (_, source) => {
    expect(mutantsOf('a.tsx', source)).toEqual([])
  })
})

it('is made in the rows of a table', () => {
  expect(madeOf('const a = <Table rows={b ? [] : c} />', 'branches', 'a.tsx')).toEqual([
    'const a = <Table rows={b ? c : []} />',
  ])
})

describe('a mutant', () => {
  const source = "const a = '“ä”'\nconst b = (c: number) =>\n  c < 10\n"

  it('knows its file, line and text, also behind letters that are not ASCII', () => {
    const [mutant] = mutantsOf('src/a.ts', source)
    expect(mutant).toMatchObject({
      file: 'src/a.ts',
      line: 3,
      operator: 'comparison',
      before: 'c < 10',
      after: 'c <= 10',
    })
    expect(changeOf(source, mutant!)).toBe('-   c < 10\n+   c <= 10')
  })

  it('has an id of its own that stays the same', () => {
    const ids = mutantsOf('src/a.ts', source).map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(mutantsOf('src/a.ts', source).map(({ id }) => id)).toEqual(ids)
    expect(mutantsOf('src/b.ts', source).map(({ id }) => id)).not.toEqual(ids)
  })
})

describe('a sample', () => {
  const text = Array.from({ length: 40 }, (_, index) => `if (a[${index}] > 1) b()`).join('\n')
  const all = [
    ...mutantsOf('src/a/a.ts', text),
    ...mutantsOf('src/b/b.ts', text.slice(0, 200)),
    ...mutantsOf('src/c/c.ts', 'await a()'),
  ]
  const shareOf = (chosen: typeof all, key: (mutant: (typeof all)[number]) => string, value: string) =>
    chosen.filter((mutant) => key(mutant) === value).length

  it('is the same for the same seed, whatever the order of the mutants, and another for another seed', () => {
    const ids = sample(all, 20, 1).map(({ id }) => id)
    expect(sample(all.toReversed(), 20, 1).map(({ id }) => id)).toEqual(ids)
    expect(sample(all, 20, 2).map(({ id }) => id)).not.toEqual(ids)
    expect(new Set(ids).size).toBe(20)
  })

  it('lets no operator and no folder outweigh the others', () => {
    const chosen = sample(all, 19, 1)
    expect(shareOf(chosen, ({ operator }) => operator, 'await')).toBe(1)
    for (const operator of ['comparison', 'negation', 'number'])
      expect([operator, shareOf(chosen, (it) => it.operator, operator)]).toEqual([operator, 6])
    expect(shareOf(chosen, ({ file }) => file, 'src/b/b.ts')).toBe(9)
  })

  it('holds all there are when more are wanted', () => {
    expect(sample(all, 10_000, 1)).toHaveLength(all.length)
  })
})
