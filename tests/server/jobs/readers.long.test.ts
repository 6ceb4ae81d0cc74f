import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SignedIn } from '../../testPortal.ts'
import { ledger, type Ledger } from '../reports/ledger.ts'

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 120_000 })

let portal: Ledger
let other: SignedIn
beforeAll(async () => {
  portal = await ledger()
  // On a busy machine the last reader begins after the first ones would have been cut off.
  portal.config.downloadSeconds = 3_600
  other = await portal.as('north')
  await portal.app.listen({ host: '127.0.0.1', port: 0 })
  await portal.db.query(
    `insert into equipment (model, serialnumber, soldfor)
      select repeat('T', 600), 'big ' || n, 1 from generate_series(1, 80000) n`,
  )
  await portal.db.query('analyze equipment')
})
afterAll(() => portal.close())

/**
 * Asks for a file of 50 MB, more than the system takes of what nobody reads; resolves when its answer has
 * begun, of which nothing was taken.
 */
async function begin(): Promise<IncomingMessage> {
  const { token, cookie } = portal.admin
  const asked = request({
    host: '127.0.0.1',
    port: (portal.app.server.address() as AddressInfo).port,
    path: '/api/v1/report/equipment-outstanding/export?format=csv',
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      cookie: `XSRF-TOKEN=${cookie}`,
      'x-xsrf-token': cookie,
      'content-type': 'application/json',
    },
  })
  asked.on('error', () => {}).end('{}')
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  return answer.on('error', () => {}).pause()
}

const inputs = { from: '08/01/2026', to: '09/30/2026' }

/** As many as may read at once. */
const turns = 6

test('six readers who take nothing and six who take a little at a time hold no transaction, and neither others nor they themselves wait for a turn', async () => {
  const stalled: IncomingMessage[] = []
  const trickling: IncomingMessage[] = []
  for (let count = 0; count < turns; count += 1) {
    const [first, second] = await Promise.all([begin(), begin()])
    stalled.push(first)
    trickling.push(second)
  }
  const trickle = setInterval(() => {
    for (const answer of trickling) answer.read(1)
  }, 1_000)
  expect(await openTransactions()).toEqual([])
  const files = () => readdir(join(portal.config.dataDir, 'tmp'))
  expect(await files()).toHaveLength(2 * turns)
  // A turn that a reader held would come free only when it is gone, and these would not be answered.
  const reports = Array.from({ length: 9 }, () =>
    other.call('POST', '/api/v1/report/portfolio-summary', inputs),
  )
  expect((await Promise.all(reports)).map(({ status }) => status)).toEqual(reports.map(() => 200))
  expect((await portal.admin.call('POST', '/api/v1/report/user-access', {})).status).toBe(200)
  expect(await files()).toHaveLength(2 * turns)
  expect(stalled.filter((answer) => answer.complete || answer.destroyed)).toEqual([])
  clearInterval(trickle)
  for (const answer of [...stalled, ...trickling]) answer.destroy()
  await expect.poll(files).toEqual([])
})

const openTransactions = () =>
  portal.db.query(
    `select query from pg_stat_activity where datname = current_database() and xact_start is not null
      and pid <> pg_backend_pid()`,
  )
