import { describe, expect, it, test } from 'vitest'
import {
  isUnstable,
  withoutWarmUp,
  median,
  orderOfRound,
  percentile,
  slopeOf,
  spread,
} from '../../bench/statistics.ts'

describe('the median', () => {
  test.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 3],
    [[10, 9, 100, 8, 7], 9],
  ])('of %j is %d', (numbers, expected) => {
    expect(median(numbers)).toBe(expected)
  })

  it('leaves the numbers in their order', () => {
    const numbers = [3, 1, 2]
    median(numbers)
    expect(numbers).toEqual([3, 1, 2])
  })
})

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at)

  test.each([
    [0.95, 95],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('at %d of the numbers from 1 to 100 is %d', (share, expected) => {
    expect(percentile(hundred, share)).toBe(expected)
  })

  it('of one number is that number', () => {
    expect(percentile([7], 0.95)).toBe(7)
  })
})

describe('the spread', () => {
  test.each([
    [[2, 2, 2], 1],
    [[2, 3], 1.5],
    [[5, 1, 4], 5],
    [[], 1],
    [[0, 0], 1],
    [[0, 1], Infinity],
  ])('of %j is %d', (numbers, expected) => {
    expect(spread(numbers)).toBe(expected)
  })

  test.each([
    ['below 1.3', [100, 129], false],
    ['of exactly 1.3', [10, 13], false],
    ['above 1.3', [100, 131], true],
    ['of no rounds', [], false],
  ])('%s: a limit is called unstable only above 1.3', (_, rounds, expected) => {
    expect(isUnstable(rounds)).toBe(expected)
  })
})

describe('rounds', () => {
  it('are counted without the first', () => {
    expect(withoutWarmUp([9, 1, 2])).toEqual([1, 2])
  })

  it('are all counted where there is one alone', () => {
    expect(withoutWarmUp([9])).toEqual([9])
    expect(withoutWarmUp([])).toEqual([])
  })

  it('measure everybody once each, in an order that changes', () => {
    const names = ['portal', 'plain', 'bare']
    const orders = Array.from({ length: 6 }, (_, round) => orderOfRound(names, round))
    for (const order of orders) expect(order.toSorted()).toEqual(names.toSorted())
    expect(new Set(orders.map((order) => order.join())).size).toBe(6)
    expect(orders[0]).toEqual(names)
    expect(orders[1]).toEqual(names.toReversed())
  })

  it('let each of two begin in every second round', () => {
    const first = Array.from({ length: 8 }, (_, round) => orderOfRound(['a', 'b'], round)[0])
    expect(first.filter((name) => name === 'a')).toHaveLength(4)
  })

  it('of nobody have no order', () => {
    expect(orderOfRound([], 3)).toEqual([])
  })
})

describe('the slope', () => {
  const at = (...figures: number[]) => figures.map((figure, n) => ({ size: 10 ** (n + 4), figure }))

  test.each([
    ['the same at any size', at(2, 2, 2), 0],
    ['in proportion', at(2, 20, 200), 1],
    ['by the square', at(1, 100), 2],
    ['by the root', at(3, 3 * Math.sqrt(10), 30), 0.5],
    ['less at more', at(100, 10), -1],
  ])('of figures that are %s is fitted', (_, points, expected) => {
    expect(slopeOf(points)).toBeCloseTo(expected, 10)
  })

  it('of figures between two powers lies between them', () => {
    const slope = slopeOf(at(1, 1, 10))!
    expect(slope).toBeGreaterThan(0.4)
    expect(slope).toBeLessThan(0.6)
  })

  it('needs two sizes, and figures above 0', () => {
    expect(slopeOf(at(5))).toBeNull()
    expect(slopeOf([])).toBeNull()
    expect(
      slopeOf([
        { size: 10, figure: 1 },
        { size: 10, figure: 3 },
      ]),
    ).toBeNull()
    expect(slopeOf(at(0, 5))).toBeNull()
  })
})
