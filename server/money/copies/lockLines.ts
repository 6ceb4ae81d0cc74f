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

/** The lines of an agent's merchants are kept in parts: those of so many numbers make one. */
const linesOfPart = 1_000_000

/**
 * month_row: the rows of the files with their merchants, numbered in the order of MID and processor. `base`
 * is what percentages apply to, in cents; `isfirst` is the first row of its MID.
 */
const monthRowCte = (merchants: string) => `
  month_row as materialized (
    select row_number() over by_mid::int as line, xmid is distinct from lag(xmid) over by_mid as isfirst, w.*
    from (
      select r.id, r.month, r.batchid, r.txncount, ${percentedSql} as base, m.xmid is not null as isknown,
        coalesce(${inactiveSql}, false) as isinactive, m.masteragentid, m.accountstatus, m.date_closed,
        r.xmid, r.processor, r.sales, r.income, r.expense, r.net, coalesce(m.dba, r.dba) as dba
      from residual r left join ${merchants} m on m.xmid = r.xmid
      where r.month = $1) w
    window by_mid as (order by xmid collate "C", processor collate "C"))`

/** Rows of files with the columns of their merchants, as `flatTimeCte` wants them. */
const rowsWithMerchants =
  'month_row r cross join lateral (select r.masteragentid, r.accountstatus, r.date_closed) m'

/**
 * What the merchants of each agent bring, as arrays in the order of their lines: `bases` in cents, `times` is
 * how often their flat amount is paid.
 */
const originPartCte = `
  origin_part as materialized (
    select r.masteragentid as origin, r.line / ${linesOfPart} as part,
      array_agg(r.line order by r.line) as lines, array_agg(r.base order by r.line) as bases,
      array_agg(coalesce(f.times, 0) order by r.line) as times,
      array_agg(r.isinactive order by r.line) as inactives
    from month_row r left join flat_time f on f.id = r.id
    where r.masteragentid is not null
    group by r.masteragentid, r.line / ${linesOfPart})`

/**
 * pay_share: what each agent of a chain earns by the merchants of one agent, as `locked_share` keeps it, with
 * its sums; all in cents. The inner order keeps each amount from being worked out for every array and sum.
 */
const payShareCte = `
  pay_share as materialized (
    select c.masteragentid, c.origin, o.part, c.via, c.percent, o.lines, p.*
    from origin_part o join chain c on c.origin = o.origin and (c.via is null or c.rate > 0)
      cross join lateral (
        select case when bool_or(flat <> 0) then array_agg(flat order by n) end as flats,
          array_agg(case when isheld then 0 else earned end order by n) as amounts,
          case when bool_or(isheld and earned <> 0)
            then array_agg(case when isheld then earned else 0 end order by n) end as withhelds,
          coalesce(sum(earned) filter (where not isheld), 0) as amount,
          coalesce(sum(earned) filter (where isheld), 0) as withheld
        from (
          select n, flat, flat + ${shareSql('base', 'c.rate')} as earned,
            isinactive and not c.payoninactive as isheld
          from (
            select u.*,
              case when c.via is null and u.times > 0 then (c.flat * 100)::bigint * u.times else 0 end as flat
            from unnest(o.bases, o.times, o.inactives) with ordinality as u (base, times, isinactive, n)) b
          order by n) e) p)`

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
    select masteragentid, via is null as isown, amount * 0.01 as amount, withheld * 0.01 as withheld
    from pay_share)`

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

/** The relations up to `earned` (openMonth.ts), with merchant_line and pay_share instead of lines. */
export function lockRelations(chain: ChainArrays, base: string | null): string {
  return [
    shareCtes(base),
    monthRowCte(merchantRelation(base)),
    flatTimeCte({ from: rowsWithMerchants }),
    merchantLineCtes(depthOf(chain)),
    originPartCte,
    payShareCte,
    sumCtes,
    extraCte(base),
    earnedCtes,
  ].join(',')
}
