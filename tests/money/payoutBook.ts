import type { MoneySettings } from '../../server/config/money.ts'
import { bankDayAfter } from './bankCalendar.ts'
import {
  xmidOf,
  type Adjustment,
  type Line,
  type Rate,
  type Shop,
  type Subscription,
  type Terminal,
} from './book.ts'
import type { LateRow } from './lateOracle.ts'
import { reckon } from './reference.ts'

/*
 * A second reckoning of months, runs and ledger, in whole cents, from docs/product alone. Months are ISO
 * first days.
 */

export type Account = {
  payee: number | null
  routing: string
  number: string
  checking: boolean
  business: boolean
}
/** `percent` held before the first of `rates`; `written` is the one written last, whatever its month. */
export type AgentRecord = {
  id: number
  parent: number | null
  percent: number
  written: number
  flat: number
  eqpercent: number
  eqflat: number
  office: boolean
  payoninactive: boolean
  /** The confirmed account. */
  account: Account
  /** What was entered and waits for a decision. */
  entered: Account | null
}
/** A terminal that earns its commission in `month`, null while it is not paid whole. */
export type SoldTerminal = Omit<Terminal, 'month'> & { month: string | null }
export type Records = {
  agents: AgentRecord[]
  shops: Shop[]
  subscriptions: Subscription[]
  terminals: SoldTerminal[]
  rates: Rate[]
}
/** The files of one processor and month that nobody undid, the newest last. */
export type ProcessorMonth = { month: string; processor: string; files: { batch: number; lines: Line[] }[] }
type Sums = Map<number, number>
/**
 * `withheld` is what agents would earn of inactive merchants; `named` are the agents who have something of
 * the month, `stated` those whose statement shows something (agents 2), before carry.
 */
type Reckoned = {
  earned: Sums
  withheld: Sums
  house: number
  net: number
  named: Set<number>
  stated: Set<number>
}
export type Lock = Reckoned & {
  month: string
  version: number
  by: string
  isInForce: boolean
  copy: Copy
  carryin: Sums
  /** As the records of the agents had them. */
  accounts: (Account | undefined)[]
  /** Known once the portal answered it. */
  hash: string
}
/** `minimum` is the least that is paid to a payee, in cents. */
type Terms = { minimum: number } & Pick<MoneySettings, 'netNegative' | 'amountBasis'>
/**
 * What a lock copied: records with the rates of its month, its lines, the MIDs that the month names, and the
 * settings of the first version.
 */
type Copy = {
  records: Records
  lines: Line[]
  mids: Set<string>
  terms: Terms
  /** What was taken over and not put back, by its key, in the order in which it was taken. */
  taken: Map<string, Difference>
}
export type Payment = {
  month: string
  version: number
  payee: number
  account: Account
  cents: number
  effective: string
  how: 'file' | 'other'
  /** Known once the ledger listed it. */
  trace: string
  /** The number of its release. */
  release: number
  allocations: [agent: number, cents: number][]
  returned: string | null
}
type Hold = { agent: number; month: string | null; isReturn: boolean }
type Approval = { month: string; version: number; pays: string; by: string; isUsed: boolean }
export type PayoutBook = {
  records: Records
  lines: Line[]
  processorMonths: ProcessorMonth[]
  adjustments: Adjustment[]
  late: LateRow[]
  terms: Terms
  locks: Lock[]
  payments: Payment[]
  holds: Hold[]
  approval: Approval | null
  /** What months are worked out from that were opened again. */
  reopened: Map<string, Copy>
}

const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0)
export const inForce = (book: PayoutBook, month: string) =>
  book.locks.find((lock) => lock.month === month && lock.isInForce)
/** The newest month that is locked. */
export const newestLock = (book: PayoutBook): Lock | undefined =>
  book.locks.filter((lock) => lock.isInForce).sort((a, b) => (a.month < b.month ? 1 : -1))[0]
export const versionOf = (book: PayoutBook, month: string) =>
  Math.max(0, ...book.locks.filter((lock) => lock.month === month).map(({ version }) => version))
/** Whether a later month was ever locked. */
export const isRunClosed = (book: PayoutBook, month: string) => book.locks.some((lock) => lock.month > month)
const monthsWithData = (book: PayoutBook) =>
  [...new Set([...book.lines, ...book.adjustments, ...book.locks].map(({ month }) => month))].sort()
/** The files of each processor and month as they count now. */
export const linesOf = (processorMonths: readonly ProcessorMonth[]) =>
  processorMonths.flatMap(({ files }) => files.at(-1)?.lines ?? [])

/** The subscriptions that are collected in a month, by their records. */
const collectedIn = (book: PayoutBook, { subscriptions }: Records, month: string): Subscription[] => {
  const last = newestLock(book)?.month ?? ''
  const openBefore = monthsWithData(book).filter((it) => it > last && it < month)
  return subscriptions.filter(
    ({ start, end, remaining }) =>
      (start ?? month) <= month &&
      month <= (end ?? month) &&
      (remaining === null || remaining > openBefore.filter((it) => it >= (start ?? it)).length),
  )
}
/** The terminals that are paid in a month, each with the agent that sold it. */
const soldIn = ({ terminals, shops }: Records, month: string): Terminal[] =>
  terminals.flatMap((it) => {
    const agent = it.agent ?? shops.find(({ id }) => id === it.shop)?.agent
    return it.month === month && agent !== undefined ? [{ ...it, month, agent, shop: null }] : []
  })
/** The month whose newest version has paid a terminal, locked or open again. */
export const copiedMonth = (book: PayoutBook, terminal: number): string | undefined =>
  book.locks
    .filter(({ month, version }) => version === versionOf(book, month))
    .filter(({ copy }) => copy.records.terminals.some(({ id }) => id === terminal))
    .map(({ month }) => month)
    .sort()
    .at(-1)
/** The month that is locked next, if there is one. */
export const firstOpen = (book: PayoutBook): string | undefined => {
  const last = newestLock(book)?.month ?? ''
  return monthsWithData(book).find((month) => month > last)
}

/** The settings of a month that is open. */
const termsIn = ({ reopened, terms }: PayoutBook, month: string): Terms => reopened.get(month)?.terms ?? terms

/** An agent, its parent and so on to the top. */
function upwards({ agents }: Records, first: number): number[] {
  const chain: number[] = []
  for (
    let agent = agents.find(({ id }) => id === first);
    agent && !chain.includes(agent.id);
    agent = agents.find(({ id }) => id === agent?.parent)
  )
    chain.push(agent.id)
  return chain
}

/** What each agent earns in a month by these records, what the house keeps, and the net of the files. */
export function reckonMonth(book: PayoutBook, records: Records, month: string): Reckoned {
  const of = <R extends { month: string }>(rows: R[]) => rows.filter((row) => row.month === month)
  const [reckoned] = reckon({
    agents: records.agents.map((it) => ({ ...it, payee: null })),
    shops: records.shops,
    lines: of(book.lines),
    terminals: soldIn(records, month),
    subscriptions: records.subscriptions.map((it) => ({ ...it, start: null, end: null, remaining: null })),
    adjustments: of(book.adjustments),
    rates: records.rates,
    settings: { ...termsIn(book, month), minimum: 0 },
  })
  const settled = [...(reckoned?.settled ?? [])]
  const agentOf = new Map(records.shops.map((shop) => [xmidOf(shop.id), shop.agent]))
  const merchants = of(book.lines).flatMap(({ xmid }) => agentOf.get(xmid) ?? [])
  const extras = reckoned?.extras ?? []
  return {
    named: new Set([
      ...[...merchants, ...soldIn(records, month).flatMap(({ agent }) => agent ?? [])].flatMap((id) =>
        upwards(records, id),
      ),
      ...(reckoned?.paid ?? []).map(({ agent }) => agent),
      ...extras.map(({ agent }) => agent),
    ]),
    stated: new Set([
      ...merchants,
      ...settled.flatMap(([id, it]) => (it.own || it.override || it.withheld ? [id] : [])),
      ...extras.flatMap(({ agent, amount }) => (amount === 0 ? [] : [agent])),
    ]),
    earned: new Map(settled.map(([id, it]) => [id, it.own + it.override + it.extras])),
    withheld: new Map(settled.map(([id, it]) => [id, it.withheld])),
    house: total(reckoned?.house.values() ?? []),
    net: total(of(book.lines).map(({ income, expense }) => income - expense)),
  }
}

const hasOffice = ({ agents }: Pick<Records, 'agents'>, agent: number) =>
  agents.some(({ id, office }) => id === agent && office)
export const isOffice = (book: PayoutBook, agent: number) => hasOffice(book.records, agent)
/** Whether the lock copied the agent as an office account. */
export const wasOffice = ({ copy }: Lock, agent: number) => hasOffice(copy.records, agent)
/**
 * What an agent earned by the locks in force of the months that `counts`. What it earned as an office account
 * is the house's.
 */
const earnedOf = (book: PayoutBook, agent: number, counts: (month: string) => boolean) =>
  total(
    book.locks
      .filter((lock) => lock.isInForce && counts(lock.month) && !wasOffice(lock, agent))
      .map(({ earned }) => earned.get(agent) ?? 0),
  )
/** What was paid to an agent for these months and did not come back. */
export const paidOf = (book: PayoutBook, agent: number, counts: (month: string) => boolean) =>
  total(
    book.payments
      .filter((it) => it.returned === null && counts(it.month))
      .flatMap(({ allocations }) => allocations.filter(([id]) => id === agent).map(([, cents]) => cents)),
  )
export const balanceOf = (book: PayoutBook, agent: number, counts: (month: string) => boolean = () => true) =>
  earnedOf(book, agent, counts) - paidOf(book, agent, counts)
/** What is carried into a month by its records: nothing of an office account. */
const carriedInto = (book: PayoutBook, month: string): Sums =>
  new Map(
    recordsIn(book, month).agents.map(({ id, office }) => [
      id,
      office ? 0 : balanceOf(book, id, (it) => it < month),
    ]),
  )

/** The percentage of an agent in a month. */
const percentIn = ({ rates }: Records, { id, percent }: AgentRecord, month: string): number =>
  rates
    .filter((rate) => rate.agent === id && rate.from <= month)
    .sort((a, b) => (a.from < b.from ? 1 : -1))[0]?.percent ?? percent

/** `agents` are those who have a statement: an agent that the copies lack is not copied without one. */
const copyOf = (book: PayoutBook, records: Records, month: string, agents: Set<number>): Copy => ({
  records: structuredClone({
    ...records,
    agents: records.agents
      .filter(({ id }) => agents.has(id))
      .map((agent) => ({ ...agent, percent: percentIn(records, agent, month) })),
    terminals: soldIn(records, month),
    rates: [],
  }),
  lines: book.lines.filter((line) => line.month === month),
  terms: termsIn(book, month),
  taken: new Map(),
  mids: new Set([
    ...book.lines.filter((line) => line.month === month).map(({ xmid }) => xmid),
    ...book.adjustments.flatMap((it) => (it.month === month && it.shop !== null ? [xmidOf(it.shop)] : [])),
  ]),
})

/** The agents of a copy, and those that it lacks as their records are. */
export const agentsBeside = (book: PayoutBook, copied: readonly AgentRecord[], month: string) => [
  ...copied,
  ...book.records.agents
    .filter(({ id }) => !copied.some((it) => it.id === id))
    .map((agent) => ({ ...agent, percent: percentIn(book.records, agent, month) })),
]

/** Who has a statement of an open month: of one that was opened again not everybody whom its copy lacks. */
export const statedIn = (book: PayoutBook, month: string, { named }: Reckoned, carried: Sums) => {
  const copied = book.reopened.get(month)?.records.agents ?? book.records.agents
  const lacking = book.records.agents.filter(({ id }) => named.has(id) || carried.get(id))
  return new Set([...copied, ...lacking].map(({ id }) => id))
}

/** The records that an open month is worked out from; a MID that the copy lacks is as its record is. */
export function recordsIn(book: PayoutBook, month: string): Records {
  const copy = book.reopened.get(month)
  if (!copy) return { ...book.records, subscriptions: collectedIn(book, book.records, month) }
  const isNamed = ({ id }: Shop) => copy.mids.has(xmidOf(id))
  const shops = [
    ...copy.records.shops.filter(isNamed),
    ...book.records.shops.filter((shop) => !isNamed(shop)),
  ]
  return { ...copy.records, agents: agentsBeside(book, copy.records.agents, month), shops }
}

export function lock(book: PayoutBook, month: string, by: string): Lock {
  const records = recordsIn(book, month)
  const reckoned = reckonMonth(book, records, month)
  const carryin = carriedInto(book, month)
  const copy = copyOf(book, records, month, statedIn(book, month, reckoned, carryin))
  const today = (id: number) => book.records.agents.find((it) => it.id === id)
  const made: Lock = {
    ...reckoned,
    month,
    version: versionOf(book, month) + 1,
    by,
    isInForce: true,
    copy,
    carryin: new Map(copy.records.agents.map(({ id }) => [id, carryin.get(id) ?? 0])),
    accounts: copy.records.agents.map(({ id }) => today(id)?.entered ?? today(id)?.account),
    hash: '',
  }
  book.locks.push(made)
  book.reopened.delete(month)
  changeMonthsLeft(book, made, -1)
  return made
}

/** One of a limited number of months is counted by each lock that collects it, and back by a reopening. */
function changeMonthsLeft(book: PayoutBook, { copy }: Lock, step: 1 | -1): void {
  const collected = new Set(copy.records.subscriptions.map(({ id }) => id))
  book.records.subscriptions = book.records.subscriptions.map((it) =>
    it.remaining !== null && collected.has(it.id) ? { ...it, remaining: it.remaining + step } : it,
  )
}

export function reopen(book: PayoutBook, month: string): void {
  const lock = inForce(book, month)!
  lock.isInForce = false
  book.reopened.set(month, structuredClone(lock.copy))
  changeMonthsLeft(book, lock, 1)
}

/**
 * `agent` is whom the record of today names as a parent, or as who earns, null for nobody; `write` puts what
 * the record says today into records of the month.
 */
type Difference = { key: string; agent: number | null; write: (records: Records) => void }
const payeeOf = ({ account, entered }: AgentRecord) => (entered ?? account).payee

function agentDifferences(book: PayoutBook, { records }: Copy, month: string): Difference[] {
  return book.records.agents.flatMap((now) => {
    const was = records.agents.find(({ id }) => id === now.id)
    if (!was) return []
    const percent = percentIn(book.records, now, month)
    const { id, parent, office, payoninactive, account, entered } = now
    const differs = (
      kind: string,
      fields: Partial<AgentRecord>,
      agent: number | null = null,
    ): Difference => ({
      key: `${kind}:${id}${kind === 'agent-rate' ? ' percentagecommissionreceived' : ''}`,
      agent,
      write: ({ agents }) =>
        void Object.assign(
          agents.find((it) => it.id === id)!,
          fields,
        ),
    })
    return [
      percent !== was.percent && differs('agent-rate', { percent }),
      parent !== was.parent && differs('agent-parent', { parent }, parent),
      office !== was.office && differs('agent-office', { office }),
      payoninactive !== was.payoninactive && differs('agent-inactive', { payoninactive }),
      payeeOf(now) !== payeeOf(was) && differs('agent-payee', { account, entered }),
    ].filter((it) => it !== false)
  })
}

function shopDifferences(book: PayoutBook, { records, mids }: Copy): Difference[] {
  const named = (shops: Shop[]) => shops.filter(({ id }) => mids.has(xmidOf(id)))
  const without = (from: Records, id: number) => from.shops.filter((it) => it.id !== id)
  const removed = named(records.shops)
    .filter(({ id }) => !book.records.shops.some((now) => now.id === id))
    .map(({ id }): Difference => ({
      key: `merchant-removed:${xmidOf(id)}`,
      agent: null,
      write: (into) => void (into.shops = without(into, id)),
    }))
  const changed = named(book.records.shops).flatMap((now): Difference[] => {
    const was = records.shops.find(({ id }) => id === now.id)
    const { id, agent, status, closed } = now
    if (!was)
      return [
        {
          key: `merchant-added:${xmidOf(id)}`,
          agent,
          write: (into) => void (into.shops = [...without(into, id), { id, agent, status, closed }]),
        },
      ]
    // A merchant that is not in the month any more changes nothing of it.
    const differs = (kind: string, fields: Partial<Shop>): Difference => ({
      key: `${kind}:${xmidOf(id)}`,
      agent: fields.agent ?? null,
      write: ({ shops }) => void Object.assign(shops.find((it) => it.id === id) ?? {}, fields),
    })
    return [
      agent !== was.agent && differs('merchant-agent', { agent }),
      (closed !== was.closed || status !== was.status) && differs('merchant-status', { status, closed }),
    ].filter((it) => it !== false)
  })
  return [...changed, ...removed]
}

function subscriptionDifferences(book: PayoutBook, { records }: Copy, month: string): Difference[] {
  const today = collectedIn(book, book.records, month)
  const ids = [...today, ...records.subscriptions].map(({ id }) => id)
  return [...new Set(ids)].flatMap((id) => {
    const [now, was] = [today, records.subscriptions].map((it) => it.find((one) => one.id === id))
    const taken = now && { ...now }
    const write = (into: Records) => {
      const others = into.subscriptions.filter((it) => it.id !== id)
      into.subscriptions = taken ? [...others, taken] : others
    }
    return now?.amount === was?.amount ? [] : [{ key: `subscription:${id}`, agent: null, write }]
  })
}

function terminalDifferences(book: PayoutBook, { records }: Copy, month: string): Difference[] {
  const [today, copied] = [book.records, records].map((it) => soldIn(it, month)) as [Terminal[], Terminal[]]
  return [...new Set([...today, ...copied].map(({ id }) => id))].flatMap((id) => {
    const [now, was] = [today, copied].map((it) => it.find((one) => one.id === id))
    const write = (into: Records) => {
      const others = into.terminals.filter((it) => it.id !== id)
      into.terminals = now ? [...others, now] : others
    }
    const shown = (it?: Terminal) => JSON.stringify(it && [it.agent, it.cost, it.soldfor])
    const agent = now?.agent ?? null
    return shown(now) === shown(was) ? [] : [{ key: `terminal:${id}`, agent, write }]
  })
}

/** Lets today's record count in a reopened month. */
export function takeOver(book: PayoutBook, month: string, difference: Difference) {
  const { records, taken } = book.reopened.get(month)!
  difference.write(records)
  taken.delete(difference.key)
  taken.set(difference.key, difference)
}

/** Lets the copy of the last lock count again, with all else that was taken over. */
export function takeBack(book: PayoutBook, month: string, keys: readonly string[]) {
  const copy = book.reopened.get(month)!
  for (const key of keys) copy.taken.delete(key)
  const last = book.locks.filter((it) => it.month === month).at(-1)!
  copy.records = structuredClone(last.copy.records)
  for (const { write } of copy.taken.values()) write(copy.records)
}

/** What differs today from the copy that a reopened month is worked out from. */
export function differencesOf(book: PayoutBook, month: string): Difference[] {
  const copy = book.reopened.get(month)
  return copy
    ? [
        ...agentDifferences(book, copy, month),
        ...shopDifferences(book, copy),
        ...subscriptionDifferences(book, copy, month),
        ...terminalDifferences(book, copy, month),
      ]
    : []
}

/** `office` is as the lock has it: nothing is offered for such a statement. */
type Offer = {
  agent: number
  office: boolean
  payee: number
  due: number
  paid: number
  offer: number
  held: boolean
}
export type RunEntry = {
  payee: number
  account: Account
  due: number
  released: number
  payable: number
  held: boolean
  agents: number[]
  allocations: [agent: number, cents: number][]
}

export const dueOf = (lock: Lock, agent: number) =>
  (lock.earned.get(agent) ?? 0) + (lock.carryin.get(agent) ?? 0)

function offersOf(book: PayoutBook, lock: Lock): Offer[] {
  const isCopied = ({ id }: AgentRecord) => lock.copy.records.agents.some((it) => it.id === id)
  return book.records.agents.filter(isCopied).map(({ id, office: isOfficeNow, account, entered }) => {
    const due = dueOf(lock, id)
    const paid = paidOf(book, id, (month) => month === lock.month)
    const payee = account.payee ?? id
    const office = wasOffice(lock, id)
    const isHeld = book.holds.some((hold) => hold.agent === id && hold.month === lock.month)
    return {
      agent: id,
      office,
      payee,
      due,
      paid,
      offer: office || isRunClosed(book, lock.month) ? 0 : Math.min(due - paid, balanceOf(book, id)),
      held: isHeld || isOfficeNow || (entered !== null && payee !== id),
    }
  })
}
/** A statement of an office account stands in a run only by what an earlier version paid of it. */
const canStand = ({ office, paid }: Offer) => !office || paid !== 0

const isHeldByPerson = (book: PayoutBook, payee: number) =>
  book.holds.some((hold) => hold.agent === payee && hold.month === null)
const isPayeeHeld = (book: PayoutBook, lock: Lock, { id, office, account, entered }: AgentRecord) =>
  office ||
  wasOffice(lock, id) ||
  entered !== null ||
  account.routing === '' ||
  account.number === '' ||
  isHeldByPerson(book, id)

/** What was due to an agent by the version before. */
const dueBefore = (book: PayoutBook, { month, version }: Lock, agent: number) => {
  const before = book.locks.find((it) => it.month === month && it.version === version - 1)
  return before ? dueOf(before, agent) : 0
}

/**
 * The payout run of a locked month: one entry for each payee somebody of whom is due or was paid something,
 * or that a person holds (payouts 2).
 */
export function runOf(book: PayoutBook, lock: Lock): RunEntry[] {
  const offers = offersOf(book, lock)
  const entries = book.records.agents.map((payee): RunEntry => {
    const together = offers.filter((it) => it.payee === payee.id)
    const counted = together.filter(({ held, offer }) => !held || offer < 0)
    const net = total(counted.map(({ offer }) => offer))
    const isHeld = isPayeeHeld(book, lock, payee)
    const keeps = (it: Offer) => (it.held && it.offer > 0) || (it.office && it.due !== it.paid)
    const payable = !isHeld && net > 0 && net >= lock.copy.terms.minimum ? net : 0
    const paying = payable > 0 ? counted.filter(({ offer }) => offer !== 0) : []
    const shown = together
      .filter(canStand)
      .filter(
        (it) =>
          isHeldByPerson(book, payee.id) ||
          it.due !== 0 ||
          it.paid !== 0 ||
          paying.includes(it) ||
          dueBefore(book, lock, it.agent) !== 0,
      )
    return {
      payee: payee.id,
      account: payee.account,
      due: total(shown.map(({ due }) => due)),
      released: total(shown.map(({ paid }) => paid)),
      payable,
      held: isHeld || (payable === 0 && shown.some(keeps)),
      agents: shown.map(({ agent }) => agent),
      allocations: paying.map(({ agent, offer }) => [agent, offer]),
    }
  })
  return entries.filter(({ agents }) => agents.length > 0)
}

/**
 * The entries of a run that is closed: what was paid at the payee of then, and the rest of each statement at
 * the payee of today.
 */
export function closedRunOf(book: PayoutBook, lock: Lock): Pick<RunEntry, 'payee' | 'due' | 'released'>[] {
  const paid = book.payments
    .filter((it) => it.month === lock.month && it.returned === null)
    .flatMap(({ payee, allocations }) => allocations.map(([agent, cents]) => ({ payee, agent, cents })))
  const rests = offersOf(book, lock)
    .filter(canStand)
    .filter(
      ({ agent, due, paid: before }) =>
        due !== before || (dueBefore(book, lock, agent) !== 0 && !paid.some((it) => it.agent === agent)),
    )
  return book.records.agents.flatMap(({ id }) => {
    const [here, left] = [paid, rests].map((parts) => parts.filter(({ payee }) => payee === id)) as [
      typeof paid,
      typeof rests,
    ]
    const released = total(here.map(({ cents }) => cents))
    const rest = total(left.map(({ due, paid: before }) => due - before))
    return here.length + left.length > 0 ? [{ payee: id, due: released + rest, released }] : []
  })
}

/** What a run pays, as a text that is the same while nothing of it changes. */
export const paysOf = (entries: RunEntry[]): string =>
  JSON.stringify(
    entries
      .filter(({ payable }) => payable > 0)
      .map(({ payee, account: { routing, number, checking, business }, payable, allocations }) => [
        payee,
        [routing, number, checking, business],
        payable,
        allocations,
      ]),
  )

/** Whether the approval holds for this lock. */
export const isApproved = (book: PayoutBook, lock: Lock): boolean =>
  book.approval !== null &&
  !book.approval.isUsed &&
  book.approval.month === lock.month &&
  book.approval.version === lock.version &&
  book.approval.pays === paysOf(runOf(book, lock))

/** The state of a month on an ISO day. */
export function stateOf(book: PayoutBook, month: string, today: string): string {
  const lock = inForce(book, month)
  if (!lock) return 'open'
  if (!isRunClosed(book, month) && isApproved(book, lock)) return 'approved'
  const days = book.payments
    .filter((it) => it.month === month && it.version === lock.version)
    .map(({ effective }) => effective)
    .sort()
  if (days.length === 0) return 'locked'
  return bankDayAfter(days.at(-1)!, 5) <= today ? 'settled' : 'released'
}

/**
 * Books what the run pays. Throws when a payee would get more than the balances it is paid for: no rule may
 * lead there.
 */
export function release(
  book: PayoutBook,
  lock: Lock,
  { how, effective }: Pick<Payment, 'how' | 'effective'>,
): Payment[] {
  const number = 1 + Math.max(0, ...book.payments.map((it) => it.release))
  const made = runOf(book, lock)
    .filter(({ payable }) => payable > 0)
    .map(({ payee, account, payable, allocations }): Payment => {
      const balances = total(allocations.map(([agent]) => balanceOf(book, agent)))
      if (payable > balances) throw new Error(`${payable} to ${payee}, whose balances are ${balances}`)
      return {
        month: lock.month,
        version: lock.version,
        payee,
        account,
        cents: payable,
        effective,
        how,
        trace: '',
        release: number,
        allocations,
        returned: null,
      }
    })
  book.payments.push(...made)
  book.approval!.isUsed = true
  return made
}

/** What is carried into the first open month, if the newest run is paid as it is. */
export function forecastOf(book: PayoutBook, month: string): Sums {
  const last = newestLock(book)
  const paid = new Map(last ? runOf(book, last).flatMap(({ allocations }) => allocations) : [])
  const { agents } = recordsIn(book, month)
  return new Map(
    [...carriedInto(book, month)].map(([id, carried]) => [
      id,
      hasOffice({ agents }, id) ? 0 : carried - (paid.get(id) ?? 0),
    ]),
  )
}
