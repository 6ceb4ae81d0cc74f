import { redactSecrets, audit, type AuditEntry } from './audit.ts'
import type { Db, Sql } from './db.ts'

/** Orders the writers of repeated entries, so that each sees what the one before has counted. */
const repeatsLock = 7_160_205_190_302

/**
 * Adds what anybody can repeat at will: a refusal, a failed sign-in, a download. The first of a person, an
 * address, an action and a record is a row at once; the others of the following minute are counted and
 * become one row with their number (permissions 11).
 */
export const auditRepeated = (db: Db, entry: AuditEntry): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [repeatsLock])
    await writeCounted(tx)
    const { username, address, action, entity, entityid, after } = entry
    const [counted] = await tx.query<{ repeats: number }>(
      `insert into audit_repeat as r (username, address, action, entity, entityid, after)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (username, address, action, entity, entityid)
        do update set repeats = r.repeats + 1, after = excluded.after
        returning repeats`,
      [username, address, action, entity, String(entityid), redactSecrets(after) ?? {}],
    )
    if (counted!.repeats === 0) await audit(tx, entry)
  })

/** Writes the counts whose minute is over. */
export const writeCountedRepeats = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [repeatsLock])
    await writeCounted(tx)
  })

const writeCounted = (sql: Sql) =>
  sql.query(`
    with over as (
      delete from audit_repeat where since <= now() - interval '1 minute' returning *)
    insert into audit (username, address, action, entity, entityid, after)
      select username, address, action, entity, entityid, after || jsonb_build_object('repeats', repeats)
      from over where repeats > 0 order by since`)
