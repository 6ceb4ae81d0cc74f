import QueryStream from 'pg-query-stream'
import type { Db, Tx } from '../db.ts'
import { Refusal } from '../errors.ts'

/** So many reports read at once; the others wait, so that the rest of the portal keeps connections of the pool. */
const atOnce = 6
let reading = 0
const waiting = new Set<() => void>()

async function turn(signal: AbortSignal): Promise<() => void> {
  while (reading >= atOnce)
    await new Promise<void>((resolve) => {
      const go = () => {
        waiting.delete(go)
        signal.removeEventListener('abort', go)
        resolve()
      }
      waiting.add(go)
      signal.addEventListener('abort', go)
      if (signal.aborted) go()
    })
  signal.throwIfAborted()
  reading += 1
  return () => {
    reading -= 1
    const [next] = waiting
    next?.()
  }
}

/**
 * Reads in one snapshot, and changes nothing. When `signal` is aborted, PostgreSQL is told to stop the statement; one
 * that takes longer than `seconds` is stopped and throws a Refusal (504).
 */
export async function inSnapshot<T>(db: Db, { signal, seconds }: { signal: AbortSignal; seconds: number }, work: (tx: Tx) => Promise<T>): Promise<T> {
  const leave = await turn(signal)
  try {
    return await db.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only')
      const [own] = await tx.query<{ pid: number }>(`select pg_backend_pid() as pid, set_config('statement_timeout', $1, true)`, [`${seconds}s`])
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
  new Refusal(504, `The report was stopped because it took longer than ${seconds} seconds. Ask for less, or try again at a quieter time.`)

/** The rows of a statement, a thousand at a time, never all at once in memory. */
export async function* rowsOf(tx: Tx, sql: string, values: readonly unknown[], signal: AbortSignal): AsyncGenerator<Record<string, unknown>[]> {
  const stream = tx.client.query(new QueryStream(sql, [...values], { batchSize: 1000 }))
  let batch: Record<string, unknown>[] = []
  for await (const row of stream) {
    batch.push(row as Record<string, unknown>)
    if (batch.length < 1000) continue
    signal.throwIfAborted()
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
