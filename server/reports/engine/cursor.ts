import QueryStream from 'pg-query-stream'
import type { Db, Tx } from '../../db/db.ts'
import { allowMemory } from '../../db/largeWork.ts'
import { HttpError } from '../../http/errors.ts'
import { createLimiter, type Turn } from '../../jobs/limiter.ts'

/**
 * Further reports wait (reports 10), and two of them are one user's at most (operations 14), so that others
 * have a turn and the rest of the portal keeps connections of the pool.
 */
const limitReports = createLimiter(6, 2)

/** Whose report it is, and for how many seconds each of its statements may run. */
type ReadOptions = { signal: AbortSignal; seconds: number; user: string; onWait?: Turn['onWait'] }

/**
 * Runs `work` in a read-only transaction that sees one moment of the database (reports 10), when it is the
 * user's turn. An abort of `signal` cancels the running statement in PostgreSQL. Throws an HttpError (504)
 * when a statement takes longer than `seconds`.
 */
export const inReadTransaction = <T>(
  db: Db,
  { signal, seconds, user, onWait }: ReadOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  limitReports(
    () =>
      db.transaction(async (tx) => {
        await tx.query('set transaction isolation level repeatable read, read only')
        const [backend] = await tx.query<{ pid: number }>(
          `select pg_backend_pid() as pid, set_config('statement_timeout', $1, true)`,
          [`${seconds}s`],
        )
        await allowMemory(tx)
        let cancelling: Promise<unknown> = Promise.resolve()
        const cancel = () => {
          cancelling = db.query('select pg_cancel_backend($1)', [backend!.pid]).catch(() => {})
        }
        signal.addEventListener('abort', cancel)
        try {
          signal.throwIfAborted()
          return await work(tx)
        } catch (error) {
          if (!signal.aborted && (error as { code?: string }).code === '57014') throw timeoutError(seconds)
          throw error
        } finally {
          signal.removeEventListener('abort', cancel)
          // A cancel that is still on its way would hit the next statement of this connection.
          await cancelling
        }
      }),
    { user, signal, ...(onWait && { onWait }) },
  )

const timeoutError = (seconds: number) =>
  new HttpError(
    504,
    `The report was stopped because it took longer than ${seconds} seconds. ` +
      'Ask for less, or try again at a quieter time.',
  )

/** Closing a cursor waits for the server's reply, which never comes once the connection has ended. */
class CursorStream extends QueryStream {
  ended = false
  private finishDestroy: (() => void) | undefined
  readonly end = () => {
    this.ended = true
    this.finishDestroy?.()
  }
  override _destroy(error: Error, done: (error?: Error) => void) {
    this.finishDestroy = () => {
      this.finishDestroy = undefined
      done(error ?? undefined)
    }
    if (this.ended) this.finishDestroy()
    else super._destroy(error, () => this.finishDestroy?.())
  }
}

const batchSize = 1000

/**
 * The rows of a statement in batches of at most 1000, through a cursor: memory does not grow with the result.
 */
export async function* cursorRows(
  tx: Tx,
  sql: string,
  values: readonly unknown[],
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>[]> {
  const stream = tx.client.query(new CursorStream(sql, [...values], { batchSize }))
  tx.client.once('end', stream.end)
  try {
    let batch: Record<string, unknown>[] = []
    for await (const row of stream) {
      batch.push(row as Record<string, unknown>)
      if (batch.length < batchSize) continue
      signal.throwIfAborted()
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  } finally {
    tx.client.off('end', stream.end)
  }
}
