import { afterEach, expect, test } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
afterEach(() => portal.close())

/** The addresses of the scripts and styles that a page names. */
const assetsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!)
const cookies = (headers: Record<string, unknown>) => [headers['set-cookie']].flat().map(String)

test.each<[string, string | null, boolean]>([
  ['no address', null, false],
  ['an http address', 'http://portal.example.com', false],
  ['an https address', 'https://portal.example.com', true],
])('with %s (%s) HSTS is sent and the cookies are Secure: %s', async (_, publicUrl, isSecure) => {
  portal = await openTestPortal({ publicUrl })
  const first = await portal.app.inject({ method: 'GET', url: '/healthz' })
  const stranger = await portal.stranger()
  const { username, password } = portal.people['staff']!
  const session = await stranger.call('PUT', '/api/v1/login', { username, password })
  expect(session.status).toBe(200)
  for (const headers of [first.headers, session.headers]) {
    expect(headers['strict-transport-security']).toEqual(
      isSecure ? expect.stringMatching(/^max-age=31536000/) : undefined,
    )
    const [cookie, ...others] = cookies(headers)
    expect(others).toEqual([])
    expect(cookie).toMatch(/^XSRF-TOKEN=[^;]+; Path=\//)
    expect(cookie).toContain('SameSite=Strict')
    // A browser gives back no Secure cookie over http, and then no call but a GET would pass.
    expect(/; ?Secure/.test(cookie!)).toBe(isSecure)
  }
})

test('scripts and styles are answered without a cookie and the headers of pages, calls with those against framing', async () => {
  portal = await openTestPortal()
  const get = async (url: string) => (await portal.app.inject({ method: 'GET', url })).headers
  const ofPages = ['content-security-policy', 'x-frame-options', 'referrer-policy', 'set-cookie']
  const always = ['x-content-type-options', 'cross-origin-resource-policy']
  const page = await get('/')
  for (const name of [...ofPages, ...always]) expect([name, page[name]]).toEqual([name, expect.anything()])
  expect(page['referrer-policy']).toBe('same-origin')
  const isTaggedAs = { 'if-none-match': String(page.etag) }
  expect((await portal.app.inject({ method: 'GET', url: '/', headers: isTaggedAs })).statusCode).toBe(304)
  const files = assetsOf((await portal.app.inject({ method: 'GET', url: '/' })).body)
  expect(files.map((file) => file.replace(/.*\./, ''))).toEqual(expect.arrayContaining(['js', 'css']))
  const notOfFiles = [...ofPages, 'last-modified', 'accept-ranges']
  for (const file of files) {
    // The sources of the portal are nobody's to read.
    expect((await portal.app.inject(`${file}.map`)).statusCode).toBe(404)
    const headers = await get(file)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const name of notOfFiles) expect([file, name, headers[name]]).toEqual([file, name, undefined])
    for (const name of always) expect([file, name, headers[name]]).toEqual([file, name, expect.anything()])
  }
  const call = await get('/api/v1/tc/latest')
  expect([call['content-security-policy'], call['x-frame-options'], call['origin-agent-cluster']]).toEqual([
    expect.stringContaining("frame-ancestors 'none'"),
    'DENY',
    undefined,
  ])
  expect([call['cache-control'], page['cache-control']]).toEqual(['no-store', 'no-cache'])
  // What is named as an asset and is none is answered as any other call.
  expect((await get('/assets/none.svg'))['content-security-policy']).toEqual(expect.anything())
})

test('what is at no address is said so of calls and assets, by their address without its query; any other shows the page', async () => {
  portal = await openTestPortal()
  for (const [method, url] of [
    ['GET', '/api/v1/none?token=x'],
    ['GET', '/api/'],
    ['POST', '/api/v1/merchant/1/none'],
    ['DELETE', '/api/v1/profit'],
    ['POST', '/manage/merchants'],
    ['GET', '/assets/none.js'],
  ] as const) {
    const { statusCode, json } = await portal.app.inject({ method, url })
    expect([url, statusCode, json()]).toEqual([
      url,
      404,
      { error: `There is no ${method} ${url.split('?')[0]}`, requestId: expect.any(String) },
    ])
  }
  for (const url of ['/', '/manage/merchants?open=1', '/none?next=/api/v1/none', '/apis', '/index.html']) {
    const { statusCode, headers } = await portal.app.inject(url)
    expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
    expect([url, headers['cache-control']]).toEqual([url, 'no-cache'])
  }
})

test('an answer leaves a line in the log with its status and the number of the user who asked, also where a record is outside the row scope', async () => {
  portal = await openTestPortal()
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = await buildApp({ db: portal.db, config: portal.config, secret: testSecret, log: { stream } })
  const { token } = await portal.login('agent')
  const [agent] = await portal.db.query<{ id: number }>(`select id from portal_user where username = 'agent'`)
  const [foreign] = await portal.db.query<{ id: number }>('select id from merchant where masteragentid = 1')
  const ask = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers })
  const path = `/api/v1/merchant/${foreign?.id ?? 2_147_483_647}`
  const authorization = `Bearer ${token}`
  await ask('/api/v1/merchant?search=12-3456789', { authorization })
  await ask(path, { authorization })
  await ask(path)
  await app.close()
  const answers = lines.map((line) => JSON.parse(line) as { res?: object; reqId: string; req?: object })
  expect(answers.flatMap(({ res }) => res ?? [])).toEqual([
    { status: 200, user: agent!.id },
    { status: 404, user: agent!.id },
    { status: 401 },
  ])
  const asked = answers.find(({ req }) => req)!
  expect([asked.req, answers.find(({ res }) => res)!.reqId]).toEqual([
    { method: 'GET', path: '/api/v1/merchant', address: '127.0.0.1' },
    asked.reqId,
  ])
})
