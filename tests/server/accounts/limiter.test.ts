import { describe, expect, test } from 'vitest'
import { createLimiter } from '../../../server/accounts/limiter.ts'

/** Work whose beginning is recorded, and whose end the test decides. */
function begin(most: number, count: number) {
  const limit = createLimiter(most)
  const begun: number[] = []
  const ends: ((isFailure: boolean) => void)[] = []
  const add = (number: number) =>
    limit(async () => {
      begun.push(number)
      await new Promise<void>((resolve, reject) => {
        ends[number] = (isFailure) => (isFailure ? reject(new Error('failed')) : resolve())
      })
      return number
    })
  const answers = Array.from({ length: count }, (_, number) => add(number))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { begun, ends, answers, settled, add }
}

describe('of works that are limited', () => {
  test.each([
    [1, 3],
    [4, 3],
    [4, 4],
    [4, 5],
    [4, 12],
  ])('to %i at a time %i run no more at once and all in turn, also after failures', async (most, count) => {
    const { begun, ends, answers, settled, add } = begin(most, count)
    for (const [number, answer] of answers.entries()) {
      await settled()
      expect(begun).toEqual(Array.from({ length: Math.min(count, most + number) }, (_, at) => at))
      ends[number]!(number % 3 === 1)
      if (number % 3 === 1) await expect(answer).rejects.toThrow('failed')
      else expect(await answer).toBe(number)
    }
    await settled()
    const again = Array.from({ length: most + 1 }, (_, at) => add(count + at))
    await settled()
    expect(begun).toHaveLength(count + most)
    for (const [at, answer] of again.entries()) {
      await settled()
      ends[count + at]!(false)
      await answer
    }
  })

  test('one that comes as another ends does not overtake those that wait', async () => {
    const { begun, ends, answers, settled, add } = begin(1, 2)
    await settled()
    ends[0]!(false)
    await answers[0]
    const late = add(2)
    await settled()
    expect(begun).toEqual([0, 1])
    ends[1]!(false)
    await settled()
    ends[2]!(false)
    expect(await late).toBe(2)
  })
})
