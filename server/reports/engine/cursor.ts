import { setImmediate } from 'node:timers/promises'
import type { Db, Tx } from '../../db/db.ts'
import { allowMemory, beginSecond, readFromSnapshot, type SecondReader } from '../../db/largeWork.ts'
import type { Caller } from '../../http/call.ts'
import { HttpError } from '../../http/errors.ts'
import { inCallersTurn, type Requester } from '../../jobs/callersTurn.ts'
import { createLimiter, type Turn } from '../../jobs/limiter.ts'

/**
 * Further reports wait (reports 10), and two of them are one user's at most (operations 14), so that others
 * have a turn and the rest of the portal keeps connections of the pool.
 */
const limitReports = createLimiter(6, 2)

export type ReadOptions = {
  signal: AbortSignal
  /** How long each statement may run. */
  seconds: number
  /** Who asks for the report. */
  requester: Requester<Caller>
  onWait?: Turn['onWait']
  /** Is called when it is the caller's turn, before the transaction. */
  prepare?: () => Promise<void> | undefined
}

/** Begins the second transaction of a report; null when no connection is to be had for it. */
export type BeginSecond = () => Promise<SecondReader | null>

/**
 * Runs `work` in a read-only transaction that sees one moment of the database (reports 10), when it is the
 * caller's turn, for the caller as `inCallersTurn` gives it. An abort of `signal` cancels the running
 * statement in PostgreSQL. Throws an HttpError (504) when a statement takes longer than `seconds`.
 */
export const inReadTransaction = <T>(
  db: Db,
  { signal, seconds, requester, onWait, prepare }: ReadOptions,
  work: (tx: Tx, caller: Caller, beginSecond: BeginSecond) => Promise<T>,
): Promise<T> =>
  inCallersTurn(
    limitReports,
    requester,
    async (caller) => {
      await prepare?.()
      return readSnapshot(db, { signal, seconds }, (tx) =>
        work(tx, caller, () =>
          beginSecond(tx, (snapshot, read) => readSnapshot(db, { signal, seconds, snapshot }, read)),
        ),
      )
    },
    { signal, ...(onWait && { onWait }) },
  )

type SnapshotOptions = Pick<ReadOptions, 'signal' | 'seconds'> & {
  /** As `pg_export_snapshot` answers it: the moment that is seen. */
  snapshot?: string
}

const readSnapshot = <T>(
  db: Db,
  { signal, seconds, snapshot }: SnapshotOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await readFromSnapshot(tx, snapshot)
    const [backend] = await tx.query<{ pid: number }>(
      // By default PostgreSQL plans a cursor so that its first rows come early, which makes all rows slower.
      `select pg_backend_pid() as pid, set_config('statement_timeout', $1, true),
        set_config('cursor_tuple_fraction', '1', true)`,
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
  })

const timeoutError = (seconds: number) =>
  new HttpError(
    504,
    `The report was stopped because it took longer than ${seconds} seconds. ` +
      'Ask for less, or try again at a quieter time.',
  )

/**
 * The most rows of a batch. Reading or writing one keeps the process busy for some milliseconds, in which no
 * other call goes on.
 */
export const batchSize = 500

let cursors = 0

/**
 * The rows of a statement in batches of at most `batchSize`, through a cursor: memory does not grow with the
 * result. PostgreSQL works out the next batch while the caller is busy with one. Between two batches the
 * transaction can be asked other things; their answers come after that batch.
 */
export async function* cursorRows(
  tx: Tx,
  sql: string,
  values: readonly unknown[],
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>[]> {
  const name = `rows_${(cursors += 1)}`
  await tx.query(`declare ${name} no scroll cursor for ${sql}`, values)
  const fetchBatch = (): Promise<Record<string, unknown>[]> => {
    const batch = tx.query(`fetch ${batchSize} from ${name}`)
    // It is awaited after the batch before, or never where that one fails: then its error has no handler.
    batch.catch(() => {})
    return batch
  }
  try {
    signal.throwIfAborted()
    let next: ReturnType<typeof fetchBatch> | null = fetchBatch()
    while (next) {
      const batch: Record<string, unknown>[] = await next
      signal.throwIfAborted()
      next = batch.length < batchSize ? null : fetchBatch()
      // Lets other calls go on before these rows are written.
      await setImmediate()
      if (batch.length > 0) yield batch
    }
  } finally {
    // After a failure the transaction ends, and the cursor with it.
    await tx.query(`close ${name}`).catch(() => {})
  }
}

/**
 * The rows of a statement that has few, in one batch. PostgreSQL works on it with several processors where
 * that is faster, which it does for no cursor.
 */
export async function* rowsAtOnce(
  tx: Tx,
  sql: string,
  values: readonly unknown[],
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>[]> {
  const rows = await tx.query<Record<string, unknown>>(sql, values)
  signal.throwIfAborted()
  if (rows.length > 0) yield rows
}
