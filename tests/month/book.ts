import { random, places, trades, type Random } from '../../server/demo/random.ts'

/*
 * A portfolio and three months of figures, the same for equal seeds: what processors report, and what must be
 * stored of it. Amounts are cents, months '2026-10'.
 */

/** The processors of every book, in the order of their layouts. */
export const processors = ['Amberline', 'Birchpay', 'Cobalt', 'Dunmore', 'Estuary', 'Fernhill'] as const
export type Processor = (typeof processors)[number]

export type Agent = { id: number; name: string; parent: number | null; percent: number | null }
export type Shop = { id: number; mid: string; dba: string; agent: number; processor: Processor }
/** What one merchant brought in one month. */
export type Figures = {
  mid: string
  dba: string
  count: number
  sales: number
  income: number
  expense: number
}
/** Sales of one merchant on one day. */
export type Volume = { mid: string; day: string; sales: number }
export type Book = {
  agents: Agent[]
  shops: Shop[]
  /** Three months that follow each other, the last one the month before today. */
  months: [string, string, string]
  volumes: Volume[]
  figures(month: string, processor: Processor): Figures[]
}

export const netOf = ({ income, expense }: Pick<Figures, 'income' | 'expense'>) => income - expense

/** '2026-10' and a whole number of months to '2026-11'. */
export function monthAfter(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

/** The office, and below it agents in four levels; each percentage is below that of the parent. */
const agentsOf = (): Agent[] => {
  const levels = [[1], [2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
  const percents = [null, 80, 65, 50, 35]
  return levels.flatMap((ids, level) =>
    ids.map((id, at) => ({
      id,
      name: id === 1 ? 'House Account' : `${places[id]} Partners`,
      parent: level === 0 ? null : levels[level - 1]![at % levels[level - 1]!.length]!,
      percent: percents[level]!,
    })),
  )
}

const shopsEach = 12
/** Those of Dunmore begin with zeros, which its files leave out. */
const midOf = (draw: Random, processor: Processor, at: number) => {
  const length = { Dunmore: 9, Estuary: 15, Cobalt: 16 }[processor as string] ?? 12
  const start = processor === 'Dunmore' ? '000' : '4'
  return `${start}${draw.digits(length - start.length - 2 + (processor === 'Dunmore' ? 3 : 0))}${String(at).padStart(2, '0')}`
}

const shopsOf = (draw: Random): Shop[] =>
  processors.flatMap((processor, number) =>
    Array.from({ length: shopsEach }, (_, at) => ({
      id: number * shopsEach + at + 1,
      mid: midOf(draw, processor, at),
      dba: `${draw.pick(places)} ${draw.pick(trades)} ${at + 1}`,
      agent: draw.integer(2, 15),
      processor,
    })),
  )

/** `today` is any moment of the day that the portal takes for today. */
export function bookOf(seed: number, today: Date): Book {
  const draw = random(seed)
  const shops = shopsOf(draw)
  const current = today.toISOString().slice(0, 7)
  const months: Book['months'] = [monthAfter(current, -3), monthAfter(current, -2), monthAfter(current, -1)]
  const table = new Map<string, Figures[]>(
    months.flatMap((month) => processors.map((processor) => [`${month} ${processor}`, []])),
  )
  for (const { mid, dba, processor } of shops) {
    const usual = {
      count: draw.integer(60, 400),
      ticket: draw.integer(2500, 6000),
      cost: draw.integer(60, 72),
    }
    for (const month of months) {
      const count = Math.round((usual.count * draw.integer(97, 103)) / 100)
      const sales = count * usual.ticket + draw.integer(0, 99)
      const income = Math.round(sales * 0.029) + draw.integer(500, 900)
      const expense = Math.round((income * usual.cost) / 100)
      table.get(`${month} ${processor}`)!.push({ mid, dba, count, sales, income, expense })
    }
  }
  const volumes = shops
    .filter((_, at) => at % shopsEach < 2)
    .flatMap(({ mid }) =>
      months.map((month) => ({ mid, day: `${month}-11`, sales: draw.integer(90_000, 900_000) })),
    )
  return {
    agents: agentsOf(),
    shops,
    months,
    volumes,
    figures: (month, processor) => table.get(`${month} ${processor}`)!.map((row) => ({ ...row })),
  }
}

export const shopsOfProcessor = ({ shops }: Book, processor: Processor) =>
  shops.filter((shop) => shop.processor === processor)
