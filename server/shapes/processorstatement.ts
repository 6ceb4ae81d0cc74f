import { Refusal } from '../errors.ts'
import { monthName } from '../months.ts'
import type { Shape, Write } from '../shapes.ts'
import { refuseClosed } from './months.ts'

/** One statement a month and processor: a second one is refused with a sentence that names both. */
async function refuseSecond({ tx, body, row }: Write) {
  const processor = String(body.processor ?? row?.processor)
  const month = `${String(body.month ?? row?.month)}-01`
  const [other] = await tx.query('select 1 from processor_statement where processor = $1 and month = $2 and id <> $3', [processor, month, row?.id ?? 0])
  const message = `There is a statement of ${processor} for ${monthName(month)} already`
  if (other) throw new Refusal(409, message, { fields: { processor: message } })
}

export const processorstatement: Shape = {
  read: {
    month: `to_char(t.month, 'YYYY-MM')`,
    filenet: '(select sum(r.net) from residual r where r.month = t.month and r.processor = t.processor)',
  },
  write: { month: (placeholder) => `(${placeholder} || '-01')::date` },
  async check(write) {
    await refuseClosed(write.tx, 'A statement can be changed only in an open month', write.row?.month, write.body.month)
    await refuseSecond(write)
  },
  remove: ({ tx, row }) => refuseClosed(tx, 'A statement can be deleted only in an open month', row.month),
}
