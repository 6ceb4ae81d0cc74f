import { describe, expect, it } from 'vitest'
import { exists, read } from './structure.ts'

const pages = ['docs/promises.md', 'docs/asvs.md', 'docs/inventory.md']

/** The files that a page names: 'tests/testPortal.ts' of '`tests/testPortal.ts`'. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|md|sql|json)|package[\w-]*\.json)`/g)].map(
    ([, path]) => path!,
  )

/**
 * The last requirement of levels 1 and 2 of each section of ASVS 5.0.0; those before it in its section are
 * of these levels, too.
 */
const lastNumbers = `
  1.1.2 1.2.9 1.3.11 1.4.3 1.5.2
  2.1.3 2.2.3 2.3.4 2.4.1
  3.2.2 3.3.4 3.4.6 3.5.5 3.7.2
  4.1.3 4.2.1 4.3.2 4.4.4
  5.1.1 5.2.3 5.3.2 5.4.3
  6.1.3 6.2.12 6.3.4 6.4.4 6.5.5 6.6.3 6.8.4
  7.1.3 7.2.4 7.3.2 7.4.5 7.5.2 7.6.2
  8.1.2 8.2.3 8.3.1 8.4.1
  9.1.3 9.2.4
  10.1.2 10.2.2 10.3.4 10.4.11 10.5.5 10.6.2 10.7.3
  11.1.2 11.2.3 11.3.3 11.4.4 11.5.1 11.6.1
  12.1.3 12.2.2 12.3.4
  13.1.1 13.2.5 13.3.2 13.4.5
  14.1.2 14.2.4 14.3.3
  15.1.3 15.2.3 15.3.7
  16.1.1 16.2.5 16.3.4 16.4.3 16.5.3
  17.1.1 17.2.4 17.3.2
`
const numbers = lastNumbers
  .trim()
  .split(/\s+/)
  .flatMap((last) => {
    const section = last.slice(0, last.lastIndexOf('.'))
    return Array.from({ length: Number(last.slice(section.length + 1)) }, (_, at) => `${section}.${at + 1}`)
  })

const states = ['met', 'met, untested', 'not applicable', 'gap']
type Row = { numbers: string[]; state: string; where: string }
const expand = (text: string): string[] => {
  const [first, last] = text.split(' to ')
  return last ? numbers.slice(numbers.indexOf(first!), numbers.indexOf(last) + 1) : [first!]
}
const rowsIn = (text: string): Row[] =>
  [...text.matchAll(/^\| (\d+\.\d+\.\d+(?: to \S+)?) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, written, state, where]) => ({ numbers: expand(written!), state: state!, where: where! }),
  )

/** Rows of the table of counts: the chapter, 'all' for the sum, and its five numbers. */
const countsIn = (text: string) =>
  [...text.matchAll(/^\| (?:(\d+) [^|]+|\*\*(all)\*\*) \|((?: \d+ \|){5})$/gm)].map(
    ([, chapter, all, cells]) => ({
      chapter: chapter ?? all!,
      counts: cells!.match(/\d+/g)!.map(Number),
    }),
  )

const asvs = read('docs/asvs.md')
const rows = rowsIn(asvs)

describe('the promises', () => {
  it.each(pages)('of %s name files that exist', (page) => {
    const paths = pathsIn(read(page))
    if (page !== 'docs/inventory.md') expect(paths.length).toBeGreaterThan(50)
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })

  it('each name a rule of docs/product, and a test', () => {
    const table = read('docs/promises.md')
      .split('\n')
      .filter((line) => /^\| [A-Z]/.test(line))
    expect(table.length).toBeGreaterThan(40)
    const isWhole = (line: string) =>
      /\| \([a-z]+ \d+(?:, [a-z]+ \d+)*\) \|/.test(line) && /`tests\/\S+\.test\.tsx?`/.test(line)
    expect(table.filter((line) => !isWhole(line))).toEqual([])
  })

  it('have at most 200 lines', () => {
    expect(read('docs/promises.md').split('\n').length).toBeLessThanOrEqual(200)
  })
})

describe('the page of ASVS', () => {
  it('has every requirement of levels 1 and 2 once, in their order', () => {
    expect(numbers).toHaveLength(253)
    expect(rows.flatMap((row) => row.numbers)).toEqual(numbers)
  })

  it('says of what is met where that is seen, and of the others why', () => {
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([])
    const isShown = ({ state, where }: Row) => {
      const paths = pathsIn(where)
      if (state === 'met') return paths.some((path) => /^(tests|docs)\//.test(path))
      if (state === 'met, untested') return paths.some((path) => !/^(tests|docs)\//.test(path))
      return where.trim() !== ''
    }
    expect(rows.filter((row) => !isShown(row))).toEqual([])
  })

  it('states for each chapter, and for all, how many requirements its rows have in each state', () => {
    const countsOf = (chosen: Row[]) => {
      const byState = states.map((state) =>
        chosen.filter((row) => row.state === state).reduce((sum, row) => sum + row.numbers.length, 0),
      )
      return [...byState, byState.reduce((sum, count) => sum + count, 0)]
    }
    const chapters = [...new Set(numbers.map((number) => number.split('.')[0]!))]
    expect(countsIn(asvs)).toEqual([
      ...chapters.map((chapter) => ({
        chapter,
        counts: countsOf(rows.filter((row) => row.numbers[0]!.startsWith(`${chapter}.`))),
      })),
      { chapter: 'all', counts: countsOf(rows) },
    ])
  })

  it('names each gap once in the list of consequences', () => {
    const list = asvs.split('## The gaps')[1]!.split('\n## ')[0]!
    const named = [...list.matchAll(/^\| (\d[\d., ]*)/gm)].flatMap(([, cell]) =>
      cell!.match(/\d+\.\d+\.\d+/g)!,
    )
    const gaps = rows.filter(({ state }) => state === 'gap').flatMap((row) => row.numbers)
    expect(named.toSorted()).toEqual(gaps.toSorted())
  })
})
