import { audit } from '../db/audit.ts'
import type { Tx } from '../db/db.ts'
import { blockMonthLock } from '../money/months.ts'

/**
 * Stores the statements of open months that were typed before their processor was known under its name, as
 * those that are typed afterwards (months 11): files are stored under it, and what was typed is compared with
 * them. Where a month has several of one processor, one of them alone. Throws an HttpError (409, code
 * 'locking') while such a month is being locked.
 */
export async function nameTypedStatements(tx: Tx, by: { username: string; address: string }): Promise<void> {
  const found = await tx.query<{ id: number; month: string; typed: string; name: string }>(
    `select distinct on (s.month, p.name) s.id, s.month, s.processor as typed, p.name
      from processor_statement s join processor_name n on n.key = processor_key(s.processor)
        join processor p on p.id = n.processorid
      where s.processor <> p.name
        and s.month > coalesce((select max(month) from month_lock where reopened_at is null), '-infinity')
        and not exists (select from processor_statement o where o.month = s.month and o.processor = p.name)
      order by s.month, p.name, s.id`,
  )
  for (const { id, month, typed, name } of found) {
    await blockMonthLock(tx, month)
    await tx.query('update processor_statement set processor = $2, version = version + 1 where id = $1', [
      id,
      name,
    ])
    await audit(tx, {
      ...by,
      action: 'update',
      entity: 'processorstatement',
      entityid: id,
      before: { processor: typed },
      after: { processor: name },
    })
  }
}
