import type { ColumnRef } from '../../schemas/imports/mapping/mapping.ts'
import { netOf, type Figures, type Processor } from './book.ts'
import { money, monthText, storesAll, storesNet, type Layout } from './draft.ts'

const column = (name: string, sheet = '', sign: 1 | -1 = 1): ColumnRef => ({ name, sheet, sign })
const from = (...columns: ColumnRef[]) => ({ columns })
const dollars = (cents: number) => cents / 100
const inParentheses = (cents: number) =>
  cents < 0 ? `($${(-cents / 100).toFixed(2)})` : `$${(cents / 100).toFixed(2)}`
const compact = (month: string) => monthText(month).replace(' ', '')
/** Costs that a processor lists in two columns. */
const interchange = ({ expense }: Figures) => Math.floor((expense * 7) / 10)
const schemeFees = (row: Figures) => row.expense - interchange(row)

/** Six processors, each with its own way to write a month; three of them with headings of their own. */
export const sixLayouts: Readonly<Record<Processor, Layout>> = {
  // Known names, the month in the file's name, a row with totals.
  Amberline: {
    processor: 'Amberline',
    format: ',',
    filename: (month) => `Amberline_${compact(month)}.csv`,
    titles: () => [],
    sheets: [
      {
        name: '',
        columns: [
          { name: 'MID', value: ({ mid }) => mid },
          { name: 'DBA', value: ({ dba }) => dba },
          { name: 'Transactions', value: ({ count }) => count },
          money('Sales Amount', ({ sales }) => sales),
          money('Income', ({ income }) => income),
          money('Expenses', ({ expense }) => expense),
          money('Net', netOf),
        ],
      },
    ],
    total: 'Total',
    fields: null,
    stored: storesAll,
  },
  // Processor and month above the heading; expenses are two columns to be added up.
  Birchpay: {
    processor: 'Birchpay',
    format: ';',
    filename: () => 'partner statement.csv',
    titles: (month) => [['Processor: Birchpay'], [`Partner statement, ${monthText(month)}`]],
    sheets: [
      {
        name: '',
        columns: [
          { name: 'Outlet Ref', value: ({ mid }) => mid },
          { name: 'Trading As', value: ({ dba }) => dba },
          { name: 'Items', value: ({ count }) => count },
          money('Turnover', ({ sales }) => sales),
          money('Takings', ({ income }) => income),
          money('Interchange', interchange),
          money('Scheme Dues', schemeFees),
        ],
      },
    ],
    total: 'TOTALS',
    fields: {
      xmid: from(column('Outlet Ref')),
      dba: from(column('Trading As')),
      txncount: from(column('Items')),
      sales: from(column('Turnover')),
      income: from(column('Takings')),
      expense: from(column('Interchange'), column('Scheme Dues')),
    },
    stored: storesAll,
  },
  // A workbook of two sheets that belong together by the merchant's number.
  Cobalt: {
    processor: 'Cobalt',
    format: 'xlsx',
    filename: (month) => `Cobalt ${month}.xlsx`,
    titles: () => [],
    sheets: [
      {
        name: 'Volume',
        columns: [
          { name: 'Client No', value: ({ mid }) => mid },
          { name: 'Client', value: ({ dba }) => dba },
          { name: 'Tickets', value: ({ count }) => count },
          money('Card Volume', ({ sales }) => sales, dollars),
        ],
      },
      {
        name: 'Fees',
        columns: [
          { name: 'Client No', value: ({ mid }) => mid },
          money('Billed', ({ income }) => income, dollars),
          money('Our Cost', ({ expense }) => expense, dollars),
        ],
      },
    ],
    total: null,
    fields: {
      xmid: from(column('Client No', 'Volume'), column('Client No', 'Fees')),
      dba: from(column('Client', 'Volume')),
      txncount: from(column('Tickets', 'Volume')),
      sales: from(column('Card Volume', 'Volume')),
      income: from(column('Billed', 'Fees')),
      expense: from(column('Our Cost', 'Fees')),
    },
    stored: storesAll,
  },
  // Numbers without their leading zeros, and what the processor owes as a negative balance.
  Dunmore: {
    processor: 'Dunmore',
    format: 'xlsx',
    filename: (month) => `Dunmore ${monthText(month)}.xlsx`,
    titles: () => [],
    sheets: [
      {
        name: 'Balances',
        columns: [
          { name: 'Contract', value: ({ mid }) => Number(mid) },
          { name: 'Shop Name', value: ({ dba }) => dba },
          money('Balance', (row) => -netOf(row), dollars),
        ],
      },
    ],
    total: null,
    fields: {
      xmid: { columns: [column('Contract', 'Balances')], pad: 12 },
      dba: from(column('Shop Name', 'Balances')),
      net: from(column('Balance', 'Balances', -1)),
    },
    stored: storesNet,
  },
  // UTF-16 with tabs; month and processor are columns, the net is worked out.
  Estuary: {
    processor: 'Estuary',
    format: 'tabs',
    filename: () => 'export.csv',
    titles: () => [],
    sheets: [
      {
        name: '',
        columns: [
          { name: 'Merchant Number', value: ({ mid }) => mid },
          { name: 'Statement Month', value: (_, month) => monthText(month) },
          { name: 'Platform', value: () => 'Estuary' },
          { name: 'Merchant', value: ({ dba }) => dba },
          { name: 'Txn Count', value: ({ count }) => count },
          money('Sales Volume', ({ sales }) => sales),
          money('Revenue', ({ income }) => income),
          money('Expense', ({ expense }) => expense),
        ],
      },
    ],
    total: null,
    fields: null,
    stored: storesAll,
  },
  // The net alone, losses in parentheses.
  Fernhill: {
    processor: 'Fernhill',
    format: '|',
    filename: (month) => `Fernhill_${compact(month)}.csv`,
    titles: (month) => [['Fernhill Merchant Services'], [`Residuals of ${monthText(month)}`]],
    sheets: [
      {
        name: '',
        columns: [
          { name: 'Existing MID', value: ({ mid }) => mid },
          { name: 'DBA Name', value: ({ dba }) => dba },
          money('Net Profit', netOf, inParentheses),
        ],
      },
    ],
    total: 'Grand Total',
    fields: null,
    stored: storesNet,
  },
}
