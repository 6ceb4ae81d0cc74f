import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Call } from '../../../src/api/http.ts'
import { whileQueued } from '../../../src/api/provide/queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the place in the queue is asked for each half second and reported when it changes, until the work is done', async () => {
  const answers = [
    { phase: 'waiting', done: 2, total: null },
    { phase: 'waiting', done: 2, total: null },
    null,
    { phase: 'waiting', done: 0, total: null },
    { phase: 'unknown', done: 0, total: null },
  ]
  const asked: unknown[] = []
  const call = (async (_: unknown, { params }: { params: object }) => {
    asked.push(params)
    const answer = answers.shift()
    if (!answer) throw new Error('away')
    return answer
  }) as unknown as Call
  const told: (number | null)[] = []
  let finish: (result: string) => void = () => {}
  let job = ''
  const work = whileQueued(
    { call, signal: new AbortController().signal, tell: (it) => told.push(it) },
    (id) => {
      job = id
      return new Promise<string>((resolve) => (finish = resolve))
    },
  )
  await vi.advanceTimersByTimeAsync(499)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(2_001)
  expect(told).toEqual([2, 0, null])
  expect(asked).toEqual(Array(5).fill({ job }))
  expect(job).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  finish('the report')
  expect(await work).toBe('the report')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toHaveLength(5)
})
