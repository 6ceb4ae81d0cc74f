import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encrypt } from '../../../server/db/encryption.ts'
import { lockMonth } from '../../../server/money/lock.ts'
import { payRun, waive, write, xmidOf, type Book } from '../../money/book.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

/**
 * Cents each agent is paid in two months of 2025 and two of 2026; the tax office asks from $600, and from
 * $2,000 in 2026.
 */
const paid: Record<string, number[]> = {
  '2025-11-01': [30_000, 30_000, 30_000],
  '2025-12-01': [29_999, 30_000, 30_001],
  '2026-01-01': [100_000, 100_000, 100_000],
  '2026-02-01': [99_999, 100_000, 100_001],
}
/** The first and the last day of each year. */
const effective = ['2025-01-01', '2025-12-31', '2026-01-01', '2026-12-31']
const ids = [1, 2, 3]
const book: Book = {
  agents: ids.map((id) => ({ id, parent: null, percent: 1_000_000, flat: 0, eqpercent: 0, eqflat: 0 })),
  shops: ids.map((id) => ({ id, agent: id, status: 2 as const })),
  lines: Object.entries(paid).flatMap(([month, incomes]) =>
    incomes.map((income, at) => ({
      month,
      processor: 'Aurora',
      xmid: xmidOf(at + 1),
      txns: 1,
      sales: 100,
      income,
      expense: 0,
    })),
  ),
  terminals: [],
  subscriptions: [],
  adjustments: [],
  rates: [],
  settings: { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimum: 0 },
}

const password = 'nine tall green lanterns'
let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal({ demo: false, adminPassword: password })
  await write(portal.db, book)
  for (const [index, month] of Object.keys(paid).entries()) {
    await lockMonth(portal.db, { month, username: 'ann', address: '', waive })
    await payRun(portal.db, month, effective[index])
  }
  admin = await portal.login('admin', password)
})
afterAll(() => portal.close())

const totals = async (year: number) => {
  const { body } = await admin.call('POST', '/api/v1/report/agent-1099-totals', { year })
  return body.data.map((row: Record<string, unknown>) => [row['months'], row['paid'], row['reportable']])
}

test('the payments of a year, those of its first and last day included, count towards its own threshold', async () => {
  expect(await totals(2024)).toEqual([])
  expect(await totals(2025)).toEqual([
    [2, 599.99, false],
    [2, 600, true],
    [2, 600.01, true],
  ])
  expect(await totals(2026)).toEqual([
    [2, 1_999.99, false],
    [2, 2_000, true],
    [2, 2_000.01, true],
  ])
  expect(await totals(2027)).toEqual([])
})

test.each([
  [2025, 'Reportable from $600 a year.'],
  [2026, 'Reportable from $2,000 a year.'],
  [2027, 'Reportable from $2,000 a year. The IRS indexes the amount from 2027: check it.'],
])('the report of %i says from when a payee is reported: %s', async (year, note) => {
  const { body } = await admin.call('POST', '/api/v1/report/agent-1099-totals', { year })
  expect(body.notes[0]).toBe(note)
})

test('months are locked in their order over the end of a year, and only the last of them is opened again', async () => {
  const lock = (month: string) =>
    admin.call('POST', '/api/v1/report/residual-summary/publish', { month, waive })
  const unlock = (month: string) =>
    admin.call('POST', '/api/v1/report/residual-summary/unlock', { month, reason: 'a wrong file' })
  const reopened = ['2026-02', '2026-01', '2025-12']
  expect((await unlock('2025-12')).body.error).toBe(
    'February 2026, which comes after it, is locked: only the newest locked month can be reopened',
  )
  for (const month of reopened) expect((await unlock(month)).status).toBe(200)
  expect((await lock('2026-01')).body.error).toBe(
    'December 2025 is still open: months are locked one after the other',
  )
  // What was paid was paid, whatever is reopened.
  expect(await totals(2025)).toEqual([
    [2, 599.99, false],
    [2, 600, true],
    [2, 600.01, true],
  ])
  for (const month of reopened.toReversed()) expect((await lock(month)).body.version).toBe(2)
  expect(await totals(2025)).toHaveLength(3)
})

test('a payee has the name and the tax data of the newest payment of the year', async () => {
  const stored: [year: number, first: boolean, ...string[]][] = [
    [2025, true, 'MA1', 'One', 'One Inc', '1', '\\x01'],
    [2025, false, 'MA2', 'Two', 'Two Inc', '2', ''],
    [2026, true, 'MA3', 'Three', 'Three Inc', '2', ''],
    [2026, false, 'MA4', 'Four', 'Four Inc', '1', '\\x01'],
  ]
  await portal.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const [year, isFirst, displayid, name, businessname, taxtypeid, taxid] of stored)
      await tx.query(
        `update payout_payment p set displayid = $3, name = $4, businessname = $5, taxtypeid = $6::int,
            taxid = nullif($7, '')::bytea
          where p.payeeid = 1 and extract(year from p.effective) = $1
            and $2 = exists (select from payout_payment l where l.payeeid = 1 and l.id > p.id
              and extract(year from l.effective) = $1)`,
        [year, isFirst, displayid, name, businessname, taxtypeid, taxid],
      )
  })
  const payee = async (year: number) => {
    const { body } = await admin.call('POST', '/api/v1/report/agent-1099-totals', { year })
    const row = body.data.find((it: Record<string, unknown>) => it['displayid'] !== '')
    return ['displayid', 'name', 'businessname', 'taxtype', 'w9'].map((column) => row[column])
  }
  expect(await payee(2025)).toEqual(['MA2', 'Two', 'Two Inc', 'EIN', false])
  expect(await payee(2026)).toEqual(['MA4', 'Four', 'Four Inc', 'SSN', true])
})

describe('payments under several tax ids', () => {
  const [a, b, c] = ['111-11-1111', '22-2222222', '333333333']
  const days = ['2026-01-01', '2026-03-01', '2026-06-01', '2026-12-31']
  const months = Object.keys(paid)
  const moveTo = (dates: string[]) =>
    portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      for (const [at, month] of months.entries())
        await tx.query(
          `update payout_payment p set effective = $1, displayid = 'MA' || payeeid, taxid = null
            from payout_release r where r.id = p.releaseid and r.month = $2`,
          [dates[at], month],
        )
    })
  beforeAll(() => moveTo(days))
  afterAll(() => moveTo(effective))

  const damaged = Buffer.from([1])
  /** In these tests 1 begins an SSN and 2 an EIN. */
  const typeOf = (taxId: string | Buffer | null) =>
    taxId === null ? null : ({ '1': 1, '2': 2 }[String(taxId)[0]!] ?? null)
  const nobody = { taxtypeid: 0, name: '', businessname: '' }
  /** `later` are columns of every second payment. */
  const store = (
    taxIds: Record<number, readonly (string | Buffer | null)[]>,
    later: Partial<typeof nobody> = {},
  ) =>
    portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      for (const payee of ids)
        for (const [at, month] of months.entries()) {
          const taxId = taxIds[payee]?.[at] ?? null
          const stored =
            typeof taxId === 'string' ? encrypt(testSecret, taxId, `master_agent.taxid.${payee}`) : taxId
          const person = { ...nobody, taxtypeid: typeOf(taxId), ...(at % 2 && later) }
          await tx.query(
            `update payout_payment p set taxid = $1, taxtypeid = $4, name = $5, businessname = $6
              from payout_release r where r.id = p.releaseid and r.month = $2 and p.payeeid = $3`,
            [stored, month, payee, person.taxtypeid, person.name, person.businessname],
          )
        }
    })

  const all = {
    1: ['MA1', '', 4, 2_599.98, true],
    2: ['MA2', '', 4, 2_600, true],
    3: ['MA3', '', 4, 2_600.02, true],
  }
  const changed = (payees: string) => `Paid under more than one tax id, each of which has a row: ${payees}.`
  const corrected = (payees: string) =>
    `Added up towards the amount, as nothing but the tax id was changed: ${payees}.`
  const together = (payees: string) =>
    `Reportable only together with the other rows of the payee: check if a tax id was corrected: ${payees}.`
  const shared = (payees: string) => `One tax id, by whose sum they are reportable: ${payees}.`

  test.each<[string, Parameters<typeof store>[0], unknown[][], string[]]>([
    ['without one each payee has a row', {}, [all[1], all[2], all[3]], []],
    [
      'a payee with two has a row for each, reportable by its own sum',
      { 1: [a, a, b, b], 2: [c, c, c, c] },
      [
        ['MA1', '*****1111', 2, 599.99, false],
        ['MA1', '*****2222', 2, 1_999.99, false],
        ['MA2', '*****3333', 4, 2_600, true],
        all[3],
      ],
      [changed('MA1'), together('MA1')],
    ],
    [
      'one that two payees have makes both reportable by their sum, with dashes and without',
      { 1: [a, a, b, a], 2: [c, c, c, '222222222'] },
      [
        ['MA1', '*****2222', 1, 1_000, true],
        ['MA1', '*****1111', 3, 1_599.98, false],
        ['MA2', '*****3333', 3, 1_600, false],
        ['MA2', '*****2222', 1, 1_000, true],
        all[3],
      ],
      [changed('MA1, MA2'), shared('MA1, MA2'), together('MA1, MA2')],
    ],
    [
      'one that two payees have makes neither reportable a cent below the limit',
      { 1: [a, a, a, b], 2: [c, c, c, b] },
      [
        ['MA1', '*****1111', 3, 1_599.99, false],
        ['MA1', '*****2222', 1, 999.99, false],
        ['MA2', '*****3333', 3, 1_600, false],
        ['MA2', '*****2222', 1, 1_000, false],
        all[3],
      ],
      [changed('MA1, MA2'), shared('MA1, MA2'), together('MA1, MA2')],
    ],
    [
      'a payment without one counts with the next',
      { 1: [null, a, null, b] },
      [['MA1', '*****1111', 2, 599.99, false], ['MA1', '*****2222', 2, 1_999.99, false], all[2], all[3]],
      [changed('MA1'), together('MA1')],
    ],
    [
      'a payment without one after the last counts with that',
      { 1: [a, null, b, null], 3: [null, null, null, c] },
      [
        ['MA1', '*****1111', 1, 300, false],
        ['MA1', '', 3, 2_299.98, true],
        all[2],
        ['MA3', '*****3333', ...all[3].slice(2)],
      ],
      [changed('MA1'), together('MA1')],
    ],
    [
      'those that cannot be read are one of each payee',
      { 1: [damaged, damaged, damaged, damaged], 2: [null, damaged, a, a] },
      [
        ['MA1', 'Unreadable', ...all[1].slice(2)],
        ['MA2', 'Unreadable', 2, 600, false],
        ['MA2', '*****1111', 2, 2_000, true],
        all[3],
      ],
      [changed('MA2'), together('MA2')],
    ],
  ])('%s', async (_, taxIds, rows, notes) => {
    await store(taxIds)
    const { body } = await admin.call('POST', '/api/v1/report/agent-1099-totals', { year: 2026 })
    const columns = ['displayid', 'taxid', 'months', 'paid', 'reportable']
    expect(body.data.map((row: Record<string, unknown>) => columns.map((column) => row[column]))).toEqual(
      rows,
    )
    expect(body.notes.slice(2)).toEqual(notes)
  })

  const everybody = 'MA1, MA2, MA3'
  test.each<[string, Parameters<typeof store>[1], boolean]>([
    ['together where nothing but the tax id was changed', {}, true],
    ['apart where the tax type was changed, too', { taxtypeid: 2 }, false],
    ['apart where the name was changed, too', { name: 'Jane' }, false],
    ['apart where the business name was changed, too', { businessname: 'Jane Inc' }, false],
  ])('the rows of a payee count %s', async (_, later, isOne) => {
    await moveTo(effective)
    const mistyped = ids.map((id) => [id, [1, 2, 1, 2].map((nth) => `1000000${id}${nth}`)])
    await store(Object.fromEntries(mistyped), later)
    for (const year of [2025, 2026]) {
      const { body } = await admin.call('POST', '/api/v1/report/agent-1099-totals', { year })
      // What MA1 was paid is a cent below the amount of both years, what MA3 was paid a cent above.
      expect(
        body.data.map((row: Record<string, unknown>) => [row['taxid'], row['reportable']]),
        `of ${year}`,
      ).toEqual(ids.flatMap((id) => [1, 2].map((nth) => [`*****00${id}${nth}`, isOne && id > 1])))
      expect(body.notes.slice(2)).toEqual([
        changed(everybody),
        isOne ? corrected(everybody) : together('MA2, MA3'),
      ])
    }
  })

  test('a tax id that was mistyped as that of another payee is reportable by what both were paid', async () => {
    await moveTo(effective)
    await store({ 1: ['111111112', a], 2: [a, b] })
    const { body } = await admin.call('POST', '/api/v1/report/agent-1099-totals', { year: 2025 })
    expect(
      body.data
        .slice(0, 4)
        .map((row: Record<string, unknown>) => [row['taxid'], row['paid'], row['reportable']]),
    ).toEqual([
      ['*****1112', 300, true],
      ['*****1111', 299.99, true],
      ['*****1111', 300, true],
      ['*****2222', 300, false],
    ])
  })
})

test('payments from before the ledger, whose day is not known, are named beside the totals within their own scope', async () => {
  const notes = async (who: SignedIn) => {
    const { body } = await who.call('POST', '/api/v1/report/agent-1099-totals', { year: 2025 })
    return body.notes.slice(2)
  }
  expect(await notes(admin)).toEqual([])
  const user = { username: 'two', password, confirm_password: password, masteragentid: 2 }
  expect((await admin.call('POST', '/api/v1/user', user)).status).toBe(201)
  await portal.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `update payout_payment p set effective = null, displayid = 'MA' || payeeid
        from payout_release r where r.id = p.releaseid and r.month = '2025-11-01'`,
    )
    await tx.query(
      `insert into payout_return (paymentid, code, day, username, address)
        select id, 'R02', '2025-02-01', 'x', '' from payout_payment where payeeid = 3 and effective is null`,
    )
  })
  const ofBefore = 'Not counted, as their day is not known:'
  expect(await notes(admin)).toEqual([`${ofBefore} 2 payments of before the ledger, $600.00, to MA1, MA2.`])
  const two = await portal.login('two', password)
  expect(await notes(two)).toEqual([`${ofBefore} 1 payment of before the ledger, $300.00, to MA2.`])
})

test.each<[number, number]>([
  [999, 200],
  [1_000, 200],
  [1_001, 422],
  [0, 422],
])('a reason of %i characters for a reopening answers %i', async (length, status) => {
  const path = '/api/v1/report/residual-summary'
  const answer = await admin.call('POST', `${path}/unlock`, { month: '2026-02', reason: 'x'.repeat(length) })
  expect(answer.status).toBe(status)
  if (status === 200)
    expect((await admin.call('POST', `${path}/publish`, { month: '2026-02', waive })).status).toBe(200)
})
