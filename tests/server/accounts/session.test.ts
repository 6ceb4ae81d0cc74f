import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { lockPassword } from '../../../server/accounts/users.ts'
import type { Tx } from '../../../server/db/db.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
})
afterAll(() => portal.close())
beforeEach(() => portal.db.query('delete from login_attempt'))

const signIn = async (body: unknown) => (await portal.stranger()).call('PUT', '/api/v1/login', body)
const later = (column: 'created_at' | 'renewed_at', interval: string) =>
  portal.db.query(`update session set ${column} = ${column} - $1::interval`, [interval])

describe('signing in', () => {
  test('answers token, admin, permissions, tc_accepted, email, masteragentid and seesall', async () => {
    const { status, body } = await signIn(portal.people.staff)
    expect(status).toBe(400)
    expect(body.error).toBe('what is not a field of this record')
    const staff = await signIn({ username: 'staff', password: portal.people.staff!.password })
    expect(staff.status).toBe(200)
    expect(staff.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      admin: false,
      permissions: Object.fromEntries(permissions.map((name) => [name, true])),
      tc_accepted: true,
      email: 'staff@example.com',
      masteragentid: 1,
      seesall: true,
    })
  })

  test('an admin gets the twelve permissions of the first list, not manage_tickets', async () => {
    const { body } = await signIn({ username: 'admin', password: portal.people.admin!.password })
    expect(body.admin).toBe(true)
    expect(Object.entries(body.permissions).filter(([, held]) => !held)).toEqual([['manage_tickets', false]])
  })

  test.each([
    ['a wrong password', { username: 'staff', password: 'wrong' }, 401, 'Invalid Username or Password'],
    ['an unknown user', { username: 'nobody', password: 'wrong' }, 401, 'Invalid Username or Password'],
    ['no user name', { username: '', password: 'x' }, 422, 'Username is required'],
    ['no password', { username: 'staff' }, 422, 'Password is required'],
    ['a number as password', { username: 'staff', password: 1 }, 400, 'Password must be text'],
    [
      'an unknown field',
      { username: 'staff', password: 'x', admin: true },
      400,
      'admin is not a field of this record',
    ],
    ['a list', [], 400, 'The body must be a JSON object'],
  ])('%s is refused', async (_, body, status, error) => {
    const answer = await signIn(body)
    expect(answer).toMatchObject({ status, body: { error, requestId: expect.any(String) } })
  })

  test('ten failures make an address wait for the account, longer each, and a right password does not help', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 14 }, () => signIn({ username: 'clerk', password: 'wrong' })),
    )
    expect(attempts.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(4)
    const right = await signIn({ username: 'CLERK', password: portal.people.clerk!.password })
    expect(right.status).toBe(429)
    expect(right.body.error).toBe('Too many failed sign-ins. Please try again in 1 minute.')
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(50)
    await portal.db.query(`update login_attempt set at = at - interval '1 minute'`)
    expect((await signIn({ username: 'clerk', password: 'wrong' })).status).toBe(401)
    const longer = await signIn({ username: 'clerk', password: portal.people.clerk!.password })
    expect(longer.body.error).toBe('Too many failed sign-ins. Please try again in 2 minutes.')
    await portal.db.query(`update login_attempt set at = at - interval '2 minutes'`)
    expect((await signIn({ username: 'clerk', password: portal.people.clerk!.password })).status).toBe(200)
  })

  test('while a stranger guesses, the owner signs in from elsewhere and works on, and the stranger still waits', async () => {
    const from = async (remoteAddress: string, password: string) => {
      const { cookie } = await portal.stranger()
      const reply = await portal.app.inject({
        method: 'PUT',
        url: '/api/v1/login',
        remoteAddress,
        headers: { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie },
        payload: { username: 'admin', password },
      })
      return reply.statusCode
    }
    const open = await portal.login('admin')
    // Limits count an IPv6 address by its /64 prefix.
    const stranger = (n: number) => from(`2001:db8:1:2::${n}`, 'wrong')
    for (let n = 1; n <= 10; n += 1) expect(await stranger(n)).toBe(401)
    expect(await stranger(11)).toBe(429)
    expect((await open.call('GET', '/api/v1/profit')).status).toBe(200)
    expect(await from('2001:db8:1:3::1', portal.people.admin!.password)).toBe(200)
    expect(await from('192.0.2.9', portal.people.admin!.password)).toBe(200)
    expect(await from('2001:db8:1:2::99', portal.people.admin!.password)).toBe(429)
  })

  test('one address that tries many accounts waits after 30 failures a minute', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 32; n += 1)
      statuses.push((await signIn({ username: `user${n}`, password: 'Summer2026!!' })).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429])
  })

  test('an address is known from its last sign-in on, and others of the user are forgotten after 30 days', async () => {
    await portal.db.query('delete from known_address')
    await portal.db.query(
      `insert into known_address (userid, address, at)
        select u.id, k.address, now() - k.days * interval '1 day' from portal_user u,
          (values ('127.0.0.1', 29), ('192.0.2.1', 31), ('192.0.2.2', 29)) k (address, days)
        where u.username = 'clerk'`,
    )
    await portal.login('clerk')
    expect(
      await portal.db.query(
        `select address, at > now() - interval '1 day' as isnew from known_address order by address`,
      ),
    ).toEqual([
      { address: '127.0.0.1', isnew: true },
      { address: '192.0.2.2', isnew: false },
    ])
  })

  test('failures from before yesterday that another process is deleting are waited for by nobody', async () => {
    const left = () => portal.db.query(`select from login_attempt where account = 'before yesterday'`)
    await portal.db.query(
      `insert into login_attempt (account, address, at)
        values ('before yesterday', '192.0.2.1', now() - interval '25 hours')`,
    )
    await portal.db.transaction(async (tx) => {
      await tx.query(`select from login_attempt where account = 'before yesterday' for update`)
      expect((await signIn({ username: 'nobody', password: 'Summer2026!!' })).status).toBe(401)
      expect(await left()).toHaveLength(1)
    })
    expect((await signIn({ username: 'nobody', password: 'Summer2026!!' })).status).toBe(401)
    expect(await left()).toEqual([])
  })

  test('passwords are stored as argon2id with at least 19 MiB and two passes, each with its own salt', async () => {
    const rows = await portal.db.query<{ password_hash: string }>('select password_hash from portal_user')
    for (const { password_hash } of rows)
      expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(new Set(rows.map(({ password_hash }) => password_hash.split('$')[4])).size).toBe(rows.length)
  })

  test('the token is stored as a hash alone', async () => {
    const { token } = await portal.login('staff')
    const dump = JSON.stringify(
      await portal.db.query(
        `select encode(token_hash, 'escape') as a, encode(token_hash, 'base64') as b from session`,
      ),
    )
    expect(dump).not.toContain(token)
  })
})

describe('a session', () => {
  test('is renewed alone: others of the same user and of others end when they would have', async () => {
    const [one, other, admin] = [
      await portal.login('staff'),
      await portal.login('staff'),
      await portal.login('admin'),
    ]
    await later('renewed_at', '14 minutes 50 seconds')
    expect((await one.call('PUT', '/api/v1/renew')).status).toBe(200)
    await later('renewed_at', '20 seconds')
    const statuses = [one, other, admin].map(async (who) => (await who.call('GET', '/api/v1/profit')).status)
    expect(await Promise.all(statuses)).toEqual([200, 401, 401])
  })

  test('is valid for 15 minutes after its last renewal', async () => {
    const staff = await portal.login('staff')
    await later('renewed_at', '14 minutes 50 seconds')
    expect((await staff.call('PUT', '/api/v1/renew')).status).toBe(200)
    await later('renewed_at', '14 minutes 50 seconds')
    expect((await staff.call('GET', '/api/v1/profit')).status).toBe(200)
    await later('renewed_at', '20 seconds')
    expect(await staff.call('GET', '/api/v1/profit')).toMatchObject({
      status: 401,
      body: { error: 'Please sign in' },
    })
    expect((await staff.call('PUT', '/api/v1/renew')).status).toBe(401)
  })

  test('is valid for 12 hours in all, however often it is renewed', async () => {
    const staff = await portal.login('staff')
    // 51 times 14 minutes: 11 hours 54 minutes.
    for (let renewals = 0; renewals < 51; renewals += 1) {
      await portal.db.query(
        `update session set created_at = created_at - interval '14 minutes', renewed_at = renewed_at - interval '14 minutes'`,
      )
      expect([renewals, (await staff.call('PUT', '/api/v1/renew')).status]).toEqual([renewals, 200])
    }
    await later('created_at', '5 minutes 50 seconds')
    expect((await staff.call('PUT', '/api/v1/renew')).status).toBe(200)
    expect((await staff.call('GET', '/api/v1/profit')).status).toBe(200)
    await later('created_at', '10 seconds')
    expect((await staff.call('GET', '/api/v1/profit')).status).toBe(401)
    expect((await staff.call('PUT', '/api/v1/renew')).status).toBe(401)
  })

  test('is deleted a day after its last renewal, when anybody signs in', async () => {
    await portal.db.query('delete from session')
    await portal.login('staff')
    await later('renewed_at', '2 hours')
    await portal.login('admin')
    await later('renewed_at', '23 hours')
    await portal.login('clerk')
    const kept = await portal.db.query<{ username: string }>(
      'select u.username from session s join portal_user u on u.id = s.userid order by 1',
    )
    expect(kept.map(({ username }) => username)).toEqual(['admin', 'clerk'])
  })

  test('is that of its token however the word before it is written', async () => {
    const staff = await portal.login('staff')
    for (const scheme of ['bearer', 'BEARER']) {
      const authorization = `${scheme} ${staff.token}`
      const renewed = await staff.call('PUT', '/api/v1/renew', undefined, { authorization })
      expect([renewed.status, renewed.body.access_token]).toEqual([200, staff.token])
    }
  })

  test('ends with logout, alone', async () => {
    const [staff, elsewhere] = [await portal.login('staff'), await portal.login('staff')]
    expect((await staff.call('PUT', '/api/v1/logout')).status).toBe(204)
    expect((await staff.call('GET', '/api/v1/profit')).status).toBe(401)
    expect((await elsewhere.call('GET', '/api/v1/profit')).status).toBe(200)
  })

  test('loses a permission at once', async () => {
    const importer = await portal.login('importer')
    await portal.db.query(`update portal_user set permissions = '{}' where username = 'importer'`)
    expect((await importer.call('PUT', '/api/v1/renew')).body.permissions.import_files).toBe(false)
    await portal.db.query(`update portal_user set permissions = '{import_files}' where username = 'importer'`)
  })

  test('with more behind it answers 401', async () => {
    const staff = await portal.login('staff')
    const asked = (authorization: string) => staff.call('GET', '/api/v1/profit', undefined, { authorization })
    expect((await asked(`bearer ${staff.token}`)).status).toBe(200)
    for (const more of [' x', 'x', ','])
      expect((await asked(`Bearer ${staff.token}${more}`)).status, more).toBe(401)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Basic YTpi',
    `Bearer ${'x'.repeat(5000)}`,
    "Bearer ' or 1=1 --",
  ])('a stale or made-up token (%s) answers 401', async (authorization) => {
    const { status } = await (
      await portal.stranger()
    ).call('GET', '/api/v1/merchant', undefined, { authorization })
    expect(status).toBe(401)
  })
})

describe('the terms', () => {
  test('a user who has not accepted the latest terms is let in after accepting, and every other call answers 428', async () => {
    const newcomer = await portal.login('newcomer')
    // The audit is closed to a newcomer, who is asked to accept first all the same.
    for (const [method, path] of [
      ['GET', '/api/v1/merchant'],
      ['GET', '/api/v1/profit'],
      ['GET', '/api/v1/masteragent/ids'],
      ['GET', '/api/v1/audit'],
      ['PUT', '/api/v1/renew'],
    ] as const)
      expect(await newcomer.call(method, path), path).toMatchObject({
        status: 428,
        body: { error: 'Please accept the Terms and Conditions to continue' },
      })
    const { body } = await newcomer.call('GET', '/api/v1/tc/latest')
    expect(body).toEqual({ id: 1, tctext: expect.stringContaining('Terms and Conditions') })
    expect((await newcomer.call('POST', '/api/v1/tc/accept')).status).toBe(204)
    expect((await newcomer.call('POST', '/api/v1/tc/accept')).status).toBe(204)
    expect((await newcomer.call('PUT', '/api/v1/renew')).body.tc_accepted).toBe(true)
    expect((await newcomer.call('GET', '/api/v1/profit')).status).toBe(200)
    const accepted = await portal.db.query(
      `select termsid, ipaddress from terms_acceptance join portal_user on id = userid where username = 'newcomer'`,
    )
    expect(accepted).toEqual([{ termsid: 1, ipaddress: '127.0.0.1' }])
  })

  test('a new version makes the next call of every user answer 428', async () => {
    const staff = await portal.login('staff')
    expect((await staff.call('GET', '/api/v1/profit')).status).toBe(200)
    await portal.db.query(`insert into terms (tctext) values ('second')`)
    expect((await staff.call('GET', '/api/v1/profit')).status).toBe(428)
    await portal.db.query(`delete from terms where tctext = 'second'`)
  })
})

describe('the password of the signed-in user', () => {
  test.each([
    ['short', 'eleven char', 'Password needs at least 12 characters'],
    ['common', 'passwordpassword', 'Password is too easy to guess: it is on a list of common passwords'],
    [
      'common with digits',
      'Password12345678',
      'Password is too easy to guess: it is on a list of common passwords',
    ],
    ['repeating', 'abcabcabcabc', 'Password is too easy to guess: it is on a list of common passwords'],
    ['holding the user name', 'my REASSIGNER key', 'Password must not contain the user name'],
    [
      'holding the name of the portal',
      'technology-portal-9',
      'Password must not contain the name of the portal',
    ],
    ['too long', 'lö'.repeat(64) + 'x', 'Password may have at most 128 characters'],
  ])('a %s one is refused', async (_, password, error) => {
    const user = await portal.login('reassigner')
    expect(await user.call('PUT', '/api/v1/user/me', { password })).toMatchObject({
      status: 422,
      body: { error, fields: { password: error } },
    })
  })

  test('of 128 characters of any script is taken whole; the current session stays, the others end', async () => {
    const password = 'ключ鍵🔑 '.repeat(18) + 'ab'
    expect([...password]).toHaveLength(128)
    const [here, elsewhere] = [await portal.login('reassigner'), await portal.login('reassigner')]
    const clerk = await portal.login('clerk')
    const versionOf = async () =>
      (await portal.db.query(`select version from portal_user where username = 'reassigner'`))[0]!['version']
    const version = Number(await versionOf())
    expect((await here.call('PUT', '/api/v1/user/me', { password })).status).toBe(204)
    // A later save of the user as it was read before the change is refused with 409 (lists 13).
    expect(await versionOf()).toBe(version + 1)
    expect((await here.call('GET', '/api/v1/profit')).status).toBe(200)
    expect((await elsewhere.call('GET', '/api/v1/profit')).status).toBe(401)
    expect((await clerk.call('GET', '/api/v1/profit')).status).toBe(200)
    const entries = await portal.db.query(
      `select a.username, a.address, a.after from audit a join portal_user u on a.entityid = u.id::text
        where a.action = 'password' and a.entity = 'user' and u.username = 'reassigner'`,
    )
    expect(entries).toEqual([{ username: 'reassigner', address: '127.0.0.1', after: null }])
    expect((await signIn({ username: 'reassigner', password: password.slice(0, -1) + 'c' })).status).toBe(401)
    expect((await signIn({ username: 'reassigner', password })).status).toBe(200)
    portal.people.reassigner!.password = password
  })

  /** Somebody else's change of the password, which is not stored yet. No session can begin beside it. */
  const changeElsewhere = (username: string) => async (tx: Tx) => {
    const [user] = await tx.query<{ id: number }>(
      `update portal_user set password_hash = 'changed' where username = $1 returning id`,
      [username],
    )
    await lockPassword(tx, user!.id)
    await tx.query('lock table session in share row exclusive mode')
    await tx.query('delete from session where userid = $1', [user!.id])
  }
  const hashOf = async (username: string) =>
    (await portal.db.query('select password_hash from portal_user where username = $1', [username]))[0]

  test('waits for another change of the user, and holds nothing that this one waits for', async () => {
    const reassigner = await portal.login('reassigner')
    const password = 'nine tall green lanterns'
    let other: Tx
    const { status } = await whileUncommitted(
      portal.db,
      (tx) => {
        other = tx
        return tx.query(`select from portal_user where username = 'reassigner' for no key update`)
      },
      () => reassigner.call('PUT', '/api/v1/user/me', { password }),
      async () => {
        const [user] = await other.query<{ id: number }>(
          `select id from portal_user where username = 'reassigner'`,
        )
        await lockPassword(other, user!.id)
      },
    )
    expect(status).toBe(204)
    portal.people.reassigner!.password = password
  })

  test('begins no session when it is changed while a sign-in verifies it', async () => {
    const { username, password } = portal.people.importer!
    const signedIn = await whileUncommitted(portal.db, changeElsewhere(username), () =>
      signIn({ username, password }),
    )
    expect(signedIn).toMatchObject({ status: 401, body: { error: 'Invalid Username or Password' } })
  })

  test('is not changed by a session that a change of the password ends meanwhile', async () => {
    const agent = await portal.login('agent')
    const changed = await whileUncommitted(portal.db, changeElsewhere('agent'), () =>
      agent.call('PUT', '/api/v1/user/me', { password: 'correct horse battery' }),
    )
    expect(changed.status).toBe(401)
    expect(await hashOf('agent')).toEqual({ password_hash: 'changed' })
  })
})

describe('a password that was hashed with less memory', () => {
  const { username, password } = { username: 'clerk', password: 'tall green lantern' }
  const hashOf = async () =>
    (
      await portal.db.query<{ password_hash: string }>(
        'select password_hash from portal_user where username = $1',
        [username],
      )
    )[0]!.password_hash
  let own = ''
  beforeAll(async () => {
    own = await hashOf()
  })
  afterAll(() =>
    portal.db.query('update portal_user set password_hash = $2 where username = $1', [username, own]),
  )
  beforeEach(async () => {
    const former = await hash(password, { algorithm: 2, memoryCost: 8_192, timeCost: 2, parallelism: 1 })
    await portal.db.query('update portal_user set password_hash = $2 where username = $1', [username, former])
  })

  test('is hashed anew by its next sign-in, and not once more by the one after it', async () => {
    expect((await signIn({ username, password })).status).toBe(200)
    const first = await hashOf()
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn({ username, password })).status).toBe(200)
    expect(await hashOf()).toBe(first)
  })

  test('and is changed meanwhile stays what it was changed to', async () => {
    const change = (tx: Tx) =>
      tx.query(`update portal_user set password_hash = 'changed' where username = $1`, [username])
    await whileUncommitted(portal.db, change, () => signIn({ username, password }))
    expect(await hashOf()).toBe('changed')
  })
})

describe('the XSRF cookie and header are checked on every non-GET', () => {
  const change = { password: 'a perfectly fine phrase' }
  test.each([
    ['no header', { 'x-xsrf-token': '' }],
    ['another value', { 'x-xsrf-token': 'a.b.c' }],
    ['no cookie', { cookie: '' }],
    ['a made-up pair', { cookie: 'XSRF-TOKEN=x.y.z', 'x-xsrf-token': 'x.y.z' }],
  ])('%s is refused with 403', async (_, headers) => {
    const staff = await portal.login('staff')
    expect((await staff.call('PUT', '/api/v1/user/me', change, headers)).status).toBe(403)
  })

  test('the pair of another session is refused, and the answer brings the right cookie', async () => {
    const [staff, clerk] = [await portal.login('staff'), await portal.login('clerk')]
    const answer = await staff.call('PUT', '/api/v1/renew', undefined, {
      cookie: `XSRF-TOKEN=${clerk.cookie}`,
      'x-xsrf-token': clerk.cookie,
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'xsrf' } })
    const cookie = /XSRF-TOKEN=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!
    expect(
      (
        await staff.call('PUT', '/api/v1/renew', undefined, {
          cookie: `XSRF-TOKEN=${cookie}`,
          'x-xsrf-token': cookie,
        })
      ).status,
    ).toBe(200)
  })

  test('answers of one session bring one cookie, so that a write between two of them is not refused again', async () => {
    const [staff, clerk] = [await portal.login('staff'), await portal.login('clerk')]
    const former = { cookie: `XSRF-TOKEN=${clerk.cookie}`, 'x-xsrf-token': clerk.cookie }
    const calls = [
      staff.call('PUT', '/api/v1/renew', undefined, former),
      staff.call('GET', '/api/v1/portal', undefined, former),
      staff.call('GET', '/api/v1/profit', undefined, former),
    ]
    const brought = (await Promise.all(calls)).map(
      ({ headers }) => /XSRF-TOKEN=([^;]+)/.exec(String(headers['set-cookie']))![1]!,
    )
    // The page reads its cookie for the header before the next answer puts another in its place.
    const [read, , sent] = brought
    const again = { cookie: `XSRF-TOKEN=${sent}`, 'x-xsrf-token': read! }
    expect((await staff.call('PUT', '/api/v1/renew', undefined, again)).status).toBe(200)
    expect(new Set([...brought, staff.cookie]).size).toBe(1)
    expect(brought).not.toContain(clerk.cookie)
  })

  test('signing in without it is refused too', async () => {
    const { status } = await (
      await portal.stranger()
    ).call('PUT', '/api/v1/login', { username: 'staff', password: 'x' }, { 'x-xsrf-token': '' })
    expect(status).toBe(403)
  })
})
