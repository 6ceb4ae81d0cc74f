import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mayTakeLong, type Endpoint } from '../../../schemas/api/endpoint.ts'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { buildApp } from '../../../server/app.ts'
import { clientTimes, isTooSlow } from '../../../server/http/slowClients.ts'
import { serializePayouts } from '../../../server/money/months.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

test.each([
  [119_999, 0, false],
  [120_000, 0, true],
  [120_000, 1_199_999, true],
  [120_000, 1_200_000, false],
  [119_999, 1_199_999, false],
  [3_600_000, 35_999_999, true],
  [3_600_000, 36_000_000, false],
])('in %d ms a body of which %d bytes came is too slow: %s', (millis, bytes, expected) =>
  expect(isTooSlow(bytes, millis, clientTimes)).toBe(expected),
)

test('every call on one month may take long, but for two that work on few rows of it', () => {
  const found: Endpoint[] = []
  const collect = (rows: object): void =>
    Object.values(rows).forEach((row: Endpoint) =>
      typeof row.route === 'string' ? found.push(row) : collect(row),
    )
  collect(endpoints)
  const ofMonth = found.filter(({ route }) => route.includes('/month/:month'))
  expect(ofMonth.length).toBeGreaterThan(15)
  expect(ofMonth.filter((row) => !mayTakeLong(row)).map(({ route }) => route)).toEqual([
    'GET /api/v1/month/:month/release',
    'POST /api/v1/month/:month/missing/dismiss',
  ])
  expect(mayTakeLong(endpoints.reports.publish)).toBe(true)
  expect(mayTakeLong(endpoints.reports.unlock)).toBe(true)
})

describe('a portal whose patience is short', () => {
  let portal: TestPortal
  let admin: SignedIn
  let app: Awaited<ReturnType<typeof buildApp>>
  beforeAll(async () => {
    portal = await openTestPortal()
    admin = await portal.login('admin')
    // What comes letter by letter is too slow; the upload that is taken comes 500 times as fast as it must.
    const times = { head: 300, silence: 60_000, body: 300, bytesPerSecond: 200, checkInterval: 50 }
    app = await buildApp({ db: portal.db, config: portal.config, secret: testSecret, times })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    await portal.close()
  })

  /**
   * Sends a beginning, then a piece every so many milliseconds; resolves to what was answered once the
   * connection ends.
   */
  const send = (
    beginning: string,
    pieces: (sent: number) => string | null,
    { millis = 50, allowHalfOpen = false } = {},
  ) =>
    new Promise<string>((resolve) => {
      const { port } = app.server.address() as AddressInfo
      const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
      let answer = ''
      let sent = 0
      socket.write(beginning)
      const timer = setInterval(() => {
        const piece = pieces(sent)
        if (piece === null) clearInterval(timer)
        else if (socket.writable) socket.write(piece)
        sent += 1
      }, millis)
      socket.on('data', (bytes) => (answer += bytes.toString()))
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(timer)
        resolve(answer)
      })
    })
  const head = (route: string, length: number, type: string) =>
    `${route} HTTP/1.1\r\nhost: portal\r\nconnection: close\r\nauthorization: Bearer ${admin.token}\r\n` +
    `cookie: XSRF-TOKEN=${admin.cookie}\r\nx-xsrf-token: ${admin.cookie}\r\n` +
    `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
  const tooSlow = /^HTTP\/1\.1 408 [^]*"error":"The request took too long to arrive"/

  test('answers 408 to a head that comes letter by letter', async () => {
    expect(await send('GET /healthz HTTP/1.1\r\nx-long: ', () => 'a')).toMatch(tooSlow)
  })

  test('answers 408 to a body that comes letter by letter', async () => {
    const begun = head('POST /api/v1/processor', 500, 'application/json')
    expect(await send(begun, () => ' ')).toMatch(tooSlow)
  })

  test('answers 408 to a body without a stated length that comes letter by letter', async () => {
    const begun = head('POST /api/v1/processor', 500, 'application/json')
    const chunked = begun.replace(/content-length: \d+/, 'transfer-encoding: chunked')
    expect(await send(chunked, () => '1\r\n \r\n')).toMatch(tooSlow)
  })

  test('answers 408 to a slow body behind a request on the same connection that came quickly', async () => {
    const before = `GET /healthz HTTP/1.1\r\nhost: portal\r\nx-long: ${'a'.repeat(8_000)}\r\n\r\n`
    const slow = head('POST /api/v1/processor', 500, 'application/json')
    const answer = await send(before + slow, () => ' ')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain('The request took too long to arrive')
  })

  test('cuts off a slow body whose request was answered already, without another answer', async () => {
    const begun = 'POST /api/v1/processor HTTP/1.1\r\nhost: portal\r\ncontent-length: 500\r\n\r\n'
    const answer = await send(begun, () => ' ')
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
  })

  test.each([
    ['head', () => 'GET /healthz HTTP/1.1\r\nx-long: '],
    ['body', () => head('POST /api/v1/processor', 500, 'application/json')],
  ])('cuts off a client that goes on with a %s after it was answered', async (_, begun) => {
    expect(await send(begun(), () => ' ', { allowHalfOpen: true })).toMatch(tooSlow)
  })

  test('answers 408 to an upload that comes letter by letter, and keeps no file of it', async () => {
    const begun = head('POST /api/v1/file/merchant', 5_000, 'multipart/form-data; boundary=cut')
    const part = '--cut\r\nContent-Disposition: form-data; name="f"; filename="m.csv"\r\n\r\nXMID'
    expect(await send(begun + part, () => 'x')).toMatch(tooSlow)
    await expect.poll(() => readdirSync(`${portal.config.dataDir}/tmp`)).toEqual([])
  })

  test.each([
    [
      'a report',
      'report/attrition',
      'application/json',
      JSON.stringify({ from: '01/01/2026', to: '01/31/2026' }),
    ],
    [
      'an import',
      'file/merchant',
      'multipart/form-data; boundary=cut',
      '--cut\r\nContent-Disposition: form-data; name="f"; filename="m.csv"\r\n\r\n' +
        'XMID,DBA,Master Agent\nW1,Shop,MA0002\n\r\n--cut--\r\n',
    ],
    [
      'a preview of many changes',
      'merchant/bulk/preview',
      'application/json',
      JSON.stringify({ found: { search: 'W1' }, values: { notes: 'x' } }),
    ],
  ])('leaves the connection of %s alone that waits for its turn or its work', async (_, path, type, body) => {
    const sockets: Socket[] = []
    const note = (socket: Socket) => void sockets.push(socket)
    app.server.on('connection', note)
    let answered: Promise<string>
    await portal.db.transaction(async (tx) => {
      await tx.query('lock table merchant in access exclusive mode')
      answered = send(head(`POST /api/v1/${path}`, Buffer.byteLength(body), type) + body, () => null)
      await expect.poll(() => sockets[0]?.timeout, { interval: 10 }).toBe(0)
    })
    expect(await answered!).toMatch(/^HTTP\/1\.1 200 /)
    app.server.off('connection', note)
  })

  test.each([
    ['a record', 'GET /api/v1/merchant/1', 60_000],
    ['the months', 'GET /api/v1/month', 60_000],
    ['a month', 'GET /api/v1/month/2026-01', 0],
    ['what changed since a month was locked', 'GET /api/v1/month/2026-01/differences', 0],
    ['the variance of a month', 'GET /api/v1/month/2026-01/variance', 0],
    ['a lock', 'POST /api/v1/month/2026-01/lock', 0],
    ['a lock by its report', 'POST /api/v1/report/residual-summary/publish', 0],
    ['a return file', 'POST /api/v1/ledger/returnfile', 0],
    ['a decision about an account', 'POST /api/v1/masteragent/1/bank/reject', 0],
    ['a hold of an agent', 'POST /api/v1/masteragent/1/hold', 0],
  ])('lets the connection of %s be silent while the tables are not free', async (_, route, silence) => {
    const sockets: Socket[] = []
    const note = (socket: Socket) => void sockets.push(socket)
    app.server.on('connection', note)
    const bodies: Record<string, object> = {
      publish: { month: '2026-01' },
      returnfile: { text: '1', commit: false },
      hold: { reason: 'They ask' },
    }
    const body = JSON.stringify(bodies[route.split('/').at(-1)!] ?? {})
    const [begun, sent] = route.startsWith('POST')
      ? [head(route, body.length, 'application/json'), body]
      : [head(route, 0, 'text/plain'), '']
    const answer = await whileUncommitted(
      portal.db,
      async (tx) => {
        await tx.query('lock table merchant, month_lock in access exclusive mode')
        await serializePayouts(tx)
      },
      () => send(begun + sent, () => null),
      async () => expect(sockets[0]!.timeout).toBe(silence),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 [24]\d\d /)
    app.server.off('connection', note)
  })

  test('takes an upload that keeps coming for longer than any body may take', async () => {
    const row = `${'x'.repeat(999)}\n`
    const rows = 60
    const start = '--cut\r\nContent-Disposition: form-data; name="f"; filename="m.csv"\r\n\r\nXMID,DBA\n'
    const end = '\r\n--cut--\r\n'
    const length = start.length + rows * row.length + end.length
    const begun = head('POST /api/v1/file/merchant', length, 'multipart/form-data; boundary=cut')
    const pieces = (sent: number) => (sent < rows ? row : sent === rows ? end : null)
    expect(await send(begun + start, pieces, { millis: 10 })).toContain(
      'The required column Master Agent is missing',
    )
  })

  test('answers a client that reads nothing before it has sent all of an upload that is refused early', async () => {
    const importLimits = { ...portal.config.importLimits, freeDiskMb: 1e9 }
    const full = await buildApp({
      db: portal.db,
      config: { ...portal.config, importLimits },
      secret: testSecret,
    })
    onTestFinished(() => full.close())
    await full.listen({ port: 0, host: '127.0.0.1' })
    const { port } = full.server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    const length = 20_000_000
    const begun = head('POST /api/v1/file/merchant', length, 'multipart/form-data; boundary=cut')
    const start = '--cut\r\nContent-Disposition: form-data; name="f"; filename="m.csv"\r\n\r\n'
    await new Promise((sent) =>
      socket.write(begun.replace('connection: close\r\n', '') + start.padEnd(length, 'x'), sent),
    )
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 507 [^]*"error":"The server has no room for the file/)
  })

  test('answers 408 to a connection on which nothing comes, or nothing more', async () => {
    expect(await send('', () => null)).toMatch(tooSlow)
    const begun = head('POST /api/v1/file/merchant', 5_000, 'multipart/form-data; boundary=cut')
    expect(await send(begun, () => null)).toMatch(tooSlow)
  })
})
