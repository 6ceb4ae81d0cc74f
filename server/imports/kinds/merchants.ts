import { imports } from '../../../schemas/imports/imports.ts'
import { collectFaults, type FaultList } from '../store/faults.ts'
import type { ImportKind } from '../store/importKind.ts'
import type { ImportStep } from '../store/step.ts'
import { createUpsert } from '../store/upsert.ts'

const definition = imports.merchant
const upsert = createUpsert(definition, {
  join: 'left join said_agent g on g.said = s.masteragentid',
  joined: { masteragentid: 'g.id' },
  versioned: true,
})

/** Who the file means by 'Master Agent': an id, a displayid or, failing both, an exact name, among those in scope. */
const resolveAgents = `
  with said as (select distinct masteragentid as said from staging where masteragentid is not null),
    mine as (select * from master_agent where $1::int[] is null or id = any($1)),
    found as (
      select said, id, displayid, 1 as rank from said join mine on mine.id::text = said
      union all select said, id, displayid, 1 from said join mine on mine.displayid = upper(said)
      union all select said, id, displayid, 2 from said join mine on lower(btrim(mine.name)) = lower(said)),
    best as (select said, min(rank) as rank from found group by said)
  insert into said_agent
    select said, case when count(distinct found.id) = 1 then min(found.id) end, count(distinct found.id),
      string_agg(distinct found.displayid, ', ')
    from said left join best using (said) left join found using (said, rank) group by said`

const unresolvedAgents = `
  select s.row, s.masteragentid as value, g.matches, g.ids, near.names
  from staging s join said_agent g on g.said = s.masteragentid left join lateral (
    select string_agg(label, '; ') as names from (
      select displayid || ' - ' || name as label from master_agent
      where ($1::int[] is null or id = any($1)) and g.matches = 0
      order by greatest(similarity(name, s.masteragentid), similarity(displayid, s.masteragentid)) desc, id limit 3
    ) as closest) as near on true
  where g.id is null`

async function checkRows(step: ImportStep): Promise<FaultList[]> {
  const { sql, scope } = step
  await sql.query(
    'create temp table said_agent (said text primary key, id integer, matches integer not null, ids text) on commit drop',
  )
  await sql.query(resolveAgents, [scope])
  await sql.query('analyze said_agent')
  type Unknown = { row: number; value: string; matches: number; ids: string | null; names: string | null }
  const fresh = (field: string, head: string) =>
    collectFaults(
      step,
      head,
      `select s.row, s.xmid as value from staging s where s.${field} is null
        and not exists (select from merchant m where m.xmid = s.xmid)`,
      [],
      ({ value }) => `${head} is required: ${value} is a new merchant`,
    )
  return [
    await collectFaults<{ row: number; value: string; first: number }>(
      step,
      'XMID',
      `select s.row, s.xmid as value, twice.first from staging s
        join (select xmid, min(row) as first from staging group by xmid having count(*) > 1) twice using (xmid) where s.row > twice.first`,
      [],
      ({ value, first }) => `XMID ${value} is already in row ${first}`,
    ),
    await collectFaults<Unknown>(
      step,
      'Master Agent',
      unresolvedAgents,
      [scope],
      ({ value, matches, ids, names }) =>
        matches > 1
          ? `Master Agent ${value} is the name of more than one (${ids}); give the id`
          : `Master Agent ${value} is not known${names ? `; the nearest are ${names}` : ''}`,
    ),
    await collectFaults(
      step,
      'XMID',
      `select s.row, s.xmid as value from staging s join merchant m using (xmid)
        where $1::int[] is not null and m.masteragentid <> all($1)`,
      [scope],
      ({ value }) => `XMID ${value} is not yours to change`,
    ),
    await fresh('dba', 'DBA'),
    await fresh('masteragentid', 'Master Agent'),
  ]
}

/** Merchants are told apart by their XMID; what does not change is not written, so its version stays. */
export const merchants: ImportKind = { definition, upsert, parameters: () => [], check: checkRows }
