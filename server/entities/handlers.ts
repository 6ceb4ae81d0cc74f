import type { ListQuery } from '../../schemas/api/paging.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { Db } from '../db/db.ts'
import type { Call } from '../http/call.ts'
import { listRecords } from './list.ts'
import { entityRecords } from './records.ts'
import { createRecord, deleteRecord, revealRecord, updateRecord, type RecordCall } from './write.ts'

/** The five calls of any entity (api 5). */
export const entityHandlers = (db: Db, entity: Entity, secret: Buffer) => {
  const records = entityRecords(entity, secret)
  return {
    list: ({ caller, query }: Call<object, ListQuery>) => listRecords(db, records, caller, query),
    read: (call: RecordCall) => revealRecord(db, records, call),
    create: (call: RecordCall) => createRecord(db, records, call),
    update: (call: RecordCall) => updateRecord(db, records, call),
    remove: (call: RecordCall) => deleteRecord(db, records, call),
  }
}
