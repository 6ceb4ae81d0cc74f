import { afterEach, describe, expect, test } from 'vitest'
import type { Finding, Payout } from '../../../schemas/api/months/months.ts'
import { readMonthRun } from '../../../server/payouts/approval.ts'
import { testSecret } from '../../setup/postgres.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'
import { statementsOf } from '../lists/statements.ts'
import { returnFileOf } from './files/returnFiles.ts'
import { payoutPortal, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
afterEach(() => portal.close())

const [first, second, third] = ['2026-01', '2026-02', '2026-03'] as const
const paid = (entries: { id: number; payable: number }[]) =>
  Object.fromEntries(entries.map(({ id, payable }) => [id, payable]))

describe('a reopened month', () => {
  test('pays only the difference: of 60 after 50 it pays 10, and of 30 after 50 nothing, which leaves -20', async () => {
    portal = await payoutPortal()
    await portal.earn(2, first, 50)
    await portal.earn(3, first, 50)
    await portal.lock(first)
    expect(paid(await portal.entries(first))).toEqual({ 2: 50, 3: 50 })
    await portal.earn(2, second, 1)
    const { body: checked } = await portal.call('ann', 'GET', `/api/v1/month/${second}`)
    const unreleased = (checked.findings as Finding[]).find(({ kind }) => kind === 'unreleased-run')
    expect(unreleased!.where).toBe('$100.00 to 2 payees')
    await portal.pay(first)
    await portal.reopen(first)
    await (
      await portal.enter(2, { bankaccountnumber: '777000111' })
    )()
    await portal.earn(2, first, 10)
    await portal.earn(3, first, -20)
    await portal.earn(4, first, 1)
    await portal.lock(first)
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${first}/payout`)
    // What was released is of the version before.
    expect([body.state, body.releases.map((it: { version: number }) => it.version)]).toEqual(['locked', [1]])
    const before = (body.entries as Payout['entries']).map((it) => [
      it.masteragentid,
      it.duebefore,
      it.ischanged,
    ])
    // The account was confirmed before this version was locked, and after the first one.
    expect(before).toEqual([
      [2, 50, true],
      [3, 50, false],
      [4, 0, false],
    ])
    expect((await portal.entries(first)).slice(0, 2)).toEqual([
      { id: 2, due: 60, released: 50, payable: 10, hold: null },
      { id: 3, due: 30, released: 50, payable: 0, hold: null },
    ])
    await portal.pay(first)
    await portal.earn(3, second, 25)
    await portal.lock(second)
    expect(await portal.entries(second)).toEqual([
      { id: 2, due: 1, released: 0, payable: 1, hold: null },
      { id: 3, due: 5, released: 0, payable: 5, hold: null },
    ])
  })

  test('shows what was due by the version before alone, though there were earlier ones', async () => {
    portal = await payoutPortal()
    for (const amount of [50, 10, 5]) {
      if (amount < 50) await portal.reopen(first)
      await portal.earn(2, first, amount)
      if (amount < 50) await portal.earn(3, first, amount === 10 ? 7 : -7)
      await portal.lock(first)
    }
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${first}/payout`)
    const entries = [
      { masteragentid: 2, statements: [2], due: 65, duebefore: 60 },
      { masteragentid: 3, statements: [3], due: 0, duebefore: 7 },
    ]
    expect(body).toMatchObject({ version: 3, entries })
  })

  test('pays nothing again when nothing was changed', async () => {
    portal = await payoutPortal()
    await portal.earn(2, first, 50)
    await portal.lock(first)
    await portal.pay(first)
    await portal.reopen(first)
    await portal.lock(first)
    expect(await portal.entries(first)).toEqual([{ id: 2, due: 50, released: 50, payable: 0, hold: null }])
    const hash = await portal.hash(first)
    const refused = await portal.call('bob', 'POST', `/api/v1/month/${first}/approve`, { hash })
    expect([refused.status, refused.body.error]).toEqual([409, 'The payout run of January 2026 pays nobody'])
  })

  test('keeps agents above others from being deleted, whom its next version may pay for a late file', async () => {
    portal = await payoutPortal()
    await portal.db.query('update master_agent set parentid = 4 where id = 5')
    await portal.earn(3, first, 60)
    // The sum of both is nothing due.
    await portal.earn(2, first, 10)
    await portal.db.query(
      `insert into collection_subscription (masteragentid, amount, notes) values (2, 10, 'Desk')`,
    )
    await portal.lock(first)
    await portal.earn(3, second, 60)
    await portal.lock(second)
    await portal.db.query('update master_agent set parentid = 1 where id = 5')
    /** As if the last lock of a month had the agent 5 below another one. */
    const copyOtherwise = (month: string) =>
      portal.db.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(
          `update locked_agent set parentid = 1 where masteragentid = 5
            and lockid = (select max(id) from month_lock where month = $1)`,
          [`${month}-01`],
        )
      })
    const deleted = async (agent: number) => {
      const { status, body } = await portal.call('admin', 'DELETE', `/api/v1/masteragent/${agent}`)
      return [status, body?.error]
    }
    const never = 'This master agent cannot be deleted: it'
    const isParent = (month: string) => [
      409,
      `${never} is the parent of MA0005 in ${month} 2026, which was locked and may be opened again`,
    ]
    expect(await deleted(4)).toEqual(isParent('February'))
    await portal.reopen(second)
    expect(await deleted(4)).toEqual(isParent('February'))
    await copyOtherwise(second)
    expect(await deleted(4)).toEqual(isParent('January'))
    await portal.reopen(first)
    await portal.db.query('delete from adjustment where masteragentid = 2')
    await portal.db.query('delete from collection_subscription')
    expect(await deleted(4)).toEqual(isParent('January'))
    expect(await deleted(2)).toEqual([409, `${never} has a statement in February 2026, which was locked`])
    // Of the versions of a month the last one counts.
    await portal.lock(first)
    await portal.reopen(first)
    await copyOtherwise(first)
    expect(await deleted(4)).toEqual([204, undefined])
    expect(await deleted(5)).toEqual([204, undefined])
  })

  /** Sends a change of one record as admin. */
  const change = async (path: string, body: object) => {
    const { body: was } = await portal.call('admin', 'GET', path)
    const answer = await portal.call('admin', 'PUT', path, { version: was.version, ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const xmid = '400000000001'
  test.each<[what: string, key: string, path: string, taken: (id: number) => object, back: object]>([
    ['a parent', 'agent-parent:5', 'masteragent/5', (parentid) => ({ parentid }), { parentid: 1 }],
    [
      'the agent of a merchant',
      `merchant-agent:${xmid}`,
      'merchant/1',
      (masteragentid) => ({ masteragentid }),
      { masteragentid: 5 },
    ],
    [
      'the agent of a terminal',
      'terminal:1',
      'equipment/1',
      (masteragentid) => ({ masteragentid }),
      { masteragentid: 5 },
    ],
  ])(
    'keeps an agent from being deleted that it took over as %s, until the copy counts again',
    async (what, key, path, taken, back) => {
      portal = await payoutPortal()
      await portal.db.query(
        `insert into merchant (id, xmid, dba, masteragentid) overriding system value values (1, $1, 'One', 5)`,
        [xmid],
      )
      await portal.db.query(
        `insert into equipment (id, model, serialnumber, masteragentid, cost, soldfor, paidsofar, paidmonth)
          overriding system value values (1, 'T1', 'S1', 5, 10, 30, 30, $1)`,
        [`${first}-01`],
      )
      await portal.db.query(
        `insert into adjustment (merchantid, month, amount, reason, author) values (1, $1, 5, 'Refund', 'x')`,
        [`${first}-01`],
      )
      await portal.lock(first)
      const { body: made } = await portal.call('admin', 'POST', '/api/v1/masteragent', {
        name: 'New',
        parentid: 1,
      })
      await portal.reopen(first)
      await change(`/api/v1/${path}`, taken(made.id))
      const takeOver = (more: object) =>
        portal.call('bob', 'POST', `/api/v1/month/${first}/takeover`, { keys: [key], ...more })
      expect((await takeOver({})).status).toBe(200)
      await change(`/api/v1/${path}`, back)
      const remove = () => portal.call('admin', 'DELETE', `/api/v1/masteragent/${made.id}`)
      expect(await remove()).toMatchObject({
        status: 409,
        body: {
          error: `This master agent cannot be deleted: January 2026, which is open again, took it over as ${what}`,
        },
      })
      expect((await takeOver({ back: true })).status).toBe(200)
      expect((await remove()).status).toBe(204)
    },
  )

  test('takes over no agent that is deleted at the same moment', async () => {
    portal = await payoutPortal()
    await portal.earn(5, first, 60)
    await portal.lock(first)
    const { body: made } = await portal.call('admin', 'POST', '/api/v1/masteragent', {
      name: 'New',
      parentid: 1,
    })
    await portal.reopen(first)
    await change('/api/v1/masteragent/5', { parentid: made.id })
    const taken = await whileUncommitted(
      portal.db,
      async (tx) => {
        await tx.query('update master_agent set parentid = 1 where id = 5')
        await tx.query('delete from master_agent where id = $1', [made.id])
      },
      () => portal.call('bob', 'POST', `/api/v1/month/${first}/takeover`, { keys: ['agent-parent:5'] }),
    )
    expect(taken).toMatchObject({
      status: 409,
      body: { error: 'A master agent was deleted meanwhile: look at the differences again' },
    })
  })

  const typed = ({ trace, code }: { trace: string; code: string }) =>
    portal.call('bob', 'POST', `/api/v1/month/${first}/return`, { trace, code, date: '2026-03-12' })
  const fromFile = ({ trace, code }: { trace: string; code: string }) => {
    const text = returnFileOf([[{ trace, code, cents: 5_000 }]], '260312')
    return portal.call('bob', 'POST', '/api/v1/ledger/returnfile', { text, commit: true })
  }
  const unknown = 'Held by bob: payment returned, R03 No account, or unable to locate it'
  test.each([
    ['R17', 'typed', typed, null, { due: 60, payable: 60 }],
    ['R17', 'booked by a file of the bank', fromFile, null, { due: 60, payable: 60 }],
    ['R03', 'typed', typed, unknown, { due: 60, payable: 0 }],
    ['R03', 'booked by a file of the bank', fromFile, unknown, { due: 60, payable: 0 }],
  ])(
    'counts a payment that came back with %s, %s while it was open: its next lock says that it is due, and whether it is held',
    async (code, _, book, hold, wanted) => {
      portal = await payoutPortal()
      await portal.earn(2, first, 50)
      await portal.earn(3, first, 40)
      await portal.lock(first)
      await portal.pay(first)
      await portal.reopen(first)
      expect((await book({ trace: await portal.trace(first, 2), code })).status).toBe(200)
      expect(await portal.db.query('select code from payout_return')).toEqual([{ code }])
      await portal.earn(2, first, 10)
      await portal.lock(first)
      expect(await portal.entries(first)).toEqual([
        { id: 2, released: 0, hold, ...wanted },
        { id: 3, due: 40, released: 40, payable: 0, hold: null },
      ])
      await portal.earn(2, second, 1)
      await portal.lock(second)
      // The run of the month before was not released, so all of it is carried.
      expect((await portal.entries(second)).find(({ id }) => id === 2)).toMatchObject({ due: 61, hold })
    },
  )

  test("keeps a payee who was paid for others from being deleted, also when it is nobody's payee any more", async () => {
    portal = await payoutPortal()
    await portal.db.query('update master_agent set payeeid = 5 where id = 3')
    for (const month of [first, second]) {
      await portal.earn(3, month, 60)
      await portal.lock(month)
      await portal.pay(month)
    }
    const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
    const change = { version: agent.version, payeeid: null }
    const { body: entered } = await portal.call('admin', 'PUT', '/api/v1/masteragent/3', change)
    const how = { how: 'Called back', version: entered.version }
    expect((await portal.call('bob', 'POST', '/api/v1/masteragent/3/bank/confirm', how)).status).toBe(200)
    expect(await portal.call('admin', 'DELETE', '/api/v1/masteragent/5')).toMatchObject({
      status: 409,
      body: {
        error: 'This master agent cannot be deleted: payments for February 2026 went to it',
      },
    })
    expect((await portal.call('admin', 'DELETE', '/api/v1/masteragent/4')).status).toBe(204)
  })

  test('is closed for good once the month after it was locked, also when that one is open again', async () => {
    portal = await payoutPortal()
    await portal.earn(2, first, 50)
    await portal.lock(first)
    await portal.earn(2, second, 5)
    await portal.lock(second)
    expect(await portal.entries(first)).toEqual([{ id: 2, due: 50, released: 0, payable: 0, hold: null }])
    expect(await portal.entries(second)).toEqual([{ id: 2, due: 55, released: 0, payable: 55, hold: null }])
    await portal.reopen(second)
    expect(paid(await portal.entries(first))).toEqual({ 2: 0 })
  })
})

describe('the statements of one payee', () => {
  test('are netted, and nothing is paid when they come to nothing', async () => {
    portal = await payoutPortal()
    await portal.db.query('update master_agent set payeeid = 2 where id in (3, 4)')
    for (const [agent, amount] of [
      [2, 100],
      [3, -30],
      [4, 5],
    ] as const)
      await portal.earn(agent, first, amount)
    await portal.lock(first)
    expect(await portal.entries(first)).toEqual([{ id: 2, due: 75, released: 0, payable: 75, hold: null }])
    await portal.pay(first)
    const allocations = await portal.db.query(
      'select masteragentid, amount from payout_allocation order by masteragentid',
    )
    expect(allocations).toEqual([
      { masteragentid: 2, amount: 100 },
      { masteragentid: 3, amount: -30 },
      { masteragentid: 4, amount: 5 },
    ])
    await portal.earn(2, second, 30)
    await portal.earn(3, second, -30)
    await portal.lock(second)
    expect(paid(await portal.entries(second))).toEqual({ 2: 0 })
  })

  test.each([
    ['one cent below the minimum', 24.99, 0, 'Below the minimum payout'],
    ['exactly the minimum', 25, 25, null],
    ['one cent above it', 25.01, 25.01, null],
    ['less than nothing', -5, 0, 'Negative balance'],
  ])('are paid by their sum when it is %s', async (_, amount, payable, hold) => {
    portal = await payoutPortal()
    await portal.db.query(`insert into setting (name, value) values ('money.minimumPayout', '25')`)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    await portal.earn(2, first, 20)
    await portal.earn(3, first, Number((amount - 20).toFixed(2)))
    await portal.lock(first)
    expect(paid(await portal.entries(first))).toEqual({ 2: payable })
    const { body } = await portal.call('bob', 'POST', '/api/v1/report/ach-payout', { month: first })
    expect(body.data).toMatchObject([
      { displayid: 'MA0002', statements: 'MA0002, MA0003', amount: payable, held: amount - payable, hold },
    ])
    await portal.earn(2, second, 1)
    await portal.lock(second)
    const closed = await portal.call('bob', 'POST', '/api/v1/report/ach-payout', { month: first })
    expect(closed.body.data).toMatchObject([
      { displayid: 'MA0002', amount: 0, held: amount, hold: hold ?? 'Carried forward' },
    ])
  })

  test('are not paid to an office account, neither its own nor those of agents whose payee it is', async () => {
    portal = await payoutPortal()
    await portal.db.query('update master_agent set payeeid = 1 where id = 3')
    await portal.earn(1, first, 80)
    await portal.earn(2, first, 7)
    await portal.earn(3, first, 9)
    await portal.lock(first)
    // One that was an office account at the lock stays it for this run.
    for (const isOffice of [true, false]) {
      await portal.db.query('update master_agent set isofficeaccount = $1 where id = 1', [isOffice])
      expect(await portal.entries(first, 'admin')).toEqual([
        { id: 1, due: 9, released: 0, payable: 0, hold: 'Office account' },
        { id: 2, due: 7, released: 0, payable: 7, hold: null },
      ])
    }
    // Nothing is carried of one either, also where it is one only since.
    await portal.db.query('update master_agent set isofficeaccount = true where id in (1, 2)')
    await portal.earn(4, second, 1)
    await portal.lock(second)
    const { body } = await portal.call('bob', 'POST', '/api/v1/report/carry-forward', { month: second })
    expect(body.data.map((row: Record<string, unknown>) => [row['displayid'], row['amount']])).toEqual([
      ['MA0003', 9],
    ])
  })

  test.each([
    ['and are left out', 7, 9, 7, null],
    ['and are held where nothing else is due', 0, 9, 0, 'Office account MA0003'],
    ['and are taken from the others where they are negative', 7, -4, 3, null],
  ])(
    'are not paid to a payee for an agent that became an office account after the lock, %s',
    async (_, own, amount, payable, hold) => {
      portal = await payoutPortal()
      await portal.db.query('update master_agent set payeeid = 2 where id = 3')
      if (own) await portal.earn(2, first, own)
      await portal.earn(3, first, amount)
      await portal.lock(first)
      expect(paid(await portal.entries(first))).toEqual({ 2: own + amount })
      await portal.db.query('update master_agent set isofficeaccount = true where id = 3')
      expect(await portal.entries(first)).toEqual([{ id: 2, due: own + amount, released: 0, payable, hold }])
      const { body } = await portal.call('bob', 'POST', '/api/v1/report/ach-payout', { month: first })
      expect(body.data).toMatchObject([{ displayid: 'MA0002', amount: payable }])
    },
  )

  test('of an office account show what an earlier version paid of them, and nothing else', async () => {
    portal = await payoutPortal()
    await portal.db.query('update master_agent set payeeid = 2 where id in (3, 4)')
    for (const agent of [2, 3]) await portal.earn(agent, first, 7)
    await portal.lock(first)
    await portal.pay(first)
    await portal.reopen(first)
    await portal.db.query('update master_agent set isofficeaccount = true where id in (3, 4)')
    const path = `/api/v1/month/${first}/takeover`
    expect((await portal.call('bob', 'POST', path, { keys: ['agent-office'] })).status).toBe(200)
    for (const agent of [3, 4]) await portal.earn(agent, first, 1)
    await portal.lock(first)
    const entries = [{ id: 2, due: 15, released: 14, payable: 0, hold: 'Office account MA0003' }]
    expect(await portal.entries(first)).toEqual(entries)
    await portal.earn(2, second, 1)
    await portal.lock(second)
    expect(await portal.entries(first)).toEqual(entries)
    // What it was paid as none is its debt as soon as it is none any more.
    await portal.db.query('update master_agent set isofficeaccount = false where id = 3')
    await portal.earn(3, third, 10)
    await portal.lock(third)
    expect(paid(await portal.entries(third, 'carl'))).toEqual({ 2: 4 })
  })
})

describe('what is carried', () => {
  test('into the first open month is what is left if the newest run is paid as it is; behind it nothing is known', async () => {
    portal = await payoutPortal()
    await portal.db.query(`update master_agent set routingnumber = '' where id = 3`)
    for (const month of [first, second, third]) {
      await portal.earn(2, month, 10)
      await portal.earn(3, month, 20)
    }
    await portal.lock(first)
    const carried = async (month: string) => {
      const { body } = await portal.call('admin', 'POST', '/api/v1/report/residual-summary', { month })
      const rows = (body.data as { displayid: string; carryin: number }[]).filter((it) => it.carryin !== 0)
      return {
        rows: rows.map(({ displayid, carryin }) => [displayid, carryin]),
        notes: body.notes as string[],
      }
    }
    expect((await carried(second)).rows).toEqual([['MA0003', 20]])
    // The run pays by the minimum of its lock, whatever it is for the open months.
    await portal.db.query(`insert into setting (name, value) values ('money.minimumPayout', '25')`)
    expect((await carried(second)).rows).toEqual([['MA0003', 20]])
    await portal.db.query('delete from setting')
    expect(await carried(third)).toEqual({
      rows: [],
      notes: [
        expect.stringMatching(/^March 2026 is open: /),
        'Own, Override and House add up to Net.',
        'What is carried forward is not known until February 2026 is locked.',
      ],
    })
    await portal.lock(second)
    expect((await carried(second)).rows).toEqual([
      ['MA0002', 10],
      ['MA0003', 20],
    ])
  })

  test('holds a payment that came back after the month after it was locked only from the next lock on', async () => {
    portal = await payoutPortal()
    await portal.earn(2, first, 50)
    await portal.lock(first)
    const hash = await portal.approve(first)
    const file = await portal.call('bob', 'POST', `/api/v1/month/${first}/release`, { hash, how: 'file' })
    expect(file.status).toBe(200)
    await portal.earn(2, second, 5)
    await portal.lock(second)
    await portal.db.query(`alter table payout_payment disable trigger payout_payment_grows`)
    await portal.db.query(`update payout_payment set effective = '2026-02-02'`)
    const trace = await portal.trace(first, 2)
    const back = { trace, code: ' r17 ', date: '2026-02-05' }
    const answer = await portal.call('bob', 'POST', `/api/v1/month/${first}/return`, back)
    expect([answer.status, answer.body.returncode]).toEqual([200, 'R17'])
    expect(await portal.entries(second)).toEqual([{ id: 2, due: 5, released: 0, payable: 5, hold: null }])
    await portal.pay(second)
    await portal.earn(2, third, 1)
    await portal.lock(third)
    expect(await portal.entries(third)).toEqual([{ id: 2, due: 51, released: 0, payable: 51, hold: null }])
  })
  test('into a month that is open again is also what an earlier one, opened as well, brings an agent who is new', async () => {
    portal = await payoutPortal()
    for (const month of [first, second]) {
      await portal.earn(2, month, 50)
      await portal.lock(month)
    }
    await portal.call('admin', 'POST', '/api/v1/masteragent', { name: 'New', parentid: 1 })
    const [{ id } = { id: 0 }] = await portal.db.query<{ id: number }>(
      `select id from master_agent where name = 'New'`,
    )
    await portal.reopen(second)
    await portal.reopen(first)
    await portal.earn(id, first, 100)
    for (const month of [first, second]) await portal.lock(month)
    expect((await portal.entries(second)).map((it) => [it.id, it.due])).toEqual([
      [2, 100],
      [id, 100],
    ])
  })

  test('of a payment that netted a loss and came back late is netted again, and the allocations are its sum', async () => {
    portal = await payoutPortal()
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    await portal.earn(2, first, 50)
    await portal.earn(3, first, -20)
    await portal.lock(first)
    await portal.pay(first)
    await portal.earn(2, second, 60)
    await portal.lock(second)
    const trace = await portal.trace(first, 2)
    const back = { trace, code: 'R17', date: '2026-03-12' }
    expect((await portal.call('bob', 'POST', `/api/v1/month/${first}/return`, back)).status).toBe(200)
    expect(paid(await portal.entries(second))).toEqual({ 2: 40 })
    await portal.pay(second)
    const sums = await portal.db.query(
      `select p.amount, sum(a.amount) as allocated from payout_payment p
        join payout_allocation a on a.paymentid = p.id group by p.id order by p.id`,
    )
    expect(sums).toEqual([
      { amount: 30, allocated: 30 },
      { amount: 40, allocated: 40 },
    ])
  })
})

describe('the run of a month that is closed', () => {
  test('is read from its month once, and pays nobody under the hash of the run that was read whole', async () => {
    portal = await payoutPortal(3)
    await portal.earn(2, first, 50)
    await portal.lock(first)
    await portal.pay(first)
    await portal.earn(2, second, 1)
    await portal.lock(second)
    await portal.signedIn('ann')
    const options = { secret: testSecret, viewer: 'ann', fourEyes: true }
    const whole = await readMonthRun(portal.db, `${first}-01`, options)
    const answers: Payout[] = []
    const sent = await statementsOf(async () => {
      const answer = await portal.call('ann', 'GET', `/api/v1/month/${first}/payout`)
      answers.push(answer.body as Payout)
      return answer
    })
    expect(sent.filter(({ text }) => text.includes('month_statement as materialized'))).toHaveLength(1)
    expect(answers[0]).toMatchObject({
      isclosed: true,
      isnewestlock: false,
      total: whole.run.total,
      hash: whole.run.hash,
      entries: [{ displayid: 'MA0002', due: 50, released: 50, payable: 0 }],
    })
    await portal.reopen(second)
    const { body: after } = await portal.call('ann', 'GET', `/api/v1/month/${first}/payout`)
    expect(after).toMatchObject({ isclosed: true, isnewestlock: true })
  })

  type Shown = { displayid: string; account: string; due: number; released: number; hold: string | null }
  const shown = async () => {
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${first}/payout`)
    const rows = body.entries as (Shown & { duebefore: number | null; isheld: boolean })[]
    return rows.map((it) => [it.displayid, it.account, it.due, it.released, it.hold, it.duebefore, it.isheld])
  }
  const hold = (path: string, body: object) => portal.call('bob', 'POST', `/api/v1/${path}/hold`, body)
  const confirmed = async (agent: number, change: object) => (await portal.enter(agent, change))()

  test('has payments at the payee and the account of then, and the hold of then at what was not paid', async () => {
    portal = await payoutPortal(6)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    for (const [agent, amount] of [2, 3, 4, 5, 6].map((id) => [id, id * 10] as const))
      await portal.earn(agent, first, amount)
    await hold('masteragent/6', { reason: 'Left' })
    await portal.lock(first)
    await hold(`month/${first}`, { masteragentid: 5, statement: true, reason: 'Disputed' })
    await portal.pay(first)
    await confirmed(3, { payeeid: 5 })
    await confirmed(4, { bankaccountnumber: '777000111' })
    await confirmed(6, { isbankaccounttypebusiness: false })
    await portal.earn(2, second, 1)
    await portal.lock(second)
    await hold('masteragent/2', { reason: 'Of today' })
    await portal.call('bob', 'POST', '/api/v1/masteragent/6/unhold', { reason: 'Back' })
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${first}/payout`)
    const entries = body.entries as Payout['entries']
    // Another account is one of a payment that is still to come.
    expect(entries.map(({ statements, ischanged }) => [statements, ischanged])).toEqual([
      [[2, 3], false],
      [[4], false],
      [[5], false],
      [[6], true],
    ])
    expect(await shown()).toEqual([
      ['MA0002', '*****1232', 50, 50, null, null, false],
      ['MA0004', '*****1234', 40, 40, null, null, false],
      ['MA0005', '*****1235', 50, 0, 'Held by bob: Disputed', null, false],
      ['MA0006', '*****6456', 60, 0, 'Held by bob: Left', null, false],
    ])
  })

  test('has a statement that two payees were paid at both, and its sum of the version before at the first', async () => {
    portal = await payoutPortal()
    await portal.earn(2, first, 50)
    await portal.earn(3, first, 20)
    await portal.lock(first)
    await portal.pay(first)
    await portal.reopen(first)
    await portal.earn(2, first, 10)
    await portal.earn(3, first, -20)
    const confirm = await portal.enter(2, { payeeid: 4 })
    await confirm()
    await portal.lock(first)
    await portal.pay(first)
    await portal.earn(2, second, 1)
    await portal.lock(second)
    expect(await shown()).toEqual([
      ['MA0002', '*****1232', 50, 50, null, 50, false],
      ['MA0003', '*****3456', 0, 20, null, 20, false],
      ['MA0004', '*****1234', 10, 10, null, null, false],
    ])
  })
})
