import { changesAdjustments } from '../../../schemas/entities/adjustment.ts'
import { reasonOf } from '../../../schemas/permissions.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { closingLock, closedMessage, blockMonthLock, monthName } from '../../money/months.ts'
import { findKnown, readKnownProcessors } from '../../processors/knownProcessors.ts'
import type { EntityHooks, EntityWrite } from './hook.ts'

/**
 * Throws an HttpError (409) when one of the months ('2026-10') is locked or comes before one that is (months
 * 3), or while it is being locked (months 13). Otherwise it is not locked until the transaction ends. `rule`
 * ends the message.
 */
export async function refuseClosedMonths(tx: Tx, rule: string, ...months: unknown[]): Promise<void> {
  const firstDays = months.filter((month) => typeof month === 'string').map((month) => `${month}-01`)
  for (const month of firstDays) {
    await blockMonthLock(tx, month, 'month')
    const lock = await closingLock(tx, month)
    const message = lock && `${closedMessage(month, lock)}. ${rule}`
    if (message) throw new HttpError(409, message, { code: 'locked', fields: { month: message } })
  }
}

/** An adjustment is in the scope of its agent, and of its merchant's agent. */
const scope = `($1::int[] is null or t.masteragentid = any ($1)
  or exists (select from merchant m where m.id = t.merchantid and m.masteragentid = any ($1)))`

/** Whom an adjustment pays, office accounts aside; of a late MID all agents of its chain. */
const paidAgents = `array(select a.id from master_agent a where not a.isofficeaccount and a.id in (
  select coalesce(t.masteragentid, (select m.masteragentid from merchant m where m.id = t.merchantid))
  union select s.masteragentid from adjustment s where s.latexmid = t.latexmid
    and s.latemonth = t.latemonth and s.lateprocessor = t.lateprocessor))`

export const adjustment: EntityHooks = {
  scope,
  read: {
    month: `to_char(t.month, 'YYYY-MM')`,
    recorded: 'floor(extract(epoch from t.recorded_at))::bigint',
    latemid: `coalesce(
      t.latexmid || ', ' || t.lateprocessor || ', ' || to_char(t.latemonth, 'FMMonth YYYY'), '')`,
    paysown: paidAgents,
  },
  present: (row, caller) => ({
    ...row,
    paysown: (row.paysown as number[]).some((agent) => caller.chain.includes(agent)),
  }),
  write: { month: (placeholder) => `(${placeholder} || '-01')::date` },
  async check({ tx, body, row, caller }) {
    await refuseClosedMonths(tx, 'An adjustment is possible only in an open month', row?.month, body.month)
    if (row) return
    body.author = caller.username
    body.state = caller.scope === null ? 'accepted' : 'proposed'
  },
  async remove({ tx, row, caller }) {
    if (!changesAdjustments(caller, row)) throw new HttpError(403, reasonOf(changesAdjustments, caller, row))
    await refuseClosedMonths(tx, 'An adjustment can be deleted only in an open month', row.month)
  },
  restored: ({ tx, row }) =>
    refuseClosedMonths(tx, 'An adjustment can be put back only in an open month', row.month),
}

/**
 * Refuses a second statement of a processor and month, however its name is written (months 11). Of two at the
 * same moment one waits until the other is stored.
 */
async function refuseDuplicateStatement({ tx, body, row }: Pick<EntityWrite, 'tx' | 'body' | 'row'>) {
  await tx.query(`select pg_advisory_xact_lock(hashtext('processor statements'))`)
  const processor = String(body.processor ?? row?.processor)
  const month = `${String(body.month ?? row?.month)}-01`
  const [other] = await tx.query<{ processor: string }>(
    `select processor from processor_statement
      where processor_key(processor) = processor_key($1) and month = $2 and id <> $3 limit 1`,
    [processor, month, row?.id ?? 0],
  )
  if (!other) return
  const message = `There is a statement of ${other.processor} for ${monthName(month)} already`
  throw new HttpError(409, message, { fields: { processor: message } })
}

export const processorstatement: EntityHooks = {
  read: {
    month: `to_char(t.month, 'YYYY-MM')`,
    filenet: '(select sum(r.net) from residual r where r.month = t.month and r.processor = t.processor)',
  },
  write: { month: (placeholder) => `(${placeholder} || '-01')::date` },
  async check(write) {
    const { tx, body } = write
    if (typeof body.processor === 'string')
      body.processor = findKnown(await readKnownProcessors(tx), body.processor)?.name ?? body.processor.trim()
    await refuseClosedMonths(
      write.tx,
      'A statement can be changed only in an open month',
      write.row?.month,
      write.body.month,
    )
    await refuseDuplicateStatement(write)
  },
  remove: ({ tx, row }) =>
    refuseClosedMonths(tx, 'A statement can be deleted only in an open month', row.month),
  async restored({ tx, row }) {
    await refuseClosedMonths(tx, 'A statement can be put back only in an open month', row.month)
    await refuseDuplicateStatement({ tx, body: {}, row })
  },
}
