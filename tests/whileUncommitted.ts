import { expect } from 'vitest'
import type { Db, Tx } from '../server/db/db.ts'

/** How many statements on the database wait for a lock. */
export async function waitingForLocks(db: Db): Promise<number> {
  const [found] = await db.query<{ n: number }>(
    `select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return found!.n
}

/**
 * Starts `work` while another transaction with `change` is uncommitted, and resolves with its result. The
 * transaction commits after a statement of `work` waits for one of its locks, and after `meanwhile`, which
 * runs while `work` waits.
 */
export async function whileUncommitted<T>(
  db: Db,
  change: (tx: Tx) => Promise<unknown>,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T> {
  const { begun } = await db.transaction(async (tx) => {
    await change(tx)
    const begun = work()
    begun.catch(() => {})
    await expect.poll(() => waitingForLocks(db), { interval: 10 }).toBeGreaterThan(0)
    await meanwhile()
    return { begun }
  })
  return begun
}
