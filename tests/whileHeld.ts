import { expect } from 'vitest'
import type { Db, Tx } from '../server/db/db.ts'

/**
 * What `work` gives that begins while somebody else's change is not stored yet: the change is stored once a
 * statement of `work` waits for it, and after `meanwhile`, which sees `work` waiting.
 */
export async function whileHeld<T>(
  db: Db,
  change: (tx: Tx) => Promise<unknown>,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T> {
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { begun } = await db.transaction(async (tx) => {
    await change(tx)
    const begun = work()
    begun.catch(() => {})
    await expect.poll(() => db.query(waits), { interval: 10 }).not.toEqual([])
    await meanwhile()
    return { begun }
  })
  return begun
}
