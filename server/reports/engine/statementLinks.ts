import type { ReportLink } from '../../../schemas/api/reports.ts'
import { newTicketPath } from '../../../schemas/entities/ticket.ts'
import { paymentsPath } from '../../../schemas/paymentsPath.ts'
import { seesPayouts } from '../../../schemas/screenRules.ts'
import type { Sql } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import { monthName } from '../../money/months.ts'

type Subject = { caller: Caller; agent: number; month: string }

/**
 * From a statement to the payments of its agent, and to a ticket that asks about it (reports 4). The name of
 * the agent is left out: it may be another in a locked month.
 */
export async function statementLinks(sql: Sql, { caller, agent, month }: Subject): Promise<ReportLink[]> {
  const found = await sql.query<{ displayid: string }>('select displayid from master_agent where id = $1', [
    agent,
  ])
  return found.flatMap(({ displayid }) => [
    ...(seesPayouts(caller) ? [{ text: 'Payments', path: paymentsPath(displayid) }] : []),
    {
      text: 'New Ticket',
      path: newTicketPath(displayid, `${displayid} - Statement of ${monthName(month)}`),
    },
  ])
}
