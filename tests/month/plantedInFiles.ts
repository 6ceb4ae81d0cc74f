import { utils } from '@e965/xlsx'
import { workbookOf } from '../files/workbooks.ts'
import { draftOf, fileOf, linesOf, monthText, rowNumber, type DraftSheet } from './draft.ts'
import {
  cleanDraft,
  columnAt,
  nextMonth,
  renamed,
  withContent,
  withDraft,
  withSheet,
  type FaultMonth,
  type PlantedFault,
} from './plantedFault.ts'
import { sixLayouts } from './sixLayouts.ts'

const compact = (month: string) => monthText(month).replace(' ', '')
const set = (sheet: DraftSheet, row: number, column: string, value: string | number) => {
  sheet.rows[row]![columnAt(sheet, column)] = value
}
const cell = (sheet: DraftSheet, row: number, column: string) =>
  String(sheet.rows[row]![columnAt(sheet, column)])
const more = (text: string, cents: number) =>
  ((Math.round(Number(text.replace(/[$,]/g, '')) * 100) + cents) / 100).toFixed(2)
const rename = (sheet: DraftSheet, from: string, to: string) => {
  sheet.heading[columnAt(sheet, from)] = to
}
const addToTotal = (sheet: DraftSheet, column: string, cents: number) => {
  const at = columnAt(sheet, column)
  sheet.totals[0]![at] = more(String(sheet.totals[0]![at]), cents)
}
const removeColumn = (sheet: DraftSheet, name: string) => {
  const at = columnAt(sheet, name)
  for (const row of [sheet.heading, ...sheet.rows, ...sheet.totals]) row.splice(at, 1)
}
const swapColumns = (sheet: DraftSheet, one: string, other: string) => {
  const [a, b] = [columnAt(sheet, one), columnAt(sheet, other)]
  for (const row of [sheet.heading, ...sheet.rows, ...sheet.totals]) [row[a], row[b]] = [row[b]!, row[a]!]
}

/** Where row `at` of the first sheet of a processor stands in its file. */
const rowIn = (given: FaultMonth, processor: Parameters<typeof cleanDraft>[1], at: number) =>
  rowNumber(cleanDraft(given, processor).sheets[0]!, at)
const totalRow = (given: FaultMonth, processor: Parameters<typeof cleanDraft>[1]) =>
  rowIn(given, processor, cleanDraft(given, processor).sheets[0]!.rows.length)

/** Files that are damaged, or another file than their name says. */
const damaged: PlantedFault[] = [
  {
    name: 'a CSV file that ends in the middle of a row',
    processor: 'Amberline',
    file: withContent('Amberline', (content) => {
      const lines = content.toString().split('\r\n')
      return Buffer.from([...lines.slice(0, 8), lines[8]!.split(',').slice(0, 3).join(',')].join('\r\n'))
    }),
    found: () => ['fault row 9 : The row has 3 cells where the heading has 7'],
    about: () => [],
  },
  {
    name: 'a workbook that was cut off',
    processor: 'Cobalt',
    file: withContent('Cobalt', (content) => content.subarray(0, Math.floor(content.length * 0.7))),
    found: () => ['refused The workbook is damaged: its end is missing'],
    about: () => [],
  },
  {
    name: 'a PDF that is called CSV',
    processor: 'Amberline',
    file: withContent('Amberline', () => Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n')),
    found: () => ['refused The file is a PDF'],
    about: () => [],
  },
  {
    name: 'a quotation mark that is never closed',
    processor: 'Amberline',
    file: withContent('Amberline', (content) => {
      const lines = content.toString().split('\r\n')
      lines[4] = lines[4]!.replace(',', ',"')
      return Buffer.from(lines.join('\r\n'))
    }),
    found: () => ['fault row 5 : a quotation mark is opened and never closed'],
    about: () => [],
  },
  {
    name: 'lines of two encodings in one file',
    processor: 'Amberline',
    file: withContent('Amberline', (content) => {
      const lines = content.toString().split('\r\n')
      const utf8 = Buffer.from(
        lines
          .slice(0, 4)
          .join('\r\n')
          .replace(/ (\d+),/, ' é,'),
      )
      const latin = Buffer.from(
        `\r\n${lines
          .slice(4)
          .join('\r\n')
          .replace(/ (\d+),/, ' é,')}`,
        'latin1',
      )
      return Buffer.concat([utf8, latin])
    }),
    found: () => ['refused '],
    about: () => [],
  },
]

/** Files whose month or processor is another one. */
const misnamed: PlantedFault[] = [
  {
    name: 'the month before in the name of a file that says its month nowhere else',
    processor: 'Amberline',
    file: renamed('Amberline', ({ before }) => `Amberline_${compact(before)}.csv`),
    found: ({ before }) => [`refused ${monthText(before)} is locked`],
    about: () => [],
  },
  {
    name: 'the file of the month before under the name of this month',
    processor: 'Amberline',
    file: ({ book, month, before }) => {
      const layout = sixLayouts.Amberline
      const file = fileOf(layout, draftOf(layout, book.figures(before, 'Amberline'), before))
      return { ...file, filename: layout.filename(month) }
    },
    found: ({ before }) => [`refused This file was imported already, for ${monthText(before)}, by `],
    about: () => [],
  },
  {
    name: 'the month before in the name, this month above the heading',
    processor: 'Fernhill',
    file: renamed('Fernhill', ({ before }) => `Fernhill_${compact(before)}.csv`),
    found: ({ month, before }) => [
      `refused The file names more than one month: ${monthText(month)} (a line above the heading) and ${monthText(before)} (the file name)`,
    ],
    about: () => [],
  },
  {
    name: 'one row of another month',
    processor: 'Estuary',
    file: withSheet('Estuary', (sheet, { before }) => set(sheet, 6, 'Statement Month', monthText(before))),
    found: ({ month, before }) => [
      `refused The file names more than one month: ${monthText(month)} (Month column, row 2) and ${monthText(before)} (Month column, row 8)`,
    ],
    about: () => [],
  },
  {
    name: 'a month that is still to come',
    processor: 'Amberline',
    file: renamed('Amberline', (given) => `Amberline_${compact(nextMonth(given))}.csv`),
    found: (given) => [
      `refused The file is of ${monthText(nextMonth(given))}, which is later than the current month`,
    ],
    about: () => [],
  },
  {
    name: 'no month anywhere',
    processor: 'Dunmore',
    file: renamed('Dunmore', () => 'Dunmore.xlsx'),
    found: () => ['asks source month'],
    about: () => [],
  },
  {
    name: 'another processor above the heading than in the name',
    processor: 'Fernhill',
    file: withSheet('Fernhill', (sheet) => void sheet.titles.unshift(['Processor: Cobalt'])),
    found: () => [
      'refused The file names more than one processor: Cobalt (a line above the heading) and Fernhill (the file name)',
    ],
    about: () => [],
  },
  {
    name: 'a processor with a letter missing',
    processor: 'Amberline',
    file: renamed('Amberline', ({ month }) => `Amberlne_${compact(month)}.csv`),
    found: () => ['asks source processor Amberlne: Amberline'],
    about: () => [],
  },
  {
    name: 'a processor that nobody knows',
    processor: 'Amberline',
    file: renamed('Amberline', ({ month }) => `Zephyr_${compact(month)}.csv`),
    found: () => ['asks source processor Zephyr'],
    about: () => [],
  },
]

/** Headings that are not as they were. */
const drifted: PlantedFault[] = [
  {
    name: 'a column with another name',
    processor: 'Birchpay',
    file: withSheet('Birchpay', (sheet) => rename(sheet, 'Takings', 'Fees Taken')),
    found: () => ['asks mapping Birchpay: Takings is now Fees Taken'],
    about: () => [],
  },
  {
    name: 'two columns in another order',
    processor: 'Dunmore',
    file: withSheet('Dunmore', (sheet) => swapColumns(sheet, 'Shop Name', 'Balance')),
    found: () => ['asks mapping Dunmore: moved'],
    about: () => [],
  },
  {
    name: 'a column that is gone',
    processor: 'Birchpay',
    file: withSheet('Birchpay', (sheet) => removeColumn(sheet, 'Scheme Dues')),
    found: () => ['asks mapping Birchpay: missing Scheme Dues'],
    about: () => [],
  },
  {
    name: 'a column that was not there before',
    processor: 'Birchpay',
    file: withSheet('Birchpay', (sheet) => {
      for (const row of [sheet.heading, ...sheet.rows, ...sheet.totals])
        row.push(row === sheet.heading ? 'Levy' : '1.00')
    }),
    found: () => ['asks mapping Birchpay: added Levy'],
    about: () => [],
  },
  {
    name: 'a sheet of a workbook that is gone',
    processor: 'Cobalt',
    file: withDraft('Cobalt', (draft) => ({ ...draft, sheets: draft.sheets.slice(0, 1) })),
    found: () => ['asks mapping'],
    about: () => [],
  },
  {
    name: 'a known name that became an unknown one',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => rename(sheet, 'MID', 'Site Code')),
    found: () => ['asks mapping'],
    about: () => [],
  },
  {
    name: 'two columns that both mean the net',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      rename(sheet, 'Sales Amount', 'Net Income')
      rename(sheet, 'Net', 'Net Profit')
    }),
    found: () => ['asks mapping'],
    about: () => [],
  },
  {
    name: 'the headings of income and expenses exchanged',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      const [income, expense] = [columnAt(sheet, 'Income'), columnAt(sheet, 'Expenses')]
      ;[sheet.heading[income], sheet.heading[expense]] = [sheet.heading[expense]!, sheet.heading[income]!]
    }),
    found: () => ['fault row 2 Net: Net is not Income less Expenses'],
    about: () => ['Net is not Income less Expenses'],
  },
]

const oneCell = (
  name: string,
  column: string,
  value: (text: string, sheet: DraftSheet) => string,
  said: string,
  about: string[] = [],
): PlantedFault => ({
  name,
  processor: 'Amberline',
  file: withSheet('Amberline', (sheet) => set(sheet, 4, column, value(cell(sheet, 4, column), sheet))),
  found: () => [`fault row 6 ${said}`],
  about: () => ['row 6', ...about],
})

/** Cells that cannot be right, and totals that do not agree with the rows. */
const wrongCells: PlantedFault[] = [
  oneCell('a merchant number as a spreadsheet rounds it', 'MID', () => '4.53E+11', 'MID: '),
  oneCell('an amount with a letter', 'Income', () => '1O4.50', 'Income: '),
  oneCell('expenses below zero', 'Expenses', (text) => `-${text}`, 'Expenses: Expenses is negative'),
  oneCell(
    'a net that is ten dollars too high',
    'Net',
    (text) => more(text, 1000),
    'Net: Net is not Income less Expenses',
  ),
  oneCell(
    'the number of a card beside a name',
    'DBA',
    () => 'Refund 4111111111111111',
    'DBA: DBA holds what looks like a full card number',
  ),
  {
    name: 'a merchant number of sixteen digits stored as a number',
    processor: 'Cobalt',
    file: withDraft('Cobalt', ({ sheets }) =>
      set(sheets[0]!, 3, 'Client No', Number(cell(sheets[0]!, 3, 'Client No'))),
    ),
    found: () => ['fault row 5 MID: '],
    about: () => ['row 5'],
  },
  {
    name: 'a formula with an error',
    processor: 'Dunmore',
    file: (given) => {
      const { processor, filename, sheets } = cleanDraft(given, 'Dunmore')
      const content = workbookOf('xlsx', { Balances: linesOf(sheets[0]!) }, (book) => {
        book.Sheets['Balances']![utils.encode_cell({ r: 3, c: 2 })] = { t: 'e', v: 0x17 }
      })
      return { processor, filename, content }
    },
    found: () => ['fault row 4 Net: '],
    about: () => [],
  },
  {
    name: 'a total that is a cent too high',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => addToTotal(sheet, 'Net', 1)),
    found: (given) => [`fault row ${totalRow(given, 'Amberline')} Net: The total of Net is `],
    about: () => [],
  },
  {
    name: 'an amount that is a cent too low, so that the total is another',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) =>
      set(sheet, 2, 'Sales Amount', more(cell(sheet, 2, 'Sales Amount'), -1)),
    ),
    found: (given) => [
      `fault row ${totalRow(given, 'Amberline')} Sales Amount: The total of Sales Amount is `,
    ],
    about: () => [],
  },
  {
    name: 'a grand total that is a cent too low',
    processor: 'Fernhill',
    file: withSheet('Fernhill', (sheet) => addToTotal(sheet, 'Net Profit', -1)),
    found: (given) => [`fault row ${totalRow(given, 'Fernhill')} Net: The total of Net is `],
    about: () => [],
  },
  {
    name: 'a total of mapped columns that is a cent too high',
    processor: 'Birchpay',
    file: withSheet('Birchpay', (sheet) => addToTotal(sheet, 'Scheme Dues', 1)),
    found: (given) => [`fault row ${totalRow(given, 'Birchpay')} Expenses: The total of Expenses is `],
    about: () => [],
  },
]

/** Faults for which a file is refused or asked about; nothing of them is stored. */
export const plantedInFiles: readonly PlantedFault[] = [...damaged, ...misnamed, ...drifted, ...wrongCells]
