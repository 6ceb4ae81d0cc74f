import type { Case } from './corpusReader.ts'
import {
  altered,
  cell,
  changed,
  manyParts,
  emptyRows,
  flipped,
  good,
  headRow,
  entityExpansion,
  understatedSize,
  nestedArchives,
  plus,
  shop,
  spaces,
  truncated,
  under,
  manyColumns,
} from './malformedWorkbooks.ts'
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
} from './workbooks.ts'
import { zipOf } from './zips.ts'

type Content = string | Buffer
/**
 * A file and the expected result: the rows that are read ('row id name' of merchants, 'row id day amount' of
 * volume), followed by the faults ('row! fault'); or a part of the message that refuses the file.
 */
type Outcome = string[] | string
type Entry = [
  name: string,
  filename: string,
  content: () => Content,
  outcome: Outcome,
  more?: Partial<Pick<Case, 'kind' | 'limits'>>,
]

const head = 'XMID,DBA,Master Agent\n'
const table: Rows = [
  ['XMID', 'DBA', 'Master Agent'],
  ['001', 'Café', '7'],
]
const text = csvOf(table)
const cafe = ['2 001 Café']
const one = ['2 2 Shop']
const two = ['2 2 Shop', '3 3 Shop']
const csv = (name: string, content: () => Content, outcome: Outcome, more?: Entry[4]): Entry => [
  name,
  'a.csv',
  content,
  outcome,
  more,
]
const xlsx = (name: string, content: () => Content, outcome: Outcome, more?: Entry[4]): Entry => [
  name,
  'a.xlsx',
  content,
  outcome,
  more,
]
const sheet = (
  name: string,
  rows: string,
  outcome: string[] | string,
  more: Partial<Parameters<typeof rawXlsx>[0]> = {},
): Entry => xlsx(name, () => rawXlsx({ sheet: rows, ...more }), outcome)
const volume: Entry[4] = { kind: 'dailyvolume' }
const sales = 'MID,Batch Date,Sales Amount\n'
const formats = '<numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts>'
const styles = `${formats}<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>`
const volumeRow = (day: string) => rowXml(1, 'MID', 'Batch Date', 'Sales Amount') + rowXml(2, '5', day, '1')
const merged = [{ s: { r: 5, c: 0 }, e: { r: 5, c: 2 } }]
const lines = (count: number) => 'Statement\n'.repeat(count)

export const corpus: Entry[] = [
  // Letters
  csv('UTF-8', () => text, cafe),
  csv('a mark of byte order', () => `\ufeff${text}`, cafe),
  csv('UTF-16, little end first', () => utf16(text), cafe),
  csv('UTF-16, big end first', () => utf16(text, true), cafe),
  csv('UTF-16 without a mark', () => utf16(text, false, false), cafe),
  csv('UTF-16 cut in a letter', () => utf16(text).subarray(0, -1), 'not valid UTF-16'),
  csv('Windows-1252', () => windows1252(text), cafe),
  ...[0x81, 0x8d, 0x8f, 0x90, 0x9d].map((byte) =>
    csv(
      `the byte ${byte.toString(16)}, which is neither UTF-8 nor Windows-1252`,
      () => Buffer.concat([windows1252(text), Buffer.from([0x35, 0x2c, byte, 0x2c, 0x37, 0x0a])]),
      'Line 3 is neither UTF-8 nor Windows-1252',
    ),
  ),
  csv(
    'bad UTF-8',
    () => Buffer.concat([Buffer.from(text), Buffer.from('5,Caf\xe9,7\n', 'latin1')]),
    'Line 3 is not valid UTF-8',
  ),
  csv(
    'bad UTF-8 behind its mark',
    () => Buffer.concat([Buffer.from('\ufeff'), windows1252(text)]),
    'Line 2 is not valid UTF-8',
  ),
  csv('a NUL byte', () => `${text}a\0b`, 'Line 3 holds a NUL byte'),
  // Rows and cells of text
  csv('semicolons', () => csvOf(table, ';'), cafe),
  csv('tabs', () => csvOf(table, '\t'), cafe),
  csv('a sep= line', () => `sep=;\r\n${csvOf(table, ';')}`, ['3 001 Café']),
  csv('mixed line ends', () => `${head}1,A,7\r\n2,B,7\r3,C,7`, ['2 1 A', '3 2 B', '4 3 C']),
  csv(
    'an open quotation mark',
    () => `${head}1,"A,7\n2,B,7\n`,
    'Row 2: a quotation mark is opened and never closed',
  ),
  csv('a stray quotation mark', () => `${head}1,A"B,7\n`, 'Row 2: a quotation mark stands inside'),
  csv(
    'text behind a quotation mark',
    () => `${head}1,"A"B,7\n`,
    'Row 2: a quotation mark is followed by something',
  ),
  csv('a short row', () => `${head}1,A,7\n2,B\n`, [
    '2 1 A',
    '3! The row has 2 cells where the heading has 3',
  ]),
  csv('a long row', () => `${head}1,A,7,x\n2,B,7\n`, [
    '3 2 B',
    '2! The row has 4 cells where the heading has 3',
  ]),
  csv('a row without an end', () => head + 'x'.repeat(5_000_000), 'too long to be read'),
  csv('a line break in quotation marks', () => `${head}1,"A\nB",7\n2,C,7\n`, ['2 1 A\\nB', '3 2 C']),
  csv(
    '10,000 columns of text',
    () => `${head}1,A,7${',x'.repeat(10_000)}\n`,
    'Row 2 has more than 200 columns',
  ),
  csv('a million empty lines', () => `${head}1,A,7\n${'\n'.repeat(1_000_000)}2,B,7\n`, [
    '2 1 A',
    '1000003 2 B',
  ]),
  csv('more rows than may be', () => `${head}${'1,A,7\n'.repeat(11)}`, 'more than 10 rows', {
    limits: { rows: 10 },
  }),
  // Headings
  csv('a heading in line 3', () => lines(2) + head + '1,A,7\n', ['4 1 A']),
  csv('a heading in line 20', () => lines(19) + head + '1,A,7\n', ['21 1 A']),
  csv(
    'a heading in line 21',
    () => lines(20) + head + '1,A,7\n',
    'No heading was found in the first 20 lines',
  ),
  csv('two headings', () => `${head}1,A,7\n${head}2,B,7\n`, ['2 1 A', '4 2 B']),
  csv('a heading twice', () => 'XMID,DBA,DBA,Master Agent\n1,A,B,7\n', 'both mean DBA'),
  csv('a heading __proto__', () => 'XMID,DBA,Master Agent,__proto__\n1,A,7,x\n', ['2 1 A']),
  csv('title lines and totals', () => `Report\n\n${head}1,A,7\nTotal,,\n,Sub-total,\n`, ['4 1 A']),
  csv('an empty file', () => '', 'The file is empty'),
  csv('blank lines alone', () => '\n\n\n', 'The file holds no rows'),
  csv('a heading alone', () => head, 'No merchant row was found below the heading in row 1'),
  // Values
  csv('an id in E-notation', () => `${head}4.1234E+15,A,7\n`, [
    '2! XMID has lost its digits in a spreadsheet (E-notation)',
  ]),
  csv('ids behind equals signs', () => `${head}="00123",A,"7"\r\n="4",="B",7\n5,"C=""D""",7\n`, [
    '2 00123 A',
    '3 4 B',
    '4 5 C="D"',
  ]),
  csv('an equals sign in quotation marks', () => `${head}1,"A,=""B"",C\n=""D""",7\n`, [
    '2 1 A,="B",C\\n="D"',
  ]),
  csv('a quotation mark behind letters and an equals sign', () => `${head}1,A="B",7\n`, 'stands inside'),
  csv(
    'ids behind equals signs where one read ends',
    () => `${head}${'="1",A,7\n'.repeat(60_000)}`,
    Array.from({ length: 100 }, (_, at) => `${at + 2} 1 A`),
    { limits: { rows: 100_000 } },
  ),
  csv('leading zeros', () => `${head}000123,A,7\n`, ['2 000123 A']),
  csv('a full card number', () => `${head}1,4111 1111 1111 1111,7\n`, [
    '2! DBA holds what looks like a full card number; remove it',
  ]),
  csv(
    'negative in three ways',
    () => `${sales}1,,(5)\n2,,-5\n3,,5-\n`,
    [1, 2, 3].map((id) => `${id + 1} ${id} \\N -5.00`),
    volume,
  ),
  csv(
    'four ways to write a day',
    () => `${sales}1,1/5/2025,1\n2,2025-01-05,1\n3,20250105,1\n4,45662,1\n`,
    [1, 2, 3, 4].map((id) => `${id + 1} ${id} 1736035200 1.00`),
    volume,
  ),
  csv(
    'a day that no calendar has',
    () => `${sales}1,2/30/2025,1\n`,
    ['2! Batch Date is a day that no calendar has'],
    volume,
  ),
  // One kind of file called another
  csv('an .xlsx called .csv', () => good, 'an Excel workbook (.xlsx) although its name ends in .csv'),
  csv(
    'an .xls called .csv',
    () => workbookOf('biff8', { S: table }),
    'an Excel 97 workbook (.xls) although its name ends in .csv',
  ),
  csv('a PDF called .csv', () => '%PDF-1.7\n1 0 obj', 'a PDF document'),
  csv('a program called .csv', () => 'MZ\x90\0\x03', 'a program'),
  csv('a web page called .csv', () => '<!DOCTYPE html><html></html>', 'a web page'),
  xlsx('text called .xlsx', () => text, 'a text file although its name ends in .xlsx'),
  xlsx('an .xls called .xlsx', () => workbookOf('biff8', { S: table }), cafe),
  ['an .xlsx called .xls', 'a.xls', () => good, two],
  ['a web page called .xls', 'a.xls', () => '<html><table></table></html>', 'a web page'],
  ['XML called .xls', 'a.xls', () => '<?xml version="1.0"?><Workbook/>', 'an XML document'],
  ['a program called .xls', 'a.xls', () => 'MZ\x90\0\x03', 'a program'],
  ['a text document called .xls', 'a.xls', () => oleWith('/WordDocument'), 'holds no workbook'],
  xlsx(
    'a zip of something else',
    () => zipOf([{ name: 'word/document.xml', data: '<a/>' }]),
    'holds no workbook',
  ),
  xlsx(
    'something before the archive',
    () => Buffer.concat([Buffer.from('hello'), good]),
    'a text file although its name ends in .xlsx',
  ),
  // Protected, with macros
  xlsx('an .xlsx with a password', encryptedXlsx, 'protected by a password'),
  ['an .xls with a password', 'a.xls', () => encryptedXls(table), 'protected by a password'],
  xlsx(
    'an encrypted archive',
    () => changed((parts) => parts.map((part) => ({ ...part, flags: 1 }))),
    'protected by a password',
  ),
  xlsx('a workbook with macros', () => plus({ name: 'xl/vbaProject.bin', data: 'x' }), 'holds macros'),
  [
    'an .xls with macros',
    'a.xls',
    () => oleWith('/_VBA_PROJECT_CUR', workbookOf('biff8', { S: table })),
    'holds macros',
  ],
  xlsx('a binary workbook', () => workbookOf('xlsb', { S: table }), '(.xlsb)'),
  // Bombs
  xlsx(
    'a bomb by its ratio',
    () => plus({ name: 'xl/media/a.bin', data: spaces(30_000_000) }),
    'more than 200 times its size',
  ),
  xlsx('a bomb by its size', () => plus({ name: 'xl/a.bin', data: spaces(9_000_000) }), 'more than 5 MB', {
    limits: { unzippedBytes: 5e6 },
  }),
  xlsx('a bomb that says it is small', understatedSize, 'longer than its directory says'),
  xlsx('a bomb by its parts', () => manyParts(2_000), 'more than 2,000 parts'),
  xlsx('an archive in an archive in an archive', nestedArchives, 'holds no workbook'),
  xlsx('a billion laughs', entityExpansion, 'a document type or entity'),
  sheet(
    'an external entity',
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sheetData>${headRow}</sheetData>`,
    'document type',
  ),
  sheet('white space without end', under(shop(2)) + ' '.repeat(9_000_000), 'too long to be read'),
  sheet('a text without end', under(shop(2)), 'too long to be read', {
    strings: `<si><t>${'x'.repeat(9_000_000)}</t></si>`,
  }),
  sheet(
    '100,000 elements in each other',
    under(`<row r="2">${'<a>'.repeat(100_000)}</row>`),
    'something that is no cell',
  ),
  xlsx('a million empty rows', () => emptyRows(1_000_000), one),
  xlsx('10,000 columns', () => manyColumns(10_000), 'Row 2 has more than 200 columns'),
  // Damage
  ...[0.1, 0.5, 0.9, 0.999].map((share) =>
    xlsx(`cut off at ${share * 100} %`, () => truncated(share), 'its end is missing'),
  ),
  xlsx('a bit flipped in a worksheet', () => flipped('xl/worksheets/sheet1.xml', 60), 'damaged'),
  xlsx('a bit flipped in a name', () => flipped('xl/workbook.xml', 4), 'damaged'),
  xlsx('a bit flipped in the end record', () => flipped('PK\x05\x06', 16), 'damaged'),
  xlsx('a wrong checksum', () => altered('sheet1.xml', () => ({ crc: 1 })), 'checksum'),
  xlsx('a part twice', () => changed((parts) => [...parts, parts[4]!]), 'twice'),
  xlsx('a name with ..', () => plus({ name: 'xl/../../etc/passwd', data: 'x' }), 'leads outside'),
  xlsx('a name with NUL', () => plus({ name: 'xl/a\0.xml', data: 'x' }), 'leads outside'),
  xlsx(
    'a part without its end',
    () => altered('sheet1.xml', ({ data }) => ({ data: String(data).slice(0, -40) })),
    'ends in the middle',
  ),
  sheet(
    'a comment among the cells',
    under(`<row r="2"><!-- ${shop(2)} --></row>`),
    'something that is no cell',
  ),
  sheet(
    'text that no parser may read',
    under(rowXml(2, '<c r="A2" t="inlineStr"><is><t><![CDATA[5]]></t></is></c>')),
    'holds a comment',
  ),
  sheet(
    'a cell of another row',
    under(`<row r="2">${cell('A3', 'str', '1')}</row>`),
    'holds a cell of row 3',
  ),
  sheet(
    'a cell twice',
    under(`<row r="2">${cell('A2', 'str', '1')}${cell('A2', 'str', '2')}</row>`),
    'twice or out of order',
  ),
  sheet(
    'a text that is missing',
    under(`<row r="2">${cell('A2', 's', '9')}</row>`),
    'a text that is missing',
  ),
  // Cells of workbooks
  sheet('a formula without its value', under(rowXml(2, '1', '<c r="B2"><f>A2</f></c>', '7')), [
    '2! DBA holds a formula whose result',
  ]),
  sheet(
    'a formula with its value',
    under(rowXml(2, '1', '<c r="B2" t="str"><f>A2</f><v>Shop</v></c>', '7')),
    ['2 1 Shop'],
  ),
  sheet('error cells', under(rowXml(2, '1', cell('B2', 'e', '#N/A'), '7'), shop(3)), [
    '3 3 Shop',
    '2! DBA holds the error #N/A',
  ]),
  sheet('escapes', under(rowXml(2, '1', 'A_x000D_B &amp; &#233;', '7')), ['2 1 A\\rB & é']),
  sheet('a NUL character', under(rowXml(2, '1', 'A_x0000_B', '7')), ['2! DBA holds a NUL character']),
  sheet('a text of many runs', under(rowXml(2, '1', cell('B2', 's', '0'), '7')), ['2 1 Shop'], {
    strings: '<si><r><t>Sh</t></r><r><t>op</t></r><rPh><t>no</t></rPh></si>',
  }),
  sheet('cells without references', under('<row><c/><c t="str"><v>A</v></c><c t="str"><v>7</v></c></row>'), [
    '2! XMID is required',
  ]),
  sheet('rows far apart', under(shop(2), shop(1_048_576, '9')), ['2 2 Shop', '1048576 9 Shop']),
  sheet('hidden rows', under(shop(2).replace('<row ', '<row hidden="1" ')), one),
  sheet('an id of 16 digits as a number', under(rowXml(2, cell('A2', 'n', '4123456789012345'), 'A', '7')), [
    '2! XMID is a number',
  ]),
  sheet(
    'a number that its format pads',
    under(rowXml(2, '<c r="A2" s="2"><v>42</v></c>', 'A', '7')),
    ['2 00042 A'],
    { styles },
  ),
  xlsx(
    'serial 60',
    () => rawXlsx({ sheet: volumeRow('<c r="B2" s="1"><v>60</v></c>'), styles }),
    ['2! Batch Date is before 1970'],
    volume,
  ),
  xlsx(
    'days counted from 1904',
    () =>
      rawXlsx({
        sheet: volumeRow('<c r="B2" s="1"><v>44200</v></c>'),
        styles,
        workbook: '<workbookPr date1904="1"/>',
      }),
    ['2 5 1736035200 1.00'],
    volume,
  ),
  xlsx(
    'the sheet that holds the heading',
    () => workbookOf('xlsx', { Cover: [['Dear partner']], Data: table }),
    cafe,
  ),
  xlsx(
    'merged cells',
    () => workbookOf('xlsx', { S: table }, ({ Sheets }) => void (Sheets['S']!['!merges'] = merged)),
    cafe,
  ),
]
