import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { crc32, inflateRawSync } from 'node:zlib'
import { read, utils } from '@e965/xlsx'
import { readXlsx } from 'hucre'
import { describe, expect, test } from 'vitest'
import { defaultImportLimits } from '../../../server/config/importLimits.ts'
import { columnLetters } from '../../../server/files/columnLetters.ts'
import type { TableValue } from '../../../server/files/csv.ts'
import { writeTable, writeWorkbook } from '../../../server/files/workbook.ts'
import { worksheetStart } from '../../../server/files/xlsxParts.ts'
import type { Line } from '../../../server/imports/formats/sheet.ts'
import { openXlsx } from '../../../server/imports/formats/xlsx/workbook.ts'
import { openZip } from '../../../server/imports/formats/xlsx/zip.ts'

const write = (rows: TableValue[][], name = 'Table') => buffer(writeTable(name, rows))
async function onDisk<T>(bytes: Buffer, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'workbook-'))
  const path = join(folder, 'a.xlsx')
  await writeFile(path, bytes)
  return work(path).finally(() => rm(folder, { recursive: true }))
}
/** What the reader of imports finds. */
const readLines = (bytes: Buffer) =>
  onDisk(bytes, async (path) => {
    const book = await openXlsx(path, defaultImportLimits)
    const lines: Line[] = []
    for await (const batch of book.sheets[0]!.lines()) lines.push(...batch)
    await book.verify()
    return lines
  })
const readPart = (bytes: Buffer, name: string) =>
  onDisk(bytes, async (path) => text((await openZip(path, defaultImportLimits)).stream(name)))
const rows: TableValue[][] = [
  ['XMID', 'DBA', '', 'Amount'],
  [],
  ['00123', 'Alder & <Sons> "x"', null, -12.5],
  ['=1+1', ' +1 ', '@x', 0],
  ['two\nlines\r', '\u0001', '_x0041_', 1e21],
  ['_x00E9_', '_x00e9_', '\ufffe', '\uffff'],
  ['Café 日本 😀', '-', '\t', 1e-7],
]
const values = (row: TableValue[]) => row.map((value) => (value === '' ? null : value))
const trimmed = (row: unknown[]) => row.slice(0, row.findLastIndex((value) => value !== null) + 1)

describe('a table as a workbook', () => {
  test('holds every text and number in its place, for each of three readers', async () => {
    const bytes = await write(rows)
    const { sheets } = await readXlsx(bytes)
    expect(sheets.map(({ name }) => name)).toEqual(['Table'])
    expect(sheets[0]!.rows.map((row) => trimmed([...row]))).toEqual(rows.map((row) => trimmed(values(row))))
    const book = read(bytes, { type: 'buffer' })
    const found = utils.sheet_to_json<unknown[]>(book.Sheets['Table']!, { header: 1, defval: null })
    expect(found.map(trimmed)).toEqual(rows.map((row) => trimmed(values(row))))
    // XML cannot hold these two, whatever the readers take.
    expect(await readPart(bytes, 'xl/worksheets/sheet1.xml')).not.toMatch(/[\ufffe\uffff]/)
    const lines = await readLines(bytes)
    expect(lines.map(({ row }) => row)).toEqual([1, 3, 4, 5, 6, 7])
    const ofReader = (cell: Line['cells'][number]) =>
      typeof cell === 'object' && cell !== null && 'number' in cell ? Number(cell.number) : cell
    expect(lines.map(({ cells }) => cells.map(ofReader))).toEqual(
      rows.filter((row) => row.length).map((row) => trimmed(values(row))),
    )
  })

  test('says of each of its parts what it is, once, and names no other', async () => {
    const sheet = { name: 'A', xml: [`${worksheetStart}<sheetData/></worksheet>`] }
    const bytes = await buffer(writeWorkbook([sheet, { ...sheet, name: 'B' }, { ...sheet, name: 'C' }]))
    const types = [...(await readPart(bytes, '[Content_Types].xml')).matchAll(/PartName="\/([^"]+)"/g)]
    const { keys } = read(bytes, { type: 'buffer', bookFiles: true }) as unknown as { keys: string[] }
    const typed = keys.filter((name) => /^xl\/.*\.xml$/.test(name))
    expect(types.map(([, name]) => name).sort()).toEqual(typed.sort())
    const relations = await readPart(bytes, 'xl/_rels/workbook.xml.rels')
    const related = [...relations.matchAll(/Target="([^"]+)"/g)].map(([, target]) => `xl/${target}`)
    expect(related.sort()).toEqual(typed.filter((name) => name !== 'xl/workbook.xml').sort())
  })

  test.each([30, 31, 32])('has a sheet of at most 31 characters, of a name of %i', async (length) => {
    const book = await readXlsx(await write([['a']], 'n'.repeat(length)))
    expect(book.sheets.map(({ name }) => name)).toEqual(['n'.repeat(Math.min(length, 31))])
  })

  test('has a sheet without the characters that its name may not hold', async () => {
    const book = await readXlsx(await write([['a']], 'a\\b/c?d*e[f]g:h'))
    expect(book.sheets.map(({ name }) => name)).toEqual(['a b c d e f g h'])
    const quoted = await readXlsx(await write([['a']], '"A" & <B>'))
    expect(quoted.sheets.map(({ name }) => name)).toEqual(['"A" & <B>'])
  })

  test('holds no formula', async () => {
    const book = read(await write(rows), { type: 'buffer', cellFormula: true })
    const cells = Object.entries(book.Sheets['Table']!).filter(([at]) => !at.startsWith('!'))
    expect(cells.length).toBeGreaterThan(10)
    expect(cells.filter(([, cell]) => 'f' in (cell as object))).toEqual([])
  })

  test('marks what looks like a formula, so that it stays text when it is edited, and nothing else', async () => {
    const bytes = await write([['=1', ' +1', '@x', 'a=1', 'x', -1]])
    const formats = [...(await readPart(bytes, 'xl/styles.xml')).matchAll(/<xf [^>]*>/g)].slice(1)
    const styles = [...(await readPart(bytes, 'xl/worksheets/sheet1.xml')).matchAll(/<c [^>]*s="(\d+)"/g)]
    expect(styles.map(([, style]) => formats[Number(style)]![0].includes('quotePrefix="1"'))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test.each([0, 1, 650, 700, 5_000])('of %i rows has them all, in their order', async (count) => {
    const many = Array.from({ length: count }, (_, index) => [`row ${index}`, index, null, 'x'.repeat(20)])
    const lines = await readLines(await write(many))
    expect(lines.map(({ row, cells }) => [row, cells[0]])).toEqual(
      many.map(([text], index) => [index + 1, text]),
    )
  })

  test('of equal rows is equal bytes', async () => {
    expect(await write(rows)).toEqual(await write(rows))
  })
})

/** The fields of a ZIP archive where its published layout has them, two bytes each. */
const layout = {
  local: { needs: 4, flags: 6, method: 8, time: 10, day: 12 },
  central: { needs: 6, flags: 8, method: 10, time: 12, day: 14 },
}

test('each file of the archive is described alike before its bytes and in the list at the end', async () => {
  const bytes = await write(rows)
  const end = bytes.length - 22
  const count = bytes.readUInt16LE(end + 10)
  const listAt = bytes.readUInt32LE(end + 16)
  expect([bytes.readUInt32LE(end), bytes.readUInt16LE(end + 8)]).toEqual([0x06054b50, count])
  expect([count > 4, listAt + bytes.readUInt32LE(end + 12)]).toEqual([true, end])
  const fieldsAt = (at: number, kind: keyof typeof layout) =>
    Object.entries(layout[kind]).map(([name, offset]) => [name, bytes.readUInt16LE(at + offset)])
  // Sizes behind the data and names in UTF-8, deflate, 1 January 1980.
  const wanted = Object.entries({ needs: 20, flags: 0x0808, method: 8, time: 0, day: 0x21 })
  let at = listAt
  for (let n = 0; n < count; n++) {
    const [sum, packed, size, length, start] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ]
    expect([bytes.readUInt32LE(at), bytes.readUInt32LE(start)]).toEqual([0x02014b50, 0x04034b50])
    expect([fieldsAt(at, 'central'), fieldsAt(start, 'local')]).toEqual([wanted, wanted])
    const name = bytes.subarray(at + 46, at + 46 + length).toString()
    expect(bytes.subarray(start + 30, start + 30 + bytes.readUInt16LE(start + 26)).toString()).toBe(name)
    const data = start + 30 + length
    const content = inflateRawSync(bytes.subarray(data, data + packed))
    expect([content.length, crc32(content)]).toEqual([size, sum])
    const behind = [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(data + packed + offset))
    expect(behind).toEqual([0x08074b50, sum, packed, size])
    at += 46 + length
  }
  expect(at).toBe(end)
})

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [27, 'AB'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('column %i has the letters %s', (index, letters) => {
  expect(columnLetters(index)).toBe(letters)
})
