import { accountStatuses } from '../../../schemas/entities/merchant.ts'
import type { CellKind, Difference, Import } from '../../../schemas/imports/imports.ts'
import { maxListedDifferences } from '../../config/importLimits.ts'
import type { Sql } from '../../db/db.ts'

type Changed = { row: number; key: (string | null)[]; changed: Record<string, [unknown, unknown]> }
const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })
const day = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** What is stored, as a person reads it; '' for blank. */
function formatStored(kind: CellKind, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (kind === 'date') return day.format(Number(value) * 1000)
  if (kind === 'money') return dollars.format(Number(value))
  if (kind === 'percent') return `${number.format(Number(value))}%`
  if (kind === 'count') return number.format(Number(value))
  if (kind === 'flag') return value ? 'Yes' : 'No'
  if (kind === 'accountstatus')
    return accountStatuses.find((status) => status.const === value)?.title ?? String(value)
  return String(value)
}

/** Differs from cell to cell: the unknown columns are told one by one, under their own headings. */
const extraChanges = ([before, after]: [unknown, unknown]): [string, unknown, unknown][] => {
  const [old, next] = [before, after].map((value) => (value ?? {}) as Record<string, unknown>) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  return Object.keys(next)
    .filter((head) => old[head] !== next[head])
    .map((head) => [head, old[head], next[head]])
}

async function readAgentNames(sql: Sql, ids: unknown[]): Promise<Map<unknown, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: number; label: string }>(
    `select id, displayid || ' - ' || name as label from master_agent where id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** The first cells that a file would change, old to new, in the order of its rows. */
export async function listDifferences(
  sql: Sql,
  definition: Import,
  query: string,
  values: unknown[],
): Promise<Difference[]> {
  const rows = await sql.query<Changed>(`${query} limit ${maxListedDifferences}`, values)
  const agents = await readAgentNames(
    sql,
    rows.flatMap(({ changed }) => changed.masteragentid ?? []),
  )
  const found = rows.flatMap(({ row, key, changed }) => {
    const said = { row, key: key.filter(Boolean).join(' ') }
    const known = definition.columns.flatMap(({ head, field, kind }) => {
      const pair = changed[field]
      if (!pair) return []
      const [before, after] = pair.map((value) =>
        kind === 'agent' ? (agents.get(value) ?? '') : formatStored(kind, value),
      ) as [string, string]
      return [{ ...said, column: head, before, after }]
    })
    const unknown = changed.extra ? extraChanges(changed.extra) : []
    return [
      ...known,
      ...unknown.map(([column, before, after]) => ({
        ...said,
        column,
        before: String(before ?? ''),
        after: String(after),
      })),
    ]
  })
  return found.slice(0, maxListedDifferences)
}
