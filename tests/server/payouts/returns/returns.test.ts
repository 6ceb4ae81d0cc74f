import { DateTime } from 'luxon'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LedgerRow, PayoutRelease } from '../../../../schemas/api/months/months.ts'
import { payRun } from '../../../money/book.ts'
import type { Answer } from '../../../testPortal.ts'
import { payoutPortal, type PayoutPortal } from '../payoutPortal.ts'

const [january, february, march] = ['2026-01', '2026-02', '2026-03']
let portal: PayoutPortal
const post = (month: string, path: string, body: object, who: 'bob' | 'branch' = 'bob') =>
  portal.call(who, 'POST', `/api/v1/month/${month}/${path}`, body)
const refusal = ({ status, body }: Answer) => [status, body.error]
const count = async (table: string) =>
  (await portal.db.query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n
const stored = () => Promise.all(['payout_return', 'payout_hold', `audit where action = 'return'`].map(count))

describe('the return of a payment from before the ledger', () => {
  /** Its ids by month: of January the day is not known, of February it is. */
  const paid: Record<string, number> = {}
  beforeAll(async () => {
    portal = await payoutPortal(4)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    for (const [month, effective] of [
      [january, null],
      [february, '2026-03-10'],
    ] as const) {
      await portal.earn(2, month, 50)
      await portal.earn(3, month, 30)
      await portal.lock(month)
      await payRun(portal.db, `${month}-01`, effective)
      const [row] = await portal.db.query<{ id: number }>('select max(id) as id from payout_payment')
      paid[month] = row!.id
    }
    await portal.db.query('alter table payout_payment disable trigger payout_payment_grows')
    await portal.db.query(`update payout_payment set displayid = 'MA0002', name = 'Agent 2'`)
    await portal.earn(4, march, 10)
  })
  afterAll(() => portal.close())

  test.each<[what: string, month: string, body: () => object, status: number, sentence: string]>([
    ['of nothing', january, () => ({}), 422, 'Trace Number is required'],
    [
      'of a trace number and a payment',
      january,
      () => ({ trace: '091000010000001', payment: paid[january] }),
      422,
      'Name a trace number or a payment, not both',
    ],
    ['of an unknown payment', january, () => ({ payment: 9999 }), 404, 'There is no such payment'],
    [
      'of a payment of another month',
      february,
      () => ({ payment: paid[january] }),
      404,
      'The payment is of January 2026',
    ],
    [
      'of a day before the month it paid',
      january,
      () => ({ payment: paid[january], date: '2025-12-31' }),
      422,
      'Date is before January 2026, which was paid',
    ],
    [
      'of a day before it took effect, where that is known',
      february,
      () => ({ payment: paid[february], date: '2026-03-09' }),
      422,
      'Date is before the payment, which took effect on 03/10/2026',
    ],
    [
      'of a day to come',
      january,
      () => ({ payment: paid[january], date: '2099-01-04' }),
      422,
      'Date is in the future',
    ],
    [
      'of another amount',
      january,
      () => ({ payment: paid[january], amount: 79.99 }),
      422,
      'The payment was $80.00, not $79.99',
    ],
  ])('%s is refused, and nothing is stored', async (_, month, body, status, sentence) => {
    const before = await stored()
    const answer = await post(month, 'return', { code: 'R03', date: '2026-03-12', ...body() })
    expect(refusal(answer)).toEqual([status, sentence])
    expect(await stored()).toEqual(before)
  })

  test.each([
    [january, '2026-01-01', [50, 30]],
    [february, '2026-03-10', [100, 60]],
  ])(
    'is booked by its id in the ledger: that of %s of %s is due again to each agent',
    async (month, date, carried) => {
      const answer = await post(month, 'return', { payment: paid[month], code: 'R03', date, amount: 80 })
      expect(answer.body as LedgerRow).toMatchObject({
        id: paid[month],
        how: 'migrated',
        trace: null,
        returncode: 'R03',
        returned: date,
        amount: 80,
      })
      const audited = await portal.db.query(
        `select after from audit where action = 'return' and entityid = $1`,
        [String(paid[month])],
      )
      expect(audited).toEqual([
        { after: { month, trace: null, returncode: 'R03', date, payee: 'MA0002', amount: 80 } },
      ])
      expect(refusal(await post(month, 'return', { payment: paid[month], code: 'R03', date }))).toEqual([
        409,
        'The payment to MA0002 - Agent 2 came back already (R03)',
      ])
      const { body } = await portal.call('bob', 'POST', '/api/v1/report/residual-summary', { month: march })
      const carry = (id: string) =>
        body.data.find((row: Record<string, unknown>) => row['displayid'] === id)?.carryin ?? 0
      expect([carry('MA0002'), carry('MA0003')]).toEqual(carried)
      // The account is not known to which it was paid: that of today is held.
      const { body: payee } = await portal.call('bob', 'GET', '/api/v1/masteragent/2')
      expect(payee.payhold.reason).toBe('payment returned, R03 No account, or unable to locate it')
    },
  )
})

describe('the returns of a whole release', () => {
  const releases = async (): Promise<PayoutRelease[]> =>
    (await portal.call('bob', 'GET', `/api/v1/month/${january}/release`)).body.releases
  const back = (release: number, body: object = {}, month = january, who: 'bob' | 'branch' = 'bob') =>
    post(month, `release/${release}/return`, { code: 'R17', date: '2026-03-12', ...body }, who)
  const editable = async () => {
    await portal.db.query('alter table payout_release disable trigger payout_release_grows')
    await portal.db.query('alter table payout_payment disable trigger payout_payment_grows')
  }
  const due = async () => (await portal.entries(january)).map(({ id, payable }) => [id, payable])

  beforeAll(async () => {
    portal = await payoutPortal(6)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    for (const [id, amount] of [
      [2, 50],
      [3, -30],
      [4, 7],
      [5, 8],
    ] as const)
      await portal.earn(id, january, amount)
    await portal.earn(6, february, 1)
    await portal.lock(january)
    await portal.pay(january)
  })
  afterAll(() => portal.close())

  test('are refused of another month, of an unknown release, before its day, and to a person who may not book them', async () => {
    const before = await stored()
    const [release] = await releases()
    const at = release!.id
    expect([
      refusal(await back(at, {}, february)),
      refusal(await back(99)),
      refusal(await back(at, { date: '2026-03-09' })),
      refusal(await back(at, { date: '2099-01-04' })),
      refusal(await back(at, { code: 'C01' })),
      (await back(at, {}, january, 'branch')).status,
    ]).toEqual([
      [404, 'This release does not exist'],
      [404, 'This release does not exist'],
      [422, 'Date is before the payment, which took effect on 03/10/2026'],
      [422, 'Date is in the future'],
      [422, "C01 is a notification of change: read it from the bank's return file"],
      403,
    ])
    expect(await stored()).toEqual(before)
  })

  test('are of all its payments that did not come back yet, and each is booked as if by itself', async () => {
    const trace = await portal.trace(january, 4)
    expect((await post(january, 'return', { trace, code: 'R02', date: '2026-03-11' })).status).toBe(200)
    const [release] = await releases()
    expect(release).toMatchObject({
      payments: 3,
      total: 35,
      returned: 1,
      returnedtotal: 7,
      cannotreturn: null,
    })
    const answer = await back(release!.id)
    expect(answer.body.releases).toMatchObject([
      {
        payments: 3,
        returned: 3,
        returnedtotal: 35,
        cannotreturn: 'All payments of this release came back already',
      },
    ])
    expect(
      await portal.db.query(
        `select p.payeeid, b.code, b.day::text as day, b.username, b.address,
            t.after ->> 'amount' as audited, t.address as "auditedAt"
          from payout_return b join payout_payment p on p.id = b.paymentid
            join audit t on t.action = 'return' and t.entityid = p.id::text order by p.payeeid`,
      ),
    ).toEqual(
      [
        { payeeid: 2, code: 'R17', day: '2026-03-12', audited: '20' },
        { payeeid: 4, code: 'R02', day: '2026-03-11', audited: '7' },
        { payeeid: 5, code: 'R17', day: '2026-03-12', audited: '8' },
      ].map((it) => ({ ...it, username: 'bob', address: '127.0.0.1', auditedAt: '127.0.0.1' })),
    )
    // R17 holds nobody; agent 4 is held by its own return.
    expect(await due()).toEqual([
      [2, 20],
      [4, 0],
      [5, 8],
    ])
    expect(refusal(await back(release!.id))).toEqual([409, 'All payments of this release came back already'])
  })

  test('are possible from the day on which it takes effect, and of one that was only marked as paid from its release on', async () => {
    const made = async (how: 'file' | 'other') => {
      const hash = await portal.approve(january)
      expect(
        (await portal.call('ann', 'POST', `/api/v1/month/${january}/release`, { hash, how })).status,
      ).toBe(200)
      return (await releases()).at(-1)!
    }
    const file = await made('file')
    const [year, month, day] = file.effective!.split('-')
    const sentence = `Its payments take effect on ${month}/${day}/${year}: none can come back before`
    expect(file.cannotreturn).toBe(sentence)
    const today = new Date().toISOString().slice(0, 10)
    expect((await back(file.id, { date: today })).status).toBe(422)
    await editable()
    const shownOf = async (how: 'file' | 'other', effective: string, released: string) => {
      await portal.db.query(
        `update payout_release set how = $2, at = $3, file = case when $2 = 'file' then ''::bytea end
          where id = $1`,
        [file.id, how, released],
      )
      await portal.db.query('update payout_payment set effective = $2 where releaseid = $1', [
        file.id,
        effective,
      ])
      const { data } = (await portal.call('ann', 'GET', `/api/v1/ledger?page=1&size=10&month=${january}`))
        .body
      const left = data.find(({ returned }: { returned: string | null }) => returned === null)
      return [(await releases()).at(-1)!.cannotreturn, left.cannotreturn]
    }
    expect(await shownOf('file', today, '2026-03-01T12:00Z')).toEqual([null, null])
    expect(await shownOf('other', '2099-01-05', `${today}T00:00Z`)).toEqual([null, null])
    expect(await shownOf('other', '2099-01-05', '2099-01-04T12:00Z')).toEqual([
      'Its payments take effect on 01/04/2099: none can come back before',
      'The payment takes effect on 01/04/2099: it cannot come back before',
    ])
  })

  // One of them is always at another day than UTC.
  test.each(['Pacific/Niue', 'Pacific/Kiritimati'])(
    'are possible and shown by the day in the zone of the portal, %s',
    async (zone) => {
      const { timeZone } = portal.config
      portal.config.timeZone = zone
      onTestFinished(() => void (portal.config.timeZone = timeZone))
      const today = DateTime.now().setZone(zone)
      const [file] = (await releases()).slice(-1)
      await editable()
      await portal.db.query(`update payout_release set how = 'file', file = '' where id = $1`, [file!.id])
      const takesEffect = async (day: DateTime) => {
        await portal.db.query('update payout_payment set effective = $2 where releaseid = $1', [
          file!.id,
          day.toISODate(),
        ])
        const [row] = (await portal.call('ann', 'GET', '/api/v1/ledger?page=1&size=10')).body.data
        return [(await releases()).at(-1)!.cannotreturn, row.cannotreturn]
      }
      const tomorrow = today.plus({ days: 1 })
      const words = `on ${tomorrow.toFormat('MM/dd/yyyy')}`
      expect(await takesEffect(tomorrow)).toEqual([
        expect.stringContaining(words),
        expect.stringContaining(words),
      ])
      expect(await takesEffect(today)).toEqual([null, null])
      expect(refusal(await back(file!.id, { date: tomorrow.toISODate() }))).toEqual([
        422,
        'Date is in the future',
      ])
      if (zone === 'Pacific/Kiritimati')
        expect((await back(file!.id, { date: today.toISODate() })).status).toBe(200)
    },
  )
})
