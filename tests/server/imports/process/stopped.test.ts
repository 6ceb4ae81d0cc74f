import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultImportLimits } from '../../../../server/config/importLimits.ts'
import { readProgress } from '../../../../server/jobs/progress.ts'
import { openImportDatabase, type ImportDatabase } from '../../../files/importDatabase.ts'
import { portfolioCsv } from '../../../files/portfolio.ts'
import { connectionsOf, readers, variablesOf } from '../../../files/readers.ts'
import { readersAreProcesses } from '../../../setup/readers.ts'
import { openTestPortal, type TestPortal } from '../../../testPortal.ts'

vi.setConfig({ testTimeout: 120_000 })
readersAreProcesses()
const patience = { timeout: 60_000, interval: 20 }
const file = (rows: number, number = 0) => [...portfolioCsv(rows, number * rows)].join('')
const isLinux = process.platform === 'linux'

describe('an import', () => {
  let it: ImportDatabase
  beforeEach(async () => {
    it = await openImportDatabase()
  })
  afterEach(() => it.close())
  const count = async (table: string) =>
    Number((await it.db.query(`select count(*) as n from ${table}`))[0]!.n)
  const works = async () => {
    expect([await count('merchant'), await count('import_batch')]).toEqual([0, 0])
    expect(await it.imports('merchant', 'm.csv', file(20))).toMatchObject({ inserted: 20 })
  }

  test.each(['copy staging', 'insert into merchant ('])(
    'that loses its connection during "%s" stores nothing, and the next one works',
    async (statement) => {
      const running = it.imports('merchant', 'm.csv', file(12_000)).catch((error: Error) => error)
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like $1`
      await vi.waitFor(
        async () => expect(await it.db.query(end, [`%${statement}%`])).toHaveLength(1),
        patience,
      )
      expect(await running).toBeInstanceOf(Error)
      await works()
    },
  )

  test.runIf(isLinux)('that loses its reader stores nothing, and the next one works', async () => {
    const running = it.refuses('merchant', 'm.csv', file(12_000))
    process.kill(await vi.waitUntil(() => readers()[0], patience), 'SIGKILL')
    expect(await running).toMatchObject({
      status: 503,
      refused: expect.stringContaining('Nothing was stored'),
    })
    await works()
  })

  test('without room on the disk is refused before it is read', async () => {
    const refused = await it.refuses('merchant', 'm.csv', file(20), {
      limits: { ...defaultImportLimits, freeDiskMb: 1_000_000_000 },
    })
    const sentence = /needs 1,000,000,001 MB of free disk and [\d,]+ MB are left/
    expect(refused).toMatchObject({ status: 507, refused: expect.stringMatching(sentence) })
    await works()
  })
})

describe.runIf(isLinux)('the reading process', () => {
  let it: ImportDatabase
  beforeAll(async () => {
    it = await openImportDatabase()
  })
  afterAll(() => it.close())

  test('has no connection and no secret', async () => {
    process.env['SECRET_KEY'] = 'not for readers'
    const running = it.imports('merchant', 'm.csv', file(12_000))
    const reader = await vi.waitUntil(() => readers()[0], patience)
    const seen = {
      connections: connectionsOf(reader),
      variables: variablesOf(reader).filter((name) => !name.startsWith('NODE_CHANNEL')),
    }
    delete process.env['SECRET_KEY']
    await running
    expect(seen.connections).toEqual([])
    expect(['PATH', 'HOME', 'TMPDIR']).toEqual(expect.arrayContaining(seen.variables))
  })

  test('is one of two at most, and one of each user: other files wait without a connection, and are sent their place', async () => {
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, readers().length)), 50)
    const jobOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
    const imports = (number: number, username: string, userid: number) =>
      it.imports('merchant', 'm.csv', file(1500, number + 10), {
        sender: { username, userid, scope: null },
        job: jobOf(number),
        dryrun: true,
      })
    const running = [imports(1, 'ann', 1), imports(2, 'ann', 1), imports(3, 'ann', 1)]
    await vi.waitFor(async () => {
      const told = await Promise.all([1, 2, 3].map((job) => readProgress(it.db, 'merchant', jobOf(job), 1)))
      const waiting = told.filter(({ phase }) => phase === 'waiting').map(({ done }) => done)
      expect(waiting.sort()).toEqual([0, 1])
    }, patience)
    expect(readers().length).toBeLessThan(2)
    const open = await it.db.query(
      `select 1 from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    )
    // The one whose turn it is may not have begun its transaction yet.
    expect(open.length).toBeLessThan(2)
    running.push(imports(4, 'bob', 2))
    const replies = await Promise.all(running)
    clearInterval(watch)
    expect(replies.map(({ inserted }) => inserted)).toEqual([1500, 1500, 1500, 1500])
    expect([most, readers()]).toEqual([2, []])
  })
})

describe('over the network', () => {
  let portal: TestPortal
  let dataDir = ''
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'portal-'))
    portal = await openTestPortal({ dataDir, importLimits: { ...defaultImportLimits, rows: 12_000 } })
    await portal.app.listen({ port: 0, host: '127.0.0.1' })
  }, 60_000)
  afterAll(async () => {
    await portal.close()
    await rm(dataDir, { recursive: true })
  })
  const merchants = async () => Number((await portal.db.query('select count(*) as n from merchant'))[0]!.n)

  /** Posts a file as a browser does. */
  async function post(content: string) {
    const { token, cookie } = await portal.login('admin')
    const session = {
      authorization: `Bearer ${token}`,
      cookie: `XSRF-TOKEN=${cookie}`,
      'x-xsrf-token': cookie,
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=cut', ...session }
    const { port } = portal.app.server.address() as AddressInfo
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/file/merchant',
      headers,
    })
    const status = new Promise<number | undefined>((resolve) => {
      sending
        .on('response', (reply) => resolve(reply.resume().statusCode))
        .on('error', () => resolve(undefined))
    })
    sending.end(
      `--cut\r\nContent-Disposition: form-data; name="file"; filename="m.csv"\r\n\r\n${content}\r\n--cut--\r\n`,
    )
    return { sending, status }
  }

  test.runIf(isLinux)(
    'a browser that goes away in the middle ends the reader and stores nothing',
    async () => {
      const before = await merchants()
      const { sending } = await post(file(12_000))
      await vi.waitUntil(() => readers().length === 1, patience)
      sending.destroy()
      await vi.waitUntil(() => readers().length === 0, patience)
      await vi.waitFor(async () => expect(await readdir(join(dataDir, 'tmp'))).toEqual([]), patience)
      expect(await merchants()).toBe(before)
    },
  )

  test('the limits of the configuration hold', async () => {
    const before = await merchants()
    expect(await (await post(file(12_001))).status).toBe(422)
    expect(await merchants()).toBe(before)
  })
})
