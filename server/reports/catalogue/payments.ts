import { releaseWays } from '../../../schemas/api/months/months.ts'
import { everyone, holds } from '../../../schemas/permissions.ts'
import { describeDependence } from '../../accounts/userActions.ts'
import type { Sql } from '../../db/db.ts'
import { maskSecret } from '../../db/encryption.ts'
import { agentInScope } from '../../db/scope.ts'
import { decryptAccount, entriesSql } from '../../money/bankChanges.ts'
import { currentLock } from '../../money/months.ts'
import { epochSeconds } from '../engine/days.ts'
import { dateSpan, payeeInput } from '../engine/inputs.ts'
import { lockedMonthInput } from '../engine/monthInput.ts'
import { isPublishedSql } from '../engine/publishedMonths.ts'
import {
  count,
  date,
  defineReport,
  id,
  linked,
  money,
  monthColumn,
  namesAgent,
  placeholders,
  statementPath,
  text,
  unsortable,
} from '../engine/report.ts'

const wayTitles = `case r.how ${Object.entries(releaseWays)
  .map(([how, title]) => `when '${how}' then '${title}'`)
  .join(' ')} end`

/** The payments that took effect in a span of days, with what came back of them (reports 33). */
export const payoutHistory = defineReport({
  id: 'payout-history',
  name: 'Payout History',
  group: 'Payouts',
  description: 'The payments of a span of days, and what came back of them.',
  figure: { column: 'amount', words: 'Paid' },
  allow: everyone,
  ...dateSpan,
  inputs: { ...dateSpan.inputs, payee: payeeInput },
  columns: [
    id('displayid', 'Payee', { text: 'Total' }),
    namesAgent(text('name', 'Name'), 'displayid'),
    date('effective', 'Effective'),
    monthColumn('month', 'Month'),
    count('version', 'Version'),
    text('how', 'Paid By'),
    unsortable(id('bank', 'Bank Account')),
    id('trace', 'Trace Number'),
    linked(text('statements', 'Statements'), 'statement'),
    money('amount', 'Amount', 'sum'),
    date('returned', 'Returned'),
    text('code', 'Return Code'),
    money('back', 'Came Back', 'sum'),
  ],
  query({ scope, inputs, secret }) {
    const { values, bind } = placeholders()
    const [scopeParam, from] = [bind(scope), bind(inputs.from)]
    const [to, payee] = [bind(inputs.to), bind(inputs.payee)]
    const sql = `
      select p.payeeid, p.displayid, p.name, ${epochSeconds('p.effective')} as effective,
        to_char(r.month, 'YYYY-MM') as month, l.version, ${wayTitles} as how,
        p.bankaccountnumber as encrypted, p.trace, x.statements, x.amount,
        case when x.agents = 1 and ${isPublishedSql(scopeParam)}
          then ${statementPath('r.month', 'x.agent')} end as statement,
        ${epochSeconds('b.day')} as returned, b.code,
        case when b.paymentid is null then 0 else x.amount end as back
      from payout_payment p join payout_release r on r.id = p.releaseid join month_lock l on l.id = r.lockid
        left join payout_return b on b.paymentid = p.id
        cross join lateral (
          select sum(a.amount) as amount, string_agg(s.displayid, ', ' order by s.displayid) as statements,
            count(*) as agents, min(a.masteragentid) as agent
          from payout_allocation a
            left join locked_statement s on s.lockid = r.lockid and s.masteragentid = a.masteragentid
          where a.paymentid = p.id and ${agentInScope(scopeParam, 'a.masteragentid')}) x
      where p.effective between ${from}::date and ${to}::date and x.amount is not null
        and (${payee}::int is null or p.payeeid = ${payee})
      order by p.effective, p.displayid, p.id`
    return {
      sql,
      values,
      mapRow: ({ encrypted, payeeid, ...row }) => ({
        ...row,
        bank: maskSecret(decryptAccount(secret, Number(payeeid), encrypted as Buffer | null)),
      }),
    }
  },
})

/**
 * span: from the first lock of the month before $1 to the first lock of a later month; `locked` is the first
 * lock of $1 itself. What is done between the first lock of the month before and a later version of it is
 * paid by this month, because the first lock of this month has closed the run of that one.
 */
const spanCte = `
  with span as (
    select coalesce((select min(locked_at) from month_lock where month = (
        select max(month) from month_lock where month < $1 and reopened_at is null)), '-infinity') as first,
      (select min(locked_at) from month_lock where month = $1) as locked,
      coalesce((select min(locked_at) from month_lock where month > $1), 'infinity') as last)`

/** What happened to the month $1 and to the accounts of its payees, until a later month was locked. */
const events = `${spanCte}
  select locked_at as at, 'Locked' as event, username, 'Version ' || version as what,
    'Hash ' || left(hash, 12) as detail, null::numeric as amount
  from month_lock where month = $1
  union all
  select reopened_at, 'Opened again', reopened_by, 'Version ' || version, reason, null
  from month_lock where month = $1 and reopened_at is not null
  union all
  select t.at, case when isback then 'Copy counts again' else 'Taken over' end, t.username, t.what,
    t.was || ' to ' || t.now, null
  from month_takeover t join month_lock l on l.id = t.lockid where l.month = $1
  union all
  select at, 'Finding waived', username, key, reason, null from month_waiver where month = $1
  union all
  select a.at, 'Approved', a.username, 'Version ' || l.version, 'Hash ' || left(a.hash, 12), a.total
  from payout_approval a join month_lock l on l.id = a.lockid where l.month = $1
  union all
  select r.at, 'Released', r.username, 'Version ' || l.version,
    ${wayTitles} || coalesce(', effective ' || to_char(r.effective, 'MM/DD/YYYY'), ''),
    (select sum(amount) from payout_payment p where p.releaseid = r.id)
  from payout_release r join month_lock l on l.id = r.lockid where r.month = $1
  union all
  select b.at, 'Returned', b.username, p.displayid || ' - ' || p.name, b.code || ' ' || b.note, p.amount
  from payout_return b join payout_payment p on p.id = b.paymentid
    join payout_release r on r.id = p.releaseid where r.month = $1
  union all
  select h.at, 'Hold', h.username, a.displayid || ' - ' || a.name, h.reason, null
  from payout_hold h join master_agent a on a.id = h.masteragentid, span
  where h.month = $1 or h.month is null and h.at between span.first and span.last
  union all
  select e.at, 'Hold ended', e.username, a.displayid || ' - ' || a.name, e.reason, null
  from payout_hold_end e join payout_hold h on h.id = e.holdid join master_agent a on a.id = h.masteragentid,
    span
  where h.month = $1
    or e.at between case when h.month is null then span.first else span.locked end and span.last
  union all
  select c.entered_at, 'Account changed', c.entered_by, a.displayid || ' - ' || a.name,
    array_to_string(c.fields, ', ') || case when c.source <> '' then '; ' || c.source else '' end, null
  from bank_change c join master_agent a on a.id = c.masteragentid, span
  where c.entered_at between span.first and span.last
  union all
  select c.decided_at, 'Account ' || c.decision, c.decided_by, a.displayid || ' - ' || a.name, c.reason, null
  from bank_change c join master_agent a on a.id = c.masteragentid, span
  where c.decided_at between span.first and span.last`

/** SQL: a waived finding leads to its kind on Month, what was done to the run to Payouts (reports 4). */
const eventLink = `case when event = 'Finding waived'
    then to_char($1::date, '"/month/"YYYY-MM') || '#' || split_part(what, ':', 1)
  when event in ('Approved', 'Released', 'Returned', 'Hold', 'Hold ended')
    then to_char($1::date, '"/payouts?month="YYYY-MM') end`

/** Who did what on the way of a month's money, and which two of them are not independent (reports 34). */
export const payoutEvidence = defineReport({
  id: 'payout-evidence',
  name: 'Payout Evidence',
  group: 'Payouts',
  description: 'Who locked, waived, approved and released a month, in the order it happened.',
  figure: { column: null, words: 'Events' },
  allow: holds('lock_reports'),
  fullScopeOnly: true,
  inputs: { month: lockedMonthInput },
  columns: [
    text('time', 'Time (UTC)'),
    text('event', 'Event'),
    text('username', 'By'),
    linked(text('what', 'Of'), 'link'),
    text('detail', 'Detail'),
    money('amount', 'Amount'),
  ],
  async query({ sql, inputs, config }) {
    const rows = `
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as time, event, username, what, detail,
        amount, ${eventLink} as link
      from (${events}) e order by at, event, what`
    const notes = config.fourEyes ? [] : ['One person may lock, approve and release: FOUR_EYES is off.']
    return {
      sql: rows,
      values: [inputs.month],
      lock: await currentLock(sql, inputs.month),
      notes: [...notes, ...(await pairNotes(sql, inputs.month))],
    }
  },
})

/**
 * A note for each two people at a version, or at an account that was confirmed, who were not independent when
 * the second of them acted (payouts 12).
 */
async function pairNotes(sql: Sql, month: string): Promise<string[]> {
  const pairs = await sql.query<{ one: string; since: string; other: string; at: string }>(
    `${spanCte}
      select l.username as one, l.locked_at::text as since, p.username as other, p.at::text as at
      from month_lock l join (
        select lockid, username, at from payout_approval
        union select lockid, username, at from payout_release where how <> 'migrated') p on p.lockid = l.id
      where l.month = $1 and l.username <> p.username
      union select p.entered_by, p.entered_at::text, c.decided_by, c.decided_at::text
      from span cross join bank_change c cross join lateral ${entriesSql('c')} p
      where c.decision = 'confirmed' and c.decided_at between span.first and span.last
        and p.entered_by <> c.decided_by
      order by 1, 3, 4`,
    [month],
  )
  const found = await Promise.all(
    pairs.map(({ one, since, other, at }) =>
      describeDependence(sql, { username: one, at: since }, { username: other, at }),
    ),
  )
  const notes = found.flatMap((pair) =>
    pair ? [`Two people of this month are not independent: ${pair}.`] : [],
  )
  return [...new Set(notes)]
}
