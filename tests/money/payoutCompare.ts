import { expect } from 'vitest'
import {
  balanceOf,
  closedRunOf,
  differencesOf,
  dueOf,
  firstOpen,
  forecastOf,
  inForce,
  isRunClosed,
  newestLock,
  paidOf,
  reckonMonth,
  recordsIn,
  runOf,
  statedIn,
  stateOf,
  versionOf,
  wasOffice,
  type Lock,
} from './payoutBook.ts'
import { months } from './payoutOrigin.ts'
import type { Scenario } from './payoutScenario.ts'

const wire = (month: string) => month.slice(0, 7)
const monthName = (month: string) =>
  new Date(month).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const cents = (dollars: number) => Math.round(dollars * 100)
const idOf = (displayid: string) => Number(displayid.slice(2))
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

async function answered<T>(
  scenario: Scenario,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> {
  const answer = await scenario.call('bob', method, path, body)
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body as T
}

async function compareStates(scenario: Scenario) {
  const { data } = await answered<{ data: { month: string; state: string; version: number }[] }>(
    scenario,
    'GET',
    '/api/v1/month',
  )
  const found = data.filter(({ month }) => months.some((it) => wire(it) === month))
  expect(found.map((it) => [it.month, it.state, it.version])).toEqual(
    [...months]
      .reverse()
      .map((month) => [
        wire(month),
        stateOf(scenario.book, month, scenario.today),
        versionOf(scenario.book, month),
      ]),
  )
}

type Shown = {
  hash: string
  entries: { masteragentid: number; due: number; released: number; payable: number; hold: string | null }[]
}
export const readPayout = (scenario: Scenario, month: string) =>
  answered<Shown>(scenario, 'GET', `/api/v1/month/${wire(month)}/payout`)

async function compareRun(scenario: Scenario, lock: Lock) {
  const { entries } = await readPayout(scenario, lock.month)
  if (isRunClosed(scenario.book, lock.month)) {
    scenario.count('a closed run')
    expect(
      entries.map((it) => [it.masteragentid, cents(it.due), cents(it.released), cents(it.payable)]),
      `the closed run of ${lock.month}`,
    ).toEqual(closedRunOf(scenario.book, lock).map((it) => [it.payee, it.due, it.released, 0]))
    return
  }
  expect(
    entries.map((it) => [
      it.masteragentid,
      cents(it.due),
      cents(it.released),
      cents(it.payable),
      it.hold !== null,
    ]),
    `the run of ${lock.month}`,
  ).toEqual(runOf(scenario.book, lock).map((it) => [it.payee, it.due, it.released, it.payable, it.held]))
}

type LedgerRow = {
  month: string
  version: number
  masteragentid: number
  amount: number
  account: string
  how: string
  effective: string
  trace: string
  returncode: string | null
  allocations: { masteragentid: number; amount: number }[]
}
const byAgent = (a: [number, number], b: [number, number]) => a[0] - b[0]

/** Compares all payments, and learns the trace numbers of new ones. */
async function compareLedger(scenario: Scenario): Promise<LedgerRow[]> {
  const { data } = await answered<{ data: LedgerRow[] }>(scenario, 'GET', '/api/v1/ledger?page=1&size=100')
  const told = data.map((it) => ({
    month: it.month,
    version: it.version,
    payee: it.masteragentid,
    cents: cents(it.amount),
    account: it.account.slice(-4),
    how: it.how,
    effective: it.effective,
    returned: it.returncode,
    allocations: it.allocations
      .map((one): [number, number] => [one.masteragentid, cents(one.amount)])
      .sort(byAgent),
  }))
  const reckoned = scenario.book.payments.map((it) => ({
    month: wire(it.month),
    version: it.version,
    payee: it.payee,
    cents: it.cents,
    account: it.account.number.slice(-4),
    how: it.how,
    effective: it.effective,
    returned: it.returned,
    allocations: it.allocations,
  }))
  const order = (a: (typeof told)[number], b: (typeof told)[number]) =>
    JSON.stringify([a.month, a.version, a.effective, a.payee, a.cents, a.allocations, a.returned]) <
    JSON.stringify([b.month, b.version, b.effective, b.payee, b.cents, b.allocations, b.returned])
      ? -1
      : 1
  expect(told.sort(order)).toEqual(reckoned.sort(order))
  for (const payment of scenario.book.payments) {
    const free = data.find(
      (row) =>
        row.masteragentid === payment.payee &&
        cents(row.amount) === payment.cents &&
        row.returncode === payment.returned &&
        row.effective === payment.effective &&
        (payment.trace === row.trace ||
          (payment.trace === '' && !scenario.book.payments.some(({ trace }) => trace === row.trace))),
    )
    payment.trace = free!.trace
  }
  return data
}

type Summary = {
  data: Record<string, number> & { displayid: string }[]
  totals: Record<string, number>
}
const summaryOf = (scenario: Scenario, month: string) =>
  answered<Summary>(scenario, 'POST', '/api/v1/report/residual-summary', { month: wire(month) })
type SummaryRow = Record<string, number> & { displayid: string }
const earnedBy = (row: SummaryRow) =>
  cents(row.own!) +
  cents(row.override!) +
  cents(row.equipment!) +
  cents(row.adjustments!) -
  cents(row.subscriptions!)
const agentRows = ({ data }: Summary) =>
  (data as unknown as SummaryRow[]).filter(({ displayid }) => displayid.startsWith('MA'))

/** Shares and house are the net of the files, to the cent. */
function expectNothingLost({ data }: Summary, net: number) {
  const rows = data as unknown as SummaryRow[]
  const all = (name: string) => sum(rows.map((row) => cents(row[name] ?? 0)))
  expect([all('net'), all('own') + all('override') + all('house')]).toEqual([net, net])
}

/** What every agent earned and is due in the newest locked month, and what is left of it. */
async function compareLocked(scenario: Scenario, lock: Lock) {
  const { book } = scenario
  const summary = await summaryOf(scenario, lock.month)
  const pays = new Map(runOf(book, lock).flatMap(({ allocations }) => allocations))
  expect(
    agentRows(summary).map((row) => [
      idOf(row.displayid),
      earnedBy(row),
      cents(row.withheld!),
      cents(row.carryin!),
      cents(row.due!),
      cents(row.payable!),
      cents(row.carryout!),
    ]),
    `the summary of ${lock.month}`,
  ).toEqual(
    lock.copy.records.agents.map(({ id }) => {
      const payable = paidOf(book, id, (month) => month === lock.month) + (pays.get(id) ?? 0)
      const due = dueOf(lock, id)
      return [
        id,
        lock.earned.get(id) ?? 0,
        lock.withheld.get(id) ?? 0,
        lock.carryin.get(id) ?? 0,
        due,
        payable,
        wasOffice(lock, id) ? 0 : due - payable,
      ]
    }),
  )
  expectNothingLost(summary, lock.net)
}

async function compareOpen(scenario: Scenario, month: string) {
  const { book } = scenario
  const summary = await summaryOf(scenario, month)
  const reckoned = reckonMonth(book, recordsIn(book, month), month)
  const { earned, withheld, net } = reckoned
  const carried = forecastOf(book, month)
  const stated = [...statedIn(book, month, reckoned, carried)].sort((a, b) => a - b)
  expect(
    agentRows(summary).map((row) => [
      idOf(row.displayid),
      earnedBy(row),
      cents(row.withheld!),
      cents(row.carryin!),
    ]),
    `the summary of ${month}, which is open`,
  ).toEqual(stated.map((id) => [id, earned.get(id) ?? 0, withheld.get(id) ?? 0, carried.get(id) ?? 0]))
  expectNothingLost(summary, net)
}

/** The keys of what differs from the copies of a reopened month and was not taken over. */
export async function readDifferences(scenario: Scenario, month: string): Promise<string[]> {
  const { data } = await answered<{ data: { key: string; takenby: string | null }[] }>(
    scenario,
    'GET',
    `/api/v1/month/${wire(month)}/differences`,
  )
  return data.filter(({ takenby }) => takenby === null).map(({ key }) => key)
}
async function compareDifferences(scenario: Scenario, month: string) {
  const keys = differencesOf(scenario.book, month).map(({ key }) => key)
  expect((await readDifferences(scenario, month)).sort(), `the differences of ${month}`).toEqual(keys.sort())
}

/** Per agent: what was paid and did not come back, and the balance, are what was earned. */
function expectBalances(scenario: Scenario, ledger: LedgerRow[]) {
  const { book } = scenario
  const locked = months.flatMap((month) => inForce(book, month) ?? [])
  for (const { id } of book.records.agents) {
    const paid = sum(
      ledger
        .filter(({ returncode }) => returncode === null)
        .flatMap(({ allocations }) => allocations.filter((it) => it.masteragentid === id))
        .map(({ amount }) => cents(amount)),
    )
    const counted = locked.filter((lock) => !wasOffice(lock, id))
    const earned = sum(counted.map((lock) => lock.earned.get(id) ?? 0))
    expect(paid + balanceOf(book, id), `agent ${id}: paid and balance`).toBe(earned)
  }
}

async function compareYears(scenario: Scenario) {
  for (const year of [2025, 2026]) {
    const { data } = await answered<{ data: { displayid: string; paid: number }[] }>(
      scenario,
      'POST',
      '/api/v1/report/agent-1099-totals',
      { year },
    )
    const paid = new Map<number, number>()
    for (const it of scenario.book.payments)
      if (it.returned === null && it.effective.startsWith(`${year}-`))
        paid.set(it.payee, (paid.get(it.payee) ?? 0) + it.cents)
    if (paid.size > 0) scenario.count(`paid in ${year}`)
    expect(
      data.map((row) => [idOf(row.displayid), cents(row.paid)]),
      `payments of ${year}`,
    ).toEqual([...paid].sort(byAgent))
  }
}

type PayoutRow = { displayid: string; statements: string; bank: string; amount: number; held: number }

/** ACH Payout: what went to which payee and account, what the run pays, and what is left. */
async function comparePayout(scenario: Scenario, lock: Lock) {
  const { book } = scenario
  const pays = runOf(book, lock).filter(({ payable }) => payable > 0)
  const paid = [
    ...book.payments.filter((it) => it.month === lock.month && it.returned === null),
    ...pays.map(({ payee, account, allocations, payable }) => ({
      payee,
      account,
      allocations,
      cents: payable,
    })),
  ]
  const left = book.records.agents.map(({ id, account }) => {
    const paying = new Map(pays.flatMap(({ allocations }) => allocations)).get(id) ?? 0
    const earlier = paidOf(book, id, (month) => month === lock.month)
    return { agent: id, payee: account.payee ?? id, rest: dueOf(lock, id) - earlier - paying }
  })
  const { data } = await answered<{ data: PayoutRow[] }>(scenario, 'POST', '/api/v1/report/ach-payout', {
    month: wire(lock.month),
  })
  expect(
    data.map((row) => [
      idOf(row.displayid),
      row.statements.split(', ').map(idOf),
      cents(row.amount),
      cents(row.held),
      cents(row.amount) === 0 ? '' : row.bank,
    ]),
    `ACH Payout of ${lock.month}`,
  ).toEqual(
    book.records.agents.flatMap(({ id }) => {
      const mine = paid.filter(({ payee }) => payee === id)
      const rests = left.filter(({ payee, rest }) => payee === id && rest !== 0)
      const agents = [
        ...mine.flatMap((it) => it.allocations.map(([agent]) => agent)),
        ...rests.map((it) => it.agent),
      ]
      if (agents.length === 0) return []
      const amount = sum(mine.map((it) => it.cents))
      const accounts = [...new Set(mine.map(({ account }) => `*****${account.number.slice(-4)}`))].join(', ')
      return [
        [
          id,
          [...new Set(agents)].sort((a, b) => a - b),
          amount,
          sum(rests.map(({ rest }) => rest)),
          accounts,
        ],
      ]
    }),
  )
}

type CarryRow = { displayid: string; month: string; earned: number; paid: number; amount: number }

/** Carry Forward of the first open month: by months, up to the last one after which nothing was left. */
async function compareCarry(scenario: Scenario, month: string) {
  const { book } = scenario
  const last = newestLock(book)
  const paying = new Map(last ? runOf(book, last).flatMap(({ allocations }) => allocations) : [])
  const { data } = await answered<{ data: CarryRow[] }>(scenario, 'POST', '/api/v1/report/carry-forward', {
    month: wire(month),
  })
  const locked = months.filter((it) => it < month && inForce(book, it))
  const reckoned = recordsIn(book, month).agents.flatMap(({ id, office }) => {
    if (office) return []
    const parts = locked.map((it) => {
      const paid = paidOf(book, id, (of) => of === it) + (it === last?.month ? (paying.get(id) ?? 0) : 0)
      const lock = inForce(book, it)!
      return [id, wire(it), wasOffice(lock, id) ? 0 : (lock.earned.get(id) ?? 0), paid] as const
    })
    const balances = parts.map((_, at) =>
      sum(parts.slice(0, at + 1).map(([, , earned, paid]) => earned - paid)),
    )
    return parts
      .slice(balances.lastIndexOf(0) + 1)
      .filter(([, , earned, paid]) => earned !== paid)
      .map(([agent, of, earned, paid]) => [agent, of, earned, paid, earned - paid])
  })
  expect(
    data.map((row) => [
      idOf(row.displayid),
      row.month,
      cents(row.earned),
      cents(row.paid),
      cents(row.amount),
    ]),
    `Carry Forward of ${month}`,
  ).toEqual(reckoned)
}

/** Payout History of two years: what was paid and what came back. */
async function compareHistory(scenario: Scenario) {
  const { totals } = await answered<{ totals: { amount: number; back: number } }>(
    scenario,
    'POST',
    '/api/v1/report/payout-history',
    { from: '01/01/2025', to: '12/31/2026' },
  )
  const { payments } = scenario.book
  expect([cents(totals.amount), cents(totals.back)], 'Payout History').toEqual([
    sum(payments.map((it) => it.cents)),
    sum(payments.filter(({ returned }) => returned !== null).map((it) => it.cents)),
  ])
}

type LateShown = { masteragentid: number; amount: number; month: string; latemid: string; state: string }

/** What is proposed and was decided for MIDs that became known late; learns in which month it is. */
export async function compareLate(scenario: Scenario) {
  const { book } = scenario
  const path = '/api/v1/adjustment?search=Late&size=100'
  const { data } = await answered<{ data: LateShown[] }>(scenario, 'GET', path)
  const closed = newestLock(book)?.month ?? ''
  const first = book.lines.map(({ month }) => month).filter((month) => month > closed)
  for (const row of book.late) {
    const where = `, ${row.processor}, ${monthName(row.month)}`
    const shown = data.filter(({ latemid }) => latemid.endsWith(where))
    expect(
      shown.map((it) => [it.masteragentid, cents(it.amount), it.state]).sort(),
      `late ${row.processor} of ${row.month}`,
    ).toEqual(row.shares.map(([agent, amount]) => [agent, amount, row.state]).sort())
    const within = `${shown[0]!.month}-01`
    if (row.within === null && first.length > 0) expect(within).toBe(first.sort()[0])
    expect([row.within ?? within, shown.every(({ month }) => `${month}-01` === within)]).toEqual([
      within,
      true,
    ])
    row.within = within
  }
  expect(data.length, 'late adjustments').toBe(sum(book.late.map(({ shares }) => shares.length)))
}

/** What a step may have changed: only records of open months, or locks and holds too, or payments as well. */
export type Reach = 'records' | 'runs' | 'payments'

/** Compares what the portal says with the book. */
export async function compare(scenario: Scenario, reach: Reach): Promise<void> {
  const { book } = scenario
  await compareStates(scenario)
  await compareLate(scenario)
  const lock = newestLock(book)
  const ledger = await compareLedger(scenario)
  expectBalances(scenario, ledger)
  if (lock) await compareRun(scenario, lock)
  if (lock && reach !== 'records') await compareLocked(scenario, lock)
  const open = firstOpen(book)
  if (open) await compareOpen(scenario, open)
  if (open && book.reopened.has(open)) await compareDifferences(scenario, open)
  if (reach === 'payments') await compareYears(scenario)
}

/** Compares the reports that a person reads of what was paid, of all months. */
export async function compareReports(scenario: Scenario): Promise<void> {
  const { book } = scenario
  await compareHistory(scenario)
  for (const lock of months.flatMap((month) => inForce(book, month) ?? [])) {
    await comparePayout(scenario, lock)
    await compareRun(scenario, lock)
  }
  const open = firstOpen(book)
  if (open) await compareCarry(scenario, open)
}
