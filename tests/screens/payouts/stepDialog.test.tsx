import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { monthMachine, type MonthView, type ViewRequest } from '../../../machines/month.machine.ts'
import type { Payout } from '../../../schemas/api/months/months.ts'
import { StepDialog } from '../../../src/features/payouts/StepDialog.tsx'
import { payoutOf, release } from '../month/monthData.ts'

/** The question before a step is done with these payouts. */
const ask = async (step: 'approve' | 'reopen', payout: Payout) => {
  const month = { month: payout.month, state: payout.state, version: payout.version }
  const view: MonthView = {
    months: [month],
    month,
    payout,
    released: payout,
    differences: null,
    detail: null,
  }
  const machine = monthMachine.provide({
    actors: { view: fromPromise<MonthView, ViewRequest>(async () => view) },
  })
  const allowed = { type: true, settle: true, reopen: true }
  const actor = createActor(machine, { input: { allowed, wanted: null } }).start()
  actor.send({ type: 'load' })
  await waitFor(actor, (state) => state.can({ type: step }))
  actor.send({ type: step })
  render(<StepDialog snapshot={actor.getSnapshot()} send={actor.send} />)
}

test.each([
  [[12], '1 payee'],
  [[12, 0, 5], '2 payees'],
])('who approves payouts of %j is told of %s', async (payables, payees) => {
  const [entry] = payoutOf({}).entries
  const entries = payables.map((payable, n) => ({ ...entry!, masteragentid: n + 2, payable }))
  await ask('approve', payoutOf({ entries }))
  expect(
    await screen.findByText(new RegExp(` are paid to ${payees} once they are released\\.`)),
  ).toBeVisible()
})

test.each<[string, number[], string]>([
  ['nothing', [], 'Nothing of it was released yet.'],
  ['$0.30', [0.1, 0.2], '$0.30 were released and stay paid: the next version pays only what is missing.'],
])(
  'who opens a month again of which %s was released is told what that means',
  async (_, totals, sentence) => {
    const releases = totals.map((total, id) => ({ ...release, id, total }))
    await ask('reopen', payoutOf({ version: 3, releases }))
    const text = `${sentence} Agents have seen their statements of version 3, which is kept.`
    expect(await screen.findByText(text)).toBeVisible()
  },
)
