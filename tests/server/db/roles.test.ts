import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb, type Db } from '../../../server/db/db.ts'
import { isAuditProtected, prepareRuntimeRole } from '../../../server/db/roles.ts'
import { mergeSearchEntries } from '../../../server/entities/condition.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

const role = `portal_test_${randomBytes(6).toString('hex')}`
let portal: TestPortal
let runtime: Db
let url: string
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
  await portal.db.query(`create role ${role} login password 'of the test'`)
  url = Object.assign(new URL(portal.url), { username: role, password: 'of the test' }).href
  await prepareRuntimeRole(portal.url, url)
  runtime = openDb(url, { max: 1 })
  await runtime.query(
    `insert into audit (username, address, action, entity, entityid) values ('ann', '::1', 'login', 'user', '1')`,
  )
})
afterAll(async () => {
  await runtime.close()
  await portal.db.query(`drop owned by ${role}`)
  await portal.db.query(`drop role ${role}`)
  await portal.close()
})

describe('the role of the running portal', () => {
  test('adds to the audit and reads it', async () => {
    expect(await runtime.query('select username, action from audit where entityid = $1', ['1'])).toEqual([
      { username: 'ann', action: 'login' },
    ])
  })

  test.each([
    ['change an entry', `update audit set username = 'bob'`],
    ['lock an entry', 'select from audit for update'],
    ['delete an entry', 'delete from audit'],
    ['empty the audit', 'truncate audit'],
    ['date an entry back', `insert into audit (at, username) values ('2020-01-01', 'ann')`],
    ['number an entry', `insert into audit (id, username) overriding system value values (1, 'ann')`],
    ['set the number of the next entry', `select setval('audit_id_seq', 1)`],
    ['switch off the trigger', 'alter table audit disable trigger audit_append_only'],
    ['switch off all triggers', `set session_replication_role = 'replica'`],
    ['drop the trigger', 'drop trigger audit_append_only on audit'],
    [
      'replace what the trigger does',
      `create or replace function audit_is_append_only() returns trigger language plpgsql as 'begin return null; end'`,
    ],
    ['put a rule on the audit', 'create rule silent as on insert to audit do instead nothing'],
    [
      'put a trigger on the audit',
      'create trigger mine before insert on audit execute function audit_is_append_only()',
    ],
    ['take the audit away', 'alter table audit rename to former'],
    ['drop the audit', 'drop table audit'],
    ['make a table', 'create table mine (id int)'],
    ['put a schema before it', 'create schema mine'],
    ['change another table', 'alter table merchant add column mine int'],
    ['forget a migration', 'delete from migration'],
    ['become the owner', 'set role portal'],
    ['make a role that may', 'create role mine superuser'],
    ['write a file of the server', `copy audit to program 'true'`],
  ])('is refused by PostgreSQL to %s', async (_, sql) => {
    const refusal = await runtime.query(sql).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
    expect(refusal).toBe('42501')
  })

  test('cannot give itself a right: PostgreSQL warns and gives none', async () => {
    await runtime.query(`grant update on audit to ${role}`)
    await expect(runtime.query(`update audit set username = 'bob'`)).rejects.toMatchObject({ code: '42501' })
  })

  test('moves what saves added to the search indexes to its place, though it does not own them', async () => {
    await mergeSearchEntries(runtime)
    await runtime.query(`insert into processor (name) values ('Quartz'), ('Model')`)
    expect(await mergeSearchEntries(runtime)).toBeGreaterThan(0)
    expect(await mergeSearchEntries(runtime)).toBe(0)
  })

  test('reads and writes every other table', async () => {
    const closed = await runtime.query(
      `select c.relname from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
        and c.relname not in ('audit', 'migration')
        and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
          and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')
          and has_table_privilege(c.oid, 'maintain'))`,
    )
    expect(closed).toEqual([])
  })
})

describe('the audit counts as protected', () => {
  test('from a role that may only add to it', async () => {
    expect(await isAuditProtected(runtime)).toBe(true)
  })

  test('not from its owner', async () => {
    expect(await isAuditProtected(portal.db)).toBe(false)
  })

  test.each([
    [
      'that may change a column',
      `grant update (username) on audit to ${role}`,
      'revoke update (username) on audit from',
    ],
    ['that may delete', `grant delete on audit to ${role}`, 'revoke delete on audit from'],
    ['that may empty it', `grant truncate on audit to ${role}`, 'revoke truncate on audit from'],
    ['that may put triggers on it', `grant trigger on audit to ${role}`, 'revoke trigger on audit from'],
    ['that may become the owner', `grant portal to ${role}`, 'revoke portal from'],
    ['that may make roles', `alter role ${role} createrole`, ''],
    ['that owns the schema', `alter schema public owner to ${role}`, 'schema'],
  ])('not from one %s', async (_, give, take) => {
    const others: Record<string, string> = {
      '': `alter role ${role} nocreaterole`,
      schema: 'alter schema public owner to pg_database_owner',
    }
    await portal.db.query(give)
    const isProtected = await isAuditProtected(runtime)
    await portal.db.query(others[take] ?? `${take} ${role}`)
    expect(isProtected).toBe(false)
    expect(await isAuditProtected(runtime)).toBe(true)
  })
})

test('the rights are taken back that another start gave too much of', async () => {
  await portal.db.query(`grant update, delete on audit to ${role}`)
  await prepareRuntimeRole(portal.url, url)
  expect(await isAuditProtected(runtime)).toBe(true)
})

test('URLs of different databases are distinguished', async () => {
  const other = Object.assign(new URL(url), { pathname: '/postgres' }).href
  await expect(prepareRuntimeRole(portal.url, other)).rejects.toThrow(
    'The database of DATABASE_URL is not the one of MIGRATE_DATABASE_URL',
  )
})
