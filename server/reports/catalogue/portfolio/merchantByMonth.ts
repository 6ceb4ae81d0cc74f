import type { ReportLink } from '../../../../schemas/api/reports.ts'
import { recordsTitle } from '../../../../schemas/entities/entity.ts'
import { equipment } from '../../../../schemas/entities/equipment.ts'
import { referringPath } from '../../../../schemas/entities/lists/filters.ts'
import { newTicketPath, ticketList } from '../../../../schemas/entities/ticket.ts'
import { everyone } from '../../../../schemas/permissions.ts'
import type { Sql, Statement } from '../../../db/db.ts'
import { agentInScope } from '../../../db/scope.ts'
import { monthSource } from '../../../money/monthSource.ts'
import { statementParts } from '../../../money/variance/monthLevels.ts'
import { textInput } from '../../engine/inputs.ts'
import { publishedNotes } from '../../engine/publishedMonths.ts'
import {
  defineReport,
  incomeColumns,
  linked,
  monthColumn,
  namesAgent,
  statementPath,
  text,
} from '../../engine/report.ts'

const figures = 'm.dba, m.masteragentid, m.processor, m.txncount, m.sales, m.income, m.expense, m.net'

/**
 * The lines of the Merchant ID in locked months, as the locks in force copied them. The index finds its lines
 * of all locks first: lock by lock, all merchants of each would be read.
 */
const lockedLines = (merchant: string): Statement => ({
  sql: `
    with copied as materialized (select * from locked_merchant where xmid = $1)
    select l.month, 'Locked' as state, ${figures}, s.displayid || ' - ' || s.name as agent
    from copied m join month_lock l on l.id = m.lockid
      left join locked_statement s on s.lockid = l.id and s.masteragentid = m.masteragentid
    where l.reopened_at is null`,
  values: [merchant],
})

/** The lines of the Merchant ID in each month that is not locked. */
async function openLines(sql: Sql, merchant: string): Promise<Statement[]> {
  const months = await sql.query<{ month: string; state: string }>(
    `select r.month, case when exists (select from month_lock l where l.month = r.month)
        then 'Reopened' else 'Open' end as state
      from (select distinct month from residual where xmid = $1) r
      where not exists (select from month_lock l where l.month = r.month and l.reopened_at is null)`,
    [merchant],
  )
  return Promise.all(
    months.map(async ({ month, state }) => {
      const { ctes, values } = await monthSource(sql, month, { agents: null })
      const [monthParam, stateParam, merchantParam] = [1, 2, 3].map((next) => `$${values.length + next}`)
      return {
        sql: `
          with recursive ${ctes}
          select ${monthParam}::date as month, ${stateParam}::text as state, ${figures},
            a.displayid || ' - ' || a.name as agent
          from merchant_month m left join agent_month a on a.id = m.masteragentid
          where m.xmid = ${merchantParam}`,
        values: [...values, month, state, merchant],
      }
    }),
  )
}

/** The terminals and the tickets of the merchant, where it is in the portfolio and the caller's sight. */
async function merchantLinks(sql: Sql, xmid: string, scope: readonly number[] | null): Promise<ReportLink[]> {
  const found = await sql.query<{ id: number; dba: string }>(
    `select id, dba from merchant where xmid = $1 and ${agentInScope('$2', 'masteragentid')}`,
    [xmid, scope],
  )
  return found.flatMap(({ id, dba }) => [
    { text: recordsTitle(equipment), path: referringPath(equipment, 'merchantid', id) },
    { text: 'Tickets', path: `${ticketList.path}?${String(new URLSearchParams({ search: xmid }))}` },
    { text: 'New Ticket', path: newTicketPath(xmid, `${xmid} - ${dba}`) },
  ])
}

/** Income and cost of one merchant, month by month (reports 45). */
export const merchantByMonth = defineReport({
  id: 'merchant-by-month',
  name: 'Merchant by Month',
  group: 'Portfolio',
  description: 'Volume, income and net of one merchant, month by month.',
  figure: { column: 'net', words: 'Net' },
  allow: everyone,
  publishedOnly: true,
  inputs: { merchant: textInput('Merchant ID') },
  columns: [
    linked(monthColumn('month', 'Month', { text: 'Total' }), 'statement'),
    text('state', 'State'),
    linked(text('dba', 'DBA'), 'merchantlink'),
    namesAgent(text('agent', 'Master Agent')),
    text('processor', 'Processor'),
    ...incomeColumns,
  ],
  async query({ sql, inputs: { merchant }, scope, caller }) {
    const { values, part, bind } = statementParts()
    // Of open months a branch sees nothing (reports 8).
    const open = scope === null ? await openLines(sql, merchant) : []
    const lines = [lockedLines(merchant), ...open].map((it) => `select * from ${part(it)} l`)
    const merchantLink = `(
      select '/manage/merchants?open=' || id from merchant
      where xmid = ${bind(merchant)} and ${agentInScope(bind(caller.scope), 'masteragentid')})`
    return {
      sql: `
        select to_char(month, 'YYYY-MM') as month, state, dba, agent, processor, txncount, sales,
          income, expense, net, round(net / nullif(sales, 0) * 10000, 2) as bps,
          ${merchantLink} as merchantlink, ${statementPath('month', 'masteragentid')} as statement
        from (${lines.join(' union all ')}) l
        where ${agentInScope(bind(scope), 'masteragentid')}
        order by month desc, processor`,
      values,
      notes: publishedNotes(scope),
      links: await merchantLinks(sql, merchant, caller.scope),
    }
  },
})
