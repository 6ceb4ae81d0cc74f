import { newestLock, type Lock, type PayoutBook, type Records } from './payoutBook.ts'
import { share } from './reference.ts'

/*
 * What a MID that became known after its month was locked would have brought (money 21), in whole cents, from
 * the rule alone. The MID is that of one shop.
 */

/** One row of a file of a locked month: what it proposes, and what was decided. */
export type LateRow = {
  /** Of the file. */
  month: string
  processor: string
  shares: [agent: number, cents: number][]
  holdsFlat: boolean
  state: 'proposed' | 'accepted' | 'refused'
  /** The month it is proposed in, read from the portal's answer. */
  within: string | null
}

const isOpen = (book: PayoutBook, { within }: LateRow) =>
  within === null || within > (newestLock(book)?.month ?? '')
const isDecided = ({ state }: LateRow) => state !== 'proposed'

/** From the agent of the shop upwards, each by what it has more than all below it. */
function sharesOf(records: Records, agent: number, net: number, hasFlat: boolean) {
  const shares: LateRow['shares'] = []
  let highest = 0
  for (let at: number | null = agent; at !== null;) {
    const record: Records['agents'][number] = records.agents.find(({ id }) => id === at)!
    const isOwn = at === agent
    const cents =
      share(isOwn ? record.percent : Math.max(0, record.percent - highest), net) +
      (isOwn && hasFlat ? record.flat : 0)
    if (cents !== 0) shares.push([at, cents])
    highest = Math.max(highest, record.percent)
    at = record.parent
  }
  return shares
}

function proposedBy(book: PayoutBook, { month, copy }: Lock, xmid: string, agent: number): LateRow[] {
  const mine = book.late.filter((row) => row.month === month)
  const decided = mine.filter((row) => isDecided(row))
  const lines = book.lines
    .filter((line) => line.month === month && line.xmid === xmid)
    .filter(({ processor }) => !decided.some((row) => row.processor === processor))
    .sort((a, b) => (a.processor < b.processor ? -1 : 1))
  const flat = copy.records.agents.find(({ id }) => id === agent)!.flat
  const first = decided.some(({ holdsFlat }) => holdsFlat)
    ? undefined
    : lines.find(({ txns, sales }) => txns > 0 || sales !== 0)
  return lines.map(({ processor }, at): LateRow => {
    const holdsFlat = lines[at] === first && flat !== 0
    const net = lines[at]!.income - lines[at]!.expense
    const base = book.netNegative === 'floor' ? Math.max(0, net) : net
    const shares = sharesOf(copy.records, agent, base, holdsFlat)
    return { month, processor, shares, holdsFlat, state: 'proposed', within: null }
  })
}

/** Proposes, corrects and withdraws, so that it is what the book says now. `shop` is the one that may be late. */
export function settleLate(book: PayoutBook, shop: number, xmid: string): void {
  const has = ({ shops }: Records) => shops.some(({ id }) => id === shop)
  const agent = book.records.shops.find(({ id }) => id === shop)?.agent
  for (const month of new Set(book.locks.map((it) => it.month))) {
    const last = book.locks.filter((it) => it.month === month).at(-1)!
    const mine = book.late.filter((row) => row.month === month)
    const wasKnown = has(last.copy.records)
    const isTaken = !last.isInForce && !wasKnown && has(book.reopened.get(month)!.records)
    const isGone = last.isInForce
      ? (row: LateRow) => !isDecided(row)
      : (row: LateRow) =>
          isOpen(book, row) &&
          ((isTaken && row.state !== 'refused') || (row.state === 'proposed' && agent === undefined))
    const fresh =
      last.isInForce && !wasKnown && agent !== undefined
        ? proposedBy(book, last, xmid, agent).filter(({ shares }) => shares.length > 0)
        : []
    // What is proposed as it was stays in the month it is in, while that is open.
    for (const row of fresh)
      row.within =
        mine.find(
          (it) =>
            isOpen(book, it) &&
            it.processor === row.processor &&
            JSON.stringify(byAgent(it.shares)) === JSON.stringify(byAgent(row.shares)),
        )?.within ?? null
    const kept = mine.filter((row) => !isGone(row))
    book.late = [...book.late.filter((row) => row.month !== month), ...kept, ...fresh]
  }
  const paid = book.late.filter(({ state }) => state === 'accepted')
  book.adjustments = [
    ...book.adjustments.filter(({ id }) => id > 0),
    ...paid.flatMap(({ shares, within }) =>
      shares.map(([agent, amount]) => ({ id: lateId, agent, shop: null, month: within!, amount })),
    ),
  ]
}
/** The number, in the book, of adjustments that late rows made. */
const lateId = -1

const byAgent = (shares: LateRow['shares']) => shares.toSorted(([a], [b]) => a - b)
