import { DateTime } from 'luxon'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockMonthIn, reopenMonth } from '../../../server/money/lock.ts'
import { settle, waive } from '../../money/book.ts'
import { todayIn } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let staff: SignedIn
let agentUser: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('admin')
  await portal.db.query(
    `update portal_user set permissions = array['delete_merchants', 'manage_merchants'] where username = 'agent'`,
  )
  agentUser = await portal.login('agent')
})
afterAll(() => portal.close())

let last = 0
const make = async (more: object = {}, who: SignedIn = staff) => {
  const answer = await who.call('POST', '/api/v1/merchant', {
    xmid: `77${(last += 1)}`,
    dba: 'Shop',
    masteragentid: 2,
    ...more,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

test.each([
  ['4001 ', 'may neither begin nor end with a space'],
  ['\u00a04001', 'may neither begin nor end with a space'],
  ['\u202d4001\u202c', 'holds a character that cannot be seen'],
  ['４001', 'holds full-width signs'],
])('the XMID %j, which looks like that of another merchant, is refused', async (xmid, fault) => {
  expect(await staff.call('POST', '/api/v1/merchant', { xmid, dba: 'Shop', masteragentid: 2 })).toMatchObject(
    {
      status: 422,
      body: { fields: { xmid: expect.stringContaining(`XMID ${fault}`) } },
    },
  )
})

describe('the TIN status of a new merchant', () => {
  beforeAll(() =>
    portal.db.query(
      `with batch as (insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
          values ('tinvalidation', 't.csv', '', 0, 'x', 1, 1, 0, 0) returning id)
        insert into tin_validation (xmid, tinstatus, description, batchid)
        select xmid, 'Mismatch', 'Name and TIN do not match', id from batch, unnest('{8801,8802,8803}'::text[]) xmid`,
    ),
  )
  test.each([
    ['is that of its result', '8801', {}, ['Mismatch', 'Name and TIN do not match']],
    [
      'is that of its result where it is sent blank',
      '8802',
      { tinstatus: '', tinstatusdescription: 'Called' },
      ['Mismatch', 'Called'],
    ],
    ['is what is typed', '8803', { tinstatus: 'Match' }, ['Match', '']],
    ['is blank without a result', '8804', {}, ['', '']],
  ])('%s', async (_, xmid, sent, [tinstatus, tinstatusdescription]) => {
    expect(await make({ xmid, ...sent })).toMatchObject({ tinstatus, tinstatusdescription })
  })
})

describe('Date Closed', () => {
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York'])(
    'of a new merchant that is Inactive is today in the time zone of the portal, %s',
    async (timeZone) => {
      const other = await openTestPortal({ timeZone })
      const admin = await other.login('admin')
      const before = todayIn(timeZone)
      const { body } = await admin.call('POST', '/api/v1/merchant', {
        xmid: '7',
        dba: 'Shop',
        masteragentid: 2,
        accountstatus: 3,
      })
      expect([before, todayIn(timeZone)]).toContain(body.date_closed)
      await other.close()
    },
  )

  test.each([null, 0, undefined])('sent as %j counts as none', async (date_closed) => {
    const zone = portal.config.timeZone
    const before = todayIn(zone)
    const row = await make({ accountstatus: 3, date_closed })
    expect([before, todayIn(zone)]).toContain(row.date_closed)
  })

  test('that is sent with the status stays', async () => {
    expect(await make({ accountstatus: 3, date_closed: 86_400 })).toMatchObject({ date_closed: 86_400 })
  })

  test.each([
    [0, 86_400],
    [1, 86_400],
    [86_399, 86_400],
    [86_400, 172_800],
  ])(
    'that is sent as second %i of its day is stored as the midnight of that in UTC',
    async (second, stored) => {
      const row = await make({ accountstatus: 3, date_closed: 86_400 + second, date_added: 86_400 + second })
      expect(row).toMatchObject({ date_closed: stored, date_added: stored })
      const path = `/api/v1/merchant/${row.id}`
      const same = { version: row.version, date_closed: stored + (second % 86_400) }
      expect((await staff.call('PUT', path, same)).body).toMatchObject({ version: row.version })
      const changed = { version: row.version, date_closed: 864_000 + second }
      expect((await staff.call('PUT', path, changed)).body).toMatchObject({
        version: row.version + 1,
        date_closed: stored + 777_600,
      })
    },
  )

  test.each([1, 2])('is not stamped with the account status %i', async (accountstatus) => {
    expect(await make({ accountstatus })).toMatchObject({ date_closed: null })
  })

  test('that is cleared later stays empty, because the status does not change then', async () => {
    const row = await make({ accountstatus: 3 })
    const path = `/api/v1/merchant/${row.id}`
    const { body } = await staff.call('PUT', path, { version: row.version, date_closed: null })
    expect(body).toMatchObject({ accountstatus: 3, date_closed: null })
    const next = await staff.call('PUT', path, { version: body.version, notes: 'x' })
    expect(next.body).toMatchObject({ accountstatus: 3, date_closed: null })
  })
})

describe('a merchant is not deleted, and the answer says what it has,', () => {
  let locked: string
  let months: string[]
  beforeAll(async () => {
    const [row] = await portal.db.query<{ month: string }>(
      'select max(month) as month from month_lock where reopened_at is null',
    )
    locked = row!.month
    months = [1, 2, 3].map((n) => DateTime.fromISO(locked).plus({ months: n }).toISODate()!)
  })
  beforeEach(() => portal.db.query(`delete from residual where processor = 'Test'`))

  const batch = async () => {
    const [row] = await portal.db.query<{ id: number }>('select max(id) as id from import_batch')
    return row!.id
  }
  const earn = async (xmid: string, month: string, income: number) =>
    portal.db.query(
      `insert into residual (month, processor, xmid, income, net, batchid) values ($1, 'Test', $2, $3, $3, $4)`,
      [month, xmid, income, await batch()],
    )
  const sell = (id: number, serialnumber: string) =>
    portal.db.query('insert into equipment (model, serialnumber, merchantid) values ($1, $2, $3)', [
      'T',
      serialnumber,
      id,
    ])
  const dispute = async (xmid: string, casenumber: string) =>
    portal.db.query(
      'insert into chargeback (xmid, casenumber, filedate, amount, batchid) values ($1, $2, 0, 1, $3)',
      [xmid, casenumber, await batch()],
    )
  const process = async (xmid: string, day: string, batchnumber: string) =>
    portal.db.query(
      'insert into daily_volume (volumedate, xmid, batchnumber, batchid) values ($1, $2, $3, $4)',
      [day, xmid, batchnumber, await batch()],
    )
  const adjust = (id: number) =>
    portal.db.query(
      `insert into adjustment (merchantid, month, amount, reason, author) values ($1, $2, 1, 'r', 'a')`,
      [id, months[0]],
    )
  const named = (month: string) => DateTime.fromISO(month).toFormat('LLLL yyyy')

  type Merchant = { id: number; xmid: string }
  const uses: [string, (row: Merchant) => Promise<unknown>, () => string][] = [
    ['1 terminal', ({ id }) => sell(id, `A${id}`), () => '1 terminal'],
    ['1 chargeback', ({ xmid }) => dispute(xmid, 'C1'), () => '1 chargeback'],
    ['1 day of volume', ({ xmid }) => process(xmid, '2026-01-05', 'B1'), () => '1 day of volume'],
    ['1 adjustment', ({ id }) => adjust(id), () => '1 adjustment'],
    [
      'income in a month after the locked ones',
      ({ xmid }) => earn(xmid, months[0]!, 88),
      () => `income in ${named(months[0]!)} ($88.00)`,
    ],
    [
      'a residual of 0',
      ({ xmid }) => earn(xmid, months[0]!, 0),
      () => `income in ${named(months[0]!)} ($0.00)`,
    ],
  ]
  describe.each([
    ['by somebody who sees all', () => staff],
    ['by somebody who sees a branch', () => agentUser],
  ])('%s', (_, who) => {
    test.each(uses)('%s', async (_name, use, said) => {
      const row = await make({}, who())
      await use(row)
      expect(await who().call('DELETE', `/api/v1/merchant/${row.id}`)).toMatchObject({
        status: 409,
        body: {
          error: `This merchant cannot be deleted: it has ${said()}. An import of merchants can set it to Inactive instead.`,
        },
      })
      expect((await who().call('GET', `/api/v1/merchant/${row.id}`)).status).toBe(200)
    })

    test('while one without any of these is', async () => {
      const row = await make({}, who())
      expect((await who().call('DELETE', `/api/v1/merchant/${row.id}`)).status).toBe(204)
    })
  })

  test('all of it, months newest first, days counted once', async () => {
    const row = await make()
    await earn(row.xmid, months[0]!, 88)
    await earn(row.xmid, months[1]!, 1_204.1)
    await earn(row.xmid, months[2]!, -3.5)
    for (const n of [1, 2]) {
      await sell(row.id, `Z${n}`)
      await dispute(row.xmid, `C${n}`)
      await adjust(row.id)
      await process(row.xmid, '2026-01-05', `B${n}`)
      await process(row.xmid, '2026-01-06', `B${n}`)
    }
    const { body } = await staff.call('DELETE', `/api/v1/merchant/${row.id}`)
    expect(body.error).toBe(
      'This merchant cannot be deleted: it has income in ' +
        `${named(months[2]!)} (-$3.50), ${named(months[1]!)} ($1,204.10) and ${named(months[0]!)} ($88.00), ` +
        '2 terminals, 2 chargebacks, 2 adjustments and 2 days of volume. An import of merchants can set it to Inactive instead.',
    )
  })

  test.each([
    [12, ''],
    [13, ' and 1 earlier month ($1.10)'],
    [14, ' and 2 earlier months ($2.20)'],
  ])('of %i months the newest twelve by name', async (count, rest) => {
    const row = await make()
    const all = Array.from({ length: count }, (__, n) =>
      DateTime.fromISO(locked)
        .plus({ months: n + 1 })
        .toISODate()!,
    )
    for (const month of all) await earn(row.xmid, month, 1.1)
    const { body } = await staff.call('DELETE', `/api/v1/merchant/${row.id}`)
    const sentence = String(body.error)
    expect(sentence.match(/[A-Z][a-z]+ \d{4} \(\$1\.10\)/g)).toHaveLength(12)
    expect(sentence).toContain(`${rest}. An import of merchants can set it`)
    expect(sentence.includes('earlier')).toBe(rest !== '')
  })

  test('but not for income in a locked month: its copy stays', async () => {
    const row = await make()
    await earn(row.xmid, locked, 88)
    expect((await staff.call('DELETE', `/api/v1/merchant/${row.id}`)).status).toBe(204)
  })

  test('is refused beside a lock of the month, whose income then is no obstacle', async () => {
    const row = await make()
    const [open] = await portal.db.query<{ month: string }>(
      'select min(month) as month from residual where month > $1',
      [locked],
    )
    await earn(row.xmid, open!.month, 5)
    const refused = await staff.call('DELETE', `/api/v1/merchant/${row.id}`)
    expect(refused.status).toBe(409)
    const remove = () => staff.call('DELETE', `/api/v1/merchant/${row.id}`)
    const beside = await portal.db.transaction(async (tx) => {
      await settle(tx, open!.month)
      await lockMonthIn(tx, { month: open!.month, username: 'admin', address: '', waive })
      return remove()
    })
    expect(beside.body.error).toBe(refused.body.error)
    expect((await remove()).status).toBe(204)
  })

  test('income in a month that is open again', async () => {
    const row = await make()
    const [last] = await portal.db.query<{ month: string }>(
      'select max(month) as month from month_lock where reopened_at is null',
    )
    await earn(row.xmid, last!.month, 88)
    await reopenMonth(portal.db, { month: last!.month, username: 'admin', address: '', reason: 'r' })
    const { status, body } = await staff.call('DELETE', `/api/v1/merchant/${row.id}`)
    expect(status).toBe(409)
    expect(body.error).toContain(
      `it has income in ${named(last!.month)} ($88.00). An import of merchants can set it`,
    )
  })
})
