import { type MoneyTerms, standardTerms } from '../config/money.ts'
import type { Sql } from '../db/db.ts'

const prefix = 'money.'

export async function readTerms(sql: Sql): Promise<MoneyTerms> {
  const rows = await sql.query<{ name: string; value: string }>(
    `select name, value from setting where starts_with(name, $1)`,
    [prefix],
  )
  const set = Object.fromEntries(rows.map(({ name, value }) => [name.slice(prefix.length), value]))
  return { ...standardTerms, ...set, minimumPayout: Number(set.minimumPayout ?? standardTerms.minimumPayout) }
}

/** The terms of the months that are still open; locked ones keep theirs. */
export async function writeTerms(sql: Sql, terms: MoneyTerms): Promise<void> {
  for (const [name, value] of Object.entries(terms))
    await sql.query(
      'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [`${prefix}${name}`, String(value)],
    )
}
