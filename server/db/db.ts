import pg from 'pg'

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

const queryOn =
  (on: pg.Pool | pg.PoolClient): Sql['query'] =>
  async (sql, values = []) =>
    (await on.query(sql, values as unknown[])).rows

type DbOptions = { max?: number; timeZone?: string; onError?: (error: Error) => void }

/**
 * Opens a pool of at most `max` connections on a PostgreSQL URL. `timeZone` is that of the portal: the
 * database takes the current month from it, whatever its own is. `onError` is called when an idle connection
 * breaks; the pool replaces it.
 */
export function openDb(url: string, { max = 10, timeZone = 'UTC', onError = () => {} }: DbOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: typeParsers as never,
    connectionTimeoutMillis: 3_000,
    application_name: 'technology-portal',
    onConnect: async (client) =>
      void (await client.query(`select set_config('timezone', $1, false)`, [timeZone])),
  })
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
  return {
    query: queryOn(pool) as Db['query'],
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work({ query: queryOn(client) as Db['query'], client })
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
    close: () => pool.end(),
  }
}
