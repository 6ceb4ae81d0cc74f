import { arrayOf, integer, objectOf, string, type ShapeOf } from '../../shapes.ts'
import type { CellKind, Import, ImportColumn } from '../importTypes.ts'

/** A column of a file; `sign` -1 takes its amount away. `sheet` is '' in a text file. */
export type ColumnRef = { sheet: string; name: string; sign: 1 | -1 }
/**
 * Where the values of one field come from. Several columns are added up, exactly; `pad` fills a number with
 * zeros from the left to so many digits. Of an id of merged sheets there is one column for each sheet.
 */
export type FieldSource = { columns: ColumnRef[]; pad?: number } | { constant: string }
/** The columns of a source; of a constant, or of none, none. */
export const columnsOfSource = (source: FieldSource | undefined): ColumnRef[] =>
  source && 'columns' in source ? source.columns : []
/** A sheet and the names of its columns in their order, as `columnNames` gives them. */
export type MappedSheet = { name: string; heading: string[] }
/**
 * How a file with headings of its own is read (mapping 2): its sheets, which are merged by the merchant's id
 * into the first, and a source for each of the kind's fields that the file has.
 */
export type Mapping = { sheets: MappedSheet[]; fields: Record<string, FieldSource> }

/** Why a column is proposed for a field (mapping 3). */
export type GuessReason = 'name' | 'alias' | 'shape' | 'total' | 'saved'
/** A column of a file to be mapped and its first cells, aligned with those of the other columns. */
type SampledColumn = { name: string; samples: string[] }
export type SampledSheet = {
  name: string
  /** The row of the heading, from 1. */
  row: number
  /** How many filled lines stand below the heading. */
  lines: number
  columns: SampledColumn[]
  /** The name of the column that is probably the merchant's id; null when none looks like it. */
  idColumn: string | null
  /** The first lines with the row of each, from which another heading can be chosen. */
  starts: { row: number; text: string }[]
}
/** The row of a sheet that a person chose as its heading; `sheet` is '' in a text file. */
export type ChosenHeading = { sheet: string; row: number }
/** What differs between the heading of a file and the one for which a mapping was saved (mapping 5). */
export type MappingDifference = {
  processor: string
  renamed: { from: string; to: string }[]
  moved: string[]
  missing: string[]
  added: string[]
}
/** What is asked about a file whose heading is not known (mapping 3). */
export type MappingProposal = {
  fingerprint: string
  sheets: SampledSheet[]
  /** What is guessed; it may lack required fields. */
  mapping: Mapping
  reasons: Record<string, GuessReason>
  difference: MappingDifference | null
}
/** A mapping that was saved with an import, as it is listed (mapping 7). */
export const savedMapping = objectOf({
  id: integer,
  /** '' where the kind has none. */
  processor: string,
  columns: arrayOf(string),
  username: string,
  /** Epoch seconds UTC. */
  at: integer,
})
export type SavedMapping = ShapeOf<typeof savedMapping>

/** How many samples of a column are shown. */
export const mappingSamples = 5
const name = { type: 'string', maxLength: 120 } as const

/** The JSON Schema of a Mapping; what a schema cannot say is checked by `mappingFault`. */
export const mappingSchema = {
  type: 'object',
  title: 'Mapping',
  additionalProperties: false,
  required: ['sheets', 'fields'],
  properties: {
    sheets: {
      type: 'array',
      title: 'Sheets',
      minItems: 1,
      maxItems: 50,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'heading'],
        properties: { name, heading: { type: 'array', minItems: 1, maxItems: 16_384, items: name } },
      },
    },
    fields: {
      type: 'object',
      title: 'Fields',
      maxProperties: 100,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          columns: {
            type: 'array',
            title: 'Columns',
            minItems: 1,
            maxItems: 50,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['sheet', 'name', 'sign'],
              properties: { sheet: name, name, sign: { type: 'integer', enum: [1, -1] } },
            },
          },
          pad: { type: 'integer', minimum: 1, maximum: 32 },
          constant: { type: 'string', minLength: 1, maxLength: 200 },
        },
      },
    },
  },
} as const

/** The JSON Schema of chosen headings. */
export const headingsSchema = {
  type: 'array',
  title: 'Headings',
  maxItems: 50,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['sheet', 'row'],
    properties: {
      sheet: { ...name, title: 'Sheet' },
      row: { type: 'integer', title: 'Row', minimum: 1, maximum: 1_048_576 },
    },
  },
} as const

const summedKinds: readonly CellKind[] = ['money', 'count']
const paddedKinds: readonly CellKind[] = ['id', 'agent', 'text', 'cardlast4', 'taxidlast4']
const datedKinds: readonly CellKind[] = ['month', 'date']
/** Whether several columns may be added up and taken away from each other. */
export const canBeSummed = ({ kind }: ImportColumn) => summedKinds.includes(kind)
export const canBePadded = ({ kind }: ImportColumn) => paddedKinds.includes(kind)
/** The id by which sheets are merged. */
export const isMergeKey = ({ field }: ImportColumn) => field === 'xmid'

/** Why a field cannot be the same in every row of every file; null when it can. */
export const constantFault = (column: ImportColumn, { key }: Import): string | null => {
  if (key.includes(column.field))
    return `${column.head} tells the rows apart, so it cannot be one value for all`
  if (datedKinds.includes(column.kind))
    return `${column.head} changes with each file, so it cannot be one value for all`
  return null
}

function columnsFault(
  column: ImportColumn,
  source: { columns: ColumnRef[]; pad?: number },
  { sheets }: Mapping,
) {
  const { head } = column
  const { columns, pad } = source
  const unknown = columns.find(
    ({ sheet, name: wanted }) => !sheets.some((one) => one.name === sheet && one.heading.includes(wanted)),
  )
  if (unknown) return `${head}: the column “${unknown.name}” is not in the heading`
  const isTwice = columns.some((one, at) =>
    columns.slice(0, at).some((other) => other.name === one.name && other.sheet === one.sheet),
  )
  if (isTwice) return `${head} names one column twice`
  if (pad !== undefined && !canBePadded(column)) return `${head} is no number to be filled with zeros`
  if (isMergeKey(column)) {
    const without = sheets.find((one) => columns.filter(({ sheet }) => sheet === one.name).length !== 1)
    if (without)
      return without.name
        ? `${head} needs one column of the sheet ${without.name}`
        : `${head} takes one column`
  } else if (columns.length > 1 && !canBeSummed(column))
    return `${head} takes one column; only amounts and counts are added up`
  if (columns.some(({ sign }) => sign < 0) && !canBeSummed(column))
    return `${head} cannot be taken away: it is no amount`
  return null
}

/**
 * What is wrong with a mapping of a kind of import, in a sentence without its full stop; null when nothing is
 * (mapping 2).
 */
export function mappingFault(definition: Import, mapping: Mapping): string | null {
  const { sheets, fields } = mapping
  const names = sheets.map((sheet) => sheet.name)
  if (new Set(names).size < names.length) return 'A sheet is named twice'
  for (const [field, source] of Object.entries(fields)) {
    const column = definition.columns.find((one) => one.field === field)
    if (!column) return `“${field}” is no column of ${definition.title}`
    const hasColumns = 'columns' in source && source.columns !== undefined
    const hasConstant = 'constant' in source && source.constant !== undefined
    if (hasColumns === hasConstant)
      return `${column.head} needs a column or one value for all rows, and not both`
    if ('constant' in source && source.constant.trim() === '')
      return `${column.head} needs the value for all rows`
    if ('constant' in source && 'pad' in source)
      return `${column.head}: one value for all rows is not filled with zeros`
    const fault =
      'constant' in source ? constantFault(column, definition) : columnsFault(column, source, mapping)
    if (fault) return fault
  }
  return missingFields(definition, fields)[0] ?? null
}

/** What the fields of a mapping lack, one sentence for each required column or group of columns. */
export function missingFields(
  { columns, oneOf = [] }: Import,
  fields: Readonly<Record<string, unknown>>,
): string[] {
  const headOf = (field: string) => columns.find((column) => column.field === field)!.head
  return [
    ...columns
      .filter(({ required, field }) => required && !(field in fields))
      .map(({ head }) => `${head} is required: choose its column`),
    ...oneOf
      .filter((group) => !group.some((field) => field in fields))
      .map((group) => `${group.map(headOf).join(' or ')} is required: choose a column`),
  ]
}
