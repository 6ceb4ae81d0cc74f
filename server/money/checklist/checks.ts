import type { FindingKind } from '../../../schemas/api/months/months.ts'
import { masterAgent, rateFields } from '../../../schemas/entities/masterAgent.ts'
import { missingGapCtes, processorsOfFiles } from '../variance/missingSql.ts'
import { filesOf } from '../variance/presence.ts'
import { earningFields, selfDealingChecks, selfDealingCtes } from './selfDealing.ts'

/*
 * What a month is checked for (months 10), as SQL over the relations of the month (MonthSource) and those of
 * `checkCtes`. $1 is the month. Each row is (kind, key, what, where, amount, link): `key` differs between the
 * findings of a kind, `what` is null where it is that of the kind, `link` is a path and its
 * parameters; a link to a merchant is `midLink`, which `findingLink` turns into its path. `kindSql` lets the
 * compiler check a kind: a row whose kind is none of `findingKinds` would be dropped.
 */

const kindSql = (kind: FindingKind) => `'${kind}'`

const dollarsSql = (value: string) =>
  `case when ${value} < 0 then '-' else '' end || '$' || to_char(abs(${value}), 'FM999,999,999,990.00')`
const percentSql = (value: string) => `trim_scale(${value}) || ' %'`
/** Dollars by which an amount must change, besides 30 %, to be named. */
const leastMove = 100
/** SQL condition: an amount changed by more than 30 % and $100. */
const hasMovedSql = (now: string, before: string) =>
  `abs(${now} - ${before}) > ${leastMove} and abs(${now} - ${before}) > 0.3 * abs(${before})`
const fromToSql = (before: string, now: string) => `${dollarsSql(before)} || ' to ' || ${dollarsSql(now)}`
const agentSql = (agent: string) => `${agent}.displayid || ' ' || ${agent}.name`
const agentLink = (id: string) => `'/manage/agents?open=' || ${id}`
/** To what makes the statement of the month differ from that of an earlier one (reports 46). */
const comparedLink = (agent: string, before: string) =>
  `to_char($1::date, '"/reporting?report=statement-compared&month="YYYY-MM') || '&agent=' || ${agent}
    || to_char(${before}, '"&before="YYYY-MM') || '&run=1'`
/** To a part of the screen Month, where it is looked at or typed (cockpit 3). */
const monthLink = (part: string) => `to_char($1::date, '"/month/"YYYY-MM') || '${part}'`
/**
 * To the merchant, or to the search for a MID that is not in the portfolio, with the name that its file has
 * for it: a merchant that is created there takes both over (lists 19).
 */
export const merchantLink = (xmid: string, dba: string) =>
  `coalesce('/manage/merchants?open=' || (select id from merchant where xmid = ${xmid}),
    '/manage/merchants?search=' || uri_component(${xmid})
      || coalesce('&named=' || uri_component(${xmid} || ' ' || nullif(${dba}, '')), ''))`
/**
 * To the merchant of a MID. Its path takes longer to work out than all else of a finding, and a month may
 * have a million of these of which a screen shows few, so MID and name alone are kept, with a tab between
 * them, until the link is shown.
 */
const midPrefix = 'mid:'
const midLink = (xmid: string, dba = `''`) => `'${midPrefix}' || ${xmid} || chr(9) || ${dba}`
/** The path of the link of finding `f`; of a MID that is not in the portfolio that of the search for it. */
export const findingLink = (f: string) => {
  const kept = (part: number) => `split_part(substr(${f}.link, ${midPrefix.length + 1}), chr(9), ${part})`
  return `case when starts_with(${f}.link, '${midPrefix}') then ${merchantLink(kept(1), kept(2))}
    else ${f}.link end`
}

const lastWithFiles = (month: string) => `(select max(month) from residual where month < ${month})`

/**
 * Processors from which a file of the month is expected (processors 3): those expected every month, and of
 * active merchants and the last month with files those that are expected by their merchants or have no
 * record. Of several writings of a name that has no record one is named, that of a statement first.
 */
export const expectedProcessors = (month: string) => `
  select coalesce(p.name, min(s.processor), min(used.processor collate "C")) as processor
  from (
      select distinct processor from merchant where accountstatus = 2 and processor <> ''
      union select processor from (${processorsOfFiles(lastWithFiles(month))}) f) used
    left join processor_name n on n.key = processor_key(used.processor)
    left join processor p on p.id = n.processorid
    left join processor_statement s on s.month = ${month} and p.id is null
      and processor_key(s.processor) = processor_key(used.processor)
  where p.id is null or (p.expected = 1 and (p.since is null or p.since <= ${month}))
  group by p.name, processor_key(used.processor)
  union select name from processor where expected = 2 and (since is null or since <= ${month})`

/** The fields of the audit that tie a record to an agent, by entity. */
const assignments = [
  ['merchant', 'masteragentid', 'Master Agent'],
  ['masteragent', 'parentid', 'Parent'],
  ['masteragent', 'payeeid', 'Payee'],
]
const changedFields = [...new Set([...assignments.map(([, field]) => field), ...earningFields])]
  .map((field) => `'${field}'`)
  .join(', ')

/**
 * Relations of the checks: last month with files and its rows; the rows of this month's files alone, and
 * with the names of their merchants, for checks that name few of them; those of MIDs without a merchant;
 * the files; the MIDs of which the net may have moved, and those of which it did; the moment since which
 * changes count, and each change since then of a field that decides who earns, with what it held before, by
 * form and by import. Changes count since the month before was locked first: what was changed until a later
 * version of it counts in this month alone. A rate that holds from a month after it counts whenever it was
 * written.
 *
 * A MID has at most one row of each processor in a month, so if its net moved by more than an amount, one of
 * its rows did by more than that divided by the number of processors. To add up the few MIDs with such a row
 * takes a third as long as to add up all of both months.
 */
export const checkCtes = `
  last as materialized (select ${lastWithFiles('$1')} as prior),
  prior_row as not materialized (
    select xmid, processor, net from residual where month = (select prior from last)),
  file_row as not materialized (select xmid, processor, net from residual where month = $1),
  named_row as not materialized (select xmid, dba, processor, income, net, isknown from merchant_month),
  unknown_row as materialized (select xmid, dba, processor, income, net from named_row where not isknown),
  file as materialized (
    select processor, sum(net) as net from (${filesOf('$1')}) f group by processor),
  moved_mid as materialized (
    select distinct coalesce(f.xmid, p.xmid) as xmid
    from file_row f full join prior_row p on p.xmid = f.xmid and p.processor = f.processor
    where (select prior from last) is not null
      and abs(coalesce(f.net, 0) - coalesce(p.net, 0)) * (
        select count(*) from (
          select processor from file
          union (${processorsOfFiles('(select prior from last)')})) k) > ${leastMove}),
  moved as materialized (
    select xmid, f.net as now, p.net as before
    from (
        select xmid, sum(net) as net from file_row
        where xmid in (select xmid from moved_mid) group by xmid) f
      join (
        select xmid, sum(net) as net from prior_row
        where xmid in (select xmid from moved_mid) group by xmid) p using (xmid)
    where ${hasMovedSql('f.net', 'p.net')}),
  since as materialized (
    select month, min(changes_since) as at from month_lock
    where month = (select max(month) from month_lock where month < $1 and reopened_at is null)
    group by month),
  field_change as materialized (
    select d.entity, d.entityid::int as id, f.key as field, f.value as was, d.username, d.at, d.id as number
    from audit d cross join lateral jsonb_each(d.before) f
    where d.at > (select at from since) and d.action = 'update'
      and d.entity in ('merchant', 'masteragent', 'equipment') and f.key in (${changedFields})
      and f.value <> d.after -> f.key
    union all
    select d.entity, r.masteragentid, r.field, d.before -> r.field, d.username, d.at, d.id
    from since s join agent_rate r on r.from_month > s.month and r.from_month <= $1
      join audit d on d.entity = 'masteragent' and d.entityid = r.masteragentid::text and d.at <= s.at
    where d.action = 'update' and d.after ->> 'ratesfrom' = to_char(r.from_month, 'YYYY-MM')
      and d.before -> r.field <> d.after -> r.field
    union all
    select 'merchant', c.rowid::int, f.key, f.value -> 0, b.username, b.imported_at, b.id
    from import_batch b join import_change c on c.batchid = b.id and c.tablename = 'merchant'
      cross join lateral jsonb_each(c.changed) f
    where b.imported_at > (select at from since) and f.key in (${changedFields})),
  ${missingGapCtes({ month: '$1', months: 1 })},${selfDealingCtes}`

const fileChecks = `
  select ${kindSql('missing-file')}, p.processor, null, p.processor, null::numeric, '/import/compensation'
  from (${expectedProcessors('$1')}) p
  where not exists (select from residual r where r.month = $1 and r.processor = p.processor)
    and not exists (select from processor_statement s
      where s.month = $1 and s.processor = p.processor and s.nofile)
  union all
  select ${kindSql('stated-total')}, f.processor, null,
    f.processor || ': stated ' || ${dollarsSql('s.statednet')} || ', in the file ' || ${dollarsSql('f.net')},
    f.net - s.statednet, '/manage/statements?open=' || s.id
  from file f join processor_statement s on s.month = $1 and s.processor = f.processor
  where s.statednet <> f.net
  union all
  select ${kindSql('no-stated-total')}, f.processor, null, f.processor, f.net, ${monthLink('#files')}
  from file f where not exists (select from processor_statement s
    where s.month = $1 and s.processor = f.processor and s.statednet is not null)
  union all
  select ${kindSql('unknown-mid')}, processor || ' ' || xmid, null,
    processor || ' ' || xmid || ' ' || dba || ', net ' || ${dollarsSql('net')}, net,
    ${midLink('xmid', 'dba')}
  from unknown_row
  union all
  select ${kindSql('house-income')}, '', null, ${dollarsSql('sum(income)')} || ' of ' || count(*) || ' MIDs',
    sum(income), ${monthLink('#unknown-mid')}
  from unknown_row having sum(income) <> 0`

const merchantChecks = `
  select ${kindSql('volume-without-file')}, xmid, null,
    xmid || ' ' || dba || ', volume ' || ${dollarsSql('volume')},
    volume, '/month/' || to_char(month, 'YYYY-MM') || '/missing?search=' || uri_component(xmid)
  from missing_gap where hasvolume
  union all
  select ${kindSql('merchant-moved')}, s.xmid, null,
    s.xmid || ' ' || s.dba || ', ' || ${fromToSql('s.before', 's.now')},
    s.now - s.before, ${midLink('s.xmid')}
  from (
    select m.xmid, max(n.dba) as dba, m.now, m.before
    from moved m join named_row n on n.xmid = m.xmid group by m.xmid, m.now, m.before) s
  union all
  select ${kindSql('merchant-loss')}, processor || ' ' || xmid, null,
    processor || ' ' || xmid || ' ' || dba || ', net ' || ${dollarsSql('net')}, net,
    ${midLink('xmid')}
  from named_row where net < 0`

const agentChecks = `
  select ${kindSql('agent-moved')}, s.masteragentid::text, null,
    ${agentSql('s')} || ', ' || ${fromToSql('b.earned', '(s.own + s.override)')},
    s.own + s.override - b.earned, ${comparedLink('s.masteragentid', '(select prior from last)')}
  from statement s join (select masteragentid, own + override as earned from locked_statement
    where lockid = (select id from month_lock where month = (select prior from last)
      and reopened_at is null)) b using (masteragentid)
  where ${hasMovedSql('(s.own + s.override)', 'b.earned')}
  union all
  select ${kindSql('hold')}, s.masteragentid::text, s.hold,
    ${agentSql('s')} || ', due ' || ${dollarsSql('s.due')}, s.due, ${agentLink('s.masteragentid')}
  from statement s
  where s.hold is not null and not s.isofficeaccount and s.due > 0
  union all
  select ${kindSql('percent-above-parent')}, a.id::text, null,
    ${agentSql('a')} || ' ' || ${percentSql('c.percent')} || ', '
    || ${agentSql('b')} || ' ' || ${percentSql('p.percent')}, null, ${agentLink('a.id')}
  from agent_month c join agent_month p on p.id = c.parentid
    join master_agent a on a.id = c.id join master_agent b on b.id = p.id
  where c.percent > p.percent and not b.isofficeaccount
  union all
  select ${kindSql('shares-above-100')}, a.id::text, null,
    ${agentSql('a')} || ': ' || ${percentSql('sum(c.percent)')},
    null, ${agentLink('a.id')}
  from chain c join master_agent a on a.id = c.origin group by a.id
  having sum(c.percent) > 100
  union all
  select ${kindSql('circle')}, a.id::text, null, ${agentSql('a')}, null, ${agentLink('a.id')}
  from chain c join agent_month p on p.id = c.masteragentid join master_agent a on a.id = p.id
  where p.parentid = c.origin`

/**
 * A terminal that is paid in the month and of no agent earns for nobody, whose it is later either (money 12).
 * A month that is open again may pay it by its copy: then it has a line.
 */
const terminalChecks = `
  select ${kindSql('terminal-without-agent')}, e.id::text, null,
    e.model || ' ' || e.serialnumber || ', sold for ' || ${dollarsSql('e.soldfor')} || ', cost '
    || ${dollarsSql('e.cost')},
    e.soldfor - e.cost, '/manage/equipment?open=' || e.id
  from equipment e
  where e.paidmonth = $1 and e.masteragentid is null and e.merchantid is null
    and not exists (select from statement_line s where s.kind = 'equipment' and s.source = e.id)`

/** What is proposed in the month and not decided, and what its next lock withdraws (money 21). */
const proposalChecks = `
  select ${kindSql('open-proposal')}, j.id::text, null,
    coalesce(${agentSql('a')}, m.xmid || ' ' || m.dba) || ', ' || ${dollarsSql('j.amount')} || ', by '
    || j.author, j.amount, '/manage/adjustments?open=' || j.id
  from adjustment j left join master_agent a on a.id = j.masteragentid
    left join merchant m on m.id = j.merchantid
  where j.month = $1 and j.state = 'proposed' and j.latexmid is null
  union all
  select ${kindSql('late-mid')},
    j.latexmid || ' ' || j.lateprocessor || ' ' || to_char(j.latemonth, 'YYYY-MM'), null,
    j.latexmid || coalesce(' ' || max(m.dba), '') || ', ' || j.lateprocessor || ', '
    || to_char(j.latemonth, 'FMMonth YYYY') || ', ' || ${dollarsSql('sum(j.amount)')} || ' to ' || count(*)
    || case count(*) when 1 then ' agent' else ' agents' end,
    sum(j.amount), '/manage/adjustments?search=' || uri_component(j.latexmid)
  from adjustment j left join merchant m on m.xmid = j.latexmid
  where j.month = $1 and j.state = 'proposed' and j.latexmid is not null
  group by j.latexmid, j.lateprocessor, j.latemonth`

const dateCheck = `
  select ${kindSql('month-not-over')}, '', null,
    to_char($1::date, 'FMMonth YYYY'), null, ${monthLink('#lock')}
  where $1::date + interval '1 month' > now()`

const rateTitle = rateFields
  .map((field) => `when '${field}' then '${masterAgent.schema.properties[field].title}'`)
  .join(' ')
const nameOf = (id: string) =>
  `coalesce((select ${agentSql('n')} from master_agent n where n.id = ${id}), 'none')`

/** What the subscriptions in a record of the audit, before or after, take from the agent in a month. */
const subscribedSql = (record: string) => `
  coalesce((select sum((x ->> 'amount')::numeric)
    from jsonb_array_elements(${record} -> 'collectionSubscriptions') x), 0)`

/**
 * Subscriptions are compared as their sum in a month (money 13), with that before the first change since the
 * last lock. One below 0 pays the agent, whom a user of a branch may have chosen.
 */
const subscriptionChecks = `
  select ${kindSql('subscription-changed')}, c.id::text, null,
    ${agentSql('a')} || ', ' || ${fromToSql('c.was', 'n.now')} || ' a month, by ' || c.username,
    c.was - n.now, ${agentLink('a.id')}
  from (
    select d.entityid::int as id,
      (array_agg(${subscribedSql('d.before')} order by d.at, d.id))[1] as was,
      (array_agg(d.username order by d.at desc, d.id desc))[1] as username
    from audit d
    where d.at > (select at from since) and d.entity = 'masteragent' and d.action in ('create', 'update')
      and d.after ? 'collectionSubscriptions'
    group by d.entityid) c
    join master_agent a on a.id = c.id
    cross join lateral (
      select coalesce(sum(s.amount), 0) as now from collection_subscription s
      where s.masteragentid = a.id) n
  where n.now <> c.was`

/** A rate that holds from the beginning, 1900, is the former one of a changed rate (agents 5). */
const changeChecks = `
  select ${kindSql('rate-changed')},
    r.masteragentid || ' ' || r.field || ' ' || to_char(r.from_month, 'YYYY-MM'), null,
    ${agentSql('a')} || ', ' || case r.field ${rateTitle} end || ' ' || case when r.value is null then 'none'
      when r.field like 'percent%' then ${percentSql('r.value')} else ${dollarsSql('r.value')} end
    || ' from ' || to_char(r.from_month, 'FMMonth YYYY') || ', by ' || r.username,
    null, ${agentLink('a.id')}
  from agent_rate r join master_agent a on a.id = r.masteragentid
  where r.changed_at > (select at from since) and r.from_month > date '1900-01-01'
  union all
  select ${kindSql('assignment-changed')}, e.entity || ' ' || e.id || ' ' || e.field, null,
    e.name || ', ' || e.title || ' from ' || ${nameOf('e.was')} || ' to ' || ${nameOf('e.now')}
    || ', by ' || e.username, null, e.link
  from (
    select c.entity, c.id, c.field, c.title, c.was, c.username,
      case c.field when 'masteragentid' then m.masteragentid when 'parentid' then a.parentid
        else a.payeeid end as now,
      case c.entity when 'merchant' then m.xmid || ' ' || m.dba else ${agentSql('a')} end as name,
      case c.entity when 'merchant' then '/manage/merchants?open=' || m.id else ${agentLink('a.id')} end
        as link
    from (
      select d.entity, d.id, d.field, f.title,
        (array_agg(nullif((d.was #>> '{}')::int, 0) order by d.at, d.number))[1] as was,
        (array_agg(d.username order by d.at desc, d.number desc))[1] as username
      from field_change d join (values ${assignments.map((it) => `('${it.join("', '")}')`).join(', ')})
        f (entity, field, title) using (entity, field)
      group by d.entity, d.id, d.field, f.title) c
      left join merchant m on c.entity = 'merchant' and m.id = c.id
      left join master_agent a on c.entity = 'masteragent' and a.id = c.id) e
  where e.name is not null and e.was is distinct from e.now`

/** Checks of the rows of a month and of records. */
const rowChecks = [fileChecks, merchantChecks, proposalChecks, dateCheck, changeChecks, subscriptionChecks]
/** Checks for which the statements of a month, or the shares in it, are worked out. */
const payChecks = [agentChecks, terminalChecks, selfDealingChecks]

/** The checks of a month as relations of rows: all of them, and two parts that take about the same time. */
export const checkParts = {
  all: [...rowChecks, ...payChecks].join(' union all '),
  rows: rowChecks.join(' union all '),
  pay: payChecks.join(' union all '),
}
