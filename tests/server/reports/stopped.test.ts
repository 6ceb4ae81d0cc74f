import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutIndexes } from '../../fixtures/withoutIndexes.ts'
import type { SignedIn } from '../../testPortal.ts'
import { ledger, type Ledger } from './ledger.ts'

let portal: Ledger
let admin: SignedIn
let base: string
const open = async (seconds: number) => {
  portal = await ledger({ reportSeconds: seconds })
  admin = portal.admin
  await portal.app.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${(portal.app.server.address() as AddressInfo).port}`
}

const headers = () => ({
  authorization: `Bearer ${admin.token}`,
  cookie: `XSRF-TOKEN=${admin.cookie}`,
  'x-xsrf-token': admin.cookie,
  'content-type': 'application/json',
})
const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(`${base}/api/v1/report/${path}`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
/** Statements and transactions under way in this database but our own question. */
const busy = async (state: string) => {
  const rows = await portal.db.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and state like $1`,
    [state],
  )
  return rows.map(({ pid }) => pid)
}
const until = async (isSo: () => Promise<boolean>) => {
  // The limit of the test ends it.
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
const slow = { days: 1 }
const lastExport = async () =>
  (await portal.db.query('select rows, sha256, finished_at from report_export order by id desc limit 1'))[0]

describe('a slow report', () => {
  beforeAll(async () => {
    await open(3)
    // A statement of an hour that leaves the processors to the others.
    await portal.db.query('alter table daily_volume rename to day')
    await portal.db.query(
      'create view daily_volume as select day.* from day where (select pg_sleep(3600)) is not null',
    )
    await portal.db.query('grant select on daily_volume to portal_runtime')
    await portal.db.query(
      `insert into day (volumedate, xmid, salescount, salesamount, netamount, batchid) values ('2026-09-02', '0012345678901', 1, 5, 5, 1)`,
    )
  })
  afterAll(() => portal.close())

  test.each([
    'non-processing-merchants',
    'non-processing-merchants/export?format=csv',
    'non-processing-merchants/export',
  ])('is stopped in PostgreSQL when whoever asked %s goes away', async (path) => {
    const gone = new AbortController()
    const answer = post(path, slow, gone.signal).catch((error: Error) => error.name)
    await until(async () => (await busy('active')).length > 0)
    gone.abort()
    expect(await answer).toBe('AbortError')
    await until(
      async () => (await busy('active')).length === 0 && (await busy('idle in transaction%')).length === 0,
    )
    expect((await post('user-access', {})).status).toBe(200)
  })

  test('that takes longer than the setting is stopped and says so', async () => {
    const answer = await post('non-processing-merchants', slow)
    expect(answer.status).toBe(504)
    const { error } = (await answer.json()) as { error: string }
    expect(error).toBe(
      'The report was stopped because it took longer than 3 seconds. Ask for less, or try again at a quieter time.',
    )
    const file = await post('non-processing-merchants/export?format=xlsx', slow)
    expect({ status: file.status, type: file.headers.get('content-type') }).toEqual({
      status: 504,
      type: 'application/json; charset=utf-8',
    })
    expect(await busy('active')).toEqual([])
  })

  test('waits for its turn while two of the same user run, is sent its place, and others go first', async () => {
    const other = await portal.as('north')
    portal.config.reportSeconds = 100
    const gone = new AbortController()
    const jobs = [1, 2, 3, 4].map((number) => `00000000-0000-4000-8000-00000000000${number}`)
    const place = (job: string, who = admin) => who.call('GET', `/api/v1/report/progress/${job}`)
    const ask = (path: string) =>
      post(`non-processing-merchants${path}`, slow, gone.signal).catch((error: Error) => error.name)
    const answers = [ask(''), ask('/export')]
    await until(async () => (await busy('active')).length === 2)
    for (const [before, job] of jobs.entries()) {
      answers.push(ask(`${before === 1 ? '/export' : ''}?job=${job}`))
      await expect
        .poll(async () => (await place(job)).body)
        .toEqual({ phase: 'waiting', done: before, total: null })
    }
    expect(await busy('active')).toHaveLength(2)
    expect((await place(jobs[0]!, other)).body.phase).toBe('unknown')
    // Others are not held up, whether they read reports or anything else.
    expect((await other.call('POST', '/api/v1/report/equipment-outstanding', {})).status).toBe(200)
    expect((await admin.call('GET', '/api/v1/merchant')).status).toBe(200)
    expect(await busy('active')).toHaveLength(2)
    gone.abort()
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['AbortError']))
    await until(async () => (await busy('active')).length === 0)
    await expect.poll(async () => (await place(jobs[3]!)).body.phase).toBe('unknown')
    expect((await post('user-access', {})).status).toBe(200)
  })
})

describe('a download', () => {
  beforeAll(async () => {
    await open(60)
    await withoutIndexes(portal.db, ['equipment'], () =>
      portal.db.query(
        `insert into equipment (model, serialnumber, soldfor) select 'T', 'big ' || n, 1 from generate_series(1, 100001) n`,
      ),
    )
    await portal.db.query('analyze equipment')
  })
  afterAll(() => portal.close())

  /** The connections that read the equipment. */
  const readersOfEquipment = () =>
    portal.db.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and state in ('active', 'idle in transaction')
        and (query like '%paidsofar%' or query like 'fetch % from rows_%')`,
    )
  const leftFiles = () => readdir(join(portal.config.dataDir, 'tmp')).catch(() => [])
  const logged = async () => (await portal.db.query('select id from report_export')).length

  test.each(['csv', 'xlsx'])(
    'as %s that the database breaks off is an answer with a sentence, never a short file',
    async (format) => {
      const before = await logged()
      const asked = post(`equipment-outstanding/export?format=${format}`, {})
      await until(async () => (await readersOfEquipment()).length > 0)
      const [reader] = await readersOfEquipment()
      await portal.db.query('select pg_terminate_backend($1)', [reader!.pid])
      const answer = await asked
      const { error } = (await answer.json()) as { error: string }
      expect({ status: answer.status, error }).toEqual({
        status: 503,
        error: 'The database is not available at the moment. Please try again.',
      })
      expect({ left: await leftFiles(), logged: await logged() }).toEqual({ left: [], logged: before })
    },
  )

  /** Asks for a file of 8 MB and takes nothing of it; resolves when its answer has begun. */
  const begin = async () => {
    const asked = request(`${base}/api/v1/report/equipment-outstanding/export?format=csv`, {
      method: 'POST',
      headers: headers(),
      agent: false,
    })
    asked.end('{}')
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer.pause()
  }

  test('that nobody takes holds neither a turn nor a connection, and is cut after the limit', async () => {
    const answers = await Promise.all([begin(), begin()])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    expect(await leftFiles()).toHaveLength(2)
    expect(await readersOfEquipment()).toEqual([])
    expect((await post('user-access', {})).status).toBe(200)
    portal.config.downloadSeconds = 0.1
    answers.push(await begin())
    await expect.poll(leftFiles).toHaveLength(2)
    for (const answer of answers) answer.on('error', () => {}).destroy()
    portal.config.downloadSeconds = 60
    await expect.poll(leftFiles).toEqual([])
    expect(await lastExport()).toEqual({ rows: null, sha256: null, finished_at: null })
  }, 90_000)

  test('that is given up halfway leaves nothing behind, and stands in the log as not complete', async () => {
    const gone = new AbortController()
    const answer = await post('equipment-outstanding/export?format=csv', {}, gone.signal)
    await answer.body!.getReader().read()
    gone.abort()
    await expect.poll(leftFiles).toEqual([])
    expect(await lastExport()).toEqual({ rows: null, sha256: null, finished_at: null })
  })

  test('holds all rows, also where the screen shows the first 100,000 and says so', async () => {
    const shown = (await (await post('equipment-outstanding', {})).json()) as {
      data: object[]
      notes: string[]
      totals: { balance: number }
    }
    expect(shown.data).toHaveLength(100_000)
    expect(shown.notes[0]).toBe(
      '100,000 of 100,003 rows are shown, the totals are of all: download the report for the rest',
    )
    expect(shown.totals.balance).toBe(100_051.25)
    const text = await (await post('equipment-outstanding/export?format=csv', {})).text()
    expect(text.trimEnd().split('\r\n')).toHaveLength(100_005)
    await expect.poll(lastExport).toMatchObject({ rows: 100_003, finished_at: expect.any(Date) })
  }, 90_000)
})
