import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../server/db/db.ts'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { expectThat, newOutcome, type Fault, type Outcome } from '../fault.ts'
import { killOffice } from '../kill.ts'
import {
  earn,
  fillOffice,
  firstDay,
  foundOf,
  halfMerchants,
  lockNow,
  month,
  monthCall,
  must,
  reopenNow,
  startOffice,
  startWriters,
  stopOffice,
  type Office,
  type Reply,
} from '../office.ts'

const agents = 10
const shops = 1_000

type Lock = { id: number; version: number; hash: string; merchants: number; audited: number }
/** The lock in force, with the rows of its copy and its entries in the audit. */
async function lockIn(db: Db): Promise<Lock | null> {
  const [lock] = await db.query<Lock>(
    `select id, version, hash, (select count(*) from locked_merchant where lockid = l.id) as merchants,
        (select count(*) from audit where action = 'lock' and after->>'hash' = l.hash
          and after->>'version' = l.version::text) as audited
      from month_lock l where month = $1 and reopened_at is null`,
    [firstDay],
  )
  return lock ?? null
}

/** Rows of copies that belong to no lock. */
const strayRows = async (db: Db) => {
  const [row] = await db.query<{ count: number }>(
    'select count(*) from locked_merchant m where not exists (select from month_lock where id = m.lockid)',
  )
  return row!.count
}

async function judgeLock(db: Db, reply: Reply | null, outcome: Outcome): Promise<boolean> {
  const lock = await lockIn(db)
  const isWhole =
    lock !== null &&
    lock.merchants === shops &&
    lock.audited === 1 &&
    lock.hash === (await snapshotHash(db, lock.id))
  outcome.half += (lock && !isWhole) || (await strayRows(db)) > 0 ? 1 : 0
  if (reply?.status === 200) {
    outcome.acknowledged++
    outcome.found += isWhole && lock.hash === reply.body['hash'] ? 1 : 0
  }
  return lock !== null
}

/** Milliseconds that a call takes. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await call()
  return performance.now() - begun
}

/**
 * Sends an action, and kills the portal at a moment within the time it takes, later in each round than
 * before.
 */
async function killWithin(
  office: Office,
  data: string,
  { round, rounds, time }: { round: number; rounds: number; time: number },
  action: () => Promise<Reply | null>,
): Promise<Reply | null> {
  const sending = action()
  await sleep((1.1 * time * (round + 0.5)) / rounds)
  await killOffice(office, data, round % 2 === 1)
  return sending
}

export const killInLock: Fault = {
  name: 'lock',
  what: 'kill -9 in mid-lock',
  rounds: 10,
  async run({ folderWithDatabase }, rounds) {
    const outcome = newOutcome()
    const data = await folderWithDatabase()
    let office = await startOffice(data)
    await fillOffice(office.db, agents, shops)
    const kept: string[] = []
    const ends = { nothing: 0, all: 0 }
    for (let round = 0; round < rounds; round++) {
      // The first after a start takes longer, and so does the one that a kill meets.
      const time = await timeOf(() => must(lockNow(office)))
      await must(reopenNow(office))
      const writers = startWriters(office, round, 1)
      await writers.reached(3)
      const reply = await killWithin(office, data, { round, rounds, time }, () => lockNow(office))
      await writers.stop()
      kept.push(...writers.acknowledged)
      outcome.tried++
      office = await startOffice(data)
      const isLocked = await judgeLock(office.db, reply, outcome)
      ends[isLocked ? 'all' : 'nothing']++
      if (isLocked) await must(reopenNow(office))
    }
    expectThat(outcome, ends.nothing > 0, 'no kill fell into a lock')
    outcome.acknowledged += kept.length
    outcome.found += await foundOf(office.db, kept)
    outcome.half += await halfMerchants(office.db)
    await stopOffice(office)
    return outcome
  },
}

type Released = { releases: number; payments: number; allocations: number; paid: number; audited: number }
const releasedIn = async (db: Db): Promise<Released> => {
  const [row] = await db.query<Released>(
    `select (select count(*) from payout_release) as releases, (select count(*) from payout_payment) as payments,
      (select count(*) from payout_allocation) as allocations,
      (select coalesce(sum(amount), 0) from payout_payment) as paid,
      (select count(*) from audit where action = 'release') as audited`,
  )
  return row!
}
const isSame = (one: Released, other: Released) => JSON.stringify(one) === JSON.stringify(other)

/** What is stored after another release that pays three agents 10 dollars each. */
const afterRelease = (it: Released): Released => ({
  releases: it.releases + 1,
  payments: it.payments + 3,
  allocations: it.allocations + 3,
  paid: it.paid + 30,
  audited: it.audited + 1,
})

const release = async (office: Office) => {
  const { hash } = await must(office.portal.call('GET', `/api/v1/month/${month}/payout`))
  return () => monthCall(office, 'release', { hash, how: 'other', date: '2026-04-10' })
}

async function lockAndApprove(office: Office) {
  await must(lockNow(office))
  const { hash } = await must(office.portal.call('GET', `/api/v1/month/${month}/payout`))
  await must(monthCall(office, 'approve', { hash }))
}

export const killInRelease: Fault = {
  name: 'release',
  what: 'kill -9 in mid-release',
  rounds: 10,
  async run({ folderWithDatabase }, rounds) {
    const outcome = newOutcome()
    const data = await folderWithDatabase()
    let office = await startOffice(data)
    await fillOffice(office.db, agents, 0)
    const ends = { nothing: 0, all: 0 }
    const earnAll = async () => {
      for (const agent of [2, 3, 4]) await earn(office.db, agent, 10)
    }
    for (let round = 0; round < rounds; round++) {
      await earnAll()
      await lockAndApprove(office)
      const first = await release(office)
      const time = await timeOf(() => must(first()))
      await must(reopenNow(office))
      await earnAll()
      await lockAndApprove(office)
      const before = await releasedIn(office.db)
      const action = await release(office)
      const reply = await killWithin(office, data, { round, rounds, time }, action)
      outcome.tried++
      office = await startOffice(data)
      const now = await releasedIn(office.db)
      const isWhole = isSame(now, afterRelease(before))
      outcome.half += isWhole || isSame(now, before) ? 0 : 1
      if (reply?.status === 200) {
        outcome.acknowledged++
        outcome.found += isWhole ? 1 : 0
      }
      ends[isWhole ? 'all' : 'nothing']++
      // What was cut off is done now, and then everything is paid once.
      if (!isWhole) {
        await must((await release(office))())
        outcome.acknowledged++
        outcome.found += isSame(await releasedIn(office.db), afterRelease(before)) ? 1 : 0
      }
      await must(reopenNow(office))
    }
    expectThat(outcome, ends.nothing > 0, 'no kill fell into a release')
    await stopOffice(office)
    return outcome
  },
}
