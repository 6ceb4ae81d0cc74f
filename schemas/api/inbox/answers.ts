import { importAnswers } from '../../imports/answers.ts'
import { imports, type ImportName } from '../../imports/imports.ts'
import { oneOf, type ShapeOf } from '../../shapes.ts'

const answers = {
  type: 'object',
  title: 'Answers',
  additionalProperties: false,
  properties: {
    ...importAnswers.properties,
    kind: { ...oneOf(...(Object.keys(imports) as ImportName[])), title: 'Kind' },
    /** The day of a daily volume, as an ISO calendar day. */
    date: { type: 'string', title: 'Date', format: 'date' },
  },
} as const
/** What is answered about a file of the inbox: also its kind, and the day of a daily volume (inbox 4). */
export type InboxAnswers = ShapeOf<typeof answers>

/** The answers take the place of those that were given before; without them these stay. */
export const inboxAnswersBody = {
  $id: 'inbox.check',
  type: 'object',
  additionalProperties: false,
  properties: { answers },
} as const

/** `again` accepts a file that was imported before (imports 17). */
export const inboxImportBody = {
  $id: 'inbox.import',
  type: 'object',
  additionalProperties: false,
  properties: { answers, again: { type: 'boolean', title: 'Import anyway' } },
} as const
