import type { ColumnRef, FieldSource } from '../../schemas/imports/mapping/mapping.ts'
import { random, type Random } from '../../server/demo/random.ts'
import { netOf, processors, type Figures, type Processor } from './book.ts'
import { monthText, storesAll, storesNet, textOfCents, type Layout, type LayoutColumn } from './draft.ts'

/** Names that processors give to columns; none is one that the portal knows. */
const names = {
  mid: ['Outlet Ref', 'Site Code', 'Store Nbr', 'Contract', 'Client Key', 'Terminal Owner', 'Acquirer Ref'],
  dba: ['Trading As', 'Shop Sign', 'Store Label', 'Known As', 'Client'],
  count: ['Items', 'Tickets', 'Swipes', 'Auths', 'Nbr of Tickets'],
  sales: ['Turnover', 'Card Sum', 'Processed', 'Gross Taken', 'Throughput'],
  income: ['Takings', 'Billed', 'Fees Charged', 'Earned', 'Invoiced'],
  expense: ['Interchange', 'Scheme Dues', 'Assessments', 'Network Cost', 'Pass Through', 'Our Cost'],
  net: ['Balance', 'Margin', 'Your Share', 'Left Over', 'Bottom Line'],
  other: ['Region', 'Rep', 'BPS', 'Remark', 'Tier'],
}

/** One after the other of a pool, in an order of its own. */
const shuffled = <T>(draw: Random, from: readonly T[]): T[] => {
  const rest = [...from]
  return from.map(() => rest.splice(draw.integer(0, rest.length - 1), 1)[0]!)
}

/** The cents of expenses in so many columns that add up to them. */
const shareOf = (parts: number, part: number) => (row: Figures) => {
  const each = Math.floor(row.expense / parts)
  return part === 0 ? row.expense - each * (parts - 1) : each
}

type Field = { field: string; column: LayoutColumn; sign: 1 | -1; isId?: true }

/** The figures: the net alone, at times as a debt, or income and expenses in up to three columns. */
function figureFields(draw: Random, isWorkbook: boolean): { fields: Field[]; hasNetAlone: boolean } {
  const write = (cents: number) => (isWorkbook ? cents / 100 : textOfCents(cents))
  const amount = (field: string, name: string, cents: (row: Figures) => number, sign: 1 | -1 = 1): Field => ({
    field,
    sign,
    column: { name, value: (row) => write(cents(row)), total: cents },
  })
  if (draw.chance(0.3)) {
    const isDebt = draw.chance(0.5)
    const cents = (row: Figures) => (isDebt ? -netOf(row) : netOf(row))
    return { fields: [amount('net', draw.pick(names.net), cents, isDebt ? -1 : 1)], hasNetAlone: true }
  }
  const parts = draw.integer(1, 3)
  const expenses = shuffled(draw, names.expense).slice(0, parts)
  return {
    fields: [
      { field: 'txncount', sign: 1, column: { name: draw.pick(names.count), value: ({ count }) => count } },
      amount('sales', draw.pick(names.sales), ({ sales }) => sales),
      amount('income', draw.pick(names.income), ({ income }) => income),
      ...expenses.map((name, part) => amount('expense', name, shareOf(parts, part))),
    ],
    hasNetAlone: false,
  }
}

const sourcesOf = (fields: Field[], sheet: string, pad: number | null): Record<string, FieldSource> => {
  const sources: Record<string, { columns: ColumnRef[]; pad?: number }> = {}
  for (const { field, column, sign } of fields) {
    sources[field] ??= { columns: [] }
    sources[field].columns.push({ sheet, name: column.name, sign })
  }
  if (pad !== null) sources['xmid']!.pad = pad
  return sources
}

function unseenLayout(draw: Random, processor: Processor): Layout {
  const format = draw.pick(['xlsx', 'tabs', ',', ';', '|'] as const)
  const isWorkbook = format === 'xlsx'
  const isPadded = processor === 'Dunmore'
  const { fields, hasNetAlone } = figureFields(draw, isWorkbook)
  const known: Field[] = [
    {
      field: 'xmid',
      sign: 1,
      isId: true,
      column: { name: draw.pick(names.mid), value: ({ mid }) => (isPadded ? mid.replace(/^0+/, '') : mid) },
    },
    { field: 'dba', sign: 1, column: { name: draw.pick(names.dba), value: ({ dba }) => dba } },
    ...fields,
  ]
  const others = shuffled(draw, names.other)
    .slice(0, draw.integer(0, 3))
    .map((name): LayoutColumn => ({ name, value: () => `${name.charAt(0)}${draw.integer(1, 9)}` }))
  const columns = shuffled(draw, [...known.map(({ column }) => column), ...others])
  const isInTitle = draw.chance(0.5)
  const blank = Array.from({ length: draw.integer(0, 3) }, () => [''])
  return {
    processor,
    format,
    filename: (month) =>
      `${isInTitle ? `statement ${processors.indexOf(processor)}` : `${processor} ${monthText(month)}`}.${isWorkbook ? 'xlsx' : 'csv'}`,
    titles: (month) => [
      ...(isInTitle ? [[`Processor: ${processor}`], [`Statement of ${monthText(month)}`]] : []),
      ...blank,
    ],
    sheets: [{ name: 'Sheet1', columns }],
    total: draw.pick([null, 'Total', 'Grand Total', 'TOTALS']),
    idName: known[0]!.column.name,
    fields: sourcesOf(known, isWorkbook ? 'Sheet1' : '', isPadded ? 12 : null),
    stored: hasNetAlone ? storesNet : storesAll,
  }
}

/** Six layouts that no run had before: names, order, preamble, totals, signs, format, place of the month. */
export const unseenLayouts = (seed: number): Readonly<Record<Processor, Layout>> => {
  const draw = random(seed)
  return Object.fromEntries(
    processors.map((processor) => [processor, unseenLayout(draw, processor)]),
  ) as Record<Processor, Layout>
}
