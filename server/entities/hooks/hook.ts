import type { Row } from '../../../schemas/entities/entity.ts'
import type { Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'

/** A write in its transaction: `row` is the stored record as the caller sees it, absent when one is created. */
export type EntityWrite = { tx: Tx; caller: Caller; body: Record<string, unknown>; row?: Row }

/** What an entity needs of the server beyond its table; most need nothing. */
export type EntityHooks = {
  /** SQL over the alias t that reads a field which is no plain column. */
  read?: Record<string, string>
  /** SQL that stores a field, given its placeholder. */
  write?: Record<string, (placeholder: string) => string>
  /** Row scope where it is more than one column; $1 holds the caller's agents. */
  scope?: string
  /** Refuses what no rule of a single field can say. May complete `body`. */
  check?: (write: EntityWrite) => Promise<void>
  /** Stores the virtual fields, and what must be remembered beside the record. */
  store?: (write: EntityWrite & { id: number }) => Promise<void>
  /** Before a record is deleted. */
  remove?: (write: Omit<EntityWrite, 'body'> & { row: Row }) => Promise<void>
}
