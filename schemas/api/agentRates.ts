import type { rateFields } from '../entities/masterAgent.ts'
import { arrayOf, integer, objectOf, string, stringOrNull } from './replies.ts'

/**
 * A rate and the month ('2026-10') from which it holds, null for the beginning. `value` is a percentage or
 * dollars; `changedat` is epoch seconds.
 */
export type AgentRate = {
  field: (typeof rateFields)[number]
  from: string | null
  value: number | null
  username: string
  changedat: number
}
/**
 * GET /api/v1/masteragent/{id}/rates: the history, newest month first. `months` are those that a change may
 * name, newest first, and `ratesfrom` the one it gets without a name (agents 5).
 */
export type AgentRates = { data: AgentRate[]; ratesfrom: string; months: string[] }
export const agentRatesReply = objectOf({
  data: arrayOf(
    objectOf({
      field: string,
      from: stringOrNull,
      value: { type: ['number', 'null'] },
      username: string,
      changedat: integer,
    }),
  ),
  ratesfrom: string,
  months: arrayOf(string),
})
