import { importRule, imports, type Import, type ImportName } from '../imports/imports.ts'
import { holds } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { pageQuery } from './paging.ts'
import { arrayOf, objectOf, string, stringOrNull, integer, integerOrNull } from './replies.ts'

const importer = holds('import_files')
const flag = { type: 'integer', enum: [0, 1], default: 0 } as const
const totals = { type: 'object', additionalProperties: { type: 'number' } } as const

/**
 * `dryrun=1` stores nothing, `again=1` accepts a file that was imported before, `job` is the key of its
 * progress.
 */
const importQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { dryrun: flag, again: flag, job: { type: 'string', format: 'uuid' } },
} as const
const counts = {
  batch: integerOrNull,
  inserted: integer,
  updated: integer,
  unchanged: integer,
  totals,
  warnings: arrayOf(string),
  ignored: arrayOf(string),
}
/** Only a dry run answers more than the counts (`Preview`). */
const importReply = {
  ...objectOf(counts),
  properties: {
    ...counts,
    rejected: integer,
    rows: arrayOf(objectOf({ row: integerOrNull, column: stringOrNull, value: string, message: string })),
    more: integer,
    differences: arrayOf(
      objectOf({ row: integer, key: string, column: string, before: string, after: string }),
    ),
    repeated: { ...objectOf({ username: string, importedat: integer }), type: ['object', 'null'] },
  },
} as const

const batch = objectOf({
  id: integer,
  filename: string,
  sha256: string,
  size: integer,
  username: string,
  importedat: integer,
  date: stringOrNull,
  rows: integer,
  inserted: integer,
  updated: integer,
  unchanged: integer,
  totals,
  state: string,
  undoneby: stringOrNull,
  undoneat: integerOrNull,
})

const upload = (definition: Import) =>
  ({
    route: `POST /api/v1/file/${definition.name}`,
    allow: importRule(definition),
    query: importQuery,
    reply: importReply,
    upload: true,
  }) satisfies Endpoint

/** The calls of the imports. An unknown kind answers 404; `importRule` decides for each kind. */
export const importCalls = {
  file: Object.fromEntries(Object.values(imports).map((it) => [it.name, upload(it)])) as Record<
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
      reply: objectOf({ phase: string, done: integer, total: integerOrNull }),
      quiet: true,
    },
    history: {
      route: 'GET /api/v1/file/:kind/history',
      allow: importer,
      query: pageQuery,
      reply: objectOf({ data: arrayOf(batch), total_length: integer }),
    },
    undo: { route: 'POST /api/v1/file/:kind/:id/undo', allow: importer, reply: batch },
  },
} as const satisfies Record<string, Record<string, Endpoint>>
