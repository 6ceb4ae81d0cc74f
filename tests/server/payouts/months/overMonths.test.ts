import { afterEach, describe, expect, test } from 'vitest'
import type { Finding, Payout } from '../../../../schemas/api/months/months.ts'
import { payoutPortal, type PayoutPortal } from '../payoutPortal.ts'

let portal: PayoutPortal
afterEach(() => portal.close())

const [before, month, next, third] = ['2025-12', '2026-01', '2026-02', '2026-03'] as const

const send = (of: string, hash: string, date: string) =>
  portal.call('bob', 'POST', `/api/v1/month/${of}/release`, { hash, how: 'other', date })
/** Approves the run and marks it as paid on a day. */
async function pay(of: string, date: string) {
  const answer = await send(of, await portal.approve(of), date)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
/** Locks the month after agents earned something in it. */
async function lockWith(of: string, earned: readonly (readonly [agent: number, amount: number])[]) {
  for (const [agent, amount] of earned) await portal.earn(agent, of, amount)
  await portal.lock(of)
}
/** Opens the month again, adds to what agents earned, and locks it. */
async function correct(of: string, earned: readonly (readonly [agent: number, amount: number])[] = []) {
  await portal.reopen(of)
  await lockWith(of, earned)
}
async function takeBack(of: string, trace: string, date: string, code = 'R17') {
  const answer = await portal.call('bob', 'POST', `/api/v1/month/${of}/return`, { trace, code, date })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const payments = () =>
  portal.db.query<{ trace: string; payeeid: number; amount: number }>(
    'select trace, payeeid, amount from payout_payment order by id',
  )
/** [payee, due, paid already, paid by the run, why not] of each entry. */
const run = async (of: string) =>
  (await portal.entries(of)).map(({ id, due, released, payable, hold }) => [id, due, released, payable, hold])
const report = async (id: string, inputs: object, columns: readonly string[]) => {
  const { body } = await portal.call('bob', 'POST', `/api/v1/report/${id}`, inputs)
  return body.data.map((row: Record<string, unknown>) => columns.map((column) => row[column]))
}
/** What each payee was paid in a year, as the tax form says. */
const taxed = (year: number) => report('agent-1099-totals', { year }, ['displayid', 'paid', 'reportable'])
/** What is said of the payments of a year besides the amount of the tax office and what is counted. */
const taxNotes = async (year: number, who: 'bob' | 'branch' = 'bob') => {
  const { body } = await portal.call(who, 'POST', '/api/v1/report/agent-1099-totals', { year })
  return body.notes.slice(2)
}
const payoutOf = (of: string) =>
  report('ach-payout', { month: of }, ['displayid', 'statements', 'amount', 'held', 'hold'])
const setMinimum = (dollars: number) =>
  portal.db.query(
    `insert into setting (name, value) values ('money.minimumPayout', $1)
      on conflict (name) do update set value = excluded.value`,
    [String(dollars)],
  )

describe('over the end of a year', () => {
  test('a December that is paid in two versions counts in the year of each payment, and what came back in that in which it is paid again', async () => {
    portal = await payoutPortal(2)
    await lockWith(before, [[2, 600]])
    await pay(before, '2025-12-31')
    await correct(before, [[2, 10]])
    await pay(before, '2026-01-02')
    expect([await taxed(2025), await taxed(2026)]).toEqual([[['MA0002', 600, true]], [['MA0002', 10, false]]])
    await portal.reopen(before)
    await takeBack(before, (await payments())[0]!.trace, '2026-01-05')
    expect([await taxed(2025), await taxed(2026)]).toEqual([[], [['MA0002', 10, false]]])
    await portal.lock(before)
    expect(await run(before)).toEqual([[2, 610, 10, 600, null]])
    await pay(before, '2026-01-06')
    expect([await taxed(2025), await taxed(2026)]).toEqual([[], [['MA0002', 610, false]]])
  })

  test.each([
    ['2025-12-31', '2025-12-31', null, null],
    ['2026-01-01', '2026-01-01', '2 payments, $110.00, to MA0002, MA0004', '1 payment, $50.00, to MA0002'],
    ['2025-12-31', '2026-01-01', '1 payment, $30.00, to MA0004', null],
  ])(
    'payments of 2025 that came back on %s and %s are named in its totals where that is after it: %s, to a branch %s',
    async (day, other, all, own) => {
      portal = await payoutPortal(4)
      await portal.db.query('update master_agent set payeeid = 2 where id = 3')
      await lockWith(before, [
        [2, 50],
        [3, 30],
        [4, 30],
      ])
      await pay(before, '2025-12-31')
      const [first, second] = await payments()
      await takeBack(before, first!.trace, day)
      await takeBack(before, second!.trace, other)
      const note = (what: string | null) =>
        what === null
          ? []
          : [
              `Not counted: ${what}, which came back after the end of 2025. ` +
                'Check the forms that were filed before.',
            ]
      expect([await taxNotes(2025), await taxNotes(2025, 'branch')]).toEqual([note(all), note(own)])
      expect([await taxed(2025), await taxNotes(2024), await taxNotes(2026)]).toEqual([[], [], []])
    },
  )

  test('thirteen months below the minimum are paid as one sum in the year of the payment, and are due again as one when it comes back', async () => {
    portal = await payoutPortal(2)
    await setMinimum(100)
    const months = Array.from({ length: 13 }, (_, at) =>
      new Date(Date.UTC(2024, 6 + at)).toISOString().slice(0, 7),
    )
    for (const of of months) await lockWith(of, [[2, 7.7]])
    const [first, last] = [months[0]!, months.at(-1)!]
    expect([first, last]).toEqual(['2024-07', '2025-07'])
    expect(await payoutOf(months.at(-2)!)).toEqual([
      ['MA0002', 'MA0002', 0, 92.4, 'Below the minimum payout'],
    ])
    await pay(last, '2025-07-10')
    const carried = await report('carry-forward', { month: last }, ['month', 'amount'])
    expect(carried).toEqual(months.slice(0, -1).map((of) => [of, 7.7]))
    expect([await taxed(2024), await taxed(2025)]).toEqual([[], [['MA0002', 100.1, false]]])
    await takeBack(last, (await payments())[0]!.trace, '2025-07-14')
    await lockWith('2025-08', [[2, 0.01]])
    expect(await run('2025-08')).toEqual([[2, 100.11, 0, 100.11, null]])
    expect(await taxed(2025)).toEqual([])
  })
})

describe('an approval', () => {
  test('of one version releases no other of the same content, nor the same run once it was paid and came back', async () => {
    portal = await payoutPortal(2)
    await lockWith(month, [[2, 60]])
    const hash = await portal.approve(month)
    await correct(month)
    expect(await portal.hash(month)).toBe(hash)
    const refused = async () => {
      const { status, body } = await send(month, hash, '2026-03-10')
      return [status, body.error]
    }
    const unapproved = [409, 'January 2026 is not approved']
    expect(await refused()).toEqual(unapproved)
    await pay(month, '2026-03-10')
    await takeBack(month, (await payments())[0]!.trace, '2026-03-11')
    expect(await portal.hash(month)).toBe(hash)
    expect(await refused()).toEqual(unapproved)
    expect(await payments()).toHaveLength(1)
  })

  test('of a difference is void when what an earlier version paid comes back before the release', async () => {
    portal = await payoutPortal(2)
    await lockWith(month, [[2, 50]])
    await pay(month, '2026-03-10')
    await correct(month, [[2, 10]])
    const hash = await portal.approve(month)
    await takeBack(month, (await payments())[0]!.trace, '2026-03-11')
    const { status, body } = await send(month, hash, '2026-03-12')
    expect([status, body.error]).toEqual([
      409,
      'January 2026 is not approved. The approval of bob is void. MA0002 - Agent 2: $10.00 approved, now $60.00',
    ])
  })

  test('is void while the payee of an agent is an office account, and counts again once it is none', async () => {
    portal = await payoutPortal(3)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    await lockWith(month, [
      [2, 60],
      [3, 40],
    ])
    const hash = await portal.approve(month)
    const path = '/api/v1/masteragent/2'
    const turned = async (isofficeaccount: boolean) => {
      const { body } = await portal.call('admin', 'GET', path)
      const put = await portal.call('admin', 'PUT', path, { version: body.version, isofficeaccount })
      expect(put.status).toBe(200)
      return (await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)).body as Payout
    }
    const office = await turned(true)
    expect([office.state, office.total, office.notes]).toEqual([
      'locked',
      0,
      ['The approval of bob is void', 'MA0002 - Agent 2: $100.00 approved, now $0.00'],
    ])
    expect((await send(month, hash, '2026-03-10')).status).toBe(409)
    expect((await turned(false)).state).toBe('approved')
    expect((await send(month, hash, '2026-03-10')).body).toMatchObject({ payments: 1, total: 100 })
  })
})

describe('what is paid and carried', () => {
  test('of two payees with one account is two entries of the file, and that of one comes back and is held by itself', async () => {
    portal = await payoutPortal(4)
    await (
      await portal.enter(4, { bankaccountnumber: '001232' })
    )()
    await lockWith(month, [
      [2, 60],
      [4, 60],
    ])
    const hash = await portal.approve(month)
    const file = await portal.call('bob', 'POST', `/api/v1/month/${month}/release`, { hash, how: 'file' })
    const entries = String(file.body)
      .split('\n')
      .filter((line) => line.startsWith('6'))
    const account = '622021000021001232           0000006000'
    expect(entries.map((line) => [line.slice(0, 39), line.slice(39, 45)])).toEqual([
      [account, 'MA0002'],
      [account, 'MA0004'],
    ])
    await portal.db.query('alter table payout_payment disable trigger payout_payment_grows')
    await portal.db.query(`update payout_payment set effective = '2026-03-10'`)
    await takeBack(month, await portal.trace(month, 4), '2026-03-12', 'R02')
    await lockWith(next, [[2, 1]])
    expect(await run(next)).toEqual([
      [2, 1, 0, 1, null],
      [4, 60, 0, 0, 'Held by bob: payment returned, R02 Account closed'],
    ])
  })

  test('of a payee that is held is what is left when it falls below nothing and rises again', async () => {
    portal = await payoutPortal(3)
    await portal.call('bob', 'POST', '/api/v1/masteragent/2/hold', { reason: 'Dispute' })
    const hold = 'Held by bob: Dispute'
    for (const [of, amount, due] of [
      [before, 60, 60],
      [month, -100, -40],
      [next, 70, 30],
    ] as const) {
      await lockWith(of, [[2, amount]])
      expect(await run(of)).toEqual([[2, due, 0, 0, hold]])
    }
    await portal.call('bob', 'POST', '/api/v1/masteragent/2/unhold', { reason: 'Over' })
    await pay(next, '2026-03-10')
    await lockWith(third, [[3, 1]])
    expect(await run(third)).toEqual([[3, 1, 0, 1, null]])
  })

  test('of single cents is paid from the first one on, by payee and not by agent', async () => {
    portal = await payoutPortal(5)
    await portal.db.query('update master_agent set payeeid = 4 where id = 5')
    await lockWith(month, [
      [2, 0.01],
      [3, -0.01],
      [4, 0.01],
      [5, -0.01],
    ])
    expect(await payoutOf(month)).toEqual([
      ['MA0002', 'MA0002', 0.01, 0, null],
      ['MA0003', 'MA0003', 0, -0.01, 'Negative balance'],
      ['MA0004', 'MA0004, MA0005', 0, 0, null],
    ])
    await pay(month, '2026-03-10')
    await lockWith(next, [
      [3, 0.01],
      [4, -0.01],
      [5, 0.02],
    ])
    expect(await run(next)).toEqual([[4, 0.01, 0, 0.01, null]])
  })

  test('of a corrected month must reach the minimum of its first version by the difference alone', async () => {
    portal = await payoutPortal(4)
    await setMinimum(25)
    await lockWith(month, [
      [2, 100],
      [3, 100],
      [4, 100],
    ])
    await pay(month, '2026-03-10')
    await setMinimum(1)
    await correct(month, [
      [2, 24.99],
      [3, 25],
      [4, 25.01],
    ])
    expect(await payoutOf(month)).toEqual([
      ['MA0002', 'MA0002', 100, 24.99, 'Below the minimum payout'],
      ['MA0003', 'MA0003', 125, 0, null],
      ['MA0004', 'MA0004', 125.01, 0, null],
    ])
    await pay(month, '2026-03-11')
    await lockWith(next, [[3, 1]])
    expect(await run(next)).toEqual([
      [2, 24.99, 0, 24.99, null],
      [3, 1, 0, 1, null],
    ])
  })

  test('of one of three payments with the same amount is due again once, and the others stay', async () => {
    portal = await payoutPortal(2)
    await lockWith(month, [[2, 20]])
    await pay(month, '2026-03-10')
    for (const date of ['2026-03-11', '2026-03-12']) {
      await correct(month, [[2, 20]])
      await pay(month, date)
    }
    await takeBack(month, (await payments())[1]!.trace, '2026-03-12')
    expect(await run(month)).toEqual([[2, 60, 40, 20, null]])
    await pay(month, '2026-03-13')
    const days = { from: '03/01/2026', to: '03/31/2026' }
    expect(await report('payout-history', days, ['version', 'amount', 'back'])).toEqual([
      [1, 20, 0],
      [2, 20, 20],
      [3, 20, 0],
      [3, 20, 0],
    ])
  })

  test('of an adjustment that is moved out of a month that was paid and opened again is not paid twice', async () => {
    portal = await payoutPortal(3)
    await lockWith(month, [
      [2, 50],
      [3, 5],
    ])
    await pay(month, '2026-03-10')
    await portal.reopen(month)
    const [row] = await portal.db.query<{ id: number; version: number }>(
      'select id, version from adjustment where masteragentid = 2',
    )
    const { id, version } = row!
    const moved = await portal.call('admin', 'PUT', `/api/v1/adjustment/${id}`, { version, month: next })
    expect(moved.status).toBe(200)
    await portal.lock(month)
    expect(await run(month)).toEqual([
      [2, 0, 50, 0, null],
      [3, 5, 5, 0, null],
    ])
    await lockWith(next, [[3, 5]])
    expect(await run(next)).toEqual([[3, 5, 0, 5, null]])
  })

  test('of an agent without a rate whose child has one is nothing, the child and who stands above are paid, and a later rate does not reach back', async () => {
    portal = await payoutPortal(4)
    const { db } = portal
    await db.query(
      `update master_agent a set parentid = x.parent, percentagecommissionreceived = x.percent
        from (values (2, 4, null), (3, 2, 50), (4, 1, 70)) x (id, parent, percent) where x.id = a.id`,
    )
    await db.query(
      `insert into merchant (xmid, dba, masteragentid, accountstatus) values ('M2', 'Two', 2, 2), ('M3', 'Three', 3, 2)`,
    )
    await db.query(
      `insert into import_batch (id, kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        overriding system value values (1, 'compdata', 'x', '', 0, 'x', 2, 2, 0, 0)`,
    )
    await db.query(
      `insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
        select m, 'Aurora', x, 1, 10, 100, 0, 100, 1
        from unnest(array['M2', 'M3']) x, unnest(array['2026-01-01', '2026-02-01']::date[]) m`,
    )
    const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}`)
    const above = (body.findings as Finding[]).filter(({ kind }) => kind === 'percent-above-parent')
    expect(above.map(({ where }) => where)).toEqual(['MA0003 Agent 3 50 %, MA0002 Agent 2 0 %'])
    await portal.lock(month)
    const paid = [
      [3, 50, 0, 50, null],
      [4, 90, 0, 90, null],
    ]
    expect(await run(month)).toEqual(paid)
    const path = '/api/v1/masteragent/2'
    const { body: agent } = await portal.call('admin', 'GET', path)
    const rate = { version: agent.version, percentagecommissionreceived: 60, ratesfrom: next }
    expect((await portal.call('admin', 'PUT', path, rate)).status).toBe(200)
    expect(await run(month)).toEqual(paid)
    await correct(month)
    expect(await run(month)).toEqual(paid)
    await pay(month, '2026-03-10')
    await portal.lock(next)
    expect(await run(next)).toEqual([
      [2, 70, 0, 70, null],
      [3, 50, 0, 50, null],
      [4, 20, 0, 20, null],
    ])
  })

  test('of an agent whose payee was changed after it was paid too much is taken from that payee', async () => {
    portal = await payoutPortal(4)
    await lockWith(month, [
      [2, 50],
      [4, 100],
    ])
    await pay(month, '2026-03-10')
    await portal.reopen(month)
    await (
      await portal.enter(2, { payeeid: 4 })
    )()
    await lockWith(month, [
      [2, -20],
      [4, 30],
    ])
    await pay(month, '2026-03-11')
    expect(await payoutOf(month)).toEqual([
      ['MA0002', 'MA0002', 50, 0, null],
      ['MA0004', 'MA0002, MA0004', 110, 0, null],
    ])
    expect(await taxed(2026)).toEqual([
      ['MA0002', 50, false],
      ['MA0004', 110, false],
    ])
  })
})

test('the hold of a statement ends with its run: the next month warns of it before its lock and pays what was carried', async () => {
  portal = await payoutPortal(6)
  await portal.db.query('update master_agent set payeeid = 2 where id = 5')
  await lockWith(month, [
    [2, 50],
    [3, 5],
    [4, -7],
    [5, 9],
    [6, 3],
  ])
  const held = (what: 'hold' | 'unhold', masteragentid: number) =>
    portal.call('bob', 'POST', `/api/v1/month/${month}/${what}`, {
      masteragentid,
      statement: true,
      reason: 'Disputed',
    })
  for (const agent of [2, 4, 5, 6]) await held('hold', agent)
  await held('unhold', 6)
  const warned = async () => {
    const { body } = await portal.call('ann', 'GET', `/api/v1/month/${next}`)
    return (body.findings as Finding[])
      .filter(({ kind }) => ['statement-hold', 'unreleased-run'].includes(kind))
      .map(({ key, severity, where, amount, link }) => [key, severity, where, amount, link])
  }
  const link = `/payouts?month=${month}`
  const unreleased = ['unreleased-run:2026-01', 'warning', '$8.00 to 2 payees', 8, link]
  const ends = [
    [
      'statement-hold:2026-01 2',
      'warning',
      'MA0002 Agent 2, January 2026, due $50.00. Held by bob: Disputed',
      50,
      link,
    ],
    [
      'statement-hold:2026-01 5',
      'warning',
      'MA0005 Agent 5, January 2026, due $9.00. Held by bob: Disputed',
      9,
      link,
    ],
  ]
  await portal.earn(3, next, 1)
  expect(await warned()).toEqual([unreleased, ...ends])
  await pay(month, '2026-03-10')
  expect(await warned()).toEqual(ends)
  const lock = (body: object) => portal.call('ann', 'POST', `/api/v1/month/${next}/lock`, body)
  expect((await lock({})).body.findings).toHaveLength(2)
  const waived = await portal.call('ann', 'POST', `/api/v1/month/${next}/waive`, {
    kind: 'statement-hold',
    reason: 'Both were settled',
  })
  expect(waived.status).toBe(200)
  expect((await lock({})).status).toBe(200)
  expect(await run(next)).toEqual([
    [2, 59, 0, 59, null],
    [3, 1, 0, 1, null],
    [4, -7, 0, 0, null],
  ])
  // The run of January is closed for good: its holds warn of nothing more.
  await portal.reopen(next)
  expect(await warned()).toEqual([])
})
