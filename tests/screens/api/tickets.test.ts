import { expect, test } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { provideTickets } from '../../../src/api/provide/fetched/tickets.ts'
import { scripted, signedInCall } from '../../journeys/scripted.ts'

const route = '/api/v1/ticket/7'
const stored = (version: number) => ({ body: { id: 7, version, subject: 'It is silent', statusid: 1 } })

test('a ticket is saved with the version that was seen, and overwritten with the one that is there now', async () => {
  const server = scripted({
    [`GET ${route}`]: stored(3),
    [`PUT ${route}`]: { status: 409, body: { error: 'Somebody else changed it', code: 'stale' } },
  })
  const call = signedInCall(server)
  const allowed = { create: false, open: true, remove: true }
  const actor = createActor(provideTickets(call).modal, { input: { allowed } }).start()
  const sent = () => server.calls.splice(0).map(({ method, path, body }) => [method, path, body])
  actor.send({ type: 'open', id: 7 })
  await waitFor(actor, (state) => state.matches('editing'))
  expect(sent()).toEqual([['GET', route, undefined]])

  actor.send({ type: 'save', draft: { statusid: 2 } })
  await waitFor(actor, (state) => state.matches('stale'))
  expect(sent()).toEqual([['PUT', route, { statusid: 2, version: 3 }]])

  server.answer(`GET ${route}`, stored(5))
  server.answer(`PUT ${route}`, stored(6))
  actor.send({ type: 'overwrite', draft: { statusid: 2 } })
  await waitFor(actor, (state) => state.matches('closed'))
  expect(sent()).toEqual([
    ['GET', route, undefined],
    ['PUT', route, { statusid: 2, version: 5 }],
  ])
})
