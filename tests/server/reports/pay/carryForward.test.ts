import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedIn } from '../../../testPortal.ts'
import { payoutPortal, type PayoutPortal } from '../../payouts/payoutPortal.ts'
import { answered } from '../ledger.ts'

let portal: PayoutPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await payoutPortal(6)
  admin = await portal.login('admin', 'nine tall green lanterns')
  // Agent 5 is paid to agent 4.
  await portal.db.query('update master_agent set payeeid = 4 where id = 5')
})
afterAll(() => portal.close())

/*
 * The oracle: what was earned and what was paid is written down here as the portal is told of it, in cents.
 * It reads no table and no view of the ledger.
 */
type Paid = { agent: number; month: string; cents: number; payment: string }
const earned = new Map<string, number>()
let paid: Paid[] = []
const earn = async (month: string, amounts: Record<number, number>) => {
  for (const [agent, amount] of Object.entries(amounts)) {
    await portal.earn(Number(agent), month, amount)
    const key = `${agent} ${month}`
    earned.set(key, (earned.get(key) ?? 0) + Math.round(amount * 100))
  }
}
/** Pays the run; an entry that pays something pays each statement of its payee that is not zero. */
const pay = async (month: string, statements: Record<number, Record<number, number>>) => {
  const entries = (await portal.entries(month)).filter(({ payable }) => payable !== 0)
  expect(Object.fromEntries(entries.map(({ id, payable }) => [id, payable]))).toEqual(
    Object.fromEntries(
      Object.entries(statements).map(([payee, of]) => [payee, cents(Object.values(of)) / 100]),
    ),
  )
  await portal.pay(month)
  for (const [payee, of] of Object.entries(statements))
    for (const [agent, amount] of Object.entries(of))
      paid.push({
        agent: Number(agent),
        month,
        cents: Math.round(amount * 100),
        payment: `${payee} ${month}`,
      })
}
const cents = (amounts: number[]) => amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0)
const comeBack = async (month: string, payee: number) => {
  const [payment] = await portal.db.query<{ id: number }>(
    `select p.id from payout_payment p join payout_release r on r.id = p.releaseid
      where r.month = $1 and p.payeeid = $2`,
    [`${month}-01`, payee],
  )
  await portal.db.query(
    `insert into payout_return (paymentid, code, day, username, address) values ($1, 'R17', '2026-03-11', 'x', '')`,
    [payment!.id],
  )
  paid = paid.filter((it) => it.payment !== `${payee} ${month}`)
}
const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05']
/** From which months an agent's carry into a month comes, in cents: what was earned less what was paid. */
const expectedParts = (agent: number, into: string): [string, number][] => {
  const parts = months
    .filter((month) => month < into)
    .map((month): [string, number] => [
      month,
      (earned.get(`${agent} ${month}`) ?? 0) -
        paid.filter((it) => it.agent === agent && it.month === month).reduce((sum, it) => sum + it.cents, 0),
    ])
  let balance = 0
  let settled = 0
  parts.forEach(([, amount], at) => {
    balance += amount
    if (balance === 0) settled = at + 1
  })
  return parts.slice(settled).filter(([, amount]) => amount !== 0)
}
const expectedRows = (into: string) =>
  [2, 3, 4, 5, 6].flatMap((agent) =>
    expectedParts(agent, into).map(([month, amount]) => [`MA000${agent}`, month, amount]),
  )

const shown = async (into: string) => {
  const { rows, totals, body } = await answered(admin, 'carry-forward', { month: into }, [
    'displayid',
    'month',
    'amount',
    'earned',
    'paid',
  ])
  for (const [, , amount, one, other] of rows)
    expect(Math.round(Number(amount) * 100)).toBe(cents([Number(one), -Number(other)]))
  return {
    rows: rows.map(([id, month, amount]) => [id, month, Math.round(Number(amount) * 100)]),
    total: Math.round(Number(totals![2]) * 100),
    notes: body.notes as string[],
  }
}
/** The parts are those of the oracle, and add up to the Carried In of each agent, on every report. */
const check = async (into: string) => {
  const { rows, total } = await shown(into)
  expect(rows).toEqual(expectedRows(into))
  const summary = await answered(admin, 'residual-summary', { month: into }, ['displayid', 'carryin'])
  for (const [id, carryin] of summary.rows.filter(([name]) => name !== '')) {
    const parts = rows.filter(([agent]) => agent === id).map(([, , amount]) => Number(amount))
    expect([id, parts.reduce((sum, amount) => sum + amount, 0)]).toEqual([
      id,
      Math.round(Number(carryin) * 100),
    ])
    const agent = Number(String(id).slice(2))
    const { rows: lines, totals } = await answered(
      admin,
      'agent-residual-statement',
      { month: into, agent },
      ['section', 'description', 'amount'],
    )
    expect(
      lines.filter(([section]) => section === 'Carry').map(([, , amount]) => cents([Number(amount)])),
    ).toEqual(parts)
    const [, , due] = totals!
    const summed = await answered(admin, 'residual-summary', { month: into }, ['displayid', 'due'])
    expect([id, due]).toEqual([id, summed.rows.find(([other]) => other === id)![1]])
  }
  expect(total).toBe(rows.reduce((sum, [, , amount]) => sum + Number(amount), 0))
  return rows
}

describe('what is carried names the months it comes from, over five months with an oracle of its own:', () => {
  test('a negative balance is carried from its month, and one that was paid from none', async () => {
    await earn('2026-01', { 2: 100, 3: -30, 4: 50.55, 5: -20, 6: 7 })
    await portal.lock('2026-01')
    await earn('2026-02', { 2: 10, 3: 50, 4: 0.01, 5: 5, 6: -1 })
    // Not paid yet: the run counts as paid in an open month.
    expect((await shown('2026-02')).rows).toEqual([['MA0003', '2026-01', -3000]])
    expect((await shown('2026-02')).notes).toContain('Paid counts what the newest payout run still pays.')
    await pay('2026-01', { 2: { 2: 100 }, 4: { 4: 50.55, 5: -20 }, 6: { 6: 7 } })
    expect(await check('2026-02')).toEqual([['MA0003', '2026-01', -3000]])
  })

  test('a held payee carries its month, and another month that settles a balance ends it', async () => {
    await portal.lock('2026-02')
    expect(await check('2026-02')).toEqual([['MA0003', '2026-01', -3000]])
    const hold = { masteragentid: 2, reason: 'Asked to wait' }
    expect((await portal.call('bob', 'POST', '/api/v1/month/2026-02/hold', hold)).status).toBe(200)
    await pay('2026-02', { 3: { 3: 20 }, 4: { 4: 0.01, 5: 5 } })
    await earn('2026-03', { 2: 5, 3: 1, 6: -2 })
    expect(await check('2026-03')).toEqual([
      ['MA0002', '2026-02', 1000],
      ['MA0006', '2026-02', -100],
    ])
  })

  test('a payment that comes back before the lock is carried from the month it was paid for', async () => {
    await comeBack('2026-01', 4)
    expect(await check('2026-03')).toEqual([
      ['MA0002', '2026-02', 1000],
      ['MA0004', '2026-01', 5055],
      ['MA0005', '2026-01', -2000],
      ['MA0006', '2026-02', -100],
    ])
    await portal.lock('2026-03')
    await check('2026-03')
  })

  test('one that comes back after the lock changes nothing of it, and is carried into the next month', async () => {
    const before = await shown('2026-03')
    await comeBack('2026-02', 3)
    expect(await shown('2026-03')).toEqual(before)
    expect(before.notes).toEqual(['Paid is what was paid and had not come back when the month was locked.'])
    await pay('2026-03', { 3: { 3: 1 }, 4: { 4: 50.55, 5: -20 } })
    await earn('2026-04', { 4: 3 })
    expect(await check('2026-04')).toEqual([
      ['MA0002', '2026-02', 1000],
      ['MA0002', '2026-03', 500],
      ['MA0003', '2026-01', -3000],
      ['MA0003', '2026-02', 5000],
      ['MA0006', '2026-02', -100],
      ['MA0006', '2026-03', -200],
    ])
  })

  test('each version keeps its own, and the one in force is shown', async () => {
    await portal.lock('2026-04')
    const first = await check('2026-04')
    await portal.reopen('2026-04')
    await portal.reopen('2026-03')
    // What was paid for March itself is not carried into it, open or locked again.
    const intoMarch = await check('2026-03')
    expect(intoMarch).toContainEqual(['MA0003', '2026-02', 5000])
    await earn('2026-03', { 6: 4 })
    await portal.lock('2026-03')
    expect(await check('2026-03')).toEqual(intoMarch)
    await portal.lock('2026-04')
    const second = await check('2026-04')
    expect(second).not.toEqual(first)
    expect(second).toContainEqual(['MA0006', '2026-03', 200])
    await earn('2026-05', { 2: 1 })
    const forecast = await shown('2026-05')
    await pay('2026-04', { 3: { 3: 20 }, 4: { 4: 3 }, 6: { 6: 1 } })
    expect(await check('2026-05')).toEqual([
      ['MA0002', '2026-02', 1000],
      ['MA0002', '2026-03', 500],
    ])
    expect(forecast.rows).toEqual(expectedRows('2026-05'))
  })

  test('the label of the statement and the files name the month', async () => {
    const inputs = { month: '2026-04', agent: 3 }
    const { rows } = await answered(admin, 'agent-residual-statement', inputs, [
      'section',
      'description',
      'amount',
    ])
    expect(rows.filter(([section]) => section === 'Carry')).toEqual([
      ['Carry', 'Carried forward from January 2026', -30],
      ['Carry', 'Carried forward from February 2026', 50],
    ])
    for (const [type, sent, text] of [
      ['agent-residual-statement', inputs, 'Carried forward from February 2026'],
      ['carry-forward', { month: '2026-04' }, 'MA0003,Agent 3,2026-02,50.00,0.00,50.00'],
    ] as const) {
      const file = await admin.call('POST', `/api/v1/report/${type}/export?format=csv`, sent)
      expect(String(file.body)).toContain(text)
      expect((await admin.call('POST', `/api/v1/report/${type}/export?format=xlsx`, sent)).status).toBe(200)
    }
  })
})

test.each(['portfolio-summary', 'attrition'])(
  'a month locked without merchants, files and daily volume adds up to control totals of nothing: %s',
  async (type) => {
    for (const [to, those] of [
      ['01/31/2026', 'the lock'],
      ['03/31/2026', 'the locks'],
    ]) {
      const { rows, body } = await answered(admin, type, { from: '01/01/2026', to }, ['displayid'])
      expect(rows).toEqual([])
      expect(body.notes).toContain(`The figures add up to the control totals of ${those}.`)
    }
  },
)

test('behind an open month nothing is known of it, and a lock from before kept no months', async () => {
  await portal.earn(2, '2026-06', 1)
  const unknown = await shown('2026-06')
  expect(unknown.rows).toEqual([])
  expect(unknown.notes).toEqual([
    expect.stringMatching(/^June 2026 is open: these are the figures of /),
    'What is carried forward is not known until May 2026 is locked.',
  ])
  await portal.db.query(`update month_lock set copies = 2 where month = '2026-04-01'`)
  const { rows, body } = await answered(admin, 'carry-forward', { month: '2026-04' }, [
    'displayid',
    'month',
    'earned',
    'paid',
    'amount',
  ])
  expect(rows).toContainEqual(['MA0003', null, null, null, 20])
  expect(body.notes).toEqual(['April 2026 was locked before the portal kept the months of what is carried.'])
  const lines = await answered(admin, 'agent-residual-statement', { month: '2026-04', agent: 3 }, [
    'description',
  ])
  expect(lines.rows).toContainEqual(['Carried forward'])
})
