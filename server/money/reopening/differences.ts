import {
  differenceKinds,
  type MonthDifference,
  type MonthDifferences,
} from '../../../schemas/api/months/differences.ts'
import { audit } from '../../db/audit.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { syncLateMonth } from '../late/lateMids.ts'
import { serializeMonthChanges, blockMonthLock, monthName, reopenedLock } from '../months.ts'
import type { MonthAction, ReopenedLock } from '../months.ts'
import { openMonthSource } from '../monthSource.ts'
import { copiesParam } from '../openMonth.ts'
import { foundCte } from './differenceRows.ts'
import { refuseOwnPay, type TakenRow, type TakingPerson } from './ownPay.ts'
import { keepTakenAgents } from './takenAgents.ts'

const kindOrder = `array_position(array['${Object.keys(differenceKinds).join("', '")}'], kind)`

/** What is taken over of each key, or counts as its copy again. */
const newestCte = `
  newest as (
    select distinct on (key) * from month_takeover where lockid = ${copiesParam}::int order by key, id desc)`
/**
 * SQL: of a record f that was taken over and changed again what its copy holds, which was kept with what was
 * taken over, n; else what the month has of it is what the copy holds.
 */
const copiedText = 'coalesce(n.was, f.was)'
const joinTaken = 'left join newest n on n.key = f.key and not n.isback'

/** Those found, and those taken over whose record did not change again since. */
const listedCte = `${newestCte},
  listed as materialized (
    select f.kind, f.key, f.entity, f.recordid, f.what, ${copiedText} as was, f.now, n.now as counts, f.link,
      c.username as changedby, c.at as changedat, null as takenby, null::timestamptz as takenat
    from found f ${joinTaken} left join lateral (
      select username, at from audit a
      where a.entity = f.audited and a.entityid = f.auditid
        and a.at > (select locked_at from month_lock where id = ${copiesParam}::int)
      order by a.at desc limit 1) c on true
    union all
    select kind, key, entity, recordid, what, was, now, null, null, null, null, username, at
    from newest n where not isback and not exists (select from found f where f.key = n.key))`

type DifferenceQuery = { kind: string; page: number; size: number }

/**
 * The differences of a reopened month (an ISO first day), those changed after the reopening first, those
 * taken over last (months 14). Throws an HttpError (409) for a month that was not opened again.
 */
export async function readDifferences(
  sql: Sql,
  month: string,
  query: DifferenceQuery,
): Promise<MonthDifferences> {
  const base = await requireReopened(sql, month)
  const { ctes, values } = await openMonthSource(sql, month)
  const [kind, size, offset] = [1, 2, 3].map((n) => `$${values.length + n}`)
  const [row] = await sql.query<Pick<MonthDifferences, 'kinds' | 'data' | 'total_length'>>(
    `with recursive ${ctes}, ${foundCte}, ${listedCte},
      wanted_difference as (select * from listed where ${kind}::text in ('', kind)),
      page as (
        select * from wanted_difference
        order by takenby is not null, changedat > ${reopenedAt} desc nulls last, ${kindOrder}, key collate "C"
        limit ${size}::int offset ${offset}::int),
      kind_count as (
        select kind, count(*) filter (where takenby is null) as count,
          count(*) filter (where takenby is not null) as taken
        from listed group by kind)
      select
        (select coalesce(json_agg(kind_count order by ${kindOrder}), '[]') from kind_count) as kinds,
        (select count(*) from wanted_difference) as total_length,
        (select coalesce(json_agg(json_build_object('key', key, 'kind', kind, 'what', what, 'was', was,
            'now', now, 'counts', counts, 'link', link, 'changedby', changedby,
            'changedat', floor(extract(epoch from changedat))::bigint,
            'isafter', coalesce(changedat > ${reopenedAt}, false), 'takenby', takenby,
            'takenat', floor(extract(epoch from takenat))::bigint,
            'amount', case when entity = 'merchant' then (select sum(net) from residual r
              where r.month = $1 and r.xmid = recordid) end)
          order by takenby is not null, changedat > ${reopenedAt} desc nulls last, ${kindOrder},
            key collate "C"), '[]')
          from page) as data`,
    [...values, query.kind, query.size, (query.page - 1) * query.size],
  )
  return { ...(await describeReopening(sql, base)), ...withTitles(row!) }
}

const reopenedAt = `(select reopened_at from month_lock where id = ${copiesParam}::int)`

const withTitles = ({
  kinds,
  data,
  total_length,
}: Pick<MonthDifferences, 'kinds' | 'data' | 'total_length'>) => ({
  kinds: kinds.map((it) => ({ ...it, what: differenceKinds[it.kind] })),
  data: data.map((it): MonthDifference => ({ ...it, amount: it.amount === null ? null : Number(it.amount) })),
  total_length,
})

async function describeReopening(sql: Sql, { id }: ReopenedLock) {
  const [lock] = await sql.query<
    Pick<MonthDifferences, 'version' | 'reopenedat' | 'reopenedby' | 'reason'> & { isold: boolean }
  >(
    `select version, floor(extract(epoch from reopened_at))::bigint as reopenedat, reopened_by as reopenedby,
        reason, copies < 2 as isold
      from month_lock where id = $1`,
    [id],
  )
  const { isold, ...reopening } = lock!
  const notes = isold
    ? [
        `Version ${reopening.version} was locked before the portal copied closing days, terminals, ` +
          'subscriptions and who is paid on inactive merchants: those of today count.',
      ]
    : []
  return { ...reopening, notes }
}

/** The lock whose copies count. Throws an HttpError (409) for a month that was not opened again. */
async function requireReopened(sql: Sql, month: string): Promise<ReopenedLock> {
  const base = await reopenedLock(sql, month)
  if (!base)
    throw new HttpError(409, `${monthName(month)} is not open again: there is no copy that could differ`)
  return base
}

/** `keys` are keys of differences, or kinds for all of the kind. `back` lets the copy count again. */
type TakeoverAction = MonthAction & TakingPerson & { keys: readonly string[]; back?: boolean }

const insertSql = `
  insert into month_takeover
    (lockid, kind, key, entity, recordid, value, isback, what, was, now, username, address)`
/** The parameters after those of the month, of which there are `count`: keys, username, address. */
const takeSql = (count: number) => `${insertSql}
  select ${copiesParam}::int, f.kind, f.key, f.entity, f.recordid, f.value, false, f.what, ${copiedText},
    f.now, $${count + 2}, $${count + 3}
  from found f ${joinTaken}
  where f.key = any ($${count + 1}::text[]) or f.kind = any ($${count + 1}::text[])`
/** A later row of the same key ends what was taken over. */
const backSql = `${insertSql}
  select lockid, kind, key, entity, recordid, value, true, what, now, was, $3, $4
  from (select distinct on (key) * from month_takeover where lockid = $1 order by key, id desc) n
  where not isback and (key = any ($2::text[]) or kind = any ($2::text[]))`
/** Of a pay record its agents, before and after. */
const returned = `
  returning key, kind, what, array_remove(array[case when entity = 'agent' then recordid::int end,
    case when entity = 'subscription' then (value ->> 'masteragentid')::int end], null) as agents`

/**
 * Lets today's records count in a reopened month instead of the copies (months 14). Throws an HttpError: 409
 * when the month was not opened again or a key is no difference any more, 403 for what pays the person.
 */
export async function takeOver(tx: Tx, action: TakeoverAction): Promise<void> {
  const { month, username, address, keys, back = false } = action
  await serializeMonthChanges(tx, month)
  await blockMonthLock(tx, month)
  const base = await requireReopened(tx, month)
  const rows = back
    ? await tx.query<TakenRow>(backSql + returned, [base.id, keys, username, address])
    : await insertTaken(tx, action)
  const missing = keys.find((key) => !rows.some((row) => row.key === key || row.kind === key))
  if (missing !== undefined)
    throw new HttpError(
      409,
      back ? `${missing} was not taken over` : `${missing} does not differ from the copy any more`,
    )
  await keepTakenAgents(
    tx,
    base.id,
    rows.map(({ key }) => key),
  )
  await refuseOwnPay(tx, base.id, rows, action)
  await audit(tx, {
    username,
    address,
    action: 'takeover',
    entity: 'month',
    entityid: month.slice(0, 7),
    after: { version: base.version, back, keys: rows.map(({ key }) => key) },
  })
  await syncLateMonth(tx, action, month)
}

async function insertTaken(tx: Tx, { month, keys, username, address }: TakeoverAction): Promise<TakenRow[]> {
  const { ctes, values } = await openMonthSource(tx, month)
  return tx.query<TakenRow>(
    `with recursive ${ctes}, ${foundCte}, ${newestCte} ${takeSql(values.length)} ${returned}`,
    [...values, keys, username, address],
  )
}
