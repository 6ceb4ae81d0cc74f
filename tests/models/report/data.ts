import type { Lock, ReportResult } from '../../../schemas/api/reports.ts'
import { reopenMonth } from '../../../server/money/lock.ts'
import { listMonths } from '../../../server/money/months.ts'
import type { World } from '../../world.ts'
import { ok } from '../lib/drivers/driver.ts'
import { secondClient } from '../lib/merchants.ts'

export const statement = { id: 'agent-residual-statement', name: 'Agent Residual Statement' }
export const other = 'User Access'
/** Master agent 2, as the server offers it. */
export const agentId = 2

/** The newest month and the one before, as the database has them. */
export const monthsOf = async ({ db }: World) => (await listMonths(db)).slice(0, 2)
export const newest = ({ month }: { month: string }) => month
export const wire = (month: string) => month.slice(0, 7)

/** The newest month is open again, whatever an earlier walk did to it. */
export async function openNewest(world: World): Promise<void> {
  const [latest] = await monthsOf(world)
  if (latest!.state === 'Locked')
    await reopenMonth(world.db, {
      month: latest!.month,
      reason: 'For the next walk',
      username: 'admin',
      address: '127.0.0.1',
    })
}

/** What the server has for the agent and a month, asked by somebody else. */
export async function result(
  world: World,
  month: string,
): Promise<{ rows: number; due: string; lock: Lock | null }> {
  const admin = await secondClient(world)
  const { status, body } = await admin.call('POST', `/api/v1/report/${statement.id}`, {
    month: wire(month),
    agent: String(agentId),
  })
  ok(status === 200, `the statement answers ${status}`)
  const { data, totals, lock } = body as ReportResult
  const amount = Number(totals?.['amount'])
  const due = `${amount < 0 ? '-' : ''}$${Math.abs(amount)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+\.)/g, ',')}`
  return { rows: data.length, due, lock }
}
