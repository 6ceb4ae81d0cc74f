import type { Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { todaySql } from '../../db/today.ts'
import type { ImportStep } from './step.ts'

/** Which values of a column are warned of: an SQL condition, and what is said of rows that meet it. */
type Remark = { condition: string; said: (first: number) => string }

function remarksOn({ head, field, kind, mayBeLater, isCost }: ImportColumn): Remark[] {
  // The year is probably mistyped, and a report that ends today would not have the row.
  if (kind === 'date' && !mayBeLater)
    return [
      {
        condition: `${field} > ${todaySql}`,
        said: (first) => `a ${head} later than today, first row ${first}`,
      },
    ]
  // A file that gives all costs as negative amounts raises the net by what it means to subtract.
  if (isCost)
    return [
      {
        condition: `${field} < 0`,
        said: (first) => `an amount below 0 in ${head}, first row ${first}: it counts as a credit`,
      },
    ]
  return []
}

/** A warning for each column in which rows have a value that is possible and seldom meant (imports 15). */
export async function unlikelyValues({ sql }: ImportStep, { columns }: Import): Promise<string[]> {
  const remarks = columns.flatMap(remarksOn)
  if (remarks.length === 0) return []
  const figures = remarks.map(({ condition }) => {
    const filter = `filter (where ${condition})`
    return `json_build_object('count', count(*) ${filter}, 'first', min(row) ${filter})`
  })
  const [found] = await sql.query<{ figures: { count: number; first: number }[] }>(
    `select json_build_array(${figures.join(', ')}) as figures from staging`,
  )
  return remarks.flatMap(({ said }, at) => {
    const { count, first } = found!.figures[at]!
    return count === 0 ? [] : [`${countNoun(count, 'row has', 'rows have')} ${said(first)}`]
  })
}
