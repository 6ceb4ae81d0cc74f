import type { Db, Tx } from './db.ts'

/**
 * Until the transaction ends, each sort, hash and sum of a statement may take 64 MB before it goes to the
 * disk: what a million rows need.
 */
export const allowMemory = (tx: Tx) => tx.query(`set local work_mem = '64MB'`)

/**
 * Until the transaction ends, the operating system is told to write what this connection wrote as soon as it
 * is 256 kB. What it collects otherwise it writes when the log is synchronized for the commit of another
 * connection, which then waited up to 400 ms for it (decision 35).
 */
export const writeSteadily = (tx: Tx) => tx.query(`set local backend_flush_after = '256kB'`)

/** `work` in a transaction of its own, with memory for the rows of a whole month. */
export const inLargeTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await allowMemory(tx)
    return work(tx)
  })
