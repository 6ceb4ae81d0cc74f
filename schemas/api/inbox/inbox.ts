import { pageSizes } from '../../constants.ts'
import { month } from '../../fields.ts'
import type { ImportAsks } from '../../imports/answers.ts'
import { repeated } from '../../imports/importReplies.ts'
import type { ImportName, Preview, RowFault } from '../../imports/imports.ts'
import { holds } from '../../permissions.ts'
import {
  arrayOf,
  describes,
  integer,
  integerOrNull,
  objectOf,
  oneOf,
  orNull,
  string,
  stringOrNull,
  type ShapeOf,
} from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { pageQuery } from '../paging.ts'
import { inboxAnswersBody, inboxImportBody, type InboxAnswers } from './answers.ts'
import { inboxCountCall } from './inboxCount.ts'

/** What a file waits for, or how it ended (inbox 2). */
const inboxStates = [
  'waiting',
  'checking',
  'ready',
  'asks',
  'refused',
  'repeated',
  'outgrown',
  'importing',
  'imported',
  'undone',
  'dismissed',
  'replaced',
] as const
export type InboxState = (typeof inboxStates)[number]

/** What the inbox asks besides what an import asks: the kind of the file, and the day of a daily volume. */
export type InboxAsks = ImportAsks & {
  kind?: { candidates: ImportName[]; proposed: ImportName | null }
  date?: boolean
}
/** The faults of a file, as the 422 of an import lists them (imports 15). */
export type InboxFaults = { rows: RowFault[]; more: number }

/** Its value is described by its type alone. */
const open = { type: 'object', additionalProperties: true } as const
const openOrNull = { ...open, type: ['object', 'null'] } as const

const inboxFile = objectOf({
  id: integer,
  filename: string,
  sha256: string,
  /** In bytes. */
  size: integer,
  source: oneOf('folder', 'upload'),
  /** Who added it; '' for a file of the folder. */
  username: string,
  /** Epoch seconds UTC. */
  receivedat: integer,
  state: oneOf(...inboxStates),
  kind: stringOrNull,
  /** '2026-10'. */
  month: stringOrNull,
  processor: stringOrNull,
  /** The day of a daily volume, '2026-10-31'. */
  date: stringOrNull,
  asks: describes<InboxAsks | null>().by(openOrNull),
  answers: describes<InboxAnswers>().by(open),
  preview: describes<Preview | null>().by(openOrNull),
  faults: describes<InboxFaults | null>().by(openOrNull),
  /** Why it is not ready, in a sentence. */
  message: stringOrNull,
  /** What became of its original after it was taken, in a sentence. */
  note: stringOrNull,
  repeated: orNull(repeated),
  /** What its import stored. */
  stored: orNull(objectOf({ batch: integer, inserted: integer, updated: integer, unchanged: integer })),
  /** Who checks or imports it now, or who imported or dismissed it. */
  by: stringOrNull,
  /** When it was imported or dismissed, in epoch seconds. */
  endedat: integerOrNull,
})
/** A file of the inbox as the caller may see it. */
export type InboxFile = ShapeOf<typeof inboxFile>

const folder = objectOf({
  /** Why the folder cannot be used, in a sentence. */
  fault: stringOrNull,
  /** The first files that stay in the folder, each with the reason; `more` counts the others. */
  left: arrayOf(objectOf({ filename: string, reason: string })),
  more: integer,
})
/** The watched folder. */
export type InboxFolder = ShapeOf<typeof folder>

const inboxList = objectOf({
  data: arrayOf(inboxFile),
  total_length: integer,
  /** Null without a watched folder, and for people of one branch. */
  folder: orNull(folder),
})
export type InboxListReply = ShapeOf<typeof inboxList>

const importer = holds('import_files')
const one = { allow: importer, reply: inboxFile, quiet: true } as const

/** The calls of the inbox (inbox 8). */
export const inboxCalls = {
  list: {
    route: 'GET /api/v1/inbox',
    // The screen asks again and again, and says itself that it could not.
    quiet: true,
    unattended: true,
    task: 'get inbox',
    allow: importer,
    query: {
      ...pageQuery,
      properties: {
        ...pageQuery.properties,
        size: { ...pageQuery.properties.size, default: pageSizes.at(-1)! },
        /** Leaves out the files of other months; those whose month is not known stay. */
        month: { type: 'string', pattern: month.pattern },
        /** Those that were imported or dismissed, in place of those that wait. */
        ended: { type: 'integer', enum: [0, 1], default: 0 },
      },
    },
    reply: inboxList,
  },
  count: inboxCountCall,
  add: {
    ...one,
    route: 'POST /api/v1/inbox',
    task: 'add file',
    done: { text: 'Added.' },
    upload: true,
    status: 201,
  },
  check: {
    ...one,
    route: 'POST /api/v1/inbox/:id/check',
    task: 'check file',
    body: inboxAnswersBody,
    ownTurn: true,
  },
  import: {
    ...one,
    route: 'POST /api/v1/inbox/:id/import',
    task: 'import file',
    done: { text: 'Imported.' },
    body: inboxImportBody,
    ownTurn: true,
  },
  dismiss: {
    ...one,
    route: 'POST /api/v1/inbox/:id/dismiss',
    task: 'dismiss file',
    done: { text: 'Dismissed.' },
  },
} as const satisfies Record<string, Endpoint>

/** What is shown of the inbox. */
export type InboxView = ShapeOf<(typeof inboxCalls.list)['query']>
