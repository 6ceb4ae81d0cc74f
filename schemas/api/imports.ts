import { entities } from '../entities/index.ts'
import { batch, importReply, progress, runningImport } from '../imports/importReplies.ts'
import { imports, type Import } from '../imports/imports.ts'
import { importRule } from '../imports/kinds.ts'
import { savedMapping } from '../imports/mapping/mapping.ts'
import { holds } from '../permissions.ts'
import { arrayOf, integer, mapValues, objectOf } from '../shapes.ts'
import type { Endpoint } from './endpoint.ts'
import { pageQuery } from './paging.ts'

const importer = holds('import_files')
const flag = { type: 'integer', enum: [0, 1], default: 0 } as const

/**
 * `dryrun=1` stores nothing, `again=1` accepts a file that was imported before, `job` is the key of its
 * progress.
 */
export const importQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { dryrun: flag, again: flag, job: { type: 'string', format: 'uuid' } },
} as const
/** A page of the history, or with `batch` that import alone. */
const historyQuery = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    batch: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  },
} as const
const upload = (definition: Import) =>
  ({
    route: `POST /api/v1/file/${definition.name}`,
    task: 'import file',
    allow: importRule(definition),
    query: importQuery,
    reply: importReply,
    upload: true,
    done: {
      text: 'Imported.',
      view: Object.values(entities).find(({ table }) => table === definition.table)?.path,
      unless: 'dryrun',
    },
  }) satisfies Endpoint

/** The calls of the imports. An unknown kind answers 404; `importRule` decides for each kind. */
export const importCalls = {
  file: mapValues(imports, upload),
  batches: {
    /** The rejected rows with their reasons, as a file of the uploaded format. */
    rejected: {
      route: 'POST /api/v1/file/:kind/rejected',
      task: 'download fix file',
      allow: importer,
      upload: true,
      download: true,
    },
    template: {
      route: 'GET /api/v1/file/:kind/template',
      task: 'download template',
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
      reply: progress,
      quiet: true,
    },
    /** The imports under way of everybody whose imports the caller sees. */
    running: {
      route: 'GET /api/v1/file/:kind/running',
      allow: importer,
      reply: objectOf({ data: arrayOf(runningImport) }),
      quiet: true,
      unattended: true,
    },
    history: {
      route: 'GET /api/v1/file/:kind/history',
      task: 'get import history',
      allow: importer,
      query: historyQuery,
      reply: objectOf({ data: arrayOf(batch), total_length: integer }),
    },
    mappings: {
      route: 'GET /api/v1/file/:kind/mappings',
      allow: importer,
      reply: objectOf({ data: arrayOf(savedMapping) }),
      quiet: true,
    },
    removeMapping: {
      route: 'DELETE /api/v1/file/:kind/mappings/:id',
      done: { text: 'Deleted.' },
      task: 'delete mapping',
      allow: importer,
      status: 204,
    },
    undo: {
      route: 'POST /api/v1/file/:kind/:id/undo',
      task: 'undo import',
      allow: importer,
      reply: batch,
      done: { text: 'Undone.' },
    },
  },
} as const satisfies Record<string, Record<string, Endpoint>>
