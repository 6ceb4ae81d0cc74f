import type { Db, Tx } from './db.ts'

/**
 * Until the transaction ends, each sort, hash and sum of a statement may take 64 MB before it goes to the
 * disk: what a million rows need.
 */
export const allowMemory = (tx: Tx) => tx.query(`set local work_mem = '64MB'`)

/** `work` in a transaction of its own, with memory for the rows of a whole month. */
export const inLargeTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await allowMemory(tx)
    return work(tx)
  })
