import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { encryptedColumns, unreadableFields } from '../../../server/backup/encryptedFields.ts'
import { giveUpLostKey, rotateKey } from '../../../server/backup/rotateKey.ts'
import type { Db } from '../../../server/db/db.ts'
import {
  decrypt,
  decryptMasked,
  encrypt,
  maskSecret,
  setFormerKeys,
  unreadable,
} from '../../../server/db/encryption.ts'
import {
  finishRotation,
  keyFileOf,
  loadSecretKey,
  nextKeyFileOf,
  replaceKey,
} from '../../../server/db/secretKey.ts'
import { folder, removeFolders } from '../../fixtures/folders.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { place, removePlaces } from './places.ts'

afterEach(async () => {
  await removePlaces()
  removeFolders()
})

test('a value with any byte changed, cut off or empty is unreadable, and so is one of another record or key', () => {
  const key = randomBytes(32)
  const encrypted = encrypt(key, '123456789', 'master_agent.taxid.1')!
  expect(decrypt(key, encrypted, 'master_agent.taxid.1')).toBe('123456789')
  for (const at of encrypted.keys()) {
    const spoiled = Buffer.from(encrypted)
    spoiled[at]! ^= 1
    expect(decrypt(key, spoiled, 'master_agent.taxid.1'), `byte ${at}`).toBe(unreadable)
    expect(decrypt(key, encrypted.subarray(0, at), 'master_agent.taxid.1'), `first ${at}`).toBe(unreadable)
  }
  expect(decrypt(key, encrypted, 'master_agent.taxid.2')).toBe(unreadable)
  expect(decrypt(randomBytes(32), encrypted, 'master_agent.taxid.1')).toBe(unreadable)
  expect([unreadable, '', '123456789', '12-345 67-8'].map(maskSecret)).toEqual([
    unreadable,
    '',
    '*****6789',
    '*****5678',
  ])
})

test('a mask that was worked out before is not that of another record, of changed bytes or of a key that is gone', () => {
  const [key, former] = [randomBytes(32), randomBytes(32)]
  const [first, second] = ['master_agent.taxid.1', 'master_agent.taxid.2']
  const encrypted = encrypt(key, '123456789', first)!
  const masked = (value: Buffer | null, context = first) => decryptMasked(key, value, context)
  expect([masked(encrypted), masked(encrypted), masked(null)]).toEqual(['*****6789', '*****6789', ''])
  expect(masked(encrypted, second)).toBe(unreadable)
  for (const at of encrypted.keys()) {
    const spoiled = Buffer.from(encrypted)
    spoiled[at]! ^= 1
    expect(masked(spoiled), `byte ${at}`).toBe(unreadable)
  }
  expect(decryptMasked(former, encrypted, first)).toBe(unreadable)
  const old = encrypt(former, '987654321', first)!
  expect(masked(old)).toBe(unreadable)
  setFormerKeys(key, [former])
  expect([masked(old), masked(old)]).toEqual(['*****4321', '*****4321'])
  setFormerKeys(key, [])
  expect([masked(old), masked(encrypted)]).toEqual([unreadable, '*****6789'])
})

test('every column of bytes that holds encrypted values is known', async () => {
  const { db } = await place('tables')
  const columns = await db.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'
        and table_name not in (select table_name from information_schema.views where table_schema = 'public')`,
  )
  const inTheClear = ['session.token_hash', 'email_code.code_hash', 'ticket_attachment_part.content']
  expect(columns.map((it) => it.place).sort()).toEqual(
    [...encryptedColumns.map(({ table, column }) => `${table}.${column}`), ...inTheClear].sort(),
  )
})

describe('one damaged value', () => {
  let portal: TestPortal
  let admin: SignedIn
  let damaged: { id: number; name: string }
  beforeAll(async () => {
    portal = await openTestPortal()
    admin = await portal.login('admin')
    const [row] = await portal.db.query<{ id: number; name: string }>(
      `update master_agent set taxid = set_byte(taxid, 30, get_byte(taxid, 30) # 1)
        where id = (select min(id) from master_agent where taxid is not null) returning id, name`,
    )
    damaged = row!
  })
  afterAll(() => portal.close())

  test('costs one field of one record in the list, in the record and when it is revealed', async () => {
    const { status, body } = await admin.call('GET', '/api/v1/masteragent?size=100')
    expect(status).toBe(200)
    const rows = body.data as { id: number; taxid: string }[]
    expect(rows.filter(({ taxid }) => taxid === unreadable).map(({ id }) => id)).toEqual([damaged.id])
    expect(rows.filter(({ taxid }) => taxid.startsWith('*****')).length).toBeGreaterThan(10)
    const one = await admin.call('GET', `/api/v1/masteragent/${damaged.id}`)
    expect(one).toMatchObject({ status: 200, body: { taxid: unreadable, name: damaged.name } })
    expect(one.body.bankaccountnumber).toMatch(/^\d+$/)
  })

  test('is no change when the record is saved with it, and is readable again when it is entered again', async () => {
    const before = (await admin.call('GET', `/api/v1/masteragent/${damaged.id}`)).body
    const path = `/api/v1/masteragent/${damaged.id}`
    const stored = () =>
      portal.db.query<{ taxid: Buffer }>('select taxid from master_agent where id = $1', [damaged.id])
    const [encrypted] = await stored()
    const saved = await admin.call('PUT', path, { version: before.version, notes: 'seen', taxid: unreadable })
    expect(saved).toMatchObject({ status: 200, body: { notes: 'seen', taxid: unreadable } })
    expect(await stored()).toEqual([encrypted])
    const entered = await admin.call('PUT', path, { version: saved.body.version, taxid: '987654321' })
    expect(entered).toMatchObject({ status: 200, body: { taxid: '*****4321' } })
    await portal.db.query('update master_agent set taxid = $2 where id = $1', [damaged.id, encrypted!.taxid])
  })

  test('is written into the log once, by its place and without its value', async () => {
    const lines: string[] = []
    const stream = new PassThrough().on('data', (line) => lines.push(String(line)))
    const app = await buildApp({ db: portal.db, config: portal.config, secret: testSecret, log: { stream } })
    for (let time = 0; time < 2; time++) await admin.call('GET', '/api/v1/masteragent?size=100')
    const told = lines.filter((line) => line.includes('a stored secret is unreadable'))
    expect(told.map((line) => (JSON.parse(line) as { field: string }).field)).toEqual([
      `master_agent.taxid.${damaged.id}`,
    ])
    await app.close()
  })

  test('in the account of a payee holds its payout alone, with the reason', async () => {
    await portal.db.query(
      `alter table locked_agent disable trigger user;
      update locked_agent set routingnumber = '021000021',
        bankaccountnumber = set_byte(bankaccountnumber, 30, get_byte(bankaccountnumber, 30) # 1)
        where (lockid, masteragentid) = (
          select l.id, s.masteragentid from month_lock l join locked_statement s on s.lockid = l.id
            join locked_agent a on a.lockid = l.id and a.masteragentid = s.masteragentid
          where l.reopened_at is null and a.bankaccountnumber is not null and s.due > 100 and a.payeeid is null
          order by l.month desc, s.due desc limit 1)`,
    )
    const [last] = await portal.db.query<{ month: string }>('select max(month) as month from month_lock')
    const { status, body } = await admin.call('GET', `/api/v1/month/${last!.month.slice(0, 7)}/payout`)
    expect(status).toBe(200)
    const held = (body.entries as { hold: string | null; account: string }[]).filter(
      ({ account }) => account === unreadable,
    )
    expect(held).toMatchObject([{ hold: 'Bank account number is unreadable', payable: 0 }])
  })

  test('is named in a report of all unreadable values', async () => {
    const { version } = (await admin.call('GET', '/api/v1/masteragent/3')).body
    const account = { version, bankaccountnumber: '12345678' }
    expect((await admin.call('PUT', '/api/v1/masteragent/3', account)).status).toBe(200)
    const named = await unreadableFields(portal.db, testSecret)
    expect(named.filter((field) => !field.startsWith('locked_agent.'))).toEqual([
      `master_agent.taxid of ${damaged.id}`,
    ])
    for (const { table, column } of encryptedColumns)
      expect(
        await portal.db.query(`select from ${table} where ${column} is not null limit 1`),
        `${table}.${column}`,
      ).toHaveLength(1)
  })
})

describe('a new secret key', () => {
  let at: { secretKey: null; dataDir: string }
  let db: Db
  beforeEach(async () => {
    at = { secretKey: null, dataDir: folder() }
    db = (await place('tables')).db
    await db.query(`insert into master_agent (name) values ('North'), ('South')`)
  })
  const keyIn = (file: string) => readFileSync(file, 'utf8')
  const store = async (secret: Buffer, id: number, text: string) =>
    db.query('update master_agent set taxid = $2 where id = $1', [
      id,
      encrypt(secret, text, `master_agent.taxid.${id}`),
    ])
  const taxIds = async (secret: Buffer) =>
    (await db.query<{ id: number; taxid: Buffer }>('select id, taxid from master_agent order by id')).map(
      ({ id, taxid }) => decrypt(secret, taxid, `master_agent.taxid.${id}`),
    )
  const begin = async () => {
    const secret = await loadSecretKey(at, db)
    await store(secret, 1, '111111111')
    await store(secret, 2, '222222222')
    return secret
  }

  test('opens every value after a rotation, those it encrypted again alone, and those of former keys', async () => {
    const first = await begin()
    const former = keyIn(keyFileOf(at))
    await db.query('update master_agent set taxid = set_byte(taxid, 0, get_byte(taxid, 0) # 1) where id = 1')
    expect(await rotateKey(db, at, null)).toEqual({ reencrypted: 1, unreadable: ['master_agent.taxid of 1'] })
    expect(keyIn(keyFileOf(at))).not.toBe(former)
    expect(existsSync(nextKeyFileOf(at))).toBe(false)
    const second = await loadSecretKey(at, db)
    expect(await taxIds(second)).toEqual([unreadable, '222222222'])
    expect(await taxIds(Buffer.from(keyIn(keyFileOf(at)), 'hex'))).toEqual([unreadable, '222222222'])
    await store(first, 1, 'old')
    expect(await taxIds(second)).toEqual(['old', '222222222'])
    await rotateKey(db, at, null)
    await store(first, 2, 'older')
    expect(await taxIds(await loadSecretKey(at, db))).toEqual(['old', 'older'])
    const stored = JSON.stringify(await db.query('select value from setting'))
    expect(stored).not.toContain(former)
    writeFileSync(keyFileOf(at), former)
    await expect(loadSecretKey(at, db)).rejects.toThrow('is not the one this database was written with')
  })

  test('that a rotation left before the database was encrypted with it is not taken', async () => {
    const secret = await begin()
    writeFileSync(nextKeyFileOf(at), 'cd'.repeat(32))
    expect((await loadSecretKey(at, db)).equals(secret)).toBe(true)
    expect(await taxIds(secret)).toEqual(['111111111', '222222222'])
    await rotateKey(db, at, null)
    expect(keyIn(keyFileOf(at))).not.toBe('cd'.repeat(32))
    expect(await taxIds(await loadSecretKey(at, db))).toEqual(['111111111', '222222222'])
  })

  test('that the database was encrypted with is taken by the next start when the rotation was killed then', async () => {
    const secret = await begin()
    writeFileSync(nextKeyFileOf(at), 'cd'.repeat(32))
    await db.transaction((tx) => replaceKey(tx, secret, Buffer.alloc(32, 0xcd)))
    const next = await loadSecretKey(at, db)
    expect(next.toString('hex')).toBe('cd'.repeat(32))
    expect([keyIn(keyFileOf(at)), existsSync(nextKeyFileOf(at))]).toEqual(['cd'.repeat(32), false])
    expect(await taxIds(next)).toEqual(['111111111', '222222222'])
    finishRotation(at, null)
  })

  test('is refused while somebody has the database open, and nothing is encrypted with it', async () => {
    const secret = await begin()
    const release = await new Promise<() => void>((opened) => {
      void db.transaction(() => new Promise<void>((end) => opened(end)))
    })
    await expect(rotateKey(db, at, null)).rejects.toThrow('The database is in use')
    release()
    expect((await loadSecretKey(at, db)).equals(secret)).toBe(true)
    expect(await taxIds(Buffer.from(keyIn(keyFileOf(at)), 'hex'))).toEqual(['111111111', '222222222'])
  })

  test('does not take the place of a key file that is missing', async () => {
    await begin()
    rmSync(keyFileOf(at))
    await expect(loadSecretKey(at, db)).rejects.toThrow(
      `The file ${join(at.dataDir, 'secret.key')}, which holds the secret key of this database, is missing: put it back, or set SECRET_KEY.`,
    )
    expect(existsSync(keyFileOf(at))).toBe(false)
  })

  test('takes the place of a lost one when that is given up, and encrypts what is entered again', async () => {
    await begin()
    await rotateKey(db, at, null)
    await expect(giveUpLostKey(db, at)).rejects.toThrow('The secret key is not lost')
    rmSync(keyFileOf(at))
    expect(await giveUpLostKey(db, at)).toEqual(['master_agent.taxid of 1', 'master_agent.taxid of 2'])
    const secret = await loadSecretKey(at, db)
    expect(keyIn(keyFileOf(at))).toBe(secret.toString('hex'))
    await store(secret, 1, '333333333')
    expect(await taxIds(secret)).toEqual(['333333333', unreadable])
    await rotateKey(db, at, null)
    expect(await taxIds(await loadSecretKey(at, db))).toEqual(['333333333', unreadable])
  })

  test('takes the place of a lost one that was in SECRET_KEY, and of one that was exchanged', async () => {
    await begin()
    const given = { ...at, secretKey: 'ef'.repeat(32) }
    await giveUpLostKey(db, given)
    expect((await loadSecretKey(given, db)).toString('hex')).toBe('ef'.repeat(32))
    await expect(loadSecretKey(at, db)).rejects.toThrow('is not the one this database was written with')
    await giveUpLostKey(db, at)
    expect((await loadSecretKey(at, db)).toString('hex')).toBe(keyIn(keyFileOf(at)))
  })

  test('does not take the place of a lost one while somebody has the database open', async () => {
    await begin()
    const former = keyIn(keyFileOf(at))
    rmSync(keyFileOf(at))
    const release = await new Promise<() => void>((opened) => {
      void db.transaction(() => new Promise<void>((end) => opened(end)))
    })
    await expect(giveUpLostKey(db, at)).rejects.toThrow('The database is in use')
    release()
    writeFileSync(keyFileOf(at), former)
    expect(await taxIds(await loadSecretKey(at, db))).toEqual(['111111111', '222222222'])
  })
})
