import { describe, expect, test } from 'vitest'
import { read, rowsOf } from '../../../files/read.ts'
import {
  csvOf,
  encryptedXls,
  encryptedXlsx,
  oleWith,
  rawXlsx,
  rowXml,
  utf16,
  windows1252,
  workbookOf,
  type Rows,
} from '../../../files/workbooks.ts'
import { zipOf } from '../../../files/zips.ts'

const heads = ['XMID', 'DBA', 'Master Agent']
const table: Rows = [heads, ['0012345', 'Café "Zoë", Ltd', 'MA0001'], ['4001', 'Bäckerei', '7']]
const text = csvOf(table)
const good = [
  [2, '0012345', 'Café "Zoë", Ltd'],
  [3, '4001', 'Bäckerei'],
]
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
    [
      'a sheet that is not the first',
      'a.xlsx',
      workbookOf('xlsx', { Cover: [['Dear partner']], Data: table }),
    ],
  ])('%s', async (_, filename, content) => {
    const outcome = await read(filename, content)
    expect(outcome).toMatchObject({ faults: [], warnings: [] })
    expect(rowsOf(outcome)).toEqual(good)
  })
})

// No byte of the first 4 kB of the Chinese is zero, so only its mark says what it is. Half of a mark, FF
// or FE, is a letter of Windows-1252.
const chinese = `${'報告'.repeat(1100)}\r\n${text}`
test.each<[string, Buffer]>([
  ['Chinese in UTF-16, little end first', utf16(chinese)],
  ['Chinese in UTF-16, big end first', utf16(chinese, true)],
  ...['ÿ', 'þ', 'aÿ', 'aþ', 'ÿÿ', 'þþ'].map((begin): [string, Buffer] => [
    `${begin} in Windows-1252`,
    windows1252(`${begin} report\r\n${text}`),
  ]),
])('a file that begins with %s is read in the encoding of its mark', async (_, content) => {
  const outcome = await read('a.csv', content)
  expect(outcome).toMatchObject({ faults: [], warnings: [] })
  expect(rowsOf(outcome)).toEqual(good.map(([line, ...cells]) => [Number(line) + 1, ...cells]))
})

test.each(['<html>', '<table>', '<?xml version="1.0"?>', '%PDF-1.7', 'MZ'])(
  'a cell may hold what another kind of file begins with: %s',
  async (cell) => {
    const outcome = await read('a.csv', csvOf([heads, ['1', cell, '7']]))
    expect([outcome.refused, outcome.rows && rowsOf(outcome)]).toEqual([undefined, [[2, '1', cell]]])
  },
)

test('an .xls of Excel 5 holds bytes of a code page', async () => {
  const plain = workbookOf('biff5', { Sheet1: [heads, ['1', 'Caf~', '7']] })
  const content = Buffer.from(plain.map((byte) => (byte === 0x7e ? 0xe9 : byte)))
  expect(rowsOf(await read('a.xls', content))).toEqual([[2, '1', 'Café']])
})

describe('a file that is not what it should be is refused by name', () => {
  const xlsx = workbookOf('xlsx', { Sheet1: table })
  const part = (name: string, data: string) => ({
    change: (parts: Parameters<typeof zipOf>[0]) => [...parts, { name, data }],
  })
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
    [
      'a text document',
      'a.xlsx',
      zipOf([
        { name: '[Content_Types].xml', data: '<a/>' },
        { name: 'word/document.xml', data: '<a/>' },
      ]),
      'holds no workbook',
    ],
    ['an empty zip', 'a.xlsx', zipOf([]), 'an empty zip archive'],
    ['a binary workbook', 'a.xlsx', workbookOf('xlsb', { Sheet1: table }), '(.xlsb)'],
    ['an .xlsx with a password', 'a.xlsx', encryptedXlsx(), 'protected by a password'],
    ['an .xls with a password', 'a.xls', encryptedXls(table), 'protected by a password'],
    [
      'an encrypted zip',
      'a.xlsx',
      rawXlsx({ sheet: headRow, change: (parts) => parts.map((one) => ({ ...one, flags: 1 })) }),
      'protected by a password',
    ],
    ['another Office document', 'a.xls', oleWith('/WordDocument'), 'holds no workbook'],
    [
      'an .xlsx with macros',
      'a.xlsx',
      rawXlsx({ sheet: headRow, ...part('xl/vbaProject.bin', 'x') }),
      'holds macros',
    ],
    [
      'an .xls with macros',
      'a.xls',
      oleWith('/_VBA_PROJECT_CUR', workbookOf('biff8', { S: table })),
      'holds macros',
    ],
    ['a truncated .xlsx', 'a.xlsx', xlsx.subarray(0, xlsx.length - 100), 'its end is missing'],
    ['half an .xls', 'a.xls', workbookOf('biff8', { S: table }).subarray(0, 700), 'no workbook'],
    [
      'a line in another encoding than the others, where carriage returns end the lines',
      'a.csv',
      Buffer.concat([Buffer.from(text.replaceAll('\r\n', '\r')), windows1252('5,Caf\u00e9,7\r')]),
      'Line 4 is not valid UTF-8, although other lines are',
    ],
    ['a text with a NUL byte', 'a.csv', `${text}a\0b`, 'NUL byte'],
    [
      'a quotation mark that never closes',
      'a.csv',
      'XMID,DBA,Master Agent\n1,"abc,7\n2,def,7\n',
      'Row 2: a quotation mark is opened and never closed',
    ],
    [
      'text after a quotation mark',
      'a.csv',
      'XMID,DBA,Master Agent\n1,abc,7\n2,"d"ef,7\n',
      'Row 3: a quotation mark is followed',
    ],
    [
      'a quotation mark inside a value',
      'a.csv',
      'XMID,DBA,Master Agent\n1,ab"c,7\n',
      'Row 2: a quotation mark stands inside',
    ],
    ['UTF-16 cut in a character', 'a.csv', utf16(text).subarray(0, -1), 'not valid UTF-16'],
  ])('%s', async (_, filename, content, why) =>
    expect((await read(filename, content)).refused).toContain(why),
  )
})

describe('a workbook that lies is refused, whatever its rows say', () => {
  const sheet = sheetOf('1', 'Shop', '7')
  const name = 'xl/worksheets/sheet1.xml'
  const worksheet = (body: string) => `<worksheet><sheetData>${body}</sheetData></worksheet>`
  const zeros = Buffer.alloc(30_000_000, 32)
  test.each<[string, Parameters<typeof rawXlsx>[0], string]>([
    [
      'a wrong checksum',
      { sheet, change: (parts) => parts.map((one) => (one.name === name ? { ...one, crc: 1 } : one)) },
      'checksum',
    ],
    [
      'a wrong checksum in a part nobody reads',
      { sheet, change: (parts) => [...parts, { name: 'xl/theme.xml', data: '<a/>', crc: 1 }] },
      'checksum',
    ],
    [
      'a part longer than it says',
      { sheet, change: (parts) => parts.map((one) => (one.name === name ? { ...one, size: 10 } : one)) },
      'longer than',
    ],
    ['a part twice', { sheet, change: (parts) => [...parts, parts[0]!] }, 'twice'],
    [
      'a name that leads outside',
      { sheet, change: (parts) => [...parts, { name: '../etc/passwd', data: 'x' }] },
      'leads outside',
    ],
    [
      'two names for one part',
      {
        sheet,
        change: (parts) =>
          parts.map((one) => (one.name === name ? { ...one, localName: 'xl/worksheets/other1.xml' } : one)),
      },
      'not where',
    ],
    ['parts that overlap', { sheet, overlap: true }, 'overlap'],
    [
      'a bomb',
      { sheet, change: (parts) => [...parts, { name: 'xl/media/a.bin', data: zeros }] },
      'times its size',
    ],
    [
      'an external entity',
      {
        sheet: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${worksheet(sheet)}`,
      },
      'document type',
    ],
    [
      'an entity without a document type',
      { sheet, change: (parts) => [...parts, { name: 'xl/a.xml', data: '<!ENTITY e "x">', method: 0 }] },
      'document type',
    ],
    [
      'a document type at the seam of two reads',
      {
        sheet,
        change: (parts) => [
          ...parts,
          { name: 'xl/a.xml', data: `${' '.repeat(131_068)}<!DOCTYPE x>`, method: 0 },
        ],
      },
      'document type',
    ],
    ['a worksheet cut short', { sheet: `<worksheet><sheetData>${sheet}` }, 'ends in the middle'],
    ['a row twice', { sheet: sheet + rowXml(2, '2', 'Shop', '7') }, 'stands after row 2'],
    ['a cell twice', { sheet: headRow + rowXml(2, '1', asText('A2', 'x')) }, 'twice or out of order'],
    [
      'a cell far outside',
      { sheet: headRow + rowXml(2, '1', asText('ZZZZ2', 'x')) },
      'twice or out of order',
    ],
    [
      'a text that is not there',
      { sheet: headRow + rowXml(2, '<c r="A2" t="s"><v>9</v></c>') },
      'text that is missing',
    ],
    [
      '10,000 columns',
      { sheet: headRow + `<row r="2">${asText('NTP2', 'x')}</row>` },
      'more than 200 columns',
    ],
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
    expect(rowsOf(await read('a.xlsx', rawXlsx({ sheet: sheetOf('1', 'Shop', '7') + empty })))).toEqual([
      [2, '1', 'Shop'],
    ])
  })
  test('rows beyond the limit are refused', async () =>
    expect((await read('a.csv', text, { limits: { rows: 1 } })).refused).toContain('more than 1 rows'))
  test('a row without an end is refused', async () =>
    expect(
      (await read('a.csv', `${text}${'x'.repeat(5000)}`, { limits: { rowCharacters: 1000 } })).refused,
    ).toContain('too long'))
  test('what unpacks to too much is refused before it is unpacked', async () =>
    expect(
      (await read('a.xlsx', workbookOf('xlsx', { S: table }), { limits: { unzippedBytes: 100 } })).refused,
    ).toContain('unpacks to more than'))
})
