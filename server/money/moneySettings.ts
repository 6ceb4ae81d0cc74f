import { defaultMoneySettings, type MoneySettings } from '../config/money.ts'
import type { Sql } from '../db/db.ts'
import type { ReopenedLock } from './months.ts'

const prefix = 'money.'

/** The settings of the open months; a locked month keeps those of its lock (money 17). */
async function readMoneySettings(sql: Sql): Promise<MoneySettings> {
  const rows = await sql.query<{ name: string; value: string }>(
    `select name, value from setting where starts_with(name, $1)`,
    [prefix],
  )
  const stored: { [name: string]: string } = Object.fromEntries(
    rows.map(({ name, value }) => [name.slice(prefix.length), value]),
  )
  const minimumPayout = Number(stored.minimumPayout ?? defaultMoneySettings.minimumPayout)
  return { ...defaultMoneySettings, ...stored, minimumPayout }
}

/** The settings of an open month: those of its last lock, if it was locked before (months 9). */
export const readMonthSettings = async (
  sql: Sql,
  base: Pick<ReopenedLock, 'settings'> | null,
): Promise<MoneySettings> => ({
  ...(await readMoneySettings(sql)),
  ...base?.settings,
})

export async function writeMoneySettings(sql: Sql, settings: MoneySettings): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql.query(
      `insert into setting (name, value) values ($1, $2)
        on conflict (name) do update set value = excluded.value`,
      [`${prefix}${name}`, String(value)],
    )
}
