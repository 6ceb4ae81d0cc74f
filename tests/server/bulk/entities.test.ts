import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkEntities, bulkOperations } from '../../../schemas/api/bulk/bulk.ts'
import { masterAgent } from '../../../schemas/entities/masterAgent.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { terms } from '../../../schemas/entities/terms.ts'
import { noPermissions, type Permission, type Viewer } from '../../../schemas/permissions.ts'
import { monthName } from '../../../server/money/months.ts'
import { oracles } from '../../rights/all.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

type Row = Record<string, unknown>
const pathOf = (name: string) => `/api/v1/${name}/bulk`
const commit = async (name: string, body: Row, who = admin) => {
  const { fingerprint } = (await who.call('POST', `${pathOf(name)}/preview`, body)).body
  return who.call('POST', pathOf(name), { ...body, fingerprint })
}
const undo = (name: string, id: number, who = admin) => who.call('POST', `${pathOf(name)}/${id}/undo`)
const draftOf = Object.fromEntries(oracles.map(({ oracle }) => [oracle.it.name, oracle.draft]))
/** A field and a value for what has no agent. */
const setFields: Record<string, [string, unknown]> = {
  processor: ['expected', 3],
  processorstatement: ['note', 'Asked twice'],
}
let count = 5_000
/** A new record of each sort, below agent 2. */
const make = async (name: string): Promise<{ id: number; version: number }> => {
  const { status, body } = await admin.call('POST', `/api/v1/${name}`, draftOf[name]!((count += 1), 2))
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.id, version: body.version }
}

test('who is paid for an agent, on which account and under which tax id is not set for many', () => {
  const groups: readonly { title?: string; fields: readonly string[] }[] = masterAgent.form.groups
  const byItself = groups
    .filter(({ title }) => title === 'Bank account' || title === 'Tax identification')
    .flatMap(({ fields }) => fields)
  expect(byItself).toContain('taxid')
  const { fields } = masterAgent.bulk
  expect(fields.filter((field) => [...byItself, 'payeeid'].includes(field))).toEqual([])
})

const reassigned = ['masteragentid', 'sales_rep', 'status', 'tinstatus', 'tinstatusdescription']
test.each<[Permission[], ReturnType<typeof bulkOperations>]>([
  [[], null],
  [['manage_master_agents'], null],
  [['delete_merchants'], { fields: [], reassign: null, remove: true }],
  [['edit_maid_salesrep'], { fields: reassigned, reassign: 'masteragentid', remove: false }],
  [['manage_merchants'], { fields: merchant.bulk.fields, reassign: 'masteragentid', remove: false }],
  [
    ['edit_maid_salesrep', 'delete_merchants'],
    { fields: reassigned, reassign: 'masteragentid', remove: true },
  ],
])('who holds %j may do to many merchants: %j', (given, operations) => {
  const viewer: Viewer = {
    username: 'ann',
    admin: false,
    permissions: { ...noPermissions, ...Object.fromEntries(given.map((name) => [name, true])) },
    masteragentid: null,
    seesall: true,
  }
  expect(bulkOperations(merchant, viewer)).toEqual(operations)
  expect(bulkOperations(terms, { ...viewer, admin: true })).toBeNull()
})

describe.each(Object.values(bulkEntities))('the schema of $name', (entity) => {
  const { properties } = entity.schema
  test('sets fields for many that a form has, none secret, none only answered, none only of a new record', () => {
    const form = entity.form.groups.flatMap(({ fields }) => fields)
    for (const field of entity.bulk.fields) {
      expect(form, field).toContain(field)
      expect(properties[field], field).toMatchObject({ kind: expect.any(String) })
      for (const mark of ['secret', 'readOnly', 'writeOnly', 'items'])
        expect([field, mark, properties[field]![mark]]).toEqual([field, mark, undefined])
      const all = { ...entity.access.fields } as Record<string, (viewer: unknown, row: Row) => boolean>
      const viewer = {
        username: 'x',
        admin: true,
        masteragentid: null,
        seesall: true,
        permissions: new Proxy({}, { get: () => true }),
      }
      expect([field, all[field]!(viewer, {})]).toEqual([field, true])
    }
  })

  test('reassigns by a reference that is among its fields', () => {
    if (entity.bulk.reassign === undefined) return
    expect(entity.bulk.fields).toContain(entity.bulk.reassign)
    expect(properties[entity.bulk.reassign]).toMatchObject({ to: expect.any(String) })
  })

  test('is reassigned or set, and set back', async () => {
    const [field, value] = entity.bulk.reassign ? [entity.bulk.reassign, 3] : setFields[entity.name]!
    const made = [await make(entity.name), await make(entity.name)]
    const before = await Promise.all(made.map(({ id }) => admin.call('GET', `/api/v1/${entity.name}/${id}`)))
    const done = await commit(entity.name, { records: made, values: { [field]: value } })
    expect(done).toMatchObject({ status: 200, body: { changed: 2, refused: 0 } })
    for (const { id } of made)
      expect((await admin.call('GET', `/api/v1/${entity.name}/${id}`)).body[field]).toBe(value)
    expect((await undo(entity.name, done.body.id)).status).toBe(200)
    for (const { body } of before)
      expect((await admin.call('GET', `/api/v1/${entity.name}/${body.id}`)).body).toEqual({
        ...body,
        version: body.version + 2,
        ...(entity.name === 'masteragent' && { labels: expect.anything() }),
      })
  })
})

describe.each(Object.values(bulkEntities).filter(({ bulk }) => bulk.delete))('$name', ({ name, table }) => {
  test('is deleted at once, and put back whole', async () => {
    const made = [await make(name), await make(name)]
    const rows = () =>
      portal.db.query<Row>(`select * from ${table} where id = any ($1) order by id`, [
        made.map(({ id }) => id),
      ])
    const before = await rows()
    const done = await commit(name, { records: made, remove: true })
    expect(done.body).toMatchObject({ changed: 2, refused: 0 })
    expect(await rows()).toEqual([])
    expect((await undo(name, done.body.id)).status).toBe(200)
    expect(await rows()).toEqual(before.map((row) => ({ ...row, version: Number(row.version) + 1 })))
  })
})

test('a deleted statement is not put back beside one of the same processor and month, however that is written', async () => {
  const month = '2098-05'
  const statement = { processor: 'Twice Pay', month, statednet: 5 }
  const { body } = await admin.call('POST', '/api/v1/processorstatement', statement)
  const done = await commit('processorstatement', { records: [{ id: body.id, version: 1 }], remove: true })
  const second = { ...statement, processor: 'twice-pay' }
  expect((await admin.call('POST', '/api/v1/processorstatement', second)).status).toBe(201)
  const undone = await undo('processorstatement', done.body.id)
  expect([undone.status, undone.body.error]).toEqual([
    409,
    expect.stringContaining('There is a statement of twice-pay for May 2098 already'),
  ])
})

test('no table that is emptied with a record refers to one that is deleted at once', async () => {
  for (const { table, bulk } of Object.values(bulkEntities)) {
    if (!bulk.delete) continue
    const followers = await portal.db.query(
      `select conrelid::regclass::text as name from pg_constraint
        where contype = 'f' and confrelid = $1::regclass and confdeltype <> 'a'`,
      [table],
    )
    expect([table, followers]).toEqual([table, []])
  }
})

describe('a deletion is undone by nobody who may not make it any more', () => {
  const merchantOf2 = async () =>
    (await portal.db.query<{ id: number }>('select id from merchant where masteragentid = 2 limit 1'))[0]!.id
  test.each<[string, string, () => Promise<object>]>([
    [
      'An accepted adjustment needs the sight of all master agents',
      'adjustment',
      async () => ({ month: '2099-01', masteragentid: 2, amount: 5, reason: 'Bonus' }),
    ],
    [
      'Another branch has a part in this terminal: somebody who sees both must change it',
      'equipment',
      async () => ({
        model: 'Duo',
        serialnumber: 'GONE-1',
        masteragentid: 3,
        merchantid: await merchantOf2(),
      }),
    ],
  ])('%s', async (reason, name, draft) => {
    const set = (agent: number) =>
      portal.db.query(
        `update portal_user set permissions = '{manage_equipment,lock_reports}', masteragentid = $1
          where username = 'clerk'`,
        [agent],
      )
    await set(1)
    const clerk = await portal.login('clerk')
    const { body: made } = await clerk.call('POST', `/api/v1/${name}`, await draft())
    const records = [{ id: made.id, version: made.version }]
    const { body: done } = await commit(name, { records, remove: true }, clerk)
    await set(2)
    const undone = await undo(name, done.id, clerk)
    expect(undone).toMatchObject({ status: 409, body: { error: expect.stringContaining(reason) } })
  })
})

describe('equipment', () => {
  test('in which another branch has a part is refused to one of them, by name of the reason', async () => {
    const merchant = await portal.db.query<{ id: number }>(
      'select id from merchant where masteragentid = 2 limit 1',
    )
    const made = await admin.call('POST', '/api/v1/equipment', {
      model: 'Duo',
      serialnumber: 'SHARED-1',
      masteragentid: 3,
      merchantid: merchant[0]!.id,
    })
    await portal.db.query(
      `update portal_user set permissions = '{manage_equipment}', masteragentid = 2 where username = 'clerk'`,
    )
    const branch = await portal.login('clerk')
    const records = [{ id: made.body.id, version: 1 }]
    const { body } = await branch.call('POST', '/api/v1/equipment/bulk/preview', { records, remove: true })
    expect(body.refusals).toMatchObject([
      { reason: expect.stringMatching(/^Another branch has a part in this terminal/), count: 1 },
    ])
    const set = await branch.call('POST', '/api/v1/equipment/bulk/preview', {
      records,
      values: { model: 'X' },
    })
    expect(set.body).toMatchObject({ changed: 0, refused: 1 })
  })
})

test.each<[bumped: number, changed: number, isOffered: boolean]>([
  [0, 22, false],
  [18, 19, false],
  [19, 20, false],
  [20, 21, true],
])(
  'an undo is offered by the first 20 records that were written since: of 22, after %i of them the one numbered %i holds something else: %s',
  async (bumped, changed, isOffered) => {
    const prefix = `UNDO${bumped}-`
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid)
        select $1 || lpad(n::text, 2, '0'), 'Shop', 2 from generate_series(1, 22) n order by n`,
      [prefix],
    )
    const done = await commit('merchant', { found: { search: prefix }, values: { notes: 'x' } })
    expect(done.body).toMatchObject({ changed: 22, refused: 0 })
    await portal.db.query('update merchant set version = version + 1 where xmid like $1 and xmid <= $2', [
      `${prefix}%`,
      `${prefix}${String(bumped).padStart(2, '0')}`,
    ])
    const other = `${prefix}${String(changed).padStart(2, '0')}`
    await portal.db.query(`update merchant set version = version + 1, notes = 'y' where xmid = $1`, [other])
    const { data } = (await admin.call('GET', '/api/v1/merchant/bulk?size=10')).body
    const reason = `${other} - Shop was changed since`
    expect([data[0].id, data[0].undo]).toEqual([
      done.body.id,
      isOffered ? { allowed: true, reason: null } : { allowed: false, reason },
    ])
    const undone = await undo('merchant', done.body.id)
    expect([undone.status, undone.body.error]).toEqual([409, `This change cannot be undone: ${reason}`])
  },
)

describe('a terminal', () => {
  test('is called by its number where it has no name', async () => {
    const [made] = await portal.db.query<{ id: number }>(
      `insert into equipment (model, serialnumber, masteragentid) values ('', '', 2) returning id`,
    )
    const records = [{ id: made!.id, version: 9 }]
    const { body } = await admin.call('POST', '/api/v1/equipment/bulk/preview', { records, remove: true })
    expect(body.refusals[0].examples).toEqual([{ id: made!.id, name: `#${made!.id}` }])
  })
})

describe('master agents', () => {
  test('that get none in place of their parent are shown with none', async () => {
    const records = [await make('masteragent')]
    const values = { parentid: 0 }
    const { body } = await admin.call('POST', '/api/v1/masteragent/bulk/preview', { records, values })
    expect(body.changes).toEqual([
      {
        field: 'parentid',
        title: 'Parent',
        from: expect.stringMatching(/^MA0002 - /),
        to: '0 - None (top level)',
        count: 1,
      },
    ])
    const done = await commit('masteragent', { records, values })
    const { data } = (await admin.call('GET', '/api/v1/masteragent/bulk?size=10')).body
    expect(data[0]).toMatchObject({
      id: done.body.id,
      values: [{ title: 'Parent', text: '0 - None (top level)' }],
    })
  })

  const rates = (id: number) =>
    portal.db.query(
      'select field, value, from_month::text as month from agent_rate where masteragentid = $1 order by from_month',
      [id],
    )

  test('get a rate from the month that a single change takes, and lose it by the undo', async () => {
    const [single, one] = [await make('masteragent'), await make('masteragent')]
    await admin.call('PUT', `/api/v1/masteragent/${single.id}`, { version: 1, amountcommissionreceived: 7 })
    const done = await commit('masteragent', { records: [one], values: { amountcommissionreceived: 7 } })
    expect(done.body.changed).toBe(1)
    expect(await rates(one.id)).toEqual(await rates(single.id))
    expect((await undo('masteragent', done.body.id)).status).toBe(200)
    expect((await rates(one.id)).at(-1)).toMatchObject({
      value: null,
      month: (await rates(single.id)).at(-1)!['month'],
    })
  })

  test('are shown the month of a rate with what held in it, and get that back, also where another one was written for a later month', async () => {
    const agent = await make('masteragent')
    const path = `/api/v1/masteragent/${agent.id}`
    const field = 'percentagecommissionreceived'
    const write = async (percent: number, more: object = {}) => {
      const { body } = await admin.call('GET', path)
      const { status } = await admin.call('PUT', path, { version: body.version, [field]: percent, ...more })
      expect(status).toBe(200)
    }
    await write(50)
    const month = String((await rates(agent.id)).at(-1)!['month'])
    const later = new Date(Date.parse(month) + 40 * 86_400_000).toISOString().slice(0, 7)
    await write(40, { ratesfrom: later })
    const before = await rates(agent.id)
    const change = async () => {
      const { body } = await admin.call('GET', path)
      return { records: [{ id: agent.id, version: body.version }], values: { [field]: 10 } }
    }
    const setAll = async () => commit('masteragent', await change())
    const { body: seen } = await admin.call('POST', '/api/v1/masteragent/bulk/preview', await change())
    const title = `Percentage Commission Received from ${monthName(month)}`
    expect(seen.changes).toEqual([{ field, title, from: '50%', to: '10%', count: 1 }])
    const done = await setAll()
    expect((await rates(agent.id)).at(-2)).toMatchObject({ value: 10, month })
    expect((await undo('masteragent', done.body.id)).status).toBe(200)
    expect(await rates(agent.id)).toEqual(before)
    expect((await admin.call('GET', path)).body[field]).toBe(40)
    const again = await setAll()
    await write(20, { ratesfrom: month.slice(0, 7) })
    await write(10, { ratesfrom: later })
    expect(await undo('masteragent', again.body.id)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/: its rate of that month was changed since$/) },
    })
  })

  test('are not moved below themselves, and the others are', async () => {
    const [top, other] = [await make('masteragent'), await make('masteragent')]
    const below = await admin.call('POST', '/api/v1/masteragent', { name: 'Below', parentid: top.id })
    const { body } = await commit('masteragent', {
      records: [top, other],
      values: { parentid: below.body.id },
    })
    expect(body).toMatchObject({ changed: 1, refused: 1 })
  })

  test('of their own chain keep their pay, no matter who sets it for many', async () => {
    await portal.db.query(
      `update portal_user set permissions = '{manage_master_agents,edit_commission}', masteragentid = 2 where username = 'clerk'`,
    )
    const clerk = await portal.login('clerk')
    const { body: own } = await clerk.call('GET', '/api/v1/masteragent/2')
    const records = [{ id: 2, version: own.version }]
    const { body } = await clerk.call('POST', '/api/v1/masteragent/bulk/preview', {
      records,
      values: { amountcommissionreceived: 9 },
    })
    expect(body.refusals).toMatchObject([
      {
        reason:
          'You may not change Amount Commission Received: This is your own agent or one above it: ' +
          'somebody else must change it',
        count: 1,
      },
    ])
  })
})

describe('users', () => {
  test('who hold more than the caller are refused, and nobody moves themselves', async () => {
    await portal.db.query(
      `update portal_user set permissions = '{manage_users}', masteragentid = 1 where username = 'clerk'`,
    )
    const clerk = await portal.login('clerk')
    const users = await portal.db.query<{ id: number; version: number }>(
      `select id, version from portal_user where username in ('admin', 'clerk') order by id`,
    )
    const { body } = await clerk.call('POST', '/api/v1/user/bulk/preview', {
      records: users,
      values: { masteragentid: 2 },
    })
    expect(body).toMatchObject({ changed: 0, refused: 2 })
  })
})
