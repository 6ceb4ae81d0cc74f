import type { Sql } from './db.ts'
import { quoted } from './sql.ts'

/** The tables whose foreign keys point to a table without deleting along with it, as the database itself knows them. */
const pointers = `
  select c.conrelid::regclass::text as table, array_agg(a.attname::text) as columns
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = $1::regclass group by 1 order by 1`

/** '12 merchants, 1 user and 1 master agent', or null when nothing points to this record. */
export async function countReferences(sql: Sql, table: string, id: number): Promise<string | null> {
  const counts: string[] = []
  for (const pointer of await sql.query<{ table: string; columns: string[] }>(pointers, [quoted(table)])) {
    const points = pointer.columns.map((column) => `${quoted(column)} = $1`).join(' or ')
    const [count] = await sql.query<{ n: number }>(`select count(*) as n from ${pointer.table} where ${points}`, [id])
    if (count!.n === 0) continue
    const noun = pointer.table.replace(/^portal_/, '').replaceAll('_', ' ').replaceAll('"', '')
    counts.push(`${count!.n} ${noun}${count!.n === 1 || noun === 'equipment' ? '' : 's'}`)
  }
  const last = counts.pop()
  return last === undefined ? null : [counts.join(', '), last].filter(Boolean).join(' and ')
}
