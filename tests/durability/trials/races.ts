import { startPostgres } from '../../../server/db/postgres/postgres.ts'
import { importMerchants } from '../../fixtures/imports.ts'
import { expectThat, newOutcome, type Fault, type Outcome, type Place } from '../fault.ts'
import {
  earn,
  fillOffice,
  firstDay,
  lockNow,
  month,
  monthCall,
  must,
  reopenNow,
  startOffice,
  stopOffice,
  type Office,
  type Reply,
} from '../office.ts'

/** Two portals on one database; `end` stops all three. */
async function twoPortals({ folder }: Place) {
  const postgres = await startPostgres({ folder: folder() })
  const env = { DATABASE_URL: postgres.runtimeUrl, MIGRATE_DATABASE_URL: postgres.url }
  const one = await startOffice(folder(), env)
  const other = await startOffice(folder(), env)
  const end = async () => {
    await stopOffice(one)
    await stopOffice(other)
    await postgres.stop()
  }
  return { one, other, end }
}

const wordsOf = (reply: Reply | null) =>
  reply ? `${reply.status} ${String(reply.body['error'] ?? '')}`.trim() : 'no answer'

/**
 * Counts a race: one of two must be answered 200 and the other 409. Answers the reply of the winner, and null
 * where there is not exactly one.
 */
function judgeRace(outcome: Outcome, replies: (Reply | null)[]): Reply | null {
  const winners = replies.filter((it) => it?.status === 200)
  outcome.tried++
  outcome.acknowledged += winners.length
  const isRight = winners.length === 1 && replies.some((it) => it?.status === 409)
  expectThat(outcome, isRight, `a race ended with ${replies.map(wordsOf).join(' and ')}`)
  return isRight ? winners[0]! : null
}

/**
 * Counts the lock of a race as found when it is the one in force with the hash that was answered, and else
 * as half.
 */
async function findLock({ db }: Office, outcome: Outcome, winner: Reply | null) {
  const locks = await db.query<{ hash: string; version: number }>(
    'select hash, version from month_lock where month = $1 and reopened_at is null',
    [firstDay],
  )
  const isThere = locks.length === 1 && locks[0]!.hash === winner?.body['hash']
  outcome.found += isThere ? 1 : 0
  outcome.half += locks.length > 1 ? 1 : 0
}

export const lockRace: Fault = {
  name: 'lock-race',
  what: 'two callers lock one month at the same moment, and it is opened again',
  rounds: 500,
  async run({ folderWithDatabase }, rounds) {
    const outcome = newOutcome()
    const office = await startOffice(await folderWithDatabase())
    await fillOffice(office.db, 3, 5)
    for (let round = 0; round < rounds; round++) {
      const winner = judgeRace(outcome, await Promise.all([lockNow(office), lockNow(office)]))
      await findLock(office, outcome, winner)
      await must(reopenNow(office))
    }
    await stopOffice(office)
    return outcome
  },
}

const payoutHash = async ({ portal }: Office) =>
  (await must(portal.call('GET', `/api/v1/month/${month}/payout`)))['hash']

async function raceRelease(one: Office, other: Office, outcome: Outcome) {
  const hash = await payoutHash(one)
  await must(monthCall(one, 'approve', { hash }))
  const body = { hash: await payoutHash(one), how: 'other', date: '2026-04-10' }
  const before = await paidIn(one)
  const replies = await Promise.all([one, other].map((it) => monthCall(it, 'release', body)))
  const winner = judgeRace(outcome, replies)
  const paid = (await paidIn(one)) - before
  outcome.found += winner && paid === 10 ? 1 : 0
  expectThat(outcome, paid === 10, `a release of 10 dollars paid ${paid}`)
}

const paidIn = async ({ db }: Office) => {
  const [row] = await db.query<{ paid: number }>(
    'select coalesce(sum(amount), 0) as paid from payout_payment',
  )
  return row!.paid
}

const rows = 500
async function raceImport(one: Office, other: Office, outcome: Outcome, number: number) {
  const count = async () => {
    const [row] = await one.db.query<{ merchants: number; batches: number; inserted: number }>(
      `select (select count(*) from merchant) as merchants, count(*) as batches, coalesce(sum(inserted), 0) as inserted
        from import_batch where kind = 'merchant'`,
    )
    return row!
  }
  const before = await count()
  const replies = await Promise.all([one, other].map(({ portal }) => importMerchants(portal, rows, number)))
  judgeRace(outcome, replies)
  const now = await count()
  const isOnce =
    now.merchants - before.merchants === rows &&
    now.batches - before.batches === 1 &&
    now.inserted - before.inserted === rows
  outcome.found += isOnce ? 1 : 0
  outcome.half += isOnce || now.merchants === before.merchants ? 0 : 1
}

export const twoProcesses: Fault = {
  name: 'two-processes',
  what: 'two processes on one database lock a month, release it, and import one file at the same moment',
  rounds: 12,
  async run(place, rounds) {
    const outcome = newOutcome()
    const { one, other, end } = await twoPortals(place)
    await fillOffice(one.db, 5, 0)
    for (let round = 0; round < rounds; round++) {
      await earn(one.db, 2, 10)
      await findLock(one, outcome, judgeRace(outcome, await Promise.all([lockNow(one), lockNow(other)])))
      await raceRelease(one, other, outcome)
      await must(reopenNow(one))
      await raceImport(one, other, outcome, round)
    }
    await end()
    return outcome
  },
}
