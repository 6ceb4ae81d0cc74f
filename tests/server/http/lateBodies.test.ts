import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  await portal.db.query(
    `update portal_user set permissions = $1, email = 'staff@example.com', masteragentid = 1
      where username = 'staff'`,
    [permissions],
  )
  staff = await portal.login('staff')
})
afterAll(() => portal.close())

const file =
  '--cut\r\nContent-Disposition: form-data; name="m.csv"; filename="m.csv"\r\n\r\n' +
  'XMID,DBA,Master Agent\n4001,Shop,2\n\r\n--cut--\r\n'
const upload = 'multipart/form-data; boundary=cut'
const json = 'application/json'
const ticket = { email: 'a@example.com', tickettypeid: 1, subject: 'S', description: 'D' }

/** Sends all but the end of a body, and waits until the portal has judged who sends it. */
async function begin(path: string, type: string, body: string) {
  await portal.db.query(`update session set used_at = now() - interval '2 minutes'`)
  const { port } = portal.app.server.address() as AddressInfo
  const sent = request({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${staff.token}`,
      cookie: `XSRF-TOKEN=${staff.cookie}`,
      'x-xsrf-token': staff.cookie,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(body.slice(0, -5))
  const judged = () => portal.db.query(`select from session where used_at > now() - interval '1 minute'`)
  await expect.poll(judged, { interval: 10 }).toHaveLength(1)
  return async () => {
    sent.end(body.slice(-5))
    const [answer] = await answered
    return { status: answer.statusCode, body: JSON.parse(await text(answer)) as Record<string, unknown> }
  }
}

describe.each([
  ['a record', '/api/v1/merchant', json, JSON.stringify({ xmid: '4001', dba: 'Shop', masteragentid: 2 })],
  ['many records', '/api/v1/merchant/bulk/preview', json, '{"found":{},"values":{"notes":"x"}}'],
  ['a file', '/api/v1/file/merchant', upload, file],
  ['a file whose rejected rows are asked for', '/api/v1/file/merchant/rejected', upload, file],
  ['a file of the inbox', '/api/v1/inbox', upload, file],
  ['a ticket', '/api/v1/ticket', json, JSON.stringify(ticket)],
])('%s whose body comes late', (_, path, type, body) => {
  test('is refused when its session was ended meanwhile', async () => {
    const finish = await begin(path, type, body)
    await portal.db.query('delete from session')
    expect((await finish()).status).toBe(401)
  })

  test('is refused when the right to send it was taken meanwhile', async () => {
    const finish = await begin(path, type, body)
    await portal.db.query(`update portal_user set permissions = '{}', email = null where username = 'staff'`)
    expect((await finish()).status).toBe(403)
  })
})

const narrow = `update portal_user set admin = false, permissions = '{import_files}', masteragentid = 5
  where username = 'staff'`

test.each([
  ['a file of all branches', '/api/v1/file/compdata'],
  ['a file of all branches whose rejected rows are asked for', '/api/v1/file/compdata/rejected'],
])('%s is refused when its sender sees one alone by the time it has come', async (_, path) => {
  const finish = await begin(path, upload, file)
  await portal.db.query(narrow)
  expect(await finish()).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining('all master agents') as string },
  })
})

test('a file whose sender sees a branch alone by the time it has come is checked by the rights of that branch', async () => {
  const path = '/api/v1/file/merchant?dryrun=1'
  const whole = await begin(path, upload, file)
  expect(await whole()).toMatchObject({ status: 200, body: { inserted: 1, rejected: 0 } })
  const narrowed = await begin(path, upload, file)
  await portal.db.query(narrow)
  expect(await narrowed()).toMatchObject({ status: 200, body: { inserted: 0, rejected: 1 } })
})

test('a ticket whose sender was moved by the time its attachments have come is of the new branch', async () => {
  const field = (name: string, value: unknown) =>
    `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`
  const form = Object.entries(ticket).map(([name, value]) => field(name, value))
  const finish = await begin('/api/v1/ticket', upload, `${form.join('')}--cut--\r\n`)
  await portal.db.query(`update portal_user set masteragentid = 3 where username = 'staff'`)
  const { status, body } = await finish()
  expect(status).toBe(201)
  expect(await portal.db.query('select masteragentid from ticket where id = $1', [body['id']])).toEqual([
    { masteragentid: 3 },
  ])
})
