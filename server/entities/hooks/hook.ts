import type { Row } from '../../../schemas/entities/entity.ts'
import type { Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import type { Email } from '../../mail/mailer.ts'

/**
 * A write in its transaction. `body` holds the changed fields; `row` is the stored record as the caller sees
 * it, absent when a record is created.
 */
export type EntityWrite = {
  tx: Tx
  caller: Caller
  /** The IP address of the caller. */
  address: string
  body: Record<string, unknown>
  row?: Row
  /** The stored record with its secret fields, if the caller may see these. */
  full?: Row
  /** The key of the secret fields. */
  secret: Buffer
  /** Sent once the write is committed. */
  emails: Email[]
  /**
   * By field, of a record that is changed: what held before in the month from which the field is written; the
   * record itself shows what was written last, of whichever month (agents 5).
   */
  heldBefore?: Record<string, unknown>
  /** By field: what an undo writes for that month, while the record gets what it showed. */
  heldAgain?: Record<string, unknown>
}
export type RecordDeletion = Pick<EntityWrite, 'tx' | 'caller' | 'address'> & { row: Row }

/** Settings of the portal on which answers depend. */
export type EntitySettings = { fourEyes: boolean }

/** What the server does for an entity beyond reading and writing the columns of its table. */
export type EntityHooks = {
  /** By field: SQL on the table t that reads a field which is no plain column. */
  read?: Record<string, string>
  /** The row as this caller is answered it, where a field depends on who asks. */
  present?: (row: Row, caller: Caller, settings: EntitySettings) => Row
  /** By field: SQL that stores the value of a placeholder. */
  write?: Record<string, (placeholder: string) => string>
  /** Row scope where it is more than one column; $1 holds the caller's agents. */
  scope?: string
  /** The fields of a body that are written although they may hold the stored value. */
  restates?: (body: Record<string, unknown>) => string[]
  /** Throws an HttpError for what the schema cannot refuse. May add fields to `body`. */
  beforeWrite?: (write: EntityWrite) => Promise<void>
  /** Runs after the record is stored: stores its virtual fields and what depends on it. */
  afterWrite?: (write: EntityWrite & { id: number }) => Promise<void>
  /**
   * Runs before a record is deleted. Throws an HttpError to refuse. Answers what the audit keeps of the
   * record besides its fields.
   */
  beforeDelete?: (deletion: RecordDeletion) => Promise<Record<string, unknown> | void>
  /** Runs after a record is deleted: removes what depended on it. */
  afterDelete?: (deletion: RecordDeletion) => Promise<void>
  /** Runs after a deleted record was put back as it was: brings back what depended on it. */
  afterRestore?: (deletion: RecordDeletion) => Promise<void>
}
