import type { Db, Sql } from '../../server/db/db.ts'

/** A statement without values may be several, which cannot be prepared. */
const once = ({ query, prepared }: Sql): Sql['query'] => {
  const ask: Sql['query'] = (sql, values = []) =>
    values.length > 0 ? prepared(sql, values) : query(sql, values)
  return ask
}

/**
 * A connection of this database plans each statement once. To plan a statement of a month takes ten times as
 * long as to run it on the few rows of a test, and a portal of tests asks the same over and over.
 */
export const plannedOnce = (db: Db): Db => ({
  ...db,
  query: once(db),
  transaction: (work) => db.transaction((tx) => work({ ...tx, query: once(tx) })),
})
