import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { sendAuditFile } from './exportFile.ts'
import { listEntries, readEntry } from './find.ts'

/** The calls of the audit (permissions 12). */
export const auditHandlers = (db: Db, config: Config, downloads: Downloads): Handlers['audit'] => ({
  list: ({ query }) => listEntries(db, query),
  read: ({ params }) => readEntry(db, params.id),
  export: (call) => sendAuditFile(db, config, downloads, call),
})
