import { afterEach, describe, expect, test } from 'vitest'
import { decideChange } from '../../../server/money/bankChanges.ts'
import { serializePayouts } from '../../../server/money/months.ts'
import { releaseRun } from '../../../server/payouts/release.ts'
import { testSecret } from '../../setup/postgres.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'
import { checkNacha } from './files/nacha.ts'
import { accountOf, payoutPortal, replaceUser, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
afterEach(() => portal.close())
const month = '2026-01'
const newAccount = '777000111'

/** Agents 2 and 3 are due money; admin entered another account of agent 3, before the lock or after it. */
async function pending(when: 'before' | 'after') {
  portal = await payoutPortal(3)
  await portal.earn(2, month, 50)
  await portal.earn(3, month, 60)
  if (when === 'after') await portal.lock(month)
  const { version } = await enter({ bankaccountnumber: newAccount })
  if (when === 'before') await portal.lock(month)
  return version
}
async function enter(change: object): Promise<{ version: number }> {
  const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
  const { status, body } = await portal.call('admin', 'PUT', '/api/v1/masteragent/3', {
    version: agent.version,
    ...change,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const decide = (decision: 'confirm' | 'reject', version: number) =>
  portal.call(
    'bob',
    'POST',
    `/api/v1/masteragent/3/bank/${decision}`,
    decision === 'confirm' ? { how: 'Called back', version } : { reason: 'Not theirs' },
  )
const release = (hash: string) =>
  portal.call('ann', 'POST', `/api/v1/month/${month}/release`, { hash, how: 'other', date: '2026-03-10' })
/** The accounts that the bank file of the run pays to. */
async function paidAccounts() {
  const hash = await portal.approve(month)
  const { body } = await portal.call('ann', 'POST', `/api/v1/month/${month}/release`, { hash, how: 'file' })
  return checkNacha(body).batches.flatMap(({ entries }) => entries.map(({ account }) => account))
}

describe('an account that was pending when its month was locked', () => {
  test('is paid once it is confirmed', async () => {
    expect((await decide('confirm', await pending('before'))).status).toBe(200)
    expect(await paidAccounts()).toEqual([accountOf(2), newAccount])
  })

  test('is not paid once it is rejected: the money goes to the one in force before', async () => {
    expect((await decide('reject', await pending('before'))).status).toBe(200)
    expect(await paidAccounts()).toEqual([accountOf(2), accountOf(3)])
  })

  test('is not paid once the one in force before was entered again', async () => {
    await pending('before')
    await enter({ bankaccountnumber: accountOf(3) })
    expect(await paidAccounts()).toEqual([accountOf(2), accountOf(3)])
  })

  test('and whose payee was changed is not paid to that payee once it is rejected', async () => {
    portal = await payoutPortal(3)
    await portal.earn(3, month, 60)
    await enter({ payeeid: 2 })
    await portal.lock(month)
    expect((await decide('reject', 0)).status).toBe(200)
    expect((await portal.entries(month)).map(({ id, payable }) => [id, payable])).toEqual([[3, 60]])
  })
})

describe('a decision about an account and a release', () => {
  test.each(['confirm', 'reject'] as const)('wait for each other: %s', async (decision) => {
    const version = await pending('after')
    const hash = await portal.approve(month)
    const action = { month: `${month}-01`, username: 'ann', address: '', secret: testSecret, fourEyes: true }
    const body = { hash, how: 'other', date: '2026-03-10' } as const
    const decided = await whileUncommitted(
      portal.db,
      (tx) => releaseRun(tx, { ...action, config: portal.config, now: new Date() }, body),
      () => decide(decision, version),
    )
    expect(decided.status, JSON.stringify(decided.body)).toBe(200)
    expect((await portal.entries(month)).map(({ released, payable }) => [released, payable])).toEqual([
      [50, 0],
      [0, 60],
    ])
  })

  test('that began after it finds the run as the decision made it', async () => {
    await pending('after')
    const hash = await portal.approve(month)
    const [change] = await portal.db.query<{ id: number }>(
      'select id from bank_change where decision is null',
    )
    const refused = await whileUncommitted(
      portal.db,
      async (tx) => {
        await serializePayouts(tx)
        await decideChange(tx, change!.id, { decision: 'confirmed', username: 'bob' })
      },
      () => release(hash),
    )
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'January 2026 is not approved. The approval of bob is void. MA0003 - Agent 3: $0.00 approved, now $60.00',
    ])
    expect(await portal.db.query('select 1 from payout_payment')).toEqual([])
  })

  test('count in the order in which they were made, also where the decision began before the lock', async () => {
    await pending('before')
    await portal.reopen(month)
    const [change] = await portal.db.query<{ id: number }>(
      'select id from bank_change where decision is null',
    )
    await portal.db.transaction(async (tx) => {
      await tx.query('select now()')
      await portal.lock(month)
      await decideChange(tx, change!.id, { decision: 'rejected', username: 'bob' })
    })
    const [row] = await portal.db.query(
      `select decided_at > locked_at as later from bank_change, month_lock
        where bank_change.id = $1 and reopened_at is null`,
      [change!.id],
    )
    expect(row).toEqual({ later: true })
  })
})

test('an account that several people entered is confirmed by a person who has the name of one of them since', async () => {
  portal = await payoutPortal(3)
  const enterAs = async (bankaccountnumber: string) => {
    const { body: agent } = await portal.call('ann', 'GET', '/api/v1/masteragent/3')
    const change = { version: agent.version, bankaccountnumber }
    expect((await portal.call('ann', 'PUT', '/api/v1/masteragent/3', change)).status).toBe(200)
  }
  const confirmed = async () => {
    const { body } = await portal.call('ann', 'GET', '/api/v1/masteragent/3')
    const decision = { how: 'Called back', version: body.version }
    const { status } = await portal.call('ann', 'POST', '/api/v1/masteragent/3/bank/confirm', decision)
    return [body.bankpending.canconfirm, status]
  }
  const own = ['You entered this account: another person must confirm it', 403]
  await enterAs('777000111')
  expect(await confirmed()).toEqual(own)
  await replaceUser(portal, 'ann')
  await enterAs('777000222')
  expect(await confirmed()).toEqual(own)
  await replaceUser(portal, 'ann')
  expect(await confirmed()).toEqual([true, 200])
})
