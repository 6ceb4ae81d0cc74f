import { expect, test } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { provideInboxCount } from '../../../src/api/provide/inboxCount.ts'
import { scripted, signedInCall } from '../../journeys/scripted.ts'

test('who watches how many files wait is told until the watch ends', async () => {
  const server = scripted()
  const call = signedInCall(server)
  const { count, watchWaiting, report } = provideInboxCount(call)
  const told: Record<string, number[]> = { one: [], other: [] }
  const stop = watchWaiting((waiting) => told['one']!.push(waiting))
  watchWaiting((waiting) => told['other']!.push(waiting))
  const actor = createActor(count).start()
  actor.send({ type: 'load' })
  await waitFor(actor, (state) => state.matches('shown'))
  stop()
  report(3)
  expect(told).toEqual({ one: [0], other: [0, 3] })
})
