import { damagedWorkbook } from '../fileErrors.ts'
import type { Cell } from '../sheet.ts'
import { decodeCellText, joinTextRuns } from './xml.ts'
import type { Tag } from './xmlScan.ts'

/** How a number is shown: as a date, as a percentage, or padded with zeros to `pad` digits. */
export type CellStyle = { isDate: boolean; isPercent: boolean; pad: number }
/**
 * Added to the serial number of a day in a workbook that counts days from 1904: its day 0, 1 January 1904, is
 * day 1462 of the count from 1900, which has a 29 February 1900 (ISO/IEC 29500-1, 18.17.4.1).
 */
export const offset1904 = 1462
/** What the cells of a sheet refer to. `dateOffset` is added to the serial numbers of days. */
export type WorkbookParts = { strings: string[]; styles: CellStyle[]; dateOffset: number }

const plain: CellStyle = { isDate: false, isPercent: false, pad: 0 }
const noValue =
  'holds a formula whose result is not stored; open the file in a spreadsheet program, save it and try again'
const unreadable = 'holds a number that cannot be read'

/**
 * Converts the contents of the cells of one worksheet; `prefix` is its namespace prefix with the colon, or
 * ''.
 */
export function createCellConverter({ strings, styles, dateOffset }: WorkbookParts, prefix: string) {
  const anyValue = new RegExp(`<${prefix}v(?:\\s[^>]*?)?(?:/>|>([^<]*)<)`)
  const formula = new RegExp(`<${prefix}f[\\s/>]`)

  const text = (index: number): string => {
    const found = strings[index]
    if (found === undefined) throw damagedWorkbook('a cell refers to a text that is missing')
    return found
  }
  const number = (value: string, style: number): Cell => {
    const parsed = Number(value)
    if (!Number.isFinite(parsed)) return { fault: unreadable }
    const { isDate, isPercent, pad } = styles[style] ?? plain
    const digits = isDate && dateOffset ? String(parsed + dateOffset) : value.trim()
    return { number: digits, pad, isDate, isPercent, dayOffset: dateOffset }
  }
  /**
   * Converts the text of <v>, which is not blank, by the type of its cell (ISO/IEC 29500-1, 18.18.11): s is
   * an index of the shared strings, str the text of a formula, d a date of ISO 8601, b a boolean, e an error,
   * n a number.
   */
  const stored = (value: string, { type, style }: Tag): Cell => {
    if (type === 's') return text(Number(value))
    if (type === 'str' || type === 'd') return decodeCellText(value)
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type === 'e') return { fault: `holds the error ${decodeCellText(value)}` }
    return type === 'n' ? number(value, style) : { fault: unreadable }
  }
  /**
   * Converts the contents of a cell that may hold more than <v>: a formula (18.3.1.40 f), whose stored result
   * is <v>, or rich text (18.3.1.53 is). A formula without <v> has no result.
   */
  const complex = (body: string, tag: Tag): Cell => {
    if (body.includes('<!') || body.includes('<?'))
      throw damagedWorkbook('a cell holds a comment, which no spreadsheet program writes')
    if (tag.type === 'inlineStr') return joinTextRuns(body)
    const found = anyValue.exec(body)
    if (found?.[1]) return stored(found[1], tag)
    if (found && tag.type === 'str') return ''
    return formula.test(body) ? { fault: noValue } : null
  }
  return { number, stored, complex }
}
