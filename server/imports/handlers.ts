import { buffer } from 'node:stream/consumers'
import { create } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { type Import, type ImportName, imports } from '../../schemas/imports/imports.ts'
import { importRefusal, isImportName } from '../../schemas/imports/kinds.ts'
import { mapValues } from '../../schemas/shapes.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { csvLines } from '../files/csv.ts'
import { writeTable } from '../files/workbook.ts'
import type { Call, Handlers } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'
import type { DiskQuota } from '../jobs/diskQuota.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { readProgress, runningImports } from '../jobs/progress.ts'
import { listImports } from './history.ts'
import { importFile, type OnStored } from './importFile.ts'
import { listMappings, removeMapping } from './mapping/savedMappings.ts'
import { writeRejectedFile, contentTypeOf } from './rejectedRows.ts'
import { undoImport } from './undo.ts'
import { createReceiver } from './upload.ts'

/** A file with the heading row of a kind alone (imports 1). */
async function createTemplate({ columns }: Import, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const heads = columns.map(({ head }) => head)
  return format === 'csv' ? Buffer.from(csvLines([heads])) : buffer(writeTable('Import', [heads]))
}

/** The kind of a call. Throws an HttpError: 404 for an unknown one, 403 when it is not the caller's. */
const importNameOf = ({ params: { kind }, caller }: Call<{ kind: string }>): ImportName => {
  if (!isImportName(kind)) throw notFound('kind of import')
  const refusal = importRefusal(imports[kind], caller)
  if (refusal !== null) throw new HttpError(403, refusal)
  return kind
}

const setDownloadHeaders = (reply: FastifyReply, filename: string) =>
  void reply.header('content-disposition', create(filename)).type(contentTypeOf(filename))

/** A handler for each kind of import; `onStored` is called in the transaction of each. */
export function fileHandlers(
  db: Db,
  config: Config,
  uploads: DiskQuota,
  onStored: OnStored,
): Handlers['file'] {
  const receive = createReceiver(db, config, uploads)
  const handler =
    (kind: ImportName): Handlers['file'][ImportName] =>
    (call) =>
      receive(kind, call, (upload) => {
        const { dryrun, again, job } = call.query
        return importFile({ ...upload, dryrun: dryrun === 1, again: again === 1, job: job ?? null, onStored })
      })
  return mapValues(imports, (_, kind) => handler(kind))
}

/** Fix file, template, progress, history and undo of all kinds. */
export function batchHandlers(
  db: Db,
  config: Config,
  { downloads, uploads }: { downloads: Downloads; uploads: DiskQuota },
): Handlers['batches'] {
  const receive = createReceiver(db, config, uploads)
  return {
    async rejected(call) {
      const { reply } = call
      const authorizeAgain = async () => {
        const caller = await call.authorizeAgain()
        importNameOf({ ...call, caller })
        return caller
      }
      const checkedCall = { ...call, authorizeAgain }
      const { file, name } = await receive(importNameOf(call), checkedCall, async (upload) => ({
        file: await writeRejectedFile(upload, downloads),
        name: upload.filename.replace(/(\.\w+)$/, ' rejected$1'),
      }))
      setDownloadHeaders(reply, name)
      await downloads.send(reply, file)
      return reply
    },
    async template(call) {
      const definition = imports[importNameOf(call)]
      const { format } = call.query
      setDownloadHeaders(call.reply, `${definition.name} template.${format}`)
      return createTemplate(definition, format)
    },
    progress: (call) => readProgress(db, importNameOf(call), call.params.job, call.caller.userid),
    running: async (call) => ({ data: await runningImports(db, importNameOf(call), call.caller) }),
    history: (call) =>
      listImports(db, importNameOf(call), call.caller, { ...call.query, timeZone: config.timeZone }),
    mappings: (call) => listMappings(db, importNameOf(call)),
    async removeMapping(call) {
      const kind = importNameOf(call)
      const { params, caller, address } = call
      const { username } = caller
      const id = parseId(params.id, 'saved mapping')
      await db.transaction((tx) => removeMapping(tx, kind, id, { username, address }))
    },
    async undo(call) {
      const { params, caller, address } = call
      const id = parseId(params.id, 'import')
      return undoImport({ db, kind: importNameOf(call), id, caller, address, config })
    },
  }
}
