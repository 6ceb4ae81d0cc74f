import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { verifyPassword } from '../../../server/accounts/passwordHash.ts'
import { listBackups, makeBackup } from '../../../server/backup/backup.ts'
import { commands } from '../../../server/backup/commands.ts'
import { readBackup, writeBackupFile } from '../../../server/backup/file/backupFile.ts'
import type { Proof } from '../../../server/backup/file/contents.ts'
import type { BackupRecord } from '../../../server/backup/file/records.ts'
import { folderRecords, folderWriter } from '../../../server/backup/folderFiles.ts'
import { backupPassphrase } from '../../../server/backup/installation.ts'
import { describeNotes, readNotes } from '../../../server/backup/notes.ts'
import { rehearse } from '../../../server/backup/rehearse.ts'
import { resetPassword } from '../../../server/backup/resetPassword.ts'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { readConfig } from '../../../server/config/config.ts'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import { encrypt } from '../../../server/db/encryption.ts'
import { loadSecretKey } from '../../../server/db/secretKey.ts'
import { programArguments } from '../../fixtures/children.ts'
import { asStranger, folder, removeFolders } from '../../fixtures/folders.ts'
import { builtProgram } from '../../fixtures/programs.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal } from '../../testPortal.ts'
import { contentOf, pairsOf, pairWriter, place, removePairs, removePlaces } from './places.ts'
import { shapeOf } from './shape.ts'

afterEach(async () => {
  await removePlaces()
  removeFolders()
})

const options = { keep: null, passphrase: null, drive: null, inbox: null }
const backUp = async (db: Db) => (await makeBackup(db, { ...options, folder: folder() })).file
const restore = (db: Db, file: string, replace = false, beforeCommit = async () => {}) =>
  restoreBackup(db, { file, passphrase: null, replace, drive: null, inbox: null, beforeCommit })

const addWord = (db: Db, content: string) =>
  db.query(`insert into setting (name, value) values ($1, $1)`, [content])
const wordsOf = async (db: Db) =>
  (await db.query<{ name: string }>(`select name from setting where name like 'word %' order by name`)).map(
    ({ name }) => name,
  )

describe('a backup', () => {
  test('of a database under writes is of one moment, and restored elsewhere it has every row, sequence, trigger and index', async () => {
    const { db: live } = await place('tables')
    await live.query(
      `insert into setting select 'row ' || n, md5(n::text) || E'\\t\\\\\n' from generate_series(1, 20000) n`,
    )
    await live.query(`insert into master_agent (name) values ('North'), ('Süd')`)
    const writer = pairWriter(live)
    await expect.poll(() => writer.written()).toBeGreaterThan(0)
    const before = writer.written()
    const file = await backUp(live)
    const after = await writer.stop()
    const { db } = await place('nothing')
    await restore(db, file)

    const pairs = await pairsOf(db)
    expect(pairs.a).toBe(pairs.b)
    expect(pairs.a).toBeGreaterThanOrEqual(before)
    expect(after).toBeGreaterThan(pairs.a)
    for (const one of [live, db]) await removePairs(one)
    expect(await contentOf(db)).toEqual(await contentOf(live))
    expect(await shapeOf(db)).toEqual(await shapeOf(live))
    await expect(db.query('update audit set username = $1', ['x'])).rejects.toThrow('append')
  })

  test('of a database without a portal is refused in a sentence and leaves no file', async () => {
    const to = folder()
    await expect(makeBackup((await place('nothing')).db, { ...options, folder: to })).rejects.toThrow(
      'The database holds no portal yet: start the portal once before it is backed up',
    )
    expect(readdirSync(to)).toEqual([])
  })

  test('into what is no folder is refused in a sentence', async () => {
    const to = join(folder(), 'file')
    writeFileSync(to, '')
    await expect(makeBackup((await place('tables')).db, { ...options, folder: to })).rejects.toThrow(
      `The backup could not be written into ${to}: EEXIST`,
    )
  })

  test('that cannot be read again is removed, and the ones before it stay', async () => {
    const { db } = await place('tables')
    const to = folder()
    const { file } = await makeBackup(db, { ...options, folder: to })
    const earlier = readFileSync(file)
    const spoiling: Db = {
      ...db,
      async transaction(work) {
        const done = await db.transaction(work)
        const [made] = readdirSync(to).filter((name) => join(to, name) !== file)
        writeFileSync(join(to, made!), earlier.subarray(0, -1))
        return done
      },
    }
    await expect(makeBackup(spoiling, { ...options, folder: to, keep: 1 })).rejects.toThrow(
      /^The new backup could not be read again and was removed: The backup .* is damaged/,
    )
    expect(readdirSync(to).map((name) => join(to, name))).toEqual([file])
  })

  test('with --keep 3 removes none of two or three, and the oldest of four', async () => {
    const { db } = await place('tables')
    const to = folder()
    const made: string[] = []
    for (const left of [1, 2, 3, 3]) {
      made.push((await makeBackup(db, { ...options, folder: to, keep: 3 })).file)
      expect((await listBackups(to)).map((name) => join(to, name))).toEqual(made.slice(-left))
    }
  })

  test('leaves files of others and young drafts where they are, and removes drafts of more than a day', async () => {
    const { db } = await place('tables')
    const to = folder()
    const old = join(to, 'portal-20200101T000000.000Z-00aa.backup.part')
    const young = join(to, 'portal-20200101T000000.000Z-00ab.backup.part')
    for (const name of [old, young, join(to, 'portal.backup'), join(to, 'notes.txt')]) writeFileSync(name, '')
    const day = 24 * 60 * 60
    for (const [name, age] of [
      [old, day + 60],
      [young, day - 60],
    ] as const)
      utimesSync(name, Date.now() / 1000 - age, Date.now() / 1000 - age)
    await makeBackup(db, { ...options, folder: to, keep: 1 })
    expect(existsSync(old)).toBe(false)
    const [name] = (await listBackups(to)).slice(-1)
    expect(statSync(join(to, name!)).mode & 0o777).toBe(0o600)
    expect(readdirSync(to).length).toBe(4)
  })
})

describe('a restore', () => {
  test('into a database that holds something is refused, and with --replace it takes its place whole', async () => {
    const first = await place('tables')
    await addWord(first.db, 'word kept')
    const file = await backUp(first.db)
    const second = await place('tables')
    await addWord(second.db, 'word former')
    await expect(restore(second.db, file)).rejects.toThrow(
      'The database is not empty: restore into an empty one, or say --replace to give up what it holds',
    )
    expect(await wordsOf(second.db)).toEqual(['word former'])
    await restore(second.db, file, true)
    expect(await wordsOf(second.db)).toEqual(['word kept'])
    expect(await shapeOf(second.db)).toEqual(await shapeOf(first.db))
    expect(await contentOf(second.db)).toEqual(await contentOf(first.db))
  })

  test('that replaces a database which somebody has open is refused', async () => {
    const { db } = await place('tables')
    const file = await backUp(db)
    const other = await place('tables')
    await addWord(other.db, 'word former')
    const release = await new Promise<() => void>((opened) => {
      void other.db.transaction(() => new Promise<void>((end) => opened(end)))
    })
    await expect(restore(other.db, file, true)).rejects.toThrow(
      'The database is in use: stop every portal and program that has it open',
    )
    release()
    expect(await wordsOf(other.db)).toEqual(['word former'])
  })

  test('of a damaged backup leaves the database that it would replace as it was', async () => {
    const first = await place('tables')
    await first.db.query(
      `insert into setting select 'row ' || n, md5(n::text) || md5((n * 7)::text) from generate_series(1, 20000) n`,
    )
    const file = await backUp(first.db)
    const bytes = readFileSync(file)
    bytes[bytes.length - 40]! ^= 1
    writeFileSync(file, bytes)
    const second = await place('tables')
    await addWord(second.db, 'word former')
    await expect(restore(second.db, file, true)).rejects.toThrow(
      /^The backup .* is damaged: its part \d+ is not/,
    )
    expect(await wordsOf(second.db)).toEqual(['word former'])
  })

  /** The backup written again, with every record as `change` leaves it, or without it for null. */
  async function rewritten(file: string, change: (record: BackupRecord) => BackupRecord | null) {
    const other = join(folder(), 'other.backup')
    async function* changed(records: AsyncIterable<BackupRecord>) {
      for await (const record of records) {
        const left = change(record)
        if (left !== null) yield left
      }
    }
    await readBackup(file, null, (records, { made, migrations, key, hasDrive }) =>
      writeBackupFile(other, { made, migrations, key, hasDrive }, null, changed(records)),
    )
    return other
  }
  const withProof = (change: (proof: Proof) => void) => (record: BackupRecord) => {
    if (record.kind === 'proof') change(record.value)
    return record
  }
  /** Leaves a table out, whose records are begun by its name and ended by the name of the next one. */
  const without = (name: string) => {
    let isLeftOut = false
    return (record: BackupRecord) => {
      if (record.kind === 'table') isLeftOut = record.value.name === name
      const isOfTable = ['table', 'rows', 'tableEnd'].includes(record.kind)
      return isLeftOut && isOfTable ? null : record
    }
  }

  test('of what does not add up to its own sums, or lacks a table or a column, says so and stores nothing', async () => {
    const first = await place('tables')
    await addWord(first.db, 'word kept')
    const file = await backUp(first.db)
    const { db } = await place('nothing')
    const places: [(record: BackupRecord) => BackupRecord | null, RegExp][] = [
      [withProof(({ tables }) => (tables['setting']!.digest = 'x')), /rows of the table setting are not the/],
      [withProof(({ tables }) => (tables['setting']!.rows += 1)), /rows of the table setting are not the/],
      [
        withProof(({ ledger }) => (ledger['payout_payment.amount'] = '1')),
        /the sum of payout_payment\.amount is 0 and should be 1$/,
      ],
      [without('setting'), /the table setting is missing$/],
      [
        (record) => {
          if (record.kind === 'table' && record.value.name === 'setting') record.value.columns.pop()
          return record
        },
        /the table setting is not that of its migrations$/,
      ],
    ]
    for (const [change, sentence] of places)
      await expect(restore(db, await rewritten(file, change))).rejects.toThrow(sentence)
    expect(await db.query(`select to_regclass('setting') as found`)).toEqual([{ found: null }])
    await restore(db, await rewritten(file, (record) => record))
    expect(await wordsOf(db)).toEqual(['word kept'])
  })

  test('whose files cannot take their place leaves the database that it would replace as it was', async () => {
    const first = await place('tables')
    await addWord(first.db, 'word new')
    const file = await backUp(first.db)
    const second = await place('tables')
    await addWord(second.db, 'word former')
    const fail = () => Promise.reject(new Error('The folder is busy'))
    await expect(restore(second.db, file, true, fail)).rejects.toThrow('The folder is busy')
    expect(await wordsOf(second.db)).toEqual(['word former'])
    await restore(second.db, file, true)
    expect(await wordsOf(second.db)).toEqual(['word new'])
  })
})

describe('the files of a local drive', () => {
  test('come back with their folders, times and bytes; links are left out, and what was there is replaced', async () => {
    const drive = join(folder(), 'drive')
    mkdirSync(join(drive, 'a', 'empty'), { recursive: true })
    const large = Buffer.alloc(300_000, 'large')
    writeFileSync(join(drive, 'a', 'large.bin'), large)
    writeFileSync(join(drive, 'none.txt'), '')
    symlinkSync('/etc/hosts', join(drive, 'link'))
    utimesSync(join(drive, 'none.txt'), 1_700_000_000, 1_700_000_000)
    const { db } = await place('tables')
    const { file, files } = await makeBackup(db, { ...options, folder: folder(), drive })
    expect(files).toBe(4)

    const other = join(folder(), 'drive')
    mkdirSync(other)
    writeFileSync(join(other, 'former.txt'), '')
    // As a restore leaves it that was killed in between.
    mkdirSync(`${other}.former`)
    writeFileSync(join(`${other}.former`, 'left.txt'), '')
    const writer = folderWriter(other)
    await restoreBackup((await place('nothing')).db, {
      file,
      passphrase: null,
      replace: false,
      drive: writer,
      inbox: null,
    })
    expect(readdirSync(other)).toEqual(['former.txt'])
    await writer.finish()
    expect((readdirSync(other, { recursive: true }) as string[]).sort()).toEqual([
      'a',
      'a/empty',
      'a/large.bin',
      'none.txt',
    ])
    expect(readFileSync(join(other, 'a', 'large.bin')).equals(large)).toBe(true)
    const found = []
    for await (const record of folderRecords(other)) if (record.kind === 'file') found.push(record.value)
    expect(found.find(({ path }) => path === 'none.txt')).toMatchObject({ modified: 1_700_000_000_000 })
    expect(readdirSync(join(other, '..'))).toEqual(['drive'])
  })

  const namesOf = async (from: string) => {
    const names: string[] = []
    for await (const record of folderRecords(from)) if (record.kind === 'file') names.push(record.value.path)
    return names
  }

  test('are those that the portal may read: a folder that is closed to it is empty, and the others are whole', async () => {
    const drive = join(folder(), 'drive')
    for (const name of ['closed', 'open']) {
      mkdirSync(join(drive, name), { recursive: true })
      writeFileSync(join(drive, name, 'a.txt'), 'a')
    }
    chmodSync(join(drive, 'closed'), 0o700)
    if (process.getuid?.() !== 0) chmodSync(join(drive, 'closed'), 0)
    expect((await asStranger(() => namesOf(drive))).sort()).toEqual(['closed', 'open', 'open/a.txt'])
    chmodSync(join(drive, 'closed'), 0o700)
  })

  test.each<[what: string, closed: string, says: string]>([
    ['a drive', '', 'The folder '],
    ['a file of it', 'a.txt', 'The file '],
  ])('are not backed up without a word where %s is closed to the portal', async (_, closed, says) => {
    const drive = join(folder(), 'drive')
    mkdirSync(drive)
    writeFileSync(join(drive, 'a.txt'), 'a')
    chmodSync(join(drive, closed), process.getuid?.() === 0 ? 0o700 : 0)
    await expect(asStranger(() => namesOf(drive))).rejects.toThrow(
      `${says}${join(drive, closed).replace(/\/$/, '')} cannot be backed up: EACCES`,
    )
    chmodSync(join(drive, closed), 0o700)
  })

  test('are none where there is no drive yet', async () =>
    expect(await namesOf(join(folder(), 'drive'))).toEqual([]))

  test('are read to their end when they are removed meanwhile', async () => {
    const drive = folder()
    writeFileSync(join(drive, 'a.txt'), 'the whole text')
    const read: string[] = []
    for await (const record of folderRecords(drive)) {
      if (record.kind === 'file') rmSync(join(drive, 'a.txt'))
      if (record.kind === 'bytes') read.push(String(record.bytes))
    }
    expect(read).toEqual(['the whole text'])
  })

  test.each(['../x', '/etc/x', 'a/../../x', 'a//b', '.', 'a\\b'])(
    'with the path %j are refused before anything is written',
    async (path) => {
      const at = folder()
      const writer = folderWriter(join(at, 'drive'))
      const record = { kind: 'file', value: { path, isFolder: false, modified: 0 } } as const
      await expect(writer.take(record)).rejects.toThrow('outside')
      await writer.discard()
      expect(readdirSync(at)).toEqual([])
    },
  )
})

describe('the copies of the inbox', () => {
  const content = 'MID,Income\n1,2\n'
  const sha256 = createHash('sha256').update(content).digest('hex')
  /** A portal in whose inbox this file waits, and its copies. */
  const waiting = async () => {
    const portal = await place('tables')
    await portal.db.query(
      `insert into inbox_file (filename, sha256, size, source, username, state) values ('Quartz.csv', $1, $2, 'folder', '', 'ready')`,
      [sha256, content.length],
    )
    const inbox = join(folder(), 'inbox')
    mkdirSync(inbox)
    return { portal, inbox }
  }

  test('come back beside the files of the drive, and each in its own folder', async () => {
    const { portal, inbox } = await waiting()
    writeFileSync(join(inbox, sha256), content)
    const drive = join(folder(), 'drive')
    mkdirSync(drive)
    writeFileSync(join(drive, 'guide.pdf'), 'pdf')
    const made = await makeBackup(portal.db, { ...options, folder: folder(), drive, inbox })
    expect([made.files, made.copies]).toEqual([1, 1])
    const to = folder()
    const writers = { drive: folderWriter(join(to, 'drive')), inbox: folderWriter(join(to, 'inbox')) }
    await restoreBackup((await place('nothing')).db, {
      file: made.file,
      passphrase: null,
      replace: false,
      ...writers,
    })
    await writers.drive.finish()
    await writers.inbox.finish()
    expect(readdirSync(join(to, 'drive'))).toEqual(['guide.pdf'])
    expect(readFileSync(join(to, 'inbox', sha256), 'utf8')).toBe(content)
  })

  test.each<[what: string, copy: string | null, fault: string | null]>([
    ['is there', content, null],
    ['was changed', 'other', 'The copy of Quartz.csv in the inbox is missing or damaged'],
    ['is missing', null, 'The copy of Quartz.csv in the inbox is missing or damaged'],
  ])('are rehearsed: one that %s', async (_, copy, fault) => {
    const { portal, inbox } = await waiting()
    if (copy !== null) writeFileSync(join(inbox, sha256), copy)
    const { file } = await makeBackup(portal.db, { ...options, folder: folder(), inbox })
    const note = await rehearse(portal, { file, passphrase: null, secret: testSecret })
    expect(note.fault).toBe(fault)
  })

  test('are rehearsed as far as their files wait: of several that are missing the first is named', async () => {
    const { portal, inbox } = await waiting()
    await portal.db.query(
      `insert into inbox_file (filename, sha256, size, source, username, state)
        select state || n || '.csv', md5(state || n), 1, 'folder', '', state
        from unnest('{imported,dismissed,refused,asks}'::text[]) state, generate_series(1, 2) n`,
    )
    const { file } = await makeBackup(portal.db, { ...options, folder: folder(), inbox })
    const note = await rehearse(portal, { file, passphrase: null, secret: testSecret })
    expect(note.fault).toBe('The copy of Quartz.csv in the inbox is missing or damaged, and 4 more')
  })
})

describe('a rehearsal', () => {
  test('of a good backup notes rows and locks, changes nothing of the portal, and removes its database', async () => {
    const portal = await place('tables')
    await addWord(portal.db, 'word kept')
    await portal.db.query(`insert into master_agent (id, name, taxid) values (7, 'North', 'damaged')`)
    // As a rehearsal leaves it that was killed.
    await portal.db.query('create database portal_rehearsal_left')
    const began = Math.floor(Date.now() / 1000)
    const file = await backUp(portal.db)
    const note = await rehearse(portal, { file, passphrase: null, secret: testSecret })
    expect(note).toMatchObject({ months: 0, unreadable: ['master_agent.taxid of 7'], fault: null })
    expect(note.made! - began).toBeOneOf([0, 1, 2, 3, 4, 5])
    expect(note.rows).toBeGreaterThan(20)
    expect((await readNotes(portal.db)).rehearsal).toEqual(note)
    expect(await wordsOf(portal.db)).toEqual(['word kept'])
    const left = await portal.db.query(`select from pg_database where datname like 'portal_rehearsal_%'`)
    expect(left).toEqual([])

    writeFileSync(file, readFileSync(file).subarray(0, -1))
    const damaged = await rehearse(portal, { file, passphrase: null, secret: testSecret })
    expect(damaged.fault).toBe(`The backup ${file} is damaged: it ends too early`)
    expect((await readNotes(portal.db)).rehearsal).toEqual(damaged)
  })

  test('by an account that may make no database says which right it needs', async () => {
    const portal = await place('tables')
    const role = `rehearser_${randomBytes(6).toString('hex')}`
    await portal.db.query(`create role ${role} login password 'x'`)
    await portal.db.query(`grant select, insert, update on setting to ${role}`)
    const url = Object.assign(new URL(portal.url), { username: role, password: 'x' }).href
    const db = openDb(url)
    const file = await backUp(portal.db)
    const note = await rehearse({ db, url }, { file, passphrase: null, secret: testSecret })
    await db.close()
    await portal.db.query(`drop owned by ${role}`)
    await portal.db.query(`drop role ${role}`)
    expect(note.fault).toBe(
      'The rehearsal needs a database of its own, and the account of the database may not create one: ' +
        'grant it CREATEDB',
    )
  })

  test('of a lock whose copy was changed behind the portal says which one, and stores that', async () => {
    const portal = await place('tables')
    await portal.db.query(
      `insert into month_lock (month, version, hash, username) values ('2026-09-01', 2, 'forged', 'ann')`,
    )
    const file = await backUp(portal.db)
    const note = await rehearse(portal, { file, passphrase: null, secret: testSecret })
    expect(note.fault).toBe('Version 2 of 2026-09 does not add up to its hash')
    expect((await readNotes(portal.db)).rehearsal).toEqual(note)
  })
})

describe('the commands', () => {
  /** What a command prints, run in this process. */
  const say = async (
    name: string,
    env: Record<string, string>,
    names: string[] = [],
    values: Record<string, string | boolean> = {},
  ) => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    await commands[name]!.run({ config: readConfig(env), env, names, values, print })
    return lines.join('\n')
  }
  /** A portal with a session and a copy in its inbox, and the variables of its commands. */
  const installed = async () => {
    const live = await place('tables')
    await live.db.query(
      `with added as (insert into portal_user (username, password_hash) values ('ann', 'x') returning id)
        insert into session (token_hash, userid) select 'x', id from added`,
    )
    const dataDir = folder()
    mkdirSync(join(dataDir, 'inbox'))
    writeFileSync(join(dataDir, 'inbox', 'a'.repeat(64)), 'copy')
    const env = {
      DATABASE_URL: (await place('nothing')).url,
      MIGRATE_DATABASE_URL: live.url,
      DATA_DIR: dataDir,
    }
    await loadSecretKey(readConfig(env), live.db)
    return { live, env }
  }
  const fileIn = (said: string) => /into (\S+)/.exec(said)![1]!

  test('back up and rehearse the newest, and the portal knows of both', async () => {
    const { live, env } = await installed()
    await live.db.query(`insert into master_agent (id, name, taxid) values (7, 'North', 'damaged')`)
    await say('backup', env)
    const said = await say('backup', env)
    expect(said).toMatch(
      /^Backed up \d+ rows, 0 files of the drive and 1 of the inbox into \S+\nIt is not encrypted: /,
    )
    const file = fileIn(said)
    expect((await readNotes(live.db)).backup).toMatchObject({ file, bytes: statSync(file).size })
    const unreadable = '1 encrypted value cannot be read: master_agent.taxid of 7.'
    expect(await say('rehearse', env)).toMatch(
      new RegExp(`^Rehearsed ${basename(file)}: \\d+ rows and 0 locks are as they were\n${unreadable}$`),
    )
    writeFileSync(file, readFileSync(file).subarray(0, -1))
    await expect(say('rehearse', env)).rejects.toThrow(
      `The rehearsal failed: The backup ${file} is damaged: it ends too early`,
    )
  })

  test('back up into the folder and keep as many as their options say, and rehearse from that folder', async () => {
    const { env } = await installed()
    const to = folder()
    const values = { to, keep: '1' }
    expect(await say('backup', env, [], values)).not.toContain('Removed')
    expect(await say('backup', env, [], values)).toMatch(/\nRemoved 1 older backup, 1 is kept$/)
    expect(await say('backup', env, [], { to, keep: '2' })).not.toContain('Removed')
    const newest = readdirSync(to).sort().at(-1)!
    expect(await say('rehearse', env, [], { from: to })).toContain(`Rehearsed ${newest}: `)
    await expect(say('rehearse', env)).rejects.toThrow(
      `There is no backup in ${join(env.DATA_DIR, 'backups')}: make one with npm run backup`,
    )
  })

  test('say that a drive of Google is no part of a backup', async () => {
    const { env } = await installed()
    const key = join(folder(), 'key.json')
    writeFileSync(key, JSON.stringify({ client_email: 'a@b.c', private_key: '-----BEGIN PRIVATE KEY-----' }))
    const google = { ...env, DRIVE_GOOGLE_KEY_FILE: key, DRIVE_GOOGLE_FOLDER: 'abc' }
    const sentence = 'The drive is on Google Drive and not part of it'
    expect(await say('backup', google)).toContain(sentence)
    expect(await say('backup', env)).not.toContain(sentence)
  })

  const other = 'cd'.repeat(32)
  const keys =
    'Where the key is in SECRET_KEY, set NEW_SECRET_KEY to the new one, 64 hexadecimal digits; ' +
    'where it is in a file, set neither: the new one is made'
  const nowhere = '/nowhere'
  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['backup', {}, { keep: '0' }, "--keep is '0': it must be a whole number from 1 to 10000"],
    ['backup', { DATA_DIR: nowhere }, {}, `There is no database in ${nowhere}: say where it is with`],
    ['rotate-key', { NEW_SECRET_KEY: other }, {}, keys],
    ['rotate-key', { SECRET_KEY: other }, {}, keys],
    ['rotate-key', { SECRET_KEY: other, NEW_SECRET_KEY: other.slice(1) }, {}, keys],
    ['backup', { BACKUP_PASSPHRASE_FILE: nowhere }, {}, `FILE, ${nowhere}, cannot be read (ENOENT)`],
  ])('of %s with %j and %j is refused in a sentence', async (name, env, values, sentence) =>
    expect(say(name, env, [], values)).rejects.toThrow(sentence),
  )

  test('give the key of SECRET_KEY its successor, and name what neither opens', async () => {
    const { url } = await place('tables')
    const once = openDb(url)
    await once.query(`insert into master_agent (id, name, taxid) values (7, 'North', 'damaged')`)
    await once.close()
    const env = { DATABASE_URL: url, DATA_DIR: folder(), SECRET_KEY: 'ab'.repeat(32), NEW_SECRET_KEY: other }
    expect(await say('rotate-key', env)).toBe(
      'Encrypted 0 values with the new secret key. Make a backup, and keep the key apart\n' +
        'From now on SECRET_KEY must hold what NEW_SECRET_KEY does\n' +
        '1 encrypted value cannot be read: master_agent.taxid of 7.',
    )
    expect(readdirSync(env.DATA_DIR)).toEqual([])
  })

  test('make the key that is here that of a database whose own is lost, and name what it encrypted', async () => {
    const { url } = await place('tables')
    const env = { DATABASE_URL: url, DATA_DIR: folder() }
    const once = openDb(url)
    const secret = await loadSecretKey({ secretKey: 'ab'.repeat(32), dataDir: env.DATA_DIR }, once)
    const taxId = encrypt(secret, '123456789', 'master_agent.taxid.7')
    await once.query(`insert into master_agent (id, name, taxid) values (7, 'North', $1)`, [taxId])
    await once.close()
    const lost = { lost: true }
    await expect(say('rotate-key', { ...env, SECRET_KEY: 'ab'.repeat(32) }, [], lost)).rejects.toThrow(
      'The secret key is not lost: this database was written with that in SECRET_KEY',
    )
    const named =
      'Make a backup, and keep the key apart\n1 encrypted value cannot be read: master_agent.taxid of 7.'
    expect(await say('rotate-key', { ...env, SECRET_KEY: other }, [], lost)).toBe(
      `The key of this database is now that in SECRET_KEY. ${named}`,
    )
    const file = join(env.DATA_DIR, 'secret.key')
    expect(await say('rotate-key', env, [], lost)).toBe(
      `The key of this database is now that in ${file}. ${named}`,
    )
    expect(readdirSync(env.DATA_DIR)).toEqual(['secret.key'])
  })

  test('take the first line of the file of the passphrase, without the blanks around it', () => {
    const passphraseFile = join(folder(), 'passphrase')
    for (const end of ['', '\n', '\r\n', ' \r\nanother line']) {
      writeFileSync(passphraseFile, `seven small brown foxes${end}`)
      const { backup } = readConfig({ BACKUP_PASSPHRASE_FILE: passphraseFile })
      expect(backupPassphrase(backup)).toBe('seven small brown foxes')
    }
    writeFileSync(passphraseFile, 'too short\nbut then it goes on')
    const { backup } = readConfig({ BACKUP_PASSPHRASE_FILE: passphraseFile })
    expect(() => backupPassphrase(backup)).toThrow(
      `The first line of ${passphraseFile} is wrong: it must be a passphrase of at least 16 characters`,
    )
  })

  const nextPayment = `select nextval('payout_payment_id_seq')::int as id`
  test('restore without the sessions, and with the copies of the inbox', async () => {
    const { live, env } = await installed()
    const file = fileIn(await say('backup', env))
    const { db, url } = await place('nothing')
    const to = { DATABASE_URL: url, DATA_DIR: folder() }
    await expect(say('restore', { ...to, SECRET_KEY: 'ab'.repeat(32) }, [file])).rejects.toThrow(
      /^The backup \S+ is of another portal: it was written with the secret key [\da-f]{16}, and the one here is /,
    )
    await expect(say('restore', { ...to, DATABASE_URL: live.url }, [file])).rejects.toThrow('is not empty')
    expect(readdirSync(to.DATA_DIR)).toEqual([])
    const [numbered] = await live.db.query<{ id: number }>(nextPayment)
    expect(await say('restore', to, [file])).toMatch(
      /^Restored \d+ rows, 0 files of the drive and 1 of the inbox, as of \S+\nPayouts that were released after that .*\nBefore the portal is started, put its/,
    )
    await expect(say('restore', to, [file])).rejects.toThrow('is not empty')
    expect(await say('restore', to, [file], { replace: true })).toMatch(/^Restored /)
    // What was sent after the backup has other trace numbers than what is sent after the restore.
    expect(await db.query(nextPayment)).toEqual([{ id: numbered!.id + 100_000 }])
    const restores = [(await readNotes(live.db)).restore, (await readNotes(db)).restore]
    expect(restores).toEqual([null, { at: expect.any(Number) }])
    expect(readdirSync(join(to.DATA_DIR, 'inbox'))).toEqual(['a'.repeat(64)])
    expect(await db.query('select username from portal_user')).toEqual([{ username: 'ann' }])
    expect(await db.query('select 1 from session')).toEqual([])
  })
})

test.each([
  [['nothing'], "There is no command 'nothing': backup, restore, rehearse, rotate-key, reset-password"],
  [['restore'], 'Say npm run restore -- FILE [--replace]'],
  [['backup', 'more'], 'Say npm run backup -- [--to FOLDER] [--keep N]'],
])('the command %j ends with 1 and a sentence', async (words, sentence) => {
  const { status, stderr } = await commandWithoutRoom(words, { DATA_DIR: folder() })
  expect([status, stderr]).toEqual([1, `${sentence}\n`])
})

/** Runs a command as on a full disk: none of its files may be larger than 512 blocks. */
async function commandWithoutRoom(words: string[], env: Record<string, string>) {
  const program = [process.execPath, ...programArguments(await builtProgram('server/backup/command.ts'))]
  return spawnSync('sh', ['-c', 'ulimit -f 512; exec "$@"', 'sh', ...program, ...words], {
    cwd: projectFolder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
}

test('a backup that finds no room ends with 1 and a sentence, and leaves the earlier ones alone in the folder', async () => {
  const { db, url } = await place('tables')
  const to = folder()
  const earlier = (await makeBackup(db, { ...options, folder: to })).file
  await db.query(
    `insert into setting select 'row ' || n, md5(n::text) || md5((n * 7)::text) from generate_series(1, 50000) n`,
  )
  const { status, stderr } = await commandWithoutRoom(['backup', '--to', to, '--keep', '1'], {
    DATABASE_URL: url,
  })
  expect(stderr).toBe(
    `There is no room for the backup in ${to} (EFBIG): make room there, or choose another folder with BACKUP_DIR. ` +
      'Earlier backups are as they were.\n',
  )
  expect(status).toBe(1)
  expect(readdirSync(to).map((name) => join(to, name))).toEqual([earlier])
})

test('a restore that finds no room for the files of the drive ends with 1 and a sentence, and leaves nothing of itself', async () => {
  const { db } = await place('tables')
  const drive = folder()
  writeFileSync(join(drive, 'small.txt'), 'fits')
  writeFileSync(join(drive, 'large.bin'), Buffer.alloc(1_000_000, 7))
  const file = (await makeBackup(db, { ...options, folder: folder(), drive })).file
  const target = await place('nothing')
  const before = await contentOf(target.db)
  const dataDir = folder()
  const env = { DATABASE_URL: target.url, DATA_DIR: dataDir }
  const { status, stderr } = await commandWithoutRoom(['restore', file], env)
  expect(stderr).toBe('There is no room left on the disk of the data folder: make room there (EFBIG)\n')
  expect(status).toBe(1)
  expect(await contentOf(target.db)).toEqual(before)
  expect(readdirSync(dataDir, { recursive: true })).toEqual([])
})

test('a password that is reset lets its user in alone, ends the sessions and is audited without it', async () => {
  const { db } = await place('tables')
  const add = (name: string) =>
    db.query(
      `with added as (insert into portal_user (username, password_hash, admin) values ($1, 'x', true) returning id)
      insert into session (token_hash, userid) select convert_to($1, 'UTF8'), id from added`,
      [name],
    )
  for (const name of ['admin', 'other']) await add(name)
  const password = await resetPassword(db, 'Admin')
  const users = await db.query<{ username: string; password_hash: string; version: number }>(
    'select username, password_hash, version from portal_user order by id',
  )
  expect(users.map(({ version }) => version)).toEqual([2, 1])
  expect(await verifyPassword(users[0]!.password_hash, password)).toBe(true)
  // 128 bits.
  expect(password).toMatch(/^[\w-]{22}$/)
  expect(users[1]!.password_hash).toBe('x')
  expect(await db.query('select convert_from(token_hash, $1) as name from session', ['UTF8'])).toEqual([
    { name: 'other' },
  ])
  const audited = await db.query('select * from audit')
  expect(audited).toMatchObject([{ username: 'operator', action: 'password', entity: 'user', entityid: '1' }])
  expect(JSON.stringify(audited)).not.toContain(password)
  await expect(resetPassword(db, 'nobody')).rejects.toThrow('There is no user nobody')
})

test('administrators are shown backups and rehearsals on the home page, and nobody else', async () => {
  const at = 1_795_313_700
  const backup = { at, file: '/backups/one', bytes: 5, rows: 1 }
  const good = { at: at + 60, file: 'one', made: at, rows: 1234, months: 1, unreadable: [], fault: null }
  expect(describeNotes({ backup: null, rehearsal: null })).toBe('No backup has been made yet.')
  expect(describeNotes({ backup, rehearsal: null })).toBe(
    'Last backup: Nov 22, 2026, 2:15 AM UTC, 1 row. It has not been rehearsed.',
  )
  expect(describeNotes({ backup, rehearsal: good })).toBe(
    'Last backup: Nov 22, 2026, 2:15 AM UTC, 1 row. ' +
      'Last rehearsal: Nov 22, 2026, 2:16 AM UTC, 1,234 rows and 1 lock came back as they were.',
  )
  const unreadable = [1, 2, 3, 4, 5, 6].map((id) => `master_agent.taxid of ${id}`)
  expect(describeNotes({ backup, rehearsal: { ...good, unreadable } })).toContain(
    ' as they were. 6 encrypted values cannot be read: master_agent.taxid of 1, master_agent.taxid of 2, ' +
      'master_agent.taxid of 3, master_agent.taxid of 4, master_agent.taxid of 5 and 1 more.',
  )
  expect(describeNotes({ backup, rehearsal: { ...good, unreadable: unreadable.slice(0, 5) } })).toMatch(
    / 5 encrypted values cannot be read: .*, master_agent\.taxid of 5\.$/,
  )
  expect(describeNotes({ backup, rehearsal: { ...good, fault: 'The backup one is damaged' } })).toContain(
    'Last rehearsal: Nov 22, 2026, 2:16 AM UTC, it failed. The backup one is damaged.',
  )
  const portal = await openTestPortal()
  const told = async (name: string) =>
    (await (await portal.login(name)).call('GET', '/api/v1/portal')).body.backup
  expect(await told('admin')).toBe('No backup has been made yet.')
  for (const name of ['staff', 'agent', 'clerk']) expect(await told(name)).toBeNull()
  await portal.close()
})
