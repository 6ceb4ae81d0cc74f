import { merchantRelation } from '../monthRecords.ts'
import {
  earnedCtes,
  extraCte,
  flatTimeCte,
  inactiveSql,
  percentedSql,
  shareCtes,
  shareSql,
  type ChainArrays,
} from '../openMonth.ts'

/*
 * The relations of a month that is being locked (months 5). A lock keeps every row and every line of pay, so
 * each row is read and joined with its merchant once, and what agents earn is the sum of the lines it keeps.
 * Parameters as in openMonth.ts, with all agents wanted.
 */

/** So many lines of the snapshot make a part: what an agent earns by them is one row. */
const linesOfPart = 100_000

/**
 * month_row: the rows of the files with their merchants, numbered in the order of MID and processor. `base`
 * is what percentages apply to, in cents; `isfirst` is the first row of its MID.
 */
const monthRowCte = (merchants: string) => `
  month_row as materialized (
    select row_number() over by_mid::int as line, xmid is distinct from lag(xmid) over by_mid as isfirst, w.*
    from (
      select r.id, r.month, r.batchid, r.xmid, coalesce(m.dba, r.dba) as dba, m.masteragentid,
        m.accountstatus, m.date_closed, r.processor, r.txncount, r.sales, r.income, r.expense, r.net,
        ${percentedSql} as base, m.xmid is not null as isknown,
        coalesce(${inactiveSql}, false) as isinactive
      from residual r left join ${merchants} m on m.xmid = r.xmid
      where r.month = $1) w
    window by_mid as (order by xmid collate "C", processor collate "C"))`

/** Rows of files with the columns of their merchants, as `flatTimeCte` wants them. */
const rowsWithMerchants =
  'month_row r cross join lateral (select r.masteragentid, r.accountstatus, r.date_closed) m'

const cents = shareSql('r.base', 'c.rate')
const hasFlat = 'c.via is null and f.times > 0'

/**
 * pay_part: the lines of pay as `locked_pay_part` keeps them, with the sums of each part in dollars. Amounts
 * are worked out before the lines are sorted, or each array would do it anew.
 */
const payPartCte = `
  pay_part as materialized (
    select p.masteragentid, p.line / ${linesOfPart} as part, array_agg(p.line order by p.line) as lines,
      array_agg(p.via order by p.line) as fromagentids, array_agg(p.percent order by p.line) as percents,
      array_agg(p.flat order by p.line) as flats,
      array_agg(case when p.isheld then 0 else p.earned end order by p.line) as amounts,
      array_agg(case when p.isheld then p.earned else 0 end order by p.line) as withhelds,
      coalesce(sum(p.earned) filter (where p.via is null and not p.isheld), 0) as own,
      coalesce(sum(p.earned) filter (where p.via is not null and not p.isheld), 0) as override,
      coalesce(sum(p.earned) filter (where p.isheld), 0) as withheld
    from (
      select c.masteragentid, r.line, c.via, c.percent,
        case when ${hasFlat} then c.flat * f.times else 0 end as flat,
        case when ${hasFlat} then ${cents} * 0.01 + c.flat * f.times else ${cents} * 0.01 end as earned,
        r.isinactive and not c.payoninactive as isheld
      from month_row r left join flat_time f on f.id = r.id
        join chain c on c.origin = r.masteragentid and (c.via is null or c.rate > 0)
      offset 0) p
    group by p.masteragentid, p.line / ${linesOfPart})`

/**
 * month_sum: the sums of the rows by agent, processor and file, of which all larger ones are made; and what
 * `earned` is made of (openMonth.ts).
 */
const sumCtes = `
  month_sum as materialized (
    select masteragentid, processor, batchid, count(*) as rows, count(*) filter (where isfirst) as merchants,
      sum(txncount) as txncount, sum(sales) as sales, sum(income) as income, sum(expense) as expense,
      sum(net) as net
    from month_row group by masteragentid, processor, batchid),
  origin as (
    select masteragentid as origin, sum(merchants) as merchants, sum(txncount) as txncount,
      sum(sales) as sales, sum(net) as net
    from month_sum group by masteragentid),
  pay as (
    select masteragentid, true as isown, own as amount, withheld from pay_part
    union all
    select masteragentid, false, override, 0 from pay_part)`

/**
 * merchant_line: the rows of `month_row` with what the house keeps of each. What a row pays is added up from
 * the percentages of its chain, as many as the longest of the month has: to add up the lines of each row
 * takes longer than to make them.
 */
function merchantLineCtes(depth: number): string {
  const paidBy = (rates: string) =>
    Array.from(
      { length: depth },
      (_, at) => `coalesce(${shareSql('r.base', `${rates}[${at + 1}]`)}, 0)`,
    ).join(' + ')
  return `
  origin_rate as materialized (
    select origin, array_agg(rate order by n) as rates,
      array_agg(case when payoninactive then rate else 0 end order by n) as kept,
      max(flat) filter (where via is null) as flat
    from chain group by origin),
  merchant_line as not materialized (
    select r.*, case when o.origin is null then r.net
        else r.net - (case when r.isinactive then ${paidBy('o.kept')} else ${paidBy('o.rates')} end) * 0.01
          - o.flat * coalesce(f.times, 0) end as house
    from month_row r left join origin_rate o on o.origin = r.masteragentid
      left join flat_time f on f.id = r.id)`
}

/** How many agents the longest chain has. */
function depthOf({ origin }: ChainArrays): number {
  const links = new Map<number, number>()
  for (const id of origin) links.set(id, (links.get(id) ?? 0) + 1)
  return Math.max(1, ...links.values())
}

/** The relations up to `earned` (openMonth.ts), with merchant_line and pay_part instead of lines. */
export function lockRelations(chain: ChainArrays, base: string | null): string {
  return [
    shareCtes(base),
    monthRowCte(merchantRelation(base)),
    flatTimeCte({ from: rowsWithMerchants }),
    merchantLineCtes(depthOf(chain)),
    payPartCte,
    sumCtes,
    extraCte(base),
    earnedCtes,
  ].join(',')
}
