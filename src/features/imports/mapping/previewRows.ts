import type { Import, ImportColumn } from '../../../../schemas/imports/imports.ts'
import { formatDecimal, parseDecimal } from '../../../../schemas/imports/mapping/decimal.ts'
import { deriveText } from '../../../../schemas/imports/mapping/derive.ts'
import {
  canBeSummed,
  isMergeKey,
  mappingSamples,
  type ColumnRef,
  type Mapping,
  type MappingProposal,
} from '../../../../schemas/imports/mapping/mapping.ts'

/** A cell of the preview: its text, or that it cannot be worked out. */
type PreviewCell = { text: string; isFault: boolean }
type MappingPreview = { columns: ImportColumn[]; rows: PreviewCell[][] }

/** The row of samples of each sheet for one row of the first: the same merchant's. */
type SampleRow = Map<string, number>

/**
 * What the first rows of a file become (mapping 3), worked out from the samples by the functions by which the
 * server reads the file.
 */
export function previewMapping(
  definition: Import,
  { sheets }: Pick<MappingProposal, 'sheets'>,
  mapping: Mapping,
): MappingPreview {
  const columns = definition.columns.filter(({ field }) => field in mapping.fields)
  const samplesOf = ({ sheet, name }: ColumnRef) =>
    sheets.find((one) => one.name === sheet)?.columns.find((column) => column.name === name)?.samples ?? []
  const key = definition.columns.find(isMergeKey)
  const keySource = key && mapping.fields[key.field]
  const idOf = (sheet: string, row: number): string | null => {
    const column = keySource && 'columns' in keySource && keySource.columns.find((one) => one.sheet === sheet)
    return column
      ? (deriveText({ ...keySource, columns: [column] }, null, (one) => samplesOf(one)[row] ?? null) as
          | string
          | null)
      : null
  }
  const [first, ...others] = mapping.sheets
  const count = Math.max(
    0,
    ...(sheets.find(({ name }) => name === first?.name)?.columns ?? []).map(({ samples }) => samples.length),
  )
  const rows = Array.from({ length: Math.min(count, mappingSamples) }, (_, row): SampleRow => {
    const id = first ? idOf(first.name, row) : null
    const places = new Map([[first?.name ?? '', row]])
    for (const { name } of others) {
      const at = Array.from({ length: mappingSamples }, (__, place) => idOf(name, place)).indexOf(id)
      if (id !== null && at >= 0) places.set(name, at)
    }
    return places
  })
  const cellOf = (column: ImportColumn, places: SampleRow): PreviewCell => {
    const isAmount = canBeSummed(column)
    const derived = deriveText(mapping.fields[column.field]!, isAmount ? column : null, (one) => {
      const at = places.get(one.sheet)
      return at === undefined ? null : (samplesOf(one)[at] ?? null)
    })
    if (derived === null) return { text: '', isFault: false }
    if (typeof derived !== 'string') return { text: `${derived.noAmount} is not an amount`, isFault: true }
    const amount = isAmount ? parseDecimal(derived, column) : null
    return { text: amount ? formatDecimal(amount) : derived, isFault: isAmount && !amount }
  }
  return { columns, rows: rows.map((places) => columns.map((column) => cellOf(column, places))) }
}
