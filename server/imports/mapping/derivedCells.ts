import type { Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { deriveText, isCopied } from '../../../schemas/imports/mapping/derive.ts'
import {
  canBeSummed,
  type ColumnRef,
  type FieldSource,
  type Mapping,
} from '../../../schemas/imports/mapping/mapping.ts'
import { displayText, isFault, isNumeric, isPlainNumber, type Cell } from '../formats/sheet.ts'
import { cellToText } from '../rows/cells.ts'

/** The cells of one merchant, by the index of their sheet; null where a sheet does not name it. */
export type MergedCells = readonly (readonly Cell[] | null)[]

/** The columns of a mapping by their places: the index of the sheet, and of the cell in it. */
type ColumnPlaces = (column: ColumnRef) => { sheet: number; at: number }
export const columnPlaces =
  ({ sheets }: Mapping): ColumnPlaces =>
  ({ sheet, name }) => {
    const index = sheets.findIndex((one) => one.name === sheet)
    return { sheet: index, at: sheets[index]!.heading.indexOf(name) }
  }

/**
 * A numeric cell whose digits a text would no longer show to be rounded, a date or a percentage (imports 9).
 */
const isNoPlainNumber = (cell: Cell): boolean => {
  if (!isNumeric(cell)) return false
  const value = Number(cell.number)
  return !isPlainNumber(cell) || !Number.isInteger(value) || value < 0 || value >= 1e15
}

/** The digits of a number of a spreadsheet, which keeps fifteen, without an exponent. */
export function exactDigits(number: string): string {
  const [digits = '', exponent = '0'] = Number(number).toExponential(14).split('e')
  const isNegative = digits.startsWith('-')
  const bare = digits.replace(/[-.]/g, '')
  const point = Number(exponent) + 1
  const text =
    point <= 0
      ? `0.${'0'.repeat(-point)}${bare}`
      : `${bare.slice(0, point).padEnd(point, '0')}.${bare.slice(point)}`
  return `${isNegative ? '-' : ''}${text.replace(/\.?0*$/, '')}`
}

const sumText = (cell: Cell): string | null =>
  cell === null ? null : isPlainNumber(cell) ? exactDigits(cell.number) : cellToText(cell)

/** What stands in the columns of a sum that could not be worked out: '10.00 - abc'. */
const describeSum = (columns: readonly ColumnRef[], cellOf: (column: ColumnRef) => Cell): string =>
  columns
    .map((column, at) => `${column.sign < 0 ? '- ' : at ? '+ ' : ''}${displayText(cellOf(column)) || '0'}`)
    .join(' ')

/**
 * Creates a function that works out the cell of one field from the cells of a row (mapping 2). `isRecord` is
 * false for rows that may hold totals, to which nothing is added. Where blank cells keep nothing, the amounts
 * of a sheet that does not name the merchant are 0 (mapping 6).
 */
function createCellDeriver(
  column: ImportColumn,
  source: FieldSource,
  placeOf: ColumnPlaces,
  blankKeepsStored: boolean,
): (cells: MergedCells, isRecord: boolean) => Cell {
  if ('constant' in source) return (_, isRecord) => (isRecord ? source.constant : null)
  const { columns } = source
  const places = new Map(columns.map((one) => [one, placeOf(one)]))
  const isSummed = canBeSummed(column)
  const isMissing = (cells: MergedCells) =>
    isSummed && !blankKeepsStored && columns.every((one) => !cells[places.get(one)!.sheet])
  return (cells, isRecord) => {
    if (isRecord && isMissing(cells)) return '0'
    const cellOf = (one: ColumnRef): Cell => {
      const { sheet, at } = places.get(one)!
      return cells[sheet]?.[at] ?? null
    }
    const found = columns.map(cellOf)
    if (isCopied(source)) return found[0]!
    const faulty = found.find(isFault)
    if (faulty) return faulty
    const noPlain = isSummed ? undefined : found.find(isNoPlainNumber)
    if (noPlain !== undefined) return noPlain
    const text = deriveText(source, isSummed ? column : null, (one) =>
      isSummed ? sumText(cellOf(one)) : displayText(cellOf(one)),
    )
    if (text === null || typeof text === 'string') return text
    return {
      fault: `cannot be worked out: ${text.noAmount} is not an amount; write it like 1,234.56`,
      text: describeSum(columns, cellOf),
    }
  }
}

/** The derivers of a kind's mapped columns, in the order of the kind. */
export const createDerivers = (definition: Import, mapping: Mapping) => {
  const placeOf = columnPlaces(mapping)
  return definition.columns.flatMap((column) => {
    const source = mapping.fields[column.field]
    return source
      ? [{ column, derive: createCellDeriver(column, source, placeOf, definition.blankKeepsStored === true) }]
      : []
  })
}
