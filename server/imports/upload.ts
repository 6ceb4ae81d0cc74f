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
import { abortOnDisconnect, withoutSocketTimeout } from '../http/fileResponse.ts'
import { describeBodyFault, partsOf, repeatedField } from '../http/multipart.ts'
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

type WrittenFile = { filename: string; size: number; sha256: string }
type ReceivedFile = WrittenFile & {
  /** As they came, also those that came twice. */
  fields: [name: string, value: string][]
}

/** The answer to an error while an upload is received; any other error as it is. */
function describeUploadError(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return new HttpError(400, 'Only one file can be imported at a time')
  if (isFullDisk({ code }))
    return new HttpError(507, 'The server has no room for the file. Please tell an administrator.')
  return describeBodyFault(error)
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
  const fields: ReceivedFile['fields'] = []
  let file: WrittenFile | null = null
  const writeFile = async (part: MultipartFile) => {
    const written = await writeHashed(part.file, path, quotaUse)
    if (part.file.truncated) throw tooLarge()
    file = { filename: part.filename, ...written }
  }
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'file') await writeFile(part)
      else fields.push([part.fieldname, String(part.value)])
    }
  } catch (error) {
    throw (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge()
      : describeUploadError(error)
  }
  if (!file)
    throw new HttpError(400, 'Choose a file to import', { fields: { file: 'Choose a file to import' } })
  return { ...(file as WrittenFile), fields }
}

/** What is said of a field that a form has and its call does not read. */
const unreadField = (name: string): string =>
  Object.keys(importQuery.properties).includes(name)
    ? `${name} belongs in the query (?${name}=…), not in the form`
    : `${name} is not a field of this upload`

/**
 * The fields of a form by name. Throws an HttpError (400) for one that its call does not read, or that is
 * given twice.
 */
export function parseFields(sent: ReceivedFile['fields'], read: readonly string[]): Record<string, string> {
  const names = sent.map(([name]) => name)
  const unread = names.find((name) => !read.includes(name))
  const fields = unread === undefined ? repeatedField(names) : { [unread]: unreadField(unread) }
  if (fields) throw new HttpError(400, `${Object.values(fields).join('')}. Nothing was stored.`, { fields })
  return Object.fromEntries(sent)
}

/**
 * Creates a function that writes an upload to a temporary file and gives it to `work`; the file is removed
 * when the work has ended. It throws HttpError for an upload that is not one file with a valid name
 * (imports 2, imports 24), that has fields which nothing reads (imports 1), or whose answers cannot be read
 * (processors 1).
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
      const limits = { limit: config.uploadLimit, quotaUse }
      const { fields: sentFields, ...file } = await receiveFile(request, path, limits)
      // A file may take minutes to come.
      const caller = await authorizeAgain()
      const isDated = 'dated' in imports[kind]
      const fields = parseFields(sentFields, ['fileName', 'answers', ...(isDated ? ['date', 'day'] : [])])
      const fault = describeNameFault(file.filename)
      if (fault) throw new HttpError(422, fault, { fields: { fileName: fault } })
      const date = isDated ? volumeDayOf(fields, config.timeZone) : null
      const answers = parseAnswers(fields['answers'])
      const sent = { ...file, sender: caller, address, answers, path, date }
      const context = { db, kind, authorizeAgain, config, limits: config.importLimits, signal }
      return await withoutSocketTimeout(reply, () => work({ ...sent, ...context, dryrun: false }))
    } finally {
      await rm(path, { force: true })
      quotaUse.free()
    }
  }
}
