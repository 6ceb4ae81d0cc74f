import type { Import } from '../../../schemas/imports/imports.ts'
import type { MappedSheet, Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import type { Line, Workbook, Worksheet } from '../formats/sheet.ts'
import { readFirstLines } from '../rows/table.ts'
import { columnNames, isSameHeading } from './columnNames.ts'

/** A sheet with the line of its heading. */
export type FoundSheet = { sheet: Worksheet; firstLines: Line[]; line: Line; names: string[] }
/** A sheet and its first lines, each with the names it would have as a heading. */
export type SheetStart = {
  sheet: Worksheet
  firstLines: Line[]
  candidates: { line: Line; names: string[] }[]
}

export async function readStarts(workbook: Workbook, definition: Import): Promise<SheetStart[]> {
  const starts: SheetStart[] = []
  for (const sheet of workbook.sheets) {
    const firstLines = await readFirstLines(sheet)
    const candidates = firstLines.map((line) => ({ line, names: columnNames(line, definition) }))
    starts.push({ sheet, firstLines, candidates })
  }
  return starts
}

/**
 * The sheets of a file that have the headings of a mapping, in its order; null when one of them is missing.
 * The name of a sheet counts only between sheets of one heading, because it often holds the month.
 */
export function findSheets(
  { sheets }: Pick<Mapping, 'sheets'>,
  starts: readonly SheetStart[],
): FoundSheet[] | null {
  const free = new Set(starts)
  const find = ({ name, heading }: MappedSheet): FoundSheet | null => {
    const fitting = [...free].flatMap((start) => {
      const candidate = start.candidates.find(({ names }) => isSameHeading(names, heading))
      return candidate ? [{ start, ...candidate }] : []
    })
    const best = fitting.find(({ start }) => start.sheet.name === name) ?? fitting[0]
    if (!best) return null
    free.delete(best.start)
    return { sheet: best.start.sheet, firstLines: best.start.firstLines, line: best.line, names: best.names }
  }
  const found = sheets.map(find)
  return found.every((one) => one !== null) ? found : null
}
