import { xmidOf, type Shop } from './book.ts'
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
function sharesOf(
  records: Records,
  { agent, isInactive }: { agent: number; isInactive: boolean },
  net: number,
  hasFlat: boolean,
) {
  const shares: LateRow['shares'] = []
  let highest = 0
  for (let at: number | null = agent; at !== null;) {
    const record: Records['agents'][number] = records.agents.find(({ id }) => id === at)!
    const isOwn = at === agent
    const cents =
      share(isOwn ? record.percent : Math.max(0, record.percent - highest), net) +
      (isOwn && hasFlat ? record.flat : 0)
    if (cents !== 0 && (!isInactive || record.payoninactive)) shares.push([at, cents])
    highest = Math.max(highest, record.percent)
    at = record.parent
  }
  return shares
}

/** What each row of a version would pay by the shop as it is, besides rows that were decided about. */
function rowsBy(
  { month, copy }: Lock,
  { shop, decided }: { shop: Shop; decided: readonly LateRow[] },
): LateRow[] {
  const { agent, status, closed } = shop
  const xmid = xmidOf(shop.id)
  const isInactive = status === 3 && (!closed || closed < month)
  const lines = copy.lines
    .filter((line) => line.xmid === xmid)
    .filter(({ processor }) => !decided.some((row) => row.processor === processor))
    .sort((a, b) => (a.processor < b.processor ? -1 : 1))
  const flat = copy.records.agents.find(({ id }) => id === agent)!.flat
  const first =
    isInactive || decided.some(({ holdsFlat }) => holdsFlat)
      ? undefined
      : lines.find(({ txns, sales }) => txns > 0 || sales !== 0)
  return lines.map((line): LateRow => {
    const holdsFlat = line === first && flat !== 0
    const net = line.income - line.expense
    const base = copy.terms.netNegative === 'floor' ? Math.max(0, net) : net
    const shares = sharesOf(copy.records, { agent, isInactive }, base, holdsFlat)
    return { month, processor: line.processor, shares, holdsFlat, state: 'proposed', within: null }
  })
}

/**
 * The rows that were decided before a version with another row of the file, or with other copies of an agent
 * whom they pay or would pay.
 */
function revisedBy(book: PayoutBook, made: Lock, xmid: string, shop: Shop | undefined): LateRow[] {
  const before = book.locks.find(({ month, version }) => month === made.month && version === made.version - 1)
  if (!before) return []
  const row = ({ copy }: Lock, processor: string) => {
    const line = copy.lines.find((it) => it.xmid === xmid && it.processor === processor)
    return JSON.stringify(line && [line.income - line.expense, line.txns, line.sales])
  }
  const earns = ({ copy }: Lock, id: number) => {
    const { parent, percent, payoninactive } = copy.records.agents.find((it) => it.id === id)!
    return `${parent} ${percent} ${payoninactive}`
  }
  const now = shop === undefined ? [] : rowsBy(made, { shop, decided: [] })
  return book.late.filter(({ month, processor, state, shares }) => {
    if (month !== made.month || state === 'proposed') return false
    const paid = [...shares, ...now.flatMap((it) => (it.processor === processor ? it.shares : []))]
    return (
      row(before, processor) !== row(made, processor) ||
      paid.some(([id]) => earns(before, id) !== earns(made, id))
    )
  })
}

/**
 * Proposes, corrects and withdraws, so that it is what the book says now. `late` is the shop that may be
 * late, `made` a lock that was just made.
 */
export function settleLate(book: PayoutBook, late: number, made?: Lock): void {
  const has = ({ shops }: Records) => shops.some(({ id }) => id === late)
  const shop = book.records.shops.find(({ id }) => id === late)
  for (const month of new Set(book.locks.map((it) => it.month))) {
    const last = book.locks.filter((it) => it.month === month).at(-1)!
    const mine = book.late.filter((row) => row.month === month)
    const wasKnown = has(last.copy.records)
    const revised = last === made ? revisedBy(book, last, xmidOf(late), shop) : []
    const isSettled = (row: LateRow) => isDecided(row) && !revised.includes(row)
    const isTaken = !last.isInForce && !wasKnown && has(book.reopened.get(month)!.records)
    const isPaid = ({ processor }: LateRow) => fresh.some((it) => it.processor === processor)
    const isGone = last.isInForce
      ? (row: LateRow) => !isSettled(row) && (row.state !== 'refused' || isPaid(row))
      : (row: LateRow) =>
          isOpen(book, row) &&
          ((isTaken && row.state !== 'refused') || (row.state === 'proposed' && shop === undefined))
    const fresh =
      last.isInForce && !wasKnown && shop !== undefined
        ? rowsBy(last, { shop, decided: mine.filter(isSettled) }).filter(({ shares }) => shares.length > 0)
        : []
    // What is proposed or accepted as it was stays so, in the month it is in, while that is open.
    for (const row of fresh) {
      const same = mine.find(
        (it) =>
          isOpen(book, it) &&
          it.processor === row.processor &&
          JSON.stringify(byAgent(it.shares)) === JSON.stringify(byAgent(row.shares)),
      )
      if (same) Object.assign(row, { within: same.within, state: same.state, holdsFlat: same.holdsFlat })
    }
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
