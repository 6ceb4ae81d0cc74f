import type { ImportKind } from './kinds.ts'

/** The kinds of cells; server/imports/rows/cells.ts reads them. */
export type CellKind =
  | 'text'
  | 'id'
  | 'agent'
  | 'accountstatus'
  | 'date'
  | 'count'
  | 'money'
  | 'percent'
  | 'flag'
  /** One of a column's `choices`, stored as text. */
  | 'choice'
  /** One of a column's `choices`, stored as a small number. */
  | 'code'
  /** The first day of a month. */
  | 'month'
  /** The last four digits of a card number, also when it is given in full; fewer digits are refused. */
  | 'cardlast4'
  /** The last four digits of a tax id, also when it is given in full; fewer digits are stored as blank. */
  | 'taxidlast4'

/** A stored value and the words that mean it; case, spaces and punctuation are ignored. */
export type ColumnChoice = { value: string; words: readonly string[] }

export type ImportColumn = {
  /** The heading in the template and in messages. */
  head: string
  field: string
  kind: CellKind
  required?: true
  /** Other accepted headings; case, spaces and punctuation are ignored. */
  aliases?: readonly string[]
  /** In characters. */
  maxLength?: number
  choices?: readonly ColumnChoice[]
  /** The stored value of a choice is not accepted in a cell, only its words. */
  wordsOnly?: true
  /** Texts with two possible meanings, which are refused, and the reason given. */
  ambiguous?: { pattern: RegExp; reason: string }
  /** Stored in a new row whose cell is blank. */
  defaultValue?: string
  /** Describes the whole file: the same value in every row, and stored in none. */
  sameInEveryRow?: true
  /** An amount that a debit raises: DR adds to it and CR subtracts (imports 34). */
  isCost?: true
  /** A day that may be still to come; of any other day a later one than today is warned of (imports 11). */
  mayBeLater?: true
  /** A blank amount is stored as null instead of 0. */
  nullWhenBlank?: true
}

export type Import = ImportKind & {
  /** The table it is stored in. */
  table: string
  /** The fields that identify a row. */
  key: readonly string[]
  /** Control totals: each name and the money field it sums. */
  totals?: Readonly<Record<string, string>>
  /** A date must be chosen; it is sent as epoch seconds of local midnight (constants 5, imports 30). */
  dated?: true
  /** A blank cell keeps the stored value; '-' or NULL clears it (imports 13). */
  blankKeepsStored?: true
  /** The file must have a column for at least one field of each group. */
  oneOf?: readonly (readonly string[])[]
  /** A file without a heading: the patterns by which its first columns are recognised, and what they are. */
  withoutHeading?: { cellPatterns: readonly RegExp[]; columns: readonly ImportColumn[] }
  /** Tax ids in unknown columns are stored with their last four digits only (imports 14). */
  hidesTaxIds?: true
  columns: readonly ImportColumn[]
}
