import { imports } from '../../../schemas/imports/imports.ts'
import { countNoun } from '../../../schemas/wording.ts'
import type { Importer } from '../store/importer.ts'
import { unknownMids } from '../store/merchantChecks.ts'
import type { ImportStep } from '../store/step.ts'
import { recordedInsert } from '../store/undoLog.ts'
import { createImporter } from './createImporter.ts'

/**
 * Warns of unknown MIDs, and of case numbers that another merchant has too: a coincidence or a wrong MID
 * (imports 31).
 */
async function warn(step: ImportStep): Promise<string[]> {
  const [found] = await step.sql.query<{ n: number; first: string | null }>(
    `with shared as (
      select s.row, s.casenumber, s.xmid, min(m.xmid) as other from staging s join (
        select casenumber, xmid from chargeback c where $1::int[] is null
          or exists (select from merchant x where x.xmid = c.xmid and x.masteragentid = any($1))
        union select casenumber, xmid from staging) m on m.casenumber = s.casenumber and m.xmid <> s.xmid
      group by s.row, s.casenumber, s.xmid)
    select count(*)::int as n,
      (array_agg(
        casenumber || ' of MID ' || xmid || ' is also one of MID ' || other order by row
      ))[1] as first
      from shared`,
    [step.scope],
  )
  const { n, first } = found!
  const shared = n
    ? [
        `${countNoun(n, 'case has', 'cases have')} a number that another merchant has too: ` +
          `${first}${n > 1 ? ' …' : ''}; each is kept`,
      ]
    : []
  return [...(await unknownMids(step)), ...shared]
}

/** Records the state of each case whose type, status or amount differs from its last state (imports 31). */
const newStates = `insert into chargeback_state (chargebackid, casetype, status, amount, batchid)
  select c.id, c.casetype, c.status, c.amount, c.batchid from chargeback c
    left join lateral (
      select casetype, status, amount from chargeback_state where chargebackid = c.id order by id desc limit 1
    ) last on true
  where c.batchid = $1
    and (last.casetype, last.status, last.amount) is distinct from (c.casetype, c.status, c.amount)
  order by c.id`

async function recordStates({ sql, batch }: ImportStep & { batch: number }): Promise<void> {
  await sql.query(recordedInsert('chargeback_state', newStates, batch), [batch])
}

export const chargebacks: Importer = createImporter(imports.chargeback, { warn, afterStore: recordStates })
