/** SQL array: the fields of a merchant by which a late MID pays what it pays, and to whom (money 21). */
const lateFields = `array['masteragentid', 'accountstatus', 'date_closed']`

/**
 * SQL condition on the late MID of an adjustment j that this user accepted by the entry c: it added the
 * merchant, or changed it so that it pays another agent or another sum. A merchant that is gone counts as
 * well, and one that this user deleted afterwards: who had added it is not read from its record any more.
 */
const madeKnown = (wasNamedAt: (at: string) => string) => `
  not exists (select from merchant m where m.xmid = j.latexmid)
  or exists (select from audit t where t.entity = 'merchant' and t.action = 'delete'
    and t.before ->> 'xmid' = j.latexmid and t.at > c.at and t.username = $2 and ${wasNamedAt('t.at')})
  or exists (
    select from merchant m where m.xmid = j.latexmid and (
      exists (select from audit t where t.entity = 'merchant' and t.entityid = m.id::text
        and t.username = $2 and ${wasNamedAt('t.at')}
        and (t.action = 'create' or t.action = 'update' and t.after ?| ${lateFields}))
      or exists (select from import_batch b
        where b.kind = 'merchant' and b.username = $2 and ${wasNamedAt('b.imported_at')}
          and (exists (select from import_added n
              where n.batchid = b.id and n.tablename = 'merchant' and n.ids @> m.id::bigint)
            or exists (select from import_change c
              where c.batchid = b.id and c.tablename = 'merchant' and c.rowid = m.id
                and c.changed ?| ${lateFields})))))`

/**
 * The adjustments of late MIDs that this user accepted alone: it had made the MID known, or changed what it
 * pays. The audit of such an adjustment names who did so only until a lock moves it (money 21).
 */
const acceptedAlone = (wasNamedAt: (at: string) => string) => `
    select j.id, c.at, null::jsonb as before, null::jsonb as after, j.merchantid, j.month
    from adjustment j join audit c on c.entity = 'adjustment' and c.entityid = j.id::text
      and c.action = 'accept' and c.username = $2 and ${wasNamedAt('c.at')}
    where j.latexmid is not null and j.month <= $1 and j.state = 'accepted' and (${madeKnown(wasNamedAt)})`

/**
 * SQL: what the entry t of the audit says that the adjustment was before. Where it was moved to another month
 * it says so of the agent and the merchant, too, who may have been changed only since: no line of the month
 * that it left names them.
 */
const movedFrom = `
  case when t.before ? 'month' then ${['masteragentid', 'merchantid']
    .map(
      (field) => `jsonb_build_object('${field}', coalesce(
        (select u.before->'${field}' from audit u
          where u.entity = 'adjustment' and u.entityid = t.entityid and u.id >= t.id and u.before ? '${field}'
          order by u.id limit 1),
        to_jsonb(j.${field})))`,
    )
    .join(' || ')} || t.before else t.before end`

/**
 * SQL: adjusted_agent (agent, at, month), whose pay of which month up to $1 the user named $2 changed by
 * adjustments that nobody else accepted afterwards, and when. An adjustment names its month, so it counts
 * whenever it was written. What a lock withdrew (money 21) was changed by nobody. The agents are those of the
 * lock in force, $4 of $1, before the change and after it: moving or deleting a deduction raises the pay of
 * whom it was taken from. That of a merchant paid whose the merchant was at the lock, not whose it is today.
 * `wasNamedAt` says that the user did what happened under its name at a time.
 */
export const changedAdjustments = (wasNamedAt: (at: string) => string) => `
  changed_adjustment as (${acceptedAlone(wasNamedAt)}
    union all
    select t.entityid::int, t.at, ${movedFrom}, t.after, j.merchantid, j.month
    from audit t left join adjustment j on j.id::text = t.entityid
    where t.username = $2 and ${wasNamedAt('t.at')} and t.entity = 'adjustment'
      and t.action in ('create', 'update', 'delete')
      and case t.action when 'delete' then t.before->>'state' else j.state end = 'accepted'
      and not coalesce(t.after ? 'lockversion', false)
      and not exists (select from audit c where c.entity = 'adjustment' and c.entityid = t.entityid
        and c.action = 'accept' and not (c.username = $2 and ${wasNamedAt('c.at')}) and c.id > t.id)),
  adjusted as materialized (
    select d.id, d.at, d.before, d.after, d.merchantid, l.month, l.id as lockid
    from changed_adjustment d join month_lock l
      on (l.id = $4 or l.month < $1 and l.reopened_at is null)
        and (l.month = d.month
          or to_char(l.month, 'YYYY-MM') in (d.before->>'month', d.after->>'month'))),
  adjusted_line as materialized (
    select lockid, source as id, masteragentid from locked_statement_line
    where kind = 'adjustment' and (lockid, source) in (select lockid, id from adjusted)),
  adjusted_merchant as materialized (
    select d.at, d.month, d.lockid, m.xmid, m.masteragentid from adjusted d join merchant m
      on m.id in ((d.before->>'merchantid')::int, (d.after->>'merchantid')::int)
    where m.id is distinct from d.merchantid
      or (d.lockid, d.id) not in (select lockid, id from adjusted_line)),
  adjusted_agent (agent, at, month) as (
    select l.masteragentid, d.at, d.month from adjusted_line l join adjusted d using (lockid, id)
    union
    select x.agent, d.at, d.month from adjusted d cross join lateral (values
      ((d.before->>'masteragentid')::int), ((d.after->>'masteragentid')::int)) x (agent)
    union
    select coalesce(
      (select max(k.masteragentid) from locked_merchant k where k.lockid = m.lockid and k.xmid = m.xmid),
      (select k.masteragentid from locked_adjusted_merchant k
        where k.lockid = m.lockid and k.xmid = m.xmid),
      m.masteragentid), m.at, m.month
    from adjusted_merchant m)`
