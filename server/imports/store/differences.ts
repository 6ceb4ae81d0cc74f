import { accountStatuses } from '../../../schemas/entities/merchant.ts'
import type { Difference, Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { maxListedDifferences } from '../../config/importLimits.ts'
import type { Sql } from '../../db/db.ts'

type ChangedRow = { row: number; key: (string | null)[]; changed: Record<string, [unknown, unknown]> }
const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })
const day = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** A stored value as a person reads it; '' for a blank one. */
function formatStored({ kind, choices, wordsOnly }: ImportColumn, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (kind === 'date') return day.format(Number(value) * 1000)
  if (kind === 'money') return dollars.format(Number(value))
  if (kind === 'percent') return `${number.format(Number(value))}%`
  if (kind === 'count') return number.format(Number(value))
  if (kind === 'flag') return value ? 'Yes' : 'No'
  if (kind === 'accountstatus')
    return accountStatuses.find((status) => status.const === value)?.title ?? String(value)
  // Its figure means another thing elsewhere (imports 33).
  if (wordsOnly) return choices?.find((choice) => choice.value === String(value))?.words[0] ?? String(value)
  return String(value)
}

/** The unknown columns that differ: heading, value before, value after. */
const extraChanges = ([before, after]: [unknown, unknown]): [string, unknown, unknown][] => {
  const stored = (before ?? {}) as Record<string, unknown>
  const given = (after ?? {}) as Record<string, unknown>
  return Object.keys(given)
    .filter((head) => stored[head] !== given[head])
    .map((head) => [head, stored[head], given[head]])
}

async function readAgentNames(sql: Sql, ids: unknown[]): Promise<Map<unknown, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: number; label: string }>(
    `select id, displayid || ' - ' || name as label from master_agent where id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/**
 * The first cells that a file would change, in the order of its rows; `query` is the upsert's `differences`.
 */
export async function listDifferences(
  sql: Sql,
  definition: Import,
  query: string,
  values: unknown[],
): Promise<Difference[]> {
  const rows = await sql.query<ChangedRow>(`${query} limit ${maxListedDifferences}`, values)
  const agents = await readAgentNames(
    sql,
    rows.flatMap(({ changed }) => changed.masteragentid ?? []),
  )
  const found = rows.flatMap(({ row, key, changed }) => {
    const place = { row, key: key.filter(Boolean).join(' ') }
    const known = definition.columns.flatMap((column) => {
      const { head, field, kind } = column
      const pair = changed[field]
      if (!pair) return []
      const [before, after] = pair.map((value) =>
        kind === 'agent' ? (agents.get(value) ?? '') : formatStored(column, value),
      ) as [string, string]
      return [{ ...place, column: head, before, after }]
    })
    const unknown = changed.extra ? extraChanges(changed.extra) : []
    return [
      ...known,
      ...unknown.map(([column, before, after]) => ({
        ...place,
        column,
        before: String(before ?? ''),
        after: String(after),
      })),
    ]
  })
  return found.slice(0, maxListedDifferences)
}
