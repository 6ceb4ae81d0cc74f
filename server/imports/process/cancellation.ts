import type { Db, Tx } from '../../db/db.ts'

/** Milliseconds. A cancel request that arrives between two statements has no effect, so it is repeated. */
const retryInterval = 200

/**
 * Runs the statements of `work` in a transaction. When the signal aborts, the running statement is ended by a
 * cancel request on another connection, and the signal's reason is thrown.
 */
export async function cancellable<T>(
  db: Db,
  tx: Tx,
  signal: AbortSignal,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const [backend] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
  let pendingCancel: Promise<unknown> = Promise.resolve()
  let retryTimer: NodeJS.Timeout | undefined
  const cancel = () => {
    pendingCancel = db.query('select pg_cancel_backend($1)', [backend!.pid]).catch(() => {})
  }
  const startCancelling = () => {
    cancel()
    retryTimer = setInterval(cancel, retryInterval)
  }
  signal.addEventListener('abort', startCancelling, { once: true })
  const query: Tx['query'] = async (sql, values) => {
    signal.throwIfAborted()
    return tx.query(sql, values)
  }
  try {
    return await work({ ...tx, query })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', startCancelling)
    clearInterval(retryTimer)
    // A request that is still on its way would cancel the next statement of this connection.
    await pendingCancel
  }
}
