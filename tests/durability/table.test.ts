import { describe, expect, test } from 'vitest'
import { newOutcome, type Outcome } from './fault.ts'
import { complaintsOf, tableOf, type Row } from './table.ts'

const good: Outcome = { tried: 500, acknowledged: 1_500, found: 1_500, half: 0, problems: [] }
const row = (outcome: Outcome | string): Row => ({ name: 'lock', what: 'kill -9 in mid-lock', outcome })

describe('the table of faults', () => {
  test('has a line for each fault with what is lost, and why one was not tried', () => {
    expect(tableOf([row({ ...good, found: 1_497, half: 2 }), row('needs root and loop devices')])).toBe(
      [
        '| fault | times tried | acknowledged | found | lost | half-stored |',
        '|---|--:|--:|--:|--:|--:|',
        '| kill -9 in mid-lock | 500 | 1,500 | 1,497 | 3 | 2 |',
        '| kill -9 in mid-lock | not run: needs root and loop devices | | | | |',
      ].join('\n'),
    )
  })

  test.each<[string, Partial<Outcome>, string[]]>([
    ['of which everything was found', {}, []],
    ['that lost one', { found: 1_499 }, ['lock: 1 of 1500 acknowledged are lost']],
    [
      'that found more than was acknowledged',
      { found: 1_501 },
      ['lock: 1 more than acknowledged were found'],
    ],
    ['that left one half', { half: 1 }, ['lock: 1 are half-stored']],
    ['with a sentence', { problems: ['it ended with 1'] }, ['lock: it ended with 1']],
    ['that acknowledged nothing', newOutcome(), ['lock: nothing was acknowledged, so nothing was shown']],
  ])('ends with an error after a fault %s as it must', (_, change, complaints) => {
    expect(complaintsOf([row({ ...good, ...change })])).toEqual(complaints)
  })

  test('ends without an error where a fault cannot be tried', () => {
    expect(complaintsOf([row('needs Chromium')])).toEqual([])
  })
})
