import { type Case, describeGoal, type Goal, type Measured, type Metric, metrics } from '../case.ts'
import { isUnstable, withoutWarmUp, median, type Point, slopeOf, spread } from '../statistics.ts'

/** One figure over its rounds. */
export type Summed = { median: number; spread: number; rounds: number[] }
export type Contended = { name: string; figures: Partial<Record<Metric, Summed>> }
type Reached = {
  goal: string
  /** What the portal has, in the goal's unit or as a multiple; null where it was not measured. */
  has: number | null
  reached: boolean | null
}
/** A case at one size: the portal and the others, and what became of its goals. */
export type Row = {
  area: string
  case: string
  size: number
  contenders: Contended[]
  goals: Reached[]
  /** The limit's own rounds differ too much to measure others by it. */
  unstable: boolean
}
/** By which power of the merchants the CPU of the portal grows; null for one size. */
export type Slope = { area: string; case: string; points: Point[]; slope: number | null }

function sumUp({ contender, rounds }: Measured): Contended {
  const figures: Contended['figures'] = {}
  for (const metric of Object.keys(metrics) as Metric[]) {
    const found = withoutWarmUp(rounds).flatMap((round) => round[metric] ?? [])
    if (found.length > 0) figures[metric] = { median: median(found), spread: spread(found), rounds: found }
  }
  return { name: contender, figures }
}

const figureOf = (row: Row | undefined, contender: string, metric: Metric): number | undefined =>
  row?.contenders.find(({ name }) => name === contender)?.figures[metric]?.median

/** What became of a goal at one size; `rows` are all of that size. */
export function judge(row: Row, goal: Goal, rows: readonly Row[]): Reached {
  const has = figureOf(row, 'portal', goal.metric)
  const against = goal.of
    ? figureOf(row, goal.of, goal.metric)
    : goal.ofCase
      ? figureOf(
          rows.find((one) => one.case === goal.ofCase && one.size === row.size),
          'portal',
          goal.metric,
        )
      : 1
  const words = { goal: describeGoal(goal) }
  if (has === undefined || against === undefined || against === 0)
    return { ...words, has: null, reached: null }
  const ratio = has / against
  const reached = goal.bound === 'most' ? ratio <= goal.figure : ratio >= goal.figure
  return { ...words, has: ratio, reached }
}

/** The metric by which a limit is judged steady: that of the first goal, else CPU. */
const steadyMetric = (it: Case): Metric => it.goals[0]?.metric ?? 'cpu'

/** The rows of a run, in the order of the registry and of the sizes. */
export function rowsOf(measured: readonly Measured[], cases: readonly Case[]): Row[] {
  const rows: Row[] = []
  for (const one of measured) {
    const isSame = (row: Row) => row.area === one.area && row.case === one.case && row.size === one.size
    let row = rows.find(isSame)
    if (!row) {
      row = { area: one.area, case: one.case, size: one.size, contenders: [], goals: [], unstable: false }
      rows.push(row)
    }
    row.contenders.push(sumUp(one))
  }
  const byName = new Map(cases.map((it) => [it.name, it]))
  const place = new Map(cases.map((it, at) => [it.name, at]))
  for (const row of rows) {
    const it = byName.get(row.case)!
    row.goals = it.goals.map((goal) => judge(row, goal, rows))
    const limit = row.contenders.find(({ name }) => name !== 'portal')
    row.unstable = isUnstable(limit?.figures[steadyMetric(it)]?.rounds ?? [])
  }
  return rows.toSorted((a, b) => place.get(a.case)! - place.get(b.case)! || a.size - b.size)
}

/** How the CPU of each case grows with the merchants. */
export function slopesOf(rows: readonly Row[]): Slope[] {
  const slopes = new Map<string, Slope>()
  for (const row of rows) {
    const figure = figureOf(row, 'portal', 'cpu')
    if (figure === undefined) continue
    const known = slopes.get(row.case) ?? { area: row.area, case: row.case, points: [], slope: null }
    known.points.push({ size: row.size, figure })
    slopes.set(row.case, known)
  }
  return [...slopes.values()].map((it) => ({ ...it, slope: slopeOf(it.points) }))
}
