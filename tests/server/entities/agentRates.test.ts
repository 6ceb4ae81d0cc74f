import { DateTime } from 'luxon'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockMonthIn } from '../../../server/money/lock.ts'
import { monthName } from '../../../server/money/months.ts'
import { settle, waive } from '../../money/book.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
let admin: SignedIn
/** ISO months: the newest that is locked, the open one with files after it, and the current one. */
let locked: string
let open: string
let current: string
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
  admin = await portal.login('admin')
  const [row] = await portal.db.query<{ locked: string; open: string; current: string }>(
    `select to_char(l.month, 'YYYY-MM') as locked, to_char(min(r.month), 'YYYY-MM') as open,
        to_char(current_date, 'YYYY-MM') as current
      from (select max(month) as month from month_lock where reopened_at is null) l
        join residual r on r.month > l.month group by l.month`,
  )
  ;({ locked, open, current } = row!)
})
afterAll(() => portal.close())

const plus = (month: string, months: number) => DateTime.fromISO(month).plus({ months }).toFormat('yyyy-MM')
const createAgent = async (more: object = {}) => {
  const answer = await staff.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 2, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
type Agent = { id: number; version: number }
const put = (row: Agent, change: object, who = staff) =>
  who.call('PUT', `/api/v1/masteragent/${row.id}`, { version: row.version, ...change })
const changed = async (row: Agent, change: object) => {
  const answer = await put(row, change)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const ratesOf = async ({ id }: Agent, who = staff) =>
  (await who.call('GET', `/api/v1/masteragent/${id}/rates`)).body
const historyOf = async (row: Agent) =>
  (await ratesOf(row)).data.map(({ field, from, value }: Record<string, unknown>) => [field, from, value])
const percent = 'percentagecommissionreceived'
const fields = [
  percent,
  'amountcommissionreceived',
  'percentageequipmentcommissionreceived',
  'amountequipmentcommissionreceived',
]

describe('a changed rate', () => {
  test.each(fields)('holds from the oldest open month with files when none is named: %s', async (field) => {
    const row = await createAgent()
    await changed(row, { [field]: 12.5 })
    expect(await historyOf(row)).toEqual([
      [field, open, 12.5],
      [field, null, null],
    ])
  })

  test.each(fields)('holds from the month that is named: %s', async (field) => {
    const row = await createAgent({ [field]: 10 })
    await changed(row, { [field]: 12.5, ratesfrom: plus(current, 3) })
    expect(await historyOf(row)).toEqual([
      [field, plus(current, 3), 12.5],
      [field, open, 10],
    ])
  })

  test('of an agent that had a rate before its first change keeps that for all months before', async () => {
    const row = await createAgent()
    await portal.db.query(`update master_agent set ${percent} = 40 where id = $1`, [row.id])
    await changed(row, { [percent]: 50, ratesfrom: current })
    expect(await historyOf(row)).toEqual([
      [percent, current, 50],
      [percent, null, 40],
    ])
  })

  test('of a new agent holds from a named month too, and a rate left empty is no rate', async () => {
    const row = await createAgent({
      [percent]: 50,
      amountcommissionreceived: null,
      ratesfrom: plus(current, 1),
    })
    expect(row).not.toHaveProperty('ratesfrom')
    expect(await historyOf(row)).toEqual([[percent, plus(current, 1), 50]])
    const [audited] = await portal.db.query(
      `select after->>'ratesfrom' as ratesfrom from audit
        where entity = 'masteragent' and action = 'create' and entityid = $1`,
      [String(row.id)],
    )
    expect(audited).toEqual({ ratesfrom: plus(current, 1) })
  })

  test('replaces one of the same field and month and its author, and the audit keeps both with the month', async () => {
    const row = await createAgent()
    const first = await changed(row, { [percent]: 50, ratesfrom: current })
    await portal.db.query(`update agent_rate set changed_at = '2026-01-01' where masteragentid = $1`, [
      row.id,
    ])
    const before = Math.floor(Date.now() / 1000)
    const { body: second } = await put(first, { [percent]: 55, ratesfrom: current }, admin)
    const [newest] = (await ratesOf(row)).data
    expect(newest.username).toBe('admin')
    expect(newest.changedat).toBeGreaterThanOrEqual(before)
    expect(await historyOf(row)).toEqual([
      [percent, current, 55],
      [percent, null, null],
    ])
    expect(
      await portal.db.query(
        `select before, after from audit where entity = 'masteragent' and entityid = $1 and action = 'update'
          order by id`,
        [String(row.id)],
      ),
    ).toEqual([
      { before: { [percent]: null }, after: { [percent]: 50, ratesfrom: current } },
      { before: { [percent]: 50 }, after: { [percent]: 55, ratesfrom: current } },
    ])
    expect(second[percent]).toBe(55)
  })

  test('is what the record shows, whatever its month', async () => {
    const row = await createAgent({ [percent]: 50 })
    const later = await changed(row, { [percent]: 60, ratesfrom: plus(current, 5) })
    expect(later[percent]).toBe(60)
    expect(await changed(later, { [percent]: 40, ratesfrom: current })).toMatchObject({ [percent]: 40 })
  })

  test('is stored from a named month although the record shows the value already', async () => {
    const row = await createAgent({ [percent]: 50 })
    const later = await changed(row, { [percent]: 60, ratesfrom: plus(current, 5) })
    await changed(later, { [percent]: 60, ratesfrom: plus(current, 2) })
    expect(await historyOf(row)).toEqual([
      [percent, plus(current, 5), 60],
      [percent, plus(current, 2), 60],
      [percent, open, 50],
    ])
  })

  test('is left alone where it is sent as it holds in that month', async () => {
    const row = await createAgent({ [percent]: 50 })
    await changed(row, { [percent]: 50, amountcommissionreceived: 3, ratesfrom: current })
    expect(await historyOf(row)).toEqual([
      ['amountcommissionreceived', current, 3],
      [percent, open, 50],
      ['amountcommissionreceived', null, null],
    ])
    const between = await createAgent({ [percent]: 50 })
    const later = await changed(between, { [percent]: 60, ratesfrom: plus(current, 5) })
    const sooner = await changed(later, { [percent]: 40, ratesfrom: plus(current, 1) })
    await changed(sooner, { [percent]: 40, notes: 'x', ratesfrom: plus(current, 3) })
    expect(await historyOf(between)).toEqual([
      [percent, plus(current, 5), 60],
      [percent, plus(current, 1), 40],
      [percent, open, 50],
    ])
    const fresh = await createAgent()
    await portal.db.query(`update master_agent set ${percent} = 40 where id = $1`, [fresh.id])
    await changed(fresh, { [percent]: 40, ratesfrom: current })
    expect(await historyOf(fresh)).toEqual([])
  })
})

describe('the month', () => {
  test.each([-1, -13])(
    'that is locked or closed, %i from the open one, is refused by name',
    async (months) => {
      const month = plus(open, months)
      const row = await createAgent({ [percent]: 50 })
      const answer = await put(row, { [percent]: 51, ratesfrom: month })
      const message = expect.stringMatching(
        new RegExp(`^${monthName(month)} is locked: staff locked it on [A-Z][a-z]{2} \\d`),
      )
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'locked', error: message, fields: { ratesfrom: message } },
      })
      expect(await historyOf(row)).toEqual([[percent, open, 50]])
      expect((await staff.call('GET', `/api/v1/masteragent/${row.id}`)).body[percent]).toBe(50)
    },
  )

  test.each([
    ['2026-13', 422],
    ['2026-00', 422],
    ['2026-1', 422],
    ['2026-01-01', 422],
    ['October 2026', 422],
    ['', 422],
    [null, 400],
    [202_610, 400],
  ])('%j is malformed', async (ratesfrom, status) => {
    const row = await createAgent()
    expect(await put(row, { [percent]: 51, ratesfrom })).toMatchObject({
      status,
      body: { fields: { ratesfrom: expect.stringMatching(/^From Month /) } },
    })
    expect(await historyOf(row)).toEqual([])
  })

  test.each([
    [11, 200],
    [12, 200],
    [13, 422],
  ])('%i months ahead answers %i', async (months, status) => {
    const row = await createAgent()
    const answer = await put(row, { [percent]: 51, ratesfrom: plus(current, months) })
    expect(answer.status).toBe(status)
    if (status === 422)
      expect(answer.body.fields.ratesfrom).toBe(
        `From Month must be from ${monthName(plus(current, -12))} to ${monthName(plus(current, 12))}`,
      )
  })

  test('without a rate is refused', async () => {
    const row = await createAgent()
    const message = 'From Month is only for a rate that is sent with it'
    for (const change of [{ ratesfrom: current }, { ratesfrom: current, notes: 'x' }])
      expect(await put(row, change)).toMatchObject({ status: 422, body: { fields: { ratesfrom: message } } })
  })

  test('is closed to a person who may not change rates', async () => {
    const row = await createAgent()
    await portal.db.query(`update portal_user set permissions = '{}' where username = 'agent'`)
    const agent = await portal.login('agent')
    expect((await put(row, { ratesfrom: current }, agent)).status).toBe(403)
  })
})

describe('without a lock', () => {
  let fresh: TestPortal
  let boss: SignedIn
  let row: Agent
  beforeAll(async () => {
    fresh = await openTestPortal({ demo: false, adminPassword: 'correct horse battery staple' })
    boss = await fresh.login('admin', 'correct horse battery staple')
    row = (await boss.call('POST', '/api/v1/masteragent', { name: 'A', parentid: 0 })).body
    await fresh.db.query(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'a', '', 0, 'a', 0, 0, 0, 0)`,
    )
  })
  beforeEach(() => fresh.db.query('delete from residual'))
  afterAll(() => fresh.close())
  const rates = () => ratesOf(row, boss)
  const file = (month: string) =>
    fresh.db.query(
      `insert into residual (month, processor, xmid, batchid) select $1, 'P', $2, max(id) from import_batch`,
      [`${month}-01`, month],
    )

  test('and without files it is the current month, and twelve before and after may be named', async () => {
    const { ratesfrom, months } = await rates()
    expect(ratesfrom).toBe(current)
    expect(months).toEqual(Array.from({ length: 25 }, (_, n) => plus(current, 12 - n)))
  })

  test.each([
    [12, 200],
    [13, 422],
  ])('%i months back answers %i', async (months, status) => {
    const { body } = await boss.call('GET', `/api/v1/masteragent/${row.id}`)
    const answer = await put(body, { [percent]: 50 + months, ratesfrom: plus(current, -months) }, boss)
    expect(answer.status).toBe(status)
  })

  test('it is the oldest with files, which may be named however old it is', async () => {
    for (const months of [-20, -3]) await file(plus(current, months))
    const { ratesfrom, months } = await rates()
    expect(ratesfrom).toBe(plus(current, -20))
    expect([months[0], months.at(-1)]).toEqual([plus(current, 12), plus(current, -20)])
    const { body } = await boss.call('GET', `/api/v1/masteragent/${row.id}`)
    for (const [back, status] of [
      [21, 422],
      [20, 200],
    ] as const) {
      const answer = await put(body, { [percent]: 70 + back, ratesfrom: plus(current, -back) }, boss)
      expect(answer.status).toBe(status)
    }
  })

  test('and with the current month locked it is the first after it', async () => {
    await fresh.db.query(
      `insert into month_lock (month, version, hash, username) values ($1, 1, '', 'ann')`,
      [`${current}-01`],
    )
    const { ratesfrom, months } = await rates()
    expect(ratesfrom).toBe(plus(current, 1))
    expect(months).toEqual(Array.from({ length: 12 }, (_, n) => plus(current, 12 - n)))
    await file(plus(current, -2))
    expect((await rates()).ratesfrom).toBe(plus(current, 1))
    const { body } = await boss.call('GET', `/api/v1/masteragent/${row.id}`)
    const refused = await put(body, { [percent]: 5, ratesfrom: plus(current, -2) }, boss)
    expect(refused.body.fields.ratesfrom).toMatch(
      new RegExp(
        `^${monthName(plus(current, -2))} is closed, because ${monthName(current)}, which comes after it, is locked: ann locked it on `,
      ),
    )
    await fresh.db.query(
      `update month_lock set reopened_at = now(), reopened_by = 'ann', reason = 'A late file'`,
    )
    const opened = await rates()
    expect([opened.months.length, opened.months.at(-1)]).toEqual([25, plus(current, -12)])
  })
})

describe('the history', () => {
  test('says who and when, newest month first, with the months that may be named', async () => {
    const before = Math.floor(Date.now() / 1000)
    const row = await createAgent({ [percent]: 50 })
    await put(row, { [percent]: 60, amountcommissionreceived: 2.25, ratesfrom: plus(current, 2) }, admin)
    const { data, ratesfrom, months } = await ratesOf(row)
    expect(data).toEqual(
      [
        [percent, plus(current, 2), 60, 'admin'],
        ['amountcommissionreceived', plus(current, 2), 2.25, 'admin'],
        [percent, open, 50, 'staff'],
        ['amountcommissionreceived', null, null, 'admin'],
      ].map(([field, from, value, username]) => ({
        field,
        from,
        value,
        username,
        changedat: expect.any(Number),
      })),
    )
    for (const { changedat } of data) {
      expect(changedat).toBeGreaterThanOrEqual(before)
      expect(changedat).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
    }
    expect(ratesfrom).toBe(open)
    expect([months[0], months.at(-1)]).toEqual([plus(current, 12), plus(locked, 1)])
  })

  test('is answered like the record: 404 outside the scope, and for what does not exist', async () => {
    const agent = await portal.login('agent')
    const [foreign] = await portal.db.query<Agent>('select id, version from master_agent where parentid = 3')
    const statuses = async (id: number | string) => [
      (await agent.call('GET', `/api/v1/masteragent/${id}`)).status,
      (await agent.call('GET', `/api/v1/masteragent/${id}/rates`)).status,
    ]
    expect(await statuses(2)).toEqual([200, 200])
    for (const id of [foreign!.id, 999_999, 'x', '0'])
      expect(await statuses(id), String(id)).toEqual([404, 404])
  })
})

test('a change beside a lock of its month is refused, and then holds from the month after it', async () => {
  const row = await createAgent()
  const beside = await portal.db.transaction(async (tx) => {
    await settle(tx, `${open}-01`)
    await lockMonthIn(tx, { month: `${open}-01`, username: 'admin', address: '', waive })
    return put(row, { [percent]: 51 })
  })
  const message = `${monthName(`${open}-01`)} is being locked by admin. Please try again when that is done`
  expect([beside.status, beside.body.fields]).toEqual([409, { ratesfrom: message }])
  await changed(row, { [percent]: 51 })
  const [first] = await historyOf(row)
  expect(first).toEqual([percent, current > open ? plus(open, 1) : current, 51])
})
