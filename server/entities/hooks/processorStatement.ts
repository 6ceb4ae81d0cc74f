import { HttpError } from '../../http/errors.ts'
import { monthName } from '../../money/months.ts'
import { findKnown, readKnownProcessors } from '../../processors/knownProcessors.ts'
import { nameTypedStatements } from '../../processors/typedStatements.ts'
import { refuseClosedMonths } from './closedMonths.ts'
import type { EntityHooks, EntityWrite } from './hook.ts'

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
  async beforeWrite(write) {
    const { tx, body, row } = write
    if (typeof body.processor === 'string')
      body.processor = findKnown(await readKnownProcessors(tx), body.processor)?.name ?? body.processor.trim()
    await refuseClosedMonths(tx, 'A statement can be changed only in an open month', row?.month, body.month)
    await refuseDuplicateStatement(write)
  },
  beforeDelete: ({ tx, row }) =>
    refuseClosedMonths(tx, 'A statement can be deleted only in an open month', row.month),
  async afterRestore({ tx, row, caller: { username }, address }) {
    await refuseClosedMonths(tx, 'A statement can be put back only in an open month', row.month)
    await refuseDuplicateStatement({ tx, body: {}, row })
    await nameTypedStatements(tx, { username, address })
  },
}
