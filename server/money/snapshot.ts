import type { Sql } from '../db/db.ts'
import type { MonthSource } from './monthSource.ts'

const inputs = `
  select coalesce(jsonb_agg(to_jsonb(f) order by f.processor, f.batch), '[]') from (
    select r.processor, b.id as batch, b.filename, b.sha256, count(*) as rows, sum(r.sales) as sales, sum(r.income) as income,
      sum(r.expense) as expense, sum(r.net) as net, (select s.statednet from processor_statement s where s.month = $1 and s.processor = r.processor) as stated
    from residual r join import_batch b on b.id = r.batchid where r.month = $1 group by r.processor, b.id) f`

const rates = `
  select coalesce(jsonb_agg(jsonb_build_array(id, percent, flat, eqpercent, eqflat) order by id), '[]') from agent_month where month = $1`

/**
 * Freezes an open month under a lock that was just written: one statement, so that all of it is of one moment. Answers the SQL;
 * the id of the lock is the parameter after those of `source`.
 */
export const freeze = ({ ctes, values }: MonthSource) => {
  const lock = `$${values.length + 1}::int`
  return `with recursive ${ctes},
    numbered as materialized (select *, row_number() over (order by xmid collate "C", processor collate "C")::int as line from merchant_month),
    frozen_merchants as (insert into locked_merchant (lockid, line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown)
      select ${lock}, line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown from numbered),
    frozen_pay as (insert into locked_pay (lockid, masteragentid, fromagentid, line, percent, flat, amount, withheld)
      select ${lock}, p.masteragentid, p.fromagentid, n.line, p.percent, p.flat, p.amount, p.withheld
      from pay_line p join numbered n on n.xmid = p.xmid and n.processor = p.processor),
    frozen_lines as (insert into locked_statement_line (lockid, masteragentid, kind, label, amount, source)
      select ${lock}, masteragentid, kind, label, amount, source from statement_line),
    frozen_statements as (insert into locked_statement
      select ${lock}, masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own, override, withheld,
        equipment, adjustments, subscriptions, carryin, due, carryout, payable, hold from statement)
    update month_lock set inputs = (${inputs}), rates = (${rates}) where id = ${lock}`
}

const digest = (table: string, columns: string, order: string) => `
  select encode(sha256(coalesce(string_agg(sha256(convert_to(row(${columns})::text, 'UTF8')), ''::bytea order by ${order}), ''::bytea)), 'hex')
  from ${table} where lockid = $1`

/** Each part of a snapshot in an order of its own, so that the same content has the same hash wherever it is computed. */
const parts = [
  `select jsonb_build_array(month, terms, inputs, rates)::text from month_lock where id = $1`,
  digest(
    'locked_merchant',
    'line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown',
    'line',
  ),
  digest(
    'locked_pay',
    'masteragentid, fromagentid, line, percent, flat, amount, withheld',
    'masteragentid, line',
  ),
  digest(
    'locked_statement',
    `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own, override, withheld, equipment,
      adjustments, subscriptions, carryin, due, carryout, payable, hold`,
    'masteragentid',
  ),
  digest(
    'locked_statement_line',
    'masteragentid, kind, label, amount, source',
    'masteragentid, kind collate "C", source, label collate "C", amount',
  ),
]

/** SHA-256 of everything that a lock froze, worked out from the snapshot itself: equal to `month_lock.hash` as long as nobody touched it. */
export async function hashOf(sql: Sql, lockid: number): Promise<string> {
  const whole = parts.map((part) => `(${part})`).join(" || E'\\n' || ")
  const [row] = await sql.query<{ hash: string }>(
    `select encode(sha256(convert_to(${whole}, 'UTF8')), 'hex') as hash`,
    [lockid],
  )
  return row!.hash
}
