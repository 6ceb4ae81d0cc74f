import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Config } from '../config/config.ts'
import { projectFolder } from '../config/projectFolder.ts'
import { random } from './random.ts'

type Cell = string | number
type Rows = Cell[][]
/** What a merchant brought in the month; amounts are cents. */
type Line = { mid: string; dba: string; count: number; sales: number; income: number; expense: number }
/** How a processor writes its file: the name, which may say the month, and the content. */
type Layout = (lines: Line[], month: string) => Promise<{ name: string; content: string | Buffer }>

const dollars = (cents: number) => (cents / 100).toFixed(2)
const net = ({ income, expense }: Line) => income - expense
const quoted = (cell: Cell, separator: string) =>
  String(cell).includes(separator) || String(cell).includes('"')
    ? `"${String(cell).replaceAll('"', '""')}"`
    : String(cell)
const textOf = (rows: Rows, separator = ',') =>
  rows.map((row) => `${row.map((cell) => quoted(cell, separator)).join(separator)}\r\n`).join('')

/** `bookType` is 'xlsx' or 'biff8', the .xls of Excel 97. */
async function workbook(rows: Rows, bookType: 'xlsx' | 'biff8'): Promise<Buffer> {
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Residuals')
  return write(book, { type: 'buffer', bookType }) as Buffer
}

/** By processor: six layouts that the portal reads as one (imports 27, 28). `month` is 'October 2026'. */
const layouts: Readonly<Record<string, Layout>> = {
  Dorado: async (lines, month) => ({
    name: `Dorado_${month.replace(' ', '')}.csv`,
    content: textOf([
      ['MID', 'DBA', 'Transactions', 'Sales Amount', 'Income', 'Expenses', 'Net'],
      ...lines.map((it) => [
        it.mid,
        it.dba,
        it.count,
        ...[it.sales, it.income, it.expense, net(it)].map(dollars),
      ]),
      ['Total', '', '', ...sums(lines).map(dollars)],
    ]),
  }),
  // A workbook that says processor and month above the heading.
  Equinox: async (lines, month) => ({
    name: 'Equinox residuals.xlsx',
    content: await workbook(
      [
        ['Processor: Equinox'],
        [`Residuals of ${month}`],
        [],
        ['Merchant ID', 'Merchant Name', 'Volume', 'Gross Income', 'Total Expenses', 'Net Income'],
        ...lines.map((it) => [
          it.mid,
          it.dba,
          ...[it.sales, it.income, it.expense, net(it)].map((it) => it / 100),
        ]),
      ],
      'xlsx',
    ),
  }),
  // Month and processor are columns, and what the processor itself would pay.
  Fathom: async (lines, month) => ({
    name: 'Fathom export.xls',
    content: await workbook(
      [
        [
          'Statement Month',
          'Platform',
          'Account Number',
          '# Sales',
          '$ Sales',
          '$ Income',
          '$ Expenses',
        ].concat(['$ Net', 'Agent %', '$ Residual']),
        ...lines.map((it) => [
          month,
          'Fathom',
          it.mid,
          it.count,
          ...[it.sales, it.income, it.expense, net(it)].map((it) => it / 100),
          '50%',
          Math.round(net(it) / 2) / 100,
        ]),
      ],
      'biff8',
    ),
  }),
  // The net alone, losses in parentheses.
  Galena: async (lines, month) => ({
    name: `Galena ${month}.csv`,
    content: textOf(
      [
        ['Existing MID', 'DBA Name', 'Net Profit'],
        ...lines.map((it) => [
          it.mid,
          it.dba,
          net(it) < 0 ? `($${dollars(-net(it))})` : `$${dollars(net(it))}`,
        ]),
      ],
      ';',
    ),
  }),
  // UTF-16 with tabs, and no net: it is worked out.
  Halcyon: async (lines, month) => ({
    name: `Halcyon_${month.replace(' ', '')}.csv`,
    content: Buffer.from(
      `\ufeff${textOf(
        [
          ['Merchant Number', 'Merchant', 'Txn Count', 'Sales Volume', 'Revenue', 'Expense'],
          ...lines.map((it) => [it.mid, it.dba, it.count, ...[it.sales, it.income, it.expense].map(dollars)]),
        ],
        '\t',
      )}`,
      'utf16le',
    ),
  }),
  // Bars, a heading that a page break repeats, and columns nobody asked for.
  Indigo: async (lines, month) => {
    const head = ['Merchant No', 'Merchant', 'Transaction Count', 'Sales', 'Total Income', 'Total Expense']
    const heading: Rows[number] = [...head, 'Net Revenue', 'BPS', 'Group']
    const rows: Rows = lines.map((it) => [
      it.mid,
      it.dba,
      it.count,
      ...[it.sales, it.income, it.expense, net(it)].map(dollars),
      it.sales === 0 ? '' : ((net(it) / it.sales) * 10_000).toFixed(1),
      'A',
    ])
    const text = textOf([heading, ...rows.slice(0, 3), heading, ...rows.slice(3)], '|')
    return { name: `Indigo_${month.replace(' ', '')}.csv`, content: text }
  },
}
/** The processors of the residual files of `samples`, in the order of the alphabet. */
export const sampleProcessors: readonly string[] = Object.keys(layouts)

const sums = (lines: Line[]): number[] =>
  [(it: Line) => it.sales, (it: Line) => it.income, (it: Line) => it.expense, net].map((of) =>
    lines.reduce((sum, it) => sum + of(it), 0),
  )

/** A file of Dorado: four wrong rows and a wrong total, each against a rule (imports 9, 10, 27, 36). */
const faulty = ([first, second, third, fourth]: Line[], month: string) => {
  const row = (it: Line, more: Partial<Record<'mid' | 'income' | 'expense' | 'net', string>> = {}) => [
    more.mid ?? it.mid,
    it.dba,
    more.income ?? dollars(it.income),
    more.expense ?? dollars(it.expense),
    more.net ?? dollars(net(it)),
  ]
  const rows = [
    row(first!),
    row(second!, { mid: '8.88E+11' }),
    row(third!, { expense: dollars(-third!.expense) }),
    row(fourth!, { net: dollars(net(fourth!) + 1_000) }),
    row({ ...second!, mid: '88100000001' }, { income: '1O4.50', net: '' }),
  ]
  // The nets as they stand in the rows, and a dollar.
  const nets = [first!, second!, third!, fourth!].reduce((sum, it) => sum + net(it), 1_000)
  const total = ['Total', '', '', '', dollars(nets + 100)]
  return {
    name: `Faulty ${month}.csv`,
    content: textOf([['Processor: Dorado'], ['MID', 'DBA', 'Income', 'Expenses', 'Net'], ...rows, total]),
  }
}

const merchants = join(projectFolder, 'samples/merchants.csv')
/** The lines of each processor's active merchants in samples/merchants.csv. */
async function linesByProcessor(): Promise<Map<string, Line[]>> {
  const text = await readFile(merchants, 'utf8')
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  const draw = random(20_261_123)
  const lines = new Map<string, Line[]>()
  for (const { XMID = '', DBA = '', Processor = '', 'Account Status': status } of rows) {
    if (status !== 'Active') continue
    const count = draw.chance(0.15) ? 0 : draw.integer(20, 400)
    const sales = count * draw.integer(1500, 6000)
    const income = Math.round(sales * 0.029) + draw.integer(500, 2500)
    const expense = Math.round(income * (draw.chance(0.1) ? 1.2 : 0.7))
    lines.set(Processor, [
      ...(lines.get(Processor) ?? []),
      { mid: XMID, dba: DBA, count, sales, income, expense },
    ])
  }
  return lines
}

/**
 * Writes the files of six processors for the month before that of `now` (UTC, as the demo data count), and a
 * faulty one, into the folder `samples` of the data folder, unless it exists (operations 10).
 */
export async function writeSamples(
  { dataDir, demo }: Pick<Config, 'dataDir' | 'demo'>,
  now = new Date(),
): Promise<void> {
  const folder = join(dataDir, 'samples')
  if (!demo || existsSync(folder) || !existsSync(merchants)) return
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
  const month = before.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const lines = await linesByProcessor()
  const files: { name: string; content: string | Buffer }[] = [faulty(lines.get('Dorado') ?? [], month)]
  for (const [name, layout] of Object.entries(layouts)) files.push(await layout(lines.get(name) ?? [], month))
  await mkdir(folder, { recursive: true })
  for (const { name, content } of files) await writeFile(join(folder, name), content)
}
