import {
  arrayOf,
  boolean,
  integer,
  integerOrNull,
  number,
  objectOf,
  oneOf,
  orNull,
  string,
  stringOrNull,
  type ShapeOf,
} from '../shapes.ts'
import { fileSource, question } from './answers.ts'

const totals = { type: 'object', additionalProperties: number } as const

const rowFault = objectOf({
  /** Counts from 1 as a spreadsheet does. */
  row: integerOrNull,
  /** The heading. */
  column: stringOrNull,
  value: string,
  message: string,
})
/** A fault in a file. */
export type RowFault = ShapeOf<typeof rowFault>
/** The body of the 422 that refuses a file; `more` counts the faults beyond those listed (imports 15). */
export type RefusedFile = { error: string; requestId?: string; rows: RowFault[]; more: number }

const counts = {
  batch: integerOrNull,
  source: fileSource,
  inserted: integer,
  updated: integer,
  unchanged: integer,
  /** Dollars; 'rows' counts the data rows. */
  totals,
  warnings: arrayOf(string),
  ignored: arrayOf(string),
}
const stored = objectOf(counts)
/** What an import answers (imports 20). */
export type ImportReply = ShapeOf<typeof stored>

/** `key` names the record; '' is a blank cell. */
const difference = objectOf({ row: integer, key: string, column: string, before: string, after: string })
/** A cell that a file would change, formatted as text. */
export type Difference = ShapeOf<typeof difference>
/** Who imported the same bytes first, and when in epoch seconds. */
export const repeated = objectOf({
  username: string,
  importedat: integer,
  /** The month or day that import was of, when it is another one: 'October 2026', '10/31/2026'. */
  subject: stringOrNull,
})
/** An earlier import of the same bytes. */
export type Repeated = ShapeOf<typeof repeated>
const foreseen = {
  /** Counts the rows that would not be stored; `counts` are of the others. */
  rejected: integer,
  rows: arrayOf(rowFault),
  more: integer,
  differences: arrayOf(difference),
  /** What an import of the file asks to be confirmed (imports 40). */
  questions: arrayOf(question),
  repeated: orNull(repeated),
}
const preview = objectOf({ ...counts, ...foreseen })
/** What a dry run answers (imports 16). */
export type Preview = ShapeOf<typeof preview>
/** Only a dry run answers more than the counts. */
export const importReply = objectOf(
  { ...counts, ...foreseen },
  ...(Object.keys(foreseen) as (keyof typeof foreseen)[]),
)

export const batch = objectOf({
  id: integer,
  filename: string,
  sha256: string,
  /** In bytes. */
  size: integer,
  username: string,
  /** Epoch seconds UTC. */
  importedat: integer,
  /** The processor of compensation data. */
  processor: stringOrNull,
  /** The day of a daily volume or the month of compensation data. */
  date: stringOrNull,
  rows: integer,
  inserted: integer,
  updated: integer,
  unchanged: integer,
  totals,
  state: oneOf('imported', 'undone'),
  /** Whether it can be undone; a sentence says why not (imports 38). */
  undo: objectOf({ allowed: boolean, reason: stringOrNull }),
  undoneby: stringOrNull,
  /** Epoch seconds UTC. */
  undoneat: integerOrNull,
})
/** An imported file. */
export type Batch = ShapeOf<typeof batch>

/**
 * 'unknown' before the job has begun and after its end; `done` counts rows, and how many begin before it
 * while it waits for its turn; `total` is null while it waits and while the file is read.
 */
export const progress = objectOf({
  phase: oneOf('unknown', 'waiting', 'reading', 'checking', 'storing'),
  done: integer,
  total: integerOrNull,
})
type ProgressReply = ShapeOf<typeof progress>
/** An import that is under way; `startedat` is in epoch seconds. */
export const runningImport = objectOf({
  job: string,
  filename: string,
  username: string,
  startedat: integer,
  phase: oneOf('waiting', 'reading', 'checking', 'storing'),
  /** Rows, or how many imports begin before it. */
  done: integer,
  total: integerOrNull,
})
export type RunningImport = ShapeOf<typeof runningImport>
/** How many rows an import has processed, or how many begin before it. */
export type ImportProgress = ProgressReply & { phase: Exclude<ProgressReply['phase'], 'unknown'> }
