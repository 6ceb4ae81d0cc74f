import type { Entity } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import type { Db } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import { parseId } from '../http/ids.ts'
import type { BackgroundMailer } from '../mail/emails.ts'
import { readAgentRates } from './hooks/agentRates.ts'
import type { EntitySettings } from './hooks/hook.ts'
import { listRecords } from './list.ts'
import { entityRecords } from './records.ts'
import { createRecord, deleteRecord, revealRecord, updateRecord } from './write.ts'

/** What the calls of entities need: `secret` is the key of secret fields. */
export type EntityOptions = { db: Db; secret: Buffer; settings: EntitySettings; mailer: BackgroundMailer }

/** The rates of a master agent that the caller sees, with their months (agents 5). */
export const agentHandlers = ({ db, secret, settings }: EntityOptions): Handlers['agents'] => {
  const records = entityRecords(entities.masteragent!, secret, settings)
  return {
    async rates(call) {
      const { id } = await records.find(db, call.caller, parseId(call.params.id, records.entity.noun))
      return readAgentRates(db, id)
    },
  }
}

/** The calls of any entity but the file of its list (api 5). */
export const entityHandlers = (
  entity: Entity,
  { db, secret, settings, mailer }: EntityOptions,
): Omit<Handlers['entities'][string], 'export'> => {
  const records = entityRecords(entity, secret, settings)
  return {
    list: ({ caller, query }) => listRecords(db, records, caller, query),
    read: (call) => revealRecord(db, records, call),
    create: (call) => createRecord(db, records, call, mailer),
    update: (call) => updateRecord(db, records, call, mailer),
    remove: (call) => deleteRecord(db, records, call),
  }
}
