import { create } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { files } from '../../schemas/api/imports.ts'
import { type Import, type ImportName, imports } from '../../schemas/imports/imports.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Handler, Handlers } from '../http/call.ts'
import { notFound } from '../http/errors.ts'
import { historyOf } from './history.ts'
import { importFile } from './importFile.ts'
import { progressOf } from './process/progress.ts'
import { fixFile, typeOf } from './rejectedRows.ts'
import { undoImport } from './undo.ts'
import { receiver } from './upload.ts'

/** An empty file of a kind: its heading row, in either format. */
export async function templateOf({ columns }: Import, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const heads = columns.map(({ head }) => head)
  if (format === 'csv')
    return Buffer.from(
      `${heads.map((head) => (/[",]/.test(head) ? `"${head.replaceAll('"', '""')}"` : head)).join(',')}\r\n`,
    )
  // Large and seldom needed.
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([heads]), 'Import')
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer
}

type OfKind<P = object, Q = object> = Call<{ kind: string } & P, Q>

const kindOf = ({ params }: OfKind): ImportName => {
  if (!Object.hasOwn(imports, params.kind)) throw notFound('kind of import')
  return params.kind as ImportName
}

const attach = (reply: FastifyReply, filename: string) =>
  void reply.header('content-disposition', create(filename)).type(typeOf(filename))

/** One handler for every kind of import. */
export function fileHandlers(db: Db, config: Config): Record<ImportName, Handler> {
  const receive = receiver(db, config)
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

/** What there is to a kind of import beside the import itself. */
export function batchHandlers(db: Db, config: Config): Handlers<(typeof files)['batches']> {
  const receive = receiver(db, config)
  return {
    async rejected(call: OfKind) {
      const { reply } = call
      return receive(kindOf(call), call as unknown as Call, async (upload) => {
        const name = upload.filename.replace(/(\.\w+)$/, ' rejected$1')
        await fixFile(upload, (rows) => {
          attach(reply, name)
          return reply.send(rows)
        })
        return reply
      })
    },
    async template(call: OfKind<object, { format: 'csv' | 'xlsx' }>) {
      const it = imports[kindOf(call)]
      const { format } = call.query
      attach(call.reply, `${it.name} template.${format}`)
      return templateOf(it, format)
    },
    progress: (call: OfKind<{ job: string }>) =>
      progressOf(db, kindOf(call), call.params.job, call.caller.userid),
    history: (call: OfKind<object, { page: number; size: number }>) =>
      historyOf(db, kindOf(call), call.caller, call.query),
    async undo(call: OfKind<{ id: string }>) {
      const { params, caller, address } = call
      if (!/^\d{1,9}$/.test(params.id)) throw notFound('import')
      return undoImport({ db, kind: kindOf(call), id: Number(params.id), caller, address, config })
    },
  }
}
