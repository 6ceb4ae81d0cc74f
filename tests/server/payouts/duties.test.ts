import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dutyOrigin, dutyPortal, type DutyOrigin } from '../../money/duty/dutyPortal.ts'
import { dutyScenarios, runDutySteps, type DutyTally } from '../../money/duty/dutySteps.ts'

/**
 * More by hand: MONEY_SCENARIOS=200, others with MONEY_SEED; MONEY_SHRINK=1 looks for a short one that fails.
 */
const numRuns = Number(process.env['MONEY_SCENARIOS'] ?? 10)
const seed = Number(process.env['MONEY_SEED'] ?? 20_260_110)

let origin: DutyOrigin
beforeAll(async () => {
  origin = await dutyOrigin()
})
afterAll(() => origin.portal.close())

test('whatever two to four people may and try, nobody changes their own pay, nor redirects a payment and approves or releases it', async () => {
  const tally: DutyTally = new Map()
  await fc.assert(
    fc.asyncProperty(dutyScenarios, async ({ cast, ...scenario }) => {
      const portal = await dutyPortal(origin, cast)
      try {
        await runDutySteps(portal, scenario, tally)
      } finally {
        await portal.close()
      }
    }),
    { numRuns, seed, endOnFailure: process.env['MONEY_SHRINK'] === undefined },
  )
  if (process.env['MONEY_SCENARIOS']) console.log(tally)
  // Scenarios in which nothing of this was tried would prove nothing.
  const tried = [
    'approve: own lock',
    'approve: done, reported',
    'approve: done, without own changes',
    'decideAccount: own account',
    'payee: refused, own chain',
    'release: done',
    'takeOver: done',
    'takeOver: done, back',
    'unhold: own hold',
    'unhold: done',
  ]
  expect(tried.filter((what) => !tally.get(what))).toEqual([])
}, 3_600_000)
