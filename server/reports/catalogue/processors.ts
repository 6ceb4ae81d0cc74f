import { imports } from '../../../schemas/imports/imports.ts'
import { importRule } from '../../../schemas/imports/kinds.ts'
import { everyone, worksOnMonths } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import type { Caller } from '../../http/call.ts'
import { merchantLink } from '../../money/checklist/checks.ts'
import { copiesOfLock, keepsPortfolio } from '../../money/copies/lockCopies.ts'
import { monthSource } from '../../money/monthSource.ts'
import { isActiveSql, processorsOfFiles } from '../../money/variance/missingSql.ts'
import { filesOf } from '../../money/variance/presence.ts'
import { monthInput } from '../engine/monthInput.ts'
import { agentNamesSql } from '../engine/publishedMonths.ts'
import {
  count,
  defineReport,
  id,
  linked,
  money,
  monthColumn,
  namesAgent,
  namesMerchant,
  placeholders,
  text,
} from '../engine/report.ts'

/** SQL of the link of a processor's files: to the import of one file, to the month of several (reports 4). */
const fileLink = (caller: Caller, month: string) => {
  const ofImport = importRule(imports.compdata)(caller)
  return `case when ${ofImport} and count(distinct b.id) = 1
        then '${imports.compdata.path}?batch=' || min(b.id)
      when ${worksOnMonths(caller)} then to_char(${month}, '"/month/"YYYY-MM') end`
}

/** The sums of each processor's files beside those of its statement (reports 16). */
export const controlTotals = defineReport({
  id: 'processor-control-totals',
  name: 'Processor Control Totals',
  group: 'Months and Files',
  description: "What each processor's file adds up to, beside what its statement says.",
  figure: { column: 'net', words: 'Net of all files' },
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput },
  columns: [
    text('processor', 'Processor', { text: 'Total' }),
    linked(text('files', 'File'), 'filelink'),
    count('lines', 'Rows', 'sum'),
    count('txncount', 'Transactions', 'sum'),
    money('sales', 'Volume', 'sum'),
    money('income', 'Income', 'sum'),
    money('expense', 'Expenses', 'sum'),
    money('net', 'Net', 'sum'),
    money('statednet', 'Stated Net', 'sum'),
    money('difference', 'Difference', 'sum'),
    text('note', 'Note'),
  ],
  async query({ sql, inputs, scope, caller }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const [scopeParam, monthParam] = [bind(scope), bind(inputs.month)]
    const rows = `
      with recursive ${source.ctes},
      held as (
        select processor, count(*) as lines, sum(txncount) as txncount, sum(sales) as sales,
          sum(income) as income,
          sum(expense) as expense, sum(net) as net
        from merchant_month where ${agentInScope(scopeParam, 'masteragentid')} group by processor),
      stated as (select processor, statednet, nofile, note from processor_statement
        where month = ${monthParam}::date and ${scopeParam}::int[] is null),
      file as (
        select r.processor, string_agg(distinct b.filename, ', ' order by b.filename) as files,
          ${fileLink(caller, `${monthParam}::date`)} as filelink
        from (${filesOf(`${monthParam}::date`)}) r join import_batch b on b.id = r.batchid
        where ${scopeParam}::int[] is null group by r.processor)
      select processor, f.files, f.filelink, coalesce(h.lines, 0) as lines,
        coalesce(h.txncount, 0) as txncount,
        coalesce(h.sales, 0) as sales,
        coalesce(h.income, 0) as income, coalesce(h.expense, 0) as expense, coalesce(h.net, 0) as net,
        s.statednet, coalesce(h.net, 0) - s.statednet as difference,
        concat_ws('; ', case when s.nofile then 'No file this month' end, nullif(s.note, '')) as note
      from held h full join stated s using (processor) left join file f using (processor)
      order by processor`
    return { sql: rows, values, lock: source.lock }
  },
})

/** The CTE portfolio: the merchants that are active on the first `day` of a month or later. */
const openPortfolio = (day: string) => `
  portfolio as (
    select m.xmid, m.dba, m.masteragentid, m.processor from merchant m where ${isActiveSql('m', day)})`

/**
 * The CTE portfolio of a locked month. Merchants of its files are as the lock copied them. Those whose ids it
 * copied count as active, with the agent of the copy. All others are as they are today (reports 28).
 */
const lockedPortfolio = (day: string, lock: string) => `
  lockedactive as (
    select x.xmid, k.masteragentid from locked_portfolio k
      cross join unnest(k.stayed || k.lost || k.joined) x (xmid) where k.lockid = ${lock}::int),
  copied as (
    select distinct on (xmid) xmid, dba, masteragentid, accountstatus, date_closed from locked_merchant
    where lockid = ${lock}::int and isknown order by xmid, line),
  portfolio as (
    select xmid, coalesce(c.dba, m.dba, '') as dba, coalesce(m.processor, '') as processor,
      case when c.dba is not null then c.masteragentid when k.id is not null then k.masteragentid
        else m.masteragentid end as masteragentid
    from merchant m full join (select xmid, xmid as id, masteragentid from lockedactive) k using (xmid)
      full join copied c using (xmid)
    where case when c.dba is not null then ${isActiveSql('c', day)}
      else k.id is not null and m.accountstatus is distinct from 1 or ${isActiveSql('m', day)} end)`

/**
 * The CTE absent: the merchants of `portfolio` that pass `isVisible` and have volume, but no row in any file
 * of the month `day` (part 2), or none in the file of the processor that had one the month before (part 3).
 * Of earlier months only the rows of these merchants are read.
 */
const absentCtes = (day: string, isVisible: string) => {
  const inFile = `select from residual r where r.xmid = m.xmid and r.month = ${day}`
  return `
    volume as materialized (
      select xmid, sum(salesamount) as sales from daily_volume
      where volumedate >= ${day} and volumedate < ${day} + interval '1 month'
      group by xmid),
    left_out as materialized (
      select b.xmid, b.processor from residual b
      where b.month = (${day} - interval '1 month')::date and not exists (
        select from residual r
        where r.month = ${day} and r.processor = b.processor and r.xmid = b.xmid)),
    delivered as materialized (
      select p.processor, w.month from month_with_data w
        cross join lateral (${processorsOfFiles('w.month')}) p
      where w.month <= ${day}),
    absent as (
      select m.xmid, m.dba, m.masteragentid, coalesce(s.processor, m.processor) as processor, s.first,
        s.last, s.n, v.sales, 2 as part
      from portfolio m join volume v using (xmid)
        left join lateral (
          select r.processor, min(r.month) as first, max(r.month) as last, count(*) as n
          from residual r where r.xmid = m.xmid and r.month < ${day}
          group by r.processor order by last desc, r.processor limit 1) s on true
      where ${isVisible} and not exists (${inFile})
      union all
      select m.xmid, m.dba, m.masteragentid, l.processor, s.first, s.last, s.n,
        case when not f.isinfile then 0 end, 3
      from left_out l join portfolio m using (xmid)
        cross join lateral (select exists (${inFile}) as isinfile) f
        cross join lateral (
          select min(r.month) as first, max(r.month) as last, count(*) as n
          from residual r
          where r.xmid = l.xmid and r.processor = l.processor and r.month < ${day}) s
      where ${isVisible}
        and (f.isinfile or not exists (select from volume v where v.xmid = l.xmid)))`
}

/** MIDs in a month's files and not in the portfolio, and the other way round (reports 28). */
export const unmatchedMids = defineReport({
  id: 'missing-unmatched-mids',
  name: 'Missing and Unmatched MIDs',
  group: 'Months and Files',
  description: 'MIDs that are in a file and not in the portfolio, and the other way round.',
  figure: { column: null, words: 'MIDs' },
  sections: ['finding'],
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput },
  columns: [
    text('finding', 'Finding', { text: 'Total' }),
    text('processor', 'Processor'),
    linked(id('xmid', 'Merchant ID'), 'link'),
    namesMerchant(text('dba', 'DBA')),
    namesAgent(text('agent', 'Master Agent')),
    money('sales', 'Volume', 'sum'),
    money('net', 'Net', 'sum'),
    count('missing', 'Months Missing'),
    monthColumn('last', 'Last Month in a File'),
  ],
  async query({ sql, inputs, scope }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const [scopeParam, monthParam, names] = [bind(scope), bind(inputs.month), agentNamesSql(source, bind)]
    const isKept = source.lock !== null && keepsPortfolio(await copiesOfLock(sql, source.lock))
    const day = `${monthParam}::date`
    const portfolio = isKept ? lockedPortfolio(day, bind(source.lock!.id)) : openPortfolio(day)
    const rows = `
      with recursive ${source.ctes}, ${portfolio},
        ${absentCtes(day, agentInScope(scopeParam, 'm.masteragentid'))}
      select finding, processor, xmid, dba, agent, sales, net, missing, last,
        case when part = 1 then ${merchantLink('f.xmid', 'f.dba')} end as link
      from (
        select 'In a file, not in the portfolio' as finding, processor, xmid, dba, null as agent, sales, net,
          null::bigint as missing,
          null as last, 1 as part
        from merchant_month where not isknown and ${scopeParam}::int[] is null
        union all
        select
          case when b.part = 2 then 'In the portfolio with volume, not in a file'
            else 'In the file of the month before, not in this one' end,
          b.processor, b.xmid, b.dba, a.displayid || ' - ' || a.name, b.sales, null,
          (select count(*) from delivered d where d.processor = b.processor and d.month >= b.first) - b.n,
          to_char(b.last, 'YYYY-MM'), b.part
        from absent b left join ${names} a on a.id = b.masteragentid) f
      order by part, processor, sales desc nulls last, xmid collate "C"`
    return { sql: rows, values, lock: source.lock }
  },
})
