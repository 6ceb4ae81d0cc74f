import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'

/**
 * SQL: the id of the agent that what was taken over, a row `t` of month_takeover, names as a parent or as who
 * earns; null for none. A subscription goes with its agent.
 */
export const takenAgentSql = (t: string) => `
  case when ${t}.isback or (${t}.value ->> 'isremoved')::boolean then null
    when ${t}.entity = 'agent' then (${t}.value ->> 'parentid')::int
    when ${t}.entity in ('merchant', 'terminal') then (${t}.value ->> 'masteragentid')::int end`

/**
 * Keeps the agents that were taken over by these keys of the lock from being deleted until the transaction
 * ends: a deletion that waits for it finds what was taken over. Throws an HttpError (409) where one is gone.
 */
export async function keepTakenAgents(tx: Tx, lockid: number, keys: readonly string[]): Promise<void> {
  const named = await tx.query<{ id: number }>(
    `select distinct ${takenAgentSql('t')} as id
      from (select distinct on (key) * from month_takeover where lockid = $1 and key = any ($2)
        order by key, id desc) t
      where ${takenAgentSql('t')} is not null`,
    [lockid, keys],
  )
  const kept = await tx.query('select id from master_agent where id = any ($1) order by id for share', [
    named.map(({ id }) => id),
  ])
  if (kept.length < named.length)
    throw new HttpError(409, 'A master agent was deleted meanwhile: look at the differences again')
}
