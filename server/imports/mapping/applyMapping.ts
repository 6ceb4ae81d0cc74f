import type { Import } from '../../../schemas/imports/imports.ts'
import { columnsOfSource, isMergeKey, type Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import { displayText, isBlank, rowsPerSheet, type Cell, type Line, type Worksheet } from '../formats/sheet.ts'
import { cellReaders } from '../rows/cells.ts'
import { matchHeading, normalizeHeading, numberNames, titleLines, type Heading } from '../rows/heading.ts'
import { lengthFault } from '../rows/rowReader.ts'
import type { AppliedMapping, ChosenSheet } from '../rows/table.ts'
import { isTotalText } from '../rows/totalRows.ts'
import { columnPlaces, createDerivers, type MergedCells } from './derivedCells.ts'
import type { FoundSheet } from './foundSheets.ts'

/** Columns that no field takes: where they stand, and under which name they are stored (imports 8). */
type UnmappedColumn = { sheet: number; at: number; name: string }

/**
 * The columns that no field of a mapping takes. One whose name the kind of import knows is named otherwise,
 * so that a fix file is not read by it.
 */
function unmappedColumns(definition: Import, mapping: Mapping): UnmappedColumn[] {
  const placeOf = columnPlaces(mapping)
  const taken = new Set(
    Object.values(mapping.fields)
      .flatMap(columnsOfSource)
      .map((column) => JSON.stringify(placeOf(column))),
  )
  const numbered = numberNames()
  return mapping.sheets.flatMap(({ heading }, sheet) =>
    heading.flatMap((name, at) => {
      if (taken.has(JSON.stringify({ sheet, at }))) return []
      const isKnown = matchHeading(definition, { row: 0, cells: [name] }).places.flat().length > 0
      return [{ sheet, at, name: numbered(isKnown ? `${name} (in the file)` : name) }]
    }),
  )
}

/** Whether a line is the heading again, as page breaks leave it (imports 7). */
const repeatsHeading = (line: Line, names: readonly Cell[]): boolean =>
  names.every((name, at) => {
    const text = normalizeHeading(displayText(name))
    return text === '' || normalizeHeading(displayText(line.cells[at])) === text
  })

/** The lines of a sheet below its heading, without blank ones and repeated headings. */
async function* linesBelow({ sheet, line: heading }: FoundSheet): AsyncGenerator<Line[]> {
  for await (const batch of sheet.lines())
    yield batch.filter(
      (line) => line.row > heading.row && !line.cells.every(isBlank) && !repeatsHeading(line, heading.cells),
    )
}

type HeldRow = { row: number; cells: readonly Cell[]; isTaken: boolean; first: number | null }

/** Reads a sheet that is merged into memory: the first row of each id, and the others. */
async function holdSheet(
  found: FoundSheet,
  idOf: (cells: readonly Cell[]) => string,
  count: { held: number; most: number },
): Promise<{ byId: Map<string, HeldRow>; rows: HeldRow[] }> {
  const byId = new Map<string, HeldRow>()
  const rows: HeldRow[] = []
  for await (const batch of linesBelow(found))
    for (const { row, cells } of batch) {
      count.held += 1
      if (count.held > count.most)
        throw invalidFile(
          'The sheets that are merged into the first have more than ' +
            `${count.most.toLocaleString('en-US')} rows; name the largest sheet first, or divide the file`,
        )
      const id = idOf(cells)
      const held: HeldRow = { row, cells, isTaken: false, first: byId.get(id)?.row ?? null }
      rows.push(held)
      if (id !== '' && held.first === null) byId.set(id, held)
    }
  return { byId, rows }
}

/**
 * The cells of a row of the first sheet, and of the rows of other sheets with the same id; `rows` are those
 * of a row with totals, one for each sheet that has it.
 */
type MergedRow = { row: number; cells: MergedCells; fault?: string; rows?: readonly (number | null)[] }

/** `mostMerged` rows of further sheets are held; `strict` makes rows of another length faults (imports 5). */
export type MergeOptions = { strict: boolean; mostMerged: number }

async function* mergedRows(
  found: FoundSheet[],
  idOf: (cells: MergedCells) => string,
  { strict, mostMerged }: MergeOptions,
): AsyncGenerator<MergedRow[]> {
  const [main, ...others] = found
  const count = { held: 0, most: mostMerged }
  const held: Awaited<ReturnType<typeof holdSheet>>[] = []
  const alone = (sheet: number, cells: readonly Cell[]) => found.map((_, at) => (at === sheet ? cells : null))
  for (const [at, other] of others.entries())
    held.push(await holdSheet(other, (cells) => idOf(alone(at + 1, cells)), count))
  const length = { width: main!.names.length, names: main!.line.cells.map(displayText) }
  // A total of the first sheet may count rows that the others alone have, which come below it.
  let totals: MergedRow[] = []
  const joined = (line: Line): MergedRow[] => {
    const fault = strict ? lengthFault(line, length) : null
    const id = held.length ? idOf(alone(0, line.cells)) : ''
    const rest = held.map(({ byId }) => {
      const row = id === '' ? undefined : byId.get(id)
      if (!row || row.isTaken) return null
      row.isTaken = true
      return row
    })
    const cells = [line.cells, ...rest.map((it) => it?.cells ?? null)]
    const row = { row: line.row, cells, ...(fault !== null && { fault }) }
    if (isTotalText(id)) {
      const rows = rest.map((it, at) => (it ? (at + 1) * rowsPerSheet + it.row : null))
      totals.push({ ...row, rows: [line.row, ...rows] })
      return []
    }
    const before = totals
    totals = []
    return [...before, row]
  }
  for await (const batch of linesBelow(main!)) yield batch.flatMap(joined)
  for (const [at, { rows }] of held.entries())
    yield rows
      .filter(({ isTaken }) => !isTaken)
      .map(({ row, cells, first }) => ({
        row: (at + 1) * rowsPerSheet + row,
        cells: alone(at + 1, cells),
        ...(first !== null && {
          fault: `The merchant is already in row ${first} of this sheet; give one row for each merchant`,
        }),
      }))
  yield totals
}

/**
 * The table of a file as a mapping gives it (mapping 6): its heading has the portal's names, its cells are
 * derived, and the columns that no field uses come after them. It is then read like any other table.
 */
export function applyMapping(
  definition: Import,
  chosen: Omit<AppliedMapping, 'sheets'>,
  found: FoundSheet[],
  options: MergeOptions,
): ChosenSheet {
  const { mapping } = chosen
  const applied = { ...chosen, sheets: found.map(({ sheet }) => sheet.name) }
  const derivers = createDerivers(definition, mapping)
  const unmapped = unmappedColumns(definition, mapping)
  const key = derivers.find(({ column }) => isMergeKey(column))!
  const idOf = (cells: MergedCells): string => {
    const cell = key.derive(cells, true)
    const reading = cellReaders.id(cell)
    return typeof reading === 'string' ? reading : displayText(cell)
  }
  const main = found[0]!
  const { row } = main.line
  const heads = [...derivers.map(({ column }) => column.head), ...unmapped.map(({ name }) => name)]
  const placeOf = columnPlaces(mapping)
  /** For each column the sheet that all of it comes of; of several the first. */
  const sheetsOf = derivers.map(({ column }) => {
    const sheets = new Set(columnsOfSource(mapping.fields[column.field]).map((one) => placeOf(one).sheet))
    return sheets.size === 1 ? [...sheets][0]! : 0
  })
  const deriveLine = ({ row: at, cells, fault, rows }: MergedRow): Line => {
    const id = idOf(cells)
    const isRecord = id !== '' && !isTotalText(id)
    return {
      row: at,
      cells: [
        ...derivers.map(({ derive }) => derive(cells, isRecord)),
        ...unmapped.map((one) => cells[one.sheet]?.[one.at] ?? null),
      ],
      ...(fault !== undefined && { fault }),
      // Who reads that a total differs looks for it in the sheet that states it.
      ...(rows && { cellRows: sheetsOf.map((one) => rows[one] ?? at) }),
    }
  }
  const heading: Heading = {
    row,
    width: heads.length,
    columns: definition.columns.map((column) => ({
      column,
      at: derivers.findIndex((one) => one.column === column),
    })),
    extras: unmapped.map(({ name }, at) => ({ name, at: derivers.length + at })),
    names: heads,
    titles: titleLines(main.firstLines, row),
  }
  const sheet: Worksheet = {
    name: main.sheet.name,
    async *lines() {
      for await (const batch of mergedRows(found, idOf, options)) yield batch.map(deriveLine)
    },
  }
  const firstLines = [...main.firstLines.filter((line) => line.row < row), { row, cells: heads }]
  return { sheet, firstLines, heading, others: [], mapping: applied }
}
