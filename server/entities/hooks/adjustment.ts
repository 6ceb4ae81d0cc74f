import { changesAdjustments } from '../../../schemas/entities/adjustment.ts'
import { reasonOf } from '../../../schemas/permissions.ts'
import { HttpError } from '../../http/errors.ts'
import { refuseClosedMonths } from './closedMonths.ts'
import type { EntityHooks } from './hook.ts'

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
  async beforeWrite({ tx, body, row, caller }) {
    await refuseClosedMonths(tx, 'An adjustment is possible only in an open month', row?.month, body.month)
    if (row) return
    body.author = caller.username
    body.state = caller.scope === null ? 'accepted' : 'proposed'
  },
  async beforeDelete({ tx, row, caller }) {
    if (!changesAdjustments(caller, row)) throw new HttpError(403, reasonOf(changesAdjustments, caller, row))
    await refuseClosedMonths(tx, 'An adjustment can be deleted only in an open month', row.month)
  },
  afterRestore: ({ tx, row }) =>
    refuseClosedMonths(tx, 'An adjustment can be put back only in an open month', row.month),
}
