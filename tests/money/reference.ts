import { xmidOf, type Agent, type Book, type Line, type Shop } from './book.ts'

/** Cents of a percentage (ten-thousandths of a percent) of cents, half away from zero. */
export const share = (percent: number, cents: number): number => {
  const product = BigInt(percent) * BigInt(Math.abs(cents))
  const rounded = Number((product + 500_000n) / 1_000_000n)
  return cents < 0 ? -rounded : rounded
}

export type Paid = {
  agent: number
  from: number | null
  xmid: string
  processor: string
  percent: number
  flat: number
  amount: number
  withheld: number
}
export type Extra = { agent: number; kind: 'equipment' | 'subscription' | 'adjustment'; amount: number }
export type Settled = {
  own: number
  override: number
  withheld: number
  extras: number
  carryin: number
  due: number
  payable: number
  carryout: number
}

/**
 * A second implementation of the money rules (money 2, 15), one merchant and one agent after the other, in
 * whole cents.
 */
export function reckon(book: Book) {
  const agents = new Map(book.agents.map((agent) => [agent.id, agent]))
  const shops = new Map(book.shops.map((shop) => [xmidOf(shop.id), shop]))
  const months = [
    ...new Set([...book.lines, ...book.adjustments, ...book.terminals].map(({ month }) => month)),
  ].sort()

  const percentOf = (agent: Agent, month: string) => {
    const held = book.rates
      .filter((rate) => rate.agent === agent.id && rate.from <= month)
      .sort((a, b) => (a.from < b.from ? 1 : -1))
    const isFirst = book.rates.some((rate) => rate.agent === agent.id && rate.isFirst)
    return held[0]?.percent ?? (isFirst ? 0 : agent.percent)
  }
  /** From the agent itself up to the top, with what each earns by the difference rule. */
  const chainOf = (first: number, rate: (agent: Agent) => number) => {
    const links: { agent: Agent; from: number | null; percent: number }[] = []
    let highest = 0
    for (
      let agent = agents.get(first), from: number | null = null;
      agent;
      from = agent.id, agent = agent.parent === null ? undefined : agents.get(agent.parent)
    ) {
      const percent = rate(agent)
      links.push({ agent, from, percent: from === null ? percent : Math.max(0, percent - highest) })
      highest = Math.max(highest, percent)
    }
    return links
  }
  const isInactive = (shop: Shop | undefined, month: string) =>
    shop?.status === 3 && (!shop.closed || shop.closed < month)
  const processes = (line: Line) => {
    const shop = shops.get(line.xmid)
    return shop !== undefined && !isInactive(shop, line.month) && (line.txns > 0 || line.sales !== 0)
  }
  const order = (a: Line, b: Line) =>
    a.xmid < b.xmid ? -1 : a.xmid > b.xmid ? 1 : a.processor < b.processor ? -1 : 1
  const timesOf = (line: Line) => {
    if (!processes(line)) return 0
    if (book.settings.amountBasis === 'perTransaction') return line.txns
    const same = (other: Line) =>
      book.settings.amountBasis === 'perAgentMonth'
        ? shops.get(other.xmid)?.agent === shops.get(line.xmid)!.agent
        : other.xmid === line.xmid
    const peers = book.lines
      .filter((other) => other.month === line.month && processes(other) && same(other))
      .sort(order)
    return peers[0] === line ? 1 : 0
  }

  const linesOf = (month: string): { paid: Paid[]; house: Map<string, number> } => {
    const paid: Paid[] = []
    const house = new Map<string, number>()
    for (const line of book.lines.filter((line) => line.month === month)) {
      const net = line.income - line.expense
      const shop = shops.get(line.xmid)
      let left = net
      for (const { agent, from, percent } of shop
        ? chainOf(shop.agent, (agent) => percentOf(agent, month))
        : []) {
        if (from !== null && percent === 0) continue
        const flat = from === null ? agent.flat * timesOf(line) : 0
        const earned = share(percent, book.settings.netNegative === 'floor' ? Math.max(net, 0) : net) + flat
        const isHeld = isInactive(shop, month) && !agent.payoninactive
        paid.push({
          agent: agent.id,
          from,
          xmid: line.xmid,
          processor: line.processor,
          percent,
          flat,
          amount: isHeld ? 0 : earned,
          withheld: isHeld ? earned : 0,
        })
        if (!isHeld) left -= earned
      }
      house.set(`${line.processor} ${line.xmid}`, left)
    }
    return { paid, house }
  }

  const extrasOf = (month: string): Extra[] => {
    const sold = book.terminals
      .filter((it) => it.month === month)
      .flatMap((it): Extra[] => {
        const seller = it.agent ?? book.shops.find(({ id }) => id === it.shop)?.agent
        const links = seller === undefined ? [] : chainOf(seller, (agent) => agent.eqpercent)
        return links
          .filter(({ from, percent }) => from === null || percent > 0)
          .map(({ agent, from, percent }) => ({
            agent: agent.id,
            kind: 'equipment',
            amount: share(percent, it.soldfor - it.cost) + (from === null ? agent.eqflat : 0),
          }))
      })
    const collected = book.subscriptions.flatMap((it): Extra[] => {
      const turns = months.filter((other) => (it.start ?? other) <= other && other <= (it.end ?? other))
      return turns.slice(0, it.remaining ?? turns.length).includes(month)
        ? [{ agent: it.agent, kind: 'subscription', amount: -it.amount }]
        : []
    })
    const adjusted = book.adjustments
      .filter((it) => it.month === month)
      .map((it): Extra => {
        return {
          agent: it.agent ?? book.shops.find(({ id }) => id === it.shop)!.agent,
          kind: 'adjustment',
          amount: it.amount,
        }
      })
    return [...sold, ...collected, ...adjusted]
  }

  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const carried = new Map<number, number>()
  const settle = (month: string): Map<number, Settled> => {
    const { paid } = linesOf(month)
    const extras = extrasOf(month)
    const stated = new Map(
      book.agents.map((agent) => {
        const mine = paid.filter((line) => line.agent === agent.id)
        const own = sum(mine.filter(({ from }) => from === null).map(({ amount }) => amount))
        const override = sum(mine.filter(({ from }) => from !== null).map(({ amount }) => amount))
        const more = sum(extras.filter((extra) => extra.agent === agent.id).map(({ amount }) => amount))
        const carryin = agent.office ? 0 : (carried.get(agent.id) ?? 0)
        return [
          agent.id,
          {
            own,
            override,
            withheld: sum(mine.map(({ withheld }) => withheld)),
            extras: more,
            carryin,
            due: own + override + more + carryin,
          },
        ] as const
      }),
    )
    return new Map(
      book.agents.map((agent): [number, Settled] => {
        const payable = payableOf(agent, stated)
        const { due } = stated.get(agent.id)!
        const carryout = agent.office ? 0 : due - payable
        carried.set(agent.id, carryout)
        return [agent.id, { ...stated.get(agent.id)!, payable, carryout }]
      }),
    )
  }
  /** All statements of one payee are netted, and what is left is paid whole or not at all. */
  const payableOf = (agent: Agent, stated: ReadonlyMap<number, { due: number }>): number => {
    const payee = agents.get(agent.payee ?? agent.id)!
    const together = book.agents.filter((it) => !it.office && (it.payee ?? it.id) === payee.id)
    const net = sum(together.map(({ id }) => stated.get(id)!.due))
    const isPaid =
      !payee.office && (payee.bank ?? 'good') === 'good' && net > 0 && net >= book.settings.minimum
    return isPaid && !agent.office ? stated.get(agent.id)!.due : 0
  }
  return months.map((month) => ({
    month,
    ...linesOf(month),
    extras: extrasOf(month),
    settled: settle(month),
  }))
}
