import type { Sql } from '../db/db.ts'
import { carryCopy } from './copies/carry.ts'
import { portfolioCopies } from './copies/portfolioSnapshot.ts'
import { statedColumns, type OpenMonthSource } from './monthSource.ts'

/** The files of the month, as JSON that is part of the hash. */
const filesJson = `
  select coalesce(jsonb_agg(to_jsonb(f) order by f.processor, f.batch), '[]') from (
    select r.processor, b.id as batch, b.filename, b.sha256, sum(r.rows) as rows, sum(r.sales) as sales,
      sum(r.income) as income, sum(r.expense) as expense, sum(r.net) as net,
      (select s.statednet from processor_statement s
        where s.month = $1 and s.processor = r.processor) as stated
    from month_sum r join import_batch b on b.id = r.batchid group by r.processor, b.id) f`

/** An agent `m` that a reopened month's copy lacks is copied only where it has a statement. */
const isCopied = 'm.isused or m.id in (select masteragentid from earned)'

/** The four rates of every agent that is copied, as JSON that is part of the hash. */
const ratesJson = `
  select coalesce(jsonb_agg(jsonb_build_array(id, trim_scale(percent), trim_scale(flat),
    trim_scale(eqpercent), trim_scale(eqflat)) order by id), '[]')
  from agent_month m where ${isCopied}`

/** Columns of the snapshot tables, in the order in which they are hashed. */
const merchantColumns = `line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income,
  expense, net, house, isknown`
const payColumns = 'masteragentid, fromagentid, line, percent, flat, amount, withheld'
const payPartColumns = 'masteragentid, part, lines, fromagentids, percents, flats, amounts, withhelds'
const shareColumns = 'masteragentid, origin, part, fromagentid, percent, lines, flats, amounts, withhelds'
const agentColumns = `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, payoninactive,
  percent, flat, eqpercent, eqflat, routingnumber, bankaccountnumber, ischecking, isbusiness`
const terminalColumns = 'id, model, serialnumber, masteragentid, cost, soldfor'
const subscriptionColumns = 'id, masteragentid, amount, notes'
const adjustedColumns = 'dba, masteragentid, accountstatus, date_closed'
const lineColumns = 'masteragentid, kind, label, amount, source'

/**
 * Copies an open month under a lock that was just inserted (months 5). One statement, so that all of it is of
 * one moment.
 */
export async function writeSnapshot(
  sql: Sql,
  { ctes, values, merchants, adjusted }: OpenMonthSource,
  lockid: number,
): Promise<void> {
  const lock = `$${values.length + 1}::int`
  await sql.query(
    `with recursive ${ctes},
      copied_merchants as (
        insert into locked_merchant (lockid, ${merchantColumns}, date_closed)
        select ${lock}, ${merchantColumns}, date_closed from merchant_line),
      copied_pay as (
        insert into locked_share (lockid, ${shareColumns})
        select ${lock}, masteragentid, origin, part, via, percent, lines, flats, amounts, withhelds
        from pay_share),
      copied_lines as (
        insert into locked_statement_line (lockid, ${lineColumns})
        select ${lock}, ${lineColumns} from statement_line),
      copied_agents as (
        insert into locked_agent (lockid, ${agentColumns})
        select ${lock}, m.id, m.displayid, m.name, m.parentid, m.payeeid, m.isofficeaccount, m.payoninactive,
          m.percent, m.flat, m.eqpercent, m.eqflat, coalesce(a.routingnumber, ''), a.bankaccountnumber,
          coalesce(a.isbankaccounttypechecking, true), coalesce(a.isbankaccounttypebusiness, true)
        from agent_month m left join master_agent a on a.id = m.id
        where ${isCopied}),
      copied_adjusted as (
        insert into locked_adjusted_merchant (lockid, xmid, ${adjustedColumns})
        select distinct ${lock}, m.xmid, m.dba, m.masteragentid, m.accountstatus, m.date_closed
        from adjustment j join ${adjusted} m on m.id = j.merchantid
        where j.month = $1
          and not exists (select from residual r join ${merchants} k on k.xmid = r.xmid
            where r.month = $1 and r.xmid = m.xmid)),
      copied_terminals as (
        insert into locked_terminal (lockid, ${terminalColumns})
        select ${lock}, ${terminalColumns} from terminal where masteragentid is not null),
      copied_subscriptions as (
        insert into locked_subscription (lockid, ${subscriptionColumns})
        select ${lock}, ${subscriptionColumns} from subscription),
      ${portfolioCopies(lock)},
      ${carryCopy(lock)},
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
const statementPart = digestSql('locked_statement', statedColumns, 'masteragentid')
const linePart = digestSql(
  'locked_statement_line',
  lineColumns,
  'masteragentid, kind collate "C", source, label collate "C", amount',
)

const headPart = `select jsonb_build_array(month, terms, inputs, rates)::text from month_lock where id = $1`
const recordParts = [
  digestSql('locked_agent', agentColumns, 'masteragentid'),
  digestSql('locked_terminal', terminalColumns, 'id'),
  digestSql('locked_subscription', subscriptionColumns, 'id'),
]

/** SQL condition: the line with which a thousand begins; lines are numbered from 1. */
const beginsThousand = '(line % 1000 = 0 or line = 1)'
/**
 * The merchants as a digest of digests of a thousand lines each: one for each line would take longer. The
 * lines with which the thousands begin are found by a scan that PostgreSQL divides between processes, each of
 * which reads its thousands by the index. A lock has all lines from 1 on. Thousands without their first line
 * are hashed as well, so that rows that are added or renumbered afterwards change the hash.
 */
const merchantThousandsPart = `
  select encode(sha256(coalesce(string_agg(digest, ''::bytea order by thousand), ''::bytea)), 'hex')
  from (
    (select line / 1000 as thousand, locked_thousand_digest(lockid, line / 1000) as digest
      from locked_merchant where lockid = $1 and ${beginsThousand} offset 0)
    union all
    select thousand, locked_thousand_digest($1, thousand)
    from (select line / 1000 as thousand from locked_merchant where lockid = $1
      group by 1 having not bool_or${beginsThousand}) r) t`
const otherParts = [
  statementPart,
  linePart,
  ...recordParts,
  digestSql('locked_adjusted_merchant', `xmid, ${adjustedColumns}`, 'xmid collate "C"'),
]

/**
 * What is hashed, by the formula that the lock was made with (months 7). Each part has an order of its own,
 * so that equal content has an equal hash wherever it is computed.
 */
const formulas: Record<number, readonly string[]> = {
  1: [
    headPart,
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
  2: [headPart, merchantPart, payPart, statementPart, linePart, ...recordParts],
  3: [
    headPart,
    merchantThousandsPart,
    digestSql('locked_pay_part', payPartColumns, 'masteragentid, part'),
    ...otherParts,
  ],
  4: [
    headPart,
    merchantThousandsPart,
    digestSql('locked_share', shareColumns, 'masteragentid, origin, part'),
    ...otherParts,
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
