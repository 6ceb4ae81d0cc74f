import { inactiveStatus } from '../../../schemas/entities/merchant.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { todaySql } from '../../db/today.ts'
import { blockMonthLocksOf, syncLateMids } from '../../money/late/lateMids.ts'
import { collectFaults, type FaultList } from '../store/faults.ts'
import type { Importer } from '../store/importer.ts'
import { duplicateKeys } from '../store/merchantChecks.ts'
import { isBlankCell } from '../store/staging.ts'
import type { ImportStep } from '../store/step.ts'
import { createUpsert } from '../store/upsert.ts'

const definition = imports.merchant

/** Date Closed: a merchant that becomes Inactive without one is closed today (merchants 8). */
const closingDate = (valueOf: (field: string) => string, isNew: boolean) => {
  const before = isNew ? '0' : 'm.accountstatus'
  const becomesInactive = `${valueOf('accountstatus')} = ${inactiveStatus} and ${before} <> ${inactiveStatus}`
  const date = valueOf('date_closed')
  return `case when ${becomesInactive} and coalesce(${date}, 0) = 0 then ${todaySql} else ${date} end`
}

/** What the TIN results say of a merchant that became known after them (imports 33). */
const checkedBefore = (column: string) =>
  `coalesce((select t.${column} from tin_validation t where t.xmid = s.xmid), '')`

const upsert = createUpsert(definition, {
  join: 'left join agent_reference g on g.reference = s.masteragentid',
  joined: { masteragentid: 'g.id' },
  derived: { date_closed: closingDate },
  added: { tinstatus: checkedBefore('tinstatus'), tinstatusdescription: checkedBefore('description') },
  versioned: true,
})

/**
 * Resolves the texts of the column 'Master Agent' among the agents in scope ($1): an id, a displayid or,
 * failing both, an exact name (imports 26). `id` is null when none or several match.
 */
const resolveAgents = `
  with given as (select distinct masteragentid as reference from staging where masteragentid is not null),
    visible as (select * from master_agent where $1::int[] is null or id = any($1)),
    found as (
      select reference, id, displayid, 1 as rank from given join visible on visible.id::text = reference
      union all select reference, id, displayid, 1
        from given join visible on visible.displayid = upper(reference)
      union all select reference, id, displayid, 2
        from given join visible on lower(btrim(visible.name)) = lower(reference)),
    best as (select reference, min(rank) as rank from found group by reference)
  insert into agent_reference
    select reference, case when count(distinct found.id) = 1 then min(found.id) end, count(distinct found.id),
      string_agg(distinct found.displayid, ', ')
    from given left join best using (reference) left join found using (reference, rank) group by reference`

/** The rows whose agent is not resolved; `names` are the nearest agents when none matches. */
const unresolvedAgents = `
  select s.row, s.masteragentid as value, g.matches, g.ids, near.names
  from staging s join agent_reference g on g.reference = s.masteragentid left join lateral (
    select string_agg(label, '; ') as names from (
      select displayid || ' - ' || name as label from master_agent
      where ($1::int[] is null or id = any($1)) and g.matches = 0
      order by greatest(similarity(name, s.masteragentid), similarity(displayid, s.masteragentid)) desc, id
      limit 3
    ) as closest) as near on true
  where g.id is null`

async function checkRows(step: ImportStep): Promise<FaultList[]> {
  const { sql, scope } = step
  await sql.query(
    `create temp table agent_reference (
      reference text primary key, id integer, matches integer not null, ids text
    ) on commit drop`,
  )
  await sql.query(resolveAgents, [scope])
  await sql.query('analyze agent_reference')
  type Unresolved = { row: number; value: string; matches: number; ids: string | null; names: string | null }
  const missingInNew = (field: string, head: string) =>
    collectFaults(step, {
      column: head,
      query: `select s.row, s.xmid as value from staging s where ${isBlankCell(field)}
        and not exists (select from merchant m where m.xmid = s.xmid)`,
      describe: ({ value }) => `${head} is required: ${value} is a new merchant`,
    })
  return [
    await duplicateKeys(step, definition),
    await collectFaults<Unresolved>(step, {
      column: 'Master Agent',
      query: unresolvedAgents,
      values: [scope],
      describe: ({ value, matches, ids, names }) =>
        matches > 1
          ? `Master Agent ${value} is the name of more than one (${ids}); give the id`
          : `Master Agent ${value} is not known${names ? `; the nearest are ${names}` : ''}`,
    }),
    await collectFaults(step, {
      column: 'XMID',
      query: `select s.row, s.xmid as value from staging s join merchant m using (xmid)
        where $1::int[] is not null and m.masteragentid <> all($1)`,
      values: [scope],
      describe: ({ value }) => `XMID ${value} is not yours to change`,
    }),
    await missingInNew('dba', 'DBA'),
    await missingInNew('masteragentid', 'Master Agent'),
  ]
}

/** The XMIDs of the merchants that the batch $1 added. */
const addedMids = `select m.xmid from import_added a cross join unnest(a.ids) as range
  join merchant m on m.id >= lower(range) and m.id < upper(range)
  where a.batchid = $1 and a.tablename = 'merchant'`

/**
 * The key is the XMID (imports 26). Unchanged merchants are not written, so their versions stay (imports 19).
 */
export const merchants: Importer = {
  definition,
  upsert,
  parameters: () => [],
  check: checkRows,
  async afterStore({ batch }, tx, by) {
    await blockMonthLocksOf(tx, addedMids, [batch])
    await syncLateMids(tx, by, null)
  },
  afterUndo: (tx, by) => syncLateMids(tx, by, null),
}
