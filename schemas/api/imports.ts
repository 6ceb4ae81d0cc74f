import { imports, type ImportName } from '../imports/imports.ts'
import { holds } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { pageQuery } from './paging.ts'
import { list, record, text, textOrNull, whole, wholeOrNull } from './replies.ts'

const importer = holds('import_files')
const flag = { type: 'integer', enum: [0, 1], default: 0 } as const
const totals = { type: 'object', additionalProperties: { type: 'number' } } as const

/** `dryrun=1` stores nothing, `again=1` takes a file that was imported before, `job` names its progress. */
const importQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { dryrun: flag, again: flag, job: { type: 'string', format: 'uuid' } },
} as const
const counts = {
  batch: wholeOrNull,
  inserted: whole,
  updated: whole,
  unchanged: whole,
  totals,
  warnings: list(text),
  ignored: list(text),
}
/** Beside the counts what a dry run tells (`Preview`). */
const importReply = {
  ...record(counts),
  properties: {
    ...counts,
    rejected: whole,
    rows: list(record({ row: wholeOrNull, column: textOrNull, value: text, message: text })),
    more: whole,
    differences: list(record({ row: whole, key: text, column: text, before: text, after: text })),
    repeated: { ...record({ username: text, importedat: whole }), type: ['object', 'null'] },
  },
} as const

const batch = record({
  id: whole,
  filename: text,
  sha256: text,
  size: whole,
  username: text,
  importedat: whole,
  date: textOrNull,
  rows: whole,
  inserted: whole,
  updated: whole,
  unchanged: whole,
  totals,
  state: text,
  undoneby: textOrNull,
  undoneat: wholeOrNull,
})

const upload = (name: string) =>
  ({
    route: `POST /api/v1/file/${name}`,
    allow: importer,
    query: importQuery,
    reply: importReply,
    upload: true,
  }) satisfies Endpoint

/** The calls of the imports. A kind that does not exist answers 404. */
export const files = {
  file: Object.fromEntries(Object.values(imports).map(({ name }) => [name, upload(name)])) as Record<
    ImportName,
    ReturnType<typeof upload>
  >,
  batches: {
    /** The rejected rows with their reasons, as a file of the uploaded format. */
    rejected: { route: 'POST /api/v1/file/:kind/rejected', allow: importer, upload: true, download: true },
    template: {
      route: 'GET /api/v1/file/:kind/template',
      allow: importer,
      download: true,
      query: {
        type: 'object',
        additionalProperties: false,
        properties: { format: { type: 'string', enum: ['csv', 'xlsx'], default: 'csv' } },
      },
    },
    progress: {
      route: 'GET /api/v1/file/:kind/progress/:job',
      allow: importer,
      reply: record({ phase: text, done: whole, total: wholeOrNull }),
      quiet: true,
    },
    history: {
      route: 'GET /api/v1/file/:kind/history',
      allow: importer,
      query: pageQuery,
      reply: record({ data: list(batch), total_length: whole }),
    },
    undo: { route: 'POST /api/v1/file/:kind/:id/undo', allow: importer, reply: batch },
  },
} as const satisfies Record<string, Record<string, Endpoint>>
