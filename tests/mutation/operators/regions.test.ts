import { expect, it } from 'vitest'
import { instrumented, regionAt, regionsOf } from './regions.ts'

const source = `const choose = (a, b) => (a ? 'first' : b && 'second')
function check(a) {
  if (a) return 'early'
  else { return [1].map((b) => ({ b })) }
}
`

/** The texts of the regions that run while `call` is evaluated. */
function ran(call: string): string[] {
  const hits = new Set<number>()
  const code = `${instrumented('a.ts', source, 0, '')}\nhits.clear()\n${call}`
  new Function('__hit', 'hits', code)((region: number) => hits.add(region), hits)
  return [...hits].map((region) => textAt(region))
}

const regions = regionsOf('a.ts', source)
const textAt = (index: number) => source.slice(regions[index]!.start, regions[index]!.end)

it('notes the function and the branches that run, and no other', () => {
  expect(ran('choose(1)')).toEqual(["a ? 'first' : b && 'second'", "'first'"])
  expect(ran('choose(0, 0)')).toEqual(["a ? 'first' : b && 'second'", "b && 'second'"])
  expect(ran('choose(0, 1)').at(-1)).toBe("'second'")
  expect(ran('check(1)').at(-1)).toBe("return 'early'")
  expect(ran('check(0)').slice(1)).toEqual(['{ return [1].map((b) => ({ b })) }', '{ b }'])
})

it('leaves every line of the source where it is', () => {
  expect(instrumented('a.ts', source, 0, 'prologue();').split('\n')).toHaveLength(source.split('\n').length)
})

it('finds the innermost region of a change', () => {
  const at = (text: string) => ({ start: source.indexOf(text), end: source.indexOf(text) + text.length })
  expect(textAt(regionAt(regions, at("'early'")))).toBe("return 'early'")
  expect(textAt(regionAt(regions, at("a ? 'first' : b && 'second'")))).toBe("a ? 'first' : b && 'second'")
  expect(regionAt(regions, at('const choose'))).toBe(0)
})
