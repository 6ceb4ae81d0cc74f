import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let agent: SignedIn
let mine: number[]
let foreign: number
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(
    `update portal_user set permissions = '{manage_merchants,edit_maid_salesrep,delete_merchants}' where username = 'agent'`,
  )
  agent = await portal.login('agent')
  // Worked out apart from the server's own query: follow the parents of each agent up to agent 2.
  const agents = await portal.db.query<{ id: number; parentid: number | null }>(
    'select id, parentid from master_agent',
  )
  const parent = new Map(agents.map(({ id, parentid }) => [id, parentid]))
  const below = (id: number | null): boolean => id !== null && (id === 2 || below(parent.get(id) ?? null))
  mine = agents
    .map(({ id }) => id)
    .filter(below)
    .sort((a, b) => a - b)
  foreign = (
    await portal.db.query<{ id: number }>(
      'select id from merchant where not masteragentid = any ($1) limit 1',
      [mine],
    )
  )[0]!.id
})
afterAll(() => portal.close())

const count = async (sql: string, values: unknown[]) =>
  (await portal.db.query<{ n: number }>(`select count(*) as n from ${sql}`, values))[0]!.n

test('a user sees the merchants of its own master agent and of its descendants', async () => {
  expect(mine.length).toBeGreaterThan(3)
  const own = await count('merchant where masteragentid = any ($1)', [mine])
  const { body } = await agent.call('GET', '/api/v1/merchant?size=100')
  expect(body.total_length).toBe(own)
  expect(body.data.filter((row: { masteragentid: number }) => !mine.includes(row.masteragentid))).toEqual([])
})

test('id lists hold their own branch alone', async () => {
  const { body } = await agent.call('GET', '/api/v1/masteragent/ids?size=100')
  expect(body.data.map((row: { id: number }) => row.id).sort((a: number, b: number) => a - b)).toEqual(mine)
  const { body: merchants } = await agent.call('GET', `/api/v1/merchant/ids?id=${foreign}`)
  expect(merchants.data).toEqual([])
})

test.each([
  ['GET', undefined],
  ['PUT', { version: 1, status: 'x' }],
  ['DELETE', undefined],
] as const)(
  '%s of a record outside the scope answers 404, the same as one that does not exist',
  async (method, body) => {
    const [outside, missing] = [
      await agent.call(method, `/api/v1/merchant/${foreign}`, body),
      await agent.call(method, '/api/v1/merchant/99999', body),
    ]
    expect(outside.status).toBe(404)
    expect({ ...outside.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  },
)

test('a search does not find what is outside the scope', async () => {
  const [row] = await portal.db.query<{ xmid: string }>('select xmid from merchant where id = $1', [foreign])
  expect((await agent.call('GET', `/api/v1/merchant?search=${row!.xmid}`)).body).toEqual({
    data: [],
    total_length: 0,
  })
})

test('a merchant cannot be created for, or moved to, an agent outside the scope', async () => {
  const outside = Array.from({ length: 60 }, (_, index) => index + 1).find((id) => !mine.includes(id))!
  const message = `Master Agent ${outside} does not exist`
  const made = await agent.call('POST', '/api/v1/merchant', {
    xmid: 'scope-1',
    dba: 'x',
    masteragentid: outside,
  })
  expect(made).toMatchObject({ status: 422, body: { fields: { masteragentid: message } } })
  const [row] = await portal.db.query<{ id: number }>(
    'select id from merchant where masteragentid = 2 limit 1',
  )
  const moved = await agent.call('PUT', `/api/v1/merchant/${row!.id}`, { version: 1, masteragentid: outside })
  expect(moved).toMatchObject({ status: 422, body: { fields: { masteragentid: message } } })
})

test('the chart counts the volume of their own branch alone', async () => {
  const { body } = await agent.call('GET', '/api/v1/profit')
  const own = await portal.db.query<{ day: number; amount: number }>(
    `select extract(epoch from volumedate::timestamp)::bigint as day, sum(netamount) as amount from daily_volume
      where xmid in (select xmid from merchant where masteragentid = any ($1)) group by volumedate order by volumedate desc limit 30`,
    [mine],
  )
  expect(body.data).toEqual(own.map(({ day, amount }) => ({ processdate: day, amount })))
})

test.each(['admin', 'staff'])(
  '%s sees all: an admin, and a user whose master agent is an office account',
  async (name) => {
    const all = await count('merchant', [])
    expect((await (await portal.login(name)).call('GET', '/api/v1/merchant')).body.total_length).toBe(all)
  },
)

test('a user without a master agent who is no admin sees nothing', async () => {
  await portal.db.query(`update portal_user set masteragentid = null where username = 'clerk'`)
  const clerk = await portal.login('clerk')
  expect((await clerk.call('GET', '/api/v1/merchant')).body).toEqual({ data: [], total_length: 0 })
  expect((await clerk.call('GET', '/api/v1/profit')).body).toEqual({ data: [] })
})
