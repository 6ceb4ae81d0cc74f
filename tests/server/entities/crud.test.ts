import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
})
afterAll(() => portal.close())

let next = 0
const draft = (more: object = {}) => ({
  xmid: `00${(next += 1)}`,
  dba: 'Test Diner',
  masteragentid: 7,
  ...more,
})
const createMerchant = async (more: object = {}) =>
  (await staff.call('POST', '/api/v1/merchant', draft(more))).body

describe('the list', () => {
  test('answers data and total_length, ten a page from page 1', async () => {
    const { status, body } = await staff.call('GET', '/api/v1/merchant')
    expect(status).toBe(200)
    expect(body.data).toHaveLength(10)
    expect(body.total_length).toBe(3000)
    expect(body.data[0].labels).toEqual({ masteragentid: expect.stringMatching(/^MA00\d\d - \w+ /) })
  })

  test('a page past the end is empty and has the true total_length', async () => {
    expect((await staff.call('GET', '/api/v1/merchant?page=99999&size=100')).body).toEqual({
      data: [],
      total_length: 3000,
    })
  })

  test('walking all pages shows every merchant once, whatever the sort', async () => {
    for (const sort of ['', 'dba', '-masteragentid', 'date_closed']) {
      const seen: number[] = []
      for (let page = 1; page <= 30; page += 1) {
        const { body } = await staff.call('GET', `/api/v1/merchant?page=${page}&size=100&sort=${sort}`)
        seen.push(...body.data.map((row: { id: number }) => row.id))
      }
      expect(new Set(seen).size, sort).toBe(3000)
    }
  })

  test.each([
    ['page=-1', 'page must be at least 1'],
    ['page=0', 'page must be at least 1'],
    ['page=one', 'page must be a whole number'],
    ['page=1.5', 'page must be a whole number'],
    ['page=1000000000', 'page may be at most 10,000,000'],
    ['size=7', 'size must be one of 10, 25, 50, 100'],
    ['size=1000000', 'size must be one of 10, 25, 50, 100'],
    ['sort=password', 'sort must be one of xmid, '],
    ['sort=dba;drop', 'sort must be one of xmid, '],
    ['colour=red', 'colour is not a parameter of this call'],
    [`search=${'x'.repeat(201)}`, 'search may have at most 200 characters'],
  ])('?%s answers 400 and names it', async (query, error) => {
    const answer = await staff.call('GET', `/api/v1/merchant?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(error)
  })

  test.each(['%', '_', '\\', "'", '%_\\', '\u0000'])('a search for %j is taken literally', async (search) => {
    const answer = await staff.call('GET', `/api/v1/merchant?search=${encodeURIComponent(search)}&size=100`)
    if (search === '\u0000') return expect(answer.status).toBe(400)
    const row = (it: Record<string, string>) => `${it.xmid} ${it.dba} ${it.sales_rep} ${it.status}`
    expect(answer.body.data.filter((it: Record<string, string>) => !row(it).includes(search))).toEqual([])
  })

  test('a search looks into XMID, DBA, sales rep and status, in any case', async () => {
    const row = await createMerchant({ dba: 'Quixotic Zebra', sales_rep: 'Una Unique' })
    for (const search of ['quixotic', 'ZEBRA', 'una uni']) {
      const { body } = await staff.call('GET', `/api/v1/merchant?search=${encodeURIComponent(search)}`)
      expect(body.data.map((it: { id: number }) => it.id)).toEqual([row.id])
    }
  })
})

describe('creating', () => {
  test.each([
    ['half of a character', '\ud800'],
    ['the sign of number zero', 'a\u0000b'],
  ])('a text that holds %s is refused and nothing is stored', async (_, businesstype) => {
    const count = () => portal.db.query('select count(*) as n from merchant')
    const before = await count()
    const answer = await staff.call('POST', '/api/v1/merchant', draft({ businesstype }))
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'Business Type holds a character that cannot be stored',
    ])
    expect(await count()).toEqual(before)
  })

  test('answers 201 with the stored record and its defaults', async () => {
    const answer = await staff.call('POST', '/api/v1/merchant', draft({ date_added: 86_400, notes: 'é"<b>' }))
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      id: expect.any(Number),
      version: 1,
      accountstatus: 1,
      date_added: 86_400,
      date_closed: null,
      notes: 'é"<b>',
    })
  })

  test.each([
    [
      'nothing',
      {},
      422,
      { xmid: 'XMID is required', dba: 'DBA is required', masteragentid: 'Master Agent ID is required' },
    ],
    ['empty text', draft({ xmid: '' }), 422, { xmid: 'XMID is required' }],
    ['no agent', draft({ masteragentid: null }), 400, { masteragentid: 'Master Agent ID is required' }],
    [
      'an agent that does not exist',
      draft({ masteragentid: 999 }),
      422,
      { masteragentid: 'Master Agent 999 does not exist' },
    ],
    [
      'a text as agent',
      draft({ masteragentid: '7' }),
      400,
      { masteragentid: 'Master Agent must be a whole number' },
    ],
    ['an unknown field', draft({ colour: 'red' }), 400, { colour: 'colour is not a field of this record' }],
    [
      'a wrong account status',
      draft({ accountstatus: 4 }),
      422,
      { accountstatus: 'Account Status must be one of Unknown, Active, Inactive' },
    ],
    ['half a second', draft({ date_added: 0.5 }), 400, { date_added: 'Date Added is not a valid date' }],
    ['a text too long', draft({ dba: 'x'.repeat(201) }), 422, { dba: 'DBA may have at most 200 characters' }],
  ])('%s is refused and the fields are named', async (_, body, status, fields) => {
    const answer = await staff.call('POST', '/api/v1/merchant', body)
    expect(answer).toMatchObject({ status, body: { fields } })
  })

  test('the same XMID twice is refused with 409', async () => {
    const row = await createMerchant()
    const answer = await staff.call('POST', '/api/v1/merchant', draft({ xmid: row.xmid }))
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'This XMID is already taken', fields: { xmid: 'This XMID is already taken' } },
    })
  })

  test.each<[string, string, object, number, string?]>([
    ['no JSON', '{"xmid":', { 'content-type': 'application/json' }, 400],
    ['plain text', 'xmid=1', { 'content-type': 'text/plain' }, 415, 'The body must be JSON'],
    [
      'a form',
      'xmid=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'The body must be JSON',
    ],
    [
      'two megabytes',
      JSON.stringify({ xmid: 'x'.repeat(2_000_000) }),
      { 'content-type': 'application/json' },
      413,
      'The body is too large',
    ],
    [
      'a poisoned prototype',
      '{"__proto__":{"admin":true},"xmid":"1"}',
      { 'content-type': 'application/json' },
      400,
    ],
  ])('a body of %s is refused', async (_, body, headers, status, error = expect.any(String)) => {
    const sent = headers as unknown as Record<string, string>
    const answer = await staff.call('POST', '/api/v1/merchant', body, sent)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  test('injected SQL and markup are stored as they are', async () => {
    const text = `'); drop table merchant; -- <script>alert(1)</script>`
    expect((await createMerchant({ notes: text })).notes).toBe(text)
    expect((await staff.call('GET', '/api/v1/merchant')).body.total_length).toBeGreaterThan(3000)
  })
})

describe('changing', () => {
  test('answers 200 with the stored record; only what was sent changes', async () => {
    const row = await createMerchant({ product: 'Retail' })
    const answer = await staff.call('PUT', `/api/v1/merchant/${row.id}`, { version: 1, status: 'Boarded' })
    expect(answer).toMatchObject({ status: 200, body: { ...row, version: 2, status: 'Boarded' } })
  })

  test.each([
    ['merchant', 'masteragentid', 'Master Agent ID is required'],
    ['masteragent', 'parentid', 'Parent ID is required'],
  ])('a %s without its %s is refused in the words of its form', async (entity, field, sentence) => {
    const { data } = (await staff.call('GET', `/api/v1/${entity}?size=10`)).body
    const { id, version } = data.at(-1)
    const answer = await staff.call('PUT', `/api/v1/${entity}/${id}`, { version, [field]: null })
    expect([answer.status, answer.body.fields]).toEqual([400, { [field]: sentence }])
  })

  test('the whole record sent back as it was changes nothing', async () => {
    const { labels: _, ...row } = await createMerchant()
    expect((await staff.call('PUT', `/api/v1/merchant/${row.id}`, row)).body.version).toBe(1)
  })

  test('a stale version is refused with 409, through the field and through If-Match', async () => {
    const row = await createMerchant()
    await staff.call('PUT', `/api/v1/merchant/${row.id}`, { version: 1, status: 'a' })
    const path = `/api/v1/merchant/${row.id}`
    expect(await staff.call('PUT', path, { version: 1, status: 'b' })).toMatchObject({
      status: 409,
      body: { code: 'stale' },
    })
    expect((await staff.call('PUT', path, { status: 'b' }, { 'if-match': '"1"' })).status).toBe(409)
    expect((await staff.call('PUT', path, { status: 'b' }, { 'if-match': '"2"' })).status).toBe(200)
    expect((await staff.call('DELETE', path, undefined, { 'if-match': '2' })).status).toBe(409)
    expect((await staff.call('PUT', path, { status: 'c' })).status).toBe(400)
    expect(await staff.call('PUT', path, { status: 'c' }, { 'if-match': 'x' })).toMatchObject({
      status: 400,
      body: { error: 'If-Match must be the version of the record, a whole number' },
    })
    for (const [version, ifMatch] of [
      [2, '"3"'],
      [3, '"2"'],
    ] as const)
      expect(await staff.call('PUT', path, { version, status: 'c' }, { 'if-match': ifMatch })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^If-Match and the version in the body differ/) },
      })
    expect(await staff.call('GET', path)).toMatchObject({ body: { version: 3, status: 'b' } })
  })

  test('with the id of another record is refused, and changes neither', async () => {
    const [row, other] = [await createMerchant(), await createMerchant()]
    const path = `/api/v1/merchant/${row.id}`
    expect(await staff.call('PUT', path, { id: other.id, version: 1, status: 'x' })).toMatchObject({
      status: 400,
      body: { error: 'id differs from the id in the address' },
    })
    expect((await staff.call('PUT', path, { id: row.id, version: 1, status: 'y' })).status).toBe(200)
    expect((await staff.call('GET', `/api/v1/merchant/${other.id}`)).body.version).toBe(1)
  })

  test('of two editors who read the same version and save at once, one wins and one gets 409', async () => {
    const row = await createMerchant()
    for (let version = 1; version <= 20; version += 1) {
      const put = (status: string) =>
        staff.call('PUT', `/api/v1/merchant/${row.id}`, { version, status: `${status}${version}` })
      const statuses = (await Promise.all([put('a'), put('b')])).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 409])
    }
  })

  test('xmid, dba and accountstatus are closed to everybody on an existing merchant', async () => {
    const row = await createMerchant()
    const admin = await portal.login('admin')
    for (const change of [{ xmid: '1' }, { dba: 'x' }, { accountstatus: 2 }]) {
      const field = Object.keys(change)[0]!
      const answer = await admin.call('PUT', `/api/v1/merchant/${row.id}`, { version: 1, ...change })
      expect(answer).toMatchObject({
        status: 403,
        body: { fields: { [field]: expect.stringContaining('You may not change') } },
      })
    }
  })
})

describe('deleting', () => {
  test('answers 204, and then the record does not exist', async () => {
    const row = await createMerchant()
    expect((await staff.call('DELETE', `/api/v1/merchant/${row.id}`)).status).toBe(204)
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { version: 1, status: 'x' }],
      ['DELETE', undefined],
    ] as const)
      expect((await staff.call(method, `/api/v1/merchant/${row.id}`, body)).status).toBe(404)
  })

  test.each(['0', '-1', 'x', '1.5', '99999999999', '2147483648', "1' or 1=1", '%00'])(
    'the id %s answers 404',
    async (id) => {
      expect(await staff.call('GET', `/api/v1/merchant/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'This merchant does not exist' },
      })
    },
  )
})

test('every write leaves one audit row with who, where, before and after', async () => {
  const row = await createMerchant()
  await staff.call('PUT', `/api/v1/merchant/${row.id}`, { version: 1, status: 'Boarded' })
  await staff.call('DELETE', `/api/v1/merchant/${row.id}`)
  const rows = await portal.db.query(
    `select username, address, action, before, after from audit where entity = 'merchant' and entityid = $1 order by id`,
    [String(row.id)],
  )
  expect(rows).toEqual([
    {
      username: 'staff',
      address: '127.0.0.1',
      action: 'create',
      before: null,
      after: expect.objectContaining({ xmid: row.xmid }),
    },
    {
      username: 'staff',
      address: '127.0.0.1',
      action: 'update',
      before: { status: '' },
      after: { status: 'Boarded' },
    },
    {
      username: 'staff',
      address: '127.0.0.1',
      action: 'delete',
      before: expect.objectContaining({ status: 'Boarded' }),
      after: null,
    },
  ])
})
