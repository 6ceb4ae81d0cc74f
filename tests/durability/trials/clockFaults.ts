import { importMerchants } from '../../fixtures/imports.ts'
import { opened } from '../../fixtures/portal.ts'
import { expectThat, newOutcome, type Fault, type Outcome, type Place } from '../fault.ts'
import {
  fillOffice,
  firstDay,
  foundOf,
  halfMerchants,
  lockNow,
  must,
  reopenNow,
  startWriters,
  type Office,
} from '../office.ts'
import { missingForClocks, officeWithClock, type Clock } from './clock.ts'

const hour = 3_600
const rows = 1_000

/** Whether the month is locked with this hash. */
async function isLockedAs({ db }: Office, hash: unknown): Promise<boolean> {
  const found = await db.query(
    'select from month_lock where month = $1 and reopened_at is null and hash = $2',
    [firstDay, hash],
  )
  return found.length === 1
}

/** Merchants of imported files, and batches. */
async function importedIn({ db }: Office) {
  const [row] = await db.query<{ merchants: number; batches: number }>(
    `select (select count(*) from merchant where id > 100000 and xmid not like '9%') as merchants,
      (select count(*) from import_batch where kind = 'merchant') as batches`,
  )
  return row!
}

/** Sets the clock while writers write, a file is imported and the month is locked; then all of it goes on. */
async function stepIn(office: Office, clock: Clock, round: number, outcome: Outcome): Promise<string[]> {
  const isForward = round % 2 === 0
  const writers = startWriters(office, round, 2)
  await writers.reached(5)
  const before = await importedIn(office)
  const typo = { username: 'admin', password: 'not this one at all' }
  await must(office.portal.call('PUT', '/api/v1/login', typo), 401)
  const importing = importMerchants(office.portal, rows, round)
  const locking = lockNow(office)
  clock.set(isForward ? hour : 0)
  const [imported, locked] = await Promise.all([importing, locking])
  const now = await importedIn(office)
  const isImported = now.merchants - before.merchants === rows && now.batches - before.batches === 1
  const isNothing = now.merchants === before.merchants && now.batches === before.batches
  outcome.half += isImported || isNothing ? 0 : 1
  for (const [reply, isThere] of [
    [imported, isImported],
    [locked, await isLockedAs(office, locked?.body['hash'])],
  ] as const) {
    if (reply?.status !== 200) continue
    outcome.acknowledged++
    outcome.found += isThere ? 1 : 0
  }
  if (!isForward) await writers.reached(20)
  const { status } = await office.portal.call('GET', '/api/v1/merchant')
  // A token ends 15 minutes after its last renewal (session 6).
  const expected = isForward ? 401 : 200
  expectThat(
    outcome,
    status === expected,
    `after an hour ${isForward ? 'forward' : 'back'} a call was answered ${status}`,
  )
  await writers.stop()
  return writers.acknowledged
}

export const clockSteps: Fault = {
  name: 'clock',
  what: 'the clock is set an hour forward and back while people write, import and lock',
  rounds: 10,
  missing: missingForClocks,
  async run(place, rounds) {
    const outcome = newOutcome()
    const its = await officeWithClock(place)
    let { office } = its
    await fillOffice(office.db, 5, 20)
    const kept: string[] = []
    for (let round = 0; round < rounds; round++) {
      kept.push(...(await stepIn(office, its.clock, round, outcome)))
      outcome.tried++
      // A user who signed in before the clock was set back can sign in after it.
      office = { ...office, portal: await opened(office.portal.child) }
      const reply = await office.portal.call('GET', '/api/v1/merchant')
      expectThat(
        outcome,
        reply.status === 200,
        `a sign-in after a step was of no use: ${JSON.stringify(reply.body)}`,
      )
      if (reply.status !== 200) break
      await reopenNow(office)
      const lock = await must(lockNow(office))
      outcome.acknowledged++
      outcome.found += (await isLockedAs(office, lock['hash'])) ? 1 : 0
      await must(reopenNow(office))
    }
    office = await its.restart(office)
    outcome.acknowledged += kept.length
    outcome.found += await foundOf(office.db, kept)
    outcome.half += await halfMerchants(office.db)
    await its.end(office)
    return outcome
  },
}

const timeZone = 'America/New_York'
/**
 * Each change of 2027 in New York: its moment, its day, and the midnights that begin the day and the next.
 */
const changes = [
  {
    at: '2027-03-14T07:00:00Z',
    days: { '2027-03-14': '2027-03-14T05:00:00Z', '2027-03-15': '2027-03-15T04:00:00Z' },
  },
  {
    at: '2027-11-07T06:00:00Z',
    days: { '2027-11-07': '2027-11-07T04:00:00Z', '2027-11-08': '2027-11-08T05:00:00Z' },
  },
]
/**
 * The last half minute of a month of the winter and of the summer, and the newest month that is listed then.
 */
const monthEnds = [
  { at: '2027-03-01T04:59:30Z', newest: '2027-03' },
  { at: '2027-04-01T03:59:30Z', newest: '2027-04' },
  { at: '2027-11-01T03:59:30Z', newest: '2027-11' },
  { at: '2027-12-01T04:59:30Z', newest: '2027-12' },
]
const seconds = (iso: string) => Date.parse(iso) / 1000
const setTo = (clock: Clock, epoch: number) => clock.set(epoch - Math.floor(Date.now() / 1000))
const next = (month: string) =>
  new Date(Date.parse(`${month}-28T00:00:00Z`) + 7 * 86_400_000).toISOString().slice(0, 7)

/** Signs in six hours before the change and renews every ten minutes: the session ends after twelve hours. */
async function keepSession(office: Office, clock: Clock, change: number, round: number, outcome: Outcome) {
  const begun = change - 6 * hour
  const kept: string[] = []
  let elapsed = 600
  for (; elapsed <= 14 * hour; elapsed += 600) {
    setTo(clock, begun + elapsed)
    const { status } = await office.portal.call('PUT', '/api/v1/renew', {})
    if (status !== 200) break
    const xmid = `9${String(round).padStart(4, '0')}8${String(elapsed).padStart(6, '0')}`
    const merchant = { xmid, dba: 'Kept', masteragentid: 1, accountstatus: 1 }
    if ((await office.portal.call('POST', '/api/v1/merchant', merchant)).status === 201) kept.push(xmid)
  }
  const isTwelve = Math.abs(elapsed - 12 * hour) <= 600
  expectThat(outcome, isTwelve, `a session of twelve hours over the change lasted ${elapsed / hour}`)
  return kept
}

async function importDay({ portal, db }: Office, day: string, midnight: number, outcome: Outcome) {
  const form = new FormData()
  form.append('date', String(midnight))
  const text = `MID,Batch Number,Sales Amount\n400000000001,${day},10\n`
  form.append('file', new Blob([text]), `volume ${day}.csv`)
  const sent = { method: 'POST', headers: portal.headers(), body: form }
  const { status } = await fetch(`${portal.url}/api/v1/file/dailyvolume`, sent)
  expectThat(outcome, status === 200, `the volume of ${day} was answered ${status}`)
  if (status !== 200) return
  outcome.acknowledged++
  const found = await db.query('select from daily_volume where volumedate = $1 and batchnumber = $1::text', [
    day,
  ])
  outcome.found += found.length
}

async function lastMonth({ portal }: Office): Promise<string> {
  const { data } = await must(portal.call('GET', '/api/v1/month'))
  return (data as { month: string }[])
    .map(({ month }) => month)
    .sort()
    .at(-1)!
}

/** A month ends at midnight of the portal's time zone, in the winter and in the summer. */
async function endMonths(office: Office, clock: Clock, outcome: Outcome) {
  for (const { at, newest } of monthEnds) {
    setTo(clock, seconds(at))
    const its = { ...office, portal: await opened(office.portal.child) }
    const before = await lastMonth(its)
    setTo(clock, seconds(at) + 60)
    const after = await lastMonth(its)
    const isRight = before === newest && after === next(newest)
    expectThat(outcome, isRight, `around ${at} the newest months are ${before} and ${after}`)
  }
}

export const daylightSaving: Fault = {
  name: 'daylight-saving',
  what: 'daylight saving begins and ends during a session of twelve hours, with daily volumes, a lock and ends of months',
  rounds: 2,
  missing: missingForClocks,
  async run(place: Place, rounds) {
    const outcome = newOutcome()
    for (let round = 0; round < rounds; round++) {
      const { at, days } = changes[round % changes.length]!
      const change = seconds(at)
      const offset = change - 6 * hour - Math.floor(Date.now() / 1000)
      const its = await officeWithClock(place, { TIME_ZONE: timeZone }, offset)
      let { office } = its
      await fillOffice(office.db, 3, 5)
      const kept = await keepSession(office, its.clock, change, round, outcome)
      setTo(its.clock, change - 30)
      office = { ...office, portal: await opened(office.portal.child) }
      const writers = startWriters(office, round, 2)
      await writers.reached(10)
      setTo(its.clock, change + 30)
      await writers.reached(writers.acknowledged.length + 10)
      await writers.stop()
      kept.push(...writers.acknowledged)
      for (const [day, midnight] of Object.entries(days))
        await importDay(office, day, seconds(midnight), outcome)
      const { hash } = await must(lockNow(office))
      outcome.acknowledged++
      outcome.found += (await isLockedAs(office, hash)) ? 1 : 0
      await endMonths(office, its.clock, outcome)
      outcome.tried++
      office = await its.restart(office)
      outcome.acknowledged += kept.length
      outcome.found += await foundOf(office.db, kept)
      outcome.half += await halfMerchants(office.db)
      await its.end(office)
    }
    return outcome
  },
}
