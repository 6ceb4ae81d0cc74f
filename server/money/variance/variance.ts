import {
  varianceKinds,
  type VarianceLevel,
  type VarianceQuery,
  type VarianceReply,
} from '../../../schemas/api/months/variance.ts'
import type { Sql, Statement } from '../../db/db.ts'
import { monthLevel, statementParts } from './monthLevels.ts'

/** What the two months are compared by, which page of which kind. */
type Options = { month: string } & VarianceQuery

const monthsBefore = { last: 1, year: 12 }

/** The ISO first day of the month that lies `count` months before this one, also an ISO first day. */
export function earlierMonth(month: string, count: number): string {
  const at = new Date(`${month}T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() - count)
  return at.toISOString().slice(0, 10)
}

/**
 * SQL condition by level: a row `j` without income in the month is gone for good; `bind` answers the
 * placeholder of the month. A merchant that was closed or is inactive since, or is not in the portfolio; an
 * agent that has no active merchant any more, nor has one below it; a processor that no active merchant has,
 * or that has no file this month by a note.
 */
const isGone: Record<VarianceLevel, (bind: () => string) => string> = {
  merchant: (bind) => `not exists (select from merchant m where m.xmid = j.key and (m.accountstatus <> 3
    or m.date_closed >= extract(epoch from ${bind()}::date::timestamp + interval '1 month')))`,
  agent: () => `not exists (select from below b join merchant m on m.masteragentid = b.id
    where b.origin = j.key::int and m.accountstatus = 2)`,
  processor: (bind) => `(j.key not in (select processor from merchant where accountstatus = 2)
    or exists (select from processor_statement s
      where s.month = ${bind()}::date and s.processor = j.key and s.nofile))`,
}

/** below: the agents that lost all income, and those below them today; a circle ends by `union`. */
const belowCte = `
  below (origin, id) as (
    select key::int, key::int from joined where hadincome and not hasincome
    union
    select b.origin, a.id from below b join master_agent a on a.parentid = b.id),`

const links: Record<VarianceLevel, string> = {
  merchant: `coalesce('/manage/merchants?open=' || (select id from merchant where xmid = p.key),
    '/manage/merchants?search=' || uri_component(p.key))`,
  agent: `'/manage/agents?open=' || p.key`,
  processor: `'/manage/statements?search=' || uri_component(p.key)`,
}
const agentName = (side: 'now' | 'before', id: string) =>
  `coalesce((select a.displayid || ' ' || a.name from ${side}_agent a where a.id = ${id}), 'none')`
const percentSql = (value: string) => `trim_scale(coalesce(${value}, 0)) || ' %'`
const flatSql = (value: string) => `'$' || to_char(coalesce(${value}, 0), 'FM999,999,999,990.00')`
const rateChange = (column: 'percent' | 'flat', shown: (value: string) => string) =>
  `case when p.${column} is distinct from p.${column}before
    then ${shown(`p.${column}before`)} || ' to ' || ${shown(`p.${column}`)} end`
const detailSql = `case p.kind
    when 'moved' then ${agentName('before', 'p.agentbefore')} || ' to ' || ${agentName('now', 'p.agentid')}
    when 'rate' then concat_ws(', ', ${rateChange('percent', percentSql)}, ${rateChange('flat', flatSql)})
  end`

/**
 * joined: the rows with income in one of the months. sorted: the same with their kind (variance 2); each row
 * has one, the first that fits.
 */
const kindCtes = (level: VarianceLevel, bind: () => string) => `
  joined as materialized (
    select coalesce(n.key, b.key) as key, coalesce(n.label, b.label) as label,
      coalesce(n.name, b.name) as name,
      coalesce(b.amount, 0) as before, coalesce(n.amount, 0) as now,
      coalesce(b.hasincome, false) as hadincome, coalesce(n.hasincome, false) as hasincome,
      n.agentid, b.agentid as agentbefore, n.percent, b.percent as percentbefore, n.flat,
      b.flat as flatbefore
    from now_row n full join before_row b on b.key = n.key
    where coalesce(n.hasincome, false) or coalesce(b.hasincome, false)),
  ${level === 'agent' ? belowCte : ''}
  sorted as materialized (
    select j.*, case
        when not j.hadincome then 'new'
        when not j.hasincome then case when ${isGone[level](bind)} then 'lost' else 'silent' end
        when j.agentid is distinct from j.agentbefore then 'moved'
        when (j.percent, j.flat) is distinct from (j.percentbefore, j.flatbefore) then 'rate'
        when j.now <> j.before then 'changed' else 'same' end as kind
    from joined j)`

const sums = 'count(*) as count, coalesce(sum(before), 0) as before, coalesce(sum(now), 0) as now'
const sumsJson = (row: string) =>
  `'count', ${row}.count, 'before', ${row}.before, 'now', ${row}.now, 'change', ${row}.now - ${row}.before`
const order = (row: string) =>
  `abs(${row}.now - ${row}.before) desc, greatest(abs(${row}.now), abs(${row}.before)) desc,
    ${row}.key collate "C"`

/** The month that one is compared with; both are ISO first days. */
export const comparedMonth = (month: string, against: VarianceQuery['against']) =>
  earlierMonth(month, monthsBefore[against])

/** Which months are compared by what. */
type Comparison = Pick<Options, 'month' | 'by' | 'against'>

/** The two months and the relations up to `sorted`, with the parameters of a statement that they begin. */
async function compareMonths(sql: Sql, { month, by, against }: Comparison) {
  const earlier = comparedMonth(month, against)
  const [now, before] = [await monthLevel(sql, month, by), await monthLevel(sql, earlier, by)]
  const { values, part, bind } = statementParts()
  const relations = `
    now_row as (${part(now.rows)}), before_row as (${part(before.rows)}),
    now_agent as materialized (${part(now.agents)}), before_agent as materialized (${part(before.agents)}),
    ${kindCtes(by, () => bind(month))}`
  return { earlier, now, before, relations, values, bind }
}

/**
 * A statement of all rows of a kind, or of every kind for '', the largest change first: id, name, kind,
 * before, now, change, detail (variance 11).
 */
export async function varianceStatement(
  sql: Sql,
  { kind, ...comparison }: Comparison & Pick<Options, 'kind'>,
): Promise<Statement> {
  const { relations, values, bind } = await compareMonths(sql, comparison)
  return {
    sql: `with recursive ${relations}
      select p.label as id, p.name, p.kind, p.before, p.now, p.now - p.before as change,
        ${detailSql} as detail
      from sorted p where ${bind(kind)}::text in ('', p.kind) order by ${order('p')}`,
    values,
  }
}

/**
 * What changed from an earlier month to this one, an ISO first day, the largest change first (variance 1).
 * Each month is read once; amounts are dollars.
 */
export async function readVariance(
  sql: Sql,
  { month, by, against, kind, page, size }: Options,
): Promise<VarianceReply> {
  const compared = await compareMonths(sql, { month, by, against })
  const { earlier, now, before, relations, values, bind } = compared
  const [kindParam, sizeParam, offset] = [bind(kind), bind(size), bind((page - 1) * size)]
  const kinds = `array['${Object.keys(varianceKinds).join("', '")}']`
  const [row] = await sql.query<Pick<VarianceReply, 'totals' | 'kinds' | 'data'>>(
    `with recursive ${relations},
      kind_sum as materialized (select kind, ${sums} from sorted group by kind),
      total as (select coalesce(sum(count), 0) as count, coalesce(sum(before), 0) as before,
        coalesce(sum(now), 0) as now from kind_sum),
      page as (select * from sorted p where ${kindParam}::text in ('', p.kind) order by ${order('p')}
        limit ${sizeParam}::int offset ${offset}::int)
    select (select json_build_object(${sumsJson('t')}) from total t) as totals,
      (select coalesce(json_agg(json_build_object('kind', k.kind, ${sumsJson('k')})
        order by array_position(${kinds}, k.kind)), '[]') from kind_sum k) as kinds,
      (select coalesce(json_agg(json_build_object('id', p.label, 'name', p.name, 'kind', p.kind,
          'before', p.before, 'now', p.now, 'change', p.now - p.before, 'detail', ${detailSql},
          'link', ${links[by]}) order by ${order('p')}), '[]')
        from page p) as data`,
    values,
  )
  const { totals, kinds: found, data } = row!
  return {
    month: month.slice(0, 7),
    against: earlier.slice(0, 7),
    state: now.state,
    againststate: before.state,
    totals,
    kinds: found,
    data,
    total_length: kind === '' ? totals.count : (found.find((it) => it.kind === kind)?.count ?? 0),
  }
}
