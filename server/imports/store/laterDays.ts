import type { Import } from '../../../schemas/imports/imports.ts'
import { todaySql } from '../../db/today.ts'
import { formatCount } from './merchantChecks.ts'
import type { ImportStep } from './step.ts'

/**
 * A warning for each column whose days have happened and of which rows have one later than today: the year is
 * probably mistyped (imports 11). A report up to today would leave the row out.
 */
export async function laterDays({ sql }: ImportStep, { columns }: Import): Promise<string[]> {
  const past = columns.filter(({ kind, mayBeLater }) => kind === 'date' && !mayBeLater)
  if (past.length === 0) return []
  const figures = past.map(({ field }) => {
    const later = `filter (where ${field} > ${todaySql})`
    return `json_build_object('count', count(*) ${later}, 'first', min(row) ${later})`
  })
  const [found] = await sql.query<{ later: { count: number; first: number }[] }>(
    `select json_build_array(${figures.join(', ')}) as later from staging`,
  )
  return past.flatMap(({ head }, at) => {
    const { count, first } = found!.later[at]!
    const rows = formatCount(count, 'row has', 'rows have')
    return count === 0 ? [] : [`${rows} a ${head} later than today, first row ${first}`]
  })
}
