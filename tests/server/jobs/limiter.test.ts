import { describe, expect, test } from 'vitest'
import { createLimiter, type Turn } from '../../../server/jobs/limiter.ts'

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
    }, signal && { signal })
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

/** Works of several users, named 'ann 1', each of which ends when the test says so. */
function ofUsers(most: number, perUser?: number) {
  const limit = createLimiter(most, perUser)
  const begun: string[] = []
  const told: Record<string, number[]> = {}
  const ends: Record<string, () => void> = {}
  const add = (name: string, turn: Turn = {}) => {
    const onWait = (before: number) => void (told[name] ??= []).push(before)
    return limit(
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => (ends[name] = resolve))
      },
      { user: name.split(' ')[0]!, onWait, ...turn },
    )
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    ends[name]!()
    await settled()
  }
  return { begun, told, add, end, settled }
}

describe('users', () => {
  test('take turns: who comes after a hundred works of another waits for one of them', async () => {
    const { begun, add, end, settled } = ofUsers(1)
    for (let number = 1; number <= 100; number += 1) void add(`ann ${number}`)
    void add('bob 1')
    void add('bob 2')
    void add('eve 1')
    await settled()
    await end('ann 1')
    await end('ann 2')
    await end('bob 1')
    await end('eve 1')
    await end('ann 3')
    expect(begun).toEqual(['ann 1', 'ann 2', 'bob 1', 'eve 1', 'ann 3', 'bob 2'])
  })

  test.each([1, 2, 3])('of whom each runs at most %i leave the other places free', async (perUser) => {
    const { begun, add, end, settled } = ofUsers(4, perUser)
    for (let number = 1; number <= 9; number += 1) void add(`ann ${number}`)
    await settled()
    expect(begun).toHaveLength(perUser)
    void add('bob 1')
    await settled()
    expect(begun.at(-1)).toBe('bob 1')
    await end('ann 1')
    expect(begun.at(-1)).toBe(`ann ${perUser + 1}`)
    expect(begun).toHaveLength(perUser + 2)
  })

  test('are sent how many begin before them, at once and when it changes', async () => {
    const { told, add, end, settled } = ofUsers(1)
    const gone = new AbortController()
    void add('ann 1')
    void add('ann 2')
    void add('ann 3')
    const leaving = add('bob 1', { signal: gone.signal })
    void add('eve 1')
    await settled()
    // ann 2, bob 1, eve 1, ann 3
    expect(told).toEqual({ 'ann 2': [0], 'ann 3': [1, 2, 3], 'bob 1': [1], 'eve 1': [2] })
    gone.abort(new Error('gone'))
    await expect(leaving).rejects.toThrow('gone')
    expect(told['eve 1']).toEqual([2, 1])
    await end('ann 1')
    expect(told).toMatchObject({ 'ann 2': [0], 'ann 3': [1, 2, 3, 2, 1], 'eve 1': [2, 1, 0] })
  })
})

test.each([0, -1, 1.5, Number.NaN])('a limit of %d is refused', (limit) => {
  expect(() => createLimiter(limit)).toThrow(TypeError)
  expect(() => createLimiter(4, limit)).toThrow(TypeError)
})
