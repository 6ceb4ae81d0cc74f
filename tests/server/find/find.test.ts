import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FoundKind } from '../../../schemas/api/find/find.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { findCaller } from '../../../server/accounts/sessions.ts'
import { namingFields } from '../../../server/find/found.ts'
import { findHandlers } from '../../../server/find/handlers.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
let agent: SignedIn
let clerk: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  agent = await portal.login('agent')
  clerk = await portal.login('clerk')
})
afterAll(() => portal.close())

const ask = (who: SignedIn, q: string) => who.call('GET', `/api/v1/find?${new URLSearchParams({ q })}`)
const find = async (who: SignedIn, q: string): Promise<FoundKind[]> => {
  const { status, body } = await ask(who, q)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const kind = (found: readonly FoundKind[], title: string) => found.find((it) => it.title === title)
const texts = (found: readonly FoundKind[], title: string) =>
  kind(found, title)?.rows.map(({ text }) => text) ?? []
let last = 0
const addMerchant = (dba: string, masteragentid = 2) =>
  portal.db.query<{ id: number }>(
    `insert into merchant (xmid, dba, masteragentid) values ($1, $2, $3) returning id`,
    [`8800${(last += 1)}`, dba, masteragentid],
  )

describe('what is found', () => {
  test('is a statement of a processor by its month too, as the same processor has one for each', async () => {
    for (const month of ['2026-09-01', '2026-10-01'])
      await portal.db.query(`insert into processor_statement (processor, month) values ('Zirconia', $1)`, [
        month,
      ])
    expect(texts(await find(admin, 'zirconia'), 'Processor Statements').sort()).toEqual([
      'Zirconia - October 2026',
      'Zirconia - September 2026',
    ])
  })

  test('is a merchant by its XMID and by the words of its name in any order, with the address that opens it', async () => {
    const [{ id } = { id: 0 }] = await addMerchant('Quixotic Zebra Bakery')
    const row = { text: `8800${last} - Quixotic Zebra Bakery`, to: `/manage/merchants?open=${id}` }
    for (const q of [`8800${last} Quixotic`, 'zebra QUIXOTIC', '  Zebra   ba '])
      expect(kind(await find(admin, q), 'Merchants')).toEqual({
        title: 'Merchants',
        rows: [row],
        all: '',
        slow: false,
      })
    expect(await find(admin, 'zebra quixotical')).toEqual([])
  })

  test('is an agent by its number and its name', async () => {
    const [agentRow] = await portal.db.query<{ displayid: string; name: string }>(
      'select displayid, name from master_agent where id = 2',
    )
    const name = `${agentRow!.displayid} - ${agentRow!.name}`
    // The agents below it follow: their list shows it as their parent.
    expect(texts(await find(admin, agentRow!.displayid.toLowerCase()), 'Master Agents')[0]).toBe(name)
    expect(texts(await find(admin, agentRow!.name), 'Master Agents')).toContain(name)
  })

  test('is a terminal, a user and a report by their names', async () => {
    await portal.db.query(`insert into equipment (model, serialnumber) values ('Quokka 9', 'SN-9')`)
    expect(texts(await find(admin, 'quokka'), 'Equipment')).toEqual(['Quokka 9 - SN-9'])
    expect(texts(await find(admin, 'reassign'), 'Users')).toEqual(['reassigner'])
    for (const q of ['residual statement', 'RESIDUAL Statement'])
      expect(kind(await find(admin, q), 'Reports')?.rows).toEqual([
        { text: 'Agent Residual Statement', to: '/reporting?report=agent-residual-statement' },
      ])
  })

  test.each([4, 5, 6])('of %i merchants are at most five, and then the address of all', async (count) => {
    for (let n = 1; n <= count; n++) await addMerchant(`Many${count}x ${n}`)
    const found = kind(await find(admin, `many${count}x`), 'Merchants')!
    expect(found.rows).toHaveLength(Math.min(count, 5))
    expect(found.all).toBe(count > 5 ? `/manage/merchants?search=many${count}x` : '')
  })

  test.each([4, 5, 6])('of %i tickets are at most five too, and then the address of all', async (count) => {
    await portal.db.query(
      `insert into ticket (agentoffice, agentname, email, tickettypeid, subject, description, reporterid, reporter)
        select '', '', 'a@example.com', 1, $1, 'x', id, username
        from portal_user, generate_series(1, $2::int) where username = 'agent'`,
      [`Several${count}x`, count],
    )
    const found = kind(await find(agent, `several${count}x`), 'Tickets')!
    const rows = await portal.db.query<{ text: string; to: string }>(
      `select '#' || id || ' ' || subject as text, '/tickets?open=' || id as to from ticket
        where subject = $1 order by id desc limit 5`,
      [`Several${count}x`],
    )
    expect(found.rows).toEqual(rows)
    expect(found.all).toBe(count > 5 ? `/tickets?search=several${count}x` : '')
  })

  test('is called by its number where it has no name', async () => {
    const [branch] = await portal.db.query<{ id: number }>(
      `insert into master_agent (name) values ('Nameless Heron') returning id`,
    )
    const [made] = await portal.db.query<{ id: number }>(
      `insert into equipment (model, serialnumber, masteragentid) values ('', '', $1) returning id`,
      [branch!.id],
    )
    expect(texts(await find(admin, 'heron'), 'Equipment')).toEqual([`#${made!.id}`])
  })

  test('is ordered: names that begin with the word come before those that have it elsewhere', async () => {
    await addMerchant('A shop of Walrus')
    await addMerchant('Walrus and Sons')
    expect(
      texts(await find(admin, 'walrus'), 'Merchants').map((text) => text.replace(/^\d+ - /, '')),
    ).toEqual(['Walrus and Sons', 'A shop of Walrus'])
    for (const serialnumber of ['LYNX-2', 'LYNX-1'])
      await admin.call('POST', '/api/v1/equipment', { model: 'Duo', serialnumber, masteragentid: 2 })
    expect(texts(await find(admin, 'lynx'), 'Equipment')).toEqual(
      [1, 2].map((n) => expect.stringContaining(`LYNX-${n}`)),
    )
  })

  test('is ordered among more than a page of a list has', async () => {
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid)
        select 'HOOP' || n, case when n = 200 then 'Hoopoe' else 'A hoopoe' end, 2 from generate_series(1, 200) n`,
    )
    expect(texts(await find(admin, 'hoopoe'), 'Merchants')[0]).toBe('HOOP200 - Hoopoe')
  })

  test('is ordered by any of its names, whatever the word holds', async () => {
    await addMerchant('Shop 77712345')
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid) values ('77712345', 'Zoo', 2), ('99910', 'x1y x_y', 2), ('99911', 'x_y', 2)`,
    )
    const named = async (q: string) =>
      texts(await find(admin, q), 'Merchants').map((text) => text.replace(/^8800\d+ - /, ''))
    expect(await named('77712345')).toEqual(['77712345 - Zoo', 'Shop 77712345'])
    expect(await named('x_y')).toEqual(['99911 - x_y', '99910 - x1y x_y'])
  })

  test('comes kind by kind: the records, the tickets, the reports', async () => {
    await addMerchant('Evidence Diner')
    await portal.db.query(
      `insert into equipment (model, serialnumber) values ('Evidence 1', 'E1');
      insert into ticket (agentoffice, agentname, email, tickettypeid, subject, description, reporterid, reporter)
        select '', '', 'a@example.com', 1, 'Evidence', 'x', id, username from portal_user where username = 'admin';
      update portal_user set email = 'admin@example.com' where username = 'admin'`,
    )
    const found = await find(admin, 'evidence')
    expect(found.map(({ title }) => title)).toEqual(['Equipment', 'Merchants', 'Tickets', 'Reports'])
    expect(found.map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1])
  })

  test('begins with the kinds whose names have the words: a merchant comes before its terminals', async () => {
    const [shop] = await addMerchant('The Ocelot Café')
    await portal.db.query(
      `insert into equipment (model, serialnumber, merchantid) values ('Duo', 'OC-1', $1), ('Duo', 'Café', $1)`,
      [shop!.id],
    )
    const titles = async (q: string) => (await find(admin, q)).map(({ title }) => title)
    expect(await titles('ocelot')).toEqual(['Merchants', 'Equipment'])
    expect(await titles('OCELOT cafe')).toEqual(['Merchants', 'Equipment'])
    // Of both kinds a name has it: the order of the menus.
    expect(await titles('cafe')).toEqual(['Equipment', 'Merchants'])
    expect(texts(await find(admin, 'duo cafe'), 'Equipment').slice(0, 2)).toEqual([
      'Duo - Café',
      'Duo - OC-1',
    ])
  })

  test.each(['%%%', '___', 'a_b', '\\\\\\'])('takes %s as it is written', async (q) => {
    expect(kind(await find(admin, q), 'Merchants')).toBeUndefined()
  })
})

describe('who finds what', () => {
  test('is decided by the row scope: a branch finds its own merchants alone', async () => {
    const [own] = await portal.db.query<{ masteragentid: number }>(
      `select masteragentid from portal_user where username = 'agent'`,
    )
    const [other] = await portal.db.query<{ id: number }>(
      `insert into master_agent (name) values ('Elsewhere Branch') returning id`,
    )
    await addMerchant('Narwhal Here', own!.masteragentid)
    await addMerchant('Narwhal There', other!.id)
    expect(texts(await find(admin, 'narwhal'), 'Merchants')).toHaveLength(2)
    expect(texts(await find(agent, 'narwhal'), 'Merchants')).toEqual([
      expect.stringContaining('Narwhal Here'),
    ])
    expect(texts(await find(admin, 'elsewhere'), 'Master Agents')).toHaveLength(1)
    expect(texts(await find(agent, 'elsewhere'), 'Master Agents')).toEqual([])
  })

  test('is decided by the rules of the lists: who may not list users finds none', async () => {
    expect(texts(await find(clerk, 'reassigner'), 'Users')).toEqual([])
    expect(texts(await find(clerk, 'export log'), 'Reports')).toEqual([])
    expect(texts(await find(admin, 'export log'), 'Reports')).toEqual(['Export Log'])
  })

  test('leads who may not open a record to the list that shows it', async () => {
    await addMerchant('Ibex Store', 1)
    const [found] = kind(await find(clerk, 'ibex store'), 'Merchants')?.rows ?? []
    const mayOpen = (entities['merchant']!.access.open ?? merchant.access.update)({
      username: 'clerk',
      admin: false,
      permissions: {} as never,
      masteragentid: 1,
      seesall: false,
    })
    expect(found?.to).toMatch(mayOpen ? /\?open=\d+$/ : /\?search=8800\d+$/)
  })

  test('holds for tickets: those of others stay theirs, and without an email there are none', async () => {
    const insert = (subject: string, reporter: string) =>
      portal.db.query(
        `insert into ticket (agentoffice, agentname, email, tickettypeid, subject, description, reporterid, reporter)
          select '', '', 'a@example.com', 1, $1, 'x', id, username from portal_user where username = $2`,
        [subject, reporter],
      )
    await insert('Lemur broke', 'agent')
    await insert('Lemur at home', 'staff')
    expect(texts(await find(agent, 'lemur'), 'Tickets')).toEqual([
      expect.stringMatching(/^#\d+ Lemur broke$/),
    ])
    await portal.db.query(`update portal_user set email = null where username = 'agent'`)
    expect(texts(await find(agent, 'lemur'), 'Tickets')).toEqual([])
  })
})

describe('what is asked', () => {
  test.each([
    ['ab', 400],
    ['abc', 200],
    ['abcd', 200],
    ['ab cd', 400],
    ['', 400],
    ['x'.repeat(100), 200],
    ['x'.repeat(101), 400],
  ])('%s is answered %i: a word needs three characters', async (q, status) => {
    const answer = await ask(admin, q)
    expect(answer.status).toBe(status)
    if (status === 400 && q.length < 100)
      expect(answer.body.error).toBe('Type a word of at least 3 characters to find records')
  })

  test('names its parameter where it is missing', async () => {
    const answer = await admin.call('GET', '/api/v1/find')
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('q')])
  })
})

test('a kind that takes longer than a second is said to be slow, and the others are answered', async () => {
  await addMerchant('Okapi Foods')
  await portal.db.transaction(async (tx) => {
    await tx.query('lock table equipment in access exclusive mode')
    const found = await find(admin, 'okapi')
    expect(kind(found, 'Equipment')).toEqual({ title: 'Equipment', rows: [], all: '', slow: true })
    expect(texts(found, 'Merchants')).toHaveLength(1)
  })
})

test('a kind that the database cannot look for is an error, and not slow', async () => {
  await portal.db.query('alter table equipment rename to unreachable')
  const { status } = await ask(admin, 'okapi')
  await portal.db.query('alter table unreachable rename to equipment')
  expect(status).toBe(500)
})

test('a search whose caller has left looks at no further kind', async () => {
  const gone = Object.assign(new EventEmitter(), { destroyed: true, writableEnded: false })
  const caller = await findCaller(portal.db, admin.token, { idleMinutes: null, isUserAction: false })
  const { find: search } = findHandlers(portal.db)
  const call = { caller, query: { q: 'shop' }, reply: { raw: gone } } as unknown as Parameters<
    typeof search
  >[0]
  await expect(search(call)).rejects.toThrow('The search was cancelled')
})

test('every entity whose list can be searched is named by a field, or by two', () => {
  const nameless = Object.values(entities).filter(
    (it) => !it.list.unsearched && namingFields(it).length === 0,
  )
  expect(nameless.map(({ name }) => name)).toEqual([])
  expect(Object.values(entities).map((it) => [it.name, ...namingFields(it)])).toEqual([
    ['masteragent', 'displayid', 'name'],
    ['equipment', 'model', 'serialnumber'],
    ['merchant', 'xmid', 'dba'],
    ['adjustment', 'reason', 'month'],
    ['processor', 'name'],
    ['processorstatement', 'processor', 'month'],
    ['user', 'username'],
    ['tc'],
  ])
  expect(namingFields(entities['tc']!)).toEqual([])
})
