import type { Sql } from './db.ts'

/** Fields whose values never reach the audit, a log or an error text. */
export const secretField = /password|token|otp|^code$|authorization|routing|bankaccount|taxid$/i

const redactSecrets = (record: Record<string, unknown> | null | undefined) =>
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
  action:
    | 'create'
    | 'update'
    | 'delete'
    | 'login'
    | 'logout'
    | 'accept'
    | 'password'
    | 'import'
    | 'undo'
    | 'reveal'
    | 'export'
    | 'lock'
    | 'reopen'
  entity: string
  entityid: string | number
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
}

/** One row of the append-only audit; call it inside the transaction of the deed. */
export const audit = (sql: Sql, { username, address, action, entity, entityid, before, after }: AuditEntry) =>
  sql.query(
    'insert into audit (username, address, action, entity, entityid, before, after) values ($1, $2, $3, $4, $5, $6, $7)',
    [username, address, action, entity, String(entityid), redactSecrets(before), redactSecrets(after)],
  )
