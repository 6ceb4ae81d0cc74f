import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixedTicketFields } from '../../../schemas/api/tickets.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { permissions } from '../../../schemas/permissions.ts'
import { oracles } from '../../rights/all.ts'
import { describePerson, type Person } from '../../rights/oracle.ts'
import { peopleFor } from '../../rights/people.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket } from '../../ticket.ts'

type Row = Record<string, unknown>

let portal: TestPortal
let admin: SignedIn
let clerk: SignedIn
/** Ids of stored records, by the name of their entity. */
const ids: Record<string, number[]> = {}
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  clerk = await portal.login('clerk')
  const make = async (name: string, body: Row) => {
    const answer = await admin.call('POST', `/api/v1/${name}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.id as number
  }
  const agent = await make('masteragent', {
    name: 'North',
    parentid: 2,
    payeeid: 2,
    percentagecommissionreceived: 12.3456,
    amountcommissionreceived: 1.25,
    routingnumber: '021000021',
    bankaccountnumber: '123456789',
    taxid: '12-3456789',
    taxtypeid: 2,
    collectionSubscriptions: [{ amount: -1.5, notes: 'Terminal' }],
  })
  const fixed = await make('masteragent', { name: 'South', parentid: 2 })
  await portal.db.query('update master_agent set commissionnoteditable = true where id = $1', [fixed])
  const merchant = await make('merchant', { xmid: 'S1', dba: 'Diner', masteragentid: agent, date_closed: 0 })
  const users = (await admin.call('GET', '/api/v1/user?size=100')).body.data as { id: number }[]
  Object.assign(ids, {
    masteragent: [agent, fixed, 2],
    merchant: [merchant],
    equipment: [
      await make('equipment', { model: 'T', serialnumber: 'S1', merchantid: merchant, masteragentid: agent }),
    ],
    adjustment: [
      await make('adjustment', { month: '2090-01', masteragentid: agent, amount: -5.01, reason: 'R' }),
      await make('adjustment', { month: '2090-01', merchantid: merchant, amount: 5, reason: 'R' }),
    ],
    processor: [
      await make('processor', { name: 'Sent Back', othernames: 'SB\nS B C', expected: 2, since: '2090-01' }),
      await make('processor', { name: 'Plain' }),
    ],
    processorstatement: [
      await make('processorstatement', { processor: 'P', month: '2090-01', statednet: 5.55 }),
    ],
    user: users.map(({ id }) => id),
    tc: [1],
  })
  await portal.db.query(`update adjustment set state = 'refused', decisionreason = 'No' where id = $1`, [
    ids['adjustment']![1],
  ])
})
afterAll(() => portal.close())

/** The clerk holds these permissions, and belongs to a master agent or to none. */
const become = ({ admin: isAdmin, given }: Person, masteragentid: number | null) =>
  portal.db.query(
    `update portal_user set permissions = $1, admin = $2, masteragentid = $3 where username = 'clerk'`,
    [given, isAdmin, masteragentid],
  )
const updates = async (entity: string) =>
  (await portal.db.query(`select 1 from audit where action = 'update' and entity = $1`, [entity])).length

test('every entity has records in this table', () => {
  expect(Object.keys(ids).toSorted()).toEqual(Object.keys(entities).toSorted())
  expect(oracles.map(({ oracle }) => oracle.it.name).toSorted()).toEqual(Object.keys(entities).toSorted())
})

describe.each(oracles)('a record of $name', ({ oracle }) => {
  const { name, schema } = oracle.it
  const senders = peopleFor(oracle).filter((person) => oracle.list(person) && oracle.put(person))

  test.each([
    ['the office', null],
    ['a branch', 2],
  ])('as it is answered to people of %s is no change when they send it back', async (_, masteragentid) => {
    const before = await updates(name)
    let sent = 0
    for (const person of senders) {
      await become(person, masteragentid)
      for (const id of ids[name]!) {
        const path = `/api/v1/${name}/${id}`
        const { status, body } = await clerk.call('GET', path)
        if (status !== 200) continue
        const answer = await clerk.call('PUT', path, body)
        expect(answer.status, `${describePerson(person)} ${JSON.stringify(answer.body)}`).toBe(200)
        expect((await clerk.call('GET', path)).body).toEqual(body)
        sent += 1
      }
    }
    expect(sent).toBeGreaterThan(0)
    expect(await updates(name)).toBe(before)
  })

  test('as the list answers it is no change either, its secrets behind asterisks', async () => {
    const before = await updates(name)
    const list = `/api/v1/${name}?size=100`
    const { total_length } = (await admin.call('GET', list)).body as { total_length: number }
    const { body } = await admin.call('GET', `${list}&page=${Math.ceil(total_length / 100)}`)
    const data = body.data as Row[]
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(ids[name]!))
    if (name === 'masteragent')
      expect(data).toContainEqual(expect.objectContaining({ bankaccountnumber: '*****6789' }))
    for (const row of data) {
      const answer = await admin.call('PUT', `/api/v1/${name}/${row['id'] as number}`, row)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
    expect(await updates(name)).toBe(before)
  })

  const other: Record<string, unknown> = { integer: 77, number: 77.5, string: 'other', boolean: true }
  const readOnly = Object.entries(schema.properties).filter(
    ([field, { readOnly: isFixed }]) => isFixed && field !== 'id' && field !== 'version',
  )
  test.each([...readOnly.map(([field]) => field), 'labels'])(
    'is refused with another %s, by name, and nothing is stored',
    async (field) => {
      const path = `/api/v1/${name}/${ids[name]![0]}`
      const { body } = await admin.call('GET', path)
      const property = schema.properties[field] ?? { type: 'labels' }
      const others: Record<string, unknown> = {
        ...other,
        labels: { masteragentid: 'Somebody else' },
        object: { by: 'x', at: 1, fields: [], source: '', canconfirm: true },
      }
      const type = String([property.type].flat()[0])
      const value = property.oneOf?.find((it) => it.const !== body[field])?.const ?? others[type]
      const sent = { ...body, [field]: body[field] === value ? !value : value }
      expect(await admin.call('PUT', path, sent)).toMatchObject({
        status: 403,
        body: {
          // What stands beside the record has no rule, so no reason.
          error: expect.stringMatching(new RegExp(`^You may not change ${property.title ?? field}(: .+)?$`)),
          fields: { [field]: expect.any(String) },
        },
      })
      expect((await admin.call('GET', path)).body).toEqual(body)
    },
  )
})

describe('a ticket', () => {
  test('as it is answered is no change when its reporter or another sends it back', async () => {
    await become({ admin: false, given: permissions }, 2)
    await portal.db.query(`update portal_user set email = 'clerk@example.com' where username = 'clerk'`)
    const agent = await portal.login('agent')
    const { body: filed } = await fileTicket(agent, {}, [{ name: 'a.txt', content: 'text' }])
    const before = await updates('ticket')
    for (const who of [agent, clerk]) {
      const { body } = await who.call('GET', `/api/v1/ticket/${filed.id}`)
      expect(await who.call('PUT', `/api/v1/ticket/${filed.id}`, body)).toMatchObject({ status: 200, body })
    }
    expect(await updates('ticket')).toBe(before)
  })

  const values = {
    id: 999,
    reporter: 'other',
    created: 1,
    own: false,
    attachments: 3,
    files: [],
  } satisfies Record<keyof typeof fixedTicketFields, unknown>
  test.each(Object.entries(values))(
    'is refused with another %s, by name, and nothing is stored',
    async (field, value) => {
      const agent = await portal.login('agent')
      const { body: filed } = await fileTicket(agent, {}, [{ name: 'a.txt', content: 'text' }])
      const path = `/api/v1/ticket/${filed.id}`
      const { title } = fixedTicketFields[field as keyof typeof values]
      expect(await agent.call('PUT', path, { ...filed, [field]: value })).toMatchObject({
        status: 403,
        body: { error: `You may not change ${title}`, fields: { [field]: `You may not change ${title}` } },
      })
      expect((await agent.call('GET', path)).body).toEqual(filed)
    },
  )
})
