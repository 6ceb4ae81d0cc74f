import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerRow } from '../../../schemas/api/months/months.ts'
import { findPayments, returnFaults, type PaidEntry } from '../../../server/payouts/returns/returns.ts'
import { checkNacha } from './files/nacha.ts'
import { accountOf, payoutPortal, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
const month = '2026-01'
const post = (step: string, body: object) =>
  portal.call('bob', 'POST', `/api/v1/month/${month}/${step}`, body)
const refusal = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]
const entry = async (id: number) => (await portal.entries(month)).find((it) => it.id === id)!

describe('a hold', () => {
  beforeAll(async () => {
    portal = await payoutPortal(5)
    await portal.db.query('update master_agent set payeeid = 2 where id in (3, 4)')
    for (const [agent, amount] of [
      [2, 50],
      [3, 30],
      [4, -10],
      [5, 7],
    ] as const)
      await portal.earn(agent, month, amount)
    await portal.lock(month)
  })
  afterAll(() => portal.close())

  test('of a payee pays it nothing, and the others all', async () => {
    const held = await post('hold', { masteragentid: 2, reason: 'Left without a word' })
    expect(held.body).toMatchObject({ payable: 0, hold: 'Held by bob: Left without a word' })
    expect((await entry(5)).payable).toBe(7)
    expect(refusal(await post('hold', { masteragentid: 2, reason: 'again' }))).toEqual([
      409,
      'MA0002 - Agent 2 is held already, by bob',
    ])
    expect((await post('unhold', { masteragentid: 2, reason: 'Called' })).body.payable).toBe(70)
    expect(refusal(await post('unhold', { masteragentid: 2, reason: 'Called' }))).toEqual([
      409,
      'MA0002 - Agent 2 is not held',
    ])
  })

  test('of one statement leaves it out of the sum, unless it is negative', async () => {
    await post('hold', { masteragentid: 3, statement: true, reason: 'Disputed' })
    expect((await entry(2)).payable).toBe(40)
    await post('hold', { masteragentid: 4, statement: true, reason: 'Disputed' })
    expect((await entry(2)).payable).toBe(40)
    await post('unhold', { masteragentid: 3, statement: true, reason: 'Settled' })
    await post('unhold', { masteragentid: 4, statement: true, reason: 'Settled' })
    expect((await entry(2)).payable).toBe(70)
    const acts = await portal.db.query(
      `select action, entityid, after from audit where entity = 'month' and after ->> 'masteragentid' = '3'
        order by id`,
    )
    const of3 = { masteragentid: 3, statement: true }
    expect(acts).toEqual([
      { action: 'hold', entityid: month, after: { ...of3, reason: 'Disputed' } },
      { action: 'unhold', entityid: month, after: { ...of3, reason: 'Settled' } },
    ])
  })

  test('of a payee ends before that of its statement, unless the statement is named', async () => {
    await post('hold', { masteragentid: 2, reason: 'Left without a word' })
    await post('hold', { masteragentid: 2, statement: true, reason: 'Disputed' })
    const ended = () => post('unhold', { masteragentid: 2, reason: 'Settled' })
    expect([(await ended()).body.payable, (await ended()).body.payable]).toEqual([20, 70])
  })

  test.each<[object, number, string]>([
    [{ masteragentid: 2 }, 422, 'Reason is required'],
    [{ masteragentid: 2, reason: ' ' }, 422, 'Reason is required'],
    [{ masteragentid: 2, reason: 'x'.repeat(1001) }, 422, 'Reason may have at most 1,000 characters'],
    [{ masteragentid: 99, reason: 'x' }, 404, 'This master agent does not exist'],
  ])('with %j is refused (%i)', async (body, status, sentence) => {
    const answer = await post('hold', body)
    expect([answer.status, Object.values(answer.body.fields ?? { error: answer.body.error })[0]]).toEqual([
      status,
      sentence,
    ])
  })
})

describe('whether a payee is held', () => {
  beforeAll(async () => {
    portal = await payoutPortal(5)
    await portal.db.query(`update master_agent set routingnumber = '' where id = 3`)
    await portal.db.query(`update master_agent set routingnumber = '123456789' where id = 4`)
    for (const agent of [2, 3, 4, 5]) await portal.earn(agent, month, 10)
    await portal.lock(month)
    const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/5')
    const change = { version: agent.version, bankaccountnumber: '777000111' }
    expect((await portal.call('admin', 'PUT', '/api/v1/masteragent/5', change)).status).toBe(200)
  })
  afterAll(() => portal.close())
  const entryOf = async (id: number) => {
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)
    return body.entries.find((it: { masteragentid: number }) => it.masteragentid === id)
  }

  test.each([
    [2, 'nothing else', null, 'Held by bob: Disputed'],
    [3, 'no bank data', 'No bank data', 'No bank data'],
    [4, 'a wrong routing number', 'Routing number fails its check', 'Routing number fails its check'],
    [
      5,
      'an account that is not confirmed',
      'Bank account changed by admin and not confirmed',
      'Bank account changed by admin and not confirmed',
    ],
  ])('is said of agent %i with %s, and that hold can be ended', async (masteragentid, _, hold, whileHeld) => {
    expect(await entryOf(masteragentid)).toMatchObject({ isheld: false, hold })
    for (const statement of [false, true]) {
      const held = await post('hold', { masteragentid, statement, reason: 'Disputed' })
      expect(held.body).toMatchObject({ isheld: true, hold: whileHeld })
      expect(await entryOf(masteragentid)).toMatchObject({ isheld: true, hold: whileHeld })
      expect((await post('unhold', { masteragentid, reason: 'Settled' })).body).toMatchObject({
        isheld: false,
        hold,
      })
    }
  })

  test('is not ended by a person who belongs to the agent or to one below it, in the run either; another person ends it', async () => {
    await portal.db.query(`update master_agent set parentid = 2 where id = 3`)
    await portal.db.query(`update portal_user set masteragentid = 3, admin = true where username = 'carl'`)
    const byCarl = (body: object) => portal.call('carl', 'POST', `/api/v1/month/${month}/unhold`, body)
    const reason = 'This is your own agent or one above it: somebody else must end its hold'
    for (const masteragentid of [2, 3])
      for (const statement of [false, true]) {
        await post('hold', { masteragentid, statement, reason: 'Disputed' })
        expect(await byCarl({ masteragentid, reason: 'Settled' })).toMatchObject({
          status: 403,
          body: { error: reason },
        })
        const { body } = await portal.call('carl', 'GET', `/api/v1/month/${month}/payout`)
        expect(
          body.entries.map((it: { masteragentid: number; cannotunhold: string | null }) => [
            it.masteragentid,
            it.cannotunhold,
          ]),
        ).toEqual([2, 3, 4, 5].map((id) => [id, id < 4 ? reason : null]))
        expect((await entryOf(masteragentid)).cannotunhold).toBeNull()
        expect((await post('unhold', { masteragentid, reason: 'Settled' })).status).toBe(200)
      }
    await post('hold', { masteragentid: 4, reason: 'Disputed' })
    expect((await byCarl({ masteragentid: 4, reason: 'Settled' })).status).toBe(200)
    expect((await byCarl({ masteragentid: 2, reason: 'Settled' })).status).toBe(409)
    await portal.db.query(`update master_agent set parentid = 1 where id = 3`)
    await portal.db.query(`update portal_user set masteragentid = 1, admin = false where username = 'carl'`)
  })

  test('is not said for the statement of an agent it is paid for, nor for one of a former month', async () => {
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    await portal.reopen(month)
    await portal.lock(month)
    await post('hold', { masteragentid: 3, statement: true, reason: 'Disputed' })
    await portal.db.query(
      `insert into payout_hold (masteragentid, month, isstatement, reason, username, address)
        values (4, '2025-12-01', true, 'Disputed', 'bob', '')`,
    )
    expect([await entryOf(2), await entryOf(4)]).toMatchObject([{ isheld: false }, { isheld: false }])
    const of4 = { masteragentid: 4, statement: true, reason: 'Disputed' }
    expect(refusal(await post('unhold', of4))).toEqual([409, 'MA0004 - Agent 4 is not held'])
    expect((await post('hold', of4)).body).toMatchObject({ isheld: true })
  })
})

/** 7.00 that are held in January are taken back in February, by whose lock nothing is due to agent 3. */
describe('a hold of whom nothing is due to', () => {
  const next = '2026-02'
  const call = (step: string, body: object) =>
    portal.call('bob', 'POST', `/api/v1/month/${next}/${step}`, { reason: 'Settled', ...body })
  const entryOf3 = async () => (await portal.entries(next)).find(({ id }) => id === 3)
  const nothing = { due: 0, released: 0, payable: 0 }
  beforeEach(async () => {
    portal = await payoutPortal(4)
    await portal.earn(3, month, 7)
    await portal.earn(4, month, 9)
    await portal.lock(month)
  })
  afterEach(() => portal.close())
  const settled = async () => {
    await portal.earn(3, next, -7)
    await portal.lock(next)
  }

  test('is listed and can be ended, and what is due to the payee later is paid', async () => {
    await post('hold', { masteragentid: 3, reason: 'Disputed' })
    await settled()
    expect(await entryOf3()).toEqual({ id: 3, ...nothing, hold: 'Held by bob: Disputed' })
    const ended = await call('unhold', { masteragentid: 3 })
    expect([ended.status, ended.body]).toMatchObject([
      200,
      {
        masteragentid: 3,
        displayid: 'MA0003',
        name: 'Agent 3',
        account: '*****3456',
        ...nothing,
        hold: null,
      },
    ])
    expect(await entryOf3()).toBeUndefined()
    expect(refusal(await call('unhold', { masteragentid: 3 }))).toEqual([409, 'MA0003 - Agent 3 is not held'])
    await portal.earn(3, '2026-03', 5)
    await portal.lock('2026-03')
    expect((await portal.entries('2026-03')).find(({ id }) => id === 3)).toMatchObject({ payable: 5 })
  })

  test('is not listed as one of the payee to whom what is due to the held agent goes', async () => {
    await post('hold', { masteragentid: 3, reason: 'Disputed' })
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    await settled()
    expect((await portal.entries(next)).map(({ id }) => id)).toEqual([4])
    expect((await call('unhold', { masteragentid: 3 })).body).toMatchObject({ masteragentid: 3, hold: null })
  })

  test('answers the entry of the payee, or the one that pays the statement that is held', async () => {
    await portal.db.query('update master_agent set payeeid = id - 1 where id in (3, 4)')
    await settled()
    await portal.reopen(next)
    await portal.earn(3, next, 10)
    await portal.lock(next)
    const answered = async (step: string, more: object) => {
      const { masteragentid, isheld, payable } = (await call(step, { masteragentid: 3, ...more })).body
      return [masteragentid, isheld, payable]
    }
    expect(await answered('hold', {})).toEqual([3, true, 0])
    expect(await answered('hold', { statement: true })).toEqual([2, false, 0])
    expect(await answered('unhold', {})).toEqual([3, true, 9])
    expect(await answered('unhold', {})).toEqual([3, false, 9])
    expect((await entryOf3())!.payable).toBe(9)
  })

  test('can be ended when it is of the statement alone', async () => {
    await portal.earn(3, next, 1)
    await portal.lock(next)
    await call('hold', { masteragentid: 3, statement: true })
    await portal.reopen(next)
    await portal.earn(3, next, -8)
    await portal.lock(next)
    // An entry shows, too, what the version before was due.
    await portal.reopen(next)
    await portal.lock(next)
    const ended = await call('unhold', { masteragentid: 3, statement: true })
    expect([ended.status, ended.body]).toMatchObject([200, { masteragentid: 3, ...nothing, hold: null }])
  })

  test('does not apply to a loss, whose statement still counts', async () => {
    await portal.earn(3, next, -8)
    await portal.lock(next)
    expect((await call('hold', { masteragentid: 3, statement: true })).body).toMatchObject({
      due: -1,
      payable: 0,
      hold: null,
      isheld: true,
    })
  })

  test('can be ended when the agent has become an office account since, also by a person who belongs to it', async () => {
    await post('hold', { masteragentid: 3, reason: 'Disputed' })
    await portal.db.query('update master_agent set isofficeaccount = true where id = 3')
    await portal.db.query(`update portal_user set masteragentid = 3 where username = 'bob'`)
    await settled()
    const ended = await call('unhold', { masteragentid: 3 })
    expect([ended.status, ended.body]).toMatchObject([200, { ...nothing, hold: 'Office account' }])
  })

  test('begins in a run also at an agent that has become an office account since', async () => {
    await portal.db.query('update master_agent set isofficeaccount = true where id = 3')
    const held = await post('hold', { masteragentid: 3, reason: 'Disputed' })
    expect([held.status, held.body]).toMatchObject([200, { hold: 'Office account', isheld: true }])
  })

  test('is refused, and nothing is stored', async () => {
    await settled()
    expect(refusal(await call('hold', { masteragentid: 3 }))).toEqual([
      409,
      'Nothing is due to this master agent in this month',
    ])
    expect(await portal.db.query('select 1 from payout_hold')).toEqual([])
  })
})

describe('a hold of a master agent, by its form', () => {
  const path = (id: number, step: string) => `/api/v1/masteragent/${id}/${step}`
  const call = (step: string, reason = 'Disputed', id = 3, who: 'bob' | 'branch' = 'bob') =>
    portal.call(who, 'POST', path(id, step), { reason })
  const held = async (who: 'bob' | 'branch' = 'bob', id = 3) =>
    (await portal.call(who, 'GET', `/api/v1/masteragent/${id}`)).body.payhold
  beforeEach(async () => {
    portal = await payoutPortal(4)
    await portal.earn(3, month, 7)
  })
  afterEach(() => portal.close())

  test('begins while no month is locked, and holds the run of the next one', async () => {
    const { status, body } = await call('hold')
    expect([status, body.payhold]).toMatchObject([200, { by: 'bob', reason: 'Disputed' }])
    await portal.lock(month)
    expect(await entry(3)).toMatchObject({ payable: 0, hold: 'Held by bob: Disputed' })
  })

  test('ends also when it began in a run that is closed, and what is due is paid by the next run', async () => {
    await portal.lock(month)
    await post('hold', { masteragentid: 3, reason: 'Disputed' })
    await portal.earn(4, '2026-02', 1)
    await portal.lock('2026-02')
    await portal.reopen('2026-02')
    for (const [step, masteragentid] of [
      ['unhold', 3],
      ['hold', 4],
    ] as const)
      expect(refusal(await post(step, { masteragentid, reason: 'Settled' }))).toEqual([
        409,
        'The payouts of January 2026 are closed, because February 2026 was locked after it',
      ])
    expect(await held()).toMatchObject({ by: 'bob', reason: 'Disputed' })
    const ended = await call('unhold', 'Settled')
    expect([ended.status, ended.body.payhold]).toEqual([200, null])
    await portal.lock('2026-02')
    expect((await portal.entries('2026-02')).find(({ id }) => id === 3)).toMatchObject({ payable: 7 })
  })

  test('makes the approval of a run void', async () => {
    await portal.lock(month)
    const hash = await portal.approve(month)
    await call('hold')
    expect(refusal(await post('release', { hash, how: 'other' }))).toEqual([
      409,
      'January 2026 is not approved. The approval of bob is void. MA0003 - Agent 3: $7.00 approved, now $0.00',
    ])
  })

  test('ends one after the other: of a person, of a returned payment, and no hold of a statement', async () => {
    await portal.lock(month)
    await portal.pay(month)
    await call('hold')
    const body = { trace: await portal.trace(month, 3), code: 'R03', date: '2026-03-10' }
    expect((await post('return', body)).status).toBe(200)
    await post('hold', { masteragentid: 3, statement: true, reason: 'This month alone' })
    const returned = 'payment returned, R03 No account, or unable to locate it'
    // The newest is the one that is shown, and the first that ends.
    expect([(await held()).reason, (await entry(3)).hold]).toEqual([returned, `Held by bob: ${returned}`])
    expect(refusal(await call('hold'))).toEqual([409, 'MA0003 - Agent 3 is held already, by bob'])
    expect((await call('unhold')).body.payhold).toMatchObject({ by: 'bob', reason: 'Disputed' })
    expect((await entry(3)).hold).toBe('Held by bob: Disputed')
    expect((await call('unhold')).body.payhold).toBeNull()
    expect(refusal(await call('unhold'))).toEqual([409, 'MA0003 - Agent 3 is not held'])
    expect((await entry(3)).hold).toBe('Held by bob: This month alone')
  })

  test('is refused of an office account, whose hold can end', async () => {
    expect(refusal(await call('hold', 'Disputed', 1))).toEqual([
      409,
      'MA0001 - Agent 1 is an office account, which is never paid',
    ])
    await call('hold')
    await portal.db.query('update master_agent set isofficeaccount = true where id = 3')
    expect((await call('unhold')).status).toBe(200)
  })

  test.each(['hold', 'unhold'])(
    '%s needs lock_reports with the sight of all, then a record and a reason',
    async (step) => {
      expect((await call(step, 'Disputed', 2, 'branch')).status).toBe(403)
      expect((await call(step, 'Disputed', 99)).status).toBe(404)
      expect((await call(step, ' ')).status).toBe(422)
    },
  )

  test('is shown only to those who may end it, and is in the audit and in the evidence', async () => {
    await call('hold', 'Disputed', 2)
    expect([await held('branch', 2), (await held('bob', 2)).by]).toEqual([null, 'bob'])
    await call('unhold', 'Settled', 2)
    const acts = await portal.db.query(
      `select action, username, after from audit
        where entity = 'masteragent' and entityid = '2' and action <> 'reveal' order by id`,
    )
    expect(acts).toMatchObject([
      { action: 'hold', username: 'bob', after: { reason: 'Disputed' } },
      { action: 'unhold', username: 'bob', after: { reason: 'Settled' } },
    ])
    await portal.lock(month)
    const holdsOf = async (of: string) => {
      const { body } = await portal.call('bob', 'POST', '/api/v1/report/payout-evidence', { month: of })
      return (body.data as { event: string; detail: string }[])
        .filter(({ event }) => event.startsWith('Hold'))
        .map(({ event, detail }) => [event, detail])
    }
    const begunAndEnded = [
      ['Hold', 'Disputed'],
      ['Hold ended', 'Settled'],
    ]
    expect(await holdsOf(month)).toEqual(begunAndEnded)
    // A hold of a payee is of the month whose run it meets, and of none before it.
    await portal.earn(4, '2026-02', 1)
    await portal.lock('2026-02')
    await call('hold', 'Left', 2)
    expect([await holdsOf(month), await holdsOf('2026-02')]).toEqual([begunAndEnded, [['Hold', 'Left']]])
  })
})

describe('a return', () => {
  let trace: string
  beforeAll(async () => {
    portal = await payoutPortal(4)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 30)
    await portal.earn(4, month, 5)
    await portal.lock(month)
    const hash = await portal.approve(month)
    expect((await post('release', { hash, how: 'file' })).status).toBe(200)
    await portal.db.query(`alter table payout_payment disable trigger payout_payment_grows`)
    await portal.db.query(`update payout_payment set effective = '2026-02-10'`)
    trace = await portal.trace(month, 2)
  })
  afterAll(() => portal.close())

  test.each<[what: string, body: () => object, status: number, sentence: string]>([
    [
      'of an unknown trace number',
      () => ({ trace: '091000010009999' }),
      404,
      'There is no payment with trace number 091000010009999',
    ],
    [
      'the day before the payment',
      () => ({ date: '2026-02-09' }),
      422,
      'Date is before the payment, which took effect on 02/10/2026',
    ],
    ['in the future', () => ({ date: '2099-01-04' }), 422, 'Date is in the future'],
    [
      'by a notification of change',
      () => ({ code: ' c01 ' }),
      422,
      "c01 is a notification of change: read it from the bank's return file",
    ],
    ['with a cent more', () => ({ amount: 80.01 }), 422, 'The payment was $80.00, not $80.01'],
    ['with a cent less', () => ({ amount: 79.99 }), 422, 'The payment was $80.00, not $79.99'],
    ['without a code', () => ({ code: ' ' }), 422, 'Return Code is required'],
    ['on no day', () => ({ date: '2026-02-31' }), 422, 'Date must be a day as YYYY-MM-DD'],
  ])('%s is refused, and nothing is stored', async (_, body, status, sentence) => {
    const answer = await post('return', { trace, code: 'R03', date: '2026-02-12', ...body() })
    expect(refusal(answer)).toEqual([status, sentence])
    expect(await portal.db.query('select 1 from payout_return union all select 1 from payout_hold')).toEqual(
      [],
    )
  })

  test('of a payment of another month says of which it is', async () => {
    const body = { trace, code: 'R03', date: '2026-02-12' }
    const answer = await portal.call('bob', 'POST', '/api/v1/month/2026-02/return', body)
    expect([...refusal(answer), answer.body.fields]).toEqual([
      404,
      `The payment with trace number ${trace} is of January 2026`,
      { trace: 'Not a payment of this month' },
    ])
  })

  test.each<[date: string, sentence: string | undefined]>([
    ['2026-02-09', 'Date is before the payment, which took effect on 02/10/2026'],
    ['2026-02-10', undefined],
    ['2026-02-11', undefined],
    ['2026-02-12', undefined],
    ['2026-02-13', 'Date is in the future'],
  ])('of 10 February that is booked on 12 February may be of %s: %s', (date, sentence) => {
    const payment = { amount: 80, effective: '2026-02-10', earliest: '2026-02-10' } as PaidEntry
    expect(returnFaults(payment, { date, amount: 80, today: '2026-02-12' }).date).toBe(sentence)
  })

  test.each<[how: 'file' | 'other', released: string, effective: string, date: string, sentence?: string]>([
    [
      'other',
      '2026-02-10',
      '2026-02-12',
      '2026-02-09',
      'Date is before the payment, which was released on 02/10/2026',
    ],
    ['other', '2026-02-10', '2026-02-12', '2026-02-10'],
    [
      'other',
      '2026-02-12',
      '2026-02-10',
      '2026-02-09',
      'Date is before the payment, which took effect on 02/10/2026',
    ],
    ['other', '2026-02-12', '2026-02-10', '2026-02-10'],
    [
      'file',
      '2026-02-10',
      '2026-02-12',
      '2026-02-11',
      'Date is before the payment, which took effect on 02/12/2026',
    ],
    ['file', '2026-02-10', '2026-02-12', '2026-02-12'],
  ])(
    'of a payment by %s that was released on %s for %s may be of %s: %s',
    async (how, released, effective, date, sentence) => {
      const found = portal.db.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(
          `update payout_release set how = $1, at = $2::date + time '23:59', file = case when $1 = 'file' then file end`,
          [how, released],
        )
        await tx.query('update payout_payment set effective = $1', [effective])
        const [payment] = await findPayments(tx, 'trace', [trace])
        throw Object.assign(new Error(), { payment })
      })
      const { payment } = await found.catch((error: { payment: PaidEntry }) => error)
      expect(returnFaults(payment, { date, amount: 80, today: '2026-02-20' }).date).toBe(sentence)
    },
  )

  test('makes the sum due again to each agent it was paid for, and holds the account', async () => {
    const answer = await post('return', { trace, code: 'R03', date: '2026-02-10', amount: 80 })
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { returncode: 'R03', returned: '2026-02-10', amount: 80, masteragentid: 2 },
    ])
    expect(await entry(2)).toEqual({
      id: 2,
      due: 80,
      released: 0,
      payable: 0,
      hold: 'Held by bob: payment returned, R03 No account, or unable to locate it',
    })
    expect(await portal.db.query(`select username, after from audit where action = 'return'`)).toEqual([
      {
        username: 'bob',
        after: { month, trace, returncode: 'R03', date: '2026-02-10', payee: 'MA0002', amount: 80 },
      },
    ])
    expect(refusal(await post('return', { trace, code: 'R02', date: '2026-02-12' }))).toEqual([
      409,
      'The payment to MA0002 - Agent 2 came back already (R03)',
    ])
    const payees = async (query: string) =>
      ((await portal.call('bob', 'GET', `/api/v1/ledger?${query}`)).body.data as LedgerRow[]).map(
        ({ masteragentid }) => masteragentid,
      )
    expect(await payees('search=r03')).toEqual([2])
    // What did not come back has no day, and stands at the end either way.
    expect([await payees('sort=returned'), await payees('sort=-returned')]).toEqual([
      [2, 4],
      [2, 4],
    ])
  })

  test('is paid again in a further run once another account, and not only another kind of it, was confirmed', async () => {
    const change = async (account: object) => {
      const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/2')
      const body = { version: agent.version, ...account }
      const entered = await portal.call('admin', 'PUT', '/api/v1/masteragent/2', body)
      expect((await entry(2)).hold).toBe('Bank account changed by admin and not confirmed')
      await portal.call('bob', 'POST', '/api/v1/masteragent/2/bank/confirm', {
        how: 'Voided check seen',
        version: entered.body.version,
      })
    }
    await change({ isbankaccounttypebusiness: false })
    expect((await entry(2)).hold).toContain('payment returned, R03')
    await change({ bankaccountnumber: '777000111' })
    expect(await entry(2)).toEqual({ id: 2, due: 80, released: 0, payable: 80, hold: null })
  })
})

describe('an account that was entered before the lock', () => {
  const sent = async (agent: number, body: object) => {
    const { body: record } = await portal.call('admin', 'GET', `/api/v1/masteragent/${agent}`)
    const answer = await portal.call('ann', 'PUT', `/api/v1/masteragent/${agent}`, {
      version: record.version,
      ...body,
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const paid = async () => {
    const hash = await portal.approve(month)
    const { body } = await post('release', { hash, how: 'file' })
    return checkNacha(body).batches.flatMap(({ entries }) => entries.map((it) => [it.account, it.cents]))
  }
  beforeEach(async () => {
    portal = await payoutPortal(4)
    await portal.earn(3, month, 60)
  })
  afterEach(() => portal.close())

  test.each<[string, () => Promise<unknown>]>([
    [
      'rejected',
      () => portal.call('bob', 'POST', '/api/v1/masteragent/3/bank/reject', { reason: 'Unknown' }),
    ],
    ['withdrawn', () => sent(3, { bankaccountnumber: accountOf(3) })],
  ])('and %s after it is not paid: the former one is', async (_, end) => {
    await sent(3, { bankaccountnumber: '666000666' })
    await portal.lock(month)
    expect((await entry(3)).payable).toBe(0)
    await end()
    expect(await paid()).toEqual([[accountOf(3), 6000]])
  })

  test('as another payee, and rejected after it, leaves the money with the former payee', async () => {
    await sent(3, { payeeid: 2 })
    await portal.lock(month)
    expect(await portal.entries(month)).toMatchObject([{ id: 3, payable: 0 }])
    await portal.call('bob', 'POST', '/api/v1/masteragent/3/bank/reject', { reason: 'Unknown' })
    expect(await paid()).toEqual([[accountOf(3), 6000]])
  })

  test('as the payee of a loss takes nothing from that payee before it is confirmed', async () => {
    await portal.earn(2, month, 50)
    await portal.earn(4, month, -20)
    await sent(4, { payeeid: 2 })
    await portal.lock(month)
    expect((await entry(2)).payable).toBe(50)
  })
})
