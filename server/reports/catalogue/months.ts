import { everyone, holds } from '../../../schemas/permissions.ts'
import type { Db, Statement } from '../../db/db.ts'
import { agentInScope } from '../../db/scope.ts'
import {
  compareKinds,
  findingOrder,
  findingParts,
  type FindingSource,
} from '../../money/checklist/checklist.ts'
import { findingLink } from '../../money/checklist/checks.ts'
import { monthPattern } from '../../money/months.ts'
import { refreshPresence } from '../../money/variance/presence.ts'
import { integerInput } from '../engine/inputs.ts'
import { monthInput } from '../engine/monthInput.ts'
import { isLarge, type Parts } from '../engine/parts.ts'
import { id, linked, money, placeholders, defineReport, text } from '../engine/report.ts'

/** The checklist of an open month, or that of its lock (reports 17, months 10). */
export const monthChecklist = defineReport({
  id: 'month-checklist',
  name: 'Month Checklist',
  group: 'Months and Files',
  description: 'What somebody should know before the month is locked and people are paid.',
  figure: { column: null, words: 'Findings' },
  sections: ['severity'],
  allow: holds('lock_reports'),
  fullScopeOnly: true,
  inputs: { month: monthInput },
  columns: [
    text('severity', 'Severity'),
    text('what', 'Finding'),
    linked(text('where', 'Where'), 'link'),
    text('kind', 'Kind'),
    money('amount', 'Amount'),
    text('waived', 'Waived'),
  ],
  prepare: (db, { month }) => refreshMonthPresence(db, month),
  async query({ sql, inputs }) {
    const { lock, all, parts } = await findingParts(sql, inputs.month)
    const statements = parts && ([findingRows(parts[0]), findingRows(parts[1])] as const)
    return {
      ...findingRows(all),
      lock,
      ...(statements && {
        parts: {
          statements: async (tx) => ((await isLarge(tx)) ? statements : null),
          compare: compareFindings,
        },
      }),
      notes: ['A Stop keeps the month from being locked, and so does a Warning until it is waived.'],
    }
  },
})

const severities = ['stop', 'warning', 'note']

const findingRows = ({ ctes, values }: FindingSource): Statement => ({
  sql: `with recursive ${ctes}
    select initcap(severity) as severity, what, "where", kind, ${findingLink('finding')} as link, amount,
      waiver ->> 'username' || ': ' || (waiver ->> 'reason') as waived
    from finding
    order by array_position(array['${severities.join("', '")}'], severity), ${findingOrder}`,
  values,
})

/** The order of rows of different kinds. */
const compareFindings: Parts['compare'] = (a, b) =>
  severityOf(a) - severityOf(b) || compareKinds(String(a.kind), String(b.kind))
const severityOf = ({ severity }: Record<string, unknown>) =>
  severities.indexOf(String(severity).toLowerCase())

/**
 * The checklist looks for merchants that are in no file of the month. While the month's bitmaps are stale it
 * reads the rows of each merchant, which takes minutes of a million merchants, so they are made first.
 */
async function refreshMonthPresence(db: Db, month: unknown): Promise<void> {
  if (typeof month === 'string' && monthPattern.test(month))
    await refreshPresence(db, `${month}-01`, `${month}-01`)
}

/** Columns of locked_statement that are compared. */
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

/** Every figure that differs between two locks of a month, of agents and of merchants (reports 18). */
export const lockVersions = defineReport({
  id: 'lock-versions-compared',
  name: 'Lock Versions Compared',
  group: 'Pay of Agents',
  description: 'Every figure that differs between two locks of a month.',
  figure: { column: null, words: 'Differences' },
  sections: ['kind'],
  allow: everyone,
  publishedOnly: true,
  inputs: {
    month: monthInput,
    older: integerInput('Version', 1, 9999),
    newer: integerInput('Compared With', 1, 9999),
  },
  columns: [
    text('kind', 'Of'),
    id('id', 'ID'),
    {
      ...text('name', 'Name'),
      record: (row) => (row.kind === 'Merchant' ? { merchant: row.id ?? null } : { agent: row.id ?? null }),
    },
    text('figure', 'Figure'),
    money('before', 'Before'),
    money('after', 'After'),
    money('difference', 'Difference'),
  ],
  async query({ sql, inputs, scope }) {
    const { values, bind } = placeholders()
    const [scopeParam, monthParam] = [bind(scope), bind(inputs.month)]
    const [older, newer] = [bind(inputs.older), bind(inputs.newer)]
    const locks = await sql.query<{ version: number; line: string }>(
      `select version, format('Version %s was locked by %s on %s UTC%s.', version, username,
          to_char(locked_at at time zone 'UTC', 'MM/DD/YYYY HH24:MI'),
          ', and reopened by ' || reopened_by || ': ' || reason) as line
        from month_lock where month = $1 and version = any ($2) order by version`,
      [inputs.month, [inputs.older, inputs.newer]],
    )
    const missing = [...new Set([inputs.older, inputs.newer])].filter(
      (version) => !locks.some((lock) => lock.version === version),
    )
    const figuresJson = (alias: string) =>
      `jsonb_build_object(${figures.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`
    const rows = `
      with lock as (select id, version from month_lock where month = ${monthParam}::date),
      one as (select * from locked_statement
        where lockid = (select id from lock where version = ${older}::int)
        and ${agentInScope(scopeParam, 'masteragentid')}),
      two as (select * from locked_statement
        where lockid = (select id from lock where version = ${newer}::int)
        and ${agentInScope(scopeParam, 'masteragentid')}),
      agents as (
        select coalesce(two.displayid, one.displayid) as id, coalesce(two.name, one.name) as name, f.key, f.n,
          (${figuresJson('one')} ->> f.key)::numeric as before,
          (${figuresJson('two')} ->> f.key)::numeric as after
        from one full join two using (masteragentid)
          cross join unnest(array[${figures.map((name) => `'${name}'`).join(', ')}])
            with ordinality f(key, n)),
      paid as (
        select l.version, m.xmid, m.dba, p.masteragentid, sum(p.amount) as amount
        from lock l join locked_pay p on p.lockid = l.id
          join locked_merchant m on m.lockid = l.id and m.line = p.line
        where l.version in (${older}::int, ${newer}::int) and ${agentInScope(scopeParam, 'p.masteragentid')}
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
        ...locks.map(({ line }) => line),
        ...missing.map((version) => `There is no version ${version} of this month.`),
      ],
    }
  },
})
