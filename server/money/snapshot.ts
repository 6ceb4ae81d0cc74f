import type { Sql } from '../db/db.ts'
import { statedColumns, type MonthSource } from './monthSource.ts'

/** The files of the month, as JSON that is part of the hash. */
const filesJson = `
  select coalesce(jsonb_agg(to_jsonb(f) order by f.processor, f.batch), '[]') from (
    select r.processor, b.id as batch, b.filename, b.sha256, count(*) as rows, sum(r.sales) as sales,
      sum(r.income) as income, sum(r.expense) as expense, sum(r.net) as net,
      (select s.statednet from processor_statement s
        where s.month = $1 and s.processor = r.processor) as stated
    from residual r join import_batch b on b.id = r.batchid where r.month = $1 group by r.processor, b.id) f`

/** The four rates of every agent, as JSON that is part of the hash. */
const ratesJson = `
  select coalesce(jsonb_agg(jsonb_build_array(id, percent, flat, eqpercent, eqflat) order by id), '[]')
  from agent_month`

/** Columns of the snapshot tables, in the order in which they are hashed. */
const merchantColumns = `line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income,
  expense, net, house, isknown`
const payColumns = 'masteragentid, fromagentid, line, percent, flat, amount, withheld'
const agentColumns = `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, payoninactive,
  percent, flat, eqpercent, eqflat, routingnumber, bankaccountnumber, ischecking, isbusiness`
const terminalColumns = 'id, model, serialnumber, masteragentid, cost, soldfor'
const subscriptionColumns = 'id, masteragentid, amount, notes'
const lineColumns = 'masteragentid, kind, label, amount, source'

/**
 * Copies an open month under a lock that was just inserted (months 5). One statement, so that all of it is of
 * one moment.
 */
export async function writeSnapshot(sql: Sql, { ctes, values }: MonthSource, lockid: number): Promise<void> {
  const lock = `$${values.length + 1}::int`
  await sql.query(
    `with recursive ${ctes},
      numbered as materialized (
        select *, row_number() over (order by xmid collate "C", processor collate "C")::int as line
        from merchant_line),
      copied_merchants as (
        insert into locked_merchant (lockid, ${merchantColumns}, date_closed)
        select ${lock}, ${merchantColumns}, date_closed from numbered),
      copied_pay as (
        insert into locked_pay (lockid, ${payColumns})
        select ${lock}, p.masteragentid, p.fromagentid, n.line, p.percent, p.flat, p.amount, p.withheld
        from line p join numbered n on n.id = p.id),
      copied_lines as (
        insert into locked_statement_line (lockid, ${lineColumns})
        select ${lock}, ${lineColumns} from statement_line),
      copied_agents as (
        insert into locked_agent (lockid, ${agentColumns})
        select ${lock}, a.id, a.displayid, a.name, a.parentid, a.payeeid, a.isofficeaccount, a.payoninactive,
          m.percent, m.flat, m.eqpercent, m.eqflat, a.routingnumber, a.bankaccountnumber,
          a.isbankaccounttypechecking, a.isbankaccounttypebusiness
        from master_agent a join agent_month m on m.id = a.id),
      copied_terminals as (
        insert into locked_terminal (lockid, ${terminalColumns})
        select ${lock}, ${terminalColumns} from terminal where masteragentid is not null),
      copied_subscriptions as (
        insert into locked_subscription (lockid, ${subscriptionColumns})
        select ${lock}, ${subscriptionColumns} from subscription),
      copied_statements as (
        insert into locked_statement (lockid, ${statedColumns}, carryout, payable, hold)
        select ${lock}, ${statedColumns}, carryout, payable, hold from statement)
    update month_lock set inputs = (${filesJson}), rates = (${ratesJson}) where id = ${lock}`,
    [...values, lockid],
  )
}

const digestSql = (table: string, columns: string, order: string) => `
  select encode(
    sha256(coalesce(
      string_agg(sha256(convert_to(row(${columns})::text, 'UTF8')), ''::bytea order by ${order}),
      ''::bytea)),
    'hex')
  from ${table} where lockid = $1`

const merchantPart = digestSql('locked_merchant', merchantColumns, 'line')
const payPart = digestSql('locked_pay', payColumns, 'masteragentid, line')
const linePart = digestSql(
  'locked_statement_line',
  lineColumns,
  'masteragentid, kind collate "C", source, label collate "C", amount',
)

/**
 * What is hashed, by the formula that the lock was made with (months 7). Each part has an order of its own,
 * so that equal content has an equal hash wherever it is computed.
 */
const formulas: Record<number, readonly string[]> = {
  1: [
    `select jsonb_build_array(month, terms, inputs, rates)::text from month_lock where id = $1`,
    merchantPart,
    payPart,
    digestSql(
      'locked_statement',
      `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net,
        own, override, withheld, equipment, adjustments, subscriptions, carryin, due, carryout, payable,
        hold`,
      'masteragentid',
    ),
    linePart,
  ],
  2: [
    `select jsonb_build_array(month, terms, inputs, rates)::text from month_lock where id = $1`,
    merchantPart,
    payPart,
    digestSql('locked_statement', statedColumns, 'masteragentid'),
    linePart,
    digestSql('locked_agent', agentColumns, 'masteragentid'),
    digestSql('locked_terminal', terminalColumns, 'id'),
    digestSql('locked_subscription', subscriptionColumns, 'id'),
  ],
}

/**
 * SHA-256 (hex) of everything that a lock copied, computed from the snapshot: equal to `month_lock.hash`
 * (months 7).
 */
export async function snapshotHash(sql: Sql, lockid: number): Promise<string> {
  const [lock] = await sql.query<{ formula: number }>('select formula from month_lock where id = $1', [
    lockid,
  ])
  const joined = formulas[lock!.formula]!.map((part) => `(${part})`).join(" || E'\\n' || ")
  const [row] = await sql.query<{ hash: string }>(
    `select encode(sha256(convert_to(${joined}, 'UTF8')), 'hex') as hash`,
    [lockid],
  )
  return row!.hash
}
