import { rm } from 'node:fs/promises'
import { suggestFileName } from '../../schemas/imports/fileName.ts'
import { type ImportName } from '../../schemas/imports/imports.ts'
import { isImportName } from '../../schemas/imports/kinds.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { describeNameFault, parseFields, receiveFile } from '../imports/upload.ts'
import type { DiskQuota } from '../jobs/diskQuota.ts'
import { temporaryFiles } from '../jobs/temporaryFiles.ts'
import { keepCopy } from './copies.ts'
import { addFile, findWaiting } from './rows.ts'

/**
 * The name under which the file is imported: its own, or the nearest that the rule for names allows
 * (imports 2). Null for an ending that no import reads.
 */
export const inboxFileName = (name: string): string | null =>
  describeNameFault(name) === null ? name : suggestFileName(name)

/** Why a file of this name is not taken (imports 2). */
export const nameRefusal = (name: string): string => describeNameFault(name) ?? 'The name cannot be used'

/** The kind that was sent with a file, or null. Throws an HttpError (422) for an unknown kind. */
function namedKind(name: string | undefined): ImportName | null {
  if (name === undefined || isImportName(name)) return name ?? null
  const fault = 'Kind is none of those that can be imported'
  throw new HttpError(422, fault, { fields: { kind: fault } })
}

/**
 * Creates a function that puts the file of an upload into the inbox and returns its id. If the caller already
 * has a waiting file with the same bytes, it returns the id of that one (inbox 5). `caller` has the rights as
 * they are after the upload. Throws an HttpError: 400 for an unknown field or several files, 413 above the
 * limit, 422 for an empty file, another ending or an unknown kind, 507 when the disk is full.
 */
export const createInboxReceiver = (db: Db, config: Config, quotaOf: DiskQuota) => {
  const { newPath } = temporaryFiles(config.dataDir, 'upload')
  return async ({
    caller: begun,
    authorizeAgain,
    address,
    request,
  }: Call): Promise<{ id: number; caller: Caller }> => {
    const path = await newPath()
    const quotaUse = quotaOf(begun.username)
    try {
      const limits = { limit: config.uploadLimit, quotaUse }
      const received = await receiveFile(request, path, limits)
      const { filename: sent, size, sha256 } = received
      const caller = await authorizeAgain()
      const kind = namedKind(parseFields(received.fields, ['kind'])['kind'])
      const filename = inboxFileName(sent)
      if (filename === null) {
        const fault = nameRefusal(sent)
        throw new HttpError(422, fault, { fields: { fileName: fault } })
      }
      if (size === 0) throw new HttpError(422, 'The file is empty')
      const waiting = await findWaiting(db, caller, sha256)
      if (waiting !== null) return { id: waiting, caller }
      const file = { filename, sha256, size, kind, address, source: 'upload', user: caller } as const
      const id = await keepCopy(db, config, { path, sha256, size }, async (tx) => {
        const added = (await addFile(tx, file)) ?? (await findWaiting(tx, caller, sha256))
        if (added === null)
          throw new HttpError(409, 'Somebody took the same file at this moment. Please try again.')
        return added
      })
      return { id, caller }
    } finally {
      await rm(path, { force: true })
      quotaUse.free()
    }
  }
}
