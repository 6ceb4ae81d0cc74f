import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ReportColumn } from '../../../schemas/api/reports.ts'
import { formatUsDate } from '../../../schemas/dates.ts'
import { dayInZone } from '../../../server/money/bankDays.ts'
import type { SignedIn } from '../../testPortal.ts'
import { readCsv } from './exports.ts'
import { answered, ledger, type Ledger, payMonth, publish } from './ledger.ts'

let portal: Ledger
let admin: SignedIn
let north: SignedIn
let east: SignedIn
let office: SignedIn
beforeAll(async () => {
  portal = await ledger()
  admin = portal.admin
  ;[north, east, office] = await Promise.all([portal.as('north'), portal.as('east'), portal.as('office')])
})
afterAll(() => portal.close())

const run = (type: string, inputs: object, names: string[], who = admin) => answered(who, type, inputs, names)
const months = async (who: SignedIn, type: string) => {
  const { body } = await who.call('GET', '/api/v1/report')
  const it = body.data.find(({ id }: { id: string }) => id === type)
  return it.inputs.find(({ inputname }: { inputname: string }) => inputname === 'month').constraints
}
/** The reports whose one input is a month. */
const ofMonth = [
  'residual-summary',
  'processor-control-totals',
  'merchant-profitability',
  'missing-unmatched-mids',
  'ach-payout',
].map((type): [string, object] => [type, { month: '2026-09' }])
/** Of Alder Bakery, which was East's when the months were locked. */
const history = (who: SignedIn) =>
  run('merchant-by-month', { merchant: '0012345678901' }, ['month', 'state', 'dba', 'agent', 'net'], who)
const download = (who: SignedIn, type: string, inputs: object, format: string) =>
  who.call('POST', `/api/v1/report/${type}/export?format=${format}`, inputs)

describe('before a month is locked', () => {
  test('months are offered newest first, each with its state', async () => {
    expect(await months(admin, 'residual-summary')).toEqual([
      { id: '2026-09', displayname: 'September 2026', state: 'Open' },
      { id: '2026-08', displayname: 'August 2026', state: 'Open' },
    ])
    expect((await months(admin, 'dispute-ratio'))[0]).toEqual({
      id: '2026-09',
      displayname: 'September 2026',
    })
    expect(await months(admin, 'ach-payout')).toEqual([])
  })

  test('an agent is neither offered nor answered an open month', async () => {
    expect(await months(north, 'agent-residual-statement')).toEqual([])
    const { status, body } = await north.call('POST', '/api/v1/report/agent-residual-statement', {
      month: '2026-09',
      agent: '2',
    })
    expect({ status, fields: body.fields }).toEqual({
      status: 422,
      fields: { month: 'Month must be one of the offered values' },
    })
  })

  test.each<[string, object]>([
    ['agent-residual-statement', { agent: '2' }],
    ...['carry-forward', 'withheld-pay', 'month-checklist'].map((type): [string, object] => [type, {}]),
    ...ofMonth.filter(([type]) => type !== 'ach-payout').map(([type]): [string, object] => [type, {}]),
  ])('%s of an open month says of which day it is, and so does the name of its file', async (type, more) => {
    const inputs = { ...more, month: '2026-09' }
    const { body } = await run(type, inputs, [])
    const day = dayInZone(portal.config.timeZone, new Date())
    expect(body.notes[0]).toBe(
      `September 2026 is open: these are the figures of ${formatUsDate(day)}, and may change until it is locked.`,
    )
    const { headers } = await download(admin, type, inputs, 'csv')
    expect(headers['content-disposition']).toContain(` 2026-09${'agent' in more ? ' MA0002' : ''} ${day}.csv`)
  })

  test('a report that compares locks of an open month says nothing of today', async () => {
    const { body } = await run('lock-versions-compared', { month: '2026-09', older: 1, newer: 2 }, [])
    expect(body.notes).toEqual([
      'There is no version 1 of this month.',
      'There is no version 2 of this month.',
    ])
  })

  test('an open month pays nobody', async () => {
    expect((await download(admin, 'ach-payout', { month: '2026-09' }, 'nacha')).body.fields).toEqual({
      month: 'Month must be one of the offered values',
    })
  })

  test('the checklist of the month says what is amiss', async () => {
    const { rows } = await run('month-checklist', { month: '2026-09' }, ['severity', 'what', 'where'])
    expect(rows).toContainEqual([
      'Warning',
      'The MID is not in the portfolio',
      'Borealis X-900 in the file, net $7.77',
    ])
  })
})

describe('locking', () => {
  test('a wrong month is refused with a sentence', async () => {
    expect((await publish(admin, null)).body.fields).toEqual({ month: 'Month is required' })
    expect((await publish(admin, '2031-01')).body.fields).toEqual({
      month: 'Month must be one of the offered values',
    })
    expect((await publish(admin, '2026-09', 'user-access')).body.error).toBe(
      'User Access has no month that could be locked',
    )
    expect((await publish(admin, '2026-09', 'no-such')).status).toBe(404)
  })

  test('what is no input of the report is refused and named, and nothing is locked', async () => {
    const path = '/api/v1/report/residual-summary/publish'
    const error = 'waiver is no input of this report'
    expect(await admin.call('POST', path, { month: '2026-08', waiver: 'x', agent: null })).toMatchObject({
      status: 422,
      body: { error: `${error}. agent is no input of this report`, fields: { waiver: error } },
    })
    expect(await portal.db.query('select 1 from month_lock')).toEqual([])
  })

  test('a user who sees a branch alone locks no month', async () => {
    await portal.db.query(`update portal_user set permissions = '{lock_reports}' where username = 'east'`)
    const { status, body } = await publish(east, '2026-08')
    expect([status, body.error]).toEqual([403, 'Only who sees all master agents may lock a month'])
  })

  test('a month is locked by a user who holds lock_reports, once, and the state is shown', async () => {
    const { status, body } = await publish(office, '2026-08')
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toEqual({
      month: '2026-08',
      version: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      username: 'office',
      lockedat: expect.any(Number),
    })
    const again = await publish(admin, '2026-08')
    expect(again.status).toBe(409)
    expect(again.body.error).toMatch(/^August 2026 is locked already: office locked it on /)
    await payMonth(admin, '2026-08', '2026-09-10')
    expect((await publish(admin, '2026-09', 'agent-residual-statement')).status).toBe(200)
    expect((await months(admin, 'residual-summary')).map(({ state }: { state: string }) => state)).toEqual([
      'Locked',
      'Locked',
    ])
    expect((await months(north, 'agent-residual-statement')).map(({ id }: { id: string }) => id)).toEqual([
      '2026-09',
      '2026-08',
    ])
  })

  test('a report of a locked month carries its lock and reads the snapshot', async () => {
    const inputs = { month: '2026-09', agent: '3' }
    const before = await run('agent-residual-statement', inputs, ['description', 'amount'])
    expect(before.body.lock).toMatchObject({ month: '2026-09', version: 1, username: 'admin' })
    await portal.db.query('update master_agent set percentagecommissionreceived = 1 where id = 3')
    await portal.db.query(
      `update merchant set masteragentid = 2, dba = 'Renamed' where xmid = '0012345678901'`,
    )
    const after = await run('agent-residual-statement', inputs, ['description', 'amount'])
    expect(after).toEqual(before)
    for (const who of [admin, north, east])
      expect((await history(who)).rows).toEqual([
        ['2026-09', 'Locked', 'Alder Bakery', 'MA0003 - East', 100],
        ['2026-08', 'Locked', 'Alder Bakery', 'MA0003 - East', 80],
      ])
  })

  test.each([
    ['residual-summary', ['house', 'own']],
    ['processor-control-totals', ['statednet', 'difference', 'net']],
  ])('%s adds up nothing that a branch is not shown, on the screen and in the file', async (type, names) => {
    const inputs = { month: '2026-09' }
    const { totals, body } = await run(type, inputs, names, north)
    expect(totals).toEqual(names.map((_, index) => (index < names.length - 1 ? null : expect.any(Number))))
    const cells = readCsv((await download(north, type, inputs, 'csv')).body).at(-1)!
    const at = (name: string) => body.columns.findIndex((column: ReportColumn) => column.name === name)
    expect(names.map((name) => cells[at(name)] === '')).toEqual(totals!.map((total) => total === null))
    expect((await run(type, inputs, names)).totals).toEqual(names.map(() => expect.any(Number)))
  })

  test.each<[string, object]>([['agent-residual-statement', { month: '2026-09', agent: '2' }], ...ofMonth])(
    'names, parents and payees of today do not change %s',
    async (type, inputs) => {
      const before = await admin.call('POST', `/api/v1/report/${type}`, inputs)
      expect(before.status).toBe(200)
      await portal.db.query(
        `update master_agent set name = name || ' Ltd', parentid = case when id = 3 then 1 else parentid end, payeeid = null`,
      )
      expect((await admin.call('POST', `/api/v1/report/${type}`, inputs)).body).toEqual(before.body)
      await portal.db.query(
        `update master_agent set name = replace(name, ' Ltd', ''), parentid = case when id = 3 then 2 else parentid end, payeeid = case when id = 5 then 4 end`,
      )
    },
  )

  test.each<[string, object]>([['agent-residual-statement', { month: '2026-09', agent: '3' }], ...ofMonth])(
    '%s of a locked month is the same file an hour later, to the byte',
    async (type, inputs) => {
      for (const format of ['xlsx', 'csv']) {
        const bytes = async () => {
          const reply = await portal.app.inject({
            method: 'POST',
            url: `/api/v1/report/${type}/export?format=${format}`,
            payload: inputs,
            headers: {
              authorization: `Bearer ${admin.token}`,
              cookie: `XSRF-TOKEN=${admin.cookie}`,
              'x-xsrf-token': admin.cookie,
            },
          })
          expect(reply.statusCode).toBe(200)
          return reply.rawPayload.toString('base64')
        }
        const first = await bytes()
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
        expect(await bytes().finally(() => vi.useRealTimers())).toBe(first)
      }
    },
  )
})

describe('merchants that are in no file of a locked month', () => {
  beforeAll(() =>
    portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
        values ('2026-09-14', '401234567897777', 1, 9, 9, 1)`,
    ),
  )
  afterAll(() =>
    portal.db.query(`delete from daily_volume where volumedate = '2026-09-14' and salesamount = 9`),
  )
  const found = async (who: SignedIn) => {
    const names = ['finding', 'xmid', 'agent', 'sales', 'last']
    return (await run('missing-unmatched-mids', { month: '2026-09' }, names, who)).rows
  }

  test.each([
    ['is set to inactive', `accountstatus = 3, date_closed = null`],
    ['is closed before it', `accountstatus = 3, date_closed = 1`],
    ['is moved', `masteragentid = 4`],
  ])('are the same when one of them %s afterwards', async (_, change) => {
    const before = { all: await found(admin), north: await found(north) }
    expect(before.all.map((row) => row[1])).toContain('401234567897777')
    expect(before.north.map((row) => row[1])).toContain('401234567897777')
    const [kept] = await portal.db.query<{ rows: object[] }>(`select json_agg(m) as rows from merchant m`)
    await portal.db.query(`update merchant set ${change} where xmid <> '0012345678901'`)
    expect({ all: await found(admin), north: await found(north) }).toEqual(before)
    await portal.db.query(
      `update merchant m set accountstatus = k.accountstatus, date_closed = k.date_closed,
          masteragentid = k.masteragentid
        from json_populate_recordset(null::merchant, $1) k where k.id = m.id`,
      [JSON.stringify(kept!.rows)],
    )
  })

  test('of other branches are shown only to people who see all', async () => {
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid, accountstatus) values ('WEST-1', 'Harbor', 4, 2)`,
    )
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
        values ('2026-09-14', 'WEST-1', 1, 9, 9, 1)`,
    )
    const xmids = async (who: SignedIn) => (await found(who)).map(([, xmid]) => xmid)
    expect(await xmids(admin)).toContain('WEST-1')
    expect(await xmids(north)).not.toContain('WEST-1')
    await portal.db.query(`delete from merchant where xmid = 'WEST-1'`)
  })

  test('keep one that was deleted afterwards, without its name', async () => {
    const gable = async () =>
      (
        await run('missing-unmatched-mids', { month: '2026-09' }, ['xmid', 'dba', 'processor', 'agent'])
      ).rows.find(([xmid]) => xmid === '401234567897777')
    expect(await gable()).toEqual(['401234567897777', 'Gable Books', 'Aurora', 'MA0002 - North'])
    const [kept] = await portal.db.query<{ row: object }>(
      `delete from merchant m where xmid = '401234567897777' returning to_jsonb(m) - 'searched' as row`,
    )
    expect(await gable()).toEqual(['401234567897777', '', 'Aurora', 'MA0002 - North'])
    const names = Object.keys(kept!.row).join()
    await portal.db.query(
      `insert into merchant (${names}) overriding system value
        select ${names} from jsonb_populate_record(null::merchant, $1)`,
      [JSON.stringify(kept!.row)],
    )
  })
})

describe('paying', () => {
  test('ACH Payout pays each payee once, with the last four digits of its account', async () => {
    const names = ['displayid', 'name', 'statements', 'bank', 'account', 'class', 'amount', 'held', 'hold']
    const { rows, totals } = await run('ach-payout', { month: '2026-09' }, names)
    expect(rows).toEqual([
      ['MA0002', 'North', 'MA0002', '*****2345', 'Checking', 'CCD', 39.99, 0, null],
      ['MA0003', 'East', 'MA0003', '', 'Checking', 'CCD', 0, 94.47, 'No bank data'],
      // 51.00 of its own and 60.00 of South
      ['MA0004', 'Wést & Co', 'MA0004, MA0005', '*****4567', 'Savings', 'PPD', 111, 0, null],
    ])
    expect(totals).toEqual(['Total', null, null, null, null, null, 150.99, 94.47, null])
    const own = await run('ach-payout', { month: '2026-09' }, names, north)
    expect(own.rows.map((row) => row[0])).toEqual(['MA0002', 'MA0003'])
  })

  test('Agent 1099 Totals adds up what was paid in a year and did not come back', async () => {
    await payMonth(office, '2026-09', '2026-10-13')
    const { rows, body } = await run('agent-1099-totals', { year: 2026 }, [
      'displayid',
      'taxtype',
      'w9',
      'months',
      'paid',
      'reportable',
    ])
    // August: North 32.00; September: North 39.99, West 51.00 and 60.00 of South
    expect(rows).toEqual([
      ['MA0002', 'EIN', true, 2, 71.99, false],
      ['MA0004', 'EIN', true, 1, 111, false],
    ])
    expect(body.notes[0]).toBe('Reportable from $2,000 a year.')
    expect((await run('agent-1099-totals', { year: 2025 }, ['paid'])).body.notes[0]).toBe(
      'Reportable from $600 a year.',
    )
  })
})

describe('unlocking', () => {
  const unlock = (who: SignedIn, body: object) =>
    who.call('POST', '/api/v1/report/residual-summary/unlock', body)

  test('only the newest locked month is unlocked, by an administrator, with a reason', async () => {
    expect((await unlock(office, { month: '2026-09', reason: 'x' })).status).toBe(403)
    expect((await unlock(admin, { month: '2026-09', reason: ' ' })).body.fields).toEqual({
      reason: 'Reason is required',
    })
    expect((await unlock(admin, { month: 'September', reason: 'x' })).body.fields).toEqual({
      month: 'Month must be a month as YYYY-MM',
    })
    expect((await unlock(admin, { month: '2026-08', reason: 'x' })).status).toBe(409)
    expect((await unlock(admin, { month: '2026-07', reason: 'x' })).status).toBe(409)
    const { status, body } = await unlock(admin, { month: '2026-09', reason: 'A late file' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      month: '2026-09',
      version: 1,
      reopenedby: 'admin',
      reason: 'A late file',
      reopenedat: expect.any(Number),
    })
    expect((await months(admin, 'residual-summary')).map(({ state }: { state: string }) => state)).toEqual([
      'Reopened',
      'Locked',
    ])
    expect((await months(north, 'residual-summary')).map(({ id }: { id: string }) => id)).toEqual(['2026-08'])
  })

  test('a month that is open again stands in the history of a merchant as its next version begins, and for a branch not at all', async () => {
    const august = ['2026-08', 'Locked', 'Alder Bakery', 'MA0003 - East', 80]
    expect((await history(admin)).rows).toEqual([
      ['2026-09', 'Reopened', 'Alder Bakery', 'MA0003 - East', 100],
      august,
    ])
    const own = await history(north)
    expect([own.rows, own.body.notes]).toEqual([[august], ['Residual figures are of locked months alone.']])
  })

  test('the next lock is a new version, and the two are compared', async () => {
    await portal.db.query(
      'update residual set income = income + 10, net = net + 10 where month = $1 and xmid = $2',
      ['2026-09-01', '401234567890'],
    )
    await portal.db.query('update master_agent set percentagecommissionreceived = 50 where id = 3')
    await portal.db.query(`update merchant set masteragentid = 3 where xmid = '0012345678901'`)
    await portal.db.query(
      `insert into residual (month, processor, xmid, income, net, batchid)
        values ('2026-09-01', 'Aurora', '401234567897777', 10, 10, 1)`,
    )
    await portal.db.query(
      `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname, notes,
          routingnumber) values (6, 'Newcomer', false, false, false, '', '', '')`,
    )
    await portal.db.query(
      `insert into adjustment (masteragentid, month, amount, reason, author)
        values (6, '2026-09-01', 3, 'Begun late', 'admin')`,
    )
    expect((await publish(admin, '2026-09')).body).toMatchObject({ version: 2 })
    const { rows, body } = await run('lock-versions-compared', { month: '2026-09', older: 1, newer: 2 }, [
      'kind',
      'id',
      'figure',
      'before',
      'after',
      'difference',
    ])
    // Cinder's 43.33 x 60 % = 25.998 = 26.00 instead of 20.00, and Gable's 10.00 x 60 % = 6.00
    expect(rows).toEqual([
      ['Master Agent', 'MA0002', 'Own', 20, 32, 12],
      ['Master Agent', 'MA0002', 'Due', 39.99, 51.99, 12],
      ['Master Agent', 'MA0002', 'Payable', 39.99, 51.99, 12],
      ['Master Agent', 'MA0006', 'Adjustments', 0, 3, 3],
      ['Master Agent', 'MA0006', 'Due', 0, 3, 3],
      ['Master Agent', 'MA0006', 'Carryout', 0, 3, 3],
      ['Merchant', '401234567890', 'Pays to MA0002', 20, 26, 6],
      ['Merchant', '401234567897777', 'Pays to MA0002', 0, 6, 6],
    ])
    expect(body.notes).toHaveLength(2)
    // What only one of the versions pays is 0 in the other, whichever comes first.
    const turned = await run('lock-versions-compared', { month: '2026-09', older: 2, newer: 1 }, [
      'kind',
      'id',
      'figure',
      'after',
      'before',
    ])
    expect(turned.rows).toEqual(rows.map((row) => row.slice(0, 5)))
    const none = await run('lock-versions-compared', { month: '2026-09', older: 1, newer: 7 }, ['kind'])
    expect(none.body.notes).toContain('There is no version 7 of this month.')
  })
})
