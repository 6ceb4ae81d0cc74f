import { DateTime } from 'luxon'
import type { Sql } from '../server/db/db.ts'

const idOf = async (db: Sql, statement: string, value: string): Promise<number> => {
  const [row] = await db.query<{ id: number }>(statement, [value])
  if (!row) throw new Error(`there is no ${value}`)
  return row.id
}
export const userId = (db: Sql, username: string) =>
  idOf(db, 'select id from portal_user where username = $1', username)
export const merchantId = (db: Sql, xmid: string) => idOf(db, 'select id from merchant where xmid = $1', xmid)

/** The ids of a master agent and of all below it, by plain SQL. */
export const branchOf = async (db: Sql, agent: number): Promise<number[]> => {
  const rows = await db.query<{ id: number }>(
    `with recursive b(id) as (
        select $1::int union select a.id from master_agent a join b on a.parentid = b.id)
      select id from b`,
    [agent],
  )
  return rows.map(({ id }) => id)
}

/** The day that a zone has now, as records hold it: epoch seconds of its midnight at UTC. */
export const todayIn = (zone: string): number =>
  DateTime.now().setZone(zone).startOf('day').setZone('utc', { keepLocalTime: true }).toSeconds()
