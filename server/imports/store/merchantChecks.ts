import type { Import } from '../../../schemas/imports/imports.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { collectFaults } from './faults.ts'
import type { ImportStep } from './step.ts'

/** Faults for merchants outside the caller's scope, unknown ones among them (imports 25). */
export const merchantsOutOfScope = (step: ImportStep) =>
  collectFaults(step, {
    column: 'MID',
    query: `select s.row, s.xmid as value from staging s where $1::int[] is not null
      and not exists (select from merchant m where m.xmid = s.xmid and m.masteragentid = any($1))`,
    values: [step.scope],
    describe: ({ value }) => `MID ${value} is no merchant of yours`,
  })

/** Faults for keys that stand in more than one row (imports 15). */
export function duplicateKeys(step: ImportStep, definition: Import) {
  const [last, ...others] = definition.key
    .toReversed()
    .map((field) => definition.columns.find((column) => column.field === field)!)
  const key = definition.key.join(', ')
  const otherKeys = others.map(({ head, field }) => `' of ${head} ' || s.${field}`).join(' || ')
  return collectFaults<{ row: number; value: string; of: string; first: number }>(step, {
    column: last!.head,
    query: `select s.row, s.${last!.field} as value, ${otherKeys || "''"} as of, duplicate.first
      from staging s
      join (select ${key}, min(row) as first from staging group by ${key} having count(*) > 1) duplicate
        using (${key})
      where s.row > duplicate.first`,
    describe: ({ value, of, first }) => `${last!.head} ${value}${of} is already in row ${first}`,
  })
}

/**
 * A warning that counts the MIDs that are not in the portfolio; their rows are stored all the same
 * (imports 15).
 */
export async function unknownMids({ sql }: ImportStep): Promise<string[]> {
  const [found] = await sql.query<{ n: number; names: string | null }>(
    `select count(*)::int as n, string_agg(xmid, ', ' order by row) filter (where place <= 5) as names from (
      select xmid, min(row) as row, row_number() over (order by min(row)) as place from staging s
      where not exists (select from merchant m where m.xmid = s.xmid) group by xmid) as unknown`,
  )
  const { n, names } = found!
  return n
    ? [`${countNoun(n, 'merchant is', 'merchants are')} not in the portfolio: ${names}${n > 5 ? ' …' : ''}`]
    : []
}
