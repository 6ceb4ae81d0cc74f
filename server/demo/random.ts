/** Generated data is the same on every machine: a small seeded generator (mulberry32). */
export type Random = {
  /** 0 <= n < 1 */
  next(): number
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  chance(share: number): boolean
  digits(count: number): string
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    pick: (from) => from[whole(0, from.length - 1)]!,
    chance: (share) => next() < share,
    digits: (count) => Array.from({ length: count }, () => whole(0, 9)).join(''),
  }
}
