import type { Import } from '../../../schemas/imports/imports.ts'
import { sumDecimals, type Decimal } from '../../../schemas/imports/mapping/decimal.ts'
import type { Cell } from '../formats/sheet.ts'
import { centsOf, roundingOf } from './amounts.ts'
import { addDecimals, formatExactDollars, roundToCents, zero } from './decimals.ts'
import type { Heading } from './heading.ts'

/** Sums in cents: `rounded` of the amounts as they are stored, `exact` rounded once at the end. */
export type SumOfColumn = { rounded: bigint; exact: bigint }

/** A sum that is exact: cents of up to 2^52 stand in a number, and go to `carried` beyond. */
type Sum = { cents: number; carried: bigint; rounding: Decimal }
const emptySum = (): Sum => ({ cents: 0, carried: 0n, rounding: zero })
const carryAbove = 2 ** 52

function addTo(sum: Sum, cents: number, rounding: Decimal | null): void {
  sum.cents += cents
  if (Math.abs(sum.cents) > carryAbove) {
    sum.carried += BigInt(sum.cents)
    sum.cents = 0
  }
  if (rounding) sum.rounding = addDecimals(sum.rounding, rounding)
}
function read({ cents, carried, rounding }: Sum): SumOfColumn {
  const rounded = carried + BigInt(cents)
  const exact = sumDecimals([
    { value: { units: rounded, places: 2 }, sign: 1 },
    { value: rounding, sign: -1 },
  ])
  return { rounded, exact: roundToCents(exact) }
}

/** What the rows so far have in a column of amounts. */
type ColumnSums = {
  head: string
  isTotalled: boolean
  all: Sum
  /** The rows since the last row with totals. */
  group: Sum
  /** False once a cell of the column could not be read. */
  isKnown: boolean
  /** How many amounts were rounded to the cent, and what that added to them. */
  roundedCells: number
  rounding: Decimal
}

/** The amounts of a file, added up by column as they stand in its cells (imports 35, imports 36). */
export type AmountSums = {
  /** Takes the cell of the column at `index` of the heading, and what it was read as. */
  add(index: number, value: string | null, cell: Cell): void
  /** A cell, or without `index` a row, could not be read: its columns cannot be compared any more. */
  miss(index?: number): void
  /** The sums of a column that the kind has a control total of; null where they are not known. */
  sumsOf(index: number): { all: SumOfColumn; group: SumOfColumn } | null
  startGroup(): void
  /** A sentence for each column with amounts that were rounded. */
  describeRoundings(): string[]
}

function describeRounding({ head, roundedCells, rounding }: ColumnSums): string[] {
  if (roundedCells === 0) return []
  const subject =
    roundedCells === 1
      ? `1 amount of ${head} has more than two decimals and is rounded to the cent`
      : `${roundedCells.toLocaleString('en-US')} amounts of ${head} have more than two decimals and are ` +
        'rounded to the cent'
  const change = `${rounding.units > 0n ? '+' : ''}${formatExactDollars(rounding)}`
  return [`${subject}; that changes their sum by ${change}`]
}

export function createAmountSums({ totals = {} }: Import, { columns }: Heading): AmountSums {
  const totalled = new Set(Object.values(totals))
  const sums = columns.map(({ column, at }): ColumnSums | null =>
    column.kind !== 'money' || at < 0
      ? null
      : {
          head: column.head,
          isTotalled: totalled.has(column.field),
          all: emptySum(),
          group: emptySum(),
          isKnown: true,
          roundedCells: 0,
          rounding: zero,
        },
  )
  const present = sums.filter((one) => one !== null)
  return {
    add(index, value, cell) {
      const sum = sums[index]
      if (!sum || value === null) return
      const rounding = roundingOf(cell, columns[index]!.column)
      if (rounding) {
        sum.roundedCells += 1
        sum.rounding = addDecimals(sum.rounding, rounding)
      }
      if (!sum.isTotalled) return
      const cents = centsOf(value)
      addTo(sum.all, cents, rounding)
      addTo(sum.group, cents, rounding)
    },
    miss(index) {
      const missed = index === undefined ? present : [sums[index]]
      for (const sum of missed) if (sum) sum.isKnown = false
    },
    sumsOf(index) {
      const sum = sums[index]
      return sum?.isTotalled && sum.isKnown ? { all: read(sum.all), group: read(sum.group) } : null
    },
    startGroup() {
      for (const sum of present) sum.group = emptySum()
    },
    describeRoundings: () => present.flatMap(describeRounding),
  }
}
