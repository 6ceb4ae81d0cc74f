import type { Import, ImportColumn } from '../../../../schemas/imports/imports.ts'
import {
  columnsOfSource,
  type ColumnRef,
  type FieldSource,
  type Mapping,
  type MappingProposal,
  type SampledSheet,
} from '../../../../schemas/imports/mapping/mapping.ts'
import { joinWithAnd } from '../../../../schemas/wording.ts'

/** The source of a field as the list of columns shows it: a column, none, or one value for all rows. */
export const noColumn = ''
export const constantChoice = 'constant'
/** The text by which a list of columns names one: its sheet and its name. */
export const columnKey = ({ sheet, name }: Pick<ColumnRef, 'sheet' | 'name'>) => JSON.stringify([sheet, name])
const columnOf = (key: string): ColumnRef => {
  const [sheet, name] = JSON.parse(key) as [string, string]
  return { sheet, name, sign: 1 }
}

const withField = (mapping: Mapping, field: string, source: FieldSource | null): Mapping => {
  const { [field]: _, ...rest } = mapping.fields
  return { ...mapping, fields: source ? { ...rest, [field]: source } : rest }
}

/** Under what the columns of a file are kept; the inbox knows the file besides. */
export const mappingKey = (kind: string, fingerprint: string, file = 0) =>
  ['mapping', kind, fingerprint, file] as const

/**
 * Whether a kept mapping is of these sheets, and another than the proposed one. Files of one fingerprint may
 * differ in the names of their sheets, and in case, spaces and punctuation of their headings (mapping 4).
 */
export const isMappingOf = (
  { sheets, mapping }: MappingProposal,
  kept: Readonly<Record<string, unknown>>,
) => {
  const headings = sheets.map(({ name, columns }) =>
    JSON.stringify({ name, heading: columns.map((column) => column.name) }),
  )
  return (
    Array.isArray(kept.sheets) &&
    kept.sheets.every((sheet) => headings.includes(JSON.stringify(sheet))) &&
    JSON.stringify(kept) !== JSON.stringify(mapping)
  )
}

const padOf = (source: FieldSource | undefined) =>
  source && 'columns' in source && source.pad !== undefined ? { pad: source.pad } : {}

/** The mapping after another column was chosen for a field, at a place of its sum; '' takes it out. */
export function chooseColumn(mapping: Mapping, { field }: ImportColumn, at: number, key: string): Mapping {
  const source = mapping.fields[field]
  if (key === constantChoice) return withField(mapping, field, { constant: '' })
  const columns = [...columnsOfSource(source)]
  if (key === noColumn) columns.splice(at, 1)
  else columns[at] = { ...columnOf(key), sign: columns[at]?.sign ?? 1 }
  return withField(mapping, field, columns.length ? { columns, ...padOf(source) } : null)
}

export const setConstant = (mapping: Mapping, { field }: ImportColumn, constant: string): Mapping =>
  withField(mapping, field, { constant })

export function setSign(mapping: Mapping, { field }: ImportColumn, at: number, sign: 1 | -1): Mapping {
  const source = mapping.fields[field]
  const columns = columnsOfSource(source).map((column, index) =>
    index === at ? { ...column, sign } : column,
  )
  return withField(mapping, field, { columns, ...padOf(source) })
}

/** `pad` is a number of digits, null for none. */
export const setPad = (mapping: Mapping, { field }: ImportColumn, pad: number | null): Mapping =>
  withField(mapping, field, {
    columns: columnsOfSource(mapping.fields[field]),
    ...(pad !== null && { pad }),
  })

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The id of a sheet that is taken in: the column named as an id that is chosen, else what is guessed. */
function idColumnOf({ name: sheet, columns, idColumn }: SampledSheet, ids: ColumnRef[]): ColumnRef[] {
  const alike = columns.find(({ name }) => ids.some((id) => plain(id.name) === plain(name)))
  const name = alike?.name ?? idColumn
  return name === null ? [] : [{ sheet, name, sign: 1 }]
}

function takeIn(mapping: Mapping, { field }: ImportColumn, sheet: SampledSheet): Mapping {
  const heading = sheet.columns.map(({ name }) => name)
  const sheets = [...mapping.sheets, { name: sheet.name, heading }]
  const source = mapping.fields[field]
  const ids = columnsOfSource(source)
  const columns = [...ids, ...idColumnOf(sheet, ids)]
  return withField({ ...mapping, sheets }, field, columns.length ? { columns, ...padOf(source) } : null)
}

/**
 * The mapping with a sheet taken in or left out; the columns of one that is left out are chosen no more.
 * `key` is the id by which sheets are merged.
 */
export function toggleSheet(
  mapping: Mapping,
  key: ImportColumn,
  sheet: SampledSheet,
  isUsed: boolean,
): Mapping {
  if (isUsed) return takeIn(mapping, key, sheet)
  const fields = Object.entries(mapping.fields).flatMap(([field, source]): [string, FieldSource][] => {
    if ('constant' in source) return [[field, source]]
    const columns = source.columns.filter((column) => column.sheet !== sheet.name)
    return columns.length ? [[field, { ...source, columns }]] : []
  })
  return {
    sheets: mapping.sheets.filter(({ name }) => name !== sheet.name),
    fields: Object.fromEntries(fields),
  }
}

/**
 * The fields of a kind in two parts, each in the order of the kind with required ones first: those that are
 * required, summed up as control totals or proposed, and the others.
 */
export function orderFields(
  { columns, oneOf = [], totals = {} }: Import,
  proposed: Mapping,
): { first: ImportColumn[]; others: ImportColumn[] } {
  const main = new Set([...oneOf.flat(), ...Object.values(totals)])
  const rank = ({ required, field }: ImportColumn) => {
    if (required) return 0
    if (main.has(field)) return 1
    return field in proposed.fields ? 2 : 3
  }
  const ranked = (...wanted: number[]) =>
    wanted.flatMap((one) => columns.filter((column) => rank(column) === one))
  return { first: ranked(0, 1, 2), others: ranked(3) }
}

/** The keys of the columns that fields take. */
export const takenColumns = ({ fields }: Pick<Mapping, 'fields'>): Set<string> =>
  new Set(Object.values(fields).flatMap((source) => columnsOfSource(source).map(columnKey)))

/** The columns of the used sheets that no field takes. */
export function unusedColumns({ sheets, fields }: Mapping): string[] {
  const taken = takenColumns({ fields })
  return sheets.flatMap(({ name: sheet, heading }) =>
    heading.filter((name) => !taken.has(columnKey({ sheet, name }))),
  )
}

/** A sentence for each column that more than one field takes. */
export const sharedColumns = ({ columns }: Import, { fields }: Pick<Mapping, 'fields'>): string[] => {
  const heads = new Map<string, { name: string; of: string[] }>()
  for (const { field, head } of columns)
    for (const column of columnsOfSource(fields[field])) {
      const shared = heads.get(columnKey(column)) ?? { name: column.name, of: [] }
      heads.set(columnKey(column), { ...shared, of: [...shared.of, head] })
    }
  return [...heads.values()]
    .filter(({ of }) => of.length > 1)
    .map(({ name, of }) => `${name} is taken more than once: for ${joinWithAnd(of)}.`)
}
