import { describe, expect, test } from 'vitest'
import { createLimiter } from '../../server/limiter.ts'

/** Work whose beginning is recorded, and whose end the test decides. */
function begin(most: number, count: number) {
  const limit = createLimiter(most)
  const begun: number[] = []
  const ends: ((isFailure: boolean) => void)[] = []
  const add = (number: number, signal?: AbortSignal) =>
    limit(async () => {
      begun.push(number)
      await new Promise<void>((resolve, reject) => {
        ends[number] = (isFailure) => (isFailure ? reject(new Error('failed')) : resolve())
      })
      return number
    }, signal)
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

  test('one whose signal was aborted before is refused at once, while others run, and never begins', async () => {
    const { begun, ends, answers, settled, add } = begin(1, 1)
    await settled()
    await expect(add(1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    const next = add(2)
    ends[0]!(false)
    await answers[0]
    await settled()
    expect(begun).toEqual([0, 2])
    ends[2]!(false)
    expect(await next).toBe(2)
  })

  test('one that waits is refused at once when its signal aborts, never begins, and the next has its turn', async () => {
    const { begun, ends, answers, settled, add } = begin(1, 1)
    const gone = new AbortController()
    const leaving = add(1, gone.signal)
    const next = add(2, new AbortController().signal)
    await settled()
    gone.abort(new Error('gone'))
    await expect(leaving).rejects.toThrow('gone')
    expect(begun).toEqual([0])
    ends[0]!(false)
    await answers[0]
    await settled()
    expect(begun).toEqual([0, 2])
    ends[2]!(false)
    expect(await next).toBe(2)
  })

  test('one that is aborted in the turn in which another ends leaves its place to the next', async () => {
    const { begun, ends, answers, settled, add } = begin(1, 1)
    const gone = new AbortController()
    const leaving = add(1, gone.signal)
    const next = add(2)
    await settled()
    ends[0]!(false)
    gone.abort(new Error('gone'))
    await expect(leaving).rejects.toThrow('gone')
    await answers[0]
    await settled()
    expect(begun).toEqual([0, 2])
    ends[2]!(false)
    expect(await next).toBe(2)
  })

  test('one that has begun keeps its place until it ends, although its signal aborts', async () => {
    const { begun, ends, answers, settled, add } = begin(1, 0)
    const gone = new AbortController()
    const running = add(0, gone.signal)
    const next = add(1)
    await settled()
    gone.abort(new Error('gone'))
    await settled()
    expect({ begun, answers }).toEqual({ begun: [0], answers: [] })
    ends[0]!(false)
    expect(await running).toBe(0)
    await settled()
    expect(begun).toEqual([0, 1])
    ends[1]!(false)
    expect(await next).toBe(1)
  })
})
