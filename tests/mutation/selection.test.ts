import { describe, expect, test } from 'vitest'
import type { Coverage } from './coverage.ts'
import { mutantsOf } from './operators/operators.ts'
import { regionsOf } from './operators/regions.ts'
import { nearnessIn, testsFor } from './selection.ts'

const file = 'server/orders/total.ts'
const source = 'export const isFree = (postage: number) => postage < 10\n'
const [mutant] = mutantsOf(file, source)
type Given = { name: string; seconds: number; text?: string; size?: number; failure?: string }

/** The test files that are tried and those that are left, of these, within so many seconds. */
function selected(given: Given[], seconds: number, most?: number) {
  const regions = regionsOf(file, source)
  const hit = regions.map((_, at) => at)
  const coverage: Coverage = {
    base: '',
    files: { [file]: { hash: '', regions } },
    setup: {},
    tests: given.map((one) => ({
      file: one.name,
      project: 'all',
      seconds: one.seconds,
      passed: 1,
      failure: one.failure ?? null,
      hash: '',
      hits: { [file]: hit, 'server/other.ts': Array.from({ length: one.size ?? 0 }, (_, at) => at) },
    })),
  }
  const texts = Object.fromEntries([[file, source], ...given.map(({ name, text = '' }) => [name, text])])
  const nearness = nearnessIn(
    (name) => texts[name]!,
    given.map(({ name }) => name),
  )
  const { tried, left } = testsFor(coverage, mutant!, seconds, nearness, most)
  return [tried, left].map((tests) => tests.map((one) => one.file))
}

describe('of the tests that run a mutant', () => {
  test.each<[string, Given[], string[]]>([
    [
      'the faster',
      [
        { name: 'a.test.ts', seconds: 3 },
        { name: 'b.test.ts', seconds: 2 },
      ],
      ['b.test.ts', 'a.test.ts'],
    ],
    [
      'the one that runs little else',
      [
        { name: 'a.test.ts', seconds: 2, size: 500 },
        { name: 'b.test.ts', seconds: 2, size: 5 },
      ],
      ['b.test.ts', 'a.test.ts'],
    ],
    [
      'the one of the same name',
      [
        { name: 'a.test.ts', seconds: 2 },
        { name: 'tests/orders/total.test.ts', seconds: 9 },
      ],
      ['tests/orders/total.test.ts', 'a.test.ts'],
    ],
    [
      'the one that speaks of the same',
      [
        { name: 'a.test.ts', seconds: 2, text: 'number' },
        { name: 'b.test.ts', seconds: 2.5, text: 'number of the postage that isFree' },
      ],
      ['b.test.ts', 'a.test.ts'],
    ],
    [
      'never one that fails without any fault',
      [
        { name: 'a.test.ts', seconds: 2, failure: 'broken' },
        { name: 'b.test.ts', seconds: 9 },
      ],
      ['b.test.ts'],
    ],
  ])('%s is tried first', (_, given, order) => expect(selected(given, 100)[0]).toEqual(order))

  test.each([
    [1, ['a.test.ts'], ['b.test.ts', 'c.test.ts']],
    [5, ['a.test.ts', 'c.test.ts'], ['b.test.ts']],
    [4, ['a.test.ts'], ['b.test.ts', 'c.test.ts']],
    [22, ['a.test.ts', 'b.test.ts'], ['c.test.ts']],
    [25, ['a.test.ts', 'b.test.ts', 'c.test.ts'], []],
  ])('within %i seconds those are tried that fit, and always the first', (seconds, tried, left) => {
    const given = [
      { name: 'a.test.ts', seconds: 2, size: 1 },
      { name: 'b.test.ts', seconds: 20, size: 1 },
      { name: 'c.test.ts', seconds: 3, size: 900 },
    ]
    expect(selected(given, seconds)).toEqual([tried, left])
  })

  test.each([
    [1, ['a.test.ts'], ['b.test.ts', 'c.test.ts']],
    [2, ['a.test.ts', 'b.test.ts'], ['c.test.ts']],
    [3, ['a.test.ts', 'b.test.ts', 'c.test.ts'], []],
    [4, ['a.test.ts', 'b.test.ts', 'c.test.ts'], []],
  ])('of at most %i the first are tried', (most, tried, left) => {
    const given = ['a', 'b', 'c'].map((name, at) => ({ name: `${name}.test.ts`, seconds: at + 1 }))
    expect(selected(given, 100, most)).toEqual([tried, left])
  })
})
