import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { findCaller } from '../../../server/accounts/sessions.ts'
import { doBulkChange, type Outcome } from '../../../server/bulk/operations.ts'
import { summarise } from '../../../server/bulk/summary.ts'
import { entityRecords } from '../../../server/entities/records.ts'
import type { Writing } from '../../../server/entities/write.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { waitingForLocks, whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal({ bulkRecords: 10 })
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

type Row = Record<string, unknown>
const path = '/api/v1/merchant/bulk'
let series = 0
let shops: { id: number; version: number; xmid: string }[] = []
/** New merchants of agent 2, whose XMIDs begin alike. */
const makeShops = async (count: number) => {
  series += 1
  shops = []
  for (let at = 1; at <= count; at++) {
    const xmid = `M${series}-${String(at).padStart(2, '0')}`
    const draft = { xmid, dba: `Shop ${at}`, masteragentid: 2, status: at % 2 ? 'Open' : 'Boarding' }
    shops.push((await admin.call('POST', '/api/v1/merchant', draft)).body)
  }
}
beforeEach(() => makeShops(4))

const seen = () => shops.map(({ id, version }) => ({ id, version }))
const found = () => ({ search: `M${series}-` })
const stored = () =>
  portal.db.query<Row>('select * from merchant where xmid like $1 order by id', [`M${series}-%`])
const statuses = async () => (await stored()).map(({ status }) => status)
const preview = async (body: Row, who = admin, of = path) => who.call('POST', `${of}/preview`, body)
/** What was looked at is done. */
const commit = async (body: Row, who = admin, of = path) => {
  const looked = await preview(body, who, of)
  expect(looked.status, JSON.stringify(looked.body)).toBe(200)
  return who.call('POST', of, { ...body, fingerprint: looked.body.fingerprint })
}
const undo = (id: number, who = admin, of = path) => who.call('POST', `${of}/${id}/undo`)
const history = async (who = admin, of = path) => (await who.call('GET', `${of}?size=100`)).body.data
const operations = (entity: string, id: number) =>
  portal.db.query<{ action: string; username: string; before: Row | null; after: Row | null }>(
    'select action, username, address, before, after from audit where entity = $1 and entityid = $2 order by id',
    [entity, String(id)],
  )
const asClerk = async (permissions: string[], agent: number | null = 1) => {
  await portal.db.query(
    `update portal_user set permissions = $1, masteragentid = $2 where username = 'clerk'`,
    [permissions, agent],
  )
  return portal.login('clerk')
}

describe('a preview', () => {
  test('counts what changes from what to what, and stores nothing', async () => {
    const before = await stored()
    const { status, body } = await preview({ records: seen(), values: { status: 'Open' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      changed: 2,
      unchanged: 2,
      refused: 0,
      changes: [{ field: 'status', title: 'Status', from: 'Boarding', to: 'Open', count: 2 }],
      morechanges: 0,
      refusals: [],
      morerefused: 0,
    })
    expect(body.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(await stored()).toEqual(before)
    expect(await operations('merchant', shops[1]!.id)).toHaveLength(1)
  })

  test('lists the most frequent change first, and the most frequent refusal', async () => {
    await portal.db.query(`update merchant set status = 'Closed' where id = any ($1)`, [
      shops.slice(1).map(({ id }) => id),
    ])
    const { body } = await preview({ records: seen(), values: { status: 'Approved' } })
    const froms = body.changes.map(({ from, count }: Row) => [from, count])
    expect(froms).toEqual([
      ['Closed', 3],
      ['Open', 1],
    ])
    await portal.db.query('update merchant set version = version + 1 where id = any ($1)', [
      shops.slice(1).map(({ id }) => id),
    ])
    const records = [{ id: 1, version: -1 }, ...seen()]
    const gone = { id: 999_998, version: 1 }
    const refused = (await preview({ records: [gone, ...records.slice(1)], values: { status: 'Lead' } })).body
    expect(refused.refusals.map(({ count }: Row) => count)).toEqual([3, 1])
  })

  test('names agents, days and empty values as the form does', async () => {
    const day = Date.UTC(2026, 0, 2) / 1000
    const { body } = await preview({ found: found(), values: { masteragentid: 3, date_closed: day } })
    expect(body.changed).toBe(4)
    expect(body.changes).toMatchObject([
      {
        title: 'Master Agent',
        from: expect.stringMatching(/^MA0002 - /),
        to: expect.stringMatching(/^MA0003 - /),
      },
      { title: 'Date Closed', from: '', to: '1/2/2026', count: 4 },
    ])
  })

  test('names who is refused and why, in groups of one reason', async () => {
    await portal.db.query('update merchant set version = version + 1 where id = any ($1)', [
      shops.slice(0, 2).map(({ id }) => id),
    ])
    // They are gone through by their numbers, in whichever order they are sent.
    const records = [...seen(), { id: 999_999, version: 1 }].toReversed()
    const { body } = await preview({ records, values: { status: 'Closed' } })
    expect(body).toMatchObject({ changed: 2, unchanged: 0, refused: 3 })
    expect(body.refusals).toEqual([
      {
        reason: 'This merchant was changed by somebody else meanwhile',
        count: 2,
        examples: shops.slice(0, 2).map(({ id, xmid }, at) => ({ id, name: `${xmid} - Shop ${at + 1}` })),
      },
      { reason: 'This merchant does not exist', count: 1, examples: [{ id: 999_999, name: '#999999' }] },
    ])
  })

  test('of all found takes what the search and the filter find now', async () => {
    const filtered = { found: { ...found(), filter: 'masteragentid:2' }, values: { product: 'Duo' } }
    expect((await preview(filtered)).body.changed).toBe(4)
    await admin.call('PUT', `/api/v1/merchant/${shops[0]!.id}`, { version: 1, masteragentid: 3 })
    expect((await preview(filtered)).body.changed).toBe(3)
  })
})

describe('a commit', () => {
  test('changes all that are not refused, and writes each and the whole into the audit', async () => {
    await portal.db.query('update merchant set version = version + 1 where id = $1', [shops[0]!.id])
    const { status, body } = await commit({ records: seen(), values: { status: 'Closed' } })
    expect({ status, body }).toMatchObject({ status: 200, body: { changed: 3, unchanged: 0, refused: 1 } })
    expect(await statuses()).toEqual(['Open', 'Closed', 'Closed', 'Closed'])
    expect((await stored()).map(({ version }) => version)).toEqual([2, 2, 2, 2])
    expect((await operations('merchant', shops[1]!.id)).at(-1)).toMatchObject({
      action: 'update',
      username: 'admin',
      before: { status: 'Boarding' },
      after: { status: 'Closed' },
    })
    expect(await operations('merchant', shops[0]!.id)).toHaveLength(1)
    expect(await operations('bulk', body.id)).toMatchObject([
      {
        action: 'bulk',
        username: 'admin',
        after: { records: 'Merchants', Status: 'Closed', changed: 3, refused: 1 },
      },
    ])
    const { body: entries } = await admin.call('GET', '/api/v1/audit?record=bulk&size=10')
    expect(entries.data[0].what).toBe(`Made bulk change ${body.id}`)
  })

  test('counts what changed, what stayed and what was refused, in its answer, its history and the audit', async () => {
    await portal.db.query(`update merchant set status = 'Closed' where id = any ($1)`, [
      shops.slice(0, 2).map(({ id }) => id),
    ])
    const { body } = await commit({
      records: [
        ...seen(),
        { id: 999_999, version: 1 },
        { id: 999_998, version: 1 },
        { id: 999_997, version: 1 },
      ],
      values: { status: 'Closed', masteragentid: 3, product: 'Duo' },
    })
    expect(body).toEqual({ id: body.id, changed: 4, unchanged: 0, refused: 3 })
    const agent = expect.stringMatching(/^MA0003 - /)
    expect((await operations('bulk', body.id))[0]!.after).toMatchObject({ 'Master Agent': agent })
    shops = shops.map((shop) => ({ ...shop, version: 2 }))
    await portal.db.query(`update merchant set product = 'Solo' where id = $1`, [shops[0]!.id])
    const again = await commit({
      records: [...seen(), { id: 999_999, version: 1 }, { id: 999_998, version: 1 }],
      values: { product: 'Duo', masteragentid: 3 },
    })
    const counts = { changed: 1, unchanged: 3, refused: 2 }
    expect(again.body).toEqual({ id: again.body.id, ...counts })
    expect((await history())[0]).toMatchObject({ id: again.body.id, ...counts })
    expect((await operations('bulk', again.body.id))[0]!.after).toEqual({
      records: 'Merchants',
      'Master Agent': agent,
      Product: 'Duo',
      ...counts,
    })
  })

  test.each<[string, () => Promise<() => ReturnType<typeof preview>>]>([
    ['a change', async () => () => preview({ records: seen(), values: { status: 'Closed' } })],
    [
      'the undo of a change',
      async () => {
        const { body } = await commit({ records: seen(), values: { status: 'Closed' } })
        return () => undo(body.id)
      },
    ],
    [
      'the undo of a deletion',
      async () => {
        const { body } = await commit({ records: seen(), remove: true })
        return () => undo(body.id)
      },
    ],
  ])('stores nothing at all when the database cannot store one record of it: %s', async (_, prepare) => {
    const work = await prepare()
    await portal.db.query(
      `create function fail_third() returns trigger language plpgsql as $$
        begin if new.dba = 'Shop 3' then raise exception 'No space left on device' using errcode = '53100'; end if;
        return new; end $$;
      create trigger fail_third before insert or update on merchant for each row execute function fail_third()`,
    )
    const before = await stored()
    const answer = await work()
    await portal.db.query('drop trigger fail_third on merchant; drop function fail_third')
    expect([answer.status, await stored()]).toEqual([507, before])
  })

  test('is stored when a record that is refused was changed meanwhile and is refused as before', async () => {
    const terminal = { model: 'Duo', serialnumber: `R${series}`, merchantid: shops[0]!.id }
    await admin.call('POST', '/api/v1/equipment', terminal)
    const body = { found: found(), remove: true }
    const { fingerprint } = (await preview(body)).body
    await admin.call('PUT', `/api/v1/merchant/${shops[0]!.id}`, { version: 1, notes: 'elsewhere' })
    expect(await admin.call('POST', path, { ...body, fingerprint })).toMatchObject({
      status: 200,
      body: { changed: 3, refused: 1 },
    })
  })

  test('of a caller who has left is not begun', async () => {
    const caller = (await findCaller(portal.db, admin.token, { idleMinutes: null, isUserAction: false }))!
    const records = entityRecords(entities.merchant!, testSecret, portal.config)
    const gone = AbortSignal.abort(new Error('gone'))
    const change = portal.db.transaction((tx) => {
      const writing: Writing = { tx, caller, address: '', emails: [], isLocked: true }
      return doBulkChange(writing, records, {
        operation: { values: { status: 'Closed' } },
        targets: seen(),
        signal: gone,
      })
    })
    await expect(change).rejects.toThrow('gone')
  })

  test('is refused when a record was changed since the preview, and stores nothing', async () => {
    const body = { found: found(), values: { status: 'Closed' } }
    const { fingerprint } = (await preview(body)).body
    await admin.call('PUT', `/api/v1/merchant/${shops[3]!.id}`, { version: 1, notes: 'elsewhere' })
    const answer = await admin.call('POST', path, { ...body, fingerprint })
    expect(answer).toMatchObject({ status: 409, body: { code: 'previewed' } })
    expect(answer.body.error).toMatch(/^What would change is no longer what the preview showed/)
    expect(await statuses()).toEqual(['Open', 'Boarding', 'Open', 'Boarding'])
  })

  test('is refused when the list finds one more since the preview', async () => {
    const body = { found: found(), values: { status: 'Closed' } }
    const { fingerprint } = (await preview(body)).body
    await admin.call('POST', '/api/v1/merchant', { xmid: `M${series}-99`, dba: 'Late', masteragentid: 2 })
    expect((await admin.call('POST', path, { ...body, fingerprint })).status).toBe(409)
  })

  test('of another value than the preview showed is refused', async () => {
    const { fingerprint } = (await preview({ records: seen(), values: { status: 'Closed' } })).body
    const other = { records: seen(), values: { status: 'Lost' }, fingerprint }
    expect((await admin.call('POST', path, other)).status).toBe(409)
  })

  test('that would change nothing is refused', async () => {
    const answer = await commit({ records: [seen()[0]!], values: { status: 'Open' } })
    expect(answer).toMatchObject({ status: 409, body: { error: 'None of these records would change' } })
  })

  test('of two people at once, one is stored', async () => {
    const clerk = await asClerk(['manage_merchants'])
    const body = { records: seen().slice(0, 1), values: { status: 'Closed' } }
    const { fingerprint } = (await preview(body)).body
    const store = (who: SignedIn) => who.call('POST', path, { ...body, fingerprint })
    const answers = await whileUncommitted(
      portal.db,
      (tx) => tx.query('select from merchant where id = $1 for update', [shops[0]!.id]),
      () => Promise.all([store(admin), store(clerk)]),
      () => expect.poll(() => waitingForLocks(portal.db)).toBe(2),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('deletes what can be deleted, and says why the rest cannot', async () => {
    const terminal = { model: 'Duo', serialnumber: `S${series}`, merchantid: shops[0]!.id }
    await admin.call('POST', '/api/v1/equipment', terminal)
    const body = { records: seen(), remove: true }
    const looked = await preview(body)
    expect(looked.body).toMatchObject({ changed: 3, refused: 1, changes: [] })
    expect(looked.body.refusals[0].reason).toMatch(/^This merchant cannot be deleted: it has 1 terminal\./)
    expect(await stored()).toHaveLength(4)
    const done = (await commit(body)).body
    expect(done).toMatchObject({ changed: 3, refused: 1 })
    expect(await stored()).toHaveLength(1)
    expect((await operations('bulk', done.id))[0]!.after).toEqual({
      records: 'Merchants',
      deleted: 'Yes',
      changed: 3,
      unchanged: 0,
      refused: 1,
    })
    expect((await history())[0]).toMatchObject({
      id: done.id,
      operation: 'delete',
      values: [],
      undo: { allowed: true, reason: null },
    })
    expect((await operations('merchant', shops[1]!.id)).at(-1)).toMatchObject({
      action: 'delete',
      after: null,
    })
  })
})

describe('the limit', () => {
  test.each([
    [9, 200],
    [10, 200],
    [11, 422],
  ])('of 10 records: %i are answered %i, named and found', async (count, status) => {
    await makeShops(count)
    const values = { status: 'Closed' }
    expect((await preview({ records: seen(), values })).status).toBe(status)
    const answer = await preview({ found: found(), values })
    expect(answer.status).toBe(status)
    if (status === 422)
      expect(answer.body.error).toBe(
        'At most 10 records can be changed at once, and 11 are selected: filter the list, or select fewer',
      )
  })
})

describe('what is asked', () => {
  const one = { records: [{ id: 1, version: 1 }] }
  test.each<[string, Row, number, string | RegExp]>([
    ['no selection', { values: { status: 'x' } }, 422, /^Name the records/],
    ['two selections', { ...one, found: {}, values: { status: 'x' } }, 422, /^Name the records/],
    ['no operation', one, 422, /^Name a field to set/],
    ['no value', { ...one, values: {} }, 422, /^Name a field to set/],
    ['two operations', { ...one, values: { status: 'x' }, remove: true }, 422, /^Name a field to set/],
    ['a field that is not set for many', { ...one, values: { xmid: '1' } }, 400, /^xmid is not a field/],
    [
      'a value that is too long',
      { ...one, values: { status: 'x'.repeat(201) } },
      422,
      'Status may have at most 200 characters',
    ],
    [
      'a record twice',
      { records: [one.records[0], one.records[0]], values: { status: 'x' } },
      422,
      'A record is named twice',
    ],
    [
      'a filter that cannot be read',
      { found: { filter: 'x' }, values: { status: 'x' } },
      400,
      /is no filter/,
    ],
  ])('%s is refused in a sentence', async (_, body, status, error) => {
    const answer = await preview(body)
    expect(answer.status).toBe(status)
    expect(answer.body.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error))
  })

  test('deleting agents or users at once is refused', async () => {
    for (const [name, title] of [
      ['masteragent', 'Master Agents'],
      ['user', 'Users'],
    ])
      expect(await preview({ ...one, remove: true }, admin, `/api/v1/${name}/bulk`)).toMatchObject({
        status: 422,
        body: { error: `Many of ${title} cannot be deleted at once` },
      })
  })
})

describe('rights and scope', () => {
  test('a field is set by a person who may change it in a record, and by nobody else', async () => {
    const clerk = await asClerk(['edit_maid_salesrep'])
    const closed = await preview({ records: seen(), values: { notes: 'x' } }, clerk)
    expect(closed.body).toMatchObject({ changed: 0, refused: 4 })
    expect(closed.body.refusals[0].reason).toBe(
      'You may not change Notes: Needs the permission “Manage merchants”',
    )
    expect((await preview({ records: seen(), values: { sales_rep: 'Kim' } }, clerk)).body.changed).toBe(4)
    expect(await preview({ records: seen(), remove: true }, clerk)).toMatchObject({
      status: 403,
      body: { error: 'Needs the permission “Delete merchants”' },
    })
    const remover = await asClerk(['delete_merchants'])
    expect((await preview({ records: seen(), remove: true }, remover)).body.changed).toBe(4)
    const set = await preview({ records: seen(), values: { notes: 'x' } }, remover)
    expect([set.status, set.body.error]).toEqual([403, expect.stringContaining('“Manage merchants”')])
    const other = await asClerk(['manage_equipment'])
    expect((await preview({ records: seen(), values: { notes: 'x' } }, other)).status).toBe(403)
  })

  test('a record outside the branch is not there, named or found', async () => {
    await admin.call('PUT', `/api/v1/merchant/${shops[0]!.id}`, { version: 1, masteragentid: 3 })
    shops[0]!.version = 2
    const branch = await asClerk(['manage_merchants'], 2)
    const values = { notes: 'x' }
    const named = (await preview({ records: seen(), values }, branch)).body
    expect(named).toMatchObject({ changed: 3, refused: 1 })
    expect(named.refusals).toEqual([
      {
        reason: 'This merchant does not exist',
        count: 1,
        examples: [{ id: shops[0]!.id, name: `#${shops[0]!.id}` }],
      },
    ])
    expect((await preview({ found: found(), values }, branch)).body).toMatchObject({ changed: 3, refused: 0 })
  })

  test('nobody gives a record away to an agent whom they do not see', async () => {
    const branch = await asClerk(['manage_merchants'], 2)
    const { body } = await preview({ records: seen(), values: { masteragentid: 3 } }, branch)
    expect(body).toMatchObject({ changed: 0, refused: 4 })
    expect(body.refusals[0].reason).toBe('Master Agent 3 does not exist')
  })

  test('who sees one branch sees and undoes their own changes alone', async () => {
    const { body } = await commit({ records: seen(), values: { notes: 'x' } })
    const branch = await asClerk(['manage_merchants'], 2)
    expect(await history(branch)).toEqual([])
    expect((await undo(body.id, branch)).status).toBe(404)
    shops = shops.map((shop) => ({ ...shop, version: 2 }))
    const own = await commit({ records: seen(), values: { notes: 'y' } }, branch)
    expect(await history(branch)).toMatchObject([{ id: own.body.id, username: 'clerk' }])
    expect((await undo(own.body.id, branch)).status).toBe(200)
  })
})

test('the changes of many are listed page by page, the newest first', async () => {
  await portal.db.query(
    `insert into bulk_change (entity, operation, sent, userid, username, changed, unchanged, refused)
      select 'merchant', 'delete', '{}', id, username, 0, 1, 0
      from portal_user cross join generate_series(1, 15) where username = 'admin'`,
  )
  await portal.db.query(
    `insert into bulk_change (entity, operation, sent, username, changed, unchanged, refused)
      values ('equipment', 'delete', '{}', 'admin', 0, 1, 0)`,
  )
  const made = await portal.db.query<{ id: number }>(
    `select id from bulk_change where entity = 'merchant' order by id desc limit 15`,
  )
  const page = async (n: number) => (await admin.call('GET', `${path}?size=10&page=${n}`)).body
  const [first, second] = [await page(1), await page(2)]
  const shown: { id: number }[] = [...first.data, ...second.data].slice(0, 15)
  expect(shown.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  const [all] = await portal.db.query<{ n: number }>(
    `select count(*) as n from bulk_change where entity = 'merchant'`,
  )
  expect([first.total_length, second.total_length]).toEqual([all!.n, all!.n])
})

test.each([
  [20, 20, 20, 0],
  [21, 20, 20, 1],
  [23, 20, 20, 3],
])(
  'of %i changes and refusals a preview lists %i and %i, and counts %i more',
  (count, changes, refusals, more) => {
    const of = (at: number) => ({ id: at, version: 1, name: `Shop ${at}` })
    const row = (at: number, status: string) => ({ ...of(at), status })
    const outcomes = Array.from({ length: count }, (_, at): Outcome[] => [
      { ...of(at), is: 'refused', reason: `Reason ${at}` },
      {
        ...of(at),
        is: 'changed',
        before: row(at, `${at}`),
        after: row(at, 'Closed'),
        body: { status: 'Closed' },
        heldBefore: {},
      },
    ]).flat()
    const preview = summarise(entities.merchant!, outcomes)
    expect([preview.changes.length, preview.refusals.length]).toEqual([changes, refusals])
    expect([preview.morechanges, preview.morerefused]).toEqual([more, more])
  },
)

test.each([
  [49, 49],
  [50, 50],
  [51, 50],
])('of %i records that are refused for one reason a preview names %i', (count, named) => {
  const outcomes = Array.from({ length: count }, (_, id): Outcome => ({
    id,
    version: 1,
    name: `Shop ${id}`,
    is: 'refused',
    reason: 'Gone',
  }))
  const [refusal] = summarise(entities.merchant!, outcomes).refusals
  expect([refusal!.count, refusal!.examples.length]).toEqual([count, named])
})

describe('an undo', () => {
  test('puts back what each record held, once, and writes it into the audit', async () => {
    const { body } = await commit({ found: found(), values: { status: 'Closed', masteragentid: 3 } })
    expect((await history())[0]).toMatchObject({
      id: body.id,
      username: 'admin',
      operation: 'set',
      values: [
        { title: 'Status', text: 'Closed' },
        { title: 'Master Agent', text: expect.stringMatching(/^MA0003 - /) },
      ],
      changed: 4,
      state: 'done',
      undo: { allowed: true, reason: null },
      undoneby: null,
    })
    await portal.db.query(`update bulk_change set done_at = done_at - interval '1 hour' where id = $1`, [
      body.id,
    ])
    const undone = await undo(body.id)
    expect(undone).toMatchObject({ status: 200, body: { state: 'undone', undoneby: 'admin' } })
    expect(Math.abs(Date.now() / 1000 - undone.body.undoneat)).toBeLessThan(600)
    expect(undone.body.undoneat - undone.body.at).toBeGreaterThanOrEqual(3_600)
    expect(await statuses()).toEqual(['Open', 'Boarding', 'Open', 'Boarding'])
    expect((await stored()).map(({ masteragentid }) => masteragentid)).toEqual([2, 2, 2, 2])
    expect((await operations('merchant', shops[0]!.id)).map(({ action }) => action)).toEqual([
      'create',
      'update',
      'update',
    ])
    expect(await operations('bulk', body.id)).toMatchObject([
      { action: 'bulk', address: '127.0.0.1' },
      {
        action: 'undobulk',
        username: 'admin',
        address: '127.0.0.1',
        after: { records: 'Merchants', changed: 4 },
      },
    ])
    const again = await undo(body.id)
    expect(again).toMatchObject({
      status: 409,
      body: { error: 'This change cannot be undone: admin has undone it already' },
    })
    expect((await history())[0].undo).toEqual({ allowed: false, reason: 'it was undone' })
  })

  test.each([
    ['a change', () => ({ values: { status: 'Closed' } })],
    ['a deletion', () => ({ remove: true })],
  ])('of %s by two people at once is done by one, of whom the other is told', async (_, what) => {
    const clerk = await asClerk(['manage_merchants', 'delete_merchants'])
    const { body } = await commit({ records: seen(), ...what() })
    const answers = await Promise.all([undo(body.id), undo(body.id, clerk)])
    const [done, refused] = answers.sort((a, b) => a.status - b.status)
    expect([done!.status, refused!.status, refused!.body.error]).toEqual([
      200,
      409,
      `This change cannot be undone: ${done!.body.undoneby} has undone it already`,
    ])
  })

  test('is refused whole when a record was changed since, and names it', async () => {
    const { body } = await commit({ records: seen(), values: { status: 'Closed' } })
    await admin.call('PUT', `/api/v1/merchant/${shops[1]!.id}`, { version: 2, status: 'Lost' })
    await portal.db.query('delete from merchant where id = $1', [shops[2]!.id])
    const answer = await undo(body.id)
    expect(answer.status).toBe(409)
    expect(answer.body.error).toBe(
      `This change cannot be undone: ${shops[1]!.xmid} - Shop 2 was changed since; ${shops[2]!.xmid} - Shop 3 is gone`,
    )
    expect((await stored()).map(({ status }) => status)).toEqual(['Closed', 'Lost', 'Closed'])
    expect((await history())[0].undo).toEqual({
      allowed: false,
      reason: `${shops[1]!.xmid} - Shop 2 was changed since`,
    })
  })

  test('says of several records that they are gone', async () => {
    const { body } = await commit({ records: seen(), values: { status: 'Closed' } })
    await portal.db.query('delete from merchant where id = any ($1)', [[shops[1]!.id, shops[2]!.id]])
    expect((await undo(body.id)).body.error).toBe(
      `This change cannot be undone: ${shops[1]!.xmid} - Shop 2 and ${shops[2]!.xmid} - Shop 3 are gone`,
    )
  })

  test('of a deletion is refused to a person who does not see the records any more', async () => {
    const branch = await asClerk(['manage_merchants', 'delete_merchants'], 2)
    const { body } = await commit({ records: seen(), remove: true }, branch)
    const elsewhere = await asClerk(['manage_merchants', 'delete_merchants'], 3)
    const answer = await undo(body.id, elsewhere)
    expect([answer.status, answer.body.error]).toEqual([
      409,
      `This change cannot be undone: ${shops[0]!.xmid} - Shop 1 is outside of your branch`,
    ])
    expect(await stored()).toEqual([])
  })

  test.each([
    [1, /Shop 1 was changed since$/],
    [2, /Shop 1 and \S+ - Shop 2 were changed since$/],
    [5, /Shop 4 and \S+ - Shop 5 were changed since$/],
    [6, /Shop 5 and 1 more record were changed since$/],
    [7, /Shop 5 and 2 more records were changed since$/],
  ])('names at most five of %i records that were changed since', async (count, words) => {
    await makeShops(count)
    const { body } = await commit({ records: seen(), values: { status: 'Closed' } })
    await portal.db.query(`update merchant set status = 'Lost', version = 3 where xmid like $1`, [
      `M${series}-%`,
    ])
    expect((await undo(body.id)).body.error).toMatch(words)
  })

  test('leaves alone what was changed since in other fields', async () => {
    const { body } = await commit({ records: seen(), values: { status: 'Closed' } })
    await admin.call('PUT', `/api/v1/merchant/${shops[1]!.id}`, { version: 2, notes: 'kept' })
    expect((await history())[0].undo.allowed).toBe(true)
    expect((await undo(body.id)).status).toBe(200)
    expect(await stored()).toMatchObject([{}, { status: 'Boarding', notes: 'kept', version: 4 }, {}, {}])
  })

  test('brings deleted records back with their ids and all their columns', async () => {
    const before = await stored()
    const { body } = await commit({ records: seen(), remove: true })
    expect(await stored()).toEqual([])
    expect((await undo(body.id)).status).toBe(200)
    expect(await stored()).toEqual(before.map((row) => ({ ...row, version: 2 })))
    const entries = await operations('merchant', shops[3]!.id)
    expect(entries.map(({ action }) => action)).toEqual(['create', 'delete', 'create'])
    expect(entries[2]).toMatchObject({
      username: 'admin',
      address: '127.0.0.1',
      before: null,
      after: { xmid: shops[3]!.xmid },
    })
  })

  test.each([
    ['with a column that their table got since and its default', '', 200],
    [
      'not where nothing says what such a column holds',
      'alter table merchant alter column since drop default',
      409,
    ],
  ])('brings deleted records back %s', async (_, then, status) => {
    const { body } = await commit({ records: seen(), remove: true })
    await portal.db.query(`alter table merchant add column since text not null default 'new'; ${then}`)
    const answer = await undo(body.id)
    await portal.db.query('alter table merchant drop column since')
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (status === 409)
      expect(answer.body.error).toBe(
        `This change cannot be undone: the portal now keeps more of ${shops[0]!.xmid} - Shop 1 than it did then`,
      )
    expect(await stored()).toHaveLength(status === 200 ? shops.length : 0)
  })

  test('of a deletion is refused when another record has taken a place', async () => {
    const { body } = await commit({ records: seen(), remove: true })
    await admin.call('POST', '/api/v1/merchant', { xmid: shops[3]!.xmid, dba: 'New', masteragentid: 2 })
    const answer = await undo(body.id)
    expect(answer.status).toBe(409)
    expect(answer.body.error).toBe(
      `This change cannot be undone: another record has taken the place of ${shops[3]!.xmid} - Shop 4`,
    )
    expect(await stored()).toHaveLength(1)
  })

  test('of a deletion is refused when what a record refers to is gone', async () => {
    const { body: agent } = await admin.call('POST', '/api/v1/masteragent', { name: 'Short', parentid: 2 })
    await portal.db.query('update merchant set masteragentid = $2 where id = $1', [shops[3]!.id, agent.id])
    const { body } = await commit({ records: seen(), remove: true })
    expect((await admin.call('DELETE', `/api/v1/masteragent/${agent.id}`)).status).toBe(204)
    const answer = await undo(body.id)
    expect([answer.status, answer.body.error]).toEqual([
      409,
      `This change cannot be undone: what ${shops[3]!.xmid} - Shop 4 refers to is gone`,
    ])
    expect(await stored()).toEqual([])
  })

  test('is not offered where any of the records was changed since, not the first alone', async () => {
    await commit({ records: seen(), values: { product: 'Duo' } })
    await portal.db.query('update merchant set version = version + 1 where id = $1', [shops[0]!.id])
    await portal.db.query(`update merchant set product = 'Solo', version = version + 1 where id = $1`, [
      shops[1]!.id,
    ])
    const [{ undo: offered }] = await history()
    expect(offered).toEqual({ allowed: false, reason: `${shops[1]!.xmid} - Shop 2 was changed since` })
  })

  test('needs the right to make the change', async () => {
    const { body } = await commit({ records: seen(), remove: true })
    const clerk = await asClerk(['manage_merchants'])
    expect((await history(clerk))[0].undo).toEqual({
      allowed: false,
      reason: expect.stringMatching(/Delete merchants/),
    })
    expect((await undo(body.id, clerk)).status).toBe(403)
    await makeShops(2)
    const set = await commit({ records: seen(), values: { status: 'Closed' } })
    const remover = await asClerk(['delete_merchants'])
    const reason = expect.stringMatching(/Manage merchants/)
    expect((await history(remover))[0].undo).toEqual({ allowed: false, reason })
    const refused = await undo(set.body.id, remover)
    expect([refused.status, refused.body.error]).toEqual([403, reason])
    expect((await undo(body.id, remover)).status).toBe(200)
  })
})
