import { msInDay } from '../../schemas/dates.ts'
import type { Tx } from '../db/db.ts'
import { nextBankDay } from '../money/bankDays.ts'
import { lockMonthIn, reopenMonthIn } from '../money/lock.ts'
import { approveRun, readMonthRun } from '../payouts/approval.ts'
import { releaseRun } from '../payouts/release.ts'
import { addReturn } from '../payouts/returns/returns.ts'
import { randomSql } from './random.ts'
import { recordAdded } from './recordAdded.ts'

/** Those of the demo's months. */
export const processors = ['Aurora', 'Borealis', 'Corona']
const monthCount = 24
/** A number that differs for each merchant and month. */
const monthlySql = (below: number, purpose: number) => randomSql(below, purpose, `m.id || ' ' || o.n`)

/** ISO first days of the 24 months before that of `today`. */
const monthsUntil = (today: number): string[] => {
  const now = new Date(today * 1000)
  return Array.from({ length: monthCount }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthCount + n, 1))
      .toISOString()
      .slice(0, 10),
  )
}

/** One file for each month and processor, imported on the fifth of the next month. */
const insertBatches = `
  insert into import_batch (kind, filename, sha256, size, username, imported_at, fordate, processor, rows,
    inserted, updated, unchanged)
  select 'compdata', p || to_char(o.month, '_MonYYYY".csv"'),
    encode(sha256(convert_to(p || o.month, 'UTF8')), 'hex'), 0, 'importer',
    o.month + interval '1 month 4 days 9 hours', o.month, p, 0, 0, 0, 0
  from unnest($1::date[]) with ordinality o (month, n) cross join unnest($2::text[]) p order by o.n, p`

/**
 * Rows of the merchants that existed in each month: a quarter of them without volume, one in 25 with a loss,
 * a few after they were closed; in the last months three MIDs that are not in the portfolio. From the last
 * month four active merchants with volume are missing.
 */
const insertResiduals = `
  insert into residual (month, processor, xmid, dba, txncount, sales, income, expense, net, batchid)
  select o.month, m.processor, m.xmid, m.dba, t.txncount, t.sales, t.income, t.expense, t.income - t.expense,
    b.id
  from unnest($1::date[]) with ordinality o (month, n)
    cross join (select id, xmid, dba, processor, accountstatus, date_added from merchant
      union all select -n, '40000000000' || n, 'Stranger ' || n, ($2::text[])[n], 2, 0
        from generate_series(1, 3) n) m
    join import_batch b on b.kind = 'compdata' and b.fordate = o.month and b.processor = m.processor
    cross join lateral (select case when ${randomSql(100, 1)} < 23
      or ${monthlySql(100, 1)} < 2 then 0
      else 1 + ${randomSql(400, 2)} * (90 + ${monthlySql(21, 3)}) / 100 end as txncount,
        15 + ${randomSql(60, 4)} as ticket,
      ${monthlySql(500, 6)} * 0.01 as fees, ${monthlySql(100, 7)} < 4 as isloss,
      ${monthlySql(9000, 8)} * 0.01 as loss,
      (60 + ${randomSql(20, 9)}) * 0.01 as cost offset 0) k
    cross join lateral (select k.*, k.txncount * k.ticket + k.txncount * 0.37 as sales offset 0) s
    cross join lateral (select s.*,
      round(s.sales * 0.029 + s.txncount * 0.1 + s.fees, 2) as income offset 0) i
    cross join lateral (select i.*, case when i.isloss then i.income + 1 + i.loss
      else round(i.income * i.cost, 2) end as expense offset 0) t
  where m.date_added < extract(epoch from o.month::timestamp + interval '1 month')
    and (m.accountstatus <> 3 or ${monthlySql(4, 10)} = 0)
    and (m.id > 0 or o.n >= ${monthCount} - 2)
    and not (o.n = ${monthCount}
      and m.xmid in (select xmid from daily_volume group by xmid order by xmid limit 4))
  order by o.n, m.processor, m.xmid`

const sumBatches = `
  update import_batch b set rows = f.rows, inserted = f.rows, size = f.rows * 96,
    totals = jsonb_build_object('rows', f.rows, 'sales', f.sales, 'income', f.income, 'expense', f.expense,
      'net', f.net)
  from (select batchid, count(*) as rows, sum(sales) as sales, sum(income) as income,
      sum(expense) as expense, sum(net) as net
    from residual group by batchid) f where f.batchid = b.id`

/** Processor statements that agree with the files, but for one cent in the last month of Borealis. */
const insertStatements = `
  insert into processor_statement (processor, month, statednet, note)
  select processor, month, sum(net) + case when processor = 'Borealis' and month = $1 then 0.01 else 0 end, ''
  from residual group by processor, month order by month, processor`

/** Equipment rates of agents 2 to 45. */
const setEquipmentRates = `
  update master_agent
  set percentageequipmentcommissionreceived = case when id <= 9 then 50 when id <= 33 then 40 else 25 end,
    amountequipmentcommissionreceived = case when id % 3 = 0 then 15 end
  where id between 2 and 45`
/**
 * The rates of all agents, from the month $1 on. Who wrote them does not approve what they pay (payouts 12).
 */
const insertRates = `
  insert into agent_rate (masteragentid, field, value, from_month, username, changed_at)
  select a.id, f.field, f.value, $1::date, 'staff', $1::date from master_agent a, lateral (values
    ('percentagecommissionreceived', a.percentagecommissionreceived),
    ('amountcommissionreceived', a.amountcommissionreceived),
    ('percentageequipmentcommissionreceived', a.percentageequipmentcommissionreceived),
    ('amountequipmentcommissionreceived', a.amountequipmentcommissionreceived)) f (field, value)`
/** Agent 12 has its present percentage from the month $1 on, and 45 % before. */
const insertLaterRate = `
  insert into agent_rate (masteragentid, field, value, from_month, username, changed_at)
  select 12, field, value, $1::date, 'staff', $1::date from agent_rate
  where masteragentid = 12 and field = 'percentagecommissionreceived'`
const lowerFirstRate = `
  update agent_rate set value = 45
  where masteragentid = 12 and field = 'percentagecommissionreceived' and from_month = $1`

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
const insertAdjustment = `insert into adjustment (month, masteragentid, merchantid, amount, reason, author,
  recorded_at)
  values ($1, $2, $3, $4, $5, 'staff', least(now(), $1::date + interval '1 month 6 days 11 hours'))`

/**
 * Adds 24 months: 22 locked once, the 23rd locked twice, the last open. `today` is epoch seconds of a UTC
 * midnight.
 */
export async function addResiduals(tx: Tx, today: number, secret: Buffer) {
  const months = monthsUntil(today)
  const at = (n: number) => months[n - 1]!
  await tx.query(insertBatches, [months, processors])
  await tx.query(insertResiduals, [months, processors])
  await tx.query(sumBatches)
  await recordAdded(tx, 'residual')
  await tx.query(insertStatements, [at(monthCount)])
  await tx.query(setEquipmentRates)
  await tx.query(insertRates, [at(1)])
  await tx.query(insertLaterRate, [at(10)])
  await tx.query(lowerFirstRate, [at(1)])
  await tx.query(
    'update equipment set paidmonth = ($1::date[])[1 + id % $2::int] where paidmonth is not null',
    [months, monthCount],
  )
  await tx.query('update master_agent set payeeid = 21 where id = 20')
  await tx.query(`update master_agent set routingnumber = '123456789' where id = 30`)
  for (const [n, ...rest] of adjustments) await tx.query(insertAdjustment, [at(n), ...rest])
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
  await lockAll(tx, months, secret)
}

/**
 * Locks each month but the last on the eighth of the next, and releases its payments two days later; a
 * merchant and an agent are moved in between. One payment of the month before the last comes back.
 */
async function lockAll(tx: Tx, months: readonly string[], secret: Buffer) {
  const action = { username: 'staff', address: '127.0.0.1', waive: 'Looked at one by one' }
  const backdateLock = (id: number) =>
    tx.query(
      `update month_lock
        set (locked_at, changes_since) = (select at, at from (
          select month + interval '1 month 7 days 15 hours' + (version - 1) * interval '1 day' as at) t)
        where id = $1`,
      [id],
    )
  for (const [index, month] of months.slice(0, monthCount - 1).entries()) {
    if (index === 6)
      await tx.query(
        'update merchant set masteragentid = case when masteragentid = 14 then 15 else 14 end where id = 100',
      )
    if (index === 12) await tx.query('update master_agent set parentid = 3 where id = 26')
    await backdateLock((await lockMonthIn(tx, { month, ...action })).id)
    if (index < monthCount - 2) await releaseMonth(tx, month, secret)
  }
  const last = months[monthCount - 2]!
  await reopenMonthIn(tx, {
    month: last,
    reason: 'A bonus of MA0012 was forgotten',
    username: 'admin',
    address: '127.0.0.1',
  })
  await tx.query(`update month_lock set reopened_at = locked_at + interval '20 hours' where month = $1`, [
    last,
  ])
  await tx.query(insertAdjustment, [last, 12, null, 75, 'Bonus of the third quarter'])
  await backdateLock((await lockMonthIn(tx, { month: last, ...action })).id)
  await releaseMonth(tx, last, secret)
  await returnPayment(tx, last)
}

/** The administrator approves and releases what staff locked. */
async function releaseMonth(tx: Tx, month: string, secret: Buffer) {
  const now = new Date(Date.parse(`${month}T15:00:00Z`) + 40 * msInDay)
  const config = { ach: demoBank, timeZone: 'UTC' }
  const action = { month, username: 'admin', address: '127.0.0.1', secret, fourEyes: true, config, now }
  const { run } = await readMonthRun(tx, month, { secret, viewer: 'admin', fourEyes: true })
  if (run.total === 0) return
  await approveRun(tx, action, run.hash)
  await releaseRun(tx, action, { hash: run.hash, how: 'file' })
}

/** The bank of the demonstration files; files that a person releases need one of their own. */
const demoBank = {
  bank: 'Demonstration Bank',
  routing: '091000019',
  company: 'Technology Portal',
  companyId: '1234567890',
  ppd: 'PAYROLL',
  ccd: 'RESIDUALS',
}

/** The smallest payment of a month comes back. */
async function returnPayment(tx: Tx, month: string) {
  const [payment] = await tx.query<{ trace: string; effective: string }>(
    `select p.trace, p.effective::text as effective from payout_payment p
      join payout_release r on r.id = p.releaseid where r.month = $1 order by p.amount, p.id limit 1`,
    [month],
  )
  const date = nextBankDay(payment!.effective)
  const action = { month, username: 'staff', address: '127.0.0.1', today: date }
  await addReturn(tx, action, { trace: payment!.trace, code: 'R03', date })
}
