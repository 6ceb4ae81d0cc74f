import { type Metric, metrics } from '../case.ts'
import type { Contended, Row, Slope } from './rows.ts'

const shown = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** '12.34 ms' of a figure; '' where it was not measured. */
const figure = (it: Contended | undefined, metric: Metric): string => {
  const found = it?.figures[metric]
  return found ? shown(found.median, found.median < 1 ? 2 : found.median < 100 ? 1 : 0) : ''
}

/** The figures of a contender that are neither CPU, rate nor p95, in words. */
const others = (it: Contended): string[] =>
  (Object.keys(it.figures) as Metric[])
    .filter((metric) => !['cpu', 'rate', 'p95'].includes(metric))
    .map((metric) => `${metrics[metric].words} ${figure(it, metric)} ${metrics[metric].unit}`.trim())

const heads = ['case', 'merchants', 'who', 'CPU ms', 'a second', 'p95 ms', 'spread', 'goal']
const rightAligned = new Set([1, 3, 4, 5, 6])

/** What became of the goals of a case, in words: 'met: CPU at most 5 ms (3.20)'. */
const goalsOf = (row: Row): string =>
  row.goals
    .map(({ goal, has, reached }) => {
      const state = reached === null ? 'not measured' : reached ? 'met' : 'MISSED'
      return `${state}: ${goal}${has === null ? '' : ` (${shown(has, has < 10 ? 2 : 0)})`}`
    })
    .join('; ')

/** The cells of a row: a line for each contender. */
export function linesOf(row: Row): string[][] {
  return row.contenders.map((it, at) => {
    const spreads = Object.values(it.figures).map(({ spread }) => spread)
    const first = it.figures.cpu?.spread ?? spreads[0] ?? 1
    const beside = at === 0 ? [goalsOf(row), row.unstable && 'unstable'] : []
    return [
      at === 0 ? row.case : '',
      at === 0 ? row.size.toLocaleString('en-US') : '',
      it.name,
      figure(it, 'cpu'),
      figure(it, 'rate'),
      figure(it, 'p95'),
      Number.isFinite(first) ? first.toFixed(2) : 'wide',
      [...beside, ...others(it)].filter((part) => typeof part === 'string' && part !== '').join('; '),
    ]
  })
}

/** The table that is printed: CPU first; spread is the largest round over the smallest. */
export function printedTable(rows: readonly Row[]): string {
  const lines = [heads, ...rows.flatMap(linesOf)]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const print = (line: readonly string[]) =>
    line
      .map((cell, at) => (rightAligned.has(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd()
  return lines.map(print).join('\n')
}

/** How the CPU of each case grows: 0 for the same at any size, 1 for in proportion. */
export const printedSlopes = (slopes: readonly Slope[]): string =>
  slopes
    .filter(({ slope }) => slope !== null)
    .map((it) => `${it.slope!.toFixed(2).padStart(6)}  ${it.case}`)
    .join('\n')
