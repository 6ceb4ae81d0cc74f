/** What a kind of import is made of. How a cell of each kind is read is in server/imports/rows/cells.ts. */
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
  /** The same, stored as a small number. */
  | 'code'
  /** The first day of a month. */
  | 'month'
  /** Four digits; of a longer number the last four alone are kept. */
  | 'lastfour'
  /** The same, blank where there are fewer. */
  | 'tail'

/** What is stored and the words that mean it; case, spaces and punctuation do not count. */
export type Choice = { value: string; words: readonly string[] }

export type ImportColumn = {
  /** The heading of our template and of every message. */
  head: string
  field: string
  kind: CellKind
  required?: true
  /** Other headings it is known by; case, spaces and punctuation do not count. */
  aliases?: readonly string[]
  /** At most so many characters. */
  most?: number
  choices?: readonly Choice[]
  /** A choice goes by its words alone, never by the value it is stored as. */
  worded?: true
  /** A text that could mean two things, and why: it is refused, never guessed. */
  asks?: { of: RegExp; why: string }
  /** What a new row holds that leaves it blank. */
  standard?: string
  /** Speaks of the file as a whole, so it is the same in every row and stored with none. */
  whole?: true
  /** Money that new rows and blank cells leave unknown rather than nought. */
  unknown?: true
}

export type Import = {
  /** As the API calls it: /api/v1/file/{name}. */
  name: string
  /** In sentences: 'No {noun} row was found'. */
  noun: string
  title: string
  path: string
  /** Where it is stored and the fields that tell its rows apart. */
  table: string
  key: readonly string[]
  /** Control totals: a name and the money field it sums. */
  totals?: Readonly<Record<string, string>>
  /** A date must be chosen; sent as epoch seconds of local midnight (specification, section 9). */
  dated?: true
  /** A blank cell keeps what is stored; '-' or NULL clears it. */
  keeps?: true
  /** Of each of these groups of fields the file must have one column. */
  oneOf?: readonly (readonly string[])[]
  /** A file without a heading: what its first columns look like, and what they are. */
  headless?: { like: readonly RegExp[]; columns: readonly ImportColumn[] }
  /** Tax ids in unknown columns are hidden but for their last four digits. */
  hidesTaxIds?: true
  columns: readonly ImportColumn[]
}

/** One thing wrong in a file; `row` counts from 1 as a spreadsheet does, `column` is the heading. */
export type RowFault = { row: number | null; column: string | null; value: string; message: string }
/** Body of the 422 that refuses a file; `more` counts the faults beyond those listed. */
export type Refused = { error: string; requestId?: string; rows: RowFault[]; more: number }
/** Amounts in `totals` are dollars; 'rows' counts the data rows. */
export type ImportReply = {
  batch: number | null
  inserted: number
  updated: number
  unchanged: number
  totals: Record<string, number>
  warnings: string[]
  ignored: string[]
}
/** One cell a file would change, in texts as a person reads them; `before` is '' for a blank one. `key` says which record. */
export type Difference = { row: number; key: string; column: string; before: string; after: string }
/** Who imported the same bytes first, and when (epoch seconds). */
export type Repeated = { username: string; importedat: number }
/** What a dry run answers: figures of the rows that would be stored, `rejected` counts the others. */
export type Preview = ImportReply & {
  rejected: number
  rows: RowFault[]
  more: number
  differences: Difference[]
  repeated: Repeated | null
}
/** One imported file. Times are epoch seconds UTC; `date` is the day of a volume or the month of compensation data. */
export type Batch = {
  id: number
  filename: string
  sha256: string
  size: number
  username: string
  importedat: number
  date: string | null
  rows: number
  inserted: number
  updated: number
  unchanged: number
  totals: Record<string, number>
  state: 'imported' | 'undone'
  undoneby: string | null
  undoneat: number | null
}
/** How far an import has come, in rows; the total is unknown while the file is read. */
export type Progress = { phase: 'reading' | 'checking' | 'storing'; done: number; total: number | null }
