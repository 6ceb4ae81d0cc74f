import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let stranger: SignedIn
beforeAll(async () => {
  portal = await openTestPortal({ idleMinutes: 30 })
  stranger = await portal.stranger()
})
afterAll(() => portal.close())
beforeEach(() => portal.db.query('delete from login_attempt'))

const signIn = async (username: string, password = portal.people[username]?.password ?? 'wrong') =>
  (await stranger.call('PUT', '/api/v1/login', { username, password })).status

/** As if so many attempts had been made this long ago. */
const attempts = (count: number, ago: string, { account = 'clerk', address = '192.0.2.7' } = {}) =>
  portal.db.query(
    `insert into login_attempt (account, address, at)
      select $1, $2, now() - $3::interval from generate_series(1, $4::int)`,
    [account, address, ago, count],
  )

describe('guessing a password', () => {
  test.each([
    [8, '1 second', 200],
    [9, '1 second', 200],
    [10, '1 second', 429],
    [10, '58 seconds', 429],
    [10, '60 seconds', 200],
    [11, '118 seconds', 429],
    [11, '120 seconds', 200],
    [12, '238 seconds', 429],
    [12, '240 seconds', 200],
    [13, '478 seconds', 429],
    [13, '480 seconds', 200],
    [14, '898 seconds', 429],
    [14, '900 seconds', 200],
    [1000, '898 seconds', 429],
    [1000, '900 seconds', 200],
  ])(
    'of one account from one address: after %i attempts, the last one %s ago, the right one answers %i',
    async (count, ago, status) => {
      await attempts(count, ago, { address: '127.0.0.1' })
      expect(await signIn('clerk')).toBe(status)
      expect(await signIn('staff')).toBe(200)
    },
  )

  test.each([
    [1, 200],
    [9, 200],
    [10, 429],
  ])(
    'after %i attempts and a clock that was set back by an hour, the right one answers %i, and no wait is longer',
    async (count, status) => {
      await attempts(count, '-1 hour', { address: '127.0.0.1' })
      const { username, password } = portal.people['clerk']!
      const answer = await stranger.call('PUT', '/api/v1/login', { username, password })
      expect([answer.status, answer.headers['retry-after']]).toEqual([
        status,
        status === 200 ? undefined : '60',
      ])
    },
  )

  test.each([
    ['a network', 30, { account: 'others', address: '127.0.0.1' }],
    ['an account from everywhere', 100, { account: 'clerk', address: '192.0.2.7' }],
  ])(
    'of %s is not limited by the %i attempts that lie ahead of a clock that was set back',
    async (_, count, from) => {
      await portal.db.query('delete from known_address')
      await attempts(count, '-1 hour', from)
      expect(await signIn('clerk')).toBe(200)
      await portal.db.query('delete from known_address')
      await attempts(count, '1 second', from)
      expect(await signIn('clerk')).toBe(429)
    },
  )

  test('counts for a day, and what is older is deleted with the next attempt', async () => {
    await attempts(10, '24 hours 1 second', { address: '127.0.0.1' })
    await attempts(9, '1 second', { address: '127.0.0.1' })
    expect(await signIn('clerk', 'wrong')).toBe(401)
    const [rows] = await portal.db.query<{ n: number }>('select count(*) as n from login_attempt')
    expect(rows!.n).toBe(10)
  })

  test('from elsewhere takes nothing from an account', async () => {
    await attempts(99, '1 second')
    expect(await signIn('clerk')).toBe(200)
  })

  test.each([
    [98, '1 second', 200],
    [99, '1 second', 200],
    [100, '1 second', 429],
    [101, '1 second', 429],
    [100, '59 minutes 58 seconds', 429],
    [100, '60 minutes', 200],
  ])(
    'of one account from everywhere: after %i attempts %s ago an unknown address is answered %i, a known one 200',
    async (count, ago, status) => {
      await portal.db.query('delete from known_address')
      await attempts(count, ago)
      expect(await signIn('clerk')).toBe(status)
      const seen = (days: string) =>
        portal.db.query(
          `insert into known_address select id, '127.0.0.1', now() - $1::interval from portal_user
            where username = 'clerk' on conflict (userid, address) do update set at = excluded.at`,
          [days],
        )
      await seen('30 days')
      expect(await signIn('clerk')).toBe(status)
      await seen('29 days 23 hours')
      expect(await signIn('clerk')).toBe(200)
    },
  )

  test.each([
    [28, '1 second', 200],
    [29, '1 second', 200],
    [30, '1 second', 429],
    [31, '1 second', 429],
    [30, '59 seconds', 429],
    [30, '60 seconds', 200],
  ])('from one address: after %i attempts %s ago the right one answers %i', async (count, ago, status) => {
    await attempts(count, ago, { account: 'nobody', address: '127.0.0.1' })
    expect(await signIn('clerk')).toBe(status)
  })

  test.each<[string, [count: number, ago: string, from?: object][], string]>([
    [
      'the account',
      [
        [99, '1 second'],
        [1, '50 minutes'],
      ],
      '10 minutes',
    ],
    [
      'the account',
      [
        [60, '1 second'],
        [41, '50 minutes'],
      ],
      '10 minutes',
    ],
    ['the network', [[30, '1 second', { account: 'nobody', address: '127.0.0.1' }]], '1 minute'],
  ])('is told to wait until fewer attempts count of %s: after %j for %s', async (_, made, words) => {
    await portal.db.query('delete from known_address')
    for (const [count, ago, from] of made) await attempts(count, ago, from)
    const { username, password } = portal.people['clerk']!
    const answer = await stranger.call('PUT', '/api/v1/login', { username, password })
    expect([answer.status, answer.body.error]).toEqual([
      429,
      `Too many failed sign-ins. Please try again in ${words}.`,
    ])
  })

  test('counts anew after a sign-in', async () => {
    await attempts(9, '1 second', { address: '127.0.0.1' })
    expect(await signIn('clerk')).toBe(200)
    await attempts(9, '1 second', { address: '127.0.0.1' })
    expect(await signIn('clerk')).toBe(200)
  })
})

describe('a token', () => {
  /** How long ago the session was begun, renewed and used; what its next call answers. */
  test.each([
    ['1 minute', '14 minutes 59 seconds', '1 minute', 200],
    ['1 minute', '15 minutes', '1 minute', 401],
    ['1 minute', '15 minutes 1 second', '1 minute', 401],
    ['11 hours 59 minutes 59 seconds', '1 minute', '1 minute', 200],
    ['12 hours', '1 minute', '1 minute', 401],
    ['12 hours 1 second', '1 minute', '1 minute', 401],
    ['1 hour', '1 minute', '29 minutes 59 seconds', 200],
    ['1 hour', '1 minute', '30 minutes', 401],
    ['1 hour', '1 minute', '30 minutes 1 second', 401],
  ])('begun %s ago, renewed %s ago and used %s ago answers %i', async (begun, renewed, used, status) => {
    const clerk = await portal.login('clerk')
    await portal.db.query(
      `update session set created_at = now() - $1::interval, renewed_at = now() - $2::interval, used_at = now() - $3::interval`,
      [begun, renewed, used],
    )
    expect((await clerk.call('GET', '/api/v1/profit')).status).toBe(status)
    expect((await clerk.call('PUT', '/api/v1/renew')).status).toBe(status)
  })

  test.each([
    ['11 hours', '1 minute', 1],
    ['2 days', '23 hours 59 minutes', 1],
    ['2 days', '24 hours 1 second', 0],
  ])(
    'begun %s ago and renewed %s ago: %i is left after a sign-in of somebody else',
    async (begun, renewed, left) => {
      await portal.db.query('delete from session')
      await portal.login('clerk')
      await portal.db.query(
        'update session set created_at = now() - $1::interval, renewed_at = now() - $2::interval',
        [begun, renewed],
      )
      await portal.login('staff')
      expect(await portal.db.query('select from session')).toHaveLength(left + 1)
    },
  )

  test('is kept awake by what a person does and not by what an open page asks by itself', async () => {
    const importer = await portal.login('importer')
    const age = () => portal.db.query(`update session set used_at = now() - interval '29 minutes'`)
    const idle = async () =>
      (
        await portal.db.query<{ minutes: number }>(
          'select round(extract(epoch from now() - max(used_at)) / 60)::int as minutes from session',
        )
      )[0]!.minutes
    await portal.db.query(
      `delete from session where userid <> (select id from portal_user where username = 'importer')`,
    )
    await age()
    const asked = [
      await importer.call('PUT', '/api/v1/renew'),
      await importer.call('GET', '/api/v1/inbox/count'),
      await importer.call('GET', '/api/v1/inbox'),
      await importer.call('GET', '/api/v1/file/merchant/running'),
      await importer.call('GET', '/api/v1/user/zohojwt'),
    ]
    // This portal has no help desk.
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404])
    expect(await idle()).toBe(29)
    await importer.call('GET', '/api/v1/merchant')
    expect(await idle()).toBe(0)
  })

  test.each([
    ['59 seconds', 59],
    ['61 seconds', 0],
    ['2 minutes', 0],
  ])('that was used %s ago was used %i seconds ago after its next call', async (ago, seconds) => {
    const clerk = await portal.login('clerk')
    await portal.db.query('update session set used_at = now() - $1::interval', [ago])
    expect((await clerk.call('GET', '/api/v1/profit')).status).toBe(200)
    const [used] = await portal.db.query<{ ago: number }>(
      'select extract(epoch from now() - used_at)::int as ago from session order by id desc limit 1',
    )
    expect(Math.abs(used!.ago - seconds)).toBeLessThanOrEqual(20)
  })
})

describe('a password', () => {
  const phrase = 'tall green läntern 🙂🙂'.repeat(9)
  const of = (length: number) => [...phrase].slice(0, length - 1).join('') + 'x'
  const short = 'Password needs at least 12 characters'
  const long = 'Password may have at most 128 characters'
  test.each<[number, string | null]>([
    [11, short],
    [12, null],
    [13, null],
    [127, null],
    [128, null],
    [129, long],
  ])('of %i characters, their own or that of a new user, answers %s', async (length, error) => {
    const password = of(length)
    expect([...password]).toHaveLength(length)
    const admin = await portal.login('admin')
    const made = await admin.call('POST', '/api/v1/user', {
      username: `user${length}`,
      password,
      confirm_password: password,
      masteragentid: 2,
    })
    const reassigner = await portal.login('reassigner')
    const own = await reassigner.call('PUT', '/api/v1/user/me', { password })
    if (error) {
      expect(own).toMatchObject({ status: 422, body: { fields: { password: error } } })
      expect(made).toMatchObject({ status: 422, body: { fields: { password: error } } })
    } else {
      expect([made.status, own.status]).toEqual([201, 204])
      expect(await signIn(`user${length}`, password)).toBe(200)
      portal.people['reassigner']!.password = password
    }
  })
})

describe('an address of email', () => {
  const request = '/api/v1/user/requestemailverification'
  const domain = (length: number) => `${'b'.repeat(60)}.`.repeat(3) + 'c'.repeat(length - 183)
  test.each([
    [64, 253, 204],
    [64, 254, 204],
    [64, 255, 422],
    [63, 254, 204],
    [65, 200, 422],
  ])('with %i characters before the @ and %i in all answers %i', async (before, all, status) => {
    await portal.db.query('delete from email_code')
    await portal.db.query('update portal_user set email = null')
    const email = `${'a'.repeat(before)}@${before === 65 ? 'example.com' : domain(all - before - 1)}`
    expect((await (await portal.login('clerk')).call('POST', request, { email })).status).toBe(status)
  })
})
