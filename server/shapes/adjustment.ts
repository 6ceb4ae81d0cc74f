import type { Shape } from '../shapes.ts'
import { refuseClosed } from './months.ts'

/** An adjustment belongs to its agent's branch, or to that of the merchant's agent. */
const scope = `($1::int[] is null or t.masteragentid = any ($1)
  or exists (select from merchant m where m.id = t.merchantid and m.masteragentid = any ($1)))`

export const adjustment: Shape = {
  scope,
  read: { month: `to_char(t.month, 'YYYY-MM')`, recorded: 'floor(extract(epoch from t.recorded_at))::bigint' },
  write: { month: (placeholder) => `(${placeholder} || '-01')::date` },
  async check({ tx, body, row, caller }) {
    await refuseClosed(tx, 'An adjustment is possible only in an open month', row?.month, body.month)
    if (!row) body.author = caller.username
  },
  remove: ({ tx, row }) => refuseClosed(tx, 'An adjustment can be deleted only in an open month', row.month),
}
