import { holdReason } from '../../schemas/api/decisions.ts'
import { masterAgent } from '../../schemas/entities/masterAgent.ts'
import type { EntityOptions } from '../entities/handlers.ts'
import { entityRecords } from '../entities/records.ts'
import type { Handlers } from '../http/call.ts'
import { parseId } from '../http/ids.ts'
import { bodyCheck } from '../http/schemas.ts'
import { addHold, endHold } from './holds.ts'

const checkReason = bodyCheck(holdReason)

type HoldHandlers = Pick<Handlers['decisions']['masteragent'], 'hold' | 'unhold'>

/** Begins and ends the hold of a payee outside of the run of a month (agents 14); both answer the record. */
export const payeeHoldHandlers = ({ db, secret, settings }: EntityOptions): HoldHandlers => {
  const records = entityRecords(masterAgent, secret, settings)
  const change =
    (apply: typeof addHold): HoldHandlers['hold'] =>
    (call) =>
      db.transaction(async (tx) => {
        const { caller, address } = call
        const masteragentid = parseId(call.params.id, masterAgent.noun)
        await records.find(tx, caller, masteragentid)
        const { reason } = checkReason(call.body)
        const action = { month: null, username: caller.username, address, chain: caller.chain }
        await apply(tx, action, { masteragentid, statement: false, reason })
        return records.find(tx, caller, masteragentid)
      })
  return { hold: change(addHold), unhold: change(endHold) }
}
