import type { Sql } from '../db.ts'

const digest = (table: string, columns: string, order: string) => `
  select encode(sha256(coalesce(string_agg(sha256(convert_to(row(${columns})::text, 'UTF8')), ''::bytea order by ${order}), ''::bytea)), 'hex')
  from ${table} where lockid = $1`

/** Each part of a snapshot in an order of its own, so that the same content has the same hash wherever it is computed. */
const parts = [
  `select jsonb_build_array(month, terms, inputs, rates)::text from month_lock where id = $1`,
  digest('locked_merchant', 'line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown', 'line'),
  digest('locked_pay', 'masteragentid, fromagentid, line, percent, flat, amount, withheld', 'masteragentid, line'),
  digest(
    'locked_statement',
    `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own, override, withheld, equipment,
      adjustments, subscriptions, carryin, due, carryout, payable, hold`,
    'masteragentid',
  ),
  digest('locked_statement_line', 'masteragentid, kind, label, amount, source', 'masteragentid, kind collate "C", source, label collate "C", amount'),
]

/** SHA-256 of everything that a lock froze, worked out from the snapshot itself: equal to `month_lock.hash` as long as nobody touched it. */
export async function hashOf(sql: Sql, lockid: number): Promise<string> {
  const whole = parts.map((part) => `(${part})`).join(" || E'\\n' || ")
  const [row] = await sql.query<{ hash: string }>(`select encode(sha256(convert_to(${whole}, 'UTF8')), 'hex') as hash`, [lockid])
  return row!.hash
}
