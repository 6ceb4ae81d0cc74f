import type { DifferenceKind } from '../../../schemas/api/months/differences.ts'
import { masterAgent, rateFields } from '../../../schemas/entities/masterAgent.ts'
import { accountStatuses } from '../../../schemas/entities/merchant.ts'
import { merchantFields, subscriptionFields, terminalFields } from '../monthRecords.ts'

/*
 * What differs today from the copies that a reopened month is worked out from (months 14), as SQL over the
 * relations of the month (`openMonthSource`). Each row is (kind, suffix of the key, entity, recordid, what,
 * was, now, value, link, audited, auditid): `value` are the columns that replace those of the copy when it is
 * taken over, `audited` and `auditid` name the record in the audit.
 */

const dollarsSql = (value: string) => `'$' || to_char(${value}, 'FM999,999,999,990.00')`
const agentNameSql = (id: string) =>
  `coalesce((select a.displayid || ' ' || a.name from agent_today a where a.id = ${id}),
    (select a.displayid || ' ' || a.name from copied_agent a where a.id = ${id}), 'None')`
const statusTitles = accountStatuses.map((it) => `when ${it.const} then '${it.title}'`).join(' ')
const daySql = (seconds: string) => `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'MM/DD/YYYY')`
/** 0 is no date (lists 10). */
const closedSql = (record: string) => `nullif(${record}.date_closed, 0)`
const statusSql = (record: string) =>
  `case ${record}.accountstatus ${statusTitles} end
    || coalesce(', closed ' || ${daySql(closedSql(record))}, '')`
const valueSql = (columns: readonly string[], record: string) =>
  `jsonb_build_object(${columns.map((name) => `'${name}', ${record}.${name}`).join(', ')})`
const rowOf = (columns: readonly string[], record: string) =>
  `(${columns.map((name) => (name === 'date_closed' ? closedSql(record) : `${record}.${name}`)).join(', ')})`
const differsSql = (columns: readonly string[]) =>
  `${rowOf(columns, 'k')} is distinct from ${rowOf(columns, 'n')}`

type Change = { kind: DifferenceKind; columns: readonly string[]; show(record: string): string }

const merchantChanges: readonly Change[] = [
  {
    kind: 'merchant-agent',
    columns: ['masteragentid'],
    show: (record) => agentNameSql(`${record}.masteragentid`),
  },
  { kind: 'merchant-status', columns: ['accountstatus', 'date_closed'], show: statusSql },
  { kind: 'merchant-name', columns: ['dba'], show: (record) => `${record}.dba` },
]
const absent = `'Not in the portfolio'`
const merchantLink = `'/manage/merchants?open=' || n.id`
const merchantRow = (kind: DifferenceKind, columns: readonly string[], was: string, now: string) => `
  select '${kind}', '', 'merchant', n.xmid, n.xmid || ' ' || n.dba, ${was}, ${now},
    ${valueSql(columns, 'n')}, ${merchantLink}, 'merchant', n.id::text`

/** A merchant whose month has no row in the copy is as it is today, and differs in nothing. */
const merchantDifferences = [
  ...merchantChanges.map(
    ({ kind, columns, show }) => `${merchantRow(kind, columns, show('k'), show('n'))}
    from merchant_record k join copied_merchant c on c.xmid = k.xmid join merchant n on n.xmid = k.xmid
    where ${differsSql(columns)}`,
  ),
  `${merchantRow('merchant-added', Object.keys(merchantFields), absent, agentNameSql('n.masteragentid'))}
    from copied_merchant c join merchant n on n.xmid = c.xmid
    where not exists (select from merchant_record k where k.xmid = c.xmid)`,
  `select 'merchant-removed', '', 'merchant', k.xmid, k.xmid || ' ' || k.dba,
      ${agentNameSql('k.masteragentid')}, ${absent}, '{}', null::text, 'merchant', null::text
    from merchant_record k where not exists (select from merchant n where n.xmid = k.xmid)`,
]

const yesNo = (column: string) => (record: string) => `case when ${record}.${column} then 'Yes' else 'No' end`
type RateField = (typeof rateFields)[number]
const rateColumns = Object.entries({
  percentagecommissionreceived: 'percent',
  amountcommissionreceived: 'flat',
  percentageequipmentcommissionreceived: 'eqpercent',
  amountequipmentcommissionreceived: 'eqflat',
} satisfies Record<RateField, string>) as [RateField, string][]

const agentChanges: readonly (Change & { field?: RateField })[] = [
  ...rateColumns.map(([field, column]) => ({
    kind: 'agent-rate' as const,
    field,
    columns: [column],
    show: (record: string) =>
      column.endsWith('percent')
        ? `trim_scale(${record}.${column}) || ' %'`
        : dollarsSql(`${record}.${column}`),
  })),
  { kind: 'agent-parent', columns: ['parentid'], show: (record) => agentNameSql(`${record}.parentid`) },
  { kind: 'agent-payee', columns: ['payeeid'], show: (record) => agentNameSql(`${record}.payeeid`) },
  { kind: 'agent-office', columns: ['isofficeaccount'], show: yesNo('isofficeaccount') },
  { kind: 'agent-inactive', columns: ['payoninactive'], show: yesNo('payoninactive') },
  {
    kind: 'agent-name',
    columns: ['displayid', 'name'],
    show: (record) => `${record}.displayid || ' ' || ${record}.name`,
  },
]
const fieldTitle = (field: RateField) => masterAgent.schema.properties[field].title

const agentDifferences = agentChanges.map(
  ({ kind, columns, show, field }) => `
  select '${kind}', '${field ? ` ${field}` : ''}', 'agent', n.id::text,
    n.displayid || ' ' || n.name${field ? ` || ', ${fieldTitle(field)}'` : ''}, ${show('k')}, ${show('n')},
    ${valueSql(columns, 'n')}, '/manage/agents?open=' || n.id, 'masteragent', n.id::text
  from agent_month k join copied_agent c on c.id = k.id join agent_today n on n.id = k.id
  where ${differsSql(columns)}`,
)

type Extra = {
  kind: 'terminal' | 'subscription'
  columns: readonly string[]
  name: string
  show(record: string): string
  link: string
  audited: string
}

/**
 * Records that a month has or has not: one side may lack the row. One that is gone is taken over with its
 * agent, whose pay that changes (payouts 12).
 */
const extraDifferences = (
  [
    {
      kind: 'terminal',
      columns: Object.keys(terminalFields),
      name: `coalesce(n.model, k.model) || ' ' || coalesce(n.serialnumber, k.serialnumber)`,
      show: (record) =>
        `${agentNameSql(`${record}.masteragentid`)} || ', cost ' || ${dollarsSql(`${record}.cost`)}
          || ', sold for ' || ${dollarsSql(`${record}.soldfor`)}`,
      link: `'/manage/equipment?open=' || n.id`,
      audited: `'equipment', coalesce(n.id, k.id)::text`,
    },
    {
      kind: 'subscription',
      columns: Object.keys(subscriptionFields),
      name: `${agentNameSql('coalesce(n.masteragentid, k.masteragentid)')}
        || ', ' || coalesce(n.notes, k.notes)`,
      show: (record) => dollarsSql(`${record}.amount`),
      link: `'/manage/agents?open=' || coalesce(n.masteragentid, k.masteragentid)`,
      audited: `'masteragent', coalesce(n.masteragentid, k.masteragentid)::text`,
    },
  ] satisfies Extra[]
).map(
  ({ kind, columns, name, show, link, audited }: Extra) => `
  select '${kind}', '', '${kind}', coalesce(n.id, k.id)::text, ${name},
    case when k.id is null then 'Not in the month' else ${show('k')} end,
    case when n.id is null then 'Not in the month' else ${show('n')} end,
    case when n.id is null
      then jsonb_build_object('isremoved', true, 'masteragentid', k.masteragentid)
      else ${valueSql(columns, 'n')} || '{"isremoved": false}' end,
    ${link}, ${audited}
  from ${kind} k full join (select * from ${kind}_today where masteragentid is not null) n on n.id = k.id
  where ${differsSql(columns)}`,
)

/** The columns of a taken record that say whether the month has it at all. */
const valueOf = `case kind when 'merchant-added' then value || '{"isknown": true, "isremoved": false}'
  when 'merchant-removed' then '{"isremoved": true}' else value end`

export const foundCte = `
  found as materialized (
    select kind, kind || ':' || recordid || suffix as key, entity, recordid, what, was, now,
      ${valueOf} as value, link, audited, auditid
    from (${[...merchantDifferences, ...agentDifferences, ...extraDifferences].join(' union all ')}) d
      (kind, suffix, entity, recordid, what, was, now, value, link, audited, auditid))`
