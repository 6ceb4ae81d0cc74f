import type { ListQuery } from '../../schemas/api/paging.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import type { Db } from '../db/db.ts'
import type { Call } from '../http/call.ts'
import { readAgentRates } from './hooks/agentRates.ts'
import type { EntitySettings } from './hooks/hook.ts'
import { listRecords } from './list.ts'
import { entityRecords } from './records.ts'
import {
  createRecord,
  deleteRecord,
  parseId,
  revealRecord,
  updateRecord,
  type Post,
  type RecordCall,
} from './write.ts'

/** What the calls of entities need: `secret` is the key of secret fields. */
export type EntityOptions = { db: Db; secret: Buffer; settings: EntitySettings; post: Post }

/** The rates of a master agent that the caller sees, with their months (agents 5). */
export const agentHandlers = ({ db, secret, settings }: EntityOptions) => {
  const records = entityRecords(entities.masteragent!, secret, settings)
  return {
    async rates(call: RecordCall) {
      const { id } = await records.find(db, call.caller, parseId(records.entity, call))
      return readAgentRates(db, id)
    },
  }
}

/** The five calls of any entity (api 5). */
export const entityHandlers = (entity: Entity, { db, secret, settings, post }: EntityOptions) => {
  const records = entityRecords(entity, secret, settings)
  return {
    list: ({ caller, query }: Call<object, ListQuery>) => listRecords(db, records, caller, query),
    read: (call: RecordCall) => revealRecord(db, records, call),
    create: (call: RecordCall) => createRecord(db, records, call, post),
    update: (call: RecordCall) => updateRecord(db, records, call, post),
    remove: (call: RecordCall) => deleteRecord(db, records, call),
  }
}
