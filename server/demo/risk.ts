import { secondsInDay } from '../../schemas/dates.ts'
import { imports } from '../../schemas/imports/imports.ts'
import type { Tx } from '../db/db.ts'
import { randomSql } from './random.ts'
import { recordAdded } from './recordAdded.ts'

const insertBatch = `insert into import_batch (kind, filename, sha256, size, username, imported_at, rows,
  inserted, updated, unchanged)
  values ($1, $2, encode(sha256(convert_to($2, 'UTF8')), 'hex'), 0, 'importer', to_timestamp($3), 0, 0, 0, 0)
    returning id`

/**
 * Cases of every type and status over half a year; last month, two merchants have more than one case in 100
 * sales. $1 is the batch, $2 today in epoch seconds.
 */
const insertChargebacks = `
  with last as (select date_trunc('month',
    to_timestamp($2) at time zone 'UTC') - interval '1 month' as month),
    selling as (select m.id, m.xmid, m.dba, r.txncount,
      row_number() over (order by abs(r.txncount - 120), m.id) as place
      from merchant m join residual r on r.xmid = m.xmid, last
      where r.month = last.month and r.txncount >= 40 and m.accountstatus = 2),
    cases as (select *, 1 + (n + place)::int % 28 as dayofmonth, 0 as back
      from selling, generate_series(1, 5) n where place <= 2
      union all select *, 1 + (${randomSql(27, 31, 'xmid')})::int, (${randomSql(6, 32, 'xmid')})::int
        from selling, generate_series(1, 1) n
        where place > 2 and txncount > 110 and ${randomSql(11, 33, 'xmid')} = 0)
  insert into chargeback (xmid, casenumber, dba, casetype, cardbrand, cardlast4, arn, authcode,
    transactiondate, transactionamount, filedate,
    amount, reasoncode, reasondescription, status, resolutionto, debitcredit, duedate, resolveddate, batchid)
  select xmid, 'CB' || to_char(month - make_interval(months => back), 'YYMM') || lpad(number::text, 5, '0'),
    dba,
    (array['chargeback', 'retrieval', 'chargeback', 'pre-arbitration', 'representment'])[1 + number % 5],
    (array['Visa', 'Mastercard', 'Discover', 'American Express'])[1 + number % 4],
    lpad((number * 37 % 10000)::text, 4, '0'),
    lpad((7400000 + number * 7919)::text, 23, '24'), lpad((number * 271 % 1000000)::text, 6, '0'),
    filed - (20 + number % 60) * ${secondsInDay}, amount, filed, amount, reason[1], reason[2], status,
    case status when 'Won' then 'Merchant' when 'Lost' then 'Cardholder' else '' end,
    case when status = 'Won' then 'Credit' else 'Debit' end,
    filed + 20 * ${secondsInDay}, case when status in ('Won', 'Lost', 'Expired')
      then filed + (15 + number % 10) * ${secondsInDay} end, $1
  from (select c.*, last.month, row_number() over (order by place, n) as number from cases c, last) c
    cross join lateral (select extract(epoch from month - make_interval(months => back,
      days => 1 - dayofmonth))::bigint as filed,
      round((10 + number * 7919 % 90000 / 100.0)::numeric, 2) as amount,
      (array['Open', 'Won', 'Lost', 'Under Review', 'Expired'])[1 + (number / 5)::int % 5] as status) f
    cross join lateral (values (0, array['10.4', 'Fraud, card absent']),
      (1, array['13.1', 'Goods not received']), (2, array['4853', 'Cardholder dispute']),
      (3, array['12.6', 'Duplicate processing'])) r (at, reason) where r.at = number % 4`

/** A case of another merchant with the case number of the first. */
const insertReusedNumber = `
  insert into chargeback (xmid, casenumber, dba, casetype, cardbrand, filedate, amount, reasoncode, status,
    debitcredit, duedate, batchid)
  select m.xmid, c.casenumber, m.dba, 'chargeback', 'Visa', c.filedate, 64.2, '13.1', 'Open', 'Debit',
    c.duedate, $1
  from (select * from chargeback order by id limit 1) c join merchant m on m.id = 500`

/** The history of each case. */
const insertStates = `
  insert into chargeback_state (chargebackid, casetype, status, amount, seen_at, batchid)
  select c.id, s.casetype, s.status, c.amount, to_timestamp(c.filedate + s.days * ${secondsInDay}), $1
  from chargeback c cross join lateral (
    select case when c.casetype = 'retrieval' then 'retrieval' else 'chargeback' end as casetype,
      'Open' as status, 1 as days
    union all select c.casetype, c.status, 16 where c.status <> 'Open'
      or c.casetype not in ('retrieval', 'chargeback')) s order by c.id, s.days`

/** Most merchants are compliant; some are expired, expire within 14 days, or have never enrolled. */
const insertPci = `
  insert into pci_compliance (xmid, dba, pcilevel, saqtype, saqstatus, saqreceived, scanrequired, scanstatus,
    lastscandate, compliancestatus,
    expirationdate, enrolleddate, vendor, noncompliancefee, batchid)
  select m.xmid, m.dba, 4, k.saq, case k.state when 'Not Enrolled' then 'Not Started'
    when 'Non-Compliant' then 'In Progress' else 'Complete' end,
    k.expires - 365 * ${secondsInDay}, k.scanned, case when not k.scanned then ''
      when k.state = 'Compliant' then 'Pass' else 'Fail' end,
    case when k.scanned and k.state <> 'Not Enrolled'
      then $2::bigint - (10 + ${randomSql(100, 43)}) * ${secondsInDay} end, k.state, k.expires,
    case when k.state <> 'Not Enrolled' then m.date_added + 30 * ${secondsInDay} end, k.vendor,
    case when k.state = 'Compliant' then 0 else 29.95 end, $1
  from merchant m cross join lateral (select ${randomSql(100, 41)} as share,
      (array['A', 'B', 'B-IP', 'C', 'D'])[1 + ${randomSql(5, 42)}] as saq,
      (array['SecurePath', 'TrustScan'])[1 + ${randomSql(2, 45)}] as vendor) d
    cross join lateral (select d.saq, d.saq in ('B-IP', 'C', 'D') as scanned,
      case when share < 5 then '' else d.vendor end as vendor,
      case when share < 5 then 'Not Enrolled' when share < 11 then 'Expired'
      when share < 15 then 'Non-Compliant' else 'Compliant' end as state,
      case when share < 5 then null
        when share < 11 then $2::bigint - (1 + ${randomSql(120, 44)}) * ${secondsInDay}
        when share < 15 then null
        when share < 19 then $2::bigint + (1 + ${randomSql(14, 44)}) * ${secondsInDay}
        else $2::bigint + (15 + ${randomSql(350, 44)}) * ${secondsInDay} end as expires) k
  where m.accountstatus = 2 order by m.id`

/**
 * Results that agree with the TIN status of the merchants, with every code from 0 to 8; notices went to
 * mismatches.
 */
const insertTins = `
  insert into tin_validation (xmid, dba, legalname, tinlast4, tintype, code, tinstatus, description,
    checkeddate, notice, noticedate, withholding,
    withholdingpercent, batchid)
  select m.xmid, m.dba, m.legalname, case when k.code = 1 then ''
    else lpad((${randomSql(10_000, 51)})::text, 4, '0') end,
    case when k.code in (1, 6, 7, 8) then null else 1 + ${randomSql(2, 52)} end, k.code, m.tinstatus,
    (array['', 'TIN missing or not nine digits', 'TIN not currently issued', 'Name and TIN do not match',
      'Invalid request', 'Duplicate request',
      'Matches as an SSN; the type was unknown', 'Matches as an EIN; the type was unknown',
      'Matches as both an SSN and an EIN; the type was unknown'])[1 + k.code],
    $2::bigint - (5 + ${randomSql(200, 53)}) * ${secondsInDay}, n.notice,
    case when n.notice = 2 then $2::bigint - 40 * ${secondsInDay}
      when n.notice = 1 then $2::bigint - 25 * ${secondsInDay} end,
    n.notice = 2, case when n.notice = 2 then 24 end, $1
  from merchant m
    cross join lateral (select (case m.tinstatus when 'Missing' then 1
      when 'Mismatch' then 2 + ${randomSql(2, 54)} when 'Error' then 4 + ${randomSql(2, 54)}
      else greatest(0, ${randomSql(60, 54)} - 51) end)::int as code) c
    cross join lateral (select case when m.tinstatus = 'Match' and c.code < 6 then 0
      else c.code end as code) k
    cross join lateral (select case when m.tinstatus <> 'Mismatch' then null
      when m.id = (select min(id) from merchant where tinstatus = 'Mismatch') then 2
        when ${randomSql(3, 55)} = 0 then 1 end as notice) n
  where m.tinstatus <> '' order by m.id`

/** What the TIN validation did to the merchants, which had no status before. */
const recordTinStatus = `
  insert into import_change (batchid, tablename, rowid, changed)
  select t.batchid, 'merchant', m.id, jsonb_build_object('tinstatus', jsonb_build_array('', m.tinstatus))
    || case when t.description = '' then '{}' else jsonb_build_object(
      'tinstatusdescription', jsonb_build_array('', t.description)) end
  from tin_validation t join merchant m on m.xmid = t.xmid where m.tinstatus <> ''`

/** Adds chargebacks, PCI compliance and TIN validation. `today` is epoch seconds of a UTC midnight. */
export async function addRisk(tx: Tx, today: number) {
  const addBatch = async (kind: string, filename: string) =>
    (await tx.query<{ id: number }>(insertBatch, [kind, filename, today - 2 * secondsInDay]))[0]!.id
  const cases = await addBatch('chargeback', 'chargebacks.csv')
  await tx.query(insertChargebacks, [cases, today])
  await tx.query(insertReusedNumber, [cases])
  await tx.query(insertStates, [cases])
  await tx.query(insertPci, [await addBatch('pcicompliance', 'pci compliance.csv'), today])
  await tx.query(insertTins, [await addBatch('tinvalidation', 'tin validation.csv'), today])
  for (const table of ['chargeback', 'chargeback_state', 'pci_compliance', 'tin_validation'])
    await recordAdded(tx, table)
  await tx.query(recordTinStatus)
  await tx.query(
    `update merchant m set tinstatusdescription = t.description
      from tin_validation t where t.xmid = m.xmid and t.description <> ''`,
  )
  for (const { table, totals = {} } of [imports.chargeback, imports.pcicompliance, imports.tinvalidation]) {
    const sums = Object.entries(totals).map(([name, field]) => `, '${name}', sum(${field})`)
    await tx.query(
      `update import_batch b set rows = t.n, inserted = t.n, size = t.n * 120, totals = t.totals
        from (
          select batchid, count(*) as n, jsonb_build_object('rows', count(*)${sums.join('')}) as totals
          from ${table} group by batchid) t
        where t.batchid = b.id`,
    )
  }
}
