import { arrayOf, describes, objectOf, oneOf, string, stringOrNull, type ShapeOf } from '../shapes.ts'
import {
  headingsSchema,
  mappingSchema,
  type ChosenHeading,
  type Mapping,
  type MappingProposal,
} from './mapping/mapping.ts'

/** 'YYYY-MM' of the years that dates of files may have (imports 11). */
const month = {
  type: 'string',
  title: 'Month',
  pattern: '^(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])$',
} as const

/**
 * What the sender of a file says besides it, as JSON in the field `answers` of the upload (processors 1). An
 * answer to what the file itself says must agree with the file; one to what nobody asks is not read.
 */
export const importAnswers = {
  $id: 'importAnswers',
  type: 'object',
  additionalProperties: false,
  properties: {
    month,
    /** A known processor, or with `newprocessor` the name of a new one. */
    processor: { type: 'string', title: 'Processor', minLength: 1, maxLength: 60, pattern: '\\S' },
    newprocessor: { type: 'boolean', title: 'New processor' },
    /** The keys of the questions to which the answer is yes. */
    accepted: {
      type: 'array',
      title: 'Accepted',
      maxItems: 50,
      items: { type: 'string', minLength: 1, maxLength: 60 },
    },
    /** Which columns of the file are the portal's (mapping 2). */
    mapping: describes<Mapping>().by(mappingSchema),
    /** Which rows are the headings; read while there is no mapping (mapping 3). */
    headings: describes<ChosenHeading[]>().by(headingsSchema),
  },
} as const
export type ImportAnswers = ShapeOf<typeof importAnswers>

const sourceAsk = objectOf({
  needs: arrayOf(oneOf('month', 'processor')),
  /** 'YYYY-MM' that the file says, or null. */
  month: stringOrNull,
  /** The known processor that the file names, or null. */
  processor: stringOrNull,
  /** The known processors; those similar to `named` first. */
  candidates: arrayOf(string),
  /** The processor that the file names and nobody knows, or null. */
  named: stringOrNull,
  /** The known processor whose name is like `named`, or null. */
  nearest: stringOrNull,
})
/** The month or processor that a file does not say. */
export type SourceAsk = ShapeOf<typeof sourceAsk>

export const question = objectOf({ key: string, text: string })
/** Something to confirm before a file is imported. */
export type ImportQuestion = ShapeOf<typeof question>

/** What is asked about a file, in the 409 with the code 'asks' that answers it (processors 1). */
export type ImportAsks = { source?: SourceAsk; questions?: ImportQuestion[]; mapping?: MappingProposal }

/**
 * What a file is of: 'YYYY-MM' and the processor's name for compensation data, the ISO day for daily volume;
 * null where its kind has none.
 */
export const fileSource = objectOf({ month: stringOrNull, processor: stringOrNull, day: stringOrNull })
export type FileSource = ShapeOf<typeof fileSource>
export const noSource: FileSource = { month: null, processor: null, day: null }
