import type { MissingMerchant } from '../../../schemas/api/months/variance.ts'
import type { Db } from '../../../server/db/db.ts'

/*
 * Variance and missing income worked out from the rows that were inserted, beside the statements of the
 * portal. Amounts are cents, months '2026-01'.
 */

export type Shop = {
  xmid: string
  agent: number
  status: 1 | 2 | 3
  processor: string
  /** ISO days, null for none. */
  approved: string | null
  closed: string | null
}
export type FileRow = {
  month: string
  processor: string
  xmid: string
  sales: number
  income: number
  expense: number
}
export type Volume = { xmid: string; day: string; sales: number }
export type Book = { shops: Shop[]; rows: FileRow[]; volumes: Volume[]; notes: [string, string][] }

const epoch = (day: string | null) => (day === null ? null : Date.parse(`${day}T00:00:00Z`) / 1000)
const dollars = (cents: number) => cents / 100

/** Takes away what a portal holds of merchants, files and volume. */
export async function emptyPortfolio(db: Db) {
  for (const table of [
    'equipment',
    'adjustment',
    'residual',
    'daily_volume',
    'processor_statement',
    'merchant',
  ])
    await db.query(`delete from ${table}`)
}

/** Inserts a book into a portal that has the agents 2 and 3, and batch 1. */
export async function write(db: Db, { shops, rows, volumes, notes }: Book) {
  await db.query(
    `insert into merchant (xmid, dba, masteragentid, accountstatus, processor, date_approved, date_closed)
      select xmid, 'Shop ' || xmid, agent, status, processor, approved, closed
      from jsonb_to_recordset($1) as x (xmid text, agent int, status int, processor text, approved bigint, closed bigint)`,
    [JSON.stringify(shops.map((it) => ({ ...it, approved: epoch(it.approved), closed: epoch(it.closed) })))],
  )
  await db.query(
    `insert into residual (month, processor, xmid, sales, income, expense, net, batchid)
      select (month || '-01')::date, processor, xmid, sales / 100, income / 100, expense / 100, (income - expense) / 100, 1
      from jsonb_to_recordset($1) as x (month text, processor text, xmid text, sales numeric, income numeric, expense numeric)`,
    [JSON.stringify(rows)],
  )
  await db.query(
    `insert into daily_volume (volumedate, xmid, batchnumber, salescount, salesamount, batchid)
      select day, xmid, n, 1, sales / 100, 1
      from jsonb_to_recordset($1) as x (day date, xmid text, sales numeric, n text)`,
    [JSON.stringify(volumes.map((it, n) => ({ ...it, n: String(n) })))],
  )
  await db.query(
    `insert into processor_statement (month, processor, nofile)
      select (n ->> 0 || '-01')::date, n ->> 1, true from jsonb_array_elements($1) n`,
    [JSON.stringify(notes)],
  )
}

export const monthAfter = (month: string, count: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const months = year * 12 + number - 1 + count
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

const sum = (numbers: number[]) => numbers.reduce((total, it) => total + it, 0)
const net = ({ income, expense }: FileRow) => income - expense
const brings = (row: FileRow) => row.income !== 0 || net(row) !== 0
/** Half away from zero, of a quotient of whole numbers. */
const divide = (numerator: bigint, denominator: bigint): number => {
  const negative = numerator < 0n !== denominator < 0n
  const [n, d] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator]
  const quotient = Number((2n * n + d) / (2n * d))
  return negative && quotient !== 0 ? -quotient : quotient
}

/** '{id} {kind} {before} {now}' of each row with income, by merchant or by processor; both months are open. */
export function varianceOf(
  book: Book,
  month: string,
  before: string,
  by: 'merchant' | 'processor',
): string[] {
  const key = (row: FileRow) => (by === 'merchant' ? row.xmid : row.processor)
  const of = (wanted: string, id: string) => book.rows.filter((it) => it.month === wanted && key(it) === id)
  const isGone = (id: string) => {
    if (by === 'processor')
      return (
        !book.shops.some((it) => it.status === 2 && it.processor === id) ||
        book.notes.some(([noted, name]) => noted === month && name === id)
      )
    const shop = book.shops.find(({ xmid }) => xmid === id)
    return !shop || (shop.status === 3 && (shop.closed ?? '') < `${monthAfter(month, 1)}-01`)
  }
  return [...new Set(book.rows.map(key))].flatMap((id) => {
    const [now, was] = [of(month, id), of(before, id)]
    const [has, had] = [now.some(brings), was.some(brings)]
    if (!has && !had) return []
    const [amount, earlier] = [sum(now.map(net)), sum(was.map(net))]
    const kind = !had
      ? 'new'
      : !has
        ? isGone(id)
          ? 'lost'
          : 'silent'
        : amount === earlier
          ? 'same'
          : 'changed'
    return [`${id} ${kind} ${dollars(earlier)} ${dollars(amount)}`]
  })
}

type Estimate = { estimate: number | null; basis: 'history' | 'processor' | 'house' | null }

function estimateOf(book: Book, { xmid }: Shop, processor: string, month: string, volume: number): Estimate {
  const earlier = book.rows.filter((it) => it.xmid === xmid && it.month < month)
  const nets = [...new Set(earlier.filter(brings).map((it) => it.month))]
    .sort()
    .slice(-6)
    .map((wanted) => sum(earlier.filter((it) => it.month === wanted).map(net)))
    .sort((a, b) => a - b)
  if (nets.length > 0) {
    const [low, high] = [nets[Math.floor((nets.length - 1) / 2)]!, nets[Math.floor(nets.length / 2)]!]
    return { estimate: dollars(divide(BigInt(low + high), 2n)), basis: 'history' }
  }
  if (volume === 0) return { estimate: null, basis: null }
  const before = book.rows.filter((it) => it.month === monthAfter(month, -1))
  for (const basis of ['processor', 'house'] as const) {
    const rows = basis === 'house' ? before : before.filter((it) => it.processor === processor)
    const sales = sum(rows.map((it) => it.sales))
    if (sales <= 0) continue
    const earned = divide(BigInt(volume) * BigInt(sum(rows.map(net))), BigInt(sales))
    return { estimate: dollars(earned), basis }
  }
  return { estimate: null, basis: null }
}

/** What is missing in the twelve months up to one, by merchant. */
export function missingOf(book: Book, last: string): Map<string, MissingMerchant['months']> {
  const months = Array.from({ length: 12 }, (_, n) => monthAfter(last, -n))
  const found = new Map<string, MissingMerchant['months']>()
  for (const shop of book.shops)
    for (const month of months) {
      if (book.rows.some((it) => it.month === month && it.xmid === shop.xmid)) continue
      const isActive = shop.status === 2 || (shop.status === 3 && (shop.closed ?? '') >= `${month}-01`)
      const days = book.volumes.filter((it) => it.xmid === shop.xmid && it.day.startsWith(month))
      const isApproved = shop.approved !== null && shop.approved < `${monthAfter(month, 1)}-01`
      if (!isActive || (days.length === 0 && !isApproved)) continue
      const known = book.rows
        .filter((it) => it.xmid === shop.xmid && it.month < month)
        .sort((a, b) =>
          a.month < b.month ? 1 : a.month > b.month ? -1 : a.processor < b.processor ? -1 : 1,
        )[0]
      const processor = shop.processor || (known?.processor ?? '')
      const hasFile = book.rows.some(
        (it) => it.month === month && (processor === '' || it.processor === processor),
      )
      const hasNote = book.notes.some(
        ([noted, name]) => noted === month && (processor === '' || name === processor),
      )
      if (!hasFile && !(hasNote && days.length > 0)) continue
      const volume = sum(days.map((it) => it.sales))
      const estimate = estimateOf(book, shop, processor, month, volume)
      found.set(shop.xmid, [...(found.get(shop.xmid) ?? []), { month, volume: dollars(volume), ...estimate }])
    }
  return found
}

/** A book of three processors and sixteen months that end with `last`; equal seeds make equal books. */
export function drawBook(seed: number, last: string): Book {
  let state = seed
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <T>(values: readonly T[]): T => values[draw(values.length)]!
  const months = Array.from({ length: 16 }, (_, n) => monthAfter(last, n - 15))
  const day = () => `${pick(months)}-${pick(['01', '15', '28'])}`
  const shops = Array.from({ length: 30 }, (_, n): Shop => {
    const status = pick([2, 2, 2, 2, 3, 1] as const)
    return {
      xmid: `S${String(n).padStart(3, '0')}`,
      agent: pick([2, 3]),
      status,
      processor: pick(['Aster', 'Birch', 'Cedar', '']),
      approved: pick([null, day()]),
      closed: status === 3 ? pick([null, day()]) : null,
    }
  })
  const dead = months.flatMap((month) =>
    draw(3) === 0 ? [[month, pick(['Aster', 'Birch', 'Cedar'])] as const] : [],
  )
  const rows = [
    ...shops.map(({ xmid, processor }) => ({ xmid, processor })),
    { xmid: 'X1', processor: 'Aster' },
  ]
    .filter(() => draw(5) > 0)
    .flatMap(({ xmid, processor }) =>
      months.flatMap((month) => {
        const names = processor === '' ? ['Birch'] : draw(12) === 0 ? [processor, 'Cedar'] : [processor]
        return [...new Set(names)].flatMap((name): FileRow[] => {
          if (draw(5) === 0 || dead.some(([gone, of]) => gone === month && of === name)) return []
          const income = draw(4) === 0 ? 0 : draw(20_000)
          return [
            { month, processor: name, xmid, sales: draw(200_000), income, expense: income && draw(15_000) },
          ]
        })
      }),
    )
  const volumes = shops
    .filter(() => draw(3) > 0)
    .flatMap(({ xmid }) =>
      months.flatMap((month): Volume[] =>
        draw(3) === 0
          ? []
          : [{ xmid, day: `${month}-${pick(['01', '14', '28'])}`, sales: draw(8) && draw(90_000) }],
      ),
    )
  const notes = dead.filter(() => draw(2) === 0).map(([month, name]): [string, string] => [month, name])
  return { shops, rows, volumes, notes }
}
