import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { importQuery } from '../../schemas/api/imports.ts'
import { fileNameFault } from '../../schemas/imports/fileName.ts'
import { imports, type ImportName } from '../../schemas/imports/imports.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call } from '../http/call.ts'
import { HttpError, isFullDisk } from '../http/errors.ts'
import { abortOnDisconnect, whileSilent } from '../http/fileResponse.ts'
import { isCutOff, isUploadFault, partsOf } from '../http/multipart.ts'
import {
  createDiskQuota,
  megabytesOf,
  writeHashed,
  type DiskQuota,
  type QuotaUse,
} from '../jobs/diskQuota.ts'
import { temporaryFiles } from '../jobs/temporaryFiles.ts'
import { parseAnswers } from './answers.ts'
import type { Upload } from './importFile.ts'
import { volumeDayOf } from './volumeDay.ts'

/** What is wrong with the name of a file (imports 2), in one sentence; null when nothing is. */
export function describeNameFault(name: string): string | null {
  const fault = fileNameFault(name)
  return fault && [fault.message, fault.detail].filter(Boolean).join(': ')
}

type ReceivedFile = { filename: string; size: number; sha256: string; fields: Map<string, string> }

/** The answer to an error while an upload is received; any other error as it is. */
function describeUploadError(error: unknown): unknown {
  if (error instanceof HttpError) return error
  const fault = error as Error & { code?: string }
  const { code } = fault
  if (code === 'FST_FILES_LIMIT') return new HttpError(400, 'Only one file can be imported at a time')
  if (isFullDisk({ code }))
    return new HttpError(507, 'The server has no room for the file. Please tell an administrator.')
  if (isCutOff(fault)) return new HttpError(400, 'The upload was cut off')
  return isUploadFault(fault) ? new HttpError(400, 'The upload could not be read') : error
}

/** How many uploads of the largest size one person may have on the disk until they are read. */
const filesPerUser = 3

/** The quota of each person for uploads that are being received and read (operations 15). */
export const uploadQuota = ({ dataDir, uploadLimit, importLimits }: Config): DiskQuota => {
  const limit = filesPerUser * uploadLimit
  return createDiskQuota({
    folder: join(dataDir, 'tmp'),
    limit,
    freeDiskMb: importLimits.freeDiskMb,
    tooMany:
      `Your uploads that are not read yet fill the ${megabytesOf(limit)} that one person may have. ` +
      'Wait for them or cancel them, then try again.',
  })
}

/**
 * Writes the one file of a multipart body to `path` and returns it with the other fields. Throws HttpError
 * when there is not exactly one file within the limit, or when the quota refuses it.
 */
export async function receiveFile(
  request: FastifyRequest,
  path: string,
  { limit, quotaUse }: { limit: number; quotaUse: QuotaUse },
): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new HttpError(415, 'A file is sent as multipart/form-data')
  const tooLarge = () => new HttpError(413, `The file is larger than ${megabytesOf(limit)}`)
  const fields = new Map<string, string>()
  let file: Omit<ReceivedFile, 'fields'> | null = null
  const writeFile = async (part: MultipartFile) => {
    const written = await writeHashed(part.file, path, quotaUse)
    if (part.file.truncated) throw tooLarge()
    file = { filename: part.filename, ...written }
  }
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'file') await writeFile(part)
      else fields.set(part.fieldname, String(part.value))
    }
  } catch (error) {
    throw (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge()
      : describeUploadError(error)
  }
  if (!file)
    throw new HttpError(400, 'Choose a file to import', { fields: { file: 'Choose a file to import' } })
  return { ...(file as Omit<ReceivedFile, 'fields'>), fields }
}

/** Throws an HttpError (400) for a parameter of the query sent as a field, where nothing reads it. */
function refuseQueryFields(fields: ReadonlyMap<string, string>) {
  const misplaced = Object.keys(importQuery.properties).find((name) => fields.has(name))
  if (misplaced === undefined) return
  const message = `${misplaced} belongs in the query (?${misplaced}=…), not in the form`
  throw new HttpError(400, `${message}. Nothing was stored.`, { fields: { [misplaced]: message } })
}

/**
 * Creates a function that writes an upload to a temporary file and gives it to `work`; the file is removed
 * when the work has ended. It throws HttpError for an upload that is not one file with a valid name
 * (imports 2, imports 24), that has fields which belong in the query (imports 1), or whose answers cannot
 * be read (processors 1).
 */
export const createReceiver = (db: Db, config: Config, quotaOf: DiskQuota) => {
  const { newPath } = temporaryFiles(config.dataDir, 'upload')
  return async <T>(
    kind: ImportName,
    { caller: begun, authorizeAgain, address, request, reply }: Call,
    work: (upload: Upload) => Promise<T>,
  ): Promise<T> => {
    const signal = abortOnDisconnect(reply, 'The upload was cancelled')
    const path = await newPath()
    const quotaUse = quotaOf(begun.username)
    try {
      const { fields, ...file } = await receiveFile(request, path, { limit: config.uploadLimit, quotaUse })
      // A file may take minutes to come.
      const caller = await authorizeAgain()
      refuseQueryFields(fields)
      const fault = describeNameFault(file.filename)
      if (fault) throw new HttpError(422, fault, { fields: { fileName: fault } })
      const date = 'dated' in imports[kind] ? volumeDayOf(Object.fromEntries(fields), config.timeZone) : null
      const answers = parseAnswers(fields.get('answers'))
      const { importLimits: limits } = config
      const context = { db, kind, sender: caller, address, authorizeAgain, answers, config, limits }
      return await whileSilent(reply, () => work({ ...file, ...context, path, date, dryrun: false, signal }))
    } finally {
      await rm(path, { force: true })
      quotaUse.free()
    }
  }
}
