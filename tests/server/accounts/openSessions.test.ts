import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDevice } from '../../../server/accounts/device.ts'
import { outbox } from '../../mail.ts'
import { userId } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ idleMinutes: 30 })
})
afterAll(() => portal.close())
beforeEach(() => portal.db.query('delete from login_attempt; delete from session'))

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'
const own = '/api/v1/user/me/sessions'

/** Signs in from an address with a browser. */
const signIn = async (
  username: string,
  remoteAddress = '127.0.0.1',
  userAgent = firefox,
): Promise<SignedIn> => {
  const { cookie } = await portal.stranger()
  const reply = await portal.app.inject({
    method: 'PUT',
    url: '/api/v1/login',
    remoteAddress,
    headers: { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie, 'user-agent': userAgent },
    payload: { username, password: portal.people[username]!.password },
  })
  return portal.resume({
    token: reply.json().access_token,
    cookie: /XSRF-TOKEN=([^;]+)/.exec(String(reply.headers['set-cookie']))![1]!,
  })
}
const works = async (person: SignedIn) => (await person.call('GET', '/api/v1/profit')).status === 200
type Listed = {
  id: number
  device: string
  address: string
  current: boolean
  begun: number
  lastused: number
}
const listed = async (person: SignedIn, path = own): Promise<Listed[]> =>
  (await person.call('GET', path)).body.data
const audited = (count = 1) =>
  portal.db.query<{ username: string; address: string; entityid: string; before: { session: number } }>(
    `select username, address, entityid, before from audit where action = 'logout' order by id desc limit $1`,
    [count],
  )

describe('the sessions of the signed-in user', () => {
  test('are listed with device, address, begin and last use, the one in use first and marked', async () => {
    const first = await signIn('staff', '192.0.2.1')
    const second = await signIn('staff', '2001:db8::1', 'curl/8')
    await signIn('clerk')
    await portal.db.query(
      `update session set created_at = created_at - interval '1 hour', used_at = used_at - interval '20 minutes'
        where address = '192.0.2.1'`,
    )
    const now = Date.now() / 1000
    const rows = await listed(second)
    expect(rows).toMatchObject([
      { device: 'Unknown device', address: '2001:db8::1', current: true },
      { device: 'Firefox on Windows', address: '192.0.2.1', current: false },
    ])
    expect(Object.keys(rows[0]!).sort()).toEqual(['address', 'begun', 'current', 'device', 'id', 'lastused'])
    expect(Math.abs(now - 3_600 - rows[1]!.begun)).toBeLessThan(120)
    expect(Math.abs(now - 1_200 - rows[1]!.lastused)).toBeLessThan(120)
    expect((await listed(first)).map(({ current }) => current)).toEqual([true, false])
    expect(Math.abs(now - (await listed(second))[1]!.lastused)).toBeLessThan(120)
  })

  test('are listed with the last used first, behind the one in use', async () => {
    const person = await signIn('staff')
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await signIn('staff', address)
    await portal.db.query(
      `update session set used_at = now() - interval '5 minutes';
      update session set used_at = now() - interval '2 minutes' where address = '192.0.2.2';
      update session set used_at = now() - interval '9 minutes' where address = '192.0.2.3'`,
    )
    expect((await listed(person)).map(({ address }) => address)).toEqual([
      '127.0.0.1',
      '192.0.2.2',
      '192.0.2.1',
      '192.0.2.3',
    ])
  })

  test('that were last used at one moment are listed with the later one first', async () => {
    const person = await signIn('staff')
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await signIn('staff', address)
    await portal.db.query('update session set used_at = now()')
    expect((await listed(person)).map(({ address }) => address)).toEqual([
      '127.0.0.1',
      '192.0.2.3',
      '192.0.2.2',
      '192.0.2.1',
    ])
  })

  test.each([
    ['renewed 15 minutes ago', `renewed_at = now() - interval '15 minutes'`],
    ['begun 12 hours ago', `created_at = now() - interval '12 hours'`],
    ['not used for the idle limit', `used_at = now() - interval '30 minutes'`],
  ])('that have ended (%s) are not listed and cannot be ended', async (_, change) => {
    await signIn('staff', '192.0.2.1')
    const person = await signIn('staff')
    const [, old] = await listed(person)
    await portal.db.query(`update session set ${change} where id = $1`, [old!.id])
    expect(await listed(person)).toHaveLength(1)
    expect((await person.call('DELETE', `${own}/${old!.id}`)).status).toBe(404)
  })

  test('are ended one at a time, and the audit says which', async () => {
    const [one, two, three] = [
      await signIn('staff', '192.0.2.1'),
      await signIn('staff'),
      await signIn('staff'),
    ]
    const id = (await listed(three)).find(({ address }) => address === '192.0.2.1')!.id
    expect((await three.call('DELETE', `${own}/${id}`)).status).toBe(204)
    expect([await works(one), await works(two), await works(three)]).toEqual([false, true, true])
    expect(await audited()).toEqual([
      {
        username: 'staff',
        address: '127.0.0.1',
        entityid: String(await userId(portal.db, 'staff')),
        before: { session: id, device: 'Firefox on Windows', address: '192.0.2.1' },
      },
    ])
    expect(await three.call('DELETE', `${own}/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'This session does not exist' },
    })
  })

  test('are ended all at once but for the one in use, and those of nobody else', async () => {
    const [one, two, three] = [await signIn('staff'), await signIn('staff'), await signIn('clerk')]
    expect((await two.call('DELETE', own)).status).toBe(204)
    expect([await works(one), await works(two), await works(three)]).toEqual([false, true, true])
    expect((await two.call('DELETE', own)).status).toBe(204)
  })

  test('that end of themselves at this moment are not ended once more, and not audited', async () => {
    const [one, two, three] = [await signIn('staff'), await signIn('staff'), await signIn('staff')]
    const [, first, second] = (await listed(three)).map(({ id }) => id)
    const whileEnding = (id: number, path: string) =>
      whileUncommitted(
        portal.db,
        (tx) => tx.query('delete from session where id = $1', [id]),
        () => three.call('DELETE', path),
      )
    const [before] = await audited()
    expect((await whileEnding(first!, `${own}/${first}`)).status).toBe(404)
    expect(await audited()).toEqual([before].filter(Boolean))
    await signIn('staff')
    expect((await whileEnding(second!, own)).status).toBe(204)
    const entries = await portal.db.query(
      `select from audit where action = 'logout' and (before ->> 'session')::int = $1`,
      [second],
    )
    expect([entries, (await listed(three)).length]).toEqual([[], 1])
    expect([await works(one), await works(two), await works(three)]).toEqual([false, false, true])
  })

  test('cannot be ended where they are in use', async () => {
    const person = await signIn('staff')
    const [current] = await listed(person)
    expect(await person.call('DELETE', `${own}/${current!.id}`)).toMatchObject({
      status: 409,
      body: { error: 'This is the session that you are using: log out instead' },
    })
    expect(await works(person)).toBe(true)
  })

  test.each(['0', '999999999', '99999999999', 'x', '-1', '1.5'])('do not hold %s', async (id) => {
    const person = await signIn('staff')
    expect((await person.call('DELETE', `${own}/${id}`)).status).toBe(404)
  })

  test('are not those of somebody else, whose id answers as one that does not exist', async () => {
    const [staff, clerk] = [await signIn('staff'), await signIn('clerk')]
    const [foreign] = await listed(clerk)
    expect((await staff.call('DELETE', `${own}/${foreign!.id}`)).status).toBe(404)
    expect(await works(clerk)).toBe(true)
  })
})

describe('the sessions of another user', () => {
  test('are listed and ended by administrators, one or all', async () => {
    const [admin, one, two, three, other] = [
      await signIn('admin'),
      await signIn('clerk', '192.0.2.1'),
      await signIn('clerk'),
      await signIn('clerk'),
      await signIn('staff'),
    ]
    const path = `/api/v1/user/${await userId(portal.db, 'clerk')}/sessions`
    const rows = await listed(admin, path)
    expect(rows.map(({ current }) => current)).toEqual([false, false, false])
    const id = rows.find(({ address }) => address === '192.0.2.1')!.id
    expect((await admin.call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect([await works(one), await works(two)]).toEqual([false, true])
    expect((await audited())[0]).toMatchObject({
      username: 'admin',
      entityid: String(await userId(portal.db, 'clerk')),
      before: { session: id },
    })
    expect((await admin.call('DELETE', path)).status).toBe(204)
    const others = rows.filter((row) => row.id !== id).map((row) => row.id)
    expect((await audited(2)).map(({ before }) => before.session).sort()).toEqual(others.sort())
    expect([await works(two), await works(three)]).toEqual([false, false])
    expect([await works(other), await works(admin)]).toEqual([true, true])
  })

  test('are not reached under the id of yet another user', async () => {
    const [admin, clerk] = [await signIn('admin'), await signIn('clerk')]
    const [row] = await listed(clerk)
    const path = `/api/v1/user/${await userId(portal.db, 'staff')}/sessions`
    expect((await admin.call('DELETE', `${path}/${row!.id}`)).status).toBe(404)
    expect(await works(clerk)).toBe(true)
  })

  test('are refused to everybody else, and those of nobody do not exist', async () => {
    const [admin, staff] = [await signIn('admin'), await signIn('staff')]
    const path = `/api/v1/user/${await userId(portal.db, 'clerk')}/sessions`
    for (const [method, url] of [
      ['GET', path],
      ['DELETE', path],
      ['DELETE', `${path}/1`],
    ] as const)
      expect((await staff.call(method, url)).status).toBe(403)
    for (const [method, id] of [
      ['GET', '999999'],
      ['DELETE', 'x'],
    ] as const)
      expect(await admin.call(method, `/api/v1/user/${id}/sessions`)).toMatchObject({
        status: 404,
        body: { error: 'This user does not exist' },
      })
  })

  test('of an administrator are all ended but the one in use', async () => {
    const [other, admin] = [await signIn('admin'), await signIn('admin')]
    expect(
      (await admin.call('DELETE', `/api/v1/user/${await userId(portal.db, 'admin')}/sessions`)).status,
    ).toBe(204)
    expect([await works(other), await works(admin)]).toEqual([false, true])
  })
})

describe('the present password', () => {
  const password = 'seven quiet amber doors'
  const change = (person: SignedIn) => person.call('PUT', '/api/v1/user/me', { password })
  const confirm = (person: SignedIn, present: string) =>
    person.call('PUT', '/api/v1/reauthenticate', { password: present })
  const ago = (interval: string) =>
    portal.db.query('update session set confirmed_at = now() - $1::interval', [interval])
  const secret = () => portal.people.importer!.password

  test.each([
    ['9 minutes 58 seconds', 204],
    ['10 minutes 1 second', 403],
    ['11 hours', 403],
  ])('is asked for when it was given %s ago: %i', async (interval, status) => {
    const person = await signIn('importer')
    await ago(interval)
    const before = await portal.db.query('select password_hash from portal_user order by id')
    const answer = await change(person)
    expect(answer.status).toBe(status)
    if (status === 204) portal.people.importer!.password = password
    else {
      expect(answer.body).toMatchObject({
        code: 'reauthenticate',
        error: 'Please give your present password first',
      })
      // Also before it is looked at whether the new one will do.
      expect((await person.call('PUT', '/api/v1/user/me', { password: 'short' })).status).toBe(403)
      expect(await portal.db.query('select password_hash from portal_user order by id')).toEqual(before)
    }
  })

  test('is asked for in the form of the signed-in user, and not in that of another one', async () => {
    const admin = await signIn('admin')
    const put = async (name: string, body: object) => {
      const [user] = await portal.db.query<{ id: number; version: number }>(
        'select id, version from portal_user where username = $1',
        [name],
      )
      return admin.call('PUT', `/api/v1/user/${user!.id}`, { version: user!.version, ...body })
    }
    const passwords = { password, confirm_password: password }
    await ago('10 minutes 1 second')
    const before = await portal.db.query('select password_hash from portal_user order by id')
    expect(await put('admin', passwords)).toMatchObject({
      status: 403,
      body: { code: 'reauthenticate', fields: { password: expect.stringContaining('Change Password') } },
    })
    expect(await portal.db.query('select password_hash from portal_user order by id')).toEqual(before)
    await portal.db.query(
      `update portal_user set email = username || '@example.com' where username = 'importer'`,
    )
    const emails = async () =>
      (await outbox(portal.config.dataDir)).map(({ headers: { to, subject } }) => [to, subject])
    expect((await put('importer', passwords)).status).toBe(200)
    await expect
      .poll(emails)
      .toEqual([['importer@example.com', 'Your password for the Technology Portal was changed']])
    await ago('9 minutes 58 seconds')
    expect((await put('admin', passwords)).status).toBe(200)
    portal.people.importer!.password = password
    portal.people.admin!.password = password
  })

  test('opens the change for this session alone, and a renewal does not', async () => {
    const [one, two] = [await signIn('importer'), await signIn('importer')]
    await ago('11 minutes')
    expect((await one.call('PUT', '/api/v1/renew')).status).toBe(200)
    expect((await change(one)).status).toBe(403)
    expect((await confirm(one, secret())).status).toBe(204)
    expect((await change(two)).status).toBe(403)
    expect((await change(one)).status).toBe(204)
    portal.people.importer!.password = password
  })

  test('that is wrong opens nothing, and guesses are limited as at sign-in', async () => {
    const person = await signIn('importer')
    await ago('11 minutes')
    for (let n = 0; n < 10; n += 1)
      expect(await confirm(person, 'wrong')).toMatchObject({
        status: 422,
        body: { fields: { password: 'This is not your present password' } },
      })
    expect((await confirm(person, secret())).status).toBe(429)
    expect((await change(person)).status).toBe(403)
    expect(await works(person)).toBe(true)
  })
})

test('the present password that is right makes the wrong ones before it count no more', async () => {
  const person = await signIn('importer')
  const give = (password: string) => person.call('PUT', '/api/v1/reauthenticate', { password })
  for (let n = 0; n < 9; n += 1) expect((await give('wrong')).status).toBe(422)
  expect((await give(portal.people.importer!.password)).status).toBe(204)
  expect((await give('wrong')).status).toBe(422)
})

test('logging out makes the browser clear its cache of answers, and leave its storage', async () => {
  const person = await signIn('staff')
  const { status, headers } = await person.call('PUT', '/api/v1/logout')
  expect([status, headers['clear-site-data']]).toEqual([204, '"cache"'])
  const entityid = String(await userId(portal.db, 'staff'))
  expect(await audited()).toEqual([{ username: 'staff', address: '127.0.0.1', entityid, before: null }])
})

test.each([
  [firefox, 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0 Safari/537.36 Edg/128.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/128.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/128.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; HD1913) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0 Mobile Safari/537.36 EdgA/128.0',
    'Edge on Android',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/128.0 Mobile/15E148 Safari/605.1.15',
    'Edge on iPad',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0 Safari/537.36 Edge/18.19044',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0 Safari/537.36 OPR/114.0',
    'Opera on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/129.0 Mobile/15E148 Safari/605.1.15',
    'Firefox on iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Unknown browser on Linux'],
  ['Opera/9.80', 'Opera'],
  ['', 'Unknown device'],
  ['<script>alert(1)</script>', 'Unknown device'],
])('the user agent %s is called %s', (userAgent, device) => expect(describeDevice(userAgent)).toBe(device))

test('a user agent of any length is kept in part, and none at all is an unknown device', async () => {
  await signIn('staff', '127.0.0.1', `${firefox} ${'x'.repeat(5_000)}`)
  const [row] = await portal.db.query<{ n: number }>('select length(useragent) as n from session')
  expect(row!.n).toBe(400)
})
