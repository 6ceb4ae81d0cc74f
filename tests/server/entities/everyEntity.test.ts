import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { permissions, type Rule } from '../../../schemas/permissions.ts'
import { oracles } from '../../rights/all.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
let branch: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  // Everything but the administrator's flag, below master agent 2.
  await portal.db.query(`update portal_user set permissions = $1 where username = 'agent'`, [
    permissions.filter((name) => name !== 'reports_admin'),
  ])
  branch = await portal.login('agent')
})
afterAll(() => portal.close())

/** What one record is called in a sentence. */
const nounOf = (name: string) =>
  name === 'tc' ? 'version of the terms and conditions' : entities[name as keyof typeof entities]!.noun

type Row = Record<string, unknown>
let count = 0
const samples = Object.fromEntries(oracles.map(({ oracle }) => [oracle.it.name, oracle]))
const names = Object.keys(samples)
const changeable = names.filter((name) => Object.keys(samples[name]!.edit).length > 0)

/** New terms make every other call ask for them, so they are taken away at once. */
const make = async (name: string, agent = 2) => {
  const answer = await admin.call('POST', `/api/v1/${name}`, samples[name]!.draft((count += 1), agent))
  expect(answer).toMatchObject({ status: 201, body: { version: 1, id: expect.any(Number) } })
  if (name === 'tc') await portal.db.query('delete from terms where id = $1', [answer.body.id])
  return { id: answer.body.id as number, path: `/api/v1/${name}/${answer.body.id}` }
}
const auditEntries = (name: string, id: number) =>
  portal.db.query<{ action: string; username: string; before: Row | null; after: Row | null }>(
    'select action, username, before, after from audit where entity = $1 and entityid = $2 order by id',
    [name, String(id)],
  )
const stored = async (name: string) =>
  (
    await portal.db.query(`select count(*)::int as n from ${entities[name as keyof typeof entities]!.table}`)
  )[0]

test('every entity stands in the table of rights', () =>
  expect(names.toSorted()).toEqual(Object.keys(entities).sort()))

describe.each(names)('%s', (name) => {
  test('a new record is audited under the name of the person who made it', async () => {
    const { id } = await make(name)
    expect(await auditEntries(name, id)).toMatchObject([
      { action: 'create', username: 'admin', before: null },
    ])
  })

  test('a list that was read before has it at once, and no longer once it is deleted', async () => {
    const list = async () => {
      const { body } = await admin.call('GET', `/api/v1/${name}?size=100`)
      return [body.total_length, body.data]
    }
    for (let n = 0; n < 2; n += 1) await list()
    const before = await list()
    const { path } = await make(name)
    if (name === 'tc') return
    expect((await list())[0]).toBe(before[0] + 1)
    expect((await admin.call('DELETE', path)).status).toBe(204)
    expect(await list()).toEqual(before)
  })

  test('a field it does not have is refused and nothing is stored', async () => {
    const before = await stored(name)
    const draft = { ...samples[name]!.draft((count += 1), 2), colour: 'red' }
    expect(await admin.call('POST', `/api/v1/${name}`, draft)).toMatchObject({
      status: 400,
      body: { error: 'colour is not a field of this record' },
    })
    expect(await stored(name)).toEqual(before)
  })

  test.each(['999999', '0', '-1', 'x', '1.5', '99999999999999'])('there is no record %s', async (id) => {
    const missing = { status: 404, body: { error: `This ${nounOf(name)} does not exist` } }
    expect(await admin.call('GET', `/api/v1/${name}/${id}`)).toMatchObject(missing)
    expect(await admin.call('PUT', `/api/v1/${name}/${id}`, { version: 1 })).toMatchObject(missing)
    expect(await admin.call('DELETE', `/api/v1/${name}/${id}`)).toMatchObject(missing)
  })
})

const noPermissions = Object.fromEntries(permissions.map((name) => [name, false]))
/** Closed fields of a new record for who holds one permission: as an empty form shows them, and otherwise. */
const closed: readonly [name: string, permission: string, untouched: Row, others: Row][] = [
  ['equipment', 'manage_equipment', { paidstatus: false }, { paidstatus: true }],
  [
    'masteragent',
    'manage_master_agents',
    {
      percentagecommissionreceived: null,
      activemerchantcount: 0,
      inactivemerchantcount: 0,
      commissionnoteditable: false,
    },
    {
      percentagecommissionreceived: 0,
      activemerchantcount: 1,
      inactivemerchantcount: -1,
      commissionnoteditable: true,
    },
  ],
  [
    'user',
    'create_users',
    { admin: false, permissions: noPermissions },
    { admin: true, permissions: { ...noPermissions, create_users: true } },
  ],
]

test.each(closed)(
  'a new %s may hold closed fields as an empty form shows them, and no other values of them',
  async (name, permission, untouched, others) => {
    await portal.db.query(`update portal_user set permissions = $1 where username = 'staff'`, [[permission]])
    const staff = await portal.login('staff')
    const post = (fields: Row) =>
      staff.call('POST', `/api/v1/${name}`, { ...samples[name]!.draft((count += 1), 2), ...fields })
    const answer = await post(untouched)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const refused = await post(others)
    expect(refused.status).toBe(403)
    expect(Object.keys(refused.body.fields).toSorted()).toEqual(Object.keys(others).toSorted())
  },
)

describe.each(changeable)('%s', (name) => {
  const { edit: change } = samples[name]!

  test('a change names the version it read: an older and a later one are refused', async () => {
    const { id, path } = await make(name)
    expect((await admin.call('PUT', path, { version: 2, ...change })).status).toBe(409)
    expect(await admin.call('PUT', path, { version: 1, ...change })).toMatchObject({
      status: 200,
      body: { version: 2, ...change },
    })
    expect((await admin.call('PUT', path, { version: 1, ...change })).status).toBe(409)
    expect((await admin.call('GET', path)).body).toMatchObject({ version: 2, ...change })
    const [, update, ...more] = await auditEntries(name, id)
    expect(update).toMatchObject({ action: 'update', username: 'admin', after: change })
    expect(more).toEqual([])
  })

  test('of two changes at once one is stored', async () => {
    const { path } = await make(name)
    const answers = await Promise.all([1, 2].map(() => admin.call('PUT', path, { version: 1, ...change })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await admin.call('GET', path)).body.version).toBe(2)
  })

  test('a field it does not have changes nothing', async () => {
    const { path } = await make(name)
    expect((await admin.call('PUT', path, { version: 1, ...change, colour: 'red' })).status).toBe(400)
    expect((await admin.call('GET', path)).body.version).toBe(1)
  })

  test('a field is refused to everybody while no rule names it, and nothing is stored', async () => {
    const { id, path } = await make(name)
    const rules = entities[name]!.access.fields as Record<string, Rule>
    const [[field, value]] = Object.entries(change) as [[string, unknown]]
    const rule = rules[field]!
    delete rules[field]
    try {
      const refusal = {
        status: 403,
        body: { fields: { [field]: expect.stringMatching(/^You may not change /) } },
      }
      expect(await admin.call('PUT', path, { version: 1, ...change })).toMatchObject(refusal)
      expect(
        await admin.call('POST', `/api/v1/${name}`, {
          ...samples[name]!.draft((count += 1), 2),
          [field]: value,
        }),
      ).toMatchObject(refusal)
    } finally {
      rules[field] = rule
    }
    expect((await admin.call('GET', path)).body.version).toBe(1)
    expect(await auditEntries(name, id)).toHaveLength(1)
    expect((await admin.call('PUT', path, { version: 1, ...change })).status).toBe(200)
  })

  test('a deleted record is gone, once, and its deletion is audited', async () => {
    const { id, path } = await make(name)
    expect((await admin.call('DELETE', path)).status).toBe(204)
    for (const method of ['GET', 'DELETE'] as const) expect((await admin.call(method, path)).status).toBe(404)
    expect((await admin.call('PUT', path, { version: 1, ...change })).status).toBe(404)
    expect(await auditEntries(name, id)).toMatchObject([
      { action: 'create' },
      { action: 'delete', after: null },
    ])
  })
})

describe.each(names.filter((name) => samples[name]!.it.scope !== null))('%s', (name) => {
  const { edit: change } = samples[name]!

  test('what is outside the branch is not there for a person who sees the branch alone', async () => {
    const { path: inside } = await make(name, 2)
    const { path: outside } = await make(name, 3)
    expect((await branch.call('GET', inside)).status).toBe(200)
    expect((await branch.call('GET', outside)).status).toBe(404)
    expect((await branch.call('PUT', outside, { version: 1, ...change })).status).toBe(404)
    expect((await branch.call('DELETE', outside)).status).toBe(404)
    expect(await admin.call('GET', outside)).toMatchObject({ status: 200, body: { version: 1 } })
    const ids = async (who: SignedIn) => {
      const { total_length } = (await who.call('GET', `/api/v1/${name}`)).body
      const pages = Array.from({ length: Math.ceil(total_length / 100) }, (_, at) => at + 1)
      const bodies = await Promise.all(
        pages.map((page) => who.call('GET', `/api/v1/${name}?size=100&page=${page}`)),
      )
      return bodies.flatMap(({ body }) => body.data.map(({ id }: { id: number }) => id))
    }
    const [idInside, idOutside] = [inside, outside].map((path) => Number(path.split('/').at(-1)))
    const seen = await ids(branch)
    expect([seen.includes(idInside), seen.includes(idOutside)]).toEqual([true, false])
  })
})
