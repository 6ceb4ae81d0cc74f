import type { Lock, ReportResult } from '../../../schemas/api/reports.ts'
import { monthFindings } from '../../../server/money/checklist/checklist.ts'
import { writeWaivers } from '../../../server/money/checklist/waivers.ts'
import { reopenMonth } from '../../../server/money/lock.ts'
import { listMonths } from '../../../server/money/months.ts'
import type { TestPortal } from '../../testPortal.ts'
import { ok } from '../lib/drivers/driver.ts'
import { secondClient } from '../lib/merchants.ts'

export const statement = { id: 'agent-residual-statement', name: 'Agent Residual Statement' }
export const other = 'User Access'
/** Master agent 2, as the server offers it. */
export const agentId = 2

/** The newest month and the one before, as the database has them. */
export const monthsOf = async ({ db }: TestPortal) => (await listMonths(db)).slice(0, 2)
export const newest = ({ month }: { month: string }) => month
export const wire = (month: string) => month.slice(0, 7)

/** Nothing keeps a month from being locked: whatever its checklist warns of is waived. */
export const waiveAll = ({ db }: TestPortal, month: string) =>
  db.transaction(async (tx) => {
    const findings = (await monthFindings(tx, month)).filter(
      ({ severity, waiver }) => severity === 'warning' && waiver === null,
    )
    const action = { month, username: 'admin', address: '127.0.0.1' }
    await writeWaivers(tx, action, findings, 'Waived before the walk')
  })

/** A stated total and a MID say something else than when they were waived. */
export async function changeFindings({ db }: TestPortal, month: string): Promise<void> {
  await db.query(
    `update processor_statement set statednet = statednet + 1 where month = $1 and processor = 'Borealis'`,
    [month],
  )
  await db.query(
    `update residual set dba = dba || '.' where month = $1 and xmid = (select min(xmid) from residual r
      where r.month = $1 and not exists (select from merchant m where m.xmid = r.xmid))`,
    [month],
  )
}

/** A stated total that agreed with the file differs from it. */
export const changeTotal = ({ db }: TestPortal, month: string) =>
  db.query(
    `update processor_statement set statednet = statednet + 1 where month = $1 and processor = 'Corona'`,
    [month],
  )

const missing = 'Corona'
/** The file of a processor is taken for that of another one. */
export const removeFile = ({ db }: TestPortal, month: string) =>
  db.query(`update residual set processor = 'Drift' where month = $1 and processor = $2`, [month, missing])
const restoreFile = ({ db }: TestPortal, month: string) =>
  db.query(`update residual set processor = $2 where month = $1 and processor = 'Drift'`, [month, missing])

/** The newest month is open again and can be locked, whatever an earlier walk did to it. */
export async function openNewest(portal: TestPortal): Promise<void> {
  const [latest] = await monthsOf(portal)
  if (latest!.state === 'Locked')
    await reopenMonth(portal.db, {
      month: latest!.month,
      reason: 'For the next walk',
      username: 'admin',
      address: '127.0.0.1',
    })
  await restoreFile(portal, latest!.month)
  await waiveAll(portal, latest!.month)
}

/** What the server has for the agent and a month, asked by somebody else. */
export async function result(
  portal: TestPortal,
  month: string,
): Promise<{ rows: number; sections: number; due: string; lock: Lock | null }> {
  const admin = await secondClient(portal)
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
  const sections = new Set(data.map(({ section }) => section)).size
  return { rows: data.length, sections, due, lock }
}
