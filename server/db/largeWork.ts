import { escapeLiteral } from 'pg'
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
export const flushWritesEarly = (tx: Tx) => tx.query(`set local backend_flush_after = '256kB'`)

/** `work` in a transaction of its own, with memory for the rows of a whole month. */
export const inLargeTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await allowMemory(tx)
    return work(tx)
  })

/** Makes a new transaction read-only; it sees the moment of `snapshot`, or the present one for null. */
export async function readFromSnapshot(tx: Tx, snapshot: string | null = null): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  if (snapshot !== null) await tx.query(`set transaction snapshot ${escapeLiteral(snapshot)}`)
}

/** A second transaction, which sees the same moment as the first. */
export type SecondReader = { tx: Tx; end: () => Promise<void> }

/** What is read by two connections at once; the rest is read by one, so that the pool keeps connections. */
const mostInTwo = 2
let inTwo = 0

/**
 * Begins a second transaction beside one that `readFromSnapshot` made; null when no connection is to be had.
 * `read` does its work in a transaction with this snapshot.
 */
export function beginSecond(
  first: Tx,
  read: (snapshot: string, work: (tx: Tx) => Promise<void>) => Promise<void>,
): Promise<SecondReader | null> {
  if (inTwo >= mostInTwo) return Promise.resolve(null)
  inTwo += 1
  return new Promise((resolve) => {
    const begin = async () => {
      const [exported] = await first.query<{ id: string }>('select pg_export_snapshot() as id')
      await read(
        exported!.id,
        (tx) =>
          new Promise((over) => {
            resolve({ tx, end: () => (over(), ended) })
          }),
      )
    }
    // Where it cannot begin, the first reads all; what fails later is thrown by its statements.
    const ended = begin()
      .catch(() => resolve(null))
      .finally(() => (inTwo -= 1))
      .then(() => {})
  })
}

/**
 * `work` in a read-only transaction and, where one is to be had, a second one of the same moment, both with
 * memory for the rows of a whole month.
 */
export const inTwoTransactions = <T>(db: Db, work: (tx: Tx, second: Tx | null) => Promise<T>): Promise<T> => {
  const read = <R>(snapshot: string | null, reading: (tx: Tx) => Promise<R>) =>
    db.transaction(async (tx) => {
      await readFromSnapshot(tx, snapshot)
      await allowMemory(tx)
      return reading(tx)
    })
  return read(null, async (tx) => {
    const second = await beginSecond(tx, read)
    try {
      return await work(tx, second?.tx ?? null)
    } finally {
      await second?.end()
    }
  })
}
