import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPostgres } from '../../../server/db/postgres/postgres.ts'
import { processesIn } from '../../../server/db/postgres/process.ts'
import { endChildren, run } from '../../fixtures/children.ts'
import { folder, folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { adminPassword, endedUnopened, launch, opened } from '../../fixtures/portal.ts'
import { builtProgram } from '../../fixtures/programs.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal } from '../../testPortal.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let data: string
beforeEach(() => {
  data = folder()
})
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

const nothingIsLeft = () => expect(processesIn(join(data, 'postgres'))).toEqual([])
const start = (env: Record<string, string> = {}) => launch({ DATA_DIR: data, DEMO: '0', ...env })

describe('the portal', () => {
  test('opens on an empty folder, prints whom to sign in as this once, and is there again on the next start, which says that FOUR_EYES is off', async () => {
    const first = await opened(launch({ DATA_DIR: data, ADMIN_PASSWORD: '' }))
    expect(first.child.said()).toMatch(
      /^Sign in as one of these; their passwords are shown this once:\n {2}admin {2,}[\w-]{22} {2}the administrator\n/,
    )
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${first.url}${path}`)).status).toBe(200)
    expect(statSync(join(data, 'secret.key')).mode & 0o777).toBe(0o600)
    first.child.process.kill('SIGTERM')
    expect(await first.child.ended).toBe(0)
    nothingIsLeft()

    const second = await opened(start({ FOUR_EYES: 'off' }))
    expect(second.child.said()).not.toContain('Sign in as')
    const solo =
      /^FOUR_EYES is off: one person may confirm an account, and lock, approve and release a month$/m
    expect(second.child.said()).toMatch(solo)
    expect(first.child.said()).not.toMatch(/FOUR_EYES/)
    expect(second.child.said()).not.toContain('not protected')
  })

  test('signs in the administrator with ADMIN_PASSWORD, and writes JSON lines of what was asked, without secrets', async () => {
    data = await folderWithDatabase()
    const portal = await opened(start())
    expect(await portal.call('GET', '/api/v1/merchant')).toMatchObject({
      status: 200,
      body: { data: [], total_length: 0 },
    })
    const lines = portal.child
      .said()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { req?: object })
    expect(lines.map(({ req }) => req)).toContainEqual({
      method: 'PUT',
      path: '/api/v1/login',
      address: '127.0.0.1',
    })
    const log = JSON.stringify(lines)
    expect(log).not.toContain(adminPassword)
    expect(log).not.toMatch(/bearer|xsrf/i)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'ends on %s in order: what was asked is answered, then nothing is left running',
    async (signal) => {
      data = await folderWithDatabase()
      const { child, url, headers } = await opened(start())
      const body = JSON.stringify({ xmid: '1', dba: 'In flight', masteragentid: 1, accountstatus: 1 })
      const half = { ...headers(), 'content-type': 'application/json', 'content-length': body.length }
      const asked = request(`${url}/api/v1/merchant`, {
        method: 'POST',
        headers: half,
        agent: new Agent({ keepAlive: true }),
      })
      asked.write(body.slice(0, 10))
      await child.line(/"path":"\/api\/v1\/merchant".*incoming request/)
      child.process.kill(signal)
      // Twice, as Ctrl-C in a terminal under npm does.
      child.process.kill(signal)
      await expect
        .poll(
          () =>
            fetch(`${url}/healthz`).then(
              ({ status }) => status,
              () => 'closed',
            ),
          { timeout: 10_000 },
        )
        .not.toBe(200)

      asked.end(body.slice(10))
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      expect([answer.statusCode, await text(answer)]).toEqual([422, expect.stringContaining('Master Agent')])
      const told = performance.now()
      expect(await child.ended).toBe(0)
      expect(performance.now() - told).toBeLessThan(9_000)
      nothingIsLeft()
    },
  )
})

test('a start writes down the accounts that its key does not open', async () => {
  const copy = await openTestPortal({ demo: false, adminPassword })
  try {
    await copy.db.query(
      `insert into master_agent (name, bankaccountnumber) values ('North', sha256('encrypted with a lost key'))`,
    )
    await opened(start({ SECRET_KEY: testSecret.toString('hex'), DATABASE_URL: copy.url }))
    expect(await copy.db.query('select reason from unpayable_account')).toEqual([
      { reason: 'Bank account number is unreadable' },
    ])
    await endChildren()
  } finally {
    await copy.close()
  }
})

describe('the audit of a database elsewhere', () => {
  test('is said not to be protected while one role does all, and is protected from a role that owns nothing', async () => {
    const copy = await openTestPortal({ demo: false, adminPassword })
    const role = `portal_start_${randomBytes(6).toString('hex')}`
    try {
      await copy.db.query(`create role ${role} login password 'of the test'`)
      const limited = Object.assign(new URL(copy.url), { username: role, password: 'of the test' }).href
      const env = { SECRET_KEY: testSecret.toString('hex') }
      const one = await opened(start({ ...env, DATABASE_URL: copy.url }))
      expect(one.child.said()).toMatch(/^The audit is not protected from the portal/m)
      one.child.process.kill('SIGTERM')
      await one.child.ended
      const two = await opened(start({ ...env, DATABASE_URL: limited, MIGRATE_DATABASE_URL: copy.url }))
      expect(two.child.said()).not.toContain('not protected')
      expect((await two.call('GET', '/api/v1/audit')).status).toBe(200)
      two.child.process.kill('SIGTERM')
      await two.child.ended
      await copy.db.query(`drop owned by ${role}`)
      await copy.db.query(`drop role ${role}`)
    } finally {
      await copy.close()
    }
  })
})

describe('what keeps the portal from opening is printed in one sentence, with exit code 1 and nothing left running', () => {
  const refused = async (child: ReturnType<typeof launch>, sentence: string | RegExp) => {
    expect(await endedUnopened(child)).toBe(1)
    expect(child.complained().replace(/\n$/, '')).toMatch(sentence)
    expect(child.complained().trim().split('\n')).toHaveLength(1)
    nothingIsLeft()
  }
  const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)

  test('a port in use, before anything is made', async () => {
    const other = createServer()
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    const { port } = other.address() as AddressInfo
    const child = start({ PORT: String(port) })
    await refused(
      child,
      exactly(
        `The port ${port} of 127.0.0.1 is in use by another program: end that one, or choose another with PORT`,
      ),
    )
    expect(existsSync(join(data, 'postgres'))).toBe(false)
    other.close()
  })

  test('an address that is not of this machine', async () => {
    await refused(
      start({ HOST: '192.0.2.1' }),
      exactly("HOST is '192.0.2.1', which is no address of this machine: 0.0.0.0 means all of them"),
    )
  })

  test('a folder that cannot be written', async () => {
    const file = join(data, 'file')
    writeFileSync(file, '')
    await refused(
      start({ DATA_DIR: join(file, 'data') }),
      exactly(`The data folder ${file}/data cannot be written (ENOTDIR): choose another with DATA_DIR`),
    )
  })

  test('a folder open in another process', async () => {
    data = await folderWithDatabase()
    const holder = run(await builtProgram('tests/fixtures/holder.ts'), [data])
    await holder.line(/^postgresql:/)
    const child = start()
    expect(await endedUnopened(child)).toBe(1)
    expect(child.complained()).toBe(
      `The data folder ${data} is already open in another process (${holder.process.pid}): stop that one, or choose another folder with DATA_DIR\n`,
    )
  })

  test('a database newer than the portal', async () => {
    data = await folderWithDatabase()
    const postgres = await startPostgres({ folder: data })
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(
      `create table migration (id serial primary key, name text, run_on timestamp); insert into migration (name) values ('099_later')`,
    )
    await client.end()
    await postgres.stop()
    await refused(start(), /^The database is newer than this portal: it holds the migration 099_later, /)
  })

  test('another secret key than the one the database was written with', async () => {
    data = await folderWithDatabase()
    const { child } = await opened(start())
    await expect(refused(child, '')).rejects.toThrow(/^It should not open: Technology Portal is open at/)
    child.process.kill('SIGTERM')
    await child.ended
    const sentence =
      'The secret key in SECRET_KEY is not the one this database was written with: set SECRET_KEY to that one'
    await refused(start({ SECRET_KEY: 'ab'.repeat(32) }), exactly(sentence))
  })

  test('a database elsewhere that does not answer', async () => {
    const child = start({ DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/portal' })
    await refused(
      child,
      exactly('The database of DATABASE_URL does not let the portal in: connect ECONNREFUSED 127.0.0.1:1'),
    )
  })

  test('a variable that is wrong', async () => {
    await refused(start({ DEMO: 'yes' }), exactly("DEMO is 'yes': it must be 0 or 1"))
  })

  test.each([63, 65])('a data folder whose secret was damaged: %i digits', async (digits) => {
    data = await folderWithDatabase()
    writeFileSync(join(data, 'secret.key'), 'a'.repeat(digits))
    await refused(
      start(),
      exactly(
        `The file ${data}/secret.key does not hold a key of 64 hexadecimal digits: put the right one back`,
      ),
    )
  })
})
