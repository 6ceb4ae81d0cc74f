import type { Db, Tx } from './db.ts'

/**
 * Until the transaction ends, each sort, hash and sum of a statement may take 64 MB before it goes to the
 * disk: what a million rows need.
 */
export const allowMemory = (tx: Tx) => tx.query(`set local work_mem = '64MB'`)

/**
 * Until the transaction ends, PostgreSQL has each 256 kB that this connection writes put on the disk at once.
 * Without that the operating system keeps them in memory and puts all of them on the disk at the next commit
 * of another connection, which waits for it, up to 400 ms beside the lock of a large month (decision 35).
 */
export const writeSteadily = (tx: Tx) => tx.query(`set local backend_flush_after = '256kB'`)

/** `work` in a transaction of its own, with memory for the rows of a whole month. */
export const inLargeTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await allowMemory(tx)
    return work(tx)
  })
