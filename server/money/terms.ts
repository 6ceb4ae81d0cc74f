import type { Sql } from '../db.ts'

/** What a reseller's contract may settle otherwise (domain, section 6). The same for every process on a database: rows of `setting`. */
export type MoneyTerms = {
  /** A merchant's loss is passed to the agents, or counts as 0. */
  netNegative: 'pass' | 'floor'
  /** What an agent's flat amount is paid for; a merchant counts while it is Active and processed something in the month. */
  amountBasis: 'perActiveMerchant' | 'perAgentMonth' | 'perTransaction'
  /** Dollars; what is due below it is carried forward. */
  minimumPayout: number
}

export const standardTerms: MoneyTerms = { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimumPayout: 0 }

const prefix = 'money.'

export async function readTerms(sql: Sql): Promise<MoneyTerms> {
  const rows = await sql.query<{ name: string; value: string }>(`select name, value from setting where starts_with(name, $1)`, [prefix])
  const set = Object.fromEntries(rows.map(({ name, value }) => [name.slice(prefix.length), value]))
  return { ...standardTerms, ...set, minimumPayout: Number(set.minimumPayout ?? standardTerms.minimumPayout) }
}

/** The terms of the months that are still open; locked ones keep theirs. */
export async function writeTerms(sql: Sql, terms: MoneyTerms): Promise<void> {
  for (const [name, value] of Object.entries(terms))
    await sql.query('insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value', [`${prefix}${name}`, String(value)])
}
