import type { AuditAction } from '../../schemas/api/audit/audit.ts'
import type { Sql } from './db.ts'

/** Names of fields whose values are never written to the audit (permissions 11). */
const secretField = /password|token|otp|^code$|authorization|routing|bankaccount|taxid$/i

export const redactSecrets = (record: Record<string, unknown> | null | undefined) =>
  record
    ? Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          secretField.test(name) && value ? '***' : value,
        ]),
      )
    : null

export type AuditEntry = {
  username: string
  address: string
  action: AuditAction
  entity: string
  entityid: string | number
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
}

/** Stored instead of an address in audit entries of commands that run on the portal's machine. */
export const commandAddress = 'command'

/**
 * Adds a row to the audit. Call it inside the transaction of what it records, so that neither exists without
 * the other.
 */
export const audit = (sql: Sql, { username, address, action, entity, entityid, before, after }: AuditEntry) =>
  sql.prepared(
    `insert into audit (username, address, action, entity, entityid, before, after)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [username, address, action, entity, String(entityid), redactSecrets(before), redactSecrets(after)],
  )
