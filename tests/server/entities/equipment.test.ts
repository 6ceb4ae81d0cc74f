import { afterAll, beforeAll, expect, test } from 'vitest'
import { world, type SignedIn, type World } from '../../world.ts'

let portal: World
let staff: SignedIn
beforeAll(async () => {
  portal = await world()
  staff = await portal.login('staff')
})
afterAll(() => portal.close())

let next = 0
const make = (more: object = {}) =>
  staff.call('POST', '/api/v1/equipment', { model: 'T-100', serialnumber: `SN-${(next += 1)}`, ...more })

test('a terminal shows its merchant and its master agent by name, and its defaults are 0', async () => {
  const [merchant] = await portal.db.query<{ xmid: string; dba: string }>(
    'select xmid, dba from merchant where id = 1',
  )
  const { body } = await make({ merchantid: 1, masteragentid: 7 })
  expect(body).toMatchObject({
    cost: 0,
    soldfor: 0,
    paidsofar: 0,
    paidstatus: false,
    equipmentownertypeid: null,
    labels: {
      merchantid: `${merchant!.xmid} - ${merchant!.dba}`,
      masteragentid: expect.stringMatching(/^MA0007 - /),
    },
  })
})

test.each([
  [{ soldfor: 0, paidsofar: 0 }, false],
  [{ soldfor: 100, paidsofar: 99.99 }, false],
  [{ soldfor: 100, paidsofar: 100 }, true],
  [{ soldfor: 100, paidsofar: 120 }, true],
])('the paid status of %j is %s, and nobody sets it', async (money, paid) => {
  const { body } = await make(money)
  expect(body.paidstatus).toBe(paid)
  const answer = await staff.call('PUT', `/api/v1/equipment/${body.id}`, {
    version: body.version,
    paidstatus: !paid,
  })
  expect(answer.status).toBe(403)
})

test('the same serial number twice is refused with a sentence that names the other record', async () => {
  const { body } = await make({ serialnumber: 'abc-1', merchantid: 1 })
  const answer = await make({ serialnumber: 'ABC-1' })
  expect(answer.status).toBe(409)
  expect(answer.body.fields.serialnumber).toMatch(
    new RegExp(`^This Serial Number is already taken by T-100 \\(record ${body.id}, .+ - .+\\)$`),
  )
  const same = await staff.call('PUT', `/api/v1/equipment/${body.id}`, { version: 1, serialnumber: 'ABC-1' })
  expect(same.status).toBe(200)
})

test.each([
  [{ model: '' }, { model: 'Model is required' }],
  [{ serialnumber: '' }, { serialnumber: 'Serial Number is required' }],
  [{ cost: -1 }, { cost: 'Cost must be at least 0' }],
  [{ soldfor: 1.001 }, { soldfor: 'Sold For may have at most 2 decimals' }],
  [
    { equipmentownertypeid: 4 },
    { equipmentownertypeid: 'Equipment Owner must be one of PPS, Master Agent, Merchant, None' },
  ],
])('%j is refused (D9)', async (more, fields) => {
  expect(await make(more)).toMatchObject({ status: 422, body: { fields } })
})

test('an agent sees the terminals of its branch and those its merchants have, and no others', async () => {
  await portal.db.query('delete from equipment')
  const [own] = await portal.db.query<{ id: number }>(
    'select id from merchant where masteragentid = 2 limit 1',
  )
  const [foreign] = await portal.db.query<{ id: number }>(
    'select id from merchant where masteragentid = 3 limit 1',
  )
  const seen = [await make({ masteragentid: 2 }), await make({ merchantid: own!.id })]
  const hidden = [await make({ masteragentid: 3 }), await make({ merchantid: foreign!.id }), await make()]
  const agent = await portal.login('agent')
  const { body } = await agent.call('GET', '/api/v1/equipment')
  expect(body.data.map((row: { id: number }) => row.id)).toEqual(seen.map((answer) => answer.body.id))
  for (const { body } of hidden)
    expect((await agent.call('GET', `/api/v1/equipment/${body.id}`)).status).toBe(404)
})

test('a merchant who has a terminal cannot be deleted', async () => {
  await make({ merchantid: 5 })
  const answer = await staff.call('DELETE', '/api/v1/merchant/5')
  expect(answer).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^This merchant cannot be deleted: it has .*\b1 terminal\b/) },
  })
})
