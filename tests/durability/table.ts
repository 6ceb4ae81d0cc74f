import { isGood, type Fault, type Outcome } from './fault.ts'

/** A row of the table; `outcome` is a sentence where the fault was not tried. */
export type Row = Pick<Fault, 'name' | 'what'> & { outcome: Outcome | string }

const heads = ['fault', 'times tried', 'acknowledged', 'found', 'lost', 'half-stored']

const cellsOf = ({ what, outcome }: Row): string[] => {
  if (typeof outcome === 'string') return [what, `not run: ${outcome}`]
  const { tried, acknowledged, found, half } = outcome
  return [
    what,
    ...[tried, acknowledged, found, acknowledged - found, half].map((it) => it.toLocaleString('en-US')),
  ]
}

/** A line of the table. */
export function rowOf(row: Row): string {
  const cells = cellsOf(row)
  return `| ${cells.join(' | ')} |${' |'.repeat(heads.length - cells.length)}`
}

/** The table in Markdown. */
export const tableOf = (rows: readonly Row[]): string =>
  [`| ${heads.join(' | ')} |`, '|---|--:|--:|--:|--:|--:|', ...rows.map(rowOf)].join('\n')

/** What was not as it must be, a sentence a line. A row that acknowledged nothing has shown nothing. */
export function complaintsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, outcome }) => {
    if (typeof outcome === 'string' || isGood(outcome)) return []
    const { acknowledged, found, half, problems } = outcome
    const counts = [
      acknowledged === 0 && 'nothing was acknowledged, so nothing was shown',
      found < acknowledged && `${acknowledged - found} of ${acknowledged} acknowledged are lost`,
      found > acknowledged && `${found - acknowledged} more than acknowledged were found`,
      half > 0 && `${half} are half-stored`,
    ]
    return [...counts.filter((it) => it !== false), ...problems].map((it) => `${name}: ${it}`)
  })
}
