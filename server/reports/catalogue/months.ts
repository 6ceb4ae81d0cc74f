import { everyone, holds } from '../../../schemas/permissions.ts'
import { within } from '../../db/scope.ts'
import { checklist as findings } from '../../money/checklist.ts'
import { lockOf } from '../../money/months.ts'
import { whole } from '../engine/inputs.ts'
import { month } from '../engine/monthInput.ts'
import { id, money, placeholders, report, text } from '../engine/report.ts'

/** What should be looked at before a month is locked, or what it was locked in spite of. */
export const checklist = report({
  id: 'month-checklist',
  name: 'Month Checklist',
  allow: holds('lock_reports'),
  whole: true,
  inputs: { month },
  columns: [text('severity', 'Severity'), text('what', 'Finding'), text('where', 'Where')],
  async answer({ sql, inputs }) {
    const { values, put } = placeholders()
    const found = put(JSON.stringify(await findings(sql, inputs.month)))
    const rows = `
      select initcap(value ->> 'severity') as severity, value ->> 'what' as what, value ->> 'where' as "where"
      from jsonb_array_elements(${found}::jsonb) with ordinality
      order by array_position(array['stop', 'warning', 'note'], value ->> 'severity'), ordinality`
    return {
      sql: rows,
      values,
      lock: await lockOf(sql, inputs.month),
      notes: ['A Stop keeps the month from being locked.'],
    }
  },
})

const figures = [
  'own',
  'override',
  'withheld',
  'equipment',
  'adjustments',
  'subscriptions',
  'carryin',
  'due',
  'payable',
  'carryout',
]

/** Every figure that differs between two locks of a month: of agents, and of what single merchants bring them. */
export const versions = report({
  id: 'lock-versions-compared',
  name: 'Lock Versions Compared',
  allow: everyone,
  published: true,
  inputs: { month, older: whole('Version', 1, 9999), newer: whole('Compared With', 1, 9999) },
  columns: [
    text('kind', 'Of'),
    id('id', 'ID'),
    text('name', 'Name'),
    text('figure', 'Figure'),
    money('before', 'Before'),
    money('after', 'After'),
    money('difference', 'Difference'),
  ],
  async answer({ sql, inputs, scope }) {
    const { values, put } = placeholders()
    const [mine, at, older, newer] = [put(scope), put(inputs.month), put(inputs.older), put(inputs.newer)]
    const known = await sql.query<{ version: number; line: string }>(
      `select version, format('Version %s was locked by %s on %s UTC%s.', version, username,
          to_char(locked_at at time zone 'UTC', 'MM/DD/YYYY HH24:MI'), ', and reopened by ' || reopened_by || ': ' || reason) as line
        from month_lock where month = $1 and version = any ($2) order by version`,
      [inputs.month, [inputs.older, inputs.newer]],
    )
    const missing = [...new Set([inputs.older, inputs.newer])].filter(
      (version) => !known.some((lock) => lock.version === version),
    )
    const of = (alias: string) =>
      `jsonb_build_object(${figures.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`
    const rows = `
      with lock as (select id, version from month_lock where month = ${at}::date),
      one as (select * from locked_statement where lockid = (select id from lock where version = ${older}::int)
        and ${within(mine, 'masteragentid')}),
      two as (select * from locked_statement where lockid = (select id from lock where version = ${newer}::int)
        and ${within(mine, 'masteragentid')}),
      agents as (
        select coalesce(two.displayid, one.displayid) as id, coalesce(two.name, one.name) as name, f.key, f.n,
          (${of('one')} ->> f.key)::numeric as before, (${of('two')} ->> f.key)::numeric as after
        from one full join two using (masteragentid)
          cross join unnest(array[${figures.map((name) => `'${name}'`).join(', ')}]) with ordinality f(key, n)),
      paid as (
        select l.version, m.xmid, m.dba, p.masteragentid, sum(p.amount) as amount
        from lock l join locked_pay p on p.lockid = l.id join locked_merchant m on m.lockid = l.id and m.line = p.line
        where l.version in (${older}::int, ${newer}::int) and ${within(mine, 'p.masteragentid')}
        group by l.version, m.xmid, m.dba, p.masteragentid),
      merchants as (
        select p.xmid as id, max(p.dba) as name, 'to ' || a.displayid as key,
          coalesce(sum(p.amount) filter (where p.version = ${older}::int), 0) as before,
          coalesce(sum(p.amount) filter (where p.version = ${newer}::int), 0) as after
        from paid p join master_agent a on a.id = p.masteragentid group by p.xmid, a.id)
      select kind, id, name, figure, before, after, after - before as difference from (
        select 1 as part, 'Master Agent' as kind, id, name, n, initcap(key) as figure,
          coalesce(before, 0) as before, coalesce(after, 0) as after
        from agents
        union all
        select 2, 'Merchant', id, name, 0, 'Pays ' || key, before, after from merchants) d
      where before <> after order by part, id collate "C", n, figure`
    return {
      sql: rows,
      values,
      notes: [
        ...known.map(({ line }) => line),
        ...missing.map((version) => `There is no version ${version} of this month.`),
      ],
    }
  },
})
