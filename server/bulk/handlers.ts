import type { BulkPreview } from '../../schemas/api/bulk/bulk.ts'
import { recordsTitle, type Entity } from '../../schemas/entities/entity.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/db.ts'
import type { EntityOptions } from '../entities/handlers.ts'
import { entityRecords, type EntityRecords } from '../entities/records.ts'
import type { Writing } from '../entities/write.ts'
import type { Caller, CallOf, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import { parseId } from '../http/ids.ts'
import { inCallersTurn } from '../jobs/callersTurn.ts'
import { createLimiter } from '../jobs/limiter.ts'
import { transactionWithEmails } from '../mail/emails.ts'
import { listBulkChanges, insertBulkChange } from './history.ts'
import {
  operationOf,
  doBulkChange,
  outcomesDigest,
  readTargets,
  type Operation,
  type Outcome,
} from './operations.ts'
import { countOutcomes, fieldText, summarise } from './summary.ts'
import { undoBulkChange } from './undo.ts'

/** Two bulk changes run at a time, at most one of each user; the others wait (operations 14). */
const limitBulkChanges = createLimiter(2, 1)

type BulkHandlers = Handlers['bulk'][string]
type PreviewCall = Parameters<BulkHandlers['preview']>[0]
type PreviewBody = PreviewCall['body']
type Options = EntityOptions & { config: Pick<Config, 'bulkRecords'> }

/** Thrown to roll a transaction back and still return its result. */
class RolledBack {
  readonly preview: BulkPreview
  constructor(preview: BulkPreview) {
    this.preview = preview
  }
}

/** What a bulk change writes with: all its records are locked at once, before the first is written. */
const writingOf = ({ address }: Pick<PreviewCall, 'address'>, caller: Caller, tx: Tx): Writing => ({
  tx,
  caller,
  address,
  emails: [],
  isLocked: true,
})

/** The calls of many records of an entity (bulk 2). */
export function bulkHandlers(
  entity: Entity,
  { db, secret, settings, mailer, config }: Options,
): BulkHandlers {
  const records = entityRecords(entity, secret, settings)
  const run = async (writing: Writing, body: PreviewBody, operation: Operation, signal?: AbortSignal) => {
    const targets = await readTargets(writing.tx, entity, writing.caller, {
      ...body,
      limit: config.bulkRecords,
    })
    return doBulkChange(writing, records, { operation, targets, signal })
  }
  return {
    async preview(call) {
      operationOf(entity, call.caller, call.body)
      const signal = abortOnDisconnect(call.reply, 'The preview was cancelled')
      return inCallersTurn(
        limitBulkChanges,
        call,
        (caller) =>
          db
            .transaction(async (tx): Promise<BulkPreview> => {
              const operation = operationOf(entity, caller, call.body)
              const outcomes = await run(writingOf(call, caller, tx), call.body, operation, signal)
              const fingerprint = outcomesDigest(entity, operation, outcomes)
              // Everything was stored as it would be, and is rolled back.
              throw new RolledBack({ fingerprint, ...summarise(entity, outcomes) })
            })
            .catch((error: unknown) => {
              if (error instanceof RolledBack) return error.preview
              throw error
            }),
        { signal },
      )
    },
    async commit(call) {
      operationOf(entity, call.caller, call.body)
      return inCallersTurn(limitBulkChanges, call, (caller) =>
        transactionWithEmails(db, mailer, call.request.log, async (tx, emails) => {
          const operation = operationOf(entity, caller, call.body)
          const writing = { ...writingOf(call, caller, tx), emails }
          const outcomes = await run(writing, call.body, operation)
          checkFingerprint(entity, operation, outcomes, call.body.fingerprint)
          return storeBulkChange(writing, records, operation, outcomes)
        }),
      )
    },
    history: ({ caller, query }) => listBulkChanges(db, records, caller, query),
    async undo(call) {
      const { params } = call as CallOf<{ route: 'POST /:id'; allow: 'anyone' }>
      const id = parseId(params.id, 'change')
      return inCallersTurn(limitBulkChanges, call, (caller) =>
        transactionWithEmails(db, mailer, call.request.log, (tx, emails) =>
          undoBulkChange({ ...writingOf(call, caller, tx), emails }, records, id),
        ),
      )
    },
  }
}

/** Throws an HttpError (409) unless the same would change as in the preview, or when nothing would. */
function checkFingerprint(entity: Entity, operation: Operation, outcomes: readonly Outcome[], seen: string) {
  if (outcomesDigest(entity, operation, outcomes) !== seen)
    throw new HttpError(
      409,
      'What would change is no longer what the preview showed: somebody else changed these records ' +
        'meanwhile. Nothing was stored. Please look at it again.',
      { code: 'previewed' },
    )
  if (countOutcomes(outcomes).changed === 0) throw new HttpError(409, 'None of these records would change')
}

async function storeBulkChange(
  { tx, caller, address }: Writing,
  { entity }: EntityRecords,
  operation: Operation,
  outcomes: readonly Outcome[],
) {
  const id = await insertBulkChange(tx, caller, { entity, operation, outcomes })
  const counts = countOutcomes(outcomes)
  const changed = outcomes.find((it) => it.is === 'changed')
  const values = Object.entries(operation === 'delete' ? {} : operation.values).map(([field, value]) => {
    const property = entity.schema.properties[field]
    return [property?.title ?? field, fieldText(property, changed?.after ?? null, field, value)]
  })
  const records = recordsTitle(entity)
  const what = operation === 'delete' ? { deleted: 'Yes' } : Object.fromEntries(values)
  await audit(tx, {
    username: caller.username,
    address,
    action: 'bulk',
    entity: 'bulk',
    entityid: id,
    after: { records, ...what, ...counts },
  })
  return { id, ...counts }
}
