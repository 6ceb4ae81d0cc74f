import type { ImportColumn } from '../../../schemas/imports/imports.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { todaySql } from '../../db/today.ts'
import type { Importer } from './importer.ts'
import type { ImportStep } from './step.ts'
import { usedParameters } from './storeRows.ts'

/**
 * Which values of a column are warned of: an SQL condition on staged rows (s), and what is said of rows that
 * meet it. `stays`: a row whose value is stored already is not warned of.
 */
type Remark = { condition: string; said: (first: number) => string; stays?: string }
type Figures = { count: number; first: number }

function remarksOn({ head, field, kind, mayBeLater, isCost }: ImportColumn): Remark[] {
  // The year is probably mistyped, and a report that ends today would not have the row.
  if (kind === 'date' && !mayBeLater)
    return [
      {
        condition: `s.${field} > ${todaySql}`,
        said: (first) => `a ${head} later than today, first row ${first}`,
      },
    ]
  // A file that gives all costs as negative amounts raises the net by what it means to subtract.
  if (isCost)
    return [
      {
        condition: `s.${field} < 0`,
        stays: field,
        said: (first) => `an amount below 0 in ${head}, first row ${first}: it counts as a credit`,
      },
    ]
  return []
}

/** The rows that meet a condition and whose value is not the stored one of their record. */
async function countNewOnes(step: ImportStep, importer: Importer, condition: string, field: string) {
  const { table, matches } = importer.upsert
  const statement = `select count(*)::int as count, min(s.row) as first
    from staging s left join ${table} m on ${matches}
    where ${condition} and m.${field} is distinct from s.${field}`
  const values = usedParameters(statement, importer.parameters(step))
  return (await step.sql.query<Figures>(statement, values))[0]!
}

/** A warning for each column in which rows have a value that is possible and seldom meant (imports 15). */
export async function unlikelyValues(step: ImportStep, importer: Importer): Promise<string[]> {
  const remarks = importer.definition.columns.flatMap(remarksOn)
  if (remarks.length === 0) return []
  const figures = remarks.map(({ condition }) => {
    const filter = `filter (where ${condition})`
    return `json_build_object('count', count(*) ${filter}, 'first', min(row) ${filter})`
  })
  const [found] = await step.sql.query<{ figures: Figures[] }>(
    `select json_build_array(${figures.join(', ')}) as figures from staging s`,
  )
  const warnings: string[] = []
  for (const [at, { condition, stays, said }] of remarks.entries()) {
    const all = found!.figures[at]!
    const { count, first } =
      all.count > 0 && stays ? await countNewOnes(step, importer, condition, stays) : all
    if (count > 0) warnings.push(`${countNoun(count, 'row has', 'rows have')} ${said(first)}`)
  }
  return warnings
}
