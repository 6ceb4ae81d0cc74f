import type { CellKind, Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { changesAsJson, recordedInsert, type Change } from './undoLog.ts'

/**
 * The SQL of a column that follows from other columns. `valueOf` is the SQL of what the file gives a column;
 * `isNew` says whether the row is inserted, so that there is no stored one (m).
 */
type DerivedColumn = (valueOf: (field: string) => string, isNew: boolean) => string

/** How the staged rows (s) are stored in their table (m). Values of columns are SQL expressions. */
type UpsertTarget = {
  /** Columns that are the same for the whole file and part of the key. */
  fixed?: Record<string, string>
  /** A join to the staged rows, and the columns that take their values from it. */
  join?: string
  joined?: Record<string, string>
  /** Columns whose value follows from other columns too. */
  derived?: Record<string, DerivedColumn>
  /** Columns set on new rows alone. */
  added?: Record<string, string>
  /** Columns set on every row that is written; a difference in them alone writes no row. */
  stamp?: Record<string, string>
  /** The table has a version, which each update raises. */
  versioned?: true
  /** SQL condition by which a stored row is counted as changed although its own columns stay the same. */
  alsoChangedIf?: string
}

/** What a new row holds in SQL where the cell is blank; null for null. */
const blankValues: Record<CellKind, string | null> = {
  text: `''`,
  id: `''`,
  agent: null,
  accountstatus: '1',
  date: null,
  count: '0',
  money: '0',
  percent: null,
  flag: null,
  choice: `''`,
  code: null,
  month: null,
  cardlast4: `''`,
  taxidlast4: `''`,
}
/** Kinds whose cleared cells are staged as -1 and stored as null. */
const clearedToNull = new Set<CellKind>(['date', 'code', 'percent'])

const stagedValue = ({ field, kind }: ImportColumn, joined: Record<string, string>) =>
  joined[field] ?? (clearedToNull.has(kind) ? `nullif(s.${field}, -1)` : `s.${field}`)

/** The value of a column in a new row. */
function insertedValue(column: ImportColumn, key: readonly string[], joined: Record<string, string>): string {
  const { field, kind, nullWhenBlank, defaultValue } = column
  const value = stagedValue(column, joined)
  if (key.includes(field) || nullWhenBlank) return value
  const blank = defaultValue ? `'${defaultValue}'` : blankValues[kind]
  return blank === null ? value : `coalesce(${value}, ${blank})`
}

/** The value of a column after an update where a blank cell keeps what is stored (imports 13). */
const updatedValue = (column: ImportColumn, joined: Record<string, string>) =>
  `case when s.${column.field} is null then m.${column.field} else ${stagedValue(column, joined)} end`

type ColumnSql = (column: ImportColumn) => string

/** The SQL of the value that a column of a row gets, one that is inserted or one that is updated. */
function valuesOf(
  definition: Import,
  { joined = {}, derived = {} }: UpsertTarget,
  { isNew }: { isNew: boolean },
): ColumnSql {
  const { key, columns, blankKeepsStored } = definition
  const given: ColumnSql = (column) =>
    blankKeepsStored && !isNew ? updatedValue(column, joined) : insertedValue(column, key, joined)
  const givenIn = (field: string) => given(columns.find((column) => column.field === field)!)
  return (column) => derived[column.field]?.(givenIn, isNew) ?? given(column)
}

/** The condition that a staged row and a stored one have the same key. */
function keyCondition({ key }: Import, columns: ImportColumn[], fixed: Record<string, string>): string {
  const required = new Set(columns.filter((column) => column.required).map(({ field }) => field))
  // An index serves '=' alone, so 'is not distinct from' is left to fields that can be null.
  const equal = (field: string) =>
    required.has(field) ? `m.${field} = s.${field}` : `m.${field} is not distinct from s.${field}`
  const fixedEqual = Object.entries(fixed).map(([field, value]) => `m.${field} = ${value}`)
  return [...fixedEqual, ...key.map(equal)].join(' and ')
}

/** The SQL statements by which a kind of import stores its staged rows; all take the same parameters. */
export function createUpsert(definition: Import, target: UpsertTarget) {
  const { table, key } = definition
  const { fixed = {}, join = '', added = {}, stamp = {}, versioned, alsoChangedIf } = target
  const columns = definition.columns.filter((column) => !column.sameInEveryRow)
  const staged = `staging s ${join}`
  const matches = keyCondition(definition, columns, fixed)
  const inserted = valuesOf(definition, target, { isNew: true })
  const updated = valuesOf(definition, target, { isNew: false })
  const changes: Change[] = [
    ...columns
      .filter(({ field }) => !key.includes(field))
      .map((column): Change => [column.field, `m.${column.field}`, updated(column)]),
    ['extra', 'm.extra', `nullif(coalesce(m.extra, '{}') || coalesce(s.extra, '{}'), '{}')`],
  ]
  const stamps = Object.entries(stamp).map(([field, value]): Change => [field, `m.${field}`, value])
  const before = changes.map(([, value]) => value).join(', ')
  const after = changes.map(([, , value]) => value).join(', ')
  const differs = `(${before}) is distinct from (${after})`
  const sets = [...changes, ...stamps].map(([field, , value]) => `${field} = ${value}`)
  if (versioned) sets.push('version = m.version + 1')
  const values = {
    ...fixed,
    ...Object.fromEntries(columns.map((column) => [column.field, inserted(column)])),
    extra: 's.extra',
    ...added,
    ...stamp,
  }
  // Without the order PostgreSQL may search a table that was empty before once for each row, which takes
  // minutes.
  const insert = `insert into ${table} (${Object.keys(values).join(', ')})
      select ${Object.values(values).join(', ')}
      from ${staged} where not exists (select from ${table} m where ${matches}) order by s.row`
  const changed = alsoChangedIf ? `${differs} or ${alsoChangedIf}` : differs
  const keys = key.map((field) => `s.${field}`).join(', ')
  return {
    table,
    alsoChangedIf,
    matches,
    /** How many rows are new and how many change something. */
    count: `select count(*) filter (where m.xmid is null)::int as inserted,
        count(*) filter (where m.xmid is not null and (${changed}))::int as updated
      from ${staged} left join ${table} m on ${matches}`,
    /** The rows that change something: row, key and {"column": [before, after]}. */
    differences: `select s.row, array[${keys}] as key, ${changesAsJson(changes)} as changed
      from ${staged} join ${table} m on ${matches} where ${differs} order by s.row`,
    /** Records for the undo what the update will change, and locks those rows until the transaction ends. */
    recordChanges: (batch: number) => `insert into import_change (batchid, tablename, rowid, changed)
      select ${batch}, '${table}', m.id, ${changesAsJson([...changes, ...stamps])}
      from ${staged} join ${table} m on ${matches} where ${differs} for no key update of m`,
    update: `update ${table} m set ${sets.join(', ')} from ${staged} where ${matches} and ${differs}`,
    insert: (batch: number) => recordedInsert(table, insert, batch),
  }
}
