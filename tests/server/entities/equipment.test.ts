import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
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
  ['a merchant', { merchantid: 1 }, ', .+ - .+'],
  ['an agent', { masteragentid: 2 }, ', .+ - .+'],
  ['both', { merchantid: 1, masteragentid: 2 }, ', .+ - .+'],
  ['nobody', {}, ''],
])('the serial number of a terminal of %s is taken', async (_, holder, named) => {
  const { body } = await make(holder)
  const answer = await make({ serialnumber: body.serialnumber })
  expect(answer.status).toBe(409)
  expect(answer.body.fields.serialnumber).toMatch(
    new RegExp(`^This Serial Number is already taken by T-100 \\(record ${body.id}${named}\\)$`),
  )
})

test.each([
  [{ model: '' }, { model: 'Model is required' }],
  [{ serialnumber: '' }, { serialnumber: 'Serial Number is required' }],
  [{ serialnumber: 'abc-1 ' }, { serialnumber: 'Serial Number may neither begin nor end with a space' }],
  [{ cost: -1 }, { cost: 'Cost must be at least 0' }],
  [{ soldfor: 1.001 }, { soldfor: 'Sold For may have at most 2 decimals' }],
  [
    { equipmentownertypeid: 4 },
    { equipmentownertypeid: 'Equipment Owner must be one of PPS, Master Agent, Merchant, None' },
  ],
])('a terminal with %j is refused', async (more, fields) => {
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

describe('a terminal of two branches', () => {
  type Part = { merchantid?: number; masteragentid?: number }
  const fields = ['masteragentid', 'merchantid', 'cost', 'soldfor', 'paidsofar', 'paymentterms', 'paidstatus']
  let agent: SignedIn
  const merchants: Record<number, number> = {}
  beforeAll(async () => {
    await portal.db.query(
      `update portal_user set permissions = '{manage_equipment}' where username = 'agent'`,
    )
    agent = await portal.login('agent')
    for (const id of [2, 3])
      merchants[id] = (
        await portal.db.query<{ id: number }>('select id from merchant where masteragentid = $1 limit 1', [
          id,
        ])
      )[0]!.id
  })
  const sale = { cost: 10, soldfor: 20, paidsofar: 20, paymentterms: 'thirty days', trackingnumber: 'T1' }
  const sold = async (part: Part) =>
    (await make({ ...part, ...sale })).body as { id: number; version: number }
  const read = async (who: SignedIn, id: number) => {
    const { body } = await who.call('GET', `/api/v1/equipment/${id}`)
    const { data } = (await who.call('GET', '/api/v1/equipment?size=100&sort=-merchantid')).body
    const listed = data.find((row: { id: number }) => row.id === id)
    expect(listed).toEqual(body)
    return body
  }

  test.each([
    [
      'the own agent and a foreign merchant',
      () => ({ masteragentid: 2, merchantid: merchants[3]! }),
      'masteragentid',
    ],
    [
      'a foreign agent and the own merchant',
      () => ({ masteragentid: 3, merchantid: merchants[2]! }),
      'merchantid',
    ],
  ] as const)('with %s shows a branch its own side alone, and no price', async (_, part, own) => {
    const { id } = await sold(part())
    const seen = await read(agent, id)
    expect(Object.keys(seen.labels)).toEqual([own])
    expect(seen).toMatchObject({ [own]: part()[own], shared: true, trackingnumber: 'T1' })
    expect(fields.filter((field) => (seen[field] ?? null) !== null)).toEqual([own])
    expect(await read(staff, id)).toMatchObject({ ...part(), ...sale, paidstatus: true, shared: false })
  })

  test.each([
    ['the own agent and a foreign merchant', () => ({ masteragentid: 2, merchantid: merchants[3]! })],
    ['a foreign agent and the own merchant', () => ({ masteragentid: 3, merchantid: merchants[2]! })],
  ] as const)('with %s is neither changed, taken over nor deleted by the branch', async (_, part) => {
    const { id, version } = await sold(part())
    const before = await read(staff, id)
    const seen = await read(agent, id)
    const changes = [
      { masteragentid: 4 },
      { merchantid: 1 },
      { merchantid: null, masteragentid: null },
      { masteragentid: 2, merchantid: merchants[2] },
      { soldfor: 1 },
      { paidsofar: 0 },
      { serialnumber: 'taken-over' },
      { trackingnumber: 'T2' },
    ]
    for (const change of changes) {
      const { status } = await agent.call('PUT', `/api/v1/equipment/${id}`, { version, ...change })
      expect([change, status]).toEqual([change, 403])
    }
    expect(await read(staff, id)).toEqual(before)
    expect(await agent.call('DELETE', `/api/v1/equipment/${id}`)).toMatchObject({
      status: 403,
      body: { error: 'Another branch has a part in this terminal: somebody who sees both must delete it' },
    })
    expect((await agent.call('PUT', `/api/v1/equipment/${id}`, seen)).status).toBe(200)
    expect(await read(staff, id)).toEqual(before)
    expect(
      (await staff.call('PUT', `/api/v1/equipment/${id}`, { version, trackingnumber: 'T2' })).status,
    ).toBe(200)
  })

  test.each([
    ['both sides of it', () => ({ masteragentid: 2, merchantid: merchants[2]! }), true],
    ['the one side it has', () => ({ merchantid: merchants[2]! }), true],
    ['one side of two', () => ({ masteragentid: 2, merchantid: merchants[3]! }), false],
    ['the other side of two', () => ({ masteragentid: 3, merchantid: merchants[2]! }), false],
    ['nothing of it', () => ({ masteragentid: 3, merchantid: merchants[3]! }), false],
    ['nothing of what belongs to nobody', () => ({}), false],
  ] as const)(
    'names its holder to who sees %s, when its serial number is entered again',
    async (_, part, named) => {
      const { id } = await sold(part())
      const [row] = await portal.db.query<{ serialnumber: string }>(
        'select serialnumber from equipment where id = $1',
        [id],
      )
      const again = { model: 'T', serialnumber: row!.serialnumber, masteragentid: 2 }
      const { status, body } = await agent.call('POST', '/api/v1/equipment', again)
      expect(status).toBe(409)
      if (named) expect(body.error).toMatch(new RegExp(`taken by T-100 \\(record ${id}, `))
      else expect(body.error).toBe('This Serial Number is already taken')
    },
  )

  test('of their own branch is changed and deleted as ever', async () => {
    const { id, version } = await sold({ masteragentid: 2, merchantid: merchants[2]! })
    expect(await read(agent, id)).toMatchObject({ shared: false, ...sale })
    expect((await agent.call('PUT', `/api/v1/equipment/${id}`, { version, soldfor: 30 })).status).toBe(200)
    expect((await agent.call('DELETE', `/api/v1/equipment/${id}`)).status).toBe(204)
  })
})
