import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { serverAccount } from '../../../server/db/postgres/account.ts'
import { completeLinks, findBinaries } from '../../../server/db/postgres/binaries.ts'
import { cacheMegabytes, machineMemory } from '../../../server/db/postgres/cacheSize.ts'
import { createDataFolder } from '../../../server/db/postgres/create.ts'
import { acquireLock } from '../../../server/db/postgres/lock.ts'
import { startPostgres, type Postgres } from '../../../server/db/postgres/postgres.ts'
import { processStartId, processesIn } from '../../../server/db/postgres/process.ts'
import { endChildren, run } from '../../fixtures/children.ts'
import { folder, folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { builtProgram } from '../../fixtures/programs.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const running: Postgres[] = []
let home: string

beforeEach(async () => {
  home = await folderWithDatabase()
})
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  for (const postgres of running.splice(0)) await postgres.stop()
  removeFolders()
})

const start = async (at = home) => {
  const postgres = await startPostgres({ folder: at })
  running.push(postgres)
  return postgres
}

const ask = async <R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}
const remember = (url: string) =>
  ask(url, 'create table memory (word text); insert into memory values ($$kept$$)')
const recall = async (url: string) =>
  (await ask<{ word: string }>(url, 'select word from memory')).map(({ word }) => word)
/** The files a killed server leaves, with this process id in them. */
const leave = (pid: number) => {
  writeFileSync(join(home, 'postgres', 'postmaster.pid'), `${pid}\n${home}/postgres\n1\n5432\n.\n\n\nready\n`)
  writeFileSync(join(home, 'postgres', '.s.PGSQL.5432.lock'), `${pid}\n${home}/postgres\n1\n5432\n.\n`)
}
const serverPid = (at: string) =>
  Number.parseInt(readFileSync(join(at, 'postgres', 'postmaster.pid'), 'utf8'), 10)

const megabyte = 2 ** 20
test.each([
  [512 * megabyte, 128],
  [1_024 * megabyte, 128],
  [1_031 * megabyte, 128],
  [1_032 * megabyte, 129],
  [8_192 * megabyte, 1_024],
  [16_383 * megabyte, 2_047],
  [16_384 * megabyte, 2_048],
  [16_392 * megabyte, 2_048],
  [262_144 * megabyte, 2_048],
])('of %s bytes of memory the cache of PostgreSQL takes %s MB at most', (memory, cache) => {
  expect(cacheMegabytes(memory)).toBe(cache)
})

describe('the embedded database', () => {
  test('is made on the first start, ends with stop, and keeps its data to the next start', async () => {
    home = folder()
    const first = await start()
    const [cache] = await ask<{ mb: number }>(
      first.url,
      `select setting::int * 8 / 1024 as mb from pg_settings where name = 'shared_buffers'`,
    )
    expect(cache!.mb).toBe(cacheMegabytes(machineMemory()))
    await remember(first.url)
    // As in the folder of a portal that knew one role alone.
    await ask(first.url, 'drop role portal_runtime')
    const pid = serverPid(home)
    await first.stop()
    expect(processStartId(pid)).toBeNull()

    const second = await start()
    expect(await recall(second.url)).toEqual(['kept'])
    expect(await ask(second.runtimeUrl, 'select current_user as role')).toEqual([{ role: 'portal_runtime' }])
    await expect(ask(second.runtimeUrl, 'drop table memory')).rejects.toThrow('must be owner of table memory')
  })

  test('writes durably, in UTF-8, with case rules for every script and times in UTC', async () => {
    const { url } = await start()
    const settings =
      'fsync,synchronous_commit,full_page_writes,data_checksums,server_encoding,TimeZone'.split(',')
    const rows = await ask<{ name: string; setting: string }>(
      url,
      `select name, setting from pg_settings where name in ('${settings.join("','")}')`,
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    })
    expect(await ask(url, `select lower('ÄÉΣ') as low`)).toEqual([{ low: 'äéσ' }])
  })

  test('lets in nobody without its random password, which only its owner can read, and listens on no network', async () => {
    // As large as a log may be.
    writeFileSync(join(home, 'postgres.log'), Buffer.alloc(5 * megabyte))
    const { url } = await start()
    expect(statSync(join(home, 'postgres.log')).size).toBeGreaterThan(5 * megabyte)
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(new URL(url).password).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(join(home, 'postgres.password')).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'postgres')).mode & 0o777).toBe(0o700)
    expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  test('listens on loopback alone in a folder too deep for a socket', async () => {
    const deep = join(home, 'x'.repeat(100))
    const { url } = await start(deep)
    expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  })

  test('starts in a folder that strangers may not pass, also for root, who hands the server to another account', async () => {
    chmodSync(home, 0o700)
    const inside = join(home, 'closed')
    mkdirSync(inside, { mode: 0o700 })
    const first = await start(inside)
    await remember(first.url)
    await first.stop()
    const second = await start(inside)
    expect(await recall(second.url)).toEqual(['kept'])
    expect(statSync(join(inside, 'postgres')).uid === 0).toBe(false)
  })

  test('is made also when its programs lie in such a folder', async () => {
    home = folder()
    const own = findBinaries()
    const closed = join(home, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    cpSync(own.root, closed, { recursive: true, verbatimSymlinks: true })
    const there = (program: string) => join(closed, relative(own.root, program))
    const data = join(home, 'postgres')
    await createDataFolder({
      data,
      initdb: there(own.initdb),
      account: serverAccount(data, [home, there(own.initdb), there(own.postgres)]),
      superuser: 'portal',
      password: 'secret',
    })
    expect(readFileSync(join(data, 'PG_VERSION'), 'utf8')).toBe('18\n')
  })

  test('that cannot be made says so in a sentence and leaves nothing', async () => {
    home = folder()
    const data = join(home, 'postgres')
    const account = serverAccount(data, [home])
    const initdb = join(home, 'nowhere')
    await expect(
      createDataFolder({ data, initdb, account, superuser: 'portal', password: 'secret' }),
    ).rejects.toThrow(`The database could not be created in ${data}: `)
    expect(readdirSync(home)).toEqual([])
  })

  test('is not made twice over a first start that was cut short', async () => {
    home = folder()
    mkdirSync(join(home, 'postgres.new'))
    writeFileSync(join(home, 'postgres.new', 'PG_VERSION'), '18\n')
    const { url } = await start()
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(home).filter((name) => name.includes('new'))).toEqual([])
  })

  test('writes nothing of a refused statement into its log, which begins anew above 5 MB', async () => {
    writeFileSync(join(home, 'postgres.log'), Buffer.alloc(5 * megabyte + 1))
    const { url } = await start()
    expect(statSync(join(home, 'postgres.log')).size).toBeLessThan(megabyte)
    await expect(ask(url, `select 'a secret' where 1/0 = 1`)).rejects.toThrow('division by zero')
    expect(readFileSync(join(home, 'postgres.log'), 'utf8')).not.toContain('a secret')
  })
})

describe('one process alone holds a data folder', () => {
  let holderProgram: string
  beforeAll(async () => {
    holderProgram = await builtProgram('tests/fixtures/holder.ts')
  })

  test('a second one gets a sentence that names the first, which goes on', async () => {
    const holder = run(holderProgram, [home])
    const url = await holder.line(/^postgresql:/)
    const pid = holder.process.pid
    await expect(start()).rejects.toThrow(
      `The data folder ${home} is already open in another process (${pid}): stop that one, or choose another folder with DATA_DIR`,
    )
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('of several that start at the same moment over the lock of a dead one, one gets it', async () => {
    writeFileSync(join(home, 'postgres.lock'), JSON.stringify({ pid: process.ppid, birth: 'another boot:1' }))
    const holders = Array.from({ length: 4 }, () => run(holderProgram, [home]))
    const tries = await Promise.all(
      holders.map((holder) =>
        holder.line(/^postgresql:/).then(
          () => 'open',
          () => holder.complained(),
        ),
      ),
    )
    expect(tries.map((said) => /open$|is already open in another process/.exec(said)?.[0]).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'is already open in another process'),
      'open',
    ])
  })

  describe('and the lock of a dead one that another process', () => {
    const dead = JSON.stringify({ pid: process.ppid, birth: 'another boot:1' })
    const living = JSON.stringify({ pid: process.pid, birth: processStartId(process.pid) })
    /** Takes a lock whose file is what `meanwhile` makes of it when its text has been asked for. */
    const take = (meanwhile: string) => {
      const lock = join(home, 'taken.lock')
      // Opening the pipe to write waits for the reader, who then reads to the end.
      expect(spawnSync('mkfifo', [lock]).status).toBe(0)
      const other = spawn('sh', ['-c', `exec 3> "$0"; ${meanwhile}; printf %s "$1" >&3`, lock, dead, living])
      const ended = once(other, 'close')
      const taken = () => acquireLock(lock, home)
      return { lock, taken, ended }
    }

    test('removes while it is read is taken, and released', async () => {
      const { lock, taken, ended } = take('rm "$0"')
      const release = taken()
      expect(readFileSync(lock, 'utf8')).toBe(living)
      release()
      expect(readdirSync(home).filter((name) => name.includes('taken'))).toEqual([])
      await ended
    })

    test('replaces by its own while it is read is left to that one', async () => {
      const { lock, taken, ended } = take('printf %s "$2" > "$0.new"; mv "$0.new" "$0"')
      expect(taken).toThrow(`is already open in another process (${process.pid})`)
      expect(readFileSync(lock, 'utf8')).toBe(living)
      expect(readdirSync(home).filter((name) => name.includes('taken'))).toEqual(['taken.lock'])
      await ended
    })
  })

  test('the server of a portal killed with -9 is ended by the next start, and nothing is lost', async () => {
    const holder = run(holderProgram, [home])
    await remember(await holder.line(/^postgresql:/))
    const left = serverPid(home)
    holder.process.kill('SIGKILL')
    await holder.ended
    expect(processStartId(left)).not.toBeNull()

    const { url } = await start()
    expect(await recall(url)).toEqual(['kept'])
    expect(processStartId(left)).toBeNull()
    // It wrote down what it had: an immediate shutdown would leave that to a recovery.
    const log = readFileSync(join(home, 'postgres.log'), 'utf8')
    expect(log).toContain('received fast shutdown request')
    expect(log).not.toMatch(/received immediate shutdown request|was not properly shut down/)
  })

  test('ids of dead processes that others have now do not keep it closed', async () => {
    const first = await start()
    await remember(first.url)
    await first.stop()
    writeFileSync(join(home, 'postgres.lock'), JSON.stringify({ pid: process.ppid, birth: 'another boot:1' }))
    leave(process.ppid)
    const second = await start()
    expect(await recall(second.url)).toEqual(['kept'])
  })

  test('a killed server that nobody collects does not keep it closed', async () => {
    const first = await start()
    await remember(first.url)
    await first.stop()
    // The shell starts a process and becomes a program that never asks after it.
    const parent = spawn('sh', ['-c', `sleep 60 & echo $!; exec sh -c 'echo ready; exec sleep 60'`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let said = ''
    while (!said.includes('ready')) said += String(((await once(parent.stdout, 'data')) as [Buffer])[0])
    const zombie = Number.parseInt(said, 10)
    // Until then it is a shell, which might.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(zombie, 'SIGKILL')
    await expect.poll(() => processStartId(zombie)).toBeNull()
    expect(process.kill(zombie, 0)).toBe(true)
    leave(zombie)
    const second = await start()
    parent.kill()
    expect(await recall(second.url)).toEqual(['kept'])
  })

  test('a server that is killed is started again at the same address', async () => {
    const { url, stop } = await start()
    await remember(url)
    process.kill(serverPid(home), 'SIGKILL')
    await expect.poll(() => recall(url).catch(() => 'not yet'), { timeout: 10_000 }).toEqual(['kept'])
    await stop()
    expect(processesIn(join(home, 'postgres'))).toEqual([])
  })
})

describe('what a start that was cut short, a power failure or a person left is repaired', () => {
  test.each([
    ['empty', ''],
    ['of zero bytes, as after a power failure', '\0'.repeat(60)],
    ['of somebody else', 'not a process id\n/elsewhere\n'],
    ['with an id that no process can have', '99999999999\n'],
    ['cut off', '12'],
  ])('a postmaster.pid that is %s', async (_, text) => {
    const first = await start()
    await remember(first.url)
    await first.stop()
    writeFileSync(join(home, 'postgres', 'postmaster.pid'), text)
    writeFileSync(join(home, 'postgres', '.s.PGSQL.5432.lock'), text)
    expect(await recall((await start()).url)).toEqual(['kept'])
  })

  test('an empty data directory, and drafts of databases', async () => {
    home = folder()
    for (const name of ['postgres', 'postgres.new', 'postgres.new.12ab']) mkdirSync(join(home, name))
    writeFileSync(join(home, 'postgres.new.12ab.password'), 'x')
    expect(await ask((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(home).filter((name) => name.includes('new'))).toEqual([])
  })
})

describe('what cannot be says so in one sentence', () => {
  test('a folder that cannot be written', async () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    await expect(start(file)).rejects.toThrow(
      `The data folder ${file} cannot be written (EEXIST): choose another with DATA_DIR`,
    )
  })

  test('data without the password they were made with', async () => {
    rmSync(join(home, 'postgres.password'))
    await expect(start()).rejects.toThrow(
      `The file ${home}/postgres.password, which holds the password of the database in ${home}/postgres, is missing`,
    )
    expect(existsSync(join(home, 'postgres.lock'))).toBe(false)
  })

  test('a copy of a folder whose server runs, which the original survives', async () => {
    const original = await start()
    await remember(original.url)
    const copied = folder()
    cpSync(home, copied, { recursive: true, filter: (path) => !path.includes('.s.PGSQL') })
    await expect(start(copied)).rejects.toThrow(
      `The database in ${copied}/postgres is a copy of ${home}/postgres, made while that one ran, and may be damaged: ` +
        'remove it, and restore a backup of the other (npm run backup, npm run restore)',
    )
    expect(await recall(original.url)).toEqual(['kept'])
  })

  test.each(['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'])(
    'a data directory without its %s, which is left as it is',
    async (name) => {
      rmSync(join(home, 'postgres', name), { recursive: true })
      const before = readdirSync(join(home, 'postgres')).sort()
      await expect(start()).rejects.toThrow(
        `The database in ${home}/postgres is incomplete (${name} is missing): put back what was removed, or move the folder away and restore a backup`,
      )
      expect(readdirSync(join(home, 'postgres')).sort()).toEqual(before)
      expect(existsSync(join(home, 'postgres.lock'))).toBe(false)
    },
  )

  test('data of another PostgreSQL', async () => {
    writeFileSync(join(home, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toThrow(
      /^The database in .*postgres did not start: database files are incompatible with server; .*version 17/,
    )
    expect(existsSync(join(home, 'postgres.lock'))).toBe(false)
  })

  test('a machine without a binary', () => {
    expect(() => findBinaries('sunos', 'sparc')).toThrow(
      /^There is no embedded PostgreSQL for this machine .*: set DATABASE_URL/,
    )
  })

  test('links that npm did not make are made', () => {
    mkdirSync(join(home, 'native', 'lib'), { recursive: true })
    writeFileSync(join(home, 'native', 'lib', 'libx.so.6.18'), 'it')
    writeFileSync(
      join(home, 'native', 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libx.so.6.18', target: 'native/lib/libx.so.6' }]),
    )
    completeLinks(home)
    completeLinks(home)
    expect(readFileSync(join(home, 'native', 'lib', 'libx.so.6'), 'utf8')).toBe('it')
  })
})
