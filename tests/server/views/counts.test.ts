import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { defaultView, viewLimits, viewLists } from '../../../schemas/api/lists/views.ts'
import { maxFilterLength } from '../../../schemas/constants.ts'
import { findCaller } from '../../../server/accounts/sessions.ts'
import { countViews } from '../../../server/views/counts.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket } from '../../ticket.ts'

let portal: TestPortal
let admin: SignedIn
let agent: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  // The list of tickets needs an address.
  await portal.db.query(`update portal_user set email = username || '@example.com'`)
  ;[admin, agent] = [await portal.login('admin'), await portal.login('agent')]
})
afterEach(() => portal.db.query('delete from saved_view'))
afterAll(() => portal.close())

const keep = async (
  person: SignedIn,
  search: string,
  { list = 'merchant', name = search, shared = false } = {},
) => {
  const { status, body } = await person.call('POST', '/api/v1/view', {
    list,
    name: name || 'All',
    shared,
    search,
  })
  expect(status).toBe(201)
  return body.id as number
}
type Count = { id: number; total: number | null; more: boolean }
const allCounts = async (person: SignedIn, list = 'merchant'): Promise<Count[]> => {
  const { status, body } = await person.call('GET', `/api/v1/view/count?list=${list}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
/** Those of saved views. */
const counts = async (person: SignedIn, list?: string) =>
  (await allCounts(person, list)).filter(({ id }) => id !== defaultView)
const totalOf = async (person: SignedIn, query: string, list = 'merchant') =>
  (await person.call('GET', `/api/v1/${list}?${query}`)).body.total_length as number
/** What is answered for a view that lists so many. */
const countOf = (id: number, total: number): Count => ({
  id,
  total: Math.min(total, viewLimits.counted),
  more: total > viewLimits.counted,
})
const addCounted = (rows: number) =>
  portal.db.query(
    `insert into merchant (xmid, dba, masteragentid)
      select 'COUNTED' || lpad(g::text, 6, '0'), 'Counted ' || g, 3 from generate_series(1, $1::int) g`,
    [rows],
  )

describe('the count of a view', () => {
  test.each(['', 'search=approved', 'filter=accountstatus%3A3%3Bnotes%3Aempty', 'search=zebra', 'sort=-dba'])(
    'is how many records its list says that it finds: %s',
    async (search) => {
      const id = await keep(admin, search)
      expect(await counts(admin)).toEqual([countOf(id, await totalOf(admin, search))])
    },
  )

  test.each(viewLists)(
    'comes first for the default view of %s, and is how many its list has for who asks',
    async (list) => {
      for (const person of [admin, await portal.login('agent')]) {
        const listed = await person.call('GET', `/api/v1/${list}`)
        if (listed.status === 403) continue
        const found = await allCounts(person, list)
        // The list of the audit was asked for in between, which the audit holds too.
        const total = list === 'audit' ? await totalOf(person, '', list) : listed.body.total_length
        expect(found).toEqual([countOf(defaultView, total)])
      }
    },
  )

  test('is how many tickets their list finds, of those that who asks may see', async () => {
    for (const person of [admin, agent]) {
      await fileTicket(person, { subject: 'Counted bakery' })
      await fileTicket(person, { subject: 'Another thing' })
      const id = await keep(person, 'search=open+bakery', { list: 'ticket' })
      expect(await counts(person, 'ticket')).toEqual([
        countOf(id, await totalOf(person, 'search=open%20bakery', 'ticket')),
      ])
    }
    expect((await counts(agent, 'ticket'))[0]?.total).toBe(1)
    expect((await counts(admin, 'ticket'))[0]?.total).toBe(2)
  })

  test('is the same whichever columns it shows', async () => {
    const id = await keep(admin, 'columns=xmid%3A90%2Cgone&density=compact&filter=accountstatus%3A3', {
      name: 'Narrow',
    })
    expect(await counts(admin)).toEqual([countOf(id, await totalOf(admin, 'filter=accountstatus:3'))])
  })

  test.each(['merchant', 'equipment', 'masteragent'])(
    'of %s is that of the rows in the scope of who asks, not of who saved it',
    async (list) => {
      const other = await portal.login('reassigner')
      await portal.db.query(
        `update portal_user set masteragentid = 2 where username in ('agent', 'reassigner')`,
      )
      await portal.db.query(`update portal_user set masteragentid = 3 where username = 'clerk'`)
      const id = await keep(other, '', { list, shared: true })
      const [seen] = await counts(agent, list)
      expect(seen).toEqual(countOf(id, await totalOf(agent, '', list)))
      const own = await keep(admin, '', { list })
      const [all] = await counts(admin, list)
      expect(all).toEqual(countOf(own, await totalOf(admin, '', list)))
      if (list !== 'equipment') expect(seen!.total).toBeLessThan(all!.total!)
    },
  )

  test('is answered for the views that the caller is offered alone', async () => {
    await keep(admin, 'search=secret')
    await keep(admin, 'search=shared', { shared: true })
    const id = await keep(agent, 'search=own')
    expect((await counts(agent)).map((one) => one.id)).toEqual([id])
  })

  test.each([
    'filter=accountstatus%3A9',
    'filter=gone%3A1',
    `search=${Array.from({ length: 13 }, (_, at) => `w${at}`).join('+')}`,
    `search=${'x'.repeat(201)}`,
    `filter=${encodeURIComponent(`accountstatus:3${',3'.repeat(493)}`)}`,
    'search=%00',
  ])('is not there where the list would be refused: %s', async (search) => {
    const id = await keep(admin, search, { name: 'Old' })
    const good = await keep(admin, 'search=zebra', { name: 'Young' })
    expect(await counts(admin)).toEqual([
      { id, total: null, more: false },
      { id: good, total: 0, more: false },
    ])
  })

  test('is there for the longest search and the longest filter that a list takes', async () => {
    const filter = `accountstatus:3${',3'.repeat(486)};notes:filled`
    expect(filter).toHaveLength(maxFilterLength)
    const query = `search=${'x'.repeat(200)}&filter=${encodeURIComponent(filter)}`
    const id = await keep(admin, query, { name: 'Long' })
    expect(await counts(admin)).toEqual([{ id, total: 0, more: false }])
  })

  test.each([
    ['kind=export&from=2026-01-01', true],
    ['search=zz-nothing', true],
    ['from=2026-13-01', false],
    ['kind=nothing', false],
  ])('of the audit is that of its filters: %s', async (search, isRead) => {
    const id = await keep(admin, search, { list: 'audit' })
    const total = isRead ? await totalOf(admin, search, 'audit') : null
    expect(await counts(admin, 'audit')).toEqual([{ id, total, more: false }])
  })

  test.each(viewLists)('of %s is refused to a person who may not open the list', async (list) => {
    const clerk = await portal.login('clerk')
    const listed = await clerk.call('GET', `/api/v1/view?list=${list}`)
    expect((await clerk.call('GET', `/api/v1/view/count?list=${list}`)).status).toBe(listed.status)
  })

  test.each([
    [999, 999, false],
    [1_000, 1_000, false],
    [1_001, 1_000, true],
  ])('of %i records is %i, and that there are more: %s', async (rows, total, more) => {
    await addCounted(rows)
    const id = await keep(admin, 'search=counted')
    expect(await counts(admin)).toEqual([{ id, total, more }])
    await portal.db.query(`delete from merchant where xmid like 'COUNTED%'`)
  })

  test('is not worked out for a person who has left', async () => {
    const caller = await findCaller(portal.db, admin.token, { idleMinutes: null, isUserAction: false })
    const signal = AbortSignal.abort(new Error('gone'))
    const counted = countViews(portal.db, caller!, { list: 'merchant', views: [], signal })
    await expect(counted).rejects.toThrow('gone')
  })

  test('is an error where the database fails, and not a view without a count', async () => {
    await portal.db.query('alter table equipment rename to unreachable')
    const { status } = await admin.call('GET', '/api/v1/view/count?list=equipment')
    await portal.db.query('alter table unreachable rename to equipment')
    expect(status).toBe(500)
  })

  test('that takes too long is left out, and is there again later', async () => {
    const id = await keep(admin, 'search=zebra')
    await portal.db.transaction(async (tx) => {
      await tx.query('lock table merchant in access exclusive mode')
      expect(await counts(admin)).toEqual([{ id, total: null, more: false }])
    })
    expect(await counts(admin)).toEqual([{ id, total: 0, more: false }])
  })
})
