import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedIn } from '../../world.ts'
import { ledger, type Ledger } from './ledger.ts'

let portal: Ledger
let admin: SignedIn
let base: string
const begin = async (seconds: number) => {
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
  const end = Date.now() + 20_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const slow = { days: 1 }
const lastExport = async () =>
  (await portal.db.query('select rows, sha256, finished_at from report_export order by id desc limit 1'))[0]

describe('a slow report', () => {
  beforeAll(async () => {
    await begin(3)
    // Counting to ten thousand million: a statement that works, and would for an hour.
    await portal.db.query('alter table daily_volume rename to day')
    await portal.db.query(
      'create view daily_volume as select day.* from day where (select count(*) from generate_series(1::bigint, 10000000000)) > 0',
    )
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

  test('waits its turn while others run, and gives it up when it is not wanted any more', async () => {
    const gone = new AbortController()
    const answers = Array.from({ length: 9 }, () =>
      post('non-processing-merchants', slow, gone.signal).catch((error: Error) => error.name),
    )
    await until(async () => (await busy('active')).length === 6)
    // The rest of the portal is served meanwhile.
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
    gone.abort()
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['AbortError']))
    await until(async () => (await busy('active')).length === 0)
    expect((await post('user-access', {})).status).toBe(200)
  })
})

describe('a download', () => {
  beforeAll(async () => {
    await begin(60)
    await portal.db.query(
      `insert into equipment (model, serialnumber, soldfor) select 'T', 'big ' || n, 1 from generate_series(1, 150000) n`,
    )
    await portal.db.query('analyze equipment')
  })
  afterAll(() => portal.close())

  test.each(['csv', 'xlsx'])(
    'as %s that the database breaks off is a broken connection, never a short file',
    async (format) => {
      const answer = await post(`equipment-outstanding/export?format=${format}`, {})
      expect(answer.status).toBe(200)
      const reader = answer.body!.getReader()
      expect((await reader.read()).done).toBe(false)
      const [pid] = await busy('idle in transaction%')
      await portal.db.query('select pg_terminate_backend($1)', [pid ?? (await busy('active'))[0]])
      const rest = async () => {
        for (;;) if ((await reader.read()).done) return 'complete'
      }
      await expect(rest()).rejects.toThrow()
      expect(await lastExport()).toEqual({ rows: null, sha256: null, finished_at: null })
    },
  )

  test('that is given up halfway leaves nothing behind, and stands in the log as not complete', async () => {
    const gone = new AbortController()
    const answer = await post('equipment-outstanding/export?format=csv', {}, gone.signal)
    await answer.body!.getReader().read()
    gone.abort()
    await until(
      async () => (await busy('idle in transaction%')).length === 0 && (await busy('active')).length === 0,
    )
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
      '100,000 of 150,002 rows are shown, the totals are of all: download the report for the rest',
    )
    expect(shown.totals.balance).toBe(150_050.25)
    const text = await (await post('equipment-outstanding/export?format=csv', {})).text()
    expect(text.trimEnd().split('\r\n')).toHaveLength(150_004)
    await expect.poll(lastExport).toMatchObject({ rows: 150_002, finished_at: expect.any(Date) })
  }, 90_000)
})
