import pg from 'pg'
import { isFull, isStalePlan, notePrepared, stalePlanCode, statementName } from './prepared.ts'
import { watchDatabase, type Watch } from './watch.ts'

type RunQuery = <R extends Record<string, unknown> = Record<string, unknown>>(
  sql: string,
  values?: readonly unknown[],
) => Promise<R[]>

/** A whole statement and its parameters from $1 on. */
export type Statement = { sql: string; values: readonly unknown[] }

/** Runs SQL on the pool, or on the one connection of a transaction. */
export type Sql = {
  /** Rows as objects; bigint and numeric arrive as numbers (cents stay exact below 2^53). */
  query: RunQuery
  /**
   * Like `query`, for a statement that comes often: a connection parses it once, and plans it once when that
   * is no worse for any values (decision 30). Values belong into `values`, for each text is kept.
   */
  prepared: RunQuery
}
export type Tx = Sql & { client: pg.PoolClient }
export type Db = Sql & {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number
    if (oid === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  },
}

/** All connections are in use by others, and none became free in time. */
export const busyCode = 'PORTAL_BUSY'

/** Rethrows an error of pg; as an error with the code `busyCode` if only a free connection was missing. */
const explainWait = (watch: Watch) => (error: Error) => {
  if (error.message !== 'timeout exceeded when trying to connect' || watch.isAway()) throw error
  throw Object.assign(new Error('no connection became free', { cause: error }), { code: busyCode })
}

/** The SQLSTATE of a text that PostgreSQL cannot store. */
export const characterNotInRepertoire = '22021'
/** A text with half of a surrogate pair: pg would store a replacement character and report no error. */
const isMalformed = (value: unknown): boolean =>
  typeof value === 'string' ? !value.isWellFormed() : Array.isArray(value) && value.some(isMalformed)

const queryOn =
  (run: (sql: string, values: unknown[]) => Promise<pg.QueryResult>): RunQuery =>
  async (sql, values = []) => {
    if (isMalformed(values))
      throw Object.assign(new Error('half of a character'), { code: characterNotInRepertoire })
    return (await run(sql, values as unknown[])).rows as never
  }

type Limits = { query_timeout?: number }

const runPrepared = (client: pg.PoolClient, text: string, values: unknown[], limits: Limits = {}) => {
  const name = statementName(text)
  notePrepared(client, name)
  return client.query({ name, text, values, ...limits })
}

/** Runs a prepared statement on a connection of the pool; once more, unprepared, when its plan is stale. */
const runPreparedOn =
  (connect: () => Promise<pg.PoolClient>, limits: Limits) => async (text: string, values: unknown[]) => {
    const client = await connect()
    let failure: Error | undefined
    try {
      return await runPrepared(client, text, values, limits)
    } catch (error) {
      failure = error as Error
      if (!isStalePlan(failure)) throw error
    } finally {
      // A connection with a failed statement is replaced, as the pool itself does.
      client.release(failure ?? isFull(client))
    }
    const other = await connect()
    try {
      return await other.query({ text, values, ...limits })
    } finally {
      other.release()
    }
  }

/**
 * Runs a prepared statement in a transaction, which a stale plan ends; its connection is replaced. Throws an
 * Error with the code `stalePlanCode` then.
 */
const runPreparedIn = (client: pg.PoolClient) => (text: string, values: unknown[]) =>
  runPrepared(client, text, values).catch((error: Error) => {
    throw isStalePlan(error) ? Object.assign(error, { code: stalePlanCode }) : error
  })

/**
 * Starts the statements of one connection one after another in the order of their calls, also those called at
 * the same time: `pg` accepts the next one only when the one before has ended.
 */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run)
    last = next.catch(() => {})
    return next
  }
}

/**
 * Sets the time zone of the portal, and lets PostgreSQL check every two seconds whether the client is still
 * connected, so that it cancels statements that nobody waits for. PostgreSQL cannot check this on Windows.
 */
const prepareConnection = `select set_config('timezone', $1, false),
    case when version() !~* 'visual c|msvc|mingw'
      then set_config('client_connection_check_interval', '2s', false) end`

type DbOptions = {
  max?: number
  timeZone?: string
  /** Milliseconds after which a statement outside of transactions is cancelled. */
  answerWithin?: number
  /** Milliseconds to wait for a free connection. */
  connectWithin?: number
  /** Milliseconds between two checks of the watch. */
  checkInterval?: number
  onError?: (error: Error) => void
}

/**
 * Opens a pool of at most `max` connections on a PostgreSQL URL. `timeZone` is that of the portal: the
 * database takes the current month from it, whatever its own is. `onError` is called when an idle connection
 * breaks; the pool replaces it. Statements fail within six seconds when the database does not answer
 * (operations 16).
 */
export function openDb(url: string, options: DbOptions = {}): Db {
  const { max = 20, timeZone = 'UTC', answerWithin, connectWithin = 3_000, onError = () => {} } = options
  const pool: pg.Pool = new pg.Pool({
    connectionString: url,
    max,
    types: typeParsers as never,
    connectionTimeoutMillis: connectWithin,
    keepAlive: true,
    application_name: 'technology-portal',
    onConnect: async (client) => {
      watch.addNew(client as pg.PoolClient)
      await client.query(prepareConnection, [timeZone])
    },
  })
  const watch = watchDatabase(url, pool, options.checkInterval)
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
  const explain = explainWait(watch)
  const limits = answerWithin === undefined ? {} : { query_timeout: answerWithin }
  const connect = () => pool.connect().catch(explain)
  return {
    query: queryOn((text, values) => pool.query({ text, values, ...limits }).catch(explain)),
    prepared: queryOn(runPreparedOn(connect, limits)),
    async transaction(work) {
      const client = await connect()
      const inTurn = createTurns()
      const runPreparedHere = runPreparedIn(client)
      let broken: Error | undefined
      try {
        await client.query('begin')
        const query = queryOn((sql, values) => inTurn(() => client.query(sql, values)))
        const prepared = queryOn((sql, values) => inTurn(() => runPreparedHere(sql, values)))
        const result = await work({ query, prepared, client })
        await inTurn(() => client.query('commit'))
        return result
      } catch (error) {
        if (isStalePlan(error as Error)) broken = error as Error
        // After what still waits for its turn, and fails: nothing may run once others have the connection.
        await inTurn(() => client.query('rollback')).catch((reason: Error) => {
          broken = reason
        })
        throw error
      } finally {
        client.release(broken ?? isFull(client))
      }
    },
    close() {
      watch.close()
      return pool.end()
    },
  }
}
