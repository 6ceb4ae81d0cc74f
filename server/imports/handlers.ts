import { create } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { importCalls } from '../../schemas/api/imports.ts'
import { type Import, importRule, type ImportName, imports } from '../../schemas/imports/imports.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Handler, Handlers } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { listImports } from './history.ts'
import { importFile } from './importFile.ts'
import { readProgress } from './process/progress.ts'
import { writeRejectedFile, contentTypeOf } from './rejectedRows.ts'
import { undoImport } from './undo.ts'
import { createReceiver } from './upload.ts'

/** A file with the heading row of a kind alone (imports 1). */
async function createTemplate({ columns }: Import, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const heads = columns.map(({ head }) => head)
  if (format === 'csv')
    return Buffer.from(
      `${heads.map((head) => (/[",]/.test(head) ? `"${head.replaceAll('"', '""')}"` : head)).join(',')}\r\n`,
    )
  // Imported here because the library is large and seldom needed.
  const { utils, write } = await import('@e965/xlsx')
  const workbook = utils.book_new()
  utils.book_append_sheet(workbook, utils.aoa_to_sheet([heads]), 'Import')
  return write(workbook, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer
}

type KindCall<P = object, Q = object> = Call<{ kind: string } & P, Q>

/** The kind of a call. Throws an HttpError: 404 for an unknown one, 403 when it is not the caller's. */
const importNameOf = ({ params, caller }: KindCall): ImportName => {
  if (!Object.hasOwn(imports, params.kind)) throw notFound('kind of import')
  const kind = params.kind as ImportName
  const rule = importRule(imports[kind])
  if (!rule(caller)) throw new HttpError(403, reasonOf(rule, caller))
  return kind
}

const setDownloadHeaders = (reply: FastifyReply, filename: string) =>
  void reply.header('content-disposition', create(filename)).type(contentTypeOf(filename))

/** A handler for each kind of import. */
export function fileHandlers(db: Db, config: Config): Record<ImportName, Handler> {
  const receive = createReceiver(db, config)
  type Query = { dryrun: number; again: number; job?: string }
  const handler =
    (kind: ImportName): Handler =>
    (call: Call<object, Query>) =>
      receive(kind, call as unknown as Call, (upload) => {
        const { dryrun, again, job } = call.query
        return importFile({ ...upload, dryrun: dryrun === 1, again: again === 1, job: job ?? null })
      })
  return Object.fromEntries(
    Object.keys(imports).map((kind) => [kind, handler(kind as ImportName)]),
  ) as Record<ImportName, Handler>
}

/** Fix file, template, progress, history and undo of all kinds. */
export function batchHandlers(db: Db, config: Config): Handlers<(typeof importCalls)['batches']> {
  const receive = createReceiver(db, config)
  return {
    async rejected(call: KindCall) {
      const { reply } = call
      return receive(importNameOf(call), call as unknown as Call, async (upload) => {
        const name = upload.filename.replace(/(\.\w+)$/, ' rejected$1')
        await writeRejectedFile(upload, (rows) => {
          setDownloadHeaders(reply, name)
          return reply.send(rows)
        })
        return reply
      })
    },
    async template(call: KindCall<object, { format: 'csv' | 'xlsx' }>) {
      const definition = imports[importNameOf(call)]
      const { format } = call.query
      setDownloadHeaders(call.reply, `${definition.name} template.${format}`)
      return createTemplate(definition, format)
    },
    progress: (call: KindCall<{ job: string }>) =>
      readProgress(db, importNameOf(call), call.params.job, call.caller.userid),
    history: (call: KindCall<object, { page: number; size: number }>) =>
      listImports(db, importNameOf(call), call.caller, call.query),
    async undo(call: KindCall<{ id: string }>) {
      const { params, caller, address } = call
      if (!/^\d{1,9}$/.test(params.id)) throw notFound('import')
      return undoImport({ db, kind: importNameOf(call), id: Number(params.id), caller, address, config })
    },
  }
}
