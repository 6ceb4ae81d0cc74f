import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

/*
 * grandparent - parent - own - child, niece
 *                     \- sibling
 *                     \- office, an office account
 * foreign and spare stand at the top.
 */
type Place = 'grandparent' | 'parent' | 'own' | 'child' | 'sibling' | 'foreign' | 'office' | 'spare' | 'niece'
const parents: Record<Place, Place | null> = {
  grandparent: null,
  parent: 'grandparent',
  own: 'parent',
  child: 'own',
  sibling: 'parent',
  office: 'parent',
  foreign: null,
  spare: null,
  niece: 'own',
}
const places = Object.keys(parents) as Place[]
const ids = {} as Record<Place, number>

type Who = 'administrator' | 'branch' | 'office' | 'house'
/** Whose agent each person is. */
const homes: Record<Who, Place | null> = {
  administrator: 'own',
  branch: 'own',
  office: 'office',
  house: null,
}
/** Written by hand: the agents each person is paid by, or stands below. */
const chains: Record<Who, Place[]> = {
  administrator: ['own', 'parent', 'grandparent'],
  branch: ['own', 'parent', 'grandparent'],
  office: ['office', 'parent', 'grandparent'],
  house: [],
}
const unseen: Record<Who, Place[]> = {
  administrator: [],
  branch: ['grandparent', 'parent', 'sibling', 'foreign', 'office'],
  office: [],
  house: [],
}

const titles: Record<string, string> = {
  percentagecommissionreceived: 'Percentage Commission Received',
  amountcommissionreceived: 'Amount Commission Received',
  percentageequipmentcommissionreceived: 'Percentage Equipment Commission Received',
  amountequipmentcommissionreceived: 'Amount Equipment Commission Received',
  collectionSubscriptions: 'Collection Subscriptions',
  payoninactive: 'Pay on Inactive',
  payeeid: 'Payee',
  parentid: 'Parent',
  isofficeaccount: 'Office Account',
}
/** What each field is changed to: payee and parent to an agent the person sees, which makes no circle. */
const changes = (other: Place): Record<string, unknown> => ({
  percentagecommissionreceived: 12.5,
  amountcommissionreceived: 7.5,
  percentageequipmentcommissionreceived: 13.5,
  amountequipmentcommissionreceived: 8.5,
  collectionSubscriptions: [{ amount: 5, notes: 'rent' }],
  payoninactive: true,
  payeeid: ids[other],
  parentid: ids[other],
})

let portal: TestPortal
const people = {} as Record<Who, SignedIn>
const path = (place: Place) => `/api/v1/masteragent/${ids[place]}`

beforeAll(async () => {
  portal = await openTestPortal()
  for (const place of places) {
    const parent = parents[place]
    const [made] = await portal.db.query<{ id: number }>(
      'insert into master_agent (name, parentid, isofficeaccount) values ($1, $2, $3) returning id',
      [place, parent && ids[parent], place === 'office'],
    )
    ids[place] = made!.id
  }
  const names: Record<Who, string> = {
    administrator: 'reassigner',
    branch: 'agent',
    office: 'staff',
    house: 'admin',
  }
  for (const who of Object.keys(names) as Who[]) {
    const home = homes[who]
    await portal.db.query(
      'update portal_user set masteragentid = $2, permissions = $3, admin = $4 where username = $1',
      [
        names[who],
        home && ids[home],
        who === 'administrator' || who === 'house' ? [] : permissions,
        who === 'administrator' || who === 'house',
      ],
    )
    people[who] = await portal.login(names[who])
  }
}, 60_000)
afterAll(() => portal.close())

const versionOf = async (place: Place) =>
  (
    await portal.db.query<{ version: number }>('select version from master_agent where id = $1', [ids[place]])
  )[0]!.version
const put = async (who: Who, place: Place, change: object) =>
  people[who].call('PUT', path(place), { version: await versionOf(place), ...change })
/** Puts every agent back to where it stood, without rates, payees and subscriptions. */
const restore = async () => {
  await portal.db.query('delete from collection_subscription')
  await portal.db.query(
    `update bank_change set decision = 'withdrawn', decided_by = 'x', decided_at = now() where decision is null`,
  )
  for (const place of places) {
    const parent = parents[place]
    await portal.db.query(
      `update master_agent set parentid = $2, payeeid = null, payoninactive = false, isofficeaccount = $3,
          percentagecommissionreceived = null, amountcommissionreceived = null,
          percentageequipmentcommissionreceived = null, amountequipmentcommissionreceived = null
        where id = $1`,
      [ids[place], parent && ids[parent], place === 'office'],
    )
  }
}

const targets = places.filter((place) => place !== 'spare' && place !== 'niece')
describe.each(Object.keys(homes) as Who[])('%s', (who) => {
  test.each(targets)(
    'changes what decides the pay of the %s only where it is not their own',
    async (place) => {
      await restore()
      for (const [field, value] of Object.entries(changes(who === 'branch' ? 'niece' : 'spare'))) {
        const before = await versionOf(place)
        const answer = await put(who, place, { [field]: value, notes: `n ${field}` })
        const isRefused = chains[who].includes(place) && place !== 'office'
        const what = `${field} of ${place} by ${who}: ${JSON.stringify(answer.body)}`
        if (unseen[who].includes(place)) expect(answer.status, what).toBe(404)
        else if (isRefused) {
          expect(answer, what).toMatchObject({
            status: 403,
            body: {
              error: expect.stringContaining(`You may not change ${titles[field]}: This is your own agent`),
              fields: { [field]: expect.any(String) },
            },
          })
          expect(await versionOf(place)).toBe(before)
        } else expect(answer.status, what).toBe(200)
        await restore()
      }
    },
  )

  test.each(targets)('changes the office flag of the %s only where it is not their own', async (place) => {
    await restore()
    const answer = await put(who, place, { isofficeaccount: place !== 'office' })
    const isRefused = chains[who].includes(place) || who === 'branch'
    if (unseen[who].includes(place)) expect(answer.status).toBe(404)
    else expect(answer.status, JSON.stringify(answer.body)).toBe(isRefused ? 403 : 200)
    await restore()
  })

  test.each(targets)('ends a hold of the %s only where it is not their own', async (place) => {
    await portal.db.query(
      `insert into payout_hold (masteragentid, isstatement, reason, username, address) values ($1, false, 'x', 'y', '')`,
      [ids[place]],
    )
    const { status, body } = await people[who].call('POST', `${path(place)}/unhold`, { reason: 'Settled' })
    if (unseen[who].includes(place)) expect(status).toBe(404)
    else if (chains[who].includes(place) && place !== 'office')
      expect([status, body.error]).toEqual([
        403,
        'This is your own agent or one above it: somebody else must end its hold',
      ])
    else expect([status, body.payhold]).toEqual([200, null])
    await portal.db.query(
      `insert into payout_hold_end (holdid, reason, username, address) select id, 'x', 'y', '' from active_hold`,
    )
  })

  test.each(targets)('is answered whether the %s is their own agent or above it', async (place) => {
    const { status, body } = await people[who].call('GET', path(place))
    if (unseen[who].includes(place)) expect(status).toBe(404)
    else expect(body.ownchain).toBe(chains[who].includes(place))
  })
})

describe('what stays open', () => {
  test('is everything else of their own agent, and sending its pay back as it is', async () => {
    await restore()
    const answer = await put('branch', 'own', {
      name: 'own',
      notes: 'new notes',
      routingnumber: '021000021',
      percentagecommissionreceived: null,
      parentid: ids.parent,
      payeeid: null,
      payoninactive: false,
      collectionSubscriptions: [],
    })
    expect(answer).toMatchObject({ status: 200, body: { notes: 'new notes' } })
  })

  test('is a new agent below their own one, with rates and a payee', async () => {
    for (const who of ['administrator', 'branch'] as const) {
      const answer = await people[who].call('POST', '/api/v1/masteragent', {
        name: 'New',
        parentid: ids.own,
        percentagecommissionreceived: 10,
        payeeid: ids.own,
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    }
  })
})

describe('the ways around it', () => {
  test('people cannot move their own user to another master agent, nor out of all', async () => {
    const [row] = await portal.db.query<{ id: number; version: number }>(
      `select id, version from portal_user where username = 'reassigner'`,
    )
    const url = `/api/v1/user/${row!.id}`
    for (const masteragentid of [null, ids.foreign, ids.child])
      expect(
        await people.administrator.call('PUT', url, { version: row!.version, masteragentid }),
      ).toMatchObject({
        status: 403,
        body: { error: expect.stringMatching(/^You may not change Master Agent: ./) },
      })
    expect(
      (await people.house.call('PUT', url, { version: row!.version, masteragentid: ids.own })).status,
    ).toBe(200)
  })

  test('a change of the tree by somebody else counts at the next call', async () => {
    await restore()
    expect((await put('administrator', 'foreign', { payoninactive: true })).status).toBe(200)
    await portal.db.query('update master_agent set parentid = $2 where id = $1', [
      ids.grandparent,
      ids.foreign,
    ])
    expect((await put('administrator', 'foreign', { payoninactive: false })).status).toBe(403)
    await restore()
  })

  test('a circle in the tree, which older data may hold, does not keep anybody from working', async () => {
    await restore()
    await portal.db.query('update master_agent set parentid = $2 where id = $1', [ids.grandparent, ids.own])
    expect((await put('administrator', 'foreign', { notes: 'circle' })).status).toBe(200)
    expect((await put('administrator', 'grandparent', { payoninactive: true })).status).toBe(403)
    await restore()
  })

  test('the payee of a person’s own agent, entered by another person, is confirmed by a third', async () => {
    await restore()
    const entered = await put('house', 'own', { payeeid: ids.foreign })
    const { version } = entered.body
    const confirm = (who: Who) =>
      people[who].call('POST', `${path('own')}/bank/confirm`, { how: 'document seen', version })
    expect(await confirm('administrator')).toMatchObject({
      status: 403,
      body: { error: 'This is your own agent or one above it: somebody else must confirm its payee' },
    })
    expect((await confirm('office')).status).toBe(200)
    await restore()
  })
})
