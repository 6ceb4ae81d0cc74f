import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { columnLetters } from '../../files/columnLetters.ts'
import { serialDay } from '../../files/serialDays.ts'
import { numberCellXml, textCellXml, writeWorkbook, type SheetSource } from '../../files/workbook.ts'
import { worksheetStart } from '../../files/xlsxParts.ts'
import { flagText, numberText, type CellValue, type ReportSheet } from './cells.ts'

const minimumWidths: Record<ColumnKind, number> = {
  text: 26,
  id: 20,
  count: 12,
  money: 16,
  percent: 12,
  number: 14,
  date: 14,
  month: 14,
  flag: 10,
}
const columnWidth = ({ datatype, displayname }: ReportColumn) =>
  Math.max(minimumWidths[datatype], displayname.length + 4)

/** The most rows that Excel opens in one sheet. */
const maxSheetRows = 1_048_576

const cellXml = (at: string, value: CellValue, kind: ColumnKind, isTotal: boolean): string => {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return textCellXml(at, flagText(value), 'text', isTotal)
  if (typeof value === 'string') return textCellXml(at, value, kind === 'id' ? 'id' : 'text', isTotal)
  const number = kind === 'date' ? String(serialDay(value)) : numberText(value, kind)
  return numberCellXml(at, number, kind, isTotal)
}

/** Returns the XML of a row; `at` is its number in the sheet, from 1. */
const rowWriter = (columns: readonly ReportColumn[]) => {
  const letters = columns.map((_, index) => columnLetters(index))
  return (row: ReportRow, at: number, isTotal = false) => {
    const cells = columns.map(({ name, datatype }, index) =>
      cellXml(`${letters[index]}${at}`, row[name], datatype, isTotal),
    )
    return `<row r="${at}">${cells.join('')}</row>`
  }
}

const columnXml = (first: number, last: number, width: number) =>
  `<col min="${first}" max="${last}" width="${width}" customWidth="1"/>`

/** The XML of a sheet up to its heading row, which is frozen. */
const sheetStart = (columns: readonly ReportColumn[]) => {
  const widths = columns.map((column, index) => columnXml(index + 1, index + 1, columnWidth(column)))
  const headings = columns.map(({ displayname }, index) =>
    textCellXml(`${columnLetters(index)}1`, displayname, 'head'),
  )
  return [
    `${worksheetStart}<sheetViews><sheetView workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols>${widths.join('')}</cols><sheetData><row r="1">${headings.join('')}</row>`,
  ].join('')
}

/** Reads batches in pieces: `next(room)` resolves with at most `room` rows, and with none at the end. */
function rowReader(rows: ReportSheet['rows']) {
  const source = rows[Symbol.asyncIterator]()
  let rest: ReportRow[] = []
  let isDone = false
  return {
    async next(room: number): Promise<ReportRow[]> {
      if (rest.length === 0 && !isDone) {
        const { value, done } = await source.next()
        isDone = done === true
        rest = done ? [] : value
      }
      const taken = rest.slice(0, room)
      rest = rest.slice(room)
      return taken
    },
    isAtEnd: () => isDone && rest.length === 0,
  }
}

/**
 * An .xlsx file, streamed: the rows on as many sheets as they need, and a sheet 'About' (reports 11). Equal
 * reports are equal bytes.
 */
export function writeXlsx(
  { title, columns, rows, totals, about }: ReportSheet,
  sheetRows = maxSheetRows,
): AsyncGenerator<Buffer> {
  const start = sheetStart(columns)
  const rowXml = rowWriter(columns)
  const lastColumn = columnLetters(columns.length - 1)
  const reader = rowReader(rows)
  let isComplete = false

  async function* sheetXml(): AsyncGenerator<string> {
    yield start
    let last = 1
    while (last < sheetRows) {
      const batch = await reader.next(sheetRows - last)
      if (batch.length === 0) break
      yield batch.map((row, index) => rowXml(row, last + index + 1)).join('')
      last += batch.length
    }
    const filter = last > 1 ? `<autoFilter ref="A1:${lastColumn}${last}"/>` : ''
    // The totals are outside of the filter; on a full sheet they go to the next one.
    isComplete = reader.isAtEnd() && last < sheetRows
    const sums = isComplete ? totals() : null
    yield `${sums ? rowXml(sums, last + 1, true) : ''}</sheetData>${filter}</worksheet>`
  }

  async function* sheets(): AsyncGenerator<SheetSource> {
    let count = 0
    do {
      count += 1
      yield { name: count === 1 ? title : `${title.slice(0, 27)} ${count}`, xml: sheetXml() }
    } while (!isComplete)
    yield { name: 'About', xml: [aboutSheetXml(about)] }
  }
  return writeWorkbook(sheets())
}

const aboutSheetXml = (about: ReportSheet['about']) =>
  [
    `${worksheetStart}<cols>${columnXml(1, 1, 20)}${columnXml(2, 2, 80)}</cols><sheetData>`,
    ...about.map(([name, value], index) => {
      const cells = [textCellXml(`A${index + 1}`, name, 'head'), textCellXml(`B${index + 1}`, value, 'text')]
      return `<row r="${index + 1}">${cells.join('')}</row>`
    }),
    '</sheetData></worksheet>',
  ].join('')
