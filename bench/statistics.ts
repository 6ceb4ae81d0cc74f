/** The middle of some numbers; of an even count the greater of the two in the middle. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** The number that `share` (0 to 1) of the numbers do not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))]!
}

/** The largest of some numbers over the smallest; 1 where nothing was measured. */
export function spread(numbers: readonly number[]): number {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (numbers.length === 0 || most === least) return 1
  return least > 0 ? most / least : Infinity
}

/** A limit that differs by more than this between rounds is no measure for others. */
const steadySpread = 1.3
export const isUnstable = (numbers: readonly number[]): boolean => spread(numbers) > steadySpread

/**
 * The rounds but the first, the warm-up, in which code is compiled and caches are filled; a single one
 * stays.
 */
export const withoutWarmUp = <T>(rounds: readonly T[]): readonly T[] =>
  rounds.length > 1 ? rounds.slice(1) : rounds

/**
 * The items in the order of a round: each begins with another item, every second one goes backwards, so that
 * nobody always comes after the same other one.
 */
export function orderOfRound<T>(items: readonly T[], round: number): T[] {
  if (items.length === 0) return []
  const begin = Math.floor(round / 2) % items.length
  const turned = [...items.slice(begin), ...items.slice(0, begin)]
  return round % 2 === 1 ? turned.toReversed() : turned
}

export type Point = { size: number; figure: number }

/**
 * By which power of the size a figure grows, fitted over all sizes: 0 for the same at any size, 1 for twice
 * at twice the size. Null for fewer than two sizes, and for figures that are not above 0.
 */
export function slopeOf(points: readonly Point[]): number | null {
  if (new Set(points.map(({ size }) => size)).size < 2) return null
  if (points.some(({ size, figure }) => size <= 0 || figure <= 0)) return null
  const x = points.map(({ size }) => Math.log(size))
  const y = points.map(({ figure }) => Math.log(figure))
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const [middleX, middleY] = [mean(x), mean(y)]
  const above = x.reduce((sum, one, at) => sum + (one - middleX) * (y[at]! - middleY), 0)
  return above / x.reduce((sum, one) => sum + (one - middleX) ** 2, 0)
}
