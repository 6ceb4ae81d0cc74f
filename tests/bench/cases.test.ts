import { describe, expect, it, test } from 'vitest'
import { type Case, describeGoal, least, type Measured, most } from '../../bench/case.ts'
import { areas, describeCases } from '../../bench/cases.ts'
import { pageOf } from '../../bench/results/page.ts'
import { rowsOf, slopesOf } from '../../bench/results/rows.ts'
import { printedSlopes, printedTable } from '../../bench/results/table.ts'
import { sortableFields } from '../../schemas/entities/entity.ts'
import { merchant } from '../../schemas/entities/merchant.ts'
import { read } from '../structure.ts'

const cases = areas.flatMap((area) => area.cases)

describe('the cases of the bench', () => {
  it('are the rows of the table in docs/growing.md, with their goals', () => {
    const [, listing = ''] = read('docs/growing.md').split(/^## /m)
    const rows = [...listing.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
      ([, area, name, goals]) => [area!, name!, goals!],
    )
    const [heads, ...listed] = rows
    expect(heads).toEqual(['area', 'case', 'goals'])
    expect(listed).toEqual(describeCases())
  })

  it('have names of their own', () => {
    const names = cases.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('sort merchants by each column that a list offers, on the first page and on a deep one', () => {
    const names = cases.map(({ name }) => name)
    for (const field of sortableFields(merchant)) {
      expect(names).toContain(`by ${field}, page 1`)
      expect(names).toContain(`by ${field}, deep page of a branch`)
    }
  })

  it('measure themselves by cases that are there', () => {
    const names = cases.map(({ name }) => name)
    const others = cases.flatMap(({ goals }) => goals.flatMap(({ ofCase }) => ofCase ?? []))
    expect(others).not.toEqual([])
    for (const name of others) expect(names).toContain(name)
  })
})

describe('goals', () => {
  test.each([
    [most('cpu', 5), 'CPU at most 5 ms'],
    [most('cpu', 2, { of: 'plain' }), 'CPU at most 2 x plain'],
    [least('rate', 0.75, { of: 'copy' }), 'rate at least 0.75 x copy'],
    [most('cpu', 5, { ofCase: 'merchants, page 1' }), 'CPU at most 5 x merchants, page 1'],
    [most('requests', 12), 'requests at most 12'],
    [most('wait', 50), 'longest wait of another call at most 50 ms'],
  ])('%j reads %s', (goal, words) => {
    expect(describeGoal(goal)).toBe(words)
  })
})

const unsorted: Case = { name: 'unsorted', goals: [most('cpu', 5)], contenders: () => [] }
const sorted: Case = {
  name: 'sorted',
  goals: [most('cpu', 5, { ofCase: 'unsorted' }), least('rate', 0.5, { of: 'plain' })],
  contenders: () => [],
}
const measured = (name: string, contender: string, size: number, ...cpus: number[]): Measured => ({
  area: 'Lists',
  case: name,
  contender,
  size,
  rounds: cpus.map((cpu) => ({ cpu, rate: 1000 / cpu })),
})

describe('results', () => {
  const run = (...all: Measured[]) => rowsOf(all, [unsorted, sorted])
  const goalsAt = (portal: number, plain: number) =>
    run(
      measured('unsorted', 'portal', 10_000, 99, 1, 1, 1),
      measured('sorted', 'portal', 10_000, 99, portal, portal, portal),
      measured('sorted', 'plain', 10_000, 99, plain, plain, plain),
    ).find((row) => row.case === 'sorted')!.goals

  test.each([
    [4.9, true],
    [5, true],
    [5.1, false],
  ])('a goal of 5 times another case is judged at %d times', (portal, reached) => {
    expect(goalsAt(portal, 1)[0]).toMatchObject({ has: portal, reached })
  })

  test.each([
    [1.9, true],
    [2, true],
    [2.1, false],
  ])('a goal of half the rate is judged at %d times the time', (portal, reached) => {
    expect(goalsAt(portal, 1)[1]!.reached).toBe(reached)
  })

  it('take the median of the rounds but the first', () => {
    const [row] = run(measured('unsorted', 'portal', 10_000, 900, 3, 1, 2))
    expect(row!.contenders[0]!.figures.cpu).toEqual({ median: 2, spread: 3, rounds: [3, 1, 2] })
  })

  it('judge no goal whose measure is missing', () => {
    const [row] = run(measured('sorted', 'portal', 10_000, 9, 1, 1))
    expect(row!.goals.map(({ reached }) => reached)).toEqual([null, null])
  })

  it('compare a case with the other case at the same size', () => {
    const rows = run(
      measured('unsorted', 'portal', 10_000, 1, 1, 1),
      measured('unsorted', 'portal', 100_000, 4, 4, 4),
      measured('sorted', 'portal', 100_000, 8, 8, 8),
    )
    expect(rows.find((row) => row.case === 'sorted')!.goals[0]).toMatchObject({ has: 2, reached: true })
  })

  it('call a row unstable by the rounds of the limit, not by those of the portal', () => {
    const withPlain = (plain: number[], portal: number[]) =>
      run(
        measured('sorted', 'portal', 10_000, 1, ...portal),
        measured('sorted', 'plain', 10_000, 1, ...plain),
      )[0]!.unstable
    expect(withPlain([10, 13], [1, 9])).toBe(false)
    expect(withPlain([10, 14], [1, 1])).toBe(true)
  })

  it('stand in the order of the registry and of the sizes', () => {
    const rows = run(
      measured('sorted', 'portal', 100_000, 1),
      measured('unsorted', 'portal', 100_000, 1),
      measured('unsorted', 'portal', 10_000, 1),
    )
    expect(rows.map((row) => [row.case, row.size])).toEqual([
      ['unsorted', 10_000],
      ['unsorted', 100_000],
      ['sorted', 100_000],
    ])
  })
})

describe('the table and the page', () => {
  const rows = rowsOf(
    [
      measured('unsorted', 'portal', 10_000, 9, 2, 2, 2),
      measured('unsorted', 'portal', 100_000, 9, 20, 20, 20),
      measured('sorted', 'portal', 100_000, 9, 400, 400, 400),
      measured('sorted', '<plain>', 100_000, 9, 10, 20, 10),
    ],
    [unsorted, sorted],
  )
  const slopes = slopesOf(rows)

  it('say which goals are met and missed, and by how much', () => {
    const table = printedTable(rows)
    expect(table).toMatch(/unsorted +10,000 +portal +2\.0 .*met: CPU at most 5 ms \(2\.00\)/)
    expect(table).toMatch(/MISSED: CPU at most 5 ms \(20\)/)
    expect(table).toMatch(/not measured: rate at least 0\.5 x plain/)
  })

  it('give the power by which a case grows that has two sizes', () => {
    expect(slopes.find((it) => it.case === 'unsorted')!.slope).toBeCloseTo(1, 10)
    expect(printedSlopes(slopes)).toBe('  1.00  unsorted')
  })

  it('are one file that fetches nothing, with names as text', () => {
    const page = pageOf({ at: '2026-01-01T00:00:00Z', machine: 'a machine', form: 'short', rows, slopes })
    // The library of charts lies between; a failure would print all of it.
    const [head = '', library = '', ...ours] = page.split('<script>')
    expect(library.length).toBeGreaterThan(500_000)
    const own = [head, ...ours].join('')
    expect(own).toContain('<td>&lt;plain></td>')
    expect(own).toContain('"\\u003cplain>"')
    expect(own).not.toMatch(/(?:src|href)=|@import|url\(/)
  })
})
