import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedIn } from '../../testPortal.ts'
import { payoutPortal, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
let branch: SignedIn
beforeAll(async () => {
  portal = await payoutPortal()
  branch = await portal.signedIn('branch')
  await portal.db.query("update portal_user set email = 'b@example.com' where username = 'branch'")
})
afterAll(() => portal.close())

const home = async (person: SignedIn) => {
  const { status, body } = await person.call('GET', '/api/v1/home')
  expect(status).toBe(200)
  return body
}

test('has no statement before a month is locked, also while an open month earns something', async () => {
  await portal.earn(2, '2025-01', 40)
  expect(await home(branch)).toEqual({
    statement: null,
    months: [],
    account: 'known',
    tickets: { total: 0, newest: [] },
  })
})

test('shows what is payable of the newest locked month, of their own agent and not of one below', async () => {
  await portal.db.query('update master_agent set parentid = 2 where id = 3')
  await portal.earn(3, '2025-01', 999)
  await portal.lock('2025-01')
  const { statement, months } = await home(branch)
  expect(statement).toMatchObject({
    month: '2025-01',
    masteragentid: 2,
    displayid: 'MA0002',
    earned: 40,
    due: 40,
    payable: 40,
    paid: 0,
    effective: null,
    hold: null,
    haspayee: false,
  })
  expect(months).toEqual([{ month: '2025-01', earned: 40, paid: 0 }])
})

test('shows what was paid, and no longer what came back', async () => {
  await portal.pay('2025-01')
  expect((await home(branch)).statement).toMatchObject({ payable: 40, paid: 40, effective: '2026-03-10' })
  const step = (name: 'return' | 'unhold', body: object) =>
    portal.call('bob', 'POST', `/api/v1/month/2025-01/${name}`, body)
  await step('return', { trace: await portal.trace('2025-01', 2), code: 'R03', date: '2026-03-20' })
  expect((await home(branch)).statement).toMatchObject({
    paid: 0,
    effective: null,
    payable: 0,
    carryout: 40,
    hold: 'Held by bob: payment returned, R03 No account, or unable to locate it',
  })
  await step('unhold', { masteragentid: 2, reason: 'Settled' })
  expect((await home(branch)).statement).toMatchObject({ payable: 40, carryout: 0, hold: null })
})

test('says whether it goes to another agent as it was paid, else as the run pays it', async () => {
  const own = await payoutPortal()
  try {
    const person = await own.signedIn('branch')
    const goes = async () => (await home(person)).statement.haspayee
    await own.earn(2, '2025-01', 40)
    await own.lock('2025-01')
    const confirmPayee = await own.enter(2, { payeeid: 4 })
    expect(await goes()).toBe(false)
    await confirmPayee()
    expect(await goes()).toBe(true)
    await own.pay('2025-01')
    await (
      await own.enter(2, { payeeid: null })
    )()
    expect(await goes()).toBe(true)
    await own.earn(2, '2025-02', 40)
    await own.lock('2025-02')
    expect(await goes()).toBe(false)
  } finally {
    await own.close()
  }
})

test('counts what a month earned without what was carried into it', async () => {
  // A negative month pays nothing and is carried.
  await portal.earn(2, '2025-02', -100)
  await portal.lock('2025-02')
  await portal.earn(2, '2025-03', 25)
  await portal.lock('2025-03')
  const { statement, months } = await home(branch)
  expect(months.map(({ earned }: { earned: number }) => earned)).toEqual([40, -100, 25])
  expect(statement).toMatchObject({ month: '2025-03', earned: 25, payable: 0 })
  expect(statement.due).not.toBe(25)
})

test('keeps the newest twelve months and leaves one out that is open again', async () => {
  const months = Array.from({ length: 9 }, (_, index) => `2025-${String(index + 4).padStart(2, '0')}`)
  for (const month of [...months, '2026-01']) {
    await portal.earn(2, month, 1)
    await portal.lock(month)
  }
  const shown = async () => (await home(branch)).months.map(({ month }: { month: string }) => month)
  const before = await shown()
  expect(before).toHaveLength(12)
  expect([before[0], before.at(-1)]).toEqual(['2025-02', '2026-01'])
  await portal.reopen('2026-01')
  const after = await shown()
  expect([after.length, after[0], after.at(-1)]).toEqual([12, '2025-01', '2025-12'])
})

test.each(['admin', 'ann'] as const)('is that of the own agent alone for %s, who sees all', async (name) => {
  const { statement, months } = await home(await portal.signedIn(name))
  if (name === 'admin') expect([statement, months]).toEqual([null, []])
  else expect(statement).toMatchObject({ masteragentid: 1, isofficeaccount: true })
})

describe('open questions', () => {
  test('are an account that is missing, and none that another payee has', async () => {
    const account = async () => (await home(branch)).account
    await portal.db.query("update master_agent set routingnumber = '' where id = 2")
    expect(await account()).toBe('missing')
    await portal.db.query('update master_agent set payeeid = 4 where id = 2')
    expect(await account()).toBe('known')
    await portal.db.query('update master_agent set payeeid = null where id = 2')
    expect(await account()).toBe('missing')
  })

  test('are an account that nobody confirmed yet', async () => {
    await portal.db.query(
      `insert into bank_change (masteragentid, routingnumber, ischecking, isbusiness, formerroutingnumber,
          formerischecking, formerisbusiness, fields, authors, entered_by)
        values (2, '021000021', true, true, '', true, true, '{routingnumber}', '{branch}', 'branch')`,
    )
    expect((await home(branch)).account).toBe('pending')
  })

  test('are their own tickets that are not closed, the newest five and how many there are', async () => {
    const ticket = (reporter: string, status: number) =>
      portal.db.query(
        `insert into ticket (email, tickettypeid, subject, description, statusid, reporterid, reporter, masteragentid)
          select 'e', 1, $1 || ' ' || $2, '', $2::int, id, username, masteragentid from portal_user
          where username = $1`,
        [reporter, status],
      )
    for (const status of [1, 2, 3, 4, 1]) await ticket('branch', status)
    await ticket('ann', 1)
    const tickets = async () => (await home(branch)).tickets
    expect(await tickets()).toMatchObject({ total: 4 })
    expect((await tickets()).newest.map(({ subject }: { subject: string }) => subject)).toEqual([
      'branch 1',
      'branch 3',
      'branch 2',
      'branch 1',
    ])
    await ticket('branch', 1)
    expect([(await tickets()).total, (await tickets()).newest.length]).toEqual([5, 5])
    await ticket('branch', 1)
    expect([(await tickets()).total, (await tickets()).newest.length]).toEqual([6, 5])
    await portal.db.query("update portal_user set email = null where username = 'branch'")
    expect(await tickets()).toEqual({ total: 0, newest: [] })
  })
})
