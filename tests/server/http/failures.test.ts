import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

/** From now on every row that is added to a table raises this error, as PostgreSQL itself would. */
async function fail(table: string, code: string, message: string) {
  await portal.db.query(
    `create or replace function fail_${table}() returns trigger language plpgsql as $$
      begin raise exception '${message}' using errcode = '${code}'; end $$;
    create or replace trigger fail_${table} before insert on ${table}
      for each row execute function fail_${table}()`,
  )
  return () => portal.db.query(`drop trigger fail_${table} on ${table}`)
}
const countOf = async (table: string) =>
  (await portal.db.query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n
const agent = () => ({ name: `North ${Math.random()}`, parentid: 0 })

describe('a full disk of the database answers 507 and stores nothing', () => {
  test.each([
    ['the record', 'master_agent'],
    ['the audit', 'audit'],
  ])('while %s is written', async (_, table) => {
    const before = [await countOf('master_agent'), await countOf('audit')]
    const mend = await fail(table, '53100', 'could not extend file "base/1/2": No space left on device')
    const answer = await admin.call('POST', '/api/v1/masteragent', agent())
    await mend()
    expect(answer).toMatchObject({
      status: 507,
      body: {
        error:
          'There is no room left on the disk of the server: nothing was stored. Please tell an administrator.',
      },
    })
    expect([await countOf('master_agent'), await countOf('audit')]).toEqual(before)
    expect((await admin.call('POST', '/api/v1/masteragent', agent())).status).toBe(201)
  })

  test('while an import is stored, of which no row is left', async () => {
    const rows = ['XMID,DBA,Master Agent,Status', '770000000001,Full,MA0002,Open'].join('\n')
    const send = () => {
      const form = [
        '--x',
        'content-disposition: form-data; name="file"; filename="volume.csv"',
        '',
        rows,
        '--x--',
        '',
      ]
      return admin.call('POST', '/api/v1/file/merchant', form.join('\r\n'), {
        'content-type': 'multipart/form-data; boundary=x',
      })
    }
    const before = await countOf('merchant')
    const mend = await fail('import_batch', '53100', 'No space left on device')
    const answer = await send()
    await mend()
    expect(answer.status, JSON.stringify(answer.body)).toBe(507)
    expect(await countOf('merchant')).toBe(before)
  })
})

test.each([
  ['merchant/export', 'audit'],
  ['audit/export', 'audit'],
  ['month/2026-01/variance/file?by=merchant', 'audit'],
  ['report/attrition/export', 'report_export'],
])('nothing is left of the file of %s which cannot be noted in %s', async (path, table) => {
  const left = () => readdir(join(portal.config.dataDir, 'tmp')).catch(() => [])
  const before = await left()
  const mend = await fail(table, '53100', 'No space left on device')
  const months = { from: '01/01/2026', to: '01/31/2026' }
  const answer = path.startsWith('report')
    ? await admin.call('POST', `/api/v1/${path}`, months)
    : await admin.call('GET', `/api/v1/${path}`)
  await mend()
  expect(answer.status, JSON.stringify(answer.body)).toBe(507)
  expect(await left()).toEqual(before)
})

test('a refusal that cannot be noted in the audit stays a refusal, with its own sentence, and leaves a line in the log', async () => {
  const { token, cookie } = await portal.login('clerk')
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const log = { level: 'warn', stream }
  const app = await buildApp({ db: portal.db, config: portal.config, secret: testSecret, log })
  const mend = await fail('audit', '53100', 'No space left on device')
  const answer = await app.inject({
    method: 'DELETE',
    url: '/api/v1/merchant/1',
    headers: {
      authorization: `Bearer ${token}`,
      cookie: `XSRF-TOKEN=${cookie}`,
      'x-xsrf-token': cookie,
    },
  })
  await mend()
  await app.close()
  expect([answer.statusCode, answer.json().error]).toEqual([
    403,
    'You do not have permission to do this. Needs the permission “Delete merchants”',
  ])
  const said = lines.map((line) => JSON.parse(line) as { msg: string; reason?: string })
  expect(said.map(({ msg, reason }) => [msg, reason])).toEqual([
    ['refusal not in the audit', 'No space left on device'],
  ])
})

test.each([
  ['22021', 'invalid byte sequence for encoding "UTF8": 0x00'],
  ['22P05', 'unsupported Unicode escape sequence'],
])(
  'a character that the database cannot store, with the error %s, is answered 400',
  async (code, message) => {
    const mend = await fail('master_agent', code, message)
    const answer = await admin.call('POST', '/api/v1/masteragent', agent())
    await mend()
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'A text holds a character that cannot be stored',
    ])
  },
)

test.each<[code: string, status: number, error: string, retryAfter?: number]>([
  ['23503', 409, 'It is still referenced by other records, or refers to one that was just deleted'],
  ['22003', 422, 'A number is too large to be stored'],
  ['40P01', 503, 'Somebody else changed the same records at this moment. Please try again.', 1],
  ['40001', 503, 'Somebody else changed the same records at this moment. Please try again.', 1],
  ['57P05', 503, 'The database is not available at the moment. Please try again.', 2],
  [
    'P0001',
    500,
    'An error has occured. Please try your request again later. ' +
      'Contact Support if you continue to see this error.',
  ],
])('the error %s of the database is answered %i: %s', async (code, status, error, retryAfter) => {
  const mend = await fail('master_agent', code, 'as PostgreSQL says it')
  const answer = await admin.call('POST', '/api/v1/masteragent', agent())
  await mend()
  expect([answer.status, answer.body.error, answer.headers['retry-after']]).toEqual([
    status,
    error,
    retryAfter === undefined ? undefined : String(retryAfter),
  ])
})

describe('a database that ends during a request is answered as 503 with Retry-After', () => {
  test.each([
    ['57P01', 'terminating connection due to administrator command'],
    ['57P03', 'the database system is starting up'],
    ['08006', 'connection failure'],
    ['53200', 'out of memory'],
    ['25006', 'cannot execute INSERT in a read-only transaction'],
    ['26000', 'prepared statement does not exist'],
  ])('with the error %s', async (code, message) => {
    const mend = await fail('master_agent', code, message)
    const answer = await admin.call('POST', '/api/v1/masteragent', agent())
    await mend()
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.anything() } })
  })

  test('when its connection is cut in the middle of a statement, and the next request is served', async () => {
    await portal.db.query(
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
      create trigger slow before insert on master_agent for each row execute function slow()`,
    )
    const asked = admin.call('POST', '/api/v1/masteragent', agent())
    await expect
      .poll(() =>
        portal.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event = 'PgSleep'`,
        ),
      )
      .toHaveLength(1)
    expect(await asked).toMatchObject({ status: 503, headers: { 'retry-after': expect.anything() } })
    await portal.db.query('drop trigger slow on master_agent')
    expect((await admin.call('POST', '/api/v1/masteragent', agent())).status).toBe(201)
  })

  test.each(['GET /api/v1/masteragent', 'GET /api/v1/merchant', 'GET /api/v1/profit', 'GET /api/v1/month'])(
    'also %s, when every connection is cut at once',
    async (route) => {
      const [method, path] = route.split(' ') as ['GET', string]
      const asked = Array.from({ length: 8 }, () => admin.call(method, path))
      await portal.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      )
      for (const { status } of await Promise.all(asked)) expect([200, 503]).toContain(status)
      // The database ends a connection some time after it was told to.
      await expect.poll(async () => (await admin.call(method, path)).status).toBe(200)
    },
  )
})
