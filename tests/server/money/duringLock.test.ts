import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '../../../server/db/db.ts'
import { blockMonthLocksOf } from '../../../server/money/late/lateMids.ts'
import { lockMonth, lockMonthIn, reopenMonth } from '../../../server/money/lock.ts'
import { blockMonthLock } from '../../../server/money/months.ts'
import { waive } from '../../money/book.ts'
import type { Answer } from '../../testPortal.ts'
import { waitingForLocks, whileUncommitted } from '../../whileUncommitted.ts'
import { payoutPortal, type PayoutPortal } from '../payouts/payoutPortal.ts'

const [before, month, next] = ['2025-12', '2026-01', '2026-02']
const action = { month: `${month}-01`, username: 'ann', address: '', waive }
const sentence = 'January 2026 is being locked by ann. Please try again when that is done'

let portal: PayoutPortal
beforeAll(async () => {
  portal = await payoutPortal(4)
  await portal.db.query(
    `insert into merchant (id, xmid, dba, masteragentid) values (1, '1', 'Shop', 2), (2, '2', 'Idle', 2)`,
  )
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query('truncate month_lock, adjustment, residual, processor_statement, payout_approval cascade')
    await tx.query('update equipment set paidmonth = null')
  })
  await portal.earn(2, before, 7)
  await lockMonth(portal.db, { ...action, month: `${before}-01` })
  await portal.earn(2, month, 50)
})

/** What `work` gives while a transaction that has copied January is not stored yet, and then is. */
const whileLocked = <T>(work: () => Promise<T>) =>
  portal.db.transaction(async (tx) => {
    await lockMonthIn(tx, action)
    return work()
  })
const adjust = (of: string) =>
  portal.call('ann', 'POST', '/api/v1/adjustment', { masteragentid: 2, month: of, amount: 5, reason: 'R' })
const agentOf = async (id: number) => (await portal.call('ann', 'GET', `/api/v1/masteragent/${id}`)).body
const put = async (change: object) =>
  portal.call('ann', 'PUT', '/api/v1/masteragent/3', { version: (await agentOf(3)).version, ...change })
const percent = 'percentagecommissionreceived'
const adjustmentOf = async (of: string) => {
  const [row] = await portal.db.query<{ id: number; version: number }>(
    'select id, version from adjustment where month = $1 order by id limit 1',
    [`${of}-01`],
  )
  return row!
}
const terminal = (paidsofar: number) => ({
  model: 'T',
  serialnumber: `S${Math.random()}`,
  soldfor: 10,
  paidsofar,
})

describe('a tree of agents that is changed after a lock has read it and before it copies it', () => {
  /** Resolves with the lock, which waits in between for a row with its key that is never stored. */
  const lockWhile = async (change: () => Promise<unknown>) => {
    let locked: Promise<unknown> = Promise.resolve()
    const never = portal.db.transaction(async (tx) => {
      await tx.query(
        `insert into month_lock (month, version, hash, username, terms) values ($1, 1, '', 'nobody', '{}')`,
        [action.month],
      )
      locked = lockMonth(portal.db, action)
      locked.catch(() => {})
      await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBeGreaterThan(0)
      await change()
      throw new Error('not stored')
    })
    await never.catch(() => {})
    return locked
  }
  const linesOf = () =>
    portal.db.query(
      `select p.masteragentid, p.amount from month_lock l join locked_pay p on p.lockid = l.id
        where l.month = $1 and l.reopened_at is null order by 1`,
      [action.month],
    )
  beforeEach(async () => {
    await portal.db.query(
      `insert into import_batch (id, kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        overriding system value values (901, 'compdata', 'A.csv', '', 0, 'x', 1, 1, 0, 0) on conflict do nothing`,
    )
    await portal.db.query(
      `insert into residual (month, processor, xmid, dba, txncount, sales, income, expense, net, batchid)
        values ($1, 'Aurora', '1', 'Shop', 1, 100, 100, 0, 100, 901)`,
      [action.month],
    )
    await portal.db.query(
      'update master_agent set parentid = 1, percentagecommissionreceived = 50 where id = 2',
    )
    await portal.db.query('update master_agent set percentagecommissionreceived = 60 where id in (3, 4)')
    await portal.db.query('update merchant set masteragentid = 2')
  })

  test.each<[string, string, [number, number][]]>([
    [
      'a parent',
      'update master_agent set parentid = 3 where id = 2',
      [
        [2, 50],
        [3, 10],
      ],
    ],
    [
      'a new agent to whom a merchant is given',
      `with made as (
          insert into master_agent (name, parentid, percentagecommissionreceived) values ('New', 4, 40) returning id)
        update merchant set masteragentid = (select id from made)`,
      [
        [4, 20],
        [101, 40],
      ],
    ],
  ])('by %s pays and is copied as it is then', async (_, change, expected) => {
    await lockWhile(() => portal.db.query(change))
    const lines = await linesOf()
    expect(
      lines.filter(({ amount }) => amount !== 0).map((it) => [it['masteragentid'], it['amount']]),
    ).toEqual(expected)
    await reopenMonth(portal.db, { ...action, reason: 'To lock it again' })
    await lockMonth(portal.db, action)
    expect(await linesOf()).toEqual(lines)
  })

  test.each([
    [2, 'locks the month'],
    [3, 'refuses the lock'],
  ])('%i times in a row %s', async (times) => {
    await portal.db.query(`
      create sequence copied;
      create function move_agent() returns trigger language plpgsql security definer as $$ begin
        if nextval('copied') <= ${times} then update master_agent set parentid = 3 where id = 2; end if;
        return new; end $$;
      create trigger move_agent before insert on month_lock for each row execute function move_agent()`)
    const answer = await portal.call('ann', 'POST', `/api/v1/month/${month}/lock`, { waive })
    await portal.db.query('drop function move_agent cascade; drop sequence copied')
    expect([answer.status, answer.body.error]).toEqual(
      times < 3
        ? [200, undefined]
        : [409, 'Master agents were changed while the month was copied: please lock it again'],
    )
    expect(await linesOf()).toEqual(times < 3 ? [{ masteragentid: 2, amount: 50 }] : [])
  })
})

describe('while a month is being locked', () => {
  test.each<[string, () => Promise<Answer>]>([
    ['an adjustment of it', () => adjust(month)],
    [
      'a change of an adjustment of it',
      async () => {
        const { id, version } = await adjustmentOf(month)
        return portal.call('ann', 'PUT', `/api/v1/adjustment/${id}`, { version, amount: 1 })
      },
    ],
    [
      'an adjustment of it that is moved away',
      async () => {
        const { id, version } = await adjustmentOf(month)
        return portal.call('ann', 'PUT', `/api/v1/adjustment/${id}`, { version, month: next })
      },
    ],
    [
      'the end of an adjustment of it',
      async () => portal.call('ann', 'DELETE', `/api/v1/adjustment/${(await adjustmentOf(month)).id}`),
    ],
    [
      "a processor's statement of it",
      () => portal.call('ann', 'POST', '/api/v1/processorstatement', { processor: 'P', month, nofile: true }),
    ],
    ['a rate from it', () => put({ [percent]: 20, ratesfrom: month })],
    [
      'a waiver of its findings',
      () =>
        portal.call('ann', 'POST', `/api/v1/month/${month}/waive`, { kind: 'unreleased-run', reason: waive }),
    ],
    [
      'an approval of payouts',
      async () =>
        portal.call('bob', 'POST', `/api/v1/month/${before}/approve`, { hash: await portal.hash(before) }),
    ],
    [
      'a hold of payouts',
      () => portal.call('bob', 'POST', `/api/v1/month/${before}/hold`, { masteragentid: 2, reason: 'Late' }),
    ],
    [
      'a decision about an account',
      async () => {
        if ((await agentOf(4)).bankpending === null) await portal.enter(4, { bankaccountnumber: '777000111' })
        return portal.call('bob', 'POST', '/api/v1/masteragent/4/bank/reject', { reason: 'Not theirs' })
      },
    ],
    [
      'a reopening',
      () => portal.call('admin', 'POST', `/api/v1/month/${before}/reopen`, { reason: 'A late file' }),
    ],
  ])('%s is refused at once, with who locks it, and is stored when nothing was locked', async (_, work) => {
    const refused = await whileLocked(async () => {
      throw Object.assign(new Error('nothing is locked'), { answer: await work() })
    }).catch((error: Error & { answer?: Answer }) => error.answer!)
    expect([refused.status, refused.body.error, refused.body.code]).toEqual([409, sentence, 'locking'])
    expect((await work()).status).toBeLessThan(300)
  })

  test('an adjustment of a month that is closed already is refused for its own lock', async () => {
    const refused = await whileLocked(() => adjust(before))
    expect([refused.status, refused.body.code]).toEqual([409, 'locked'])
    expect(refused.body.error).toMatch(/^December 2025 is locked/)
  })

  test('a terminal that is paid in it is refused, one that is not paid yet is stored', async () => {
    const [counting] = await portal.db.query<{ month: string }>('select counting_month() as month')
    const current = counting!.month
    await portal.earn(2, current.slice(0, 7), 1)
    await portal.db.transaction(async (tx) => {
      await lockMonthIn(tx, action)
      await lockOpenMonthsUntil(tx, current)
      const answer = await portal.call('admin', 'POST', '/api/v1/equipment', terminal(10))
      expect([answer.status, answer.body.code]).toEqual([409, 'locking'])
      const unpaid = await portal.call('admin', 'POST', '/api/v1/equipment', terminal(9))
      expect(unpaid.status).toBe(201)
    })
    // The month is locked now, so the terminal counts in the next one.
    expect((await portal.call('admin', 'POST', '/api/v1/equipment', terminal(10))).status).toBe(201)
    const [last] = await portal.db.query<{ paidmonth: string }>(
      'select max(paidmonth) as paidmonth from equipment',
    )
    expect(last!.paidmonth > current).toBe(true)
  })

  test.each<[string, number, () => Promise<Answer>]>([
    ['an adjustment of the month after it', 201, () => adjust(next)],
    ['a rate from the month after it', 200, () => put({ [percent]: 30, ratesfrom: next })],
    ['an edit of an agent', 200, () => put({ name: 'Renamed' })],
    [
      'a merchant that is moved',
      200,
      async () => {
        const { version } = (await portal.call('admin', 'GET', '/api/v1/merchant/1')).body
        const change = { version, masteragentid: version % 2 === 0 ? 2 : 3 }
        return portal.call('admin', 'PUT', '/api/v1/merchant/1', change)
      },
    ],
    ['the end of a merchant', 204, () => portal.call('admin', 'DELETE', '/api/v1/merchant/2')],
    [
      'a terminal that is paid later',
      201,
      () => portal.call('admin', 'POST', '/api/v1/equipment', terminal(10)),
    ],
    [
      'the payouts of the month before it',
      200,
      () => portal.call('bob', 'GET', `/api/v1/month/${before}/payout`),
    ],
    ['the month itself', 200, () => portal.call('bob', 'GET', `/api/v1/month/${month}`)],
  ])('%s is stored or read without waiting', async (_, status, work) => {
    const answer = await whileLocked(work)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    const [lock] = await portal.db.query('select 1 from month_lock where month = $1', [`${month}-01`])
    expect(lock).toBeDefined()
  })

  test('a user who is not known any more has no name in the sentence', async () => {
    const refused = await portal.db.transaction(async (tx) => {
      await lockMonthIn(tx, { ...action, username: 'gone' })
      return adjust(month)
    })
    expect(refused.body.error).toBe('January 2026 is being locked. Please try again when that is done')
  })
})

/** Locks every open month that holds data, so that the current one is being locked too. */
async function lockOpenMonthsUntil(tx: Tx, last: string) {
  const months = await tx.query<{ month: string }>(
    'select month from month_with_data where month > $1 and month <= $2 order by month',
    [action.month, last],
  )
  for (const { month: open } of months) await lockMonthIn(tx, { ...action, month: open })
}

describe('a lock', () => {
  test.each([
    ['its own month', `${month}-01`],
    ['the ledger', null],
  ])('waits for a person who holds %s, and copies what they store', async (_, held) => {
    const adding = (tx: Tx) =>
      blockMonthLock(tx, held).then(() =>
        tx.query(
          `insert into adjustment (masteragentid, month, amount, reason, author)
            values (2, $1, 8, 'Held', 'x')`,
          [action.month],
        ),
      )
    const lock = await whileUncommitted(portal.db, adding, () => lockMonth(portal.db, action))
    const rows = await portal.db.query(
      `select adjustments from locked_statement where lockid = $1 and masteragentid = 2`,
      [lock.id],
    )
    expect(rows).toEqual([{ adjustments: 58 }])
  })

  test('waits for a person who holds a month before it, and is refused when that holds something then', async () => {
    await reopenMonth(portal.db, { ...action, month: `${before}-01`, reason: 'again' })
    await portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('truncate month_lock cascade')
      await tx.query('delete from adjustment where month < $1', [action.month])
    })
    const adding = (tx: Tx) =>
      blockMonthLock(tx, '2025-11-01').then(() =>
        tx.query(
          `insert into adjustment (masteragentid, month, amount, reason, author)
            values (2, '2025-11-01', 8, 'Held', 'x')`,
        ),
      )
    await expect(
      whileUncommitted(portal.db, adding, () => lockMonth(portal.db, action)),
    ).rejects.toMatchObject({
      status: 409,
      message: 'November 2025 is still open: months are locked one after the other',
    })
  })

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['holds the month after it', (tx) => blockMonthLock(tx, `${next}-01`)],
    [
      'adds a merchant with income of a month that is locked already',
      async (tx) => {
        await tx.query(
          `with b as (
              insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
              values ('compdata', '', '', 0, 'x', 1, 1, 0, 0) returning id)
            insert into residual (month, processor, xmid, batchid) select $1, 'P', 'late', id from b`,
          [`${before}-01`],
        )
        await blockMonthLocksOf(tx, '$1::text', ['late'])
      },
    ],
  ])('does not wait for who %s', async (_, hold) => {
    const lock = await portal.db.transaction(async (tx) => {
      await hold(tx)
      return lockMonth(portal.db, action)
    })
    expect(lock.version).toBe(1)
  })

  test('leaves a change that has waited for its record since before the lock to the checklist and the approval of the next month', async () => {
    await portal.earn(3, month, 5)
    const { version } = await agentOf(3)
    const body = { version, collectionSubscriptions: [{ amount: -40, notes: 'Refund' }] }
    const changed = await whileUncommitted(
      portal.db,
      (tx) => tx.query('select from master_agent where id = 3 for update'),
      () => portal.call('bob', 'PUT', '/api/v1/masteragent/3', body),
      () => lockMonth(portal.db, action),
    )
    expect(changed.status).toBe(200)
    await portal.pay(month, 'admin')
    await portal.earn(2, next, 1)
    await lockMonth(portal.db, { ...action, month: `${next}-01` })
    const entry = (await portal.entries(next, 'bob')).find(({ id }) => id === 3)
    expect(entry).toMatchObject({
      due: 40,
      payable: 0,
      hold: 'bob changed the subscription: another person must approve it',
    })
    const { findings } = (await portal.call('ann', 'GET', `/api/v1/month/${next}`)).body
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'subscription-changed', amount: 40 }))
    await portal.db.query('delete from collection_subscription')
  })

  test('that waits has refused others already', async () => {
    const refused = await portal.db.transaction(async (tx) => {
      await blockMonthLock(tx, action.month)
      const locking = lockMonth(portal.db, action)
      await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBeGreaterThan(0)
      return { answer: await adjust(month), locking }
    })
    expect([refused.answer.status, refused.answer.body.error]).toEqual([409, sentence])
    expect((await refused.locking).version).toBe(1)
  })
})
