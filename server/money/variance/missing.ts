import type { MissingMerchant, MissingQuery, MissingReply } from '../../../schemas/api/months/variance.ts'
import { audit } from '../../db/audit.ts'
import type { Sql, Statement, Tx } from '../../db/db.ts'
import { searchText } from '../../db/search.ts'
import { HttpError } from '../../http/errors.ts'
import { waiverReason } from '../checklist/waivers.ts'
import { monthName, type MonthAction } from '../months.ts'
import { missingCtes, missingWindow } from './missingSql.ts'

/** Each missing month with its dismissal, if the newest one is of the same figures (variance 7). */
const stateCte = `
  missing_state as materialized (
    select m.*, d.username as dismissedby, d.at as dismissedat, d.reason, d.reason is not null as isdismissed
    from missing m left join lateral (
      select case when i.volume = m.volume and i.estimate is not distinct from m.estimate then i.reason end
          as reason, i.username, i.at
      from missing_income i
      where i.xmid = m.xmid and i.month = m.month and i.reason is not null order by i.id desc limit 1) d
      on d.reason is not null)`

const order = (row: string) =>
  `coalesce(${row}.estimate, 0) desc, ${row}.volume desc, ${row}.newest desc, ${row}.xmid collate "C"`

/** merchant_state: the months of a merchant in one row, those dismissed and those not apart. */
const merchantCte = `
  merchant_state as materialized (
    select s.xmid, s.isdismissed, min(s.id) as id, min(s.dba) as name, min(s.masteragentid) as masteragentid,
      (array_agg(s.processor order by s.month desc))[1] as processor, sum(s.estimate) as estimate,
      sum(s.volume) as volume, max(s.month) as newest,
      json_agg(json_build_object('month', to_char(s.month, 'YYYY-MM'), 'volume', s.volume,
        'estimate', s.estimate, 'basis', s.basis) order by s.month desc) as months,
      (array_agg(s.dismissedby order by s.dismissedat desc))[1] as dismissedby,
      floor(extract(epoch from max(s.dismissedat)))::bigint as dismissedat,
      (array_agg(s.reason order by s.dismissedat desc))[1] as reason
    from missing_state s group by s.xmid, s.isdismissed)`

/** A row `p` of merchant_state as the call answers it. */
const merchantJson = `json_build_object('xmid', p.xmid, 'name', p.name, 'agent', coalesce((
    select a.displayid || ' ' || a.name from master_agent a where a.id = p.masteragentid), ''),
  'processor', p.processor, 'months', p.months, 'estimate', p.estimate,
  'link', '/manage/merchants?open=' || p.id, 'dismissedby', p.dismissedby, 'dismissedat', p.dismissedat,
  'reason', p.reason)`

const sumJson = (isDismissed: boolean) => `(
  select json_build_object('merchants', count(distinct xmid), 'months', count(*),
    'estimate', coalesce(sum(estimate), 0))
  from missing_state where isdismissed = ${isDismissed})`

type Found = Pick<MissingReply, 'missing' | 'dismissed' | 'months' | 'data' | 'total_length'>

/**
 * The merchants whose income is missing in the twelve months up to this one, an ISO first day, the largest
 * estimate first (variance 5). Sums are of all, whatever is searched for; amounts are dollars.
 */
export async function readMissing(
  sql: Sql,
  { month, dismissed, search, page, size }: { month: string } & MissingQuery,
): Promise<Omit<MissingReply, 'candismiss'>> {
  const [found] = await sql.query<Found>(
    `with recursive ${missingCtes({ month: '$1', months: missingWindow })}, ${stateCte}, ${merchantCte},
      wanted as materialized (
        select * from merchant_state p where isdismissed = ($2::int = 1)
          and ($3 = '' or strpos(${searchText(`p.xmid || ' ' || p.name`)}, ${searchText('$3')}) > 0)),
      page as (select * from wanted p order by ${order('p')} limit $4::int offset $5::int)
    select ${sumJson(false)} as missing, ${sumJson(true)} as dismissed,
      (select coalesce(json_agg(json_build_object('month', to_char(m.month, 'YYYY-MM'),
          'merchants', m.merchants, 'estimate', m.estimate) order by m.month desc), '[]')
        from (select month, count(*) as merchants, sum(estimate) as estimate
          from missing_state where not isdismissed group by month) m) as months,
      (select count(*) from wanted) as total_length,
      (select coalesce(json_agg(${merchantJson} order by ${order('p')}), '[]') from page p) as data`,
    [month, dismissed, search, size, (page - 1) * size],
  )
  return { month: month.slice(0, 7), ...found! }
}

/**
 * A statement of the missing months of the merchants that are asked for, in the order of `readMissing`: xmid,
 * name, agent, processor, month, volume, estimate, basis, dismissedby, dismissedat (epoch seconds), reason
 * (variance 11).
 */
export const missingStatement = ({
  month,
  dismissed,
  search,
}: { month: string } & Pick<MissingQuery, 'dismissed' | 'search'>): Statement => ({
  sql: `with recursive ${missingCtes({ month: '$1', months: missingWindow })}, ${stateCte}
    select s.xmid, s.dba as name, coalesce(a.displayid || ' ' || a.name, '') as agent, s.processor,
      to_char(s.month, 'YYYY-MM') as month, s.volume, s.estimate, s.basis, s.dismissedby,
      floor(extract(epoch from s.dismissedat))::bigint as dismissedat, s.reason
    from missing_state s left join master_agent a on a.id = s.masteragentid
    where s.isdismissed = ($2::int = 1)
      and ($3 = '' or strpos(${searchText(`s.xmid || ' ' || s.dba`)}, ${searchText('$3')}) > 0)
    window m as (partition by s.xmid)
    order by coalesce(sum(s.estimate) over m, 0) desc, sum(s.volume) over m desc, max(s.month) over m desc,
      s.xmid collate "C", s.month desc`,
  values: [month, dismissed, search],
})

type DismissAction = MonthAction & { xmid: string; reason: string }

/**
 * Dismisses the months in which a merchant is missing, with the figures they have now, and answers them
 * (variance 7). Throws an HttpError: 422 when the reason is too short, 404 when nothing of the merchant is
 * missing in the twelve months up to this one.
 */
export async function dismissMissing(tx: Tx, action: DismissAction): Promise<MissingMerchant> {
  const { month, xmid, username, address } = action
  const reason = waiverReason(action.reason, 'reason')
  const relations = missingCtes({ month: '$1', months: missingWindow, xmid: '$2' })
  const months = await tx.query<{ month: string }>(
    `with recursive ${relations}
      insert into missing_income (month, xmid, volume, estimate, basis, reason, username, address)
      select month, xmid, volume, estimate, basis, $3, $4, $5 from missing order by month
      returning to_char(month, 'YYYY-MM') as month`,
    [month, xmid, reason, username, address],
  )
  if (months.length === 0)
    throw new HttpError(404, `Nothing of ${xmid} is missing in the twelve months up to ${monthName(month)}`)
  await audit(tx, {
    username,
    address,
    action: 'dismiss',
    entity: 'month',
    entityid: month.slice(0, 7),
    after: { xmid, months: months.map((it) => it.month), reason },
  })
  const [row] = await tx.query<{ merchant: MissingMerchant }>(
    `with recursive ${relations}, ${stateCte}, ${merchantCte}
      select ${merchantJson} as merchant from merchant_state p`,
    [month, xmid],
  )
  return row!.merchant
}
