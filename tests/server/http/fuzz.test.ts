import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { allEndpoints, callers, callsOf, type FuzzedCall } from '../../fuzz/calls.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

/** `npm run test:fuzz` sets the time of all calls together; without it each endpoint has a number of them. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0)
const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const runs = seconds
  ? {
      numRuns: 1_000_000,
      interruptAfterTimeLimit: (seconds * 1000) / allEndpoints.length,
      markInterruptAsFailure: false,
    }
  : { numRuns: 12 }

let portal: TestPortal
const people = new Map<string, SignedIn>()
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`create table kept_user as select * from portal_user where username = any($1)`, [
    callers,
  ])
})
afterAll(() => portal.close())

/** A call may have ended sessions, changed a password or taken rights: the people are as they were. */
const restorePeople = async () => {
  await portal.db.query(
    `insert into terms_acceptance (termsid, userid, ipaddress) select t.id, k.id, '' from terms t, kept_user k
     on conflict do nothing`,
  )
  const isAlive = async (who: string) =>
    (await people.get(who)?.call('GET', '/api/v1/portal'))?.status === 200
  for (const who of callers) {
    if (await isAlive(who)) continue
    await portal.db.query(`delete from login_attempt`)
    await portal.db.query(
      `update portal_user u set password_hash = k.password_hash, admin = k.admin, permissions = k.permissions,
         username = k.username from kept_user k where k.id = u.id`,
    )
    people.set(who, who === 'stranger' ? await portal.stranger() : await portal.login(who))
  }
}

const send = ({ who, method, url, headers, payload }: FuzzedCall) => {
  const { token, cookie } = people.get(who)!
  const own = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(cookie && { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie }),
  }
  const options: InjectOptions = { method, url, headers: { ...own, ...headers }, ...(payload && { payload }) }
  return portal.app.inject(options)
}

/** What every answer holds, whatever was asked. */
const judge = (reply: Awaited<ReturnType<typeof send>>) => {
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  expect(reply.headers['content-security-policy']).toMatch(
    /^default-src '(self|none)'.*frame-ancestors 'none'/,
  )
  expect(reply.statusCode, reply.body).toBeLessThan(500)
  expect(reply.body).not.toMatch(/node_modules|\.ts:\d+:\d+|at async /)
  if (reply.statusCode < 400) return
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(reply.json()).toMatchObject({ error: expect.stringMatching(/\S/), requestId: expect.any(String) })
}

describe('any call is answered, and no error is the portal’s own', () => {
  beforeEach(restorePeople)
  test.each(allEndpoints.map(({ route }) => route))(
    '%s',
    async (route) => {
      const endpoint = allEndpoints.find((it) => it.route === route)!
      const answered = fc.asyncProperty(callsOf(endpoint), async (call) => judge(await send(call)))
      await fc.assert(answered, { seed, ...runs })
    },
    4_000_000,
  )
})

/** What an hour of such calls found, by itself. */
describe('a value that no type of a database holds is answered with 400 and its place', () => {
  beforeAll(restorePeople)
  const lists = [
    ...Object.keys(entities).map((name) => `/api/v1/${name}`),
    '/api/v1/merchant/bulk',
    '/api/v1/month/2026-08/missing',
    '/api/v1/ticket',
    '/api/v1/audit',
  ]
  test.each(
    ['Infinity', '-Infinity', '1e400'].flatMap((value) => [
      ...lists.map((path) => [`${path}?page=${value}`, 'page']),
      ...['masteragent', 'merchant'].map((name) => [`/api/v1/${name}/ids?id=${value}`, 'id']),
    ]),
  )('GET %s', async (url, field) => {
    const reply = await send({ who: 'admin', method: 'GET', url, headers: {} })
    expect([reply.statusCode, Object.keys(reply.json().fields)], reply.body).toEqual([400, [field]])
  })
})

describe('an upload whose parts cannot be separated is answered with 400 and a sentence', () => {
  beforeAll(restorePeople)
  const routes = [
    ...Object.keys(imports).map((kind) => `file/${kind}`),
    'file/merchant/rejected',
    'inbox',
    'ticket',
  ]
  const whole =
    '--cut\r\nContent-Disposition: form-data; name="file"; filename="m.csv"\r\n\r\nXMID\r\n--cut--\r\n'
  test.each(
    routes.flatMap((route) =>
      [
        ['no boundary', 'multipart/form-data', whole],
        ['an empty boundary', 'multipart/form-data; boundary=', whole],
        ['another boundary', 'multipart/form-data; boundary=other', whole],
        ['too long a boundary', `multipart/form-data; boundary=${'b'.repeat(300)}`, whole],
        ['no end', 'multipart/form-data; boundary=cut', whole.slice(0, -8)],
        ['a part without a name', 'multipart/form-data; boundary=cut', '--cut\r\nx\r\n\r\n1\r\n--cut--\r\n'],
        ['nothing but an end', 'multipart/form-data; boundary=cut', '--cut--\r\n'],
      ].map((it) => [route, ...it] as const),
    ),
  )('POST %s with %s', async (route, _, type, payload) => {
    const call = {
      who: 'admin',
      method: 'POST',
      url: `/api/v1/${route}`,
      payload: Buffer.from(payload!),
    } as const
    const reply = await send({ ...call, headers: { 'content-type': type! } })
    expect(reply.statusCode, reply.body).toBeGreaterThanOrEqual(400)
    expect(reply.statusCode, reply.body).toBeLessThan(500)
    expect(reply.json().error).toMatch(/^[A-Z]/)
  })
})

describe('a request that is not well-formed HTTP or has a malformed address', () => {
  beforeAll(() => portal.app.listen({ port: 0, host: '127.0.0.1' }))
  const ask = async (request: string) => {
    const socket = connect((portal.app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(Buffer.from(request, 'latin1'))
    return text(socket)
  }
  test.each([
    '/%',
    '/%ff',
    '/%00',
    '/api/v1/%',
    '/api/v1/merchant/%ff',
    '/api/v1/%2e%2e/%2e%2e/etc/passwd',
    '//',
    '/\u00ff',
    '/assets/%',
    '/assets/..%2f..%2fpackage.json',
    '/api/v1/merchant?%',
    '*',
    'http://[',
    'merchants',
    `/${'a'.repeat(9_000)}`,
  ])('GET %s is answered with an error below 500 or the page, and all headers', async (path) => {
    const answer = await ask(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /)
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
    expect(answer.toLowerCase()).toMatch(/content-security-policy:.*frame-ancestors 'none'/)
  })
  test.each([
    ['200 characters', 'a'.repeat(200), 401, 'Please sign in'],
    ['201 characters', 'a'.repeat(201), 414, 'A part of the address is too long'],
    ['bytes that are no text', '%ff', 400, 'The address is not well-formed'],
  ])('DELETE of a record whose id is %s is answered with what is wrong', async (_, id, status, error) => {
    const answer = await ask(`DELETE /api/v1/merchant/${id} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"error":"${error}`))
  })
  test.each([
    ['is no HTTP', 'X', 400, 'The request is not well-formed HTTP'],
    ['names no host', 'GET /api/v1/profit HTTP/1.1', 400, 'The request names no host'],
    [
      'expects something else than to go on',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: a',
      417,
      'The header Expect may only be 100-continue',
    ],
    [
      'asks for a tunnel',
      'CONNECT a:80 HTTP/1.1\r\nHost: a',
      405,
      'The portal is no proxy: there is no CONNECT',
    ],
    [
      'has too large headers',
      `GET / HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(20_000)}`,
      431,
      'The headers of the request are too large',
    ],
  ])('one that %s is answered with that', async (_, head, status, error) => {
    const answer = await ask(`${head}\r\n\r\n`)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"error":"${error}`))
    const [headers = '', body = ''] = answer.split('\r\n\r\n')
    expect(headers).toMatch(new RegExp(`\ncontent-length: ${body.length}(\r|$)`))
  })
  test.each([
    'X\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'FOO / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nA\u0000: b\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`,
    'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
    'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ])('%j is answered with an error below 500 or nothing, and the next one is served', async (request) => {
    expect(await ask(request)).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
    expect(await ask('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    )
  })
})
