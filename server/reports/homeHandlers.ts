import { profitDays, type ProfitDay } from '../../schemas/api/home.ts'
import { describeNotes, readNotes } from '../backup/notes.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import { readOwnHome } from './ownHome.ts'

/** Holds when the scope has volume on each of the newest days of the house. */
const hasEachDay = '(select count(*) from recent) = (select count(*) from house)'

/**
 * Newest day first; `amount` is the net of sales and refunds in dollars, of the merchants in the scope. The
 * newest days of the house are those of nearly every branch, and are added up for all its agents at once. A
 * branch that lacks one of them is read agent by agent: older days of an agent are not among the newest of
 * all. The agents are those of a subquery, so that PostgreSQL does not plan for their number again and again.
 */
const profitFromSums = `
  with house as materialized (
    select volumedate from volume_sum where agent = 0
    group by volumedate having sum(n) > 0 order by volumedate desc limit ${profitDays}),
  recent as materialized (
    select volumedate, sum(amount) as amount from volume_sum
    where agent = any ((select $1::int[])::int[]) and volumedate >= (select min(volumedate) from house)
    group by volumedate having sum(n) > 0),
  days as (
    select * from recent where ${hasEachDay}
    union all
    select * from (
      select volumedate, sum(d.amount) as amount
      from unnest((select $1::int[])) a (id) cross join lateral (
        select volumedate, sum(amount) as amount from volume_sum s where s.agent = a.id
        group by volumedate having sum(n) > 0 order by volumedate desc limit ${profitDays}) d
      group by volumedate order by volumedate desc limit ${profitDays}) all_days
    where not (${hasEachDay}))
  select exists (select from volume_sum_stale) as "isStale", coalesce((
    select jsonb_agg(jsonb_build_object('processdate', extract(epoch from volumedate::timestamp)::bigint,
        'amount', amount) order by volumedate desc) from days), '[]') as days`

/** The same, added up from all rows. */
const profitFromRows = `
  select extract(epoch from volumedate::timestamp)::bigint as processdate, sum(netamount) as amount
  from daily_volume v
  where $1::int[] is null
    or exists (select from merchant m where m.xmid = v.xmid and m.masteragentid = any ($1))
  group by volumedate order by volumedate desc limit ${profitDays}`

/** The sums that triggers maintain (migration 038), or the rows while these are stale. Agent 0 has all. */
async function profitByDay(db: Db, scope: number[] | null): Promise<ProfitDay[]> {
  const [sums] = await db.prepared<{ isStale: boolean; days: ProfitDay[] }>(profitFromSums, [scope ?? [0]])
  return sums!.isStale ? db.query<ProfitDay>(profitFromRows, [scope]) : sums!.days
}

export const homeHandlers = (db: Db, config: Config): Handlers['home'] => ({
  async profit({ caller }) {
    return { data: await profitByDay(db, caller.scope) }
  },
  own: ({ caller }) => readOwnHome(db, caller),
  async portal({ caller }) {
    const links = [...config.links].sort((a, b) => a.title.localeCompare(b.title))
    return {
      links,
      store: config.store,
      training: config.training,
      widget: config.helpdesk.widget?.script ?? null,
      backup: caller.admin ? describeNotes(await readNotes(db)) : null,
    }
  },
})
