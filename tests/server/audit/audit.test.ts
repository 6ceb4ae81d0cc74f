import { Readable } from 'node:stream'
import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxPagedEntries } from '../../../schemas/api/audit/audit.ts'
import type { Endpoint } from '../../../schemas/api/endpoint.ts'
import { auditDownloads } from '../../../server/audit/downloadAudit.ts'
import { conditionOf, newestFirst } from '../../../server/audit/find.ts'
import { redactSecrets } from '../../../server/db/audit.ts'
import { writeCountedRepeats } from '../../../server/db/repeatedAudit.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket } from '../../ticket.ts'

let portal: TestPortal
let admin: SignedIn
let clerk: SignedIn
beforeAll(async () => {
  portal = await openTestPortal({ timeZone: 'America/New_York' })
  admin = await portal.login('admin')
  clerk = await portal.login('clerk')
})
afterAll(() => portal.close())

let last = 0
beforeEach(async () => {
  await portal.db.query(`delete from audit_repeat`)
  const [row] = await portal.db.query<{ id: number }>('select coalesce(max(id), 0) as id from audit')
  last = row!.id
})
/** The entries that the test made. */
const newEntries = () =>
  portal.db.query(
    'select username, address, action, entity, entityid, after from audit where id > $1 order by id',
    [last],
  )
/** As if the minute of every count were over. */
const afterAMinute = async () => {
  await portal.db.query(`update audit_repeat set since = since - interval '60 seconds'`)
  await writeCountedRepeats(portal.db)
}
const list = async (query: string) => (await admin.call('GET', `/api/v1/audit?${query}`)).body
const signIn = async (username: string, password: string) =>
  (await portal.stranger()).call('PUT', '/api/v1/login', { username, password })

describe('the audit holds', () => {
  test('a failed sign-in of a user under the name that the user has, however it was typed', async () => {
    expect((await signIn('CLERK', 'not the password')).status).toBe(401)
    const [user] = await portal.db.query<{ id: number }>(
      `select id from portal_user where username = 'clerk'`,
    )
    expect(await newEntries()).toEqual([
      {
        username: 'clerk',
        address: '127.0.0.1',
        action: 'failedlogin',
        entity: 'user',
        entityid: String(user!.id),
        after: { reason: 'Invalid Username or Password' },
      },
    ])
  })

  test('a failed sign-in with a name that no user has, without the name: it may be a password', async () => {
    expect((await signIn('four warm copper kettles', 'clerk')).status).toBe(401)
    expect(await newEntries()).toMatchObject([{ username: '', action: 'failedlogin', entityid: '' }])
    const rows = await portal.db.query(
      `select a::text from audit a union all select r::text from audit_repeat r`,
    )
    expect(JSON.stringify(rows)).not.toContain('copper')
  })

  test('a sign-in that is refused for too many attempts', async () => {
    for (let attempt = 1; attempt <= 10; attempt++) await signIn('nobody at all', 'wrong')
    expect((await signIn('nobody at all', 'wrong')).status).toBe(429)
    await portal.db.query('delete from login_attempt')
    await afterAMinute()
    expect((await newEntries()).at(-1)).toMatchObject({
      action: 'failedlogin',
      after: { reason: expect.stringMatching(/^Too many failed/), repeats: 10 },
    })
  })

  test('no failed sign-in for one that succeeds', async () => {
    await portal.login('importer')
    expect(await newEntries()).toMatchObject([{ username: 'importer', action: 'login' }])
  })

  test.each([
    ['a call', 'DELETE', '/api/v1/merchant/1', '', 'DELETE /api/v1/merchant/:id', 'Delete merchants'],
    [
      'the audit',
      'GET',
      '/api/v1/audit',
      '?search=777',
      'GET /api/v1/audit',
      'Only an administrator may read',
    ],
  ] as const)(
    'who was refused %s, which call it was, without what it asked for, and what right is missing',
    async (_, method, path, query, route, right) => {
      const { status } = await clerk.call(method, path + query)
      expect(status).toBe(403)
      expect(await newEntries()).toEqual([
        {
          username: 'clerk',
          address: '127.0.0.1',
          action: 'denied',
          entity: 'call',
          entityid: route,
          after: { path, missing: expect.stringContaining(right) },
        },
      ])
    },
  )

  test('a change of a closed field, with the sentence that refused it', async () => {
    const reassigner = await portal.login('reassigner')
    const { data } = (await admin.call('GET', '/api/v1/merchant?size=10')).body
    const { id, version } = data[0]
    const body = { version, businesstype: 'Other' }
    expect((await reassigner.call('PUT', `/api/v1/merchant/${id}`, body)).status).toBe(403)
    expect((await newEntries()).at(-1)).toMatchObject({
      username: 'reassigner',
      action: 'denied',
      after: {
        missing: 'You may not change Business Type: Needs the permission “Manage merchants”',
        path: `/api/v1/merchant/${id}`,
      },
    })
  })

  test('nothing of a missing cross-site token, which is no right', async () => {
    const { status } = await clerk.call('DELETE', '/api/v1/merchant/1', undefined, {
      'x-xsrf-token': 'wrong',
    })
    expect(status).toBe(403)
    expect(await newEntries()).toEqual([])
  })

  test('a loop of refusals as one row, and after a minute one more with their number', async () => {
    for (let call = 1; call <= 5; call++) await clerk.call('DELETE', `/api/v1/merchant/${call}`)
    await Promise.all([1, 2, 3].map(() => clerk.call('POST', '/api/v1/user', {})))
    expect(await newEntries()).toHaveLength(2)
    await writeCountedRepeats(portal.db)
    expect(await newEntries()).toHaveLength(2)
    await afterAMinute()
    const [, , first, second] = await newEntries()
    expect([first, second]).toMatchObject([
      { entityid: 'DELETE /api/v1/merchant/:id', after: { path: '/api/v1/merchant/5', repeats: 4 } },
      { entityid: 'POST /api/v1/user', after: { repeats: 2 } },
    ])
    await clerk.call('DELETE', '/api/v1/merchant/1')
    expect(await newEntries()).toHaveLength(5)
  })

  test('a refusal after a minute as a row at once, behind the number of those before it', async () => {
    for (const id of [1, 2]) await clerk.call('DELETE', `/api/v1/merchant/${id}`)
    await portal.db.query(`update audit_repeat set since = since - interval '60 seconds'`)
    await clerk.call('DELETE', '/api/v1/merchant/3')
    expect((await newEntries()).map(({ after }) => after)).toMatchObject([
      { path: '/api/v1/merchant/1' },
      { path: '/api/v1/merchant/2', repeats: 1 },
      { path: '/api/v1/merchant/3' },
    ])
  })

  test('nothing more for what was not repeated', async () => {
    await clerk.call('DELETE', '/api/v1/merchant/1')
    await afterAMinute()
    expect(await newEntries()).toHaveLength(1)
    expect(await portal.db.query('select from audit_repeat')).toEqual([])
  })

  test('a file taken from the drive, and not the look at its folder', async () => {
    const { drive } = portal.config
    if (!('folder' in drive)) throw new Error('the drive of the test is a folder')
    const { mkdir, writeFile } = await import('node:fs/promises')
    await mkdir(drive.folder, { recursive: true })
    await writeFile(`${drive.folder}/rates.txt`, 'rates')
    const { data } = (await clerk.call('GET', '/api/v2/drive')).body
    expect(await newEntries()).toEqual([])
    const { id } = data.find((node: { name: string }) => node.name === 'rates.txt')
    expect((await clerk.call('GET', `/api/v2/files/${id}`)).body).toBe('rates')
    expect(await newEntries()).toMatchObject([
      { username: 'clerk', address: '127.0.0.1', action: 'export', entity: 'drive file', entityid: id },
    ])
  })

  test('an attachment taken from a ticket, and not the look at which there are', async () => {
    await portal.db.query(`update portal_user set email = 'clerk@example.com' where username = 'clerk'`)
    const { body: ticket } = await fileTicket(clerk, {}, [{ name: 'rates.txt', content: 'rates' }])
    const [attachment] = ticket.files
    const path = `/api/v1/ticket/${ticket.id}/attachment`
    expect((await clerk.call('GET', path)).body.data).toEqual(ticket.files)
    expect((await clerk.call('GET', `${path}?id=${attachment.id}`)).body).toBe('rates')
    expect(await newEntries()).toMatchObject([
      { action: 'create', entity: 'ticket' },
      {
        username: 'clerk',
        action: 'export',
        entity: 'ticket attachment',
        entityid: String(attachment.id),
      },
    ])
  })
})

test('a file that the audit cannot hold is not sent, and is closed', async () => {
  const file = Readable.from(['rates'])
  const db = { ...portal.db, transaction: () => Promise.reject(new Error('no room')) }
  const send = auditDownloads(db, { auditedAs: 'drive file' } as Endpoint, async () => file)
  const call = { caller: { username: 'clerk' }, address: '', params: {}, query: {} }
  await expect(send(call as never)).rejects.toThrow('no room')
  expect(file.destroyed).toBe(true)
})

describe('an administrator reads the audit', () => {
  let merchant: { id: number; version: number; xmid: string; masteragentid: number }
  beforeAll(async () => {
    merchant = (await admin.call('GET', '/api/v1/merchant?size=10')).body.data[3]
    const next = merchant.masteragentid === 2 ? 3 : 2
    const path = `/api/v1/merchant/${merchant.id}`
    const changed = await admin.call('PUT', path, { version: merchant.version, masteragentid: next })
    expect(changed.status).toBe(200)
    await admin.call('PUT', path, { version: changed.body.version, notes: 'Seen by O\'Neil, 50% "off"' })
  })

  test('in words, with the names of the records', async () => {
    const { data, total_length } = await list(`record=merchant&recordid=${merchant.id}`)
    const agent = (id: number) => `MA${String(id).padStart(4, '0')}`
    const next = agent(merchant.masteragentid === 2 ? 3 : 2)
    expect(data.map(({ what }: { what: string }) => what)).toEqual([
      `Changed merchant ${merchant.xmid}: Notes nothing → Seen by O'Neil, 50% "off"`,
      `Changed merchant ${merchant.xmid}: Master Agent ${agent(merchant.masteragentid)} → ${next}`,
    ])
    expect(total_length).toBe(2)
  })

  test('one entry with its values, and where its record is shown', async () => {
    const { data } = await list(`record=merchant&recordid=${merchant.id}`)
    const { status, body } = await admin.call('GET', `/api/v1/audit/${data[0].id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      username: 'admin',
      record: `merchant ${merchant.xmid}`,
      path: `/manage/merchants?open=${merchant.id}`,
      changes: [{ title: 'Notes', before: '', after: 'Seen by O\'Neil, 50% "off"' }],
    })
    for (const id of ['0', '999999999', 'x', '1.5'])
      expect((await admin.call('GET', `/api/v1/audit/${id}`)).status, id).toBe(404)
    // The number of an import is that of its batch, not of a merchant.
    for (const action of ['import', 'undo']) {
      const [entry] = await portal.db.query<{ id: number }>(
        `insert into audit (username, address, action, entity, entityid) values ('ann', '', $1, 'merchant', $2)
          returning id`,
        [action, String(merchant.id)],
      )
      expect((await admin.call('GET', `/api/v1/audit/${entry!.id}`)).body.path).toBe(null)
    }
  })

  test.each([
    ['user', '1', '/users?open=1'],
    ['masteragent', '2', '/manage/agents?open=2'],
    ['merchant', '999999', null],
    ['merchant', 'x', null],
    ['merchant', '99999999999', null],
    ['month', '2026-01', '/payouts?month=2026-01'],
    ['payout', '2026-01', null],
    ['call', '1', null],
    ['report', '1', null],
  ])('with the screen that shows it: of %s %s it is %s', async (entity, entityid, path) => {
    const [entry] = await portal.db.query<{ id: number }>(
      `insert into audit (username, address, action, entity, entityid) values ('ann', '', 'update', $1, $2)
        returning id`,
      [entity, entityid],
    )
    expect((await admin.call('GET', `/api/v1/audit/${entry!.id}`)).body.path).toBe(path)
  })

  test('by each filter alone and by all together', async () => {
    await portal.db.query(
      `insert into audit (at, username, address, action, entity, entityid, after) values
        ('2020-02-28 23:59:59-05', 'Zoe', '::1', 'import', 'merchant', $1, null),
        ('2020-02-29 00:00:00-05', 'Zoe', '::1', 'delete', 'merchant', '77', '{"dba": "50%_x"}'),
        ('2020-02-29 23:59:59-05', 'zoe', '::1', 'delete', 'equipment', '77', '{"dba": "50 and x"}'),
        ('2020-03-01 00:00:00-05', 'Zoe', '::1', 'login', 'user', '9', null)`,
      [String(merchant.id)],
    )
    const kinds = async (query: string) =>
      (await list(query)).data.map(({ action, entity }: Record<string, string>) => `${action} ${entity}`)
    const span = 'from=2020-02-28&to=2020-03-01'
    expect(await kinds(`${span}&person=ZOE`)).toEqual([
      'login user',
      'delete equipment',
      'delete merchant',
      'import merchant',
    ])
    expect(await kinds('person=zoe&from=2020-02-29&to=2020-02-29')).toEqual([
      'delete equipment',
      'delete merchant',
    ])
    expect(await kinds('person=zoe&kind=login')).toEqual(['login user'])
    expect(await kinds('person=zoe&record=merchant')).toEqual(['delete merchant'])
    expect(await kinds('person=zoe&record=import')).toEqual(['import merchant'])
    expect(await kinds('person=zoe&recordid=77')).toEqual(['delete equipment', 'delete merchant'])
    for (const text of ['50%25_x', '%25_x'])
      expect(await kinds(`search=${text}`)).toEqual(['delete merchant'])
    expect(await kinds('search=zoe&kind=login')).toEqual(['login user'])
    expect(await kinds(`${span}&search=77`)).toEqual(['delete equipment', 'delete merchant'])
    expect(await kinds(`${span}&search=zo`)).toEqual([])
    expect(await kinds(`${span}&person=zoe&record=merchant&recordid=77&kind=delete&search=50%25`)).toEqual([
      'delete merchant',
    ])
    expect(await kinds('person=nobody')).toEqual([])
    expect(await kinds(`${span}&search=`)).toEqual(await kinds(span))
    expect(await kinds(span)).toHaveLength(4)
  })

  test('of a person whose name is written so, before those of one whose name is another spelling of it', async () => {
    await portal.db.query(
      `insert into portal_user (username, foldedname, password_hash, masteragentid) values
        ('\ufb01ona', 'fiona', '', 1), ('fiona', null, '', 1)`,
    )
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid) values
        ('\ufb01ona', '', 'login', 'user', '1'), ('fiona', '', 'logout', 'user', '2')`,
    )
    const kinds = async (person: string) =>
      (await list(`person=${encodeURIComponent(person)}`)).data.map(
        ({ action }: Record<string, string>) => action,
      )
    expect(await kinds('Fiona')).toEqual(['logout'])
    expect(await kinds('\ufb01ona')).toEqual(['login'])
    await portal.db.query(`delete from portal_user where username in ('\ufb01ona', 'fiona')`)
  })

  test('is answered what is wrong with a filter', async () => {
    for (const [query, name] of [
      ['from=2020-02-30', 'from'],
      ['to=today', 'to'],
      ['kind=everything', 'kind'],
      ['record=password', 'record'],
      ['person=', 'person'],
      ['size=11', 'size'],
      ['who=ann', 'who'],
    ]) {
      const { status, body } = await admin.call('GET', `/api/v1/audit?${query}`)
      expect([status, body.error], query).toEqual([400, expect.stringContaining('The query is not valid')])
      expect(Object.keys(body.fields ?? {}), query).toEqual([name])
    }
  })

  test('with the later one first where two were made at the same moment', async () => {
    await portal.db.query(
      `insert into audit (at, username, address, action, entity, entityid)
        select '2018-01-01'::timestamptz + make_interval(secs => n / 2), 'twin', '', 'update', 'equipment', n::text
        from generate_series(0, 11) n order by n`,
    )
    const pages = await Promise.all([1, 2].map((page) => list(`person=twin&size=10&page=${page}`)))
    const found = pages.flatMap(({ data }) => data.map((row: { entityid: string }) => Number(row.entityid)))
    expect(found).toEqual(Array.from({ length: 12 }, (_, at) => 11 - at))
  })

  test(`in pages, of the newest ${maxPagedEntries} entries`, async () => {
    await portal.db.transaction(async (tx) => {
      await tx.query(
        `insert into audit (at, username, address, action, entity, entityid)
          select '2019-01-01'::timestamptz + make_interval(secs => n), 'robot', '', 'update',
            'equipment', n::text
          from generate_series(1, $1::int) n`,
        [maxPagedEntries + 5],
      )
    })
    await portal.db.query('analyze audit')
    const first = await list('person=robot&size=10')
    expect([first.total_length, first.data[0].entityid]).toEqual([
      maxPagedEntries,
      String(maxPagedEntries + 5),
    ])
    const final = await list(`person=robot&size=10&page=${maxPagedEntries / 10}`)
    expect(final.data.map((row: { entityid: string }) => row.entityid)).toEqual(
      Array.from({ length: 10 }, (_, index) => String(15 - index)),
    )
    const past = await list(`person=robot&size=10&page=${maxPagedEntries / 10 + 1}`)
    expect([past.data, past.total_length]).toEqual([[], maxPagedEntries])
    const far = await list(`person=robot&size=10&page=${maxPagedEntries / 10 + 2}`)
    expect(far).toEqual(past)
  })
})

describe('an index serves', () => {
  test.each([
    ['audit_at', {}],
    ['audit_at', { from: '2020-01-01', to: '2020-01-31' }],
    ['audit_person', { person: 'zoe' }],
    ['audit_action', { kind: 'login' }],
    ['audit_entity', { record: 'user' }],
    ['audit_record', { record: 'merchant', recordid: '77' }],
  ] as const)('%s the entries of the filters %j', async (index, filters) => {
    const { where, values } = conditionOf(filters)
    const plan = await portal.db.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query(`explain select * from audit where ${where} ${newestFirst} limit 10`, values)
    })
    expect(JSON.stringify(plan)).toContain(index)
  })

  test('audit_search the entries that hold a text', async () => {
    const { where, values } = conditionOf({ search: 'copper' })
    const plan = await portal.db.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query(`explain select * from audit where ${where}`, values)
    })
    expect(JSON.stringify(plan)).toContain('audit_search')
  })
})

describe('the file of the audit', () => {
  test('holds every entry of the filters, and is itself in the audit', async () => {
    const { status, body, headers } = await admin.call('GET', '/api/v1/audit/export?format=csv&person=zoe')
    expect(status).toBe(200)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Audit \d{4}-\d\d-\d\d\.csv"$/)
    const lines = String(body).trimEnd().split('\r\n')
    expect(lines[0]).toBe('\ufeffEntry,Time (UTC),Person,Address,Kind,Record,What,Before,After')
    expect(lines).toHaveLength(5)
    expect(lines[3]).toMatch(/^\d+,2020-02-29 05:00:00,Zoe,::1,Deleted,merchant \d+,.*,,DBA: 50%_x$/)
    expect(await newEntries()).toEqual([
      {
        username: 'admin',
        address: '127.0.0.1',
        action: 'export',
        entity: 'audit',
        entityid: 'csv',
        after: { person: 'zoe' },
      },
    ])
  })

  test('holds more entries than can be paged to', async () => {
    const { body } = await admin.call('GET', '/api/v1/audit/export?format=csv&person=robot')
    expect(String(body).trim().split('\r\n')).toHaveLength(maxPagedEntries + 6)
  })

  test('is a workbook unless asked for otherwise', async () => {
    const { body, headers } = await admin.call('GET', '/api/v1/audit/export?person=zoe')
    expect(String(headers['content-type'])).toContain('spreadsheetml')
    expect(String(body).startsWith('PK')).toBe(true)
  })

  test('says in a second sheet of which day it is and what was asked for, by the names of the filters', async () => {
    const { rawPayload, headers } = await portal.app.inject({
      url: '/api/v1/audit/export?person=zoe&from=2020-02-29&search=50%25',
      headers: { authorization: `Bearer ${admin.token}`, cookie: `XSRF-TOKEN=${admin.cookie}` },
    })
    const { SheetNames, Sheets } = read(rawPayload)
    const [, day] = /Audit (\d{4}-\d\d-\d\d)\.xlsx/.exec(String(headers['content-disposition']))!
    expect(SheetNames).toEqual(['Audit', 'About'])
    expect(utils.sheet_to_json(Sheets['About']!, { header: 1 })).toEqual([
      ['Audit', day],
      ['Person', 'zoe'],
      ['From', '2020-02-29'],
      ['Text', '50%'],
    ])
    expect(utils.sheet_to_json(Sheets['Audit']!, { header: 1 })).toHaveLength(2)
  })

  test('holds the values of one entry side by side, and what nobody knows as it is stored', async () => {
    await portal.db.query(
      `insert into audit (at, username, address, action, entity, entityid, before, after) values
        ('2017-01-02 03:04:05.6Z', 'two', '', 'odd', 'merchant', '0', '{"dba": "A", "notes": "x"}', '{"dba": "B", "notes": "y"}')`,
    )
    const { body } = await admin.call('GET', '/api/v1/audit/export?format=csv&person=two')
    expect(String(body).trim().split('\r\n')[1]).toMatch(
      /^\d+,2017-01-02 03:04:05,two,,odd,merchant 0,odd merchant 0,DBA: A; Notes: x,DBA: B; Notes: y$/,
    )
  })
})

test.each([
  ['password', true],
  ['newpassword', true],
  ['token', true],
  ['otp', true],
  ['code', true],
  ['authorization', true],
  ['routingnumber', true],
  ['bankaccountnumber', true],
  ['formerbankaccountnumber', true],
  ['taxid', true],
  ['returncode', false],
  ['taxidstatus', false],
  ['username', false],
])('of the field %s an entry keeps no value: %s; what is empty stays so', (field, isHidden) => {
  expect(redactSecrets({ [field]: 'value', other: 1 })).toEqual({
    [field]: isHidden ? '***' : 'value',
    other: 1,
  })
  for (const empty of ['', null, 0]) expect(redactSecrets({ [field]: empty })).toEqual({ [field]: empty })
  expect(redactSecrets(null)).toBeNull()
})
