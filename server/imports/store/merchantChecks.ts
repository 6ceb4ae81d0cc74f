import type { Import } from '../../../schemas/imports/imports.ts'
import { collectFaults } from './faults.ts'
import type { ImportStep } from './step.ts'

export const formatCount = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** A caller who does not see all imports for merchants of its own alone; those of others are refused like unknown ones. */
export const merchantsOutOfScope = (step: ImportStep) =>
  collectFaults(
    step,
    'MID',
    `select s.row, s.xmid as value from staging s where $1::int[] is not null
      and not exists (select from merchant m where m.xmid = s.xmid and m.masteragentid = any($1))`,
    [step.scope],
    ({ value }) => `MID ${value} is no merchant of yours`,
  )

/** What tells records apart may stand in one row only. */
export function duplicateKeys(step: ImportStep, definition: Import) {
  const [last, ...others] = definition.key
    .toReversed()
    .map((field) => definition.columns.find((column) => column.field === field)!)
  const key = definition.key.join(', ')
  const said = others.map(({ head, field }) => `' of ${head} ' || s.${field}`).join(' || ')
  return collectFaults<{ row: number; value: string; of: string; first: number }>(
    step,
    last!.head,
    `select s.row, s.${last!.field} as value, ${said || "''"} as of, twice.first from staging s
      join (select ${key}, min(row) as first from staging group by ${key} having count(*) > 1) twice using (${key}) where s.row > twice.first`,
    [],
    ({ value, of, first }) => `${last!.head} ${value}${of} is already in row ${first}`,
  )
}

/** Warns of merchants that are not in the portfolio: their rows are stored, which may be right or a wrong MID. */
export async function unknownMids({ sql }: ImportStep): Promise<string[]> {
  const [found] = await sql.query<{ n: number; names: string | null }>(
    `select count(*)::int as n, string_agg(xmid, ', ' order by row) filter (where place <= 5) as names from (
      select xmid, min(row) as row, row_number() over (order by min(row)) as place from staging s
      where not exists (select from merchant m where m.xmid = s.xmid) group by xmid) as unknown`,
  )
  const { n, names } = found!
  return n
    ? [`${formatCount(n, 'merchant is', 'merchants are')} not in the portfolio: ${names}${n > 5 ? ' …' : ''}`]
    : []
}
