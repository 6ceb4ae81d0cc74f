import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rateFields } from '../../../schemas/entities/masterAgent.ts'
import { requireLock } from '../../../server/money/months.ts'
import { changesBy } from '../../../server/payouts/separation/changesBy.ts'
import { payoutPortal, replaceUser, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
afterEach(() => portal.close())
const month = '2026-01'
const approve = async (who: 'ann' | 'bob' | 'admin' | 'carl' | 'branch', hash?: string) =>
  portal.call(who, 'POST', `/api/v1/month/${month}/approve`, { hash: hash ?? (await portal.hash(month)) })
const release = async (who: 'ann' | 'bob' | 'admin' | 'carl' | 'branch', body: object) =>
  portal.call(who, 'POST', `/api/v1/month/${month}/release`, {
    hash: await portal.hash(month),
    how: 'other',
    date: '2026-03-10',
    ...body,
  })
/** bob gives agent 3 an adjustment of the month. */
const addGift = () =>
  portal.call('bob', 'POST', '/api/v1/adjustment', { masteragentid: 3, month, amount: 4, reason: 'Gift' })
const states = async () => {
  const { body } = await portal.call('ann', 'GET', '/api/v1/month')
  return (body.data as { month: string; state: string }[]).find((it) => it.month === month)!.state
}
const refusal = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]

async function makeLocked(settings: object = {}) {
  const made = await payoutPortal(4, settings)
  await made.earn(2, month, 50)
  await made.earn(3, month, 60)
  await made.lock(month)
  return made
}

/** A portal with a locked month, stopped, for copies. */
let origin: PayoutPortal
beforeAll(async () => {
  origin = await makeLocked()
  await origin.stop()
})
afterAll(() => origin.close())

async function locked(settings?: object) {
  portal = settings ? await makeLocked(settings) : await payoutPortal(4, {}, origin)
}

describe('an approval', () => {
  test('needs another person than the one who locked the month, and the screen says who may approve', async () => {
    await locked()
    expect(refusal(await approve('ann'))).toEqual([
      403,
      'ann locked January 2026: another person must approve its payouts',
    ])
    const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
    expect([body.cannotapprove, body.cannotrelease]).toEqual([
      'You locked this month: another person must approve it (admin, bob, carl)',
      'This run is not approved',
    ])
    expect(await states()).toBe('locked')
    // An entry that pays nothing is no payment.
    await portal.call('carl', 'POST', '/api/v1/masteragent/4/hold', { reason: 'New' })
    expect((await approve('bob')).status).toBe(200)
    expect(
      await portal.db.query(`select username, entity, entityid, after from audit where action = 'approve'`),
    ).toEqual([
      {
        username: 'bob',
        entity: 'month',
        entityid: month,
        after: { version: 1, hash: await portal.hash(month), total: 110, payments: 2 },
      },
    ])
    expect(await states()).toBe('approved')
    expect(refusal(await approve('admin'))).toEqual([409, 'January 2026 is approved already, by bob'])
    const { body: approved } = await portal.call('admin', 'GET', `/api/v1/month/${month}/payout`)
    expect([approved.cannotapprove, approved.cannotrelease]).toEqual(['bob has approved this run', null])
  })

  test('names both ways out where nobody else could approve', async () => {
    await locked()
    const hint = async () =>
      (await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)).body.cannotapprove
    const others = ['dan', 'eve', 'fay']
    await portal.db.query(
      `insert into portal_user (username, password_hash, permissions, masteragentid)
        select name, '', '{lock_reports}', 1 from unnest($1::text[]) name`,
      [others],
    )
    // Five are named at most.
    expect(await hint()).toBe(
      'You locked this month: another person must approve it (admin, bob, carl, dan, eve)',
    )
    await portal.db.query('delete from portal_user where username = any ($1)', [['bob', 'carl', ...others]])
    await portal.db.query(`update portal_user set admin = false where username = 'admin'`)
    // Who sees a branch alone may not approve, unless reports_admin shows it everything.
    await portal.db.query(
      `update portal_user set permissions = permissions || '{reports_admin}' where username = 'branch'`,
    )
    expect(await hint()).toBe('You locked this month: another person must approve it (branch)')
    await portal.db.query(`update portal_user set permissions = '{reports_admin}' where username = 'branch'`)
    expect(await hint()).toBe(
      'You locked this month, and nobody else may approve it: give another user the permission lock_reports ' +
        'and sight of all master agents, or set FOUR_EYES=off',
    )
  })

  test('with FOUR_EYES=off may come from the person who locked, changed what is paid and releases it, and the run says so', async () => {
    portal = await payoutPortal(4, { fourEyes: false })
    await portal.earn(2, month, 50)
    const gift = { masteragentid: 3, month, amount: 4, reason: 'Gift' }
    expect((await portal.call('ann', 'POST', '/api/v1/adjustment', gift)).status).toBe(201)
    await portal.lock(month)
    const told = async () => {
      const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
      return [body.total, body.cannotapprove, body.cannotrelease]
    }
    expect(await told()).toEqual([54, null, 'This run is not approved'])
    expect((await approve('ann')).status).toBe(200)
    expect(await told()).toEqual([54, 'ann has approved this run', null])
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)
    expect(body.notes).toEqual(['One person may lock, approve and release: FOUR_EYES is off.'])
    expect((await release('ann', {})).body).toMatchObject({ payments: 2, total: 54 })
  })

  test.each([
    ['ann', 409],
    ['bob', 200],
  ] as const)(
    'of %s, given while FOUR_EYES was off, answers a release %i once it is on',
    async (who, status) => {
      const alone = await payoutPortal(4, { fourEyes: false }, origin)
      await alone.approve(month, who)
      await alone.stop()
      portal = await payoutPortal(4, {}, alone)
      const answer = await release('carl', {})
      expect(answer.status).toBe(status)
      if (status === 409)
        expect(answer.body.error).toBe(
          'January 2026 is not approved. The approval of ann is void. ann locked January 2026, and FOUR_EYES is not off any more',
        )
      expect(await states()).toBe(status === 409 ? 'locked' : 'settled')
      await alone.close()
    },
  )

  test('is of the run that was seen: another hash is refused, and nothing is stored', async () => {
    await locked()
    const answer = await approve('bob', 'f'.repeat(64))
    expect([...refusal(answer), answer.body.code, answer.body.fields]).toEqual([
      409,
      'The payout run has changed meanwhile: look at it again',
      'changed',
      { hash: 'Not the hash of the payout run as it is now' },
    ])
    expect(await portal.db.query('select 1 from payout_approval')).toEqual([])
  })

  test('is void when anything of the run changes, and says what', async () => {
    await locked()
    await portal.approve(month)
    // Who is paid nothing before and after is no change, nor is a payee who was not in the run.
    await portal.call('carl', 'POST', '/api/v1/masteragent/4/hold', { reason: 'New' })
    expect((await portal.entries(month)).map(({ id }) => id)).toEqual([2, 3, 4])
    expect(await states()).toBe('approved')
    await portal.call('carl', 'POST', `/api/v1/month/${month}/hold`, { masteragentid: 3, reason: 'Left' })
    expect(await states()).toBe('locked')
    const { body } = await portal.call('admin', 'GET', `/api/v1/month/${month}/payout`)
    expect([body.approval, body.notes]).toEqual([
      null,
      ['The approval of bob is void', 'MA0003 - Agent 3: $60.00 approved, now $0.00'],
    ])
    expect(refusal(await release('admin', {}))).toEqual([
      409,
      'January 2026 is not approved. The approval of bob is void. MA0003 - Agent 3: $60.00 approved, now $0.00',
    ])
    await portal.call('carl', 'POST', `/api/v1/month/${month}/unhold`, { masteragentid: 3, reason: 'Back' })
    expect(await states()).toBe('approved')
    // Of who is paid nothing the account is none of a payment.
    const confirmOther = await portal.enter(4, { bankaccountnumber: '777000222' })
    await confirmOther()
    expect(await states()).toBe('approved')
    for (const [account, note] of [
      [{ routingnumber: '091000019' }, 'MA0003 - Agent 3: another account'],
      [{ bankaccountnumber: '777000111' }, 'MA0003 - Agent 3: another account'],
      // The shown digits are the same, and the account had been confirmed since the lock before.
      [{ routingnumber: '021000021' }, 'An account or the statements behind a payment have changed'],
      [{ isbankaccounttypechecking: false }, 'MA0003 - Agent 3: another account'],
      [{ isbankaccounttypebusiness: true }, 'MA0003 - Agent 3: another account'],
    ] as const) {
      await (
        await portal.enter(3, account)
      )()
      const { body: changed } = await portal.call('admin', 'GET', `/api/v1/month/${month}/payout`)
      expect([changed.approval, changed.notes]).toEqual([null, ['The approval of bob is void', note]])
      await portal.approve(month)
    }
  })

  test('is void when the same sum is paid for other statements', async () => {
    portal = await payoutPortal(4)
    await portal.db.query('update master_agent set payeeid = 2 where id in (3, 4)')
    for (const agent of [3, 4]) await portal.earn(agent, month, 30)
    await portal.lock(month)
    const change = (step: 'hold' | 'unhold', masteragentid: number) => {
      const body = { masteragentid, statement: true, reason: 'Disputed' }
      return portal.call('carl', 'POST', `/api/v1/month/${month}/${step}`, body)
    }
    await change('hold', 3)
    await portal.approve(month)
    await change('unhold', 3)
    await change('hold', 4)
    const { body } = await portal.call('admin', 'GET', `/api/v1/month/${month}/payout`)
    expect([body.approval, body.total, body.notes]).toEqual([
      null,
      30,
      ['The approval of bob is void', 'An account or the statements behind a payment have changed'],
    ])
  })

  test.each([
    ['of a month that is not locked', '2026-02', 409, 'February 2026 is not locked'],
    ['of no month', '2026-13', 404, 'There is no month 2026-13: write it like 2026-10'],
  ])('%s is refused', async (_, wanted, status, sentence) => {
    await locked()
    const answer = await portal.call('bob', 'POST', `/api/v1/month/${wanted}/approve`, { hash: 'x' })
    expect(refusal(answer)).toEqual([status, sentence])
  })

  test.each(['approve', 'release', 'hold', 'unhold', 'return', 'lock'])(
    'and every other step, %s, is refused to who sees a branch alone, before the body is read',
    async (step) => {
      await locked()
      const answer = await portal.call('branch', 'POST', `/api/v1/month/${month}/${step}`, { nonsense: 1 })
      expect(answer.status).toBe(403)
    },
  )
})

describe('a user who changed what a payee is paid', () => {
  const changes: [what: string, change: () => Promise<unknown>][] = [
    [
      'rate',
      async () => {
        const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
        return portal.call('bob', 'PUT', '/api/v1/masteragent/3', {
          version: body.version,
          percentagecommissionreceived: 51,
          ratesfrom: month,
        })
      },
    ],
    [
      'subscription',
      async () => {
        const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
        return portal.call('bob', 'PUT', '/api/v1/masteragent/3', {
          version: body.version,
          collectionSubscriptions: [{ amount: 1, notes: 'Fee' }],
        })
      },
    ],
    ['adjustment', addGift],
  ]
  /** Ticks of the form, each with the change. */
  const ticks: typeof changes = (['payoninactive', 'isofficeaccount'] as const).map((field) => [
    field === 'payoninactive' ? 'Pay on Inactive' : 'Office Account',
    async () => {
      await portal.db.query(`update master_agent set isofficeaccount = $1 where id = 3`, [
        field === 'isofficeaccount',
      ])
      const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
      const sent = { version: body.version, [field]: field === 'payoninactive' }
      return portal.call('bob', 'PUT', '/api/v1/masteragent/3', sent)
    },
  ])
  test.each(changes)('by a %s approves the others only', async (what, change) => {
    portal = await payoutPortal(4)
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 60)
    const { status } = (await change()) as { status: number }
    expect(status).toBeLessThan(300)
    await portal.lock(month)
    const seen = await portal.entries(month, 'bob')
    expect(seen.map(({ id, payable, hold }) => [id, payable, hold])).toEqual([
      [2, 50, null],
      [3, 0, `bob changed the ${what}: another person must approve it`],
    ])
    await portal.pay(month, 'bob')
    const rest = await portal.entries(month, 'admin')
    expect(rest.map(({ id, payable, hold }) => [id, payable > 0, hold])).toEqual([
      [2, false, null],
      [3, true, null],
    ])
    await portal.pay(month, 'admin')
    expect((await portal.entries(month)).map(({ payable }) => payable)).toEqual([0, 0])
    // In its own month the change counts still when the payment has come back.
    const back = { trace: await portal.trace(month, 3), code: 'R17', date: '2026-03-12' }
    expect((await portal.call('ann', 'POST', `/api/v1/month/${month}/return`, back)).status).toBe(200)
    const again = (await portal.entries(month, 'bob')).find(({ id }) => id === 3)!
    expect([again.payable, again.hold]).toEqual([
      0,
      `bob changed the ${what}: another person must approve it`,
    ])
  })

  const everyChange = [...changes.map(([what, change]) => [`the ${what}`, change] as const), ...ticks]
  test.each(everyChange)(
    'by %s approves no sooner what is carried of it than another person paid it',
    async (what, change) => {
      const [next, last] = ['2026-02', '2026-03']
      portal = await payoutPortal(4)
      await portal.earn(3, month, 60)
      expect(((await change()) as { status: number }).status).toBeLessThan(300)
      await portal.lock(month)
      await portal.earn(4, next, 10)
      await portal.lock(next)
      const seen = await portal.entries(next, 'bob')
      expect(seen.map(({ id, payable, hold }) => [id, payable, hold])).toEqual([
        [3, 0, `bob changed ${what}: another person must approve it`],
        [4, 10, null],
      ])
      await portal.pay(next, 'bob')
      await portal.pay(next, 'admin')
      await portal.earn(3, last, 70)
      await portal.lock(last)
      expect((await portal.entries(last, 'bob')).filter(({ hold }) => hold)).toEqual([])
    },
  )

  test.each(everyChange)(
    'by %s approves the month after once another person paid the month of it',
    async (_, change) => {
      const next = '2026-02'
      portal = await payoutPortal(4)
      await portal.earn(3, month, 60)
      expect(((await change()) as { status: number }).status).toBeLessThan(300)
      await portal.lock(month)
      await portal.pay(month, 'admin')
      await portal.earn(3, next, 70)
      await portal.lock(next)
      expect((await portal.entries(next, 'bob')).map(({ id, hold }) => [id, hold])).toEqual([[3, null]])
    },
  )

  test.each([
    ['the defaults', false, {}],
    ['Pay on Inactive', true, { payoninactive: true }],
    ['a subscription', true, { collectionSubscriptions: [{ amount: 1, notes: 'Fee' }] }],
  ])('who created an agent with %s changed its pay in the month after, too: %s', async (_, changed, sent) => {
    portal = await payoutPortal(4)
    await portal.earn(4, month, 1)
    const agent = { name: 'New', parentid: 1, ...sent }
    const made = await portal.call('bob', 'POST', '/api/v1/masteragent', agent)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await portal.lock(month)
    await portal.earn(4, '2026-02', 1)
    await portal.lock('2026-02')
    const lock = await requireLock(portal.db, '2026-02-01')
    const found = await changesBy(portal.db, lock, { username: 'bob', at: null })
    const sentence = 'bob created the master agent: another person must approve it'
    expect(found.get(made.body.id)).toBe(changed ? sentence : undefined)
  })

  test.each<[what: string, story: () => Promise<string>]>([
    [
      'a subscription that paid nothing in its first month',
      async () => {
        await portal.earn(3, month, -50)
        const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
        const answer = await portal.call('bob', 'PUT', '/api/v1/masteragent/3', {
          version: body.version,
          collectionSubscriptions: [{ amount: -50, notes: 'Refund' }],
        })
        expect(answer.status).toBe(200)
        await portal.lock(month)
        return 'subscription'
      },
    ],
    [
      'an adjustment of a month that was opened again when its run was closed',
      async () => {
        for (const of of [month, '2026-02']) await portal.earn(4, of, 1).then(() => portal.lock(of))
        for (const of of ['2026-02', month]) await portal.reopen(of)
        expect((await addGift()).status).toBe(201)
        await portal.lock(month)
        return 'adjustment'
      },
    ],
  ])('by %s does not approve what the month after pays of it', async (_, story) => {
    portal = await payoutPortal(4)
    const what = await story()
    await portal.earn(4, '2026-02', 10)
    await portal.lock('2026-02')
    const held = (await portal.entries('2026-02', 'bob')).filter(({ hold }) => hold)
    expect(held.map(({ id, hold }) => [id, hold])).toEqual([
      [3, `bob changed the ${what}: another person must approve it`],
    ])
  })

  test('is known by each of the rates, and by each with which an agent was created', async () => {
    portal = await payoutPortal(6)
    const changed: [id: number, what: string][] = []
    for (const [at, field] of rateFields.entries()) {
      const path = `/api/v1/masteragent/${at + 2}`
      const { version } = (await portal.call('admin', 'GET', path)).body
      expect((await portal.call('bob', 'PUT', path, { version, [field]: 1 })).status, field).toBe(200)
      const made = await portal.call('bob', 'POST', '/api/v1/masteragent', {
        name: field,
        parentid: 1,
        [field]: 1,
      })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      changed.push([at + 2, 'changed the rate'], [made.body.id, 'created the master agent'])
    }
    await portal.earn(6, month, 50)
    await portal.lock(month)
    const lock = await requireLock(portal.db, `${month}-01`)
    const found = await changesBy(portal.db, lock, { username: 'bob', at: null })
    const sentences = changed.map(
      ([id, what]) => [id, `bob ${what}: another person must approve it`] as const,
    )
    expect(found).toEqual(new Map(sentences))
  })

  test('of an agent whose pay goes to another payee approves the others of that payee neither', async () => {
    portal = await payoutPortal(4)
    await portal.db.query('update master_agent set payeeid = 2 where id = 3')
    for (const agent of [2, 3, 4]) await portal.earn(agent, month, 50)
    await changes[0]![1]()
    await portal.lock(month)
    const seen = await portal.entries(month, 'bob')
    expect(seen.map(({ id, payable, hold }) => [id, payable, hold])).toEqual([
      [2, 0, 'bob changed the rate: another person must approve it'],
      [4, 50, null],
    ])
  })

  const adjust = async (who: 'admin' | 'branch', amount: number) => {
    const body = { masteragentid: who === 'branch' ? 2 : 3, month, amount, reason: 'Agreed by phone' }
    const made = await portal.call(who, 'POST', '/api/v1/adjustment', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body as { id: number; version: number }
  }
  const at = ({ id }: { id: number }) => `/api/v1/adjustment/${id}`
  test.each<[what: string, held: number, change: () => Promise<{ status: number }>]>([
    [
      'deletes a deduction',
      3,
      async () => {
        const made = await adjust('admin', -40)
        return portal.call('bob', 'DELETE', at(made))
      },
    ],
    [
      'moves a deduction to another agent',
      3,
      async () => {
        const made = await adjust('admin', -40)
        return portal.call('bob', 'PUT', at(made), { version: made.version, masteragentid: 4 })
      },
    ],
    [
      'moves a deduction to another month',
      3,
      async () => {
        const made = await adjust('admin', -40)
        return portal.call('bob', 'PUT', at(made), { version: made.version, month: '2026-02' })
      },
    ],
    [
      'moves a deduction to another month, whose agent another person changes then,',
      3,
      async () => {
        const made = await adjust('admin', -40)
        const moved = await portal.call('bob', 'PUT', at(made), { version: made.version, month: '2026-02' })
        return portal.call('admin', 'PUT', at(made), { version: moved.body.version, masteragentid: 4 })
      },
    ],
    [
      'moves a deduction of a merchant to another month',
      3,
      async () => {
        await portal.db.query(
          `insert into merchant (id, xmid, dba, masteragentid, accountstatus) values (1, '4001', 'One', 3, 2)`,
        )
        const body = { merchantid: 1, month, amount: -40, reason: 'Agreed by phone' }
        const made = (await portal.call('admin', 'POST', '/api/v1/adjustment', body)).body
        return portal.call('bob', 'PUT', at(made), { version: made.version, month: '2026-02' })
      },
    ],
    [
      'changes an adjustment that another person accepted',
      2,
      async () => {
        const made = await adjust('branch', 4)
        const { body } = await portal.call('carl', 'POST', `${at(made)}/accept`, {})
        return portal.call('bob', 'PUT', at(made), { version: body.version, amount: 4_000 })
      },
    ],
  ])('and %s does not approve the pay of agent %i', async (_, held, change) => {
    portal = await payoutPortal(4)
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 60)
    const { status } = await change()
    expect(status).toBeLessThan(300)
    await portal.lock(month)
    expect((await portal.entries(month, 'bob')).filter((it) => it.hold).map(({ id }) => id)).toContain(held)
    expect((await portal.entries(month, 'carl')).filter((it) => it.hold && it.id === held)).toEqual([])
  })

  const gift = (owner: object) =>
    portal.call('bob', 'POST', '/api/v1/adjustment', { ...owner, month, amount: 4, reason: 'Gift' })
  const putRate = async (ratesfrom = month) => {
    const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
    const rate = { percentagecommissionreceived: 51, ratesfrom }
    return portal.call('bob', 'PUT', '/api/v1/masteragent/3', { version: body.version, ...rate })
  }
  test.each<[when: string, held: number, change: () => Promise<{ status: number }>]>([
    ['a rate from this month on, before the month before was locked', 3, () => putRate()],
    ['an adjustment of this month, before the month before was locked', 3, () => gift({ masteragentid: 3 })],
    [
      'a rate while the month before, which was opened again later, was locked',
      3,
      async () => {
        await portal.lock('2025-12')
        const answer = await putRate()
        await portal.reopen('2025-12')
        return answer
      },
    ],
    [
      'an adjustment of a merchant that has another agent since the lock',
      2,
      async () => {
        await portal.db.query(
          `insert into merchant (id, xmid, dba, masteragentid, accountstatus) values (1, '4001', 'One', 2, 2)`,
        )
        return gift({ merchantid: 1 })
      },
    ],
  ])('and wrote %s does not approve the pay of agent %i', async (_, held, change) => {
    portal = await payoutPortal(4)
    await portal.earn(4, '2025-12', 1)
    expect((await change()).status).toBeLessThan(300)
    await portal.lock('2025-12')
    for (const agent of [2, 3]) await portal.earn(agent, month, 50)
    await portal.lock(month)
    await portal.db.query('update merchant set masteragentid = 3')
    const heldFor = async (who: 'bob' | 'carl') =>
      (await portal.entries(month, who)).filter((it) => it.hold).map(({ id }) => id)
    expect(await heldFor('bob')).toEqual([held])
    expect(await heldFor('carl')).toEqual([])
  })

  test('by a rate from the next month on may approve this month, but not the next one', async () => {
    const next = '2026-02'
    portal = await payoutPortal(4)
    await portal.earn(4, '2025-12', 1)
    expect((await putRate(next)).status).toBe(200)
    await portal.lock('2025-12')
    const heldIn = async (of: string) => {
      await portal.earn(3, of, 50)
      await portal.lock(of)
      return (await portal.entries(of, 'bob')).filter((it) => it.id === 3).map(({ hold }) => hold !== null)
    }
    expect([await heldIn(month), await heldIn(next)]).toEqual([[false], [true]])
  })

  test('by an adjustment that another person accepted since approves it', async () => {
    portal = await payoutPortal(4)
    const made = await adjust('branch', 4)
    const changed = await portal.call('branch', 'PUT', at(made), { version: made.version, amount: 5 })
    expect(changed.status).toBe(200)
    await portal.call('carl', 'POST', `${at(made)}/accept`, {})
    await portal.db.query(`update portal_user set masteragentid = 1 where username = 'branch'`)
    await portal.lock(month)
    expect(await portal.entries(month, 'branch')).toMatchObject([{ id: 2, payable: 5, hold: null }])
  })

  test('releases only the other entries, though somebody else approved all, and sees their sum before', async () => {
    portal = await payoutPortal(4)
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 60)
    await changes[0]![1]()
    await portal.lock(month)
    const hash = await portal.approve(month, 'admin')
    const seen = await portal.entries(month, 'bob')
    expect(seen.map(({ payable }) => payable)).toEqual([50, 0])
    const told = async (who: 'bob' | 'carl') => {
      const { body } = await portal.call(who, 'GET', `/api/v1/month/${month}/payout`)
      return [body.total, body.cannotrelease]
    }
    expect([await told('bob'), await told('carl')]).toEqual([
      [50, null],
      [110, null],
    ])
    const answer = await portal.call('bob', 'POST', `/api/v1/month/${month}/release`, {
      hash,
      how: 'other',
      date: '2026-03-10',
    })
    expect([answer.status, answer.body.payments, answer.body.total]).toEqual([200, 1, 50])
    // Of what is left nothing is of others.
    await portal.approve(month, 'admin')
    const reason = 'Another person must release these payments: you changed what they pay'
    expect([await told('bob'), await told('carl')]).toEqual([
      [0, reason],
      [60, null],
    ])
    expect(refusal(await release('bob', {}))).toEqual([403, reason])
  })
})

describe('a user whose name a deleted user had before', () => {
  const steps: [what: string, act: (who: 'bob' | 'ann') => Promise<unknown>][] = [
    [
      'changed a rate',
      async () => {
        const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
        const change = { version: body.version, percentagecommissionreceived: 51 }
        expect((await portal.call('bob', 'PUT', '/api/v1/masteragent/3', change)).status).toBe(200)
      },
    ],
    ['wrote an adjustment', addGift],
    [
      'took over a rate',
      async () => {
        const { body } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
        const change = { version: body.version, percentagecommissionreceived: 51 }
        await portal.lock(month)
        await portal.reopen(month)
        await portal.call('admin', 'PUT', '/api/v1/masteragent/3', { ...change, ratesfrom: month })
        const taken = { keys: ['agent-rate'] }
        const answer = await portal.call('bob', 'POST', `/api/v1/month/${month}/takeover`, taken)
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      },
    ],
  ]
  const rows = async () => (await portal.entries(month, 'bob')).map(({ id, payable }) => [id, payable > 0])

  test.each(steps)('approves and releases what that one %s of', async (_, act) => {
    portal = await payoutPortal(4)
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 60)
    await act('bob')
    await portal.lock(month)
    expect(await rows()).toEqual([
      [2, true],
      [3, false],
    ])
    await replaceUser(portal, 'bob')
    expect(await rows()).toEqual([
      [2, true],
      [3, true],
    ])
    await portal.pay(month, 'bob')
    expect((await portal.entries(month)).map(({ released }) => released > 0)).toEqual([true, true])
  })

  test('approves a month that the former one locked, and leaves an approval of the former one in force', async () => {
    portal = await payoutPortal(4)
    await portal.earn(2, month, 50)
    await portal.lock(month)
    expect((await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)).body.cannotapprove).toMatch(
      /^You locked this month/,
    )
    await replaceUser(portal, 'ann')
    expect((await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)).body.cannotapprove).toBeNull()
    await portal.approve(month, 'ann')
    await replaceUser(portal, 'ann')
    await steps[1]![1]('bob')
    const { body } = await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)
    expect(body.approval).toMatchObject({ username: 'ann' })
  })
})

describe('two accounts of one person', () => {
  test.each([
    [
      'created',
      `insert into audit (username, address, action, entity, entityid) select 'ann', '', 'create', 'user', id::text from portal_user where username = 'bob'`,
      /^The two people at this run are not independent: ann created the user bob on /,
    ],
    [
      'set the password of',
      `insert into audit (username, address, action, entity, entityid, after) select 'bob', '', 'update', 'user', id::text, '{"password": "***"}' from portal_user where username = 'ann'`,
      /^The two people at this run are not independent: bob set the password of ann on /,
    ],
  ])('are reported, not prevented: one %s the other', async (_, statement, note) => {
    await locked()
    await portal.db.query(statement)
    const { status, body } = await approve('bob')
    expect(status).toBe(200)
    expect(body.notes).toEqual([expect.stringMatching(note)])
  })

  test('are not named at a run that pays nobody, which nobody approves', async () => {
    portal = await payoutPortal(3)
    await portal.earn(2, month, -5)
    await portal.lock(month)
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid)
        select 'ann', '', 'create', 'user', id::text from portal_user where username = 'bob'`,
    )
    expect((await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)).body.notes).toEqual([])
  })
})
