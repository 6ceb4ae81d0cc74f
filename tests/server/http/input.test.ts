import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { routeSchema } from '../../../server/http/schemas.ts'
import { rows } from '../../rights/calls.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

const put = (body: string | Buffer, headers: Record<string, string> = {}) =>
  staff.call('PUT', '/api/v1/equipment/1', body, { 'content-type': 'application/json', ...headers })
const said = ({ status, body }: Awaited<ReturnType<typeof put>>) => [status, body.error, body.fields]
const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((it) => (typeof it === 'string' ? Buffer.from(it) : Buffer.from([it]))))

const calls = rows(endpoints).map(([, row]) => row)
const callTo = (route: string) => {
  const [method, path] = route.split(' ') as ['GET', string]
  return [method, path.replace(/:\w+/g, '1')] as const
}

describe('a body', () => {
  test.each<[what: string, body: string | Buffer, error: string]>([
    ['is broken off', '{"model":', 'The body is not valid JSON: it ends too early'],
    ['is no JSON', '{"model":x}', 'The body is not valid JSON'],
    ['goes on behind its end', '{} x', 'The body is not valid JSON at character 4'],
    ['lacks a comma', '{"a":1 "b":2}', 'The body is not valid JSON at character 8'],
    ['is of blanks', ' ', 'The body is not valid JSON: it ends too early'],
    ['has NaN', '{"version":NaN}', 'The body is not valid JSON'],
    [
      'sets the prototype',
      '{"__proto__":{}}',
      'The body may have no field __proto__ or constructor.prototype',
    ],
    ['is not UTF-8', bytes('{"model":"a', 0xff, '"}'), 'The body is not valid UTF-8'],
    ['ends within a character', bytes('{"model":"a', 0xc3, '"}'), 'The body is not valid UTF-8'],
    ['is null', 'null', 'The body must be a JSON object'],
    ['is a text', '"x"', 'The body must be a JSON object'],
    ['is a list', '[]', 'The body must be a JSON object'],
    ['is a deep list', '['.repeat(20_000) + ']'.repeat(20_000), 'The body must be a JSON object'],
    ['is empty', '', 'The body must be a JSON object'],
  ])('that %s is refused and nothing is changed', async (_, body, error) => {
    expect(said(await put(body))).toEqual([400, error, undefined])
    expect((await staff.call('GET', '/api/v1/equipment/1')).body.version).toBe(1)
  })

  test('may begin with a byte order mark', async () => {
    expect((await put('\ufeff{"version":1}')).status).toBe(200)
  })

  test('may be left out, empty or null where a call needs none', async () => {
    for (const body of [undefined, '', 'null', '{}'])
      expect(
        (await staff.call('PUT', '/api/v1/renew', body, { 'content-type': 'application/json' })).status,
      ).toBe(200)
  })

  test.each(['multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain', 'text/json'])(
    'of the type %s is refused where JSON is wanted',
    async (type) => {
      expect(said(await put('{"version":1}', { 'content-type': type }))).toEqual([
        415,
        'The body must be JSON',
        undefined,
      ])
    },
  )

  const compressed = 'A compressed body is not read: send it without the header Content-Encoding'
  test.each(['gzip', 'br', 'deflate', 'zstd', 'aws-chunked', 'identity, gzip', 'GZIP'])(
    'of the encoding %s is refused, and nothing is changed',
    async (encoding) => {
      const { version } = (await staff.call('GET', '/api/v1/equipment/1')).body
      const answer = await put(JSON.stringify({ version, model: encoding }), { 'content-encoding': encoding })
      expect(said(answer)).toEqual([415, compressed, undefined])
      expect(answer.headers['accept-encoding']).toBe('identity')
      expect((await staff.call('GET', '/api/v1/equipment/1')).body.version).toBe(version)
    },
  )

  test('of an encoding is refused by every call that is no GET, also by an upload', async () => {
    for (const { route } of calls.filter((row) => !row.route.startsWith('GET') && row.allow !== 'anyone')) {
      const answer = await admin.call(...callTo(route), undefined, { 'content-encoding': 'gzip' })
      expect([route, answer.status, answer.body.error]).toEqual([route, 415, compressed])
    }
  })

  test.each(['identity', 'Identity', ''])('may say that its encoding is none: "%s"', async (encoding) => {
    const { version } = (await staff.call('GET', '/api/v1/equipment/1')).body
    expect((await put(JSON.stringify({ version }), { 'content-encoding': encoding })).status).toBe(200)
  })

  test.each<[method: 'PUT' | 'POST', path: string, body: object, field: string, title: string]>([
    ['PUT', 'equipment/1', { version: 1, model: 'a\0b' }, 'model', 'Model'],
    ['PUT', 'equipment/1', { version: 1, model: '\ud800' }, 'model', 'Model'],
    ['PUT', 'equipment/1', { version: 1, paymentterms: 'a\udc00b' }, 'paymentterms', 'Payment Terms'],
    [
      'PUT',
      'masteragent/9',
      { version: 1, collectionSubscriptions: [{ amount: 1, notes: 'a\0' }] },
      'collectionSubscriptions.0.notes',
      'Notes',
    ],
    ['POST', 'masteragent/9/hold', { reason: 'a\0b' }, 'reason', 'Reason'],
    ['PUT', 'login', { username: 'a\0', password: 'b' }, 'username', 'Username'],
    [
      'POST',
      'ticket',
      { email: 'a@example.com', tickettypeid: 1, subject: 's\0', description: 'd' },
      'subject',
      'Agent Office-Merchant-Issue',
    ],
  ])(
    '%s %s names the field whose character cannot be stored: %j',
    async (method, path, body, field, title) => {
      const message = `${title} holds a character that cannot be stored`
      expect(said(await staff.call(method, `/api/v1/${path}`, body))).toEqual([
        400,
        message,
        { [field]: message },
      ])
    },
  )
})

describe('a value in a body', () => {
  test.each<[method: 'PUT' | 'POST', path: string, body: object, status: number, message: string]>([
    ['PUT', 'equipment/1', { version: 1, merchantid: 'x' }, 400, 'Merchant must be a whole number'],
    ['PUT', 'equipment/1', { version: 1, masteragentid: '' }, 400, 'Master Agent must be a whole number'],
    ['PUT', 'masteragent/9', { version: 1, payeeid: 1.5 }, 400, 'Payee must be a whole number'],
    ['PUT', 'masteragent/9', { version: 1, parentid: 'x' }, 400, 'Parent must be a whole number'],
    ['PUT', 'masteragent/9', { version: 1, parentid: null }, 400, 'Parent ID is required'],
    ['PUT', 'merchant/3', { version: 1, masteragentid: '7' }, 400, 'Master Agent must be a whole number'],
    ['PUT', 'merchant/3', { version: 1, masteragentid: '' }, 400, 'Master Agent ID is required'],
    ['PUT', 'user/6', { version: 1, masteragentid: [] }, 400, 'Master Agent must be a whole number'],
    [
      'POST',
      'adjustment',
      { month: '10/2026', amount: 1, reason: 'r' },
      422,
      'Month must be a month as YYYY-MM',
    ],
    ['POST', 'adjustment', { month: '', amount: 1, reason: 'r' }, 422, 'Month is required'],
    ['POST', 'merchant/bulk/preview', { records: [] }, 422, 'Records needs at least 1 entry'],
    [
      'POST',
      'merchant/bulk',
      { records: [{ id: 3, version: 1 }], values: { notes: 'n' }, fingerprint: '0'.repeat(63) },
      422,
      'Fingerprint of the preview must be sent as the preview answered it: please preview the change again',
    ],
    [
      'POST',
      'merchant/bulk',
      { records: [{ id: 3, version: 1 }], values: { notes: 'n' } },
      422,
      'Fingerprint of the preview is required',
    ],
    ['POST', 'month/2026-09/takeover', { keys: [] }, 422, 'Keys needs at least 1 entry'],
    ['POST', 'user/requestemailverification', { email: 'a@b' }, 422, 'Email must be a valid email address'],
    ['POST', 'user/requestemailverification', { email: '' }, 422, 'Email is required'],
    ['POST', 'user/verifyemail', { email: 'a@b.cc', otp: '12345' }, 422, 'Code must be exactly 6 digits'],
    ['POST', 'user/verifyemail', { email: 'a@b.cc', otp: '1234567' }, 422, 'Code must be exactly 6 digits'],
    ['POST', 'user/verifyemail', { email: 'a@b.cc', otp: '12345a' }, 422, 'Code must be exactly 6 digits'],
    [
      'POST',
      'month/2026-09/return',
      { code: 'R02', date: '09/30/2026' },
      422,
      'Date must be a day as YYYY-MM-DD',
    ],
    [
      'POST',
      'month/2026-09/return',
      { code: 'R02', date: '2026-02-30' },
      422,
      'Date must be a day as YYYY-MM-DD',
    ],
    [
      'POST',
      'month/2026-09/return',
      { code: 'R02', date: '1999-09-30' },
      422,
      'Date must be a day as YYYY-MM-DD',
    ],
  ])('%s %s %j is answered %i: %s', async (method, path, body, status, message) => {
    const answer = await staff.call(method, `/api/v1/${path}`, body)
    expect([answer.status, Object.values(answer.body.fields ?? {})]).toEqual([status, [message]])
  })
})

describe('what a call does not take', () => {
  test('is refused in the query of every call', () => {
    const open = calls.filter((row) => {
      const { querystring } = routeSchema(row) as { querystring: { additionalProperties?: unknown } }
      return querystring.additionalProperties !== false
    })
    expect(open.map(({ route }) => route)).toEqual([])
  })

  const withoutQuery = calls.filter(({ query, body }) => !query && !body).map(({ route }) => route)
  test.each(withoutQuery.filter((route) => !route.endsWith('logout')))(
    '%s refuses a parameter and names it',
    async (route) => {
      const [method, path] = callTo(route)
      const message = 'colour is not a parameter of this call'
      expect(said(await admin.call(method, `${path}?colour=red`))).toEqual([
        400,
        `The query is not valid: ${message}`,
        { colour: message },
      ])
    },
  )

  const withoutBody = calls.filter(({ route, body, upload }) => !route.startsWith('GET') && !body && !upload)
  test.each([
    ...withoutBody.map(({ route }) => route),
    ...calls.filter(({ route, body }) => route.startsWith('DELETE') && body).map(({ route }) => route),
  ])('%s refuses a field in the body and names it', async (route) => {
    const message = 'colour is not a field of this record'
    expect(said(await admin.call(...callTo(route), { colour: 'red' }))).toEqual([
      400,
      message,
      { colour: message },
    ])
  })
})

describe('a query', () => {
  test.each([
    ['page=1&page=2', 'page', 'page is given more than once'],
    ['search=a&search=b', 'search', 'search is given more than once'],
    ['search=%00', 'search', 'search holds a character that cannot be stored'],
    ['colour=red', 'colour', 'colour is not a parameter of this call'],
    ['page[]=1', 'page[]', 'page[] is not a parameter of this call'],
  ])('?%s is refused and what is wrong with it is named', async (query, field, message) => {
    expect(said(await staff.call('GET', `/api/v1/equipment?${query}`))).toEqual([
      400,
      `The query is not valid: ${message}`,
      { [field]: message },
    ])
  })

  test.each(['0x1', '0b1', '1.0', '1e1', '1e0', '%201', '1%20', '+1', '%2B1', '1_0', '', '%EF%BC%91', 'x'])(
    'takes a number in decimal digits alone, and not "%s"',
    async (written) => {
      const message = 'page must be a whole number'
      expect(said(await staff.call('GET', `/api/v1/equipment?page=${written}`))).toEqual([
        400,
        `The query is not valid: ${message}`,
        { page: message },
      ])
    },
  )

  test('takes no other number in any parameter of any call', async () => {
    const asked = calls.flatMap(({ route, query }) =>
      Object.entries((query as { properties?: Record<string, { type?: unknown }> })?.properties ?? {})
        .filter(([, { type }]) => type === 'integer')
        .map(([name]) => [route, name] as const),
    )
    expect(asked.length).toBeGreaterThan(30)
    for (const [route, name] of asked) {
      const [method, path] = callTo(route)
      const { status, body } = await admin.call(method, `${path}?${name}=1.0`)
      expect([route, status, body.fields]).toEqual([route, 400, { [name]: `${name} must be a whole number` }])
    }
  })

  test.each([
    ['ledger?month=10/2026', 'month', 'month must be a month as YYYY-MM'],
    ['inbox?month=2026-13', 'month', 'month must be a month as YYYY-MM'],
  ])('of a month in another form is refused by how it is written: %s', async (path, field, message) => {
    const [status, , fields] = said(await staff.call('GET', `/api/v1/${path}`))
    expect([status, fields]).toEqual([400, { [field]: message }])
  })

  test.each(['%', '%zz', '%ff', '%C3', '%ED%A0%80'])(
    'that holds %s, which is no character, is refused by calls, and screens open with it',
    async (search) => {
      for (const path of ['/api/v1/equipment', '/api/v1/profit', '/api/v1/nothing'])
        expect(said(await staff.call('GET', `${path}?search=${search}`))).toEqual([
          400,
          'The address is not well-formed',
          undefined,
        ])
      expect((await staff.call('GET', `/manage/equipment?search=${search}`)).status).toBe(200)
    },
  )

  test.each([
    'equipment',
    'merchant',
    'masteragent',
    'user',
    'ticket',
    'adjustment',
    'processorstatement',
    'ledger',
  ])('of the list %s that sorts by a dash alone is refused', async (list) => {
    const [status, error] = said(await staff.call('GET', `/api/v1/${list}?sort=-`))
    expect([status, error]).toEqual([400, expect.stringContaining('sort must be one of ')])
  })
})
