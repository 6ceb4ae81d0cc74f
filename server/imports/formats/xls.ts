import { readFile } from 'node:fs/promises'
import { read, set_cptable, SSF, type CellObject } from '@e965/xlsx'
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs'
import type { ImportLimits } from '../../config/importLimits.ts'
import { checkOleContainer } from './detect.ts'
import { invalidFile } from './fileErrors.ts'
import { visibleFirst, type Workbook, type Cell, type Line } from './sheet.ts'
import { offset1904 } from './xlsx/cellValues.ts'
import { parseNumberFormat } from './xlsx/workbook.ts'

// Workbooks older than Excel 97 store texts as bytes of a code page.
set_cptable(codePages)

function toCell(cell: CellObject | undefined, dateOffset: number): Cell {
  if (!cell || cell.t === 'z') return null
  if (cell.t === 'e') return { fault: `holds the error ${cell.w ?? '#VALUE!'}` }
  if (cell.t === 'b') return cell.v ? 'TRUE' : 'FALSE'
  if (cell.t === 's') return String(cell.v ?? '')
  if (typeof cell.v !== 'number' || !Number.isFinite(cell.v))
    return { fault: 'holds a number that cannot be read' }
  const format = typeof cell.z === 'string' ? cell.z : 'General'
  const style = parseNumberFormat(0, format)
  const isDate = style.isDate || SSF.is_date(format)
  const number = String(isDate ? cell.v + dateOffset : cell.v)
  const isPercent = style.isPercent && !isDate
  return { number, pad: isDate ? 0 : style.pad, isDate, isPercent, dayOffset: dateOffset }
}

/**
 * Opens an .xls workbook (BIFF). It is read into memory as a whole, because the format allows no streaming.
 */
export async function openXls(path: string, limits: ImportLimits): Promise<Workbook> {
  const bytes = await readFile(path)
  checkOleContainer(bytes)
  let workbook
  try {
    workbook = read(bytes, { type: 'buffer', dense: true, cellNF: true, cellText: true, cellHTML: false })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/password/i.test(message))
      throw invalidFile('The workbook is protected by a password; save it without one and try again')
    throw invalidFile('The workbook is damaged and cannot be read')
  }
  const dateOffset = workbook.Workbook?.WBProps?.date1904 ? offset1904 : 0
  const isHidden = (_: string, at: number) => (workbook.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0
  const sheets = visibleFirst(workbook.SheetNames, isHidden).map((name) => ({
    name,
    async *lines(): AsyncGenerator<Line[]> {
      const rows = (workbook.Sheets[name]?.['!data'] ?? []) as (CellObject | undefined)[][]
      let batch: Line[] = []
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index]
        if (!row) continue
        const cells = Array.from(row, (cell) => toCell(cell, dateOffset))
        if (cells.length > limits.columns && cells.some((cell, at) => at >= limits.columns && cell !== null))
          throw invalidFile(`Row ${index + 1} has more than ${limits.columns} columns`)
        if (cells.some((cell) => cell !== null)) batch.push({ row: index + 1, cells })
        if (batch.length >= 500) {
          yield batch
          batch = []
        }
      }
      if (batch.length) yield batch
    },
  }))
  return { sheets, verify: async () => {} }
}
