import QueryStream from 'pg-query-stream'
import type { Db, Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'

/** So many reports read at once; the others wait, so that the rest of the portal keeps connections of the pool. */
const atOnce = 6
let reading = 0
const waiting = new Set<() => void>()

async function turn(signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted()
  while (reading >= atOnce) {
    await new Promise<void>((resolve) => {
      const go = () => {
        waiting.delete(go)
        signal.removeEventListener('abort', go)
        resolve()
      }
      waiting.add(go)
      signal.addEventListener('abort', go)
    })
    // Called and gone at once: the turn is the next one's.
    if (signal.aborted) callNext()
    signal.throwIfAborted()
  }
  reading += 1
  return () => {
    reading -= 1
    callNext()
  }
}

function callNext() {
  if (reading >= atOnce) return
  const [next] = waiting
  next?.()
}

/**
 * Reads in one snapshot, and changes nothing. When `signal` is aborted, PostgreSQL is told to stop the statement; one
 * that takes longer than `seconds` is stopped and throws a Refusal (504).
 */
export async function inSnapshot<T>(
  db: Db,
  { signal, seconds }: { signal: AbortSignal; seconds: number },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const leave = await turn(signal)
  try {
    return await db.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only')
      const [own] = await tx.query<{ pid: number }>(
        `select pg_backend_pid() as pid, set_config('statement_timeout', $1, true)`,
        [`${seconds}s`],
      )
      let cancelling: Promise<unknown> = Promise.resolve()
      const cancel = () => {
        cancelling = db.query('select pg_cancel_backend($1)', [own!.pid]).catch(() => {})
      }
      signal.addEventListener('abort', cancel)
      try {
        signal.throwIfAborted()
        return await work(tx)
      } catch (error) {
        if (!signal.aborted && (error as { code?: string }).code === '57014') throw tooSlow(seconds)
        throw error
      } finally {
        signal.removeEventListener('abort', cancel)
        // A cancel still on its way must not meet the next statement of this connection.
        await cancelling
      }
    })
  } finally {
    leave()
  }
}

const tooSlow = (seconds: number) =>
  new HttpError(
    504,
    `The report was stopped because it took longer than ${seconds} seconds. Ask for less, or try again at a quieter time.`,
  )

/** Closing a cursor waits for the server's word; a connection that ended has none to give. */
class Rows extends QueryStream {
  ended = false
  private tell: (() => void) | undefined
  readonly end = () => {
    this.ended = true
    this.tell?.()
  }
  override _destroy(error: Error, done: (error?: Error) => void) {
    this.tell = () => {
      this.tell = undefined
      done(error ?? undefined)
    }
    if (this.ended) this.tell()
    else super._destroy(error, () => this.tell?.())
  }
}

/** The rows of a statement, a thousand at a time, never all at once in memory. */
export async function* rowsOf(
  tx: Tx,
  sql: string,
  values: readonly unknown[],
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>[]> {
  const stream = tx.client.query(new Rows(sql, [...values], { batchSize: 1000 }))
  tx.client.once('end', stream.end)
  try {
    let batch: Record<string, unknown>[] = []
    for await (const row of stream) {
      batch.push(row as Record<string, unknown>)
      if (batch.length < 1000) continue
      signal.throwIfAborted()
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  } finally {
    tx.client.off('end', stream.end)
  }
}
