import type { Row } from '../../../schemas/entities/entity.ts'
import type { Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'

/**
 * A write in its transaction. `body` holds the changed fields; `row` is the stored record as the caller sees
 * it, absent when a record is created.
 */
export type EntityWrite = { tx: Tx; caller: Caller; body: Record<string, unknown>; row?: Row }

/** What the server does for an entity beyond reading and writing the columns of its table. */
export type EntityHooks = {
  /** By field: SQL on the table t that reads a field which is no plain column. */
  read?: Record<string, string>
  /** By field: SQL that stores the value of a placeholder. */
  write?: Record<string, (placeholder: string) => string>
  /** Row scope where it is more than one column; $1 holds the caller's agents. */
  scope?: string
  /** Throws an HttpError for what the schema cannot refuse. May add fields to `body`. */
  check?: (write: EntityWrite) => Promise<void>
  /** Runs after the record is stored: stores its virtual fields and what depends on it. */
  store?: (write: EntityWrite & { id: number }) => Promise<void>
  /** Runs before a record is deleted. Throws an HttpError to refuse. */
  remove?: (write: Omit<EntityWrite, 'body'> & { row: Row }) => Promise<void>
}
