import type { Db, Tx } from '../../db/db.ts'

/** The cancel request may arrive between two statements, so it is sent again until the work has ended. */
const every = 200

/**
 * Runs statements of a transaction that end with the signal: at once, by PostgreSQL's own cancel request on another
 * connection. Throws the signal's reason.
 */
export async function cancellable<T>(
  db: Db,
  tx: Tx,
  signal: AbortSignal,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const [backend] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
  let under: Promise<unknown> = Promise.resolve()
  let again: NodeJS.Timeout | undefined
  const cancel = () => {
    under = db.query('select pg_cancel_backend($1)', [backend!.pid]).catch(() => {})
  }
  const stop = () => {
    cancel()
    again = setInterval(cancel, every)
  }
  signal.addEventListener('abort', stop, { once: true })
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
    signal.removeEventListener('abort', stop)
    clearInterval(again)
    // A request on its way would meet the next work of this connection.
    await under
  }
}
