import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payoutOrigin, type Origin } from '../../money/payoutOrigin.ts'
import { startScenario, endScenario, type Tally } from '../../money/payoutScenario.ts'
import { runSteps, scenarios } from '../../money/payoutSteps.ts'

/**
 * More by hand: MONEY_SCENARIOS=200, others with MONEY_SEED; MONEY_SHRINK=1 looks for a short one that fails.
 */
const numRuns = Number(process.env['MONEY_SCENARIOS'] ?? 12)
const seed = Number(process.env['MONEY_SEED'] ?? 20_260_102)

let origin: Origin
beforeAll(async () => {
  origin = await payoutOrigin()
})
afterAll(() => origin.portal.close())

test('whatever is changed, locked, released, returned and opened again, the portal pays and carries what a second reckoning says', async () => {
  const tally: Tally = new Map()
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ beginning, steps }) => {
      const scenario = await startScenario(origin, beginning, tally)
      try {
        await runSteps(scenario, steps)
      } finally {
        await endScenario(scenario)
      }
    }),
    // Shrinking runs hundreds of scenarios more.
    { numRuns, seed, endOnFailure: process.env['MONEY_SHRINK'] === undefined },
  )
  if (process.env['MONEY_SCENARIOS']) console.log(tally)
  // Scenarios without a payment or a reopening would prove nothing.
  const steps = [
    'pay, paid',
    'bookReturn, paid',
    'whole release returned',
    'correct, paid',
    'taken over',
    'taken back',
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
    'adjustment changed',
    'adjustment moved',
    'adjustment deleted',
    'toggleOffice',
    'togglePayOnInactive',
    'changeTerms',
    'status 2',
    'status 3',
    'locked again, the same hash',
    'perTransaction',
    'perAgentMonth',
    'agent deleted',
    'agent kept',
    'many: masteragentid',
    'many undone',
  ]
  expect(steps.filter((step) => !tally.get(step))).toEqual([])
}, 3_600_000)
