import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passesAbaChecksum } from '../../../schemas/entities/masterAgent.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
let agentUser: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
  agentUser = await portal.login('agent')
})
afterAll(() => portal.close())

const createAgent = async (more: object = {}) => {
  const answer = await staff.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 2, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const put = (who: SignedIn, row: { id: number; version: number }, change: object) =>
  who.call('PUT', `/api/v1/masteragent/${row.id}`, { version: row.version, ...change })

describe('the parent', () => {
  test('is required, and 0 is the top level, stored as null', async () => {
    expect(await staff.call('POST', '/api/v1/masteragent', { name: 'x' })).toMatchObject({
      status: 422,
      body: { fields: { parentid: 'Parent ID is required' } },
    })
    const row = await createAgent({ parentid: 0 })
    expect(row).toMatchObject({ parentid: 0, labels: {} })
    expect(await portal.db.query('select parentid from master_agent where id = $1', [row.id])).toEqual([
      { parentid: null },
    ])
  })

  test('may not be the agent itself or one below it', async () => {
    const [a, b] = [await createAgent(), await createAgent()]
    const below = (await put(staff, b, { parentid: a.id })).body
    for (const [parentid, chain] of [
      [a.id, 'North'],
      [below.id, 'North, which is below North'],
    ]) {
      const answer = await put(staff, a, { parentid })
      expect(answer).toMatchObject({
        status: 422,
        body: { fields: { parentid: `Parent would be below its own child: ${chain}` } },
      })
    }
  })

  test('is refused by the names of six of those between them at most', async () => {
    const top = await createAgent({ name: 'Top' })
    let below = top
    for (const n of [1, 2, 3, 4, 5, 6]) below = await createAgent({ name: `L${n}`, parentid: below.id })
    const named = ['L6', 'L5', 'L4', 'L3', 'L2', 'L1'].join(', which is below ')
    expect((await put(staff, top, { parentid: below.id })).body.error).toBe(
      `Parent would be below its own child: ${named}`,
    )
  })

  test('of two moves at once that together were a cycle, one is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await createAgent(), await createAgent()]
      const statuses = (
        await Promise.all([put(staff, a, { parentid: b.id }), put(staff, b, { parentid: a.id })])
      ).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 422])
    }
  })
})

describe('bank account number and tax id', () => {
  const secret = {
    routingnumber: '021000021',
    bankaccountnumber: '0012345678',
    taxid: '12-3456789',
    taxtypeid: 2,
  }

  test('come back by their last four digits in lists and after a save, and whole to holders of manage_master_agents when one record is read', async () => {
    const row = await createAgent(secret)
    expect(row).toMatchObject({
      bankaccountnumber: '*****5678',
      taxid: '*****6789',
      routingnumber: '021000021',
    })
    const { body: list } = await staff.call('GET', '/api/v1/masteragent?sort=-name&size=100&search=North')
    expect(list.data.find((it: { id: number }) => it.id === row.id)).toMatchObject({
      bankaccountnumber: '*****5678',
      taxid: '*****6789',
    })
    expect((await staff.call('GET', `/api/v1/masteragent/${row.id}`)).body).toMatchObject(secret)
    expect((await agentUser.call('GET', `/api/v1/masteragent/${row.id}`)).body).toMatchObject({
      bankaccountnumber: '*****5678',
      taxid: '*****6789',
    })
  })

  test('every whole reading of one record is audited, and the audit holds neither', async () => {
    const row = await createAgent(secret)
    await staff.call('GET', `/api/v1/masteragent/${row.id}`)
    await staff.call('GET', `/api/v1/masteragent/${row.id}`)
    await agentUser.call('GET', `/api/v1/masteragent/${row.id}`)
    const reveals = await portal.db.query(
      `select username from audit where action = 'reveal' and entityid = $1`,
      [String(row.id)],
    )
    expect(reveals).toEqual([{ username: 'staff' }, { username: 'staff' }])
    expect(JSON.stringify(await portal.db.query('select before, after from audit'))).not.toMatch(
      /0012345678|12-3456789|3456789/,
    )
  })

  test.each([
    ['a bank account number', { bankaccountnumber: '0012345678', routingnumber: '021000021' }],
    ['a tax id', { taxid: '12-3456789', taxtypeid: 2 }],
  ])('are read whole, and audited, of an agent that has only %s', async (_, one) => {
    const row = await createAgent(one)
    expect((await staff.call('GET', `/api/v1/masteragent/${row.id}`)).body).toMatchObject(one)
    const reveals = await portal.db.query(
      `select username from audit where action = 'reveal' and entityid = $1`,
      [String(row.id)],
    )
    expect(reveals).toEqual([{ username: 'staff' }])
  })

  test('survive being opened and saved, masked or whole, and masked text is never stored', async () => {
    let row = await createAgent(secret)
    for (let round = 0; round < 20; round += 1) {
      const { body } = await (round % 2 ? staff : staff).call('GET', `/api/v1/masteragent/${row.id}`)
      const { labels: _, ...whole } = body
      row = (
        await put(
          staff,
          row,
          round % 2
            ? whole
            : { ...whole, bankaccountnumber: '*****5678', taxid: '*****6789', notes: `n${round}` },
        )
      ).body
    }
    expect((await staff.call('GET', `/api/v1/masteragent/${row.id}`)).body).toMatchObject(secret)
    const other = await put(staff, row, { bankaccountnumber: '*****9999' })
    expect(other).toMatchObject({
      status: 422,
      body: { fields: { bankaccountnumber: 'Bank Account # must be 4 to 17 digits' } },
    })
  })

  test('are encrypted in the table, each time with another nonce, bound to their place', async () => {
    const [a, b] = [await createAgent(secret), await createAgent(secret)]
    const rows = await portal.db.query<{ bankaccountnumber: Buffer; taxid: Buffer }>(
      'select bankaccountnumber, taxid from master_agent where id = any ($1)',
      [[a.id, b.id]],
    )
    expect(rows[0]!.bankaccountnumber.equals(rows[1]!.bankaccountnumber)).toBe(false)
    expect(rows[0]!.bankaccountnumber.toString('latin1')).not.toContain('12345')
    await portal.db.query(
      'update master_agent set taxid = (select taxid from master_agent where id = $2) where id = $1',
      [a.id, b.id],
    )
    const moved = await staff.call('GET', `/api/v1/masteragent/${a.id}`)
    expect(moved).toMatchObject({ status: 200, body: { taxid: 'Unreadable' } })
    await portal.db.query('update master_agent set taxid = null where id = $1', [a.id])
  })

  test('can be neither searched nor sorted by', async () => {
    await createAgent({ ...secret, bankaccountnumber: '7777123499' })
    expect((await staff.call('GET', '/api/v1/masteragent?search=7777123499')).body.total_length).toBe(0)
    for (const field of ['bankaccountnumber', 'taxid'])
      expect((await staff.call('GET', `/api/v1/masteragent?sort=${field}`)).status).toBe(400)
  })

  test.each([
    ['021000021', true],
    ['011401533', true],
    ['021000022', false],
    ['02100002', false],
    ['0210000210', false],
    ['02100002١', false],
    ['000000000', false],
    ['000000013', true],
  ])('routing number %s passes the ABA checksum, here and in the database: %s', async (digits, passes) => {
    expect(passesAbaChecksum(digits)).toBe(passes)
    expect(await portal.db.query('select passes_aba($1) as passes', [digits])).toEqual([{ passes }])
  })

  test.each([
    [
      { routingnumber: '021000022' },
      { routingnumber: 'Routing # must be nine digits that pass the ABA checksum' },
    ],
    [{ bankaccountnumber: '123' }, { bankaccountnumber: 'Bank Account # must be 4 to 17 digits' }],
    ...['12-34', '12345-6789', '123-456789', '12-345-6789', '1234567890'].map((taxid): [object, object] => [
      { taxid },
      { taxid: 'Tax Id must be nine digits, as 123-45-6789 or 12-3456789' },
    ]),
    [{ taxtypeid: 3 }, { taxtypeid: 'Tax Type must be one of SSN, EIN, None' }],
    [
      { percentagecommissionreceived: 101 },
      { percentagecommissionreceived: 'Percentage Commission Received may be at most 100' },
    ],
    [
      { amountcommissionreceived: 1.005 },
      { amountcommissionreceived: 'Amount Commission Received may have at most 2 decimals' },
    ],
    [
      { collectionSubscriptions: [{ notes: 'x' }] },
      { 'collectionSubscriptions.0.amount': 'Amount is required' },
    ],
    [
      { collectionSubscriptions: [{ amount: 1, notes: '' }] },
      { 'collectionSubscriptions.0.notes': 'Notes is required' },
    ],
    [{ payeeid: 9999 }, { payeeid: 'Payee 9999 does not exist' }],
  ])('%j is refused', async (more, fields) => {
    expect(
      await staff.call('POST', '/api/v1/masteragent', { name: 'x', parentid: 2, ...more }),
    ).toMatchObject({ status: 422, body: { fields } })
  })
})

test('collection subscriptions are added, changed and removed with the agent', async () => {
  let row = await createAgent({
    collectionSubscriptions: [
      { amount: 10.5, notes: 'Statement fee' },
      { id: null, amount: -3, notes: 'Refund' },
    ],
  })
  const [first, second] = row.collectionSubscriptions
  expect(row.collectionSubscriptions).toEqual([
    { id: expect.any(Number), amount: 10.5, notes: 'Statement fee' },
    { id: expect.any(Number), amount: -3, notes: 'Refund' },
  ])
  row = (
    await put(staff, row, {
      collectionSubscriptions: [
        { ...second, amount: -4 },
        { id: null, amount: 1, notes: 'New' },
        { id: null, amount: 2, notes: 'Newer' },
      ],
    })
  ).body
  expect(row.collectionSubscriptions).toEqual([
    { ...second, amount: -4 },
    { id: expect.any(Number), amount: 1, notes: 'New' },
    { id: expect.any(Number), amount: 2, notes: 'Newer' },
  ])
  const foreign = await createAgent({ collectionSubscriptions: [{ ...first, id: undefined }] })
  const stolen = await put(staff, row, { collectionSubscriptions: foreign.collectionSubscriptions })
  const [{ id }] = foreign.collectionSubscriptions
  expect([stolen.status, stolen.body.error]).toEqual([
    422,
    `Collection subscription ${id} does not belong to this master agent`,
  ])
  expect((await staff.call('DELETE', `/api/v1/masteragent/${row.id}`)).status).toBe(204)
})

test('merchant counts are worked out and cannot be changed', async () => {
  const { body } = await staff.call('GET', '/api/v1/masteragent/7')
  const [count] = await portal.db.query(
    'select count(*) filter (where accountstatus = 2) as active, count(*) filter (where accountstatus = 3) as inactive from merchant where masteragentid = 7',
  )
  expect({ active: body.activemerchantcount, inactive: body.inactivemerchantcount }).toEqual(count)
  expect((await put(staff, body, { activemerchantcount: 0 })).status).toBe(403)
})

test('an agent that is still referenced cannot be deleted, and the answer counts by what', async () => {
  // What goes with it is not counted.
  const collectionSubscriptions = [{ amount: 1, notes: 'Desk' }]
  const draft = { name: 'Referenced', parentid: 2, collectionSubscriptions }
  const { body: agent } = await staff.call('POST', '/api/v1/masteragent', draft)
  await portal.db.query('update merchant set masteragentid = $1 where id in (1, 2)', [agent.id])
  await portal.db.query('update equipment set masteragentid = $1 where id in (1, 2)', [agent.id])
  await portal.db.query('update master_agent set parentid = $1 where id = 60', [agent.id])
  await portal.db.query('update master_agent set payeeid = $1 where id = 59', [agent.id])
  await portal.db.query("update portal_user set masteragentid = $1 where username = 'newcomer'", [agent.id])
  const answer = await staff.call('DELETE', `/api/v1/masteragent/${agent.id}`)
  expect(answer.status).toBe(409)
  expect(answer.body.error).toBe(
    'This master agent cannot be deleted: it is still referenced by 2 equipment, 2 master agents, 2 merchants and 1 user',
  )
})

describe('with edit_commission alone', () => {
  test('exactly the four commission fields can be changed', async () => {
    const { body: row } = await agentUser.call('GET', '/api/v1/masteragent/10')
    const { body } = await put(agentUser, row, {
      name: 'x',
      parentid: 3,
      payeeid: 3,
      routingnumber: '021000021',
      bankaccountnumber: '1234',
      isbankaccounttypechecking: !row.isbankaccounttypechecking,
      isbankaccounttypebusiness: !row.isbankaccounttypebusiness,
      isofficeaccount: true,
      payoninactive: !row.payoninactive,
      businessname: 'y',
      taxid: '123456789',
      taxtypeid: row.taxtypeid === 1 ? 2 : 1,
      notes: 'z',
      collectionSubscriptions: [{ amount: 1, notes: 'n' }],
      commissionnoteditable: true,
      activemerchantcount: -1,
      inactivemerchantcount: -1,
      percentagecommissionreceived: 1,
      amountcommissionreceived: 1,
      percentageequipmentcommissionreceived: 1,
      amountequipmentcommissionreceived: 1,
    })
    expect(Object.keys(body.fields).filter((field) => /commissionreceived/.test(field))).toEqual([])
    expect(Object.keys(body.fields)).toHaveLength(17)
    const change = {
      percentagecommissionreceived: 61,
      amountcommissionreceived: 1.25,
      percentageequipmentcommissionreceived: 5,
      amountequipmentcommissionreceived: 7,
    }
    expect(await put(agentUser, row, change)).toMatchObject({ status: 200, body: change })
  })

  test('the percentage is closed where the agent is flagged commissionnoteditable', async () => {
    await portal.db.query('update master_agent set commissionnoteditable = true where id = 10')
    const { body: row } = await agentUser.call('GET', '/api/v1/masteragent/10')
    expect((await put(agentUser, row, { percentagecommissionreceived: 5 })).status).toBe(403)
    expect((await put(agentUser, row, { amountcommissionreceived: 5 })).status).toBe(200)
  })
})

test('the source tree names no real key: the secret key comes from outside', async () => {
  const files = await readdir(new URL('../../../server/', import.meta.url))
  for (const file of files.filter((name) => name.endsWith('.ts')))
    expect(await readFile(new URL(`../../../server/${file}`, import.meta.url), 'utf8')).not.toMatch(
      /['"][0-9a-f]{64}['"]/,
    )
})
