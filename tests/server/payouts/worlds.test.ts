import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payoutOrigin, type Origin } from '../../money/payoutOrigin.ts'
import { beginPlay, endPlay, type Tally } from '../../money/payoutPlay.ts'
import { playSteps, worlds } from '../../money/payoutSteps.ts'

/**
 * More by hand: MONEY_WORLDS=200, others with MONEY_SEED; MONEY_SHRINK=1 looks for a short one that fails.
 */
const numRuns = Number(process.env['MONEY_WORLDS'] ?? 12)
const seed = Number(process.env['MONEY_SEED'] ?? 20_260_102)

let origin: Origin
beforeAll(async () => {
  origin = await payoutOrigin()
})
afterAll(() => origin.portal.close())

test('whatever is changed, locked, released, returned and opened again, the portal pays and carries what a second reckoning says', async () => {
  const tally: Tally = new Map()
  await fc.assert(
    fc.asyncProperty(worlds, async ({ beginning, steps }) => {
      const play = await beginPlay(origin, beginning, tally)
      try {
        await playSteps(play, steps)
      } finally {
        await endPlay(play)
      }
    }),
    // Shrinking plays hundreds of worlds more.
    { numRuns, seed, endOnFailure: process.env['MONEY_SHRINK'] === undefined },
  )
  if (process.env['MONEY_WORLDS']) console.log(tally)
  // A world that never pays, or is never opened again, would prove nothing.
  for (const step of [
    'pay, paid',
    'bookReturn, paid',
    'correct, paid',
    'taken over',
    'late, accepted',
    'late, refused',
    'file undone',
    'terminal changed',
    'subscription with terms',
    'a loss is the house’s',
    'a closed run',
    'paid in 2025',
    'paid in 2026',
    'lockNext',
    'enterAccount',
    'hold',
    'holdInForm',
  ])
    expect(tally.get(step), step).toBeGreaterThan(0)
}, 3_600_000)
