import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oracles } from '../../rights/all.ts'
import { describePerson, namesOf, openTo, type Oracle, type Person } from '../../rights/oracle.ts'
import { peopleFor } from '../../rights/people.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let probe: SignedIn
/** Stored records of each entity, those whose differences decide. */
const rows: Record<string, Record<string, unknown>[]> = {}
beforeAll(async () => {
  portal = await openTestPortal()
  probe = await portal.login('clerk')
  const admin = await portal.login('admin')
  const make = async (name: string, body: object) => (await admin.call('POST', `/api/v1/${name}`, body)).body
  const [merchant] = await portal.db.query<Record<string, unknown>>(
    'select * from merchant where masteragentid <> 3 and accountstatus = 2 limit 1',
  )
  const [newcomer] = await portal.db.query<Record<string, unknown>>(
    `select id, version, masteragentid from portal_user where username = 'newcomer'`,
  )
  const agents = [
    await make('masteragent', { name: 'North', parentid: 2 }),
    await make('masteragent', { name: 'South', parentid: 2 }),
  ]
  await portal.db.query('update master_agent set commissionnoteditable = true where id = $1', [agents[1].id])
  rows['masteragent'] = [agents[0], { ...agents[1], commissionnoteditable: true }]
  rows['merchant'] = [merchant!]
  rows['user'] = [newcomer!]
  rows['tc'] = [{ id: 1, version: 1 }]
  for (const { oracle } of oracles)
    rows[oracle.it.name] ??= [await make(oracle.it.name, oracle.draft(1, agents[0].id))]
})
afterAll(() => portal.close())

const become = ({ given, admin }: Person) =>
  portal.db.query(`update portal_user set permissions = $1, admin = $2 where username = 'clerk'`, [
    given,
    admin,
  ])

const changed = ({ fields }: Oracle, row?: Record<string, unknown>) =>
  Object.fromEntries(fields.flatMap(({ names, change }) => names.map((name) => [name, change(row)])))
const closedTo = (oracle: Oracle, person: Person, row: Record<string, unknown> | null) => {
  const open = openTo(oracle, person, row)
  return namesOf(oracle)
    .filter((name) => !open.includes(name))
    .sort()
}
const refused = {
  status: 403,
  body: {
    error: expect.stringMatching(/^You do not have permission to do this\. (Needs the|Only an|This is) /),
  },
}

describe.each(oracles)('$name', ({ oracle }) => {
  const path = `/api/v1/${oracle.it.name}`
  const people = peopleFor(oracle)

  test('the list, and deleting, answer 403 to exactly those who may not', async () => {
    for (const person of people) {
      await become(person)
      expect((await probe.call('GET', path)).status, describePerson(person)).toBe(
        oracle.list(person) ? 200 : 403,
      )
      expect((await probe.call('GET', `${path}/999999`)).status, describePerson(person)).toBe(
        oracle.list(person) ? 404 : 403,
      )
      expect((await probe.call('DELETE', `${path}/999999`)).status, describePerson(person)).toBe(
        oracle.remove(person) ? 404 : 403,
      )
    }
  })

  test('a new record with a field its sender may not fill in is refused with 403 naming exactly these', async () => {
    const count = async () => (await portal.db.query(`select count(*) from ${oracle.it.table}`))[0]
    const before = await count()
    for (const person of people) {
      await become(person)
      const answer = await probe.call('POST', path, changed(oracle))
      const closed = closedTo(oracle, person, null)
      if (!oracle.create(person)) expect(answer, describePerson(person)).toMatchObject(refused)
      else if (closed.length === 0) expect(answer.status, describePerson(person)).toBe(422)
      else {
        expect(answer.status, describePerson(person)).toBe(403)
        expect(Object.keys(answer.body.fields).sort(), describePerson(person)).toEqual(closed)
      }
    }
    expect(await count()).toEqual(before)
  })

  test('a body that changes a field its sender may not change is refused with 403 naming exactly the fields', async () => {
    for (const row of rows[oracle.it.name]!)
      for (const person of people) {
        await become(person)
        const answer = await probe.call('PUT', `${path}/${row['id']}`, {
          version: row['version'],
          ...changed(oracle, row),
        })
        const closed = closedTo(oracle, person, row)
        const isRefused = !oracle.put(person) || closed.length > 0
        expect(answer.status === 403, `${describePerson(person)} gets ${answer.status}`).toBe(isRefused)
        if (!oracle.put(person)) expect(answer, describePerson(person)).toMatchObject(refused)
        else if (isRefused)
          expect(Object.keys(answer.body.fields).sort(), describePerson(person)).toEqual(closed)
      }
  })

  test('what the rules leave open is accepted', async () => {
    for (const row of rows[oracle.it.name]!) {
      const tried = new Set<string>()
      for (const person of people.filter((one) => oracle.put(one) && openTo(oracle, one, row).length > 0)) {
        const open = openTo(oracle, person, row)
        if (tried.has(open.join())) continue
        tried.add(open.join())
        await become(person)
        const [now] = await portal.db.query<{ version: number }>(
          `update ${oracle.it.table} set version = version + 1 where id = $1 returning version`,
          [row['id']],
        )
        const change = Object.fromEntries(
          oracle.fields.flatMap(({ names, valid, change }) =>
            names
              .filter((name) => open.includes(name))
              .map((name) => [name, valid === undefined ? change(row) : valid]),
          ),
        )
        const answer = await probe.call('PUT', `${path}/${row['id']}`, { version: now!.version, ...change })
        expect(answer.status, `${describePerson(person)} ${JSON.stringify(answer.body)}`).toBe(200)
        for (const [name, value] of Object.entries(change)) {
          const { kind, secret, writeOnly } = oracle.it.schema.properties[name]!
          if (writeOnly) expect(answer.body).not.toHaveProperty(name)
          else if (kind === 'password') expect(answer.body[name]).toBe('')
          else if (secret) expect(answer.body[name]).toBe(`*****${String(value).slice(-4)}`)
          else if (typeof value !== 'object') expect(answer.body[name], name).toBe(value)
        }
        await portal.db.query(`update portal_user set admin = false where username = 'newcomer'`)
      }
      expect(tried.size > 0).toBe(people.some((one) => openTo(oracle, one, row).length > 0))
    }
  })
})
