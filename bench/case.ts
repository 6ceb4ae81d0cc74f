import type { Environment } from './environment.ts'

/** What is measured, with its unit and its digits behind the point. */
export const metrics = {
  cpu: { words: 'CPU', unit: 'ms', digits: 2 },
  rate: { words: 'rate', unit: '/s', digits: 1 },
  p95: { words: 'p95', unit: 'ms', digits: 1 },
  wait: { words: 'longest wait of another call', unit: 'ms', digits: 0 },
  waitP99: { words: 'p99 of other calls', unit: 'ms', digits: 0 },
  growth: { words: 'growth of memory', unit: 'MB', digits: 0 },
  memory: { words: 'memory', unit: 'MB', digits: 0 },
  requests: { words: 'requests', unit: '', digits: 0 },
  transfer: { words: 'transfer', unit: 'kB', digits: 0 },
  time: { words: 'time', unit: 'ms', digits: 0 },
} as const
export type Metric = keyof typeof metrics

/**
 * `cpu` is of all processes that work for one call, portal or peer and PostgreSQL; `rate` is calls a second.
 */
export type Figures = Partial<Record<Metric, number>>

/**
 * A goal of the portal: at most or at least `figure`, in the unit of the metric, or as a multiple of what the
 * contender `of` of the same case, or the portal in the case `ofCase`, reaches.
 */
export type Goal = {
  metric: Metric
  bound: 'most' | 'least'
  figure: number
  of?: string
  ofCase?: string
}

type Options = Pick<Goal, 'of' | 'ofCase'>
export const most = (metric: Metric, figure: number, options: Options = {}): Goal => ({
  metric,
  bound: 'most',
  figure,
  ...options,
})
export const least = (metric: Metric, figure: number, options: Options = {}): Goal => ({
  metric,
  bound: 'least',
  figure,
  ...options,
})

/** 'CPU at most 2 x plain', 'p95 at most 5 ms'. */
export function describeGoal({ metric, bound, figure, of, ofCase }: Goal): string {
  const { words, unit } = metrics[metric]
  const against = of ?? ofCase
  return `${words} at ${bound} ${figure}${against ? ` x ${against}` : unit && ` ${unit}`}`
}

/** Who does the work of a case: 'portal', or a limit or peer that does the same. */
export type Contender = {
  name: string
  /** Brings about what the sample needs; not measured. */
  prepare?(): Promise<unknown>
  /** Works for about so many milliseconds, at least once. */
  sample(millis: number): Promise<Figures>
}

/** One row of the table: what is measured, who does it, and what the portal has to reach. */
export type Case = {
  name: string
  /** The row of docs/growing.md that it is under, where one row stands for several cases. */
  listedAs?: string
  goals: readonly Goal[]
  /** The short form measures it unless this is false. */
  isInShortForm?: boolean
  /** The first beside the portal is the limit: where it is unsteady, so is the row. */
  contenders(it: Environment): Contender[] | Promise<Contender[]>
}

/** Where it is measured: at each size, at the smallest alone, or in a portal without merchants. */
export type Area = { name: string; where: 'each' | 'smallest' | 'empty'; cases: readonly Case[] }

/** The figures of one contender in one case, one item a round; the first round is among them. */
export type Measured = {
  area: string
  case: string
  contender: string
  /** Merchants. */
  size: number
  rounds: Figures[]
}
