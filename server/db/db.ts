import pg from 'pg'
import { watchDatabase, type Watch } from './watch.ts'

/** Runs SQL on the pool, or on the one connection of a transaction. */
export type Sql = {
  /** Rows as objects; bigint and numeric arrive as numbers (cents stay exact below 2^53). */
  query<R extends Record<string, unknown> = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<R[]>
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

/** Explains the pool's error for want of a free connection: the database answers, or it does not. */
const explainWait = (watch: Watch) => (error: Error) => {
  if (error.message !== 'timeout exceeded when trying to connect' || watch.isAway()) throw error
  throw Object.assign(new Error('no connection became free', { cause: error }), { code: busyCode })
}

const queryOn =
  (run: (sql: string, values: unknown[]) => Promise<pg.QueryResult>): Sql['query'] =>
  async (sql, values = []) =>
    (await run(sql, values as unknown[])).rows as never

type DbOptions = {
  max?: number
  timeZone?: string
  /** Milliseconds for the answer to a statement outside of transactions. */
  answerWithin?: number
  /** Milliseconds for a free connection. */
  connectWithin?: number
  /** Milliseconds between two looks of the watch. */
  lookInterval?: number
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
      await client.query(`select set_config('timezone', $1, false)`, [timeZone])
    },
  })
  const watch = watchDatabase(url, pool, options.lookInterval)
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
  const explain = explainWait(watch)
  const limits = answerWithin === undefined ? {} : { query_timeout: answerWithin }
  return {
    query: queryOn((text, values) => pool.query({ text, values, ...limits }).catch(explain)) as Db['query'],
    async transaction(work) {
      const client = await pool.connect().catch(explain)
      let broken: Error | undefined
      try {
        await client.query('begin')
        const query = queryOn((sql, values) => client.query(sql, values)) as Db['query']
        const result = await work({ query, client })
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((reason: Error) => {
          broken = reason
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    close() {
      watch.close()
      return pool.end()
    },
  }
}
