import { expect, test } from 'vitest'
import { sumDollars } from '../../schemas/dollars.ts'

test.each([
  [[], 0],
  [[0.1, 0.2], 0.3],
  [[0.57, 0.58], 1.15],
  [[1.1, 1.1, 1.1, 0.07], 3.37],
  [[1.005, -1.005], 0],
  [[58_309.68, -58_309.7], -0.02],
  [[90_071_992_547.4, 0.99], 90_071_992_548.39],
])('the dollars %j are %d', (amounts, sum) => expect(sumDollars(amounts)).toBe(sum))
