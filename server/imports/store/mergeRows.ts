import type { Import } from '../../../schemas/imports/imports.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { formatDollars, maxCents, maxCount } from '../rows/amounts.ts'
import { collectFaults, type FaultList } from './faults.ts'
import type { ImportStep } from './step.ts'

/** The largest sums of amounts and counts that a stored row may have, as SQL. */
const mostOf = { money: formatDollars(maxCents), count: String(maxCount) } as const
type Summed = keyof typeof mostOf
const isSummed = (kind: string): kind is Summed => kind in mostOf

/**
 * Makes one row of the staged rows that have the same merchant (imports 37): amounts and counts are added up,
 * a percentage is kept where all rows agree, and all else is that of the first row. Sums beyond what a column
 * holds are faults. Rows that could not be read whole are left out.
 */
export async function mergeRows(
  step: ImportStep,
  { columns }: Import,
): Promise<{ faults: FaultList; warnings: string[] }> {
  const { sql } = step
  const summed = columns.flatMap(({ field, kind }) => (isSummed(kind) ? [{ field, most: mostOf[kind] }] : []))
  const isTooMuch = summed.map(({ field, most }) => `abs(sum(${field})) > ${most}`).join(' or ')
  await sql.query(
    `create temp table several on commit drop as
      select xmid, min(row) as first, (${isTooMuch}) is true as toomuch from staging
      where broken is null group by xmid having count(*) > 1`,
  )
  const faults = await collectFaults(step, {
    column: 'MID',
    query: 'select first as row, xmid as value from several where toomuch',
    describe: ({ value }) =>
      `MID ${value} stands in several rows, whose amounts add up to more than an amount may be`,
  })
  const [found] = await sql.query<{ n: number; names: string | null }>(
    `select count(*)::int as n, string_agg(xmid, ', ' order by first) filter (where place <= 5) as names
      from (
        select *, row_number() over (order by first) as place from several where not toomuch
      ) as mergeable`,
  )
  const { n, names } = found!
  if (n === 0) return { faults, warnings: [] }
  const values = [
    ...summed.map(({ field }) => [field, `sum(${field})`] as const),
    ...columns
      .filter(({ kind }) => kind === 'percent')
      .map(({ field }) => [field, `case when min(${field}) = max(${field}) then min(${field}) end`] as const),
  ]
  await sql.query(
    `update staging s set ${values.map(([field]) => `${field} = t.${field}`).join(', ')}
      from (select xmid, ${values.map(([field, value]) => `${value} as ${field}`).join(', ')}
          from staging join several using (xmid) where broken is null and not toomuch group by xmid) t
        join several d using (xmid)
      where s.row = d.first and s.xmid = d.xmid`,
  )
  await sql.query(
    `delete from staging s using several d
      where s.broken is null and s.xmid = d.xmid and s.row > d.first and not d.toomuch`,
  )
  const subject = countNoun(n, 'merchant stands', 'merchants stand')
  return {
    faults,
    warnings: [`${subject} in several rows, whose amounts are added up: ${names}${n > 5 ? ' …' : ''}`],
  }
}
