import pg from 'pg'
import { openDb, type Sql } from './db.ts'
import { migrationLock } from './migrate.ts'

/** The columns of an entry; its number and its time are the database's. */
const entryColumns = 'username, address, action, entity, entityid, before, after'

/**
 * Gives the role of the running portal what it needs in the database at `url`, whose owner's URL this is: to
 * read and write the tables, and of the audit to add and to read alone (operations 13). It owns nothing, so
 * it can neither change a table nor switch off a trigger. Repeated at every start, it covers tables that a
 * migration has added.
 */
async function grantToRuntime(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const to = client.escapeIdentifier(role)
    const { rows } = await client.query<{ is_owner: boolean; has_maintain: boolean }>(
      `select current_user = $1 as is_owner,
        current_setting('server_version_num')::int >= 170000 as has_maintain`,
      [role],
    )
    if (rows[0]!.is_owner) return
    await client.query(
      [
        `begin; select pg_advisory_xact_lock(${migrationLock})`,
        `grant usage on schema public to ${to}`,
        `grant select, insert, update, delete on all tables in schema public to ${to}`,
        `grant usage, select, update on all sequences in schema public to ${to}`,
        // The demo data and the tables of an import are analysed after they were filled.
        rows[0]!.has_maintain ? `grant maintain on all tables in schema public to ${to}` : 'select',
        `revoke all on audit, migration from ${to}`,
        `revoke all on sequence audit_id_seq, migration_id_seq from ${to}`,
        `grant select, insert (${entryColumns}) on audit to ${to}`,
        `grant select on migration to ${to}`,
        'commit',
      ].join(';\n'),
    )
  } finally {
    await client.end()
  }
}

/** True for a role that may change or drop the audit, or become one that may. */
const canChangeAudit = `
  select r.rolsuper or r.rolcreaterole
      or pg_has_role(c.relowner, 'member') or pg_has_role(n.nspowner, 'member')
      or has_any_column_privilege(c.oid, 'update')
      or has_table_privilege(c.oid, 'delete, truncate, trigger') as can
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r
  where c.oid = 'audit'::regclass and r.rolname = current_user`

/** Whether PostgreSQL keeps the role of this connection from changing the audit (operations 13). */
export async function isAuditProtected(sql: Sql): Promise<boolean> {
  const [found] = await sql.query<{ can: boolean }>(canChangeAudit)
  return found?.can === false
}

/**
 * Gives the role that the URL `runtime` signs in as its rights in the database of `owner`. Throws an Error
 * with a sentence when the two URLs name different databases.
 */
export async function prepareRuntimeRole(owner: string, runtime: string): Promise<void> {
  const db = openDb(runtime, { max: 1 })
  try {
    const [row] = await db.query<{ role: string; found: boolean }>(
      `select current_user as role, to_regclass('audit') is not null as found`,
    )
    if (!row!.found) throw new Error('The database of DATABASE_URL is not the one of MIGRATE_DATABASE_URL')
    await grantToRuntime(owner, row!.role)
  } finally {
    await db.close()
  }
}
