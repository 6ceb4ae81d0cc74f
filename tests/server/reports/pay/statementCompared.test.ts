import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedIn } from '../../../testPortal.ts'
import { answered, ledger, payMonth, publish, type Ledger } from '../ledger.ts'

let portal: Ledger
let north: SignedIn
beforeAll(async () => {
  portal = await ledger()
  north = await portal.as('north')
})
afterAll(() => portal.close())

const change = (text: string) => portal.db.query(text)
const compared = (inputs: object, names: string[], who = portal.admin) =>
  answered(who, 'statement-compared', inputs, names)
const pieces = ['cause', 'description', 'through', 'before', 'now', 'difference']
const months = { month: '2026-09', before: '2026-08' }
const september = (agent: number) => compared({ ...months, agent }, pieces)

/*
 * August is locked with Alder (80.00) and Briar (10.00) of East, Cinder (30.00) and Gable (10.00) of North,
 * Dapple (10.00) and Fennel (50.00) of West. Then Alder moves to North, East gets 60 % instead of 50, so
 * that North has no override, and West 45 % and 2.00 flat instead of 40 % and 1.00. Fennel was closed in
 * August.
 */
async function lockAugustAndChange() {
  await change(`
    insert into residual (month, processor, xmid, dba, txncount, sales, income, expense, net, batchid)
    values ('2026-08-01', 'Aurora', '4012345678902345', '', 1, 50, 10, 0, 10, 1),
      ('2026-08-01', 'Borealis', '40123456789', '', 1, 100, 12, 2, 10, 1),
      ('2026-08-01', 'Aurora', '401234567896666', '', 3, 300, 60, 10, 50, 1)`)
  await change(
    `update merchant set date_closed = extract(epoch from date '2026-08-15') where dba = 'Fennel Motel'`,
  )
  expect((await publish(portal.admin, '2026-08')).status).toBe(200)
  await payMonth(await portal.as('office'), '2026-08', '2026-09-10')
  await change(`update merchant set masteragentid = 2 where dba = 'Alder Bakery'`)
  await change(`update master_agent set percentagecommissionreceived = 60 where id = 3`)
  await change(`
    update master_agent set percentagecommissionreceived = 45, amountcommissionreceived = 2 where id = 4`)
}

const expected: Record<number, unknown[][]> = {
  2: [
    ['No longer in the files', 'Gable Books', null, 6, 0, -6],
    ['Moved to or from another agent', 'Alder Bakery', 'MA0003 - East', 8, 60, 52],
    // 10 % of 10.00 is 1.00, of -20.05 it is -2.005
    ['Net of the merchants', '=Briar & Sons, "Inc."', 'MA0003 - East', 1, -2.01, -3.01],
    ['Net of the merchants', 'Cinder Diner', null, 18, 20, 2],
    ['Percentage', '=Briar & Sons, "Inc."', 'MA0003 - East', -2.01, 0, 2.01],
    ['Equipment', 'T1 SN-1 through East', null, 0, 12, 12],
  ],
  3: [
    ['Moved to or from another agent', 'Alder Bakery', null, 40, 0, -40],
    // 50 % of -20.05 is -10.025, 60 % of it -12.03
    ['Net of the merchants', '=Briar & Sons, "Inc."', null, 5, -10.03, -15.03],
    ['Percentage', '=Briar & Sons, "Inc."', null, -10.03, -12.03, -2],
    ['Equipment', 'T1 SN-1', null, 0, 30, 30],
    ['Subscription', 'Portal access', null, 0, -15.5, -15.5],
    ['Carry', 'Carried forward', null, 0, 45, 45],
  ],
  4: [
    ['Percentage', 'Fennel Motel', null, 20, 22.5, 2.5],
    ['Percentage', 'Dapple Garage', null, 4, 4.5, 0.5],
    ['Flat amount', 'Dapple Garage', null, 1, 2, 1],
    ['Flat amount', 'Fennel Motel', null, 1, 0, -1],
    ['Withheld', 'Fennel Motel', null, 0, -22.5, -22.5],
    ['Adjustment', 'Missed in July', null, 0, 25, 25],
  ],
  5: [['New in the files', 'Ember Café', null, 0, 60, 60]],
}
const dueOf = async (month: string) =>
  new Map(
    (await answered(portal.admin, 'residual-summary', { month }, ['displayid', 'due'])).rows as [
      string,
      number,
    ][],
  )

describe('a statement beside that of the month before', () => {
  beforeAll(lockAugustAndChange)

  test.each(['while the later month is open', 'once it is locked'])(
    'differs by its causes, %s',
    async (when) => {
      if (when === 'once it is locked') expect((await publish(portal.admin, '2026-09')).status).toBe(200)
      const [was, is] = [await dueOf('2026-08'), await dueOf('2026-09')]
      for (const [agent, rows] of Object.entries(expected)) {
        const answer = await september(Number(agent))
        expect(answer.rows).toEqual(rows)
        const displayid = `MA000${agent}`
        expect(answer.totals!.at(-1)).toBeCloseTo((is.get(displayid) ?? 0) - (was.get(displayid) ?? 0), 10)
      }
    },
  )

  test('begins with notes in words: both sums, then each cause', async () => {
    const { body } = await september(3)
    expect(body.notes).toEqual([
      'August 2026: $45.00 due, $0.00 payable.',
      'September 2026: $47.47 due, $0.00 payable.',
      'Moved to or from another agent: -$40.00 by 1 line.',
      'Net of the merchants: -$15.03 by 1 line.',
      'Percentage: -$2.00 by 1 line.',
      'Equipment: $30.00 by 1 line.',
      'Subscription: -$15.50 by 1 line.',
      'Carry: $45.00 by 1 line.',
    ])
    expect(body.figure).toEqual({ words: 'Difference', value: 2.47, datatype: 'money', column: 'difference' })
  })

  test('is that of the month before when none is named, for a branch as for all', async () => {
    const named = await september(2)
    for (const who of [portal.admin, north])
      expect((await compared({ month: '2026-09', agent: 2 }, pieces, who)).rows).toEqual(named.rows)
  })

  test('turns round with the months', async () => {
    const { rows, totals } = await compared({ month: '2026-08', before: '2026-09', agent: 5 }, pieces)
    expect(rows).toEqual([['No longer in the files', 'Ember Café', null, 60, 0, -60]])
    expect(totals!.at(-1)).toBe(-60)
  })

  test('has everything as new where there is no month before', async () => {
    const { rows, body } = await compared({ month: '2026-08', agent: 2 }, ['cause', 'net0', 'percent0'])
    expect(rows).toEqual(Array(4).fill(['New in the files', null, null]))
    expect(body.notes[0]).toBe('There is no month before August 2026 to compare it with.')
    expect(body.links.slice(0, -2)).toEqual([
      {
        text: 'Statement of August 2026',
        path: '/reporting?report=agent-residual-statement&month=2026-08&agent=2&run=1',
      },
    ])
  })

  test('names both statements, and is named by that of the later month', async () => {
    const statement = { report: 'agent-residual-statement', agent: '2', run: '1' }
    const read = ({ text, path }: { text: string; path: string }) => [
      text,
      Object.fromEntries(new URL(path, 'http://x').searchParams),
    ]
    const { body } = await september(2)
    /** To the payments, and to a ticket about the statement. */
    const further = (month: string) => [
      ['Payments', { search: 'MA0002', payments: 'all' }],
      ['New Ticket', { search: 'MA0002', subject: `MA0002 - Statement of ${month}`, open: 'new' }],
    ]
    expect(body.links.map(read)).toEqual([
      ['Statement of September 2026', { ...statement, month: '2026-09' }],
      ['Statement of August 2026', { ...statement, month: '2026-08' }],
      ...further('September 2026'),
    ])
    const of = async (month: string) =>
      (await answered(north, 'agent-residual-statement', { month, agent: 2 }, [])).body.links.map(read)
    expect(await of('2026-09')).toEqual([
      ['Compared with August 2026', { ...statement, report: 'statement-compared', month: '2026-09' }],
      ...further('September 2026'),
    ])
    expect(await of('2026-08')).toEqual(further('August 2026'))
  })

  test('leads nobody to payments that they may not see', async () => {
    await change(
      `insert into portal_user (username, password_hash, permissions)
        select 'reader', password_hash, '{reports_admin}' from portal_user where username = 'north'`,
    )
    const reader = await portal.as('reader')
    const { body } = await answered(reader, 'agent-residual-statement', { month: '2026-09', agent: 2 }, [])
    const texts = body.links.map(({ text }: { text: string }) => text)
    expect(texts).toEqual(['Compared with August 2026', 'New Ticket'])
  })

  test('is refused beside itself', async () => {
    const inputs = { month: '2026-09', before: '2026-09', agent: 2 }
    const { status, body } = await portal.admin.call('POST', '/api/v1/report/statement-compared', inputs)
    expect([status, body.fields]).toEqual([422, { before: 'Compared With must be another month' }])
  })
})

test('two equal months give no rows, but still the notes with their sums', async () => {
  const { rows, body } = await compared({ month: '2026-09', before: '2026-08', agent: 1 }, pieces)
  expect(rows).toEqual([])
  expect(body.notes.slice(0, 2)).toEqual([
    'August 2026: $0.00 due, $0.00 payable.',
    'September 2026: $0.00 due, $0.00 payable.',
  ])
})

test('of several months before the newest one is compared when none is named', async () => {
  await change(`
    insert into residual (month, processor, xmid, dba, txncount, sales, income, expense, net, batchid)
    values ('2026-10-01', 'Aurora', '0012345678901', '', 1, 1, 1, 0, 1, 1)`)
  const { body } = await compared({ month: '2026-10', agent: 2 }, pieces)
  const sums = (body.notes as string[]).filter((note) => note.includes(' due, '))
  expect(sums.map((note) => note.split(':')[0])).toEqual(['September 2026', 'October 2026'])
})
