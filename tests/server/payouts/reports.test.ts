import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encrypt } from '../../../server/db/encryption.ts'
import { storeUnpayableAccounts } from '../../../server/money/unpayableAccounts.ts'
import { testSecret } from '../../setup/postgres.ts'
import { payoutPortal, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
const month = '2026-01'
const post = (step: string, body: object) =>
  portal.call('bob', 'POST', `/api/v1/month/${month}/${step}`, body)
/** Agents 2 to 4 earn, 4 is held, 3 is paid to 2; the payment to 2 is effective March 10 and comes back. */
beforeAll(async () => {
  portal = await payoutPortal(4)
  await portal.db.query('update master_agent set payeeid = 2 where id = 3')
  await portal.earn(2, month, 50)
  await portal.earn(3, month, 30)
  await portal.earn(4, month, 7)
  await portal.lock(month)
  await post('hold', { masteragentid: 4, reason: 'No contract' })
  await portal.pay(month)
  await post('return', { trace: await portal.trace(month, 2), code: 'R03', date: '2026-03-12' })
})
afterAll(() => portal.close())

const run = async (who: 'bob' | 'branch', type: string, inputs: object, names: string[]) => {
  const { status, body } = await portal.call(who, 'POST', `/api/v1/report/${type}`, inputs)
  if (status !== 200) throw new Error(`${type} answers ${status} ${JSON.stringify(body)}`)
  const cut = (row: Record<string, unknown>) => names.map((name) => row[name] ?? null)
  return { rows: body.data.map(cut), totals: body.totals && cut(body.totals), notes: body.notes }
}

test.each([
  ['the day before', '03/09/2026', '03/09/2026', 0],
  ['that day', '03/10/2026', '03/10/2026', 1],
  ['the day after', '03/11/2026', '03/11/2026', 0],
])('Payout History lists a payment by its effective day: %s', async (_, from, to, count) => {
  const { rows } = await run('bob', 'payout-history', { from, to }, ['displayid'])
  expect(rows).toHaveLength(count)
})

test('Payout History shows what was paid for whom, and what came back', async () => {
  const names = ['displayid', 'month', 'version', 'how', 'bank', 'statements', 'amount', 'code', 'back']
  const inputs = { from: '03/01/2026', to: '03/31/2026' }
  const all = await run('bob', 'payout-history', inputs, names)
  expect(all.rows).toEqual([
    ['MA0002', month, 1, 'Another way', '*****1232', 'MA0002, MA0003', 80, 'R03', 80],
  ])
  expect([all.totals[6], all.totals[8]]).toEqual([80, 80])
  const branch = await run('branch', 'payout-history', inputs, names)
  expect(branch.rows.map((row: unknown[]) => [row[5], row[6], row[8]])).toEqual([['MA0002', 50, 50]])
})

test('Payout Evidence lists in order who did what to the month and to the accounts', async () => {
  const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/2')
  const entered = await portal.call('admin', 'PUT', '/api/v1/masteragent/2', {
    version: agent.version,
    bankaccountnumber: '777000111',
  })
  await portal.call('bob', 'POST', '/api/v1/masteragent/2/bank/confirm', {
    how: 'Voided check seen',
    version: entered.body.version,
  })
  const names = ['event', 'username', 'what', 'detail', 'amount']
  const { rows, notes } = await run('bob', 'payout-evidence', { month }, names)
  expect(rows.filter((row: unknown[]) => row[0] !== 'Finding waived')).toEqual([
    ['Locked', 'ann', 'Version 1', expect.stringMatching(/^Hash [0-9a-f]{12}$/), null],
    ['Hold', 'bob', 'MA0004 - Agent 4', 'No contract', null],
    ['Approved', 'bob', 'Version 1', expect.stringMatching(/^Hash [0-9a-f]{12}$/), 80],
    ['Released', 'bob', 'Version 1', 'Another way, effective 03/10/2026', 80],
    ['Hold', 'bob', 'MA0002 - Agent 2', 'payment returned, R03 No account, or unable to locate it', null],
    ['Returned', 'bob', 'MA0002 - Agent 2', 'R03 No account, or unable to locate it', 80],
    ['Account changed', 'admin', 'MA0002 - Agent 2', 'bankaccountnumber', null],
    ['Account confirmed', 'bob', 'MA0002 - Agent 2', 'Voided check seen', null],
  ])
  expect(notes).toEqual([])
})

test('Payout Evidence names two people of whom one created the other, at the month and at an account', async () => {
  await portal.db.query(
    `insert into audit (username, address, action, entity, entityid, at)
      select creator, '', 'create', 'user', id::text, now() - interval '1 day' from portal_user, unnest(array['ann', 'admin']) creator
      where username = 'bob'`,
  )
  const { notes } = await run('bob', 'payout-evidence', { month }, [])
  expect(notes).toEqual([
    expect.stringMatching(/^Two people of this month are not independent: admin created the user bob on /),
    expect.stringMatching(/^Two people of this month are not independent: ann created the user bob on /),
  ])
})

describe('a month whose payee came after its lock', () => {
  const later = '2026-02'
  beforeAll(async () => {
    for (const agent of [3, 4]) await portal.earn(agent, later, 9)
    await portal.lock(later)
    await portal.db.query(
      `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname,
          notes, routingnumber, bankaccountnumber)
        select 9, 'Newcomer', false, false, false, '', '', routingnumber, $1 from master_agent where id = 2`,
      [encrypt(testSecret, '5554321', 'master_agent.bankaccountnumber.9')],
    )
    await portal.db.query('update master_agent set payeeid = 9 where id = 3')
    await portal.db.query(
      `insert into bank_change (masteragentid, payeeid, routingnumber, ischecking, isbusiness,
          formerroutingnumber, formerischecking, formerisbusiness, fields, authors, entered_by, decision,
          decided_by, decided_at)
        values (3, 9, '', true, true, '', true, true, '{payeeid}', '{admin}', 'admin', 'confirmed', 'bob', now())`,
    )
  })

  test('has it in ACH Payout by the name of today', async () => {
    const names = ['displayid', 'name', 'statements', 'bank', 'amount']
    const { rows } = await run('bob', 'ach-payout', { month: later }, names)
    expect(rows).toEqual([
      ['MA0002', 'Agent 2', 'MA0002', '*****0111', 50],
      ['MA0004', 'Agent 4', 'MA0004', '*****1234', 0],
      // 30.00 of the payment that came back, and 9.00.
      ['MA0009', 'Newcomer', 'MA0003', '*****4321', 39],
    ])
  })

  test('is in Payout History by day and payee, and not in the evidence of the month before', async () => {
    const evidence = async (of: string) =>
      (await run('bob', 'payout-evidence', { month: of }, ['event', 'what', 'detail'])).rows
    const before = await evidence(month)
    await portal.call('bob', 'POST', `/api/v1/month/${later}/hold`, { masteragentid: 2, reason: 'Again' })
    await portal.pay(later)
    await portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(`update payout_payment set effective = '2026-03-09' where payeeid = 9`)
    })
    const { rows } = await run('bob', 'payout-history', { from: '03/01/2026', to: '03/31/2026' }, [
      'displayid',
      'month',
    ])
    expect(rows).toEqual([
      ['MA0009', later],
      ['MA0002', month],
    ])
    expect(await evidence(month)).toEqual(before)
    expect((await evidence(later)).filter(([event]: string[]) => event === 'Hold')).toEqual([
      ['Hold', 'MA0002 - Agent 2', 'Again'],
    ])
  })
})

test('an account that is changed while two months are open again is in the evidence of the later one', async () => {
  const reopened = await payoutPortal(3)
  try {
    const { call } = reopened
    const evidence = async (of: string) => {
      const { body } = await call('bob', 'POST', '/api/v1/report/payout-evidence', { month: of })
      return body.data
        .map((row: Record<string, unknown>) => row.event)
        .filter((event: string) => event.startsWith('Account'))
    }
    for (const of of ['2026-01', '2026-02']) {
      await reopened.earn(2, of, 50)
      await reopened.lock(of)
    }
    await reopened.reopen('2026-02')
    await reopened.reopen('2026-01')
    const { body: agent } = await call('admin', 'GET', '/api/v1/masteragent/2')
    const change = { version: agent.version, bankaccountnumber: '777000111' }
    const { body: entered } = await call('admin', 'PUT', '/api/v1/masteragent/2', change)
    const how = { how: 'Voided check seen', version: entered.version }
    expect((await call('bob', 'POST', '/api/v1/masteragent/2/bank/confirm', how)).status).toBe(200)
    for (const of of ['2026-01', '2026-02']) await reopened.lock(of)
    expect(await evidence('2026-01')).toEqual([])
    expect(await evidence('2026-02')).toEqual(['Account changed', 'Account confirmed'])
  } finally {
    await reopened.close()
  }
})

test('the end of a hold is in the evidence of the month that pays then, and of the one in which it began', async () => {
  const held = await payoutPortal(3)
  try {
    const post = (of: string, step: string, reason: string) =>
      held.call('bob', 'POST', `/api/v1/month/${of}/${step}`, { masteragentid: 2, reason })
    const months = ['2026-01', '2026-02', '2026-03']
    const [first, second] = months as [string, string]
    for (const of of months) await held.earn(2, of, 50)
    await held.lock(first)
    await post(first, 'hold', 'No contract')
    await held.lock(second)
    expect((await post(second, 'unhold', 'Contract seen')).body).toMatchObject({ payable: 100, hold: null })
    await held.pay(second)
    await held.lock('2026-03')
    const ends = async (of: string) => {
      const { body } = await held.call('bob', 'POST', '/api/v1/report/payout-evidence', { month: of })
      return body.data
        .filter((row: Record<string, unknown>) => row.event === 'Hold ended')
        .map((row: Record<string, unknown>) => row.detail)
    }
    expect(await Promise.all(months.map(ends))).toEqual([['Contract seen'], ['Contract seen'], []])
  } finally {
    await held.close()
  }
})

test('ACH Payout keeps the payee and the account of what was paid, whatever is confirmed or corrected since', async () => {
  const paid = await payoutPortal(5)
  try {
    const names = ['displayid', 'statements', 'bank', 'amount', 'held', 'hold']
    const payout = async (of: string) => {
      const { body } = await paid.call('bob', 'POST', '/api/v1/report/ach-payout', { month: of })
      const { body: history } = await paid.call('bob', 'POST', '/api/v1/report/payout-history', {
        from: '01/01/2026',
        to: '12/31/2026',
      })
      return {
        rows: body.data.map((row: Record<string, unknown>) => names.map((name) => row[name] ?? null)),
        totals: [body.totals.amount, body.totals.held],
        ledger: history.totals.amount - history.totals.back,
      }
    }
    await paid.db.query('update master_agent set payeeid = 2 where id = 3')
    for (const [agent, amount] of [
      [2, 50],
      [3, 30],
      [4, 7],
    ] as const)
      await paid.earn(agent, month, amount)
    await paid.lock(month)
    await paid.pay(month)
    for (const [agent, change] of [
      [3, { payeeid: 5 }],
      [4, { bankaccountnumber: '777000111' }],
    ] as const)
      await (
        await paid.enter(agent, change)
      )()
    const first = ['MA0002', 'MA0002, MA0003', '*****1232', 80]
    expect(await payout(month)).toEqual({
      rows: [
        [...first, 0, null],
        ['MA0004', 'MA0004', '*****1234', 7, 0, null],
      ],
      totals: [87, 0],
      ledger: 87,
    })
    await paid.reopen(month)
    await paid.earn(2, month, -50)
    await paid.earn(3, month, 10)
    await paid.earn(4, month, 2)
    const confirm = await paid.enter(5, { bankaccountnumber: '777000222' })
    await paid.lock(month)
    await confirm()
    const second = [
      [...first, -50, 'Negative balance'],
      ['MA0004', 'MA0004', '*****1234, *****0111', 9, 0, null],
      ['MA0005', 'MA0003', '*****0222', 10, 0, null],
    ]
    expect(await payout(month)).toEqual({ rows: second, totals: [99, -50], ledger: 87 })
    await paid.pay(month)
    expect(await payout(month)).toEqual({ rows: second, totals: [99, -50], ledger: 99 })
    const trace = await paid.trace(month, 5)
    await paid.call('bob', 'POST', `/api/v1/month/${month}/return`, {
      trace,
      code: 'R17',
      date: '2026-03-12',
    })
    await paid.earn(2, '2026-02', 60)
    await paid.lock('2026-02')
    // What held it at the lock was confirmed before it was paid.
    expect(await payout(month)).toEqual({
      rows: [...second.slice(0, 2), ['MA0005', 'MA0003', '*****0222', 0, 10, 'Carried forward']],
      totals: [89, -40],
      ledger: 89,
    })
  } finally {
    await paid.close()
  }
})

test.each([
  [500, true],
  [499.99, false],
])(
  'a payee is reportable by all that it was paid, also to a branch that sees a part: %d more is %s',
  async (more, reportable) => {
    const paid = await payoutPortal(3)
    try {
      await paid.db.query('update master_agent set payeeid = 2 where id = 3')
      await paid.earn(2, month, 1500)
      await paid.earn(3, month, more)
      await paid.lock(month)
      await paid.pay(month)
      const { body } = await paid.call('branch', 'POST', '/api/v1/report/agent-1099-totals', { year: 2026 })
      expect(body.data).toMatchObject([{ displayid: 'MA0002', paid: 1500, months: 1, reportable }])
      const all = await paid.call('bob', 'POST', '/api/v1/report/agent-1099-totals', { year: 2026 })
      expect(all.body.data).toMatchObject([{ paid: 1500 + more, months: 1, reportable }])
      const none = await paid.call('branch', 'POST', '/api/v1/report/agent-1099-totals', { year: 2025 })
      expect(none.body.data).toEqual([])
    } finally {
      await paid.close()
    }
  },
)

test('what was paid before the portal kept a ledger is named as no release, and by no person', async () => {
  const former = await payoutPortal(2)
  try {
    await former.earn(2, month, 50)
    await former.lock(month)
    await former.db.query(
      `insert into payout_release (lockid, month, how, username, address)
        select id, month, 'migrated', 'bob', '' from month_lock`,
    )
    await former.db.query(
      `insert into audit (username, address, action, entity, entityid, at)
        select 'ann', '', 'create', 'user', id::text, now() - interval '1 day' from portal_user
        where username = 'bob'`,
    )
    const notes = async (type: string) =>
      (await former.call('carl', 'POST', `/api/v1/report/${type}`, { month })).body.notes
    const { body } = await former.call('carl', 'GET', `/api/v1/month/${month}/payout`)
    expect([await notes('payout-evidence'), await notes('ach-payout'), body.notes]).toEqual([[], [], []])
  } finally {
    await former.close()
  }
})

test('a statement that was held when the run was closed stays held by that in the reports of its month', async () => {
  const held = await payoutPortal(4)
  try {
    const post = (path: string, body: object) => held.call('bob', 'POST', `/api/v1/${path}`, body)
    for (const agent of [2, 3]) await held.earn(agent, month, 50)
    await held.earn(4, month, -5)
    await post('masteragent/3/hold', { reason: 'Left' })
    await held.lock(month)
    await post('masteragent/3/unhold', { reason: 'Back' })
    for (const masteragentid of [2, 3, 4])
      await post(`month/${month}/hold`, { masteragentid, statement: true, reason: 'Disputed' })
    await held.earn(2, '2026-02', 5)
    await held.lock('2026-02')
    const hold = 'Held by bob: Disputed'
    const payout = await post('report/ach-payout', { month })
    expect(payout.body.data).toMatchObject([
      { displayid: 'MA0002', held: 50, hold },
      { displayid: 'MA0003', held: 50, hold },
      { displayid: 'MA0004', held: -5, hold },
    ])
    const withheld = await post('report/withheld-pay', { month })
    expect(withheld.body.data).toMatchObject(
      [2, 3].map((n) => ({ displayid: `MA000${n}`, held: 50, why: hold })),
    )
  } finally {
    await held.close()
  }
})

test('what held a later version of a month at its lock stays the reason, though an earlier version was paid', async () => {
  const again = await payoutPortal(2)
  try {
    const post = (path: string, body: object) => again.call('bob', 'POST', `/api/v1/${path}`, body)
    await again.earn(2, month, 50)
    await again.lock(month)
    await again.pay(month)
    await again.reopen(month)
    await again.earn(2, month, 20)
    await post('masteragent/2/hold', { reason: 'Left' })
    await again.lock(month)
    await post('masteragent/2/unhold', { reason: 'Back' })
    await again.earn(2, '2026-02', 5)
    await again.lock('2026-02')
    const payout = await post('report/ach-payout', { month })
    expect(payout.body.data).toMatchObject([{ amount: 50, held: 20, hold: 'Held by bob: Left' }])
    const withheld = await post('report/withheld-pay', { month })
    expect(withheld.body.data).toMatchObject([{ held: 20, why: 'Held by bob: Left' }])
  } finally {
    await again.close()
  }
})

test('of accounts that cannot be paid those of agents and of the copies of the newest month are stored', async () => {
  const locked = await payoutPortal(3)
  try {
    const bad = () => encrypt(testSecret, 'ABC123', 'master_agent.bankaccountnumber.2')
    const accounts = { '2026-01': bad(), '2026-02': bad(), today: bad() }
    for (const of of ['2026-01', '2026-02'] as const) {
      await locked.earn(2, of, 50)
      await locked.lock(of)
      await locked.db.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(
          `update locked_agent set bankaccountnumber = $1 where masteragentid = 2
            and lockid = (select id from month_lock where month = $2)`,
          [accounts[of], `${of}-01`],
        )
      })
    }
    await locked.db.query('update master_agent set bankaccountnumber = $1 where id = 2', [accounts.today])
    await storeUnpayableAccounts(locked.db, testSecret)
    const stored = await locked.db.query('select sha256, reason from unpayable_account order by sha256')
    const reason = 'Bank account number is not 4 to 17 digits'
    expect(stored).toEqual(
      [accounts['2026-02'], accounts.today]
        .map((account) => ({ sha256: createHash('sha256').update(account!).digest('hex'), reason }))
        .sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1)),
    )
  } finally {
    await locked.close()
  }
})

/** Agents 2 and 3 earn 50.00 and 60.00; nothing can be paid to the account of 2 since the portal started. */
describe.each([
  [
    'cannot be read',
    'set_byte(bankaccountnumber, 30, get_byte(bankaccountnumber, 30) # 1)',
    'Bank account number is unreadable',
  ],
  ['is no account number', 'null::bytea', 'Bank account number is not 4 to 17 digits'],
])('an account that %s', (_, damaged, hold) => {
  const next = '2026-02'
  const ofAgent2 = <T extends { displayid: string }>(rows: T[]) =>
    rows.find((it) => it.displayid === 'MA0002')
  const report = async (type: string, inputs: object) => {
    const { status, body } = await portal.call('bob', 'POST', `/api/v1/report/${type}`, inputs)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  let before: PayoutPortal
  beforeAll(async () => {
    before = portal
    portal = await payoutPortal(3)
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 60)
    await portal.db.query(
      `update master_agent set bankaccountnumber = coalesce(${damaged}, $1::bytea) where id = 2`,
      [encrypt(testSecret, 'ABC123', 'master_agent.bankaccountnumber.2')],
    )
    await storeUnpayableAccounts(portal.db, testSecret)
    await portal.lock(month)
  })
  afterAll(async () => {
    await portal.close()
    portal = before
  })

  test('is paid nothing by the run, and by no report', async () => {
    expect(await portal.entries(month)).toMatchObject([
      { id: 2, payable: 0, hold },
      { id: 3, payable: 60, hold: null },
    ])
    const payout = await report('ach-payout', { month })
    expect(ofAgent2(payout.data)).toMatchObject({ amount: 0, held: 50, hold })
    expect(payout.totals).toMatchObject({ amount: 60, held: 50 })
    const summary = await report('residual-summary', { month })
    expect(ofAgent2(summary.data)).toMatchObject({ due: 50, payable: 0, carryout: 50, hold })
    const withheld = await report('withheld-pay', { month })
    expect(withheld.data).toMatchObject([{ displayid: 'MA0002', held: 50, why: hold }])
  })

  test('is a warning of the lock, and is carried into the next month', async () => {
    const { body: locked } = await portal.call('bob', 'GET', `/api/v1/month/${month}`)
    expect(locked.findings).toMatchObject([{ kind: 'hold', key: 'hold:2', what: hold, amount: 50 }])
    await portal.earn(2, next, 1)
    const { body: open } = await portal.call('bob', 'GET', `/api/v1/month/${next}`)
    const sums = open.kinds.map(({ kind, sum }: { kind: string; sum: number }) => [kind, sum])
    expect(Object.fromEntries(sums)).toMatchObject({ hold: 51, 'unreleased-run': 60 })
    const summary = await report('residual-summary', { month: next })
    expect(ofAgent2(summary.data)).toMatchObject({ carryin: 50, due: 51, payable: 0 })
  })

  test('is paid once it can be, and a hold by a person is what the run says', async () => {
    await post('hold', { masteragentid: 2, reason: 'Left' })
    expect((await portal.entries(month))[0]).toMatchObject({ payable: 0, hold: 'Held by bob: Left' })
    await post('unhold', { masteragentid: 2, reason: 'Back' })
    const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/2')
    const account = { version: agent.version, bankaccountnumber: '777000111' }
    const { body: entered } = await portal.call('admin', 'PUT', '/api/v1/masteragent/2', account)
    await portal.call('bob', 'POST', '/api/v1/masteragent/2/bank/confirm', {
      how: 'Voided check seen',
      version: entered.version,
    })
    expect((await portal.entries(month))[0]).toMatchObject({ payable: 50, hold: null })
    const payout = await report('ach-payout', { month })
    expect(payout.totals).toMatchObject({ amount: 110, held: 0 })
    await storeUnpayableAccounts(portal.db, testSecret)
    expect((await portal.entries(month))[0]).toMatchObject({ payable: 50, hold: null })
  })
})
