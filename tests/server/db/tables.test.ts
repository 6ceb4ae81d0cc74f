import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { lookups } from '../../../schemas/entities/lookups.ts'
import { loadSecretKey } from '../../../server/db/secretKey.ts'
import { storedColumns, storedValue } from '../../../server/db/storedColumns.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
})
afterAll(() => portal.close())

const columnsOf = async (table: string) =>
  portal.db.query<{ name: string; nullable: boolean; type: string }>(
    `select column_name as name, is_nullable = 'YES' as nullable, data_type as type from information_schema.columns where table_name = $1`,
    [table],
  )

const stored: Record<string, string[]> = {
  integer: ['integer', 'bigint'],
  number: ['numeric'],
  string: ['text'],
  boolean: ['boolean'],
  object: ['ARRAY'],
}

test.each(Object.values(entities))(
  'the table of $name holds the fields of its schema, and is as strict about null',
  async (it) => {
    const columns = new Map((await columnsOf(it.table)).map((column) => [column.name, column]))
    for (const [field, property] of Object.entries(it.schema.properties)) {
      if (property.virtual) continue
      const types = [property.type ?? []].flat()
      const column = columns.get(field)
      expect(column, `${it.table}.${field} exists`).toBeDefined()
      if (property.secret) {
        expect(column!.type, `${it.table}.${field} is encrypted`).toBe('bytea')
        continue
      }
      const empty = types.includes('null') || property.none !== undefined || property.nullable === true
      expect(empty, `${it.table}.${field} may be null`).toBe(column!.nullable)
      const type = types.find((type) => type !== 'null')!
      expect(
        property.kind === 'month' ? ['date'] : stored[type],
        `${it.table}.${field} is ${column!.type}`,
      ).toContain(column!.type)
    }
  },
)

test.each(Object.entries(lookups))('what a picker shows of %s is never null', async (_, lite) => {
  const columns = new Map((await columnsOf(lite.table)).map((column) => [column.name, column]))
  for (const field of lite.fields) expect(columns.get(field)?.nullable, `${lite.table}.${field}`).toBe(false)
})

test.each(Object.values(entities).filter((it) => !it.list.unsearched))(
  'a search of $name can use its trigram index',
  async (it) => {
    const plan = await portal.db.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query(`explain select * from ${it.table} t where t.searched like search_text('%North%')`)
    })
    expect(JSON.stringify(plan)).toContain(`${it.table}_search`)
  },
)

test('the audit cannot be changed or emptied', async () => {
  await portal.db.query(
    `insert into audit (username, address, action, entity, entityid) values ('a', 'b', 'create', 'merchant', '1')`,
  )
  for (const sql of [`update audit set username = 'x'`, 'delete from audit', 'truncate audit'])
    await expect(portal.db.query(sql)).rejects.toThrow('append-only')
})

test('the secret key of a database is distinguished from its other settings, and from another key', async () => {
  await portal.db.query(`delete from setting`)
  await portal.db.query(`insert into setting (name, value) values ('money x', 'y'), ('zone', 'z')`)
  const load = (digit: string) =>
    loadSecretKey({ secretKey: digit.repeat(64), dataDir: portal.config.dataDir }, portal.db)
  const first = await load('a')
  expect(await load('a')).toEqual(first)
  await expect(load('b')).rejects.toThrow('The secret key in SECRET_KEY is not the one')
})

test('a deleted row has what it held, and the default of a column that was added later', async () => {
  const columns = await storedColumns(portal.db, 'merchant')
  const read = (row: object) =>
    portal.db.query(
      `select ${columns.map((column) => `${storedValue(column, '$1::jsonb')} as ${column.name}`).join(', ')}
        from jsonb_populate_record(null::merchant, $1::jsonb) was`,
      [JSON.stringify(row)],
    )
  const held = { version: 7, dba: 'Shop', notes: 'Called', date_closed: 5 }
  expect(await read(held)).toMatchObject([held])
  expect(await read({ ...held, date_closed: null })).toMatchObject([{ ...held, date_closed: null }])
  expect(await read({})).toMatchObject([{ version: 1, notes: '', date_closed: null }])
})

test('what is not null is named after its table, also where that had another name', async () => {
  // PostgreSQL names it from version 18 on.
  const named = await portal.db.query<{ name: string; table: string }>(
    `select c.conname as name, r.relname as "table" from pg_constraint c join pg_class r on r.oid = c.conrelid
      where c.contype = 'n' and c.connamespace = 'public'::regnamespace`,
  )
  expect(named.filter(({ name, table }) => !name.startsWith(table.slice(0, 20)))).toEqual([])
})
