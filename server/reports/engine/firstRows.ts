import { escapeIdentifier } from 'pg'
import { amountColumns, decimalsOf, unitsOf, type Column } from './report.ts'

/** The field of the last row of `firstRowsSql` that holds the `Rest`. That row is not one of the report. */
const restField = 'report_rest'

/**
 * The number of the rows beyond the first ones, and their sums: by column, in the units of `unitsOf`, null
 * for a column that is blank in each of these rows.
 */
export type Rest = { count: number; sums: Record<string, number | null> }

/**
 * The statement of a report, cut to its first `most` rows with these fields, and a last row that holds the
 * `Rest`. To read a million rows and add them up takes the portal several times as long as PostgreSQL.
 */
export function firstRowsSql(
  sql: string,
  { columns, fields, most }: { columns: readonly Column[]; fields: readonly string[]; most: number },
): string {
  const names = fields.map(escapeIdentifier)
  const sums = amountColumns(columns).map((column) => {
    const amount = `${escapeIdentifier(column.name)}::numeric`
    return `'${column.name}', sum(round(${amount}, ${decimalsOf(column)})) * ${unitsOf(column)}`
  })
  return `
    with reported as materialized (${sql})
    select * from (select ${names.join(', ')}, null::jsonb as ${restField} from reported limit ${most}) shown
    union all
    select ${names.map(() => 'null').join(', ')},
      jsonb_build_object('count', count(*), 'sums', jsonb_build_object(${sums.join(', ')}))
    from (select * from reported offset ${most}) rest`
}

/** Takes the `Rest` out of a batch of `firstRowsSql`; undefined where the batch does not hold it. */
export function takeRest(batch: Record<string, unknown>[]): Rest | undefined {
  const rest = (batch.at(-1)?.[restField] ?? undefined) as Rest | undefined
  if (rest) batch.pop()
  return rest
}
