import { acceptance, refusal } from '../../schemas/api/decisions.ts'
import { adjustment, paysOwnReason } from '../../schemas/entities/adjustment.ts'
import type { Row } from '../../schemas/entities/entity.ts'
import { isSamePerson, type UserAction } from '../accounts/userActions.ts'
import { audit } from '../db/audit.ts'
import type { Sql } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'
import { bodyCheck } from '../http/schemas.ts'
import { baseVersion } from '../http/version.ts'
import { paysByCopy } from '../money/reopening/ownPay.ts'
import { decisionReason } from './decisions.ts'
import type { EntityOptions } from './handlers.ts'
import { refuseClosedMonths } from './hooks/closedMonths.ts'
import { entityRecords } from './records.ts'
import { staleError, type RecordCall } from './write.ts'

const checkAcceptance = bodyCheck(acceptance)
const checkRefusal = bodyCheck(refusal)

/** Whether this user proposed the adjustment with this id. */
async function isAuthor(sql: Sql, id: number, username: string): Promise<boolean> {
  const [proposed] = await sql.query<UserAction>(
    'select author as username, recorded_at::text as at from adjustment where id = $1',
    [id],
  )
  return isSamePerson(sql, proposed!, { username, at: null })
}

/** Whether the adjustment of a merchant pays the caller's own agent as the last lock of its month has it. */
const paysOwnByCopy = async (sql: Sql, { month, merchantid }: Row, { chain }: Caller): Promise<boolean> =>
  merchantid !== null && paysByCopy(sql, `${String(month)}-01`, Number(merchantid), chain)

type Verdict = { state: 'accepted' | 'refused'; reason: string }

/**
 * Accepts and refuses what branches propose (money 20), and what the portal proposes for late MIDs, of which
 * all adjustments of the chain are decided about at once (money 21). Both answer the record, and throw an
 * HttpError: 404, 409 when it is not proposed, its month is closed or it changed since the version that was
 * named, 422 for the reason, 403 for its author and for everybody it pays.
 */
export const adjustmentDecisions = ({
  db,
  secret,
  settings,
}: EntityOptions): Handlers['decisions']['adjustment'] => {
  const records = entityRecords(adjustment, secret, settings)

  const decide = (call: RecordCall, decideOn: (row: Row) => Verdict): Promise<Row> =>
    db.transaction(async (tx) => {
      const { caller, address } = call
      const id = parseId(call.params.id, adjustment.noun)
      await records.lock(tx, id)
      const row = await records.find(tx, caller, id)
      if (row.state !== 'proposed') throw new HttpError(409, 'This adjustment is not proposed')
      await refuseClosedMonths(tx, 'A proposal is decided about in an open month', row.month)
      const { state, reason } = decideOn(row)
      if (await isAuthor(tx, id, caller.username))
        throw new HttpError(403, 'You proposed this adjustment: another person must decide')
      if (row.paysown || (await paysOwnByCopy(tx, row, caller))) throw new HttpError(403, paysOwnReason)
      const decided = await tx.query<{ id: number }>(
        `update adjustment j set state = $2, decidedby = $3, decisionreason = $4, version = j.version + 1
          from adjustment t where t.id = $1 and j.state = 'proposed' and j.month = t.month and (j.id = t.id
            or (j.latexmid, j.latemonth, j.lateprocessor) = (t.latexmid, t.latemonth, t.lateprocessor))
          returning j.id`,
        [id, state, caller.username, reason],
      )
      for (const { id: entityid } of decided)
        await audit(tx, {
          username: caller.username,
          address,
          action: state === 'accepted' ? 'accept' : 'refuse',
          entity: adjustment.name,
          entityid,
          before: { state: row.state, decidedby: row.decidedby, decisionreason: row.decisionreason },
          after: { state, decidedby: caller.username, decisionreason: reason },
        })
      return records.find(tx, caller, id)
    })

  return {
    accept: (call) =>
      decide(call, (row) => {
        const { version: sent } = checkAcceptance(call.body ?? {})
        const version = baseVersion(call.request.headers['if-match'], sent)
        if (version !== null && row.version !== version) throw staleError(adjustment)
        return { state: 'accepted', reason: '' }
      }),
    refuse: (call) =>
      decide(call, () => ({
        state: 'refused',
        reason: decisionReason('reason', 'Reason', checkRefusal(call.body).reason),
      })),
  }
}
