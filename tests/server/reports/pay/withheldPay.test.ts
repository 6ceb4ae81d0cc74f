import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedIn } from '../../../testPortal.ts'
import { answered, epoch, ledger, type Ledger, publish, takeOverAll } from '../ledger.ts'

let portal: Ledger
let admin: SignedIn
let north: SignedIn
const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)
/** Alder of East and Cinder of North are inactive; 50.00 and 20.00 of September are withheld. */
beforeAll(async () => {
  portal = await ledger()
  admin = portal.admin
  north = await portal.as('north')
  await sql(`update merchant set accountstatus = 3, date_closed = $1 where xmid = '0012345678901'`, [
    epoch('2026-08-31'),
  ])
  await sql(`update merchant set accountstatus = 3, date_closed = null where xmid = '401234567890'`)
  await sql(`update master_agent set payoninactive = (id = 4)`)
})
afterAll(() => portal.close())

const names = ['displayid', 'section', 'through', 'xmid', 'closed', 'withheld', 'held', 'why']
const run = async (month: string, who = admin) => answered(who, 'withheld-pay', { month }, names)
const closedInAugust = 'Closed on 08/31/2026, and Pay on Inactive is off'
const withoutDate = 'Inactive without a closing date, and Pay on Inactive is off'
const alder = ['0012345678901', epoch('2026-08-31')]
const lines = [
  // Cinder: 60 % of 33.33; North's override through East is 10 % of Alder's 100.00
  ['MA0002', 'Merchant', null, '401234567890', null, 20, 0, withoutDate],
  ['MA0002', 'Override', 'MA0003 - East', ...alder, 10, 0, closedInAugust],
  ['MA0003', 'Merchant', null, ...alder, 50, 0, closedInAugust],
]

describe('Withheld Pay says of each line why nothing is paid of it', () => {
  test('in an open month: a merchant closed before the month, one without a date, and no pay on inactive', async () => {
    const { rows, totals, body } = await run('2026-09')
    expect(rows.filter(([, section]) => section !== 'Statement')).toEqual(lines)
    expect(body.lock).toBeNull()
    // Each Merchant ID leads to what the merchant brought month by month (reports 4).
    const link = body.columns.find(({ name }: { name: string }) => name === 'xmid').link
    expect(body.data.find(({ xmid }: { xmid: string }) => xmid === '401234567890')[link]).toBe(
      '/reporting?report=merchant-by-month&merchant=401234567890&run=1',
    )
    const summary = await answered(admin, 'residual-summary', { month: '2026-09' }, ['withheld'])
    expect(totals![5]).toBe(80)
    expect(summary.totals).toEqual([80])
    // A closing day of 0 is none.
    await sql(`update merchant set date_closed = 0 where xmid = '401234567890'`)
    expect((await run('2026-09')).rows).toEqual(rows)
    await sql(`update merchant set date_closed = null where xmid = '401234567890'`)
  })

  test.each<[string, boolean]>([
    ['2026-08-31', true],
    ['2026-09-01', false],
    ['2026-09-30', false],
  ])('a merchant closed on %s is withheld in September: %s', async (day, isWithheld) => {
    await sql(`update merchant set date_closed = $1 where xmid = '0012345678901'`, [epoch(day)])
    const found = (await run('2026-09')).rows.some((row) => row[3] === alder[0])
    await sql(`update merchant set date_closed = $1 where xmid = '0012345678901'`, [epoch('2026-08-31')])
    expect(found).toBe(isWithheld)
  })

  test('a line of an agent with Pay on Inactive is paid, and stands in no row', async () => {
    await sql('update master_agent set payoninactive = true where id = 3')
    const { rows } = await run('2026-09')
    await sql('update master_agent set payoninactive = (id = 4)')
    expect(rows.filter((row) => row[3] === alder[0]).map((row) => row.slice(0, 2))).toEqual([
      ['MA0002', 'Override'],
    ])
  })

  test('a held statement has the sentence of its hold, and an office account none', async () => {
    expect((await publish(admin, '2026-08')).status).toBe(200)
    await sql(
      `insert into adjustment (masteragentid, month, amount, reason, author) values (1, '2026-09-01', 5, 'House', 'x')`,
    )
    await sql(
      `insert into payout_hold (masteragentid, month, isstatement, reason, username, address)
        values (4, '2026-09-01', false, 'Asked to wait', 'ann', '')`,
    )
    expect((await publish(admin, '2026-09')).status).toBe(200)
    const { rows, totals } = await run('2026-09')
    expect(
      rows.filter(([, section]) => section === 'Statement').map((row) => [row[0], row[6], row[7]]),
    ).toEqual([
      // 40.00 of August, and of September -10.03 + 30.00 - 15.50
      ['MA0003', 44.47, 'No bank data'],
      ['MA0004', 51, 'Held by ann: Asked to wait'],
      ['MA0005', 60, 'Held by ann: Asked to wait, payee MA0004'],
    ])
    const payout = await answered(admin, 'ach-payout', { month: '2026-09' }, ['held'])
    // ACH Payout lists the 5.00 of the office as well.
    expect([totals![6], payout.totals![0]]).toEqual([155.47, 160.47])
  })

  test('in a locked month: by its copy, whatever is changed later', async () => {
    const before = await run('2026-09')
    expect(before.rows.filter(([, section]) => section !== 'Statement')).toEqual(lines)
    expect(before.body.lock).toMatchObject({ month: '2026-09' })
    await sql(`update merchant set accountstatus = 2, date_closed = $1`, [epoch('2026-01-01')])
    await sql('update master_agent set payoninactive = true')
    expect((await run('2026-09')).rows).toEqual(before.rows)
  })

  test('a lock that kept no closing dates says so', async () => {
    await sql(`update month_lock set copies = 1 where month = '2026-09-01'`)
    const { rows } = await run('2026-09')
    await sql('update month_lock set copies = 3')
    expect(rows.find((row) => row[3] === '401234567890')!.at(-1)).toBe(
      'Inactive, closing date not kept, and Pay on Inactive is off',
    )
  })

  test('a branch sees its own lines', async () => {
    const all = (await run('2026-09')).rows
    expect((await run('2026-09', north)).rows).toEqual(
      all.filter(([agent]) => agent === 'MA0002' || agent === 'MA0003'),
    )
  })
})

test('the statement says why beside the sum that is withheld, and how many merchants an override leaves out', async () => {
  const why = async (agent: number) =>
    (
      await answered(admin, 'agent-residual-statement', { month: '2026-09', agent }, [
        'section',
        'withheld',
        'why',
      ])
    ).rows
  expect(await why(2)).toEqual([
    ['Merchant', 20, withoutDate],
    ['Override', 10, closedInAugust],
    ['Equipment', null, null],
    ['Carry', null, null],
  ])
  expect((await why(3)).slice(0, 2)).toEqual([
    ['Merchant', 0, null],
    ['Merchant', 50, closedInAugust],
  ])
  const unlock = { month: '2026-09', reason: 'A late file' }
  expect((await admin.call('POST', '/api/v1/report/residual-summary/unlock', unlock)).status).toBe(200)
  await sql(`update master_agent set payoninactive = false`)
  await sql(`update merchant set accountstatus = 3, date_closed = null where masteragentid = 3`)
  expect((await why(2))[1]).toEqual(['Override', 10, closedInAugust])
  await takeOverAll(admin, '2026-09')
  expect((await why(2))[1]).toEqual(['Override', 7.99, '2 inactive merchants, and Pay on Inactive is off'])
  const ofEast = async () => (await run('2026-09')).rows.filter(([agent]) => agent === 'MA0003')
  // What is withheld of a loss is a loss.
  expect((await ofEast()).map((row) => [row[1], row[5], row[6]])).toEqual([
    ['Merchant', -10.03, 0],
    ['Merchant', 50, 0],
    ['Statement', 0, 54.5],
  ])
  await sql(
    `insert into adjustment (masteragentid, month, amount, reason, author) values (3, '2026-09-01', -100, 'Loss', 'x')`,
  )
  // Nothing of a negative balance is kept from anybody.
  expect((await ofEast()).map(([, section]) => section)).toEqual(['Merchant', 'Merchant'])
})

test('its lines follow one another by section, by the agent through whom they come, and by merchant', async () => {
  await sql(
    `insert into residual (month, processor, xmid, dba, income, net, batchid)
      select '2026-10-01', 'Aurora', xmid, '', 10, 10, 1 from merchant`,
  )
  await sql(`update merchant set accountstatus = 3, date_closed = null`)
  await sql(`update merchant set dba = 'Aardvark' where masteragentid = 5`)
  await sql(
    `update master_agent set payoninactive = false, parentid = case id when 5 then 2 else parentid end`,
  )
  const { rows } = await answered(admin, 'withheld-pay', { month: '2026-10' }, [
    'displayid',
    'section',
    'through',
    'dba',
  ])
  expect(rows.filter(([agent, section]) => agent === 'MA0002' && section !== 'Statement')).toEqual([
    ['MA0002', 'Merchant', null, 'Cinder Diner'],
    ['MA0002', 'Merchant', null, 'Gable Books'],
    ['MA0002', 'Override', 'MA0003 - East', '=Briar & Sons, "Inc."'],
    ['MA0002', 'Override', 'MA0003 - East', 'Alder Bakery'],
    ['MA0002', 'Override', 'MA0005 - South', 'Aardvark'],
  ])
})
