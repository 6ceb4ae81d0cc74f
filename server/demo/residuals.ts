import type { Tx } from '../db/db.ts'
import { lockIn, reopenIn } from '../money/lock.ts'

const processors = ['Aurora', 'Borealis', 'Corona']
const count = 24
/** A number from 0 to `below` that is the same for the same merchant, month and purpose on every machine. */
const draw = (below: number, purpose: number, of = `m.id || ' ' || o.n`) =>
  `(hashtextextended(${of}, ${purpose}) & 2147483647) % ${below}`

/** The 24 months up to the last that is over: n from 1, ISO first days. */
const monthsBefore = (today: number): string[] => {
  const now = new Date(today * 1000)
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + n, 1)).toISOString().slice(0, 10),
  )
}

/** One file a month and processor, imported on the fifth of the next month. */
const batches = `
  insert into import_batch (kind, filename, sha256, size, username, imported_at, fordate, rows, inserted, updated, unchanged)
  select 'compdata', p || to_char(o.month, '_MonYYYY".csv"'), encode(sha256(convert_to(p || o.month, 'UTF8')), 'hex'), 0, 'importer',
    o.month + interval '1 month 4 days 9 hours', o.month, 0, 0, 0, 0
  from unnest($1::date[]) with ordinality o (month, n) cross join unnest($2::text[]) p order by o.n, p`

/**
 * Merchants of their time: a quarter without volume, one in 25 at a loss, few who go on after they were closed; three MIDs that
 * nobody knows; in the last month four active merchants with volume are missing.
 */
const residuals = `
  insert into residual (month, processor, xmid, dba, txncount, sales, income, expense, net, batchid)
  select o.month, m.processor, m.xmid, m.dba, t.txncount, t.sales, t.income, t.expense, t.income - t.expense, b.id
  from unnest($1::date[]) with ordinality o (month, n)
    cross join (select id, xmid, dba, processor, accountstatus, date_added from merchant
      union all select -n, '40000000000' || n, 'Stranger ' || n, ($2::text[])[n], 2, 0 from generate_series(1, 3) n) m
    join (select id, fordate, split_part(filename, '_', 1) as processor from import_batch where kind = 'compdata') b on b.fordate = o.month and b.processor = m.processor
    cross join lateral (select case when ${draw(100, 1, 'm.id::text')} < 23 or ${draw(100, 1)} < 2 then 0
      else 1 + ${draw(400, 2, 'm.id::text')} * (90 + ${draw(21, 3)}) / 100 end as txncount, 15 + ${draw(60, 4, 'm.id::text')} as ticket,
      ${draw(500, 6)} * 0.01 as fees, ${draw(100, 7)} < 4 as isloss, ${draw(9000, 8)} * 0.01 as loss,
      (60 + ${draw(20, 9, 'm.id::text')}) * 0.01 as cost offset 0) k
    cross join lateral (select k.*, k.txncount * k.ticket + k.txncount * 0.37 as sales offset 0) s
    cross join lateral (select s.*, round(s.sales * 0.029 + s.txncount * 0.1 + s.fees, 2) as income offset 0) i
    cross join lateral (select i.*, case when i.isloss then i.income + 1 + i.loss else round(i.income * i.cost, 2) end as expense offset 0) t
  where m.date_added < extract(epoch from o.month::timestamp + interval '1 month') and (m.accountstatus <> 3 or ${draw(4, 10)} = 0)
    and (m.id > 0 or o.n >= ${count} - 2)
    and not (o.n = ${count} and m.xmid in (select xmid from daily_volume group by xmid order by xmid limit 4))
  order by o.n, m.processor, m.xmid`

const summed = `
  update import_batch b set rows = f.rows, inserted = f.rows, size = f.rows * 96, totals = jsonb_build_object('rows', f.rows, 'income', f.income, 'expense', f.expense, 'net', f.net)
  from (select batchid, count(*) as rows, sum(income) as income, sum(expense) as expense, sum(net) as net from residual group by batchid) f where f.batchid = b.id`

/** As typed from the processors' own statements; the last of Borealis is off by a cent. */
const stated = `
  insert into processor_statement (processor, month, statednet, note)
  select processor, month, sum(net) + case when processor = 'Borealis' and month = $1 then 0.01 else 0 end, '' from residual group by processor, month order by month, processor`

/** The rates of all agents from the first month, of agent 12 a lower one until month 10; who sells terminals earns by them. */
const rates = [
  `update master_agent set percentageequipmentcommissionreceived = case when id <= 9 then 50 when id <= 33 then 40 else 25 end,
    amountequipmentcommissionreceived = case when id % 3 = 0 then 15 end where id between 2 and 45`,
  `insert into agent_rate (masteragentid, field, value, from_month, username)
    select a.id, f.field, f.value, $1, 'admin' from master_agent a, lateral (values
      ('percentagecommissionreceived', a.percentagecommissionreceived), ('amountcommissionreceived', a.amountcommissionreceived),
      ('percentageequipmentcommissionreceived', a.percentageequipmentcommissionreceived),
      ('amountequipmentcommissionreceived', a.amountequipmentcommissionreceived)) f (field, value)`,
  `insert into agent_rate (masteragentid, field, value, from_month, username)
    select 12, field, value, $2::date, 'admin' from agent_rate where masteragentid = 12 and field = 'percentagecommissionreceived'`,
  `update agent_rate set value = 45 where masteragentid = 12 and field = 'percentagecommissionreceived' and from_month = $1`,
]

const adjustments: readonly [
  month: number,
  agent: number | null,
  merchant: number | null,
  amount: number,
  reason: string,
][] = [
  [3, 10, null, 120, 'Bonus for ten new merchants'],
  [9, null, 41, -35.5, 'Chargeback fee paid for the merchant'],
  [15, 22, null, -80, 'Marketing material'],
  [22, 45, null, -5000, 'Advance of last year'],
  [24, 11, null, 42.25, 'Correction of the statement before'],
  [24, null, 77, -12, 'Terminal paper'],
]
const adjust = `insert into adjustment (month, masteragentid, merchantid, amount, reason, author, recorded_at)
  values ($1, $2, $3, $4, $5, 'staff', least(now(), $1::date + interval '1 month 6 days 11 hours'))`

/** 24 months of residuals, of which 22 are locked, the 23rd twice, and the last is open. `today` is epoch seconds of a UTC midnight. */
export async function addResiduals(tx: Tx, today: number) {
  const months = monthsBefore(today)
  const at = (n: number) => months[n - 1]!
  await tx.query(batches, [months, processors])
  await tx.query(residuals, [months, processors])
  await tx.query(summed)
  await tx.query(stated, [at(count)])
  await tx.query(rates[0]!)
  await tx.query(rates[1]!, [at(1)])
  await tx.query(rates[2]!.replace('$2', '$1'), [at(10)])
  await tx.query(rates[3]!, [at(1)])
  await tx.query(
    'update equipment set paidmonth = ($1::date[])[1 + id % $2::int] where paidmonth is not null',
    [months, count],
  )
  await tx.query('update master_agent set payeeid = 21 where id = 20')
  await tx.query(`update master_agent set routingnumber = '123456789' where id = 30`)
  for (const [n, ...rest] of adjustments) await tx.query(adjust, [at(n), ...rest])
  for (const table of [
    'residual',
    'merchant',
    'master_agent',
    'agent_rate',
    'import_batch',
    'equipment',
    'daily_volume',
  ])
    await tx.query(`analyze ${table}`)
  await lockAll(tx, months)
}

/** Each on the eighth of the next month. A merchant moves before month 7 is locked, an agent gets another parent before month 13. */
async function lockAll(tx: Tx, months: readonly string[]) {
  const deed = { username: 'staff', address: '127.0.0.1' }
  const dated = (id: number) =>
    tx.query(
      `update month_lock set locked_at = month + interval '1 month 7 days 15 hours' + (version - 1) * interval '1 day' where id = $1`,
      [id],
    )
  for (const [index, month] of months.slice(0, count - 1).entries()) {
    if (index === 6)
      await tx.query(
        'update merchant set masteragentid = case when masteragentid = 14 then 15 else 14 end where id = 100',
      )
    if (index === 12) await tx.query('update master_agent set parentid = 3 where id = 26')
    await dated((await lockIn(tx, { month, ...deed })).id)
  }
  const last = months[count - 2]!
  await reopenIn(tx, {
    month: last,
    reason: 'A bonus of MA0012 was forgotten',
    username: 'admin',
    address: '127.0.0.1',
  })
  await tx.query(`update month_lock set reopened_at = locked_at + interval '20 hours' where month = $1`, [
    last,
  ])
  await tx.query(adjust, [last, 12, null, 75, 'Bonus of the third quarter'])
  await dated((await lockIn(tx, { month: last, ...deed })).id)
}
