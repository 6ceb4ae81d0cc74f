import { randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { folder, removeFolders } from '../../fixtures/folders.ts'
import { at } from '../../setup/postgres.ts'

let server: Db
let db: Db
let url: string

beforeAll(() => {
  server = openDb(inject('postgres').url)
})
afterAll(async () => {
  await server.close()
  removeFolders()
})
beforeEach(async () => {
  const { url: root, template } = inject('postgres')
  const name = `${template}_${randomBytes(4).toString('hex')}`
  await server.query(`create database ${name}`)
  url = at(root, name)
  db = openDb(url)
  return async () => {
    await db.close()
    await server.query(`drop database ${name}`)
  }
})

const ran = async () =>
  (await db.query<{ name: string }>('select name from migration order by id')).map(({ name }) => name)
const files = readdirSync(join(projectFolder, 'server/db/migrations')).sort()

test('every migration is plain SQL with a number of its own, in order', () => {
  expect(files.map((file) => file.replace(/^(\d{3})_[a-z_]+\.sql$/, '$1'))).toEqual(
    files.map((_, at) => String(at + 1).padStart(3, '0')),
  )
})

test('processes that start at the same moment run each migration once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(await ran()).toEqual(files.map((file) => file.replace('.sql', '')))
})

test('a database newer than the portal is refused by name and left alone', async () => {
  await migrate(url)
  await db.query(`insert into migration (name, run_on) values ('099_later', now())`)
  await expect(migrate(url)).rejects.toThrow(
    'The database is newer than this portal: it holds the migration 099_later, which this portal does not know; ' +
      'start the newer portal, or restore a backup made before it',
  )
})

test('a migration that fails leaves nothing of itself, and the next start goes on from there', async () => {
  const own = folder()
  writeFileSync(join(own, '001_good.sql'), 'create table good (id int);')
  writeFileSync(join(own, '002_bad.sql'), 'create table half (id int); select 1/0;')
  await expect(migrate(url, own)).rejects.toThrow(
    "The database could not be brought to this portal's version: division by zero",
  )
  expect(await ran()).toEqual(['001_good'])
  expect(await db.query(`select to_regclass('half') as half`)).toEqual([{ half: null }])

  writeFileSync(join(own, '002_bad.sql'), 'create table half (id int);')
  await migrate(url, own)
  expect(await ran()).toEqual(['001_good', '002_bad'])
})
