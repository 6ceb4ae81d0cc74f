import { HttpError } from '../../http/errors.ts'
import type { EntityHooks } from './hook.ts'

/**
 * A terminal is in the scope of its master agent, and of the agent of the merchant who has it (equipment 7).
 */
const scope = `($1::int[] is null or t.masteragentid = any ($1)
  or exists (select from merchant m where m.id = t.merchantid and m.masteragentid = any ($1)))`

export const equipment: EntityHooks = {
  scope,
  read: { paidstatus: '(t.soldfor > 0 and t.paidsofar >= t.soldfor)' },

  /** Refuses the serial number of another terminal (equipment 5). */
  async check({ tx, body, row }) {
    if (typeof body.serialnumber !== 'string') return
    const [other] = await tx.query<{ id: number; model: string; holder: string | null }>(
      `select t.id, t.model, coalesce(m.xmid || ' - ' || m.dba, a.displayid || ' - ' || a.name) as holder
        from equipment t left join merchant m on m.id = t.merchantid
          left join master_agent a on a.id = t.masteragentid
        where lower(t.serialnumber) = lower($1) and t.id <> $2`,
      [body.serialnumber, row?.id ?? 0],
    )
    if (!other) return
    const record = `record ${other.id}${other.holder ? `, ${other.holder}` : ''}`
    const message = `This Serial Number is already taken by ${other.model} (${record})`
    throw new HttpError(409, message, { fields: { serialnumber: message } })
  },
}
