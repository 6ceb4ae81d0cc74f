import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits as standard, type Limits } from '../../server/imports/limits.ts'
import { readImport } from '../../server/imports/read.ts'
import { Refusal } from '../../server/errors.ts'
import type { ImportName, RowFault } from '../../schemas/imports.ts'
import { csvOf, encryptedXls, encryptedXlsx, oleWith, rawXlsx, rowXml, utf16, windows1252, workbookOf, type Rows } from '../files/workbooks.ts'
import { zipOf } from '../files/zips.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Outcome = { refused?: string; rows?: string[][]; faults?: RowFault[]; warnings?: string[]; ignored?: string[] }
/** What reading a file comes to: its first columns as stored, or why it was refused. */
async function read(filename: string, content: string | Buffer, { kind = 'merchant', limits = {} }: { kind?: ImportName; limits?: Partial<Limits> } = {}): Promise<Outcome> {
  const path = join(folder, 'file')
  await writeFile(path, content)
  let text = ''
  try {
    const report = await readImport({ kind, path, filename, limits: { ...standard, ...limits } }, async (more) => void (text += more))
    const rows = text.split('\n').slice(0, -1).map((line) => line.split('\t'))
    return { rows, faults: report.faults, warnings: report.warnings, ignored: report.ignored }
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) return { refused: error.message }
    throw error
  }
}

const heads = ['XMID', 'DBA', 'Master Agent']
const table: Rows = [heads, ['0012345', 'Café "Zoë", Ltd', 'MA0001'], ['4001', 'Bäckerei', '7']]
const text = csvOf(table)
const rowsOf = ({ rows }: Outcome) => rows?.map(([row, id, dba]) => [Number(row), id, dba])
const good = [[2, '0012345', 'Café "Zoë", Ltd'], [3, '4001', 'Bäckerei']]
const headRow = rowXml(1, ...heads)
const sheetOf = (...cells: string[]) => headRow + rowXml(2, ...cells)
const asText = (cell: string, value: string) => `<c r="${cell}" t="str"><v>${value}</v></c>`

describe('the same table is read alike from', () => {
  test.each<[string, string, string | Buffer]>([
    ['UTF-8', 'a.csv', text],
    ['UTF-8 with a mark', 'a.csv', `\ufeff${text}`],
    ['UTF-16, little end first', 'a.csv', utf16(text)],
    ['UTF-16, big end first', 'a.csv', utf16(text, true)],
    ['UTF-16 without a mark', 'a.csv', utf16(text, false, false)],
    ['Windows-1252', 'a.csv', windows1252(text)],
    ['semicolons', 'a.csv', csvOf(table, ';')],
    ['tabs', 'a.csv', csvOf(table, '\t')],
    ['bars', 'a.csv', csvOf(table, '|')],
    ['line feeds alone', 'a.csv', csvOf(table, ',', '\n')],
    ['carriage returns alone', 'a.csv', csvOf(table, ',', '\r')],
    ['no last line end', 'a.csv', text.trimEnd()],
    ['.xlsx', 'a.xlsx', workbookOf('xlsx', { Sheet1: table })],
    ['.xls', 'a.xls', workbookOf('biff8', { Sheet1: table })],
    ['an .xlsx called .xls', 'a.xls', workbookOf('xlsx', { Sheet1: table })],
    ['an .xls called .xlsx', 'a.xlsx', workbookOf('biff8', { Sheet1: table })],
    ['a sheet that is not the first', 'a.xlsx', workbookOf('xlsx', { Cover: [['Dear partner']], Data: table })],
  ])('%s', async (_, filename, content) => {
    const outcome = await read(filename, content)
    expect(outcome).toMatchObject({ faults: [], warnings: [] })
    expect(rowsOf(outcome)).toEqual(good)
  })
})

test('an .xls of Excel 5 holds bytes of a code page', async () => {
  const plain = workbookOf('biff5', { Sheet1: [heads, ['1', 'Caf~', '7']] })
  const content = Buffer.from(plain.map((byte) => (byte === 0x7e ? 0xe9 : byte)))
  expect(rowsOf(await read('a.xls', content))).toEqual([[2, '1', 'Café']])
})

describe('a file that is not what it should be is refused by name', () => {
  const xlsx = workbookOf('xlsx', { Sheet1: table })
  const part = (name: string, data: string) => ({ change: (parts: Parameters<typeof zipOf>[0]) => [...parts, { name, data }] })
  test.each<[string, string, string | Buffer, string]>([
    ['an empty file', 'a.csv', '', 'The file is empty'],
    ['a renamed .exe', 'a.xlsx', Buffer.from('MZ\x90\x00\x03 this program cannot be run'), 'a program'],
    ['a PDF called .csv', 'a.csv', '%PDF-1.7\n1 0 obj', 'a PDF document'],
    ['a picture', 'a.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), 'a picture'],
    ['a web page called .xls', 'a.xls', '<html><table><tr><td>MID</td></tr></table></html>', 'a web page'],
    ['an XML spreadsheet', 'a.xls', '<?xml version="1.0"?><Workbook/>', 'an XML document'],
    ['a workbook called .csv', 'a.csv', xlsx, 'although its name ends in .csv'],
    ['text called .xlsx', 'a.xlsx', text, 'although its name ends in .xlsx'],
    ['a zip that is no workbook', 'a.xlsx', zipOf([{ name: 'readme.txt', data: 'x' }]), 'holds no workbook'],
    ['a text document', 'a.xlsx', zipOf([{ name: '[Content_Types].xml', data: '<a/>' }, { name: 'word/document.xml', data: '<a/>' }]), 'holds no workbook'],
    ['an empty zip', 'a.xlsx', zipOf([]), 'an empty zip archive'],
    ['a binary workbook', 'a.xlsx', workbookOf('xlsb', { Sheet1: table }), '(.xlsb)'],
    ['an .xlsx with a password', 'a.xlsx', encryptedXlsx(), 'protected by a password'],
    ['an .xls with a password', 'a.xls', encryptedXls(table), 'protected by a password'],
    ['an encrypted zip', 'a.xlsx', rawXlsx({ sheet: headRow, change: (parts) => parts.map((one) => ({ ...one, flags: 1 })) }), 'protected by a password'],
    ['another Office document', 'a.xls', oleWith('/WordDocument'), 'holds no workbook'],
    ['an .xlsx with macros', 'a.xlsx', rawXlsx({ sheet: headRow, ...part('xl/vbaProject.bin', 'x') }), 'holds macros'],
    ['an .xls with macros', 'a.xls', oleWith('/_VBA_PROJECT_CUR', workbookOf('biff8', { S: table })), 'holds macros'],
    ['a truncated .xlsx', 'a.xlsx', xlsx.subarray(0, xlsx.length - 100), 'its end is missing'],
    ['half an .xls', 'a.xls', workbookOf('biff8', { S: table }).subarray(0, 700), 'no workbook'],
    ['a text with a NUL byte', 'a.csv', `${text}a\0b`, 'NUL byte'],
    ['a quotation mark that never closes', 'a.csv', 'XMID,DBA,Master Agent\n1,"abc,7\n2,def,7\n', 'Row 2: a quotation mark is opened and never closed'],
    ['text after a quotation mark', 'a.csv', 'XMID,DBA,Master Agent\n1,abc,7\n2,"d"ef,7\n', 'Row 3: a quotation mark is followed'],
    ['a quotation mark inside a value', 'a.csv', 'XMID,DBA,Master Agent\n1,ab"c,7\n', 'Row 2: a quotation mark stands inside'],
    ['UTF-16 cut in a character', 'a.csv', utf16(text).subarray(0, -1), 'not valid UTF-16'],
  ])('%s', async (_, filename, content, why) => expect((await read(filename, content)).refused).toContain(why))
})

describe('a workbook that lies is refused, whatever its rows say', () => {
  const sheet = sheetOf('1', 'Shop', '7')
  const name = 'xl/worksheets/sheet1.xml'
  const worksheet = (body: string) => `<worksheet><sheetData>${body}</sheetData></worksheet>`
  const zeros = Buffer.alloc(30_000_000, 32)
  test.each<[string, Parameters<typeof rawXlsx>[0], string]>([
    ['a wrong checksum', { sheet, change: (parts) => parts.map((one) => (one.name === name ? { ...one, crc: 1 } : one)) }, 'checksum'],
    ['a wrong checksum in a part nobody reads', { sheet, change: (parts) => [...parts, { name: 'xl/theme.xml', data: '<a/>', crc: 1 }] }, 'checksum'],
    ['a part longer than it says', { sheet, change: (parts) => parts.map((one) => (one.name === name ? { ...one, size: 10 } : one)) }, 'longer than'],
    ['a part twice', { sheet, change: (parts) => [...parts, parts[0]!] }, 'twice'],
    ['a name that leads outside', { sheet, change: (parts) => [...parts, { name: '../etc/passwd', data: 'x' }] }, 'leads outside'],
    ['two names for one part', { sheet, change: (parts) => parts.map((one) => (one.name === name ? { ...one, localName: 'xl/worksheets/other1.xml' } : one)) }, 'not where'],
    ['parts that overlap', { sheet, overlap: true }, 'overlap'],
    ['a bomb', { sheet, change: (parts) => [...parts, { name: 'xl/media/a.bin', data: zeros }] }, 'times its size'],
    ['an external entity', { sheet: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${worksheet(sheet)}` }, 'document type'],
    ['a worksheet cut short', { sheet: `<worksheet><sheetData>${sheet}` }, 'ends in the middle'],
    ['a row twice', { sheet: sheet + rowXml(2, '2', 'Shop', '7') }, 'stands after row 2'],
    ['a cell twice', { sheet: headRow + rowXml(2, '1', asText('A2', 'x')) }, 'twice or out of order'],
    ['a cell far outside', { sheet: headRow + rowXml(2, '1', asText('ZZZZ2', 'x')) }, 'twice or out of order'],
    ['a text that is not there', { sheet: headRow + rowXml(2, '<c r="A2" t="s"><v>9</v></c>') }, 'text that is missing'],
    ['10,000 columns', { sheet: headRow + `<row r="2">${asText('NTP2', 'x')}</row>` }, 'more than 200 columns'],
  ])('%s', async (_, raw, why) => expect((await read('a.xlsx', rawXlsx(raw))).refused).toContain(why))

  test('every damaged byte of a workbook is found, or changes nothing', async () => {
    const whole = workbookOf('xlsx', { Sheet1: table })
    const honest = JSON.stringify((await read('a.xlsx', whole)).rows)
    const silent: number[] = []
    for (let at = 0; at < whole.length; at += 61) {
      const damaged = Buffer.from(whole)
      damaged[at] = damaged[at]! ^ 0x10
      const outcome = await read('a.xlsx', damaged)
      if (!outcome.refused && JSON.stringify(outcome.rows) !== honest) silent.push(at)
    }
    expect(silent).toEqual([])
  })
})

describe('limits', () => {
  test('a million empty rows cost little', async () => {
    const empty = Array.from({ length: 300_000 }, (_, row) => `<row r="${row + 3}"/>`).join('')
    expect(rowsOf(await read('a.xlsx', rawXlsx({ sheet: sheetOf('1', 'Shop', '7') + empty })))).toEqual([[2, '1', 'Shop']])
  })
  test('rows beyond the limit are refused', async () =>
    expect((await read('a.csv', text, { limits: { rows: 1 } })).refused).toContain('more than 1 rows'))
  test('a row without an end is refused', async () =>
    expect((await read('a.csv', `${text}${'x'.repeat(5000)}`, { limits: { rowSize: 1000 } })).refused).toContain('too long'))
  test('what unpacks to too much is refused before it is unpacked', async () =>
    expect((await read('a.xlsx', workbookOf('xlsx', { S: table }), { limits: { unzipped: 100 } })).refused).toContain('unpacks to more than'))
})

describe('headings, preambles and totals', () => {
  const lines = (...rows: Rows) => csvOf(rows)
  test('the heading is found in line 3, below a title', async () =>
    expect(rowsOf(await read('a.csv', lines(['Portfolio of May'], [], ...table)))).toEqual(good.map(([row, ...rest]) => [Number(row) + 2, ...rest])))
  test.each(['MID', 'Merchant #', 'XMID #', 'Merchant ID', 'merchant_number', '"Merchant No"', 'ACCT-NO', 'existing mid', 'Account Number', 'MID*'])('%s is an id', async (head) =>
    expect(rowsOf(await read('a.csv', lines([head, 'DBA', 'Master Agent'], ['7', 'Shop', '1'])))).toEqual([[2, '7', 'Shop']]))
  test('blank rows, rows with totals and repeated headings are left out', async () => {
    const outcome = await read('a.csv', lines(heads, ['1', 'A', '7'], ['', '', ''], heads, ['2', 'B', '7'], ['Total', '', '2'], ['', '', '$1,234.00']))
    expect(rowsOf(outcome)).toEqual([[2, '1', 'A'], [5, '2', 'B']])
    expect(outcome.warnings).toEqual(['2 rows with totals were left out (row 6, 7)'])
  })
  test('unknown columns are kept and listed as ignored', async () => {
    const outcome = await read('a.csv', lines([...heads, 'Colour', '__proto__'], ['1', 'A', '7', 'red', 'x']))
    expect(outcome.ignored).toEqual(['Colour', '__proto__'])
    expect(outcome.rows?.[0]?.at(-1)).toBe('{"Colour":"red","__proto__":"x"}')
  })
  test('a second table in the workbook is named', async () =>
    expect((await read('a.xlsx', workbookOf('xlsx', { May: table, June: table }))).warnings).toEqual([
      'The sheet May was read; June looks like another table and was not',
    ]))

  test.each<[string, string | Buffer, string, string]>([
    ['a missing column', lines(['XMID', 'Name', 'Master Agent'], ['1', 'A', '7']), 'a.csv', 'The required column DBA is missing. Row 1 has: XMID, Name, Master Agent'],
    ['missing columns', lines(['XMID', 'Name'], ['1', 'A']), 'a.csv', 'The required columns DBA and Master Agent are missing. Row 1 has: XMID, Name'],
    ['no heading', lines(['a', 'b'], ['c', 'd']), 'a.csv', 'No heading was found in the first 20 lines'],
    ['a heading in line 21', lines(...Array.from({ length: 20 }, () => ['x']), ...table), 'a.csv', 'No heading was found'],
    ['two columns of one meaning', lines(['MID', 'Merchant Number', 'DBA', 'Agent'], ['1', '2', 'A', '7']), 'a.csv', 'both mean XMID'],
    ['a heading without rows', lines(heads), 'a.csv', 'No merchant row was found below the heading in row 1'],
    ['a sheet without rows', workbookOf('xlsx', { Sheet1: [] }), 'a.xlsx', 'The file holds no rows'],
    ['an .xls sheet without rows', workbookOf('biff8', { Sheet1: [] }), 'a.xls', 'The file holds no rows'],
    ['blank lines', '\n\n\n', 'a.csv', 'The file holds no rows'],
  ])('%s is one sentence', async (_, content, filename, why) => expect((await read(filename, content)).refused).toContain(why))
})

describe('what is wrong in a row is said with row, column and value', () => {
  const one = async (cells: Rows[number], head: Rows[number] = heads) => (await read('a.csv', csvOf([head, cells]))).faults
  test.each<[string, Rows[number], Rows[number], Partial<RowFault>]>([
    ['an id in E-notation', heads, ['1.23E+15', 'A', '7'], { row: 2, column: 'XMID', value: '1.23E+15' }],
    ['no id', heads, ['', 'A', '7'], { column: 'XMID', message: 'XMID is required' }],
    ['a cleared name', heads, ['1', '-', '7'], { column: 'DBA', message: 'DBA is required and cannot be cleared' }],
    ['a card number', heads, ['1', 'pay 4111111111111111', '7'], { column: 'DBA', value: 'pay ************1111' }],
    ['a card number in an unknown column', [...heads, 'Card'], ['1', 'A', '7', '4111 1111 1111 1111'], { column: 'Card', value: '************1111' }],
    ['a short row', heads, ['1', 'A'], { row: 2, message: 'The row has 2 cells where the heading has 3' }],
    ['a long row', heads, ['1', 'A', '7', 'x'], { row: 2, message: 'The row has 4 cells where the heading has 3' }],
    ['a text that is too long', heads, ['1', 'A'.repeat(201), '7'], { message: 'DBA may have at most 200 characters' }],
    ['a date no calendar has', [...heads, 'Date Added'], ['1', 'A', '7', '2/30/2025'], { column: 'Date Added', value: '2/30/2025' }],
  ])('%s', async (_, head, cells, expected) => expect(await one(cells, head)).toMatchObject([expected]))

  test('the first 100 are listed', async () => {
    const rows = Array.from({ length: 250 }, () => ['1E+15', 'A', '7'])
    const { faults } = await read('a.csv', csvOf([heads, ...rows]))
    expect(faults).toHaveLength(100)
  })
  const xlsx = (...cells: string[]) => read('a.xlsx', rawXlsx({ sheet: sheetOf(...cells), styles: '<numFmts><numFmt numFmtId="164" formatCode="000000000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>' }))
  test.each<[string, string[], Partial<RowFault>]>([
    ['an error cell', ['1', '<c r="B2" t="e"><v>#REF!</v></c>', '7'], { column: 'DBA', message: 'DBA holds the error #REF!' }],
    ['a formula without a stored value', ['1', '<c r="B2"><f>A1</f></c>', '7'], { column: 'DBA' }],
    ['a formula with an empty value', ['1', '<c r="B2"><f>A1</f><v></v></c>', '7'], { column: 'DBA' }],
    ['an id of 16 digits as a number', ['<c r="A2"><v>1234567890123456</v></c>', 'A', '7'], { column: 'XMID' }],
    ['an id in E-notation as a number', ['<c r="A2"><v>1.23457E+15</v></c>', 'A', '7'], { column: 'XMID' }],
    ['an id that is a date', ['<c r="A2" s="2"><v>45662</v></c>', 'A', '7'], { column: 'XMID' }],
  ])('%s in a workbook', async (_, cells, expected) => expect((await xlsx(...cells)).faults).toMatchObject([expected]))
  test.each<[string, string, string]>([
    ['of 15 digits', '<c r="A2"><v>123456789012345</v></c>', '123456789012345'],
    ['padded by its format', '<c r="A2" s="1"><v>12345</v></c>', '000000012345'],
    ['that a formula worked out', '<c r="A2" t="str"><f>B1</f><v>0042</v></c>', '0042'],
  ])('an id %s is kept', async (_, cell, id) => expect(rowsOf(await xlsx(cell, 'A', '7'))).toEqual([[2, id, 'A']]))
  test('an error cell of an .xls is a row error', async () => {
    const content = workbookOf('biff8', { S: table }, (book) => void (book.Sheets.S!.B2 = { t: 'e', v: 0x17 }))
    expect((await read('a.xls', content)).faults).toMatchObject([{ row: 2, column: 'DBA', message: 'DBA holds the error #REF!' }])
  })
})

describe('what workbooks do to a text', () => {
  const shared = (strings: string) => read('a.xlsx', rawXlsx({ sheet: headRow + rowXml(2, '1', '<c r="B2" t="s"><v>0</v></c>', '7'), strings }))
  test.each<[string, string, string]>([
    ['rich text', '<si><r><t>A</t></r><r><rPr/><t xml:space="preserve"> B</t></r></si>', 'A B'],
    ['a phonetic guide', '<si><t>A</t><rPh sb="0" eb="1"><t>x</t></rPh></si>', 'A'],
    ['entities', '<si><t>A &amp; B &lt;&#67;&#x44;&gt;</t></si>', 'A & B <CD>'],
    ['escaped control characters', '<si><t>A_x0009_B</t></si>', 'A\\tB'],
    ['an escaped underscore', '<si><t>A_x005F_x0041_</t></si>', 'A_x0041_'],
  ])('%s', async (_, strings, expected) => expect(rowsOf(await shared(strings))).toEqual([[2, '1', expected]]))
  test('prefixed elements, rows and cells without references', async () => {
    const sheet = `<x:worksheet><x:sheetData>${[heads, ['1', 'A', '7']].map((row) => `<x:row>${row.map((cell) => `<x:c t='str'><x:v>${cell}</x:v></x:c>`).join('')}</x:row>`).join('')}</x:sheetData></x:worksheet>`
    expect(rowsOf(await read('a.xlsx', rawXlsx({ sheet })))).toEqual([[2, '1', 'A']])
  })
  test('days are counted from 1904 where the workbook says so', async () => {
    const day = (workbook: string, serial: number) =>
      read('a.xlsx', rawXlsx({ workbook, sheet: rowXml(1, ...heads, 'Date Added') + rowXml(2, '1', 'A', '7', `<c r="D2" s="0"><v>${serial}</v></c>`), styles: '<cellXfs><xf numFmtId="14"/></cellXfs>' }))
    const [since1900, since1904] = [await day('', 45662), await day('<workbookPr date1904="1"/>', 44200)]
    expect(since1904.rows).toEqual(since1900.rows)
    expect(since1900.rows?.[0]).toContain(String(Date.UTC(2025, 0, 5) / 1000))
  })
})

describe('daily volume', () => {
  const volume = (...rows: Rows) => read('v.csv', csvOf([['MID', 'Sales Amount', 'Refund Amount', 'Net Amount'], ...rows]), { kind: 'dailyvolume' })
  const net = ({ rows }: Outcome) => rows?.map((row) => row[9])
  test('net is worked out when it is missing', async () => expect(net(await volume(['1', '$1,000.10', '0.20', '']))).toEqual(['999.90']))
  test('net may be off by one cent', async () => expect(net(await volume(['1', '10', '1', '9.01']))).toEqual(['9.01']))
  test.each<[string, Rows[number], string]>([
    ['net that is off by more', ['1', '10', '1', '9.02'], 'Net Amount is not Sales Amount less Refund Amount (9.00)'],
    ['a negative refund without net', ['1', '10', '-1', ''], 'Refund Amount is negative'],
    ['no sales', ['1', '', '1', ''], 'Sales Amount is required'],
  ])('%s is a row error', async (_, row, why) => expect((await volume(row)).faults?.[0]?.message).toContain(why))
})
