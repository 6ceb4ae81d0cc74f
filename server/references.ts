import type { Sql } from './db.ts'
import { quoted } from './sql.ts'

/** Every foreign key that points to a table without deleting along with it, as the database itself knows it. */
const pointers = `
  select c.conrelid::regclass::text as table, a.attname as column
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = $1::regclass order by 1`

/** '12 merchants and 1 master agent', or null when nothing points to this record. */
export async function countReferences(sql: Sql, table: string, id: number): Promise<string | null> {
  const counts: string[] = []
  for (const pointer of await sql.query<{ table: string; column: string }>(pointers, [quoted(table)])) {
    const [count] = await sql.query<{ n: number }>(`select count(*) as n from ${pointer.table} where ${quoted(pointer.column)} = $1`, [id])
    if (count!.n === 0) continue
    const noun = pointer.table.replace(/^portal_/, '').replaceAll('_', ' ').replaceAll('"', '')
    counts.push(`${count!.n} ${noun}${count!.n === 1 || noun === 'equipment' ? '' : 's'}`)
  }
  return counts.length ? counts.join(' and ') : null
}
