import { xmidOf, type Line, type Shop } from './book.ts'
import {
  agentsBeside,
  newestLock,
  type AgentRecord,
  type Lock,
  type PayoutBook,
  type Records,
} from './payoutBook.ts'
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
  /** The agent whose flat amount is in it, null for none. */
  flatOf: number | null
  state: 'proposed' | 'accepted' | 'refused'
  /** The month it is proposed in, read from the portal's answer. */
  within: string | null
}

const isOpen = (book: PayoutBook, { within }: LateRow) =>
  within === null || within > (newestLock(book)?.month ?? '')
const isDecided = ({ state }: LateRow) => state !== 'proposed'

/** From the agent of the shop upwards, each by what it has more than all below it. */
function sharesOf(
  agents: readonly AgentRecord[],
  { agent, isInactive }: { agent: number; isInactive: boolean },
  net: number,
  flat: number,
) {
  const shares: LateRow['shares'] = []
  let highest = 0
  for (let at: number | null = agent; at !== null;) {
    const record: AgentRecord | undefined = agents.find(({ id }) => id === at)
    if (!record) break
    const isOwn = at === agent
    const cents =
      share(isOwn ? record.percent : Math.max(0, record.percent - highest), net) + (isOwn ? flat : 0)
    if (cents !== 0 && (!isInactive || record.payoninactive)) shares.push([at, cents])
    highest = Math.max(highest, record.percent)
    at = record.parent
  }
  return shares
}

type Asked = { shop: Shop; decided: readonly LateRow[] }

/** How often each row gets the flat amount, which neither the version nor what was decided pays already. */
function flatTimes(
  book: PayoutBook,
  { copy, month }: Lock,
  lines: readonly Line[],
  { shop, decided }: Asked,
) {
  const isInactive = ({ status, closed }: Shop) => status === 3 && (!closed || closed < month)
  const processed = (line: Line) => line.txns > 0 || line.sales !== 0
  if (isInactive(shop)) return () => 0
  const { amountBasis } = copy.terms
  if (amountBasis === 'perTransaction') return (line: Line) => (processed(line) ? line.txns : 0)
  const others = copy.records.shops.filter((it) => it.agent === shop.agent && !isInactive(it))
  const isPaid =
    amountBasis === 'perAgentMonth'
      ? decided.some(({ flatOf }) => flatOf === shop.agent) ||
        copy.lines.some((line) => processed(line) && others.some(({ id }) => xmidOf(id) === line.xmid))
      : decided.some(({ flatOf }) => flatOf !== null)
  const first = isPaid ? undefined : lines.find(processed)
  return (line: Line) => (line === first ? 1 : 0)
}

/** What each row of a version would pay by the shop as it is, besides rows that were decided about. */
function rowsBy(book: PayoutBook, lock: Lock, { shop, decided }: Asked): LateRow[] {
  const { month, copy } = lock
  const { agent, status, closed } = shop
  const agents = agentsBeside(book, copy.records.agents, month)
  const isInactive = status === 3 && (!closed || closed < month)
  const lines = copy.lines
    .filter((line) => line.xmid === xmidOf(shop.id))
    .filter(({ processor }) => !decided.some((row) => row.processor === processor))
    .sort((a, b) => (a.processor < b.processor ? -1 : 1))
  const times = flatTimes(book, lock, lines, { shop, decided })
  return lines.map((line): LateRow => {
    const flat = times(line) * agents.find(({ id }) => id === agent)!.flat
    const net = line.income - line.expense
    const base = copy.terms.netNegative === 'floor' ? Math.max(0, net) : net
    // Nothing is proposed to an agent that was deleted.
    const shares = sharesOf(agents, { agent, isInactive }, base, flat).filter(([id]) =>
      book.records.agents.some((it) => it.id === id),
    )
    const flatOf = flat === 0 ? null : agent
    return { month, processor: line.processor, shares, flatOf, state: 'proposed', within: null }
  })
}

/** Whether the version pays the agent its flat amount once for the whole month. */
function paysFlat({ month, copy: { terms, records, lines } }: Lock, { id, flat }: AgentRecord): boolean {
  const isOwn = ({ agent, status, closed }: Shop) =>
    agent === id && !(status === 3 && (!closed || closed < month))
  const own = new Set(records.shops.filter(isOwn).map((shop) => xmidOf(shop.id)))
  const isPaid = lines.some(({ xmid, txns, sales }) => own.has(xmid) && (txns > 0 || sales !== 0))
  return terms.amountBasis === 'perAgentMonth' && flat !== 0 && isPaid
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
  const earns = (version: Lock, id: number) => {
    const { copy } = version
    const agent = copy.records.agents.find((it) => it.id === id)
    return JSON.stringify(
      agent && [agent.parent, agent.percent, agent.payoninactive, paysFlat(version, agent)],
    )
  }
  const now = shop === undefined ? [] : rowsBy(book, made, { shop, decided: [] })
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
        ? rowsBy(book, last, { shop, decided: mine.filter(isSettled) }).filter(
            ({ shares }) => shares.length > 0,
          )
        : []
    // What is proposed or accepted as it was stays so, in the month it is in, while that is open.
    for (const row of fresh) {
      const same = mine.find(
        (it) =>
          isOpen(book, it) &&
          it.processor === row.processor &&
          JSON.stringify(byAgent(it.shares)) === JSON.stringify(byAgent(row.shares)),
      )
      if (same) Object.assign(row, { within: same.within, state: same.state, flatOf: same.flatOf })
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
