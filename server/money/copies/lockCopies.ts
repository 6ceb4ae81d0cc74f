import type { Sql } from '../../db/db.ts'

/** How much a lock copied: `month_lock.copies`, which grew with the portal. */
export async function copiesOfLock(sql: Sql, { id }: { id: number }): Promise<number> {
  const [row] = await sql.query<{ copies: number }>('select copies from month_lock where id = $1', [id])
  return row!.copies
}

/** What a lock with these `copies` kept besides figures of pay (months 5). */
export const keepsClosingDates = (copies: number) => copies >= 2
export const keepsCarryMonths = (copies: number) => copies >= 3
export const keepsPortfolio = (copies: number) => copies >= 3
