import { rateFields } from '../entities/masterAgent.ts'
import {
  arrayOf,
  integer,
  numberOrNull,
  objectOf,
  oneOf,
  string,
  stringOrNull,
  type ShapeOf,
} from '../shapes.ts'

const agentRate = objectOf({
  field: oneOf(...rateFields),
  /** The month from which it holds, '2026-10'; null for the beginning. */
  from: stringOrNull,
  /** A percentage or dollars. */
  value: numberOrNull,
  username: string,
  /** Epoch seconds. */
  changedat: integer,
})
/** GET /api/v1/masteragent/{id}/rates: the history, newest month first (agents 5). */
export const agentRatesReply = objectOf({
  data: arrayOf(agentRate),
  /** The month that a change gets without a name. */
  ratesfrom: string,
  /** Those that a change may name, newest first. */
  months: arrayOf(string),
})
/** A rate and the month from which it holds. */
export type AgentRate = ShapeOf<typeof agentRate>
export type AgentRates = ShapeOf<typeof agentRatesReply>
