import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permissions, type Permission } from '../../../schemas/permissions.ts'
import { userId } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
let admin: SignedIn
let actor: SignedIn
let target: number
let actorId: number
const password = 'correct horse battery'
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  actor = await portal.login('clerk')
  target = await userId(portal.db, 'newcomer')
  actorId = await userId(portal.db, 'clerk')
})
afterAll(() => portal.close())
beforeEach(() => hold('newcomer', []))

const hold = (username: string, held: readonly string[], isAdmin = false) =>
  portal.db.query('update portal_user set permissions = $2, admin = $3 where username = $1', [
    username,
    held,
    isAdmin,
  ])
const stored = async (id: number) =>
  (
    await portal.db.query<{ permissions: string[]; admin: boolean; version: number }>(
      'select permissions, admin, version from portal_user where id = $1',
      [id],
    )
  )[0]!
const put = async (who: SignedIn, id: number, change: object) =>
  who.call('PUT', `/api/v1/user/${id}`, { version: (await stored(id)).version, ...change })

let next = 0
const draft = (more: object = {}) => ({
  username: `user${(next += 1)}`,
  password,
  confirm_password: password,
  masteragentid: 1,
  ...more,
})

describe('creating', () => {
  test('a user can sign in with the password it was given, which no answer holds', async () => {
    const sent = draft()
    const answer = await admin.call('POST', '/api/v1/user', sent)
    expect(answer).toMatchObject({
      status: 201,
      body: { username: sent.username, password: '', masteragentid: 1, admin: false },
    })
    expect(JSON.stringify(answer.body)).not.toContain(password)
    expect((await portal.login(sent.username, password)).token).not.toBe('')
  })

  test('names all fields that are missing at once', async () => {
    expect(await admin.call('POST', '/api/v1/user', {})).toMatchObject({
      status: 422,
      body: {
        fields: {
          username: 'Username is required',
          masteragentid: 'Master Agent is required',
          password: 'Password is required',
          confirm_password: 'Confirm Password is required',
        },
      },
    })
  })

  test.each([
    [{ username: '' }, 422, { username: 'Username is required' }],
    [
      { password: '', confirm_password: '' },
      422,
      { password: 'Password is required', confirm_password: 'Confirm Password is required' },
    ],
    [{ confirm_password: 'another one entirely' }, 422, { confirm_password: 'Passwords do not match' }],
    [{ masteragentid: undefined }, 422, { masteragentid: 'Master Agent is required' }],
    [
      { password: 'short', confirm_password: 'short' },
      422,
      { password: 'Password needs at least 12 characters' },
    ],
    [{ username: 'ADMIN' }, 409, {}],
    [{ password_hash: 'x' }, 400, { password_hash: 'password_hash is not a field of this record' }],
    [{ email: 'a@example.com' }, 400, { email: 'email is not a field of this record' }],
  ])('%j is refused', async (more, status, fields) => {
    expect(await admin.call('POST', '/api/v1/user', draft(more))).toMatchObject({
      status,
      body: status === 409 ? {} : { fields },
    })
  })

  test('needs create_users; the list needs manage_users', async () => {
    await hold('clerk', ['create_users'])
    expect((await actor.call('POST', '/api/v1/user', draft())).status).toBe(201)
    expect((await actor.call('GET', '/api/v1/user')).status).toBe(403)
    await hold('clerk', ['manage_users'])
    expect((await actor.call('POST', '/api/v1/user', draft())).status).toBe(403)
    expect((await actor.call('GET', '/api/v1/user')).status).toBe(200)
  })
})

describe('nobody can grant or revoke a permission they lack', () => {
  const set = fc.subarray([...permissions])
  test('by any change, of anybody, with any set', async () => {
    await fc.assert(
      fc.asyncProperty(
        set,
        set,
        set,
        fc.constantFrom('other', 'self', 'new'),
        async (own, before, wanted, whom) => {
          const held = [...own, ...(whom === 'new' ? ['create_users'] : [])] as Permission[]
          await hold('clerk', held)
          const id = whom === 'self' ? actorId : target
          if (whom === 'other') await hold('newcomer', before)
          const had = whom === 'new' ? [] : (await stored(id)).permissions
          const change = {
            permissions: Object.fromEntries(permissions.map((name) => [name, wanted.includes(name)])),
          }
          const answer =
            whom === 'new'
              ? await actor.call('POST', '/api/v1/user', draft(change))
              : await put(actor, id, change)
          const now = whom === 'new' ? (answer.status === 201 ? wanted : []) : (await stored(id)).permissions
          const moved = permissions.filter((name) => had.includes(name) !== now.includes(name))
          expect(moved.filter((name) => !held.includes(name))).toEqual([])
          if (moved.length > 0) expect(held).toContain('manage_permissions')
          const mayAll =
            held.includes('manage_permissions') &&
            (whom === 'new' || held.includes('manage_users')) &&
            (whom === 'new'
              ? wanted
              : permissions.filter((name) => had.includes(name) !== wanted.includes(name))
            ).every((name) => held.includes(name)) &&
            had.every((name) => held.includes(name as Permission))
          expect(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`).toBe(
            mayAll || (moved.length === 0 && answer.status < 300),
          )
        },
      ),
      { numRuns: 150, seed: 20_261_121 },
    )
  }, 60_000)

  test.each([
    ['a text', { permissions: { manage_users: 'true' } }],
    ['a number', { permissions: { manage_users: 1 } }],
    ['an unknown permission', { permissions: { root: true } }],
    ['a list', { permissions: ['manage_users'] }],
    ['a nested record', { permissions: { permissions: { manage_users: true } } }],
    ['an unknown field', { is_admin: true }],
    ['another id', { id: 1 }],
  ])('%s is refused with 400', async (_, change) => {
    await hold('clerk', ['manage_users', 'manage_permissions'])
    expect((await put(actor, target, change)).status).toBe(400)
    expect((await stored(target)).permissions).toEqual([])
  })
})

describe('an administrator', () => {
  const all = [...permissions]
  test('is made by administrators alone', async () => {
    await hold('clerk', all)
    for (const id of [target, actorId]) expect((await put(actor, id, { admin: true })).status).toBe(403)
    expect((await actor.call('POST', '/api/v1/user', draft({ admin: true }))).status).toBe(403)
    expect((await put(admin, target, { admin: true })).status).toBe(200)
    expect((await put(admin, target, { admin: false })).status).toBe(200)
  })

  test('cannot be edited, deleted or given a new password by users who are no administrators', async () => {
    await hold('clerk', all)
    const id = await userId(portal.db, 'admin')
    const error = 'Only an administrator may change an administrator'
    for (const answer of [
      await put(actor, id, { masteragentid: 2 }),
      await put(actor, id, { password, confirm_password: password }),
      await put(actor, id, { permissions: { manage_tickets: true } }),
      await actor.call('DELETE', `/api/v1/user/${id}`),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error } })
  })

  test.each([
    ['demoted', () => put(admin, target, { admin: false })],
    ['removed', () => admin.call('DELETE', `/api/v1/user/${target}`)],
  ] as const)('the last one cannot be %s by one who is just being demoted', async (_, call) => {
    await hold('newcomer', [], true)
    const answer = await whileUncommitted(
      portal.db,
      async (tx) => {
        await tx.query(`select pg_advisory_xact_lock(hashtext('administrators'))`)
        await tx.query(`update portal_user set admin = false where username = 'admin'`)
      },
      call,
    )
    await hold('admin', [], true)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'This is the last administrator: name another one first' },
    })
    expect(await stored(target)).toMatchObject({ admin: true })
  })

  test('the last one can be neither removed nor demoted, also when two try at once', async () => {
    await hold('newcomer', [], true)
    await portal.db.query(
      `insert into terms_acceptance select 1, id, now(), '' from portal_user where username = 'newcomer' on conflict do nothing`,
    )
    const second = await portal.login('newcomer')
    const first = await userId(portal.db, 'admin')
    const statuses = (
      await Promise.all([
        put(admin, target, { admin: false }),
        put(second, first, { admin: false, masteragentid: 1 }),
      ])
    ).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const left = await portal.db.query('select id from portal_user where admin')
    expect(left).toHaveLength(1)
    await hold('admin', [], true)
    await hold('newcomer', [])
    admin = await portal.login('admin')
    expect(await put(admin, first, { admin: false, masteragentid: 1 })).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/^You may not change Administrator: ./) },
    })
    expect(await admin.call('DELETE', `/api/v1/user/${first}`)).toMatchObject({
      status: 403,
      body: { error: 'You cannot delete your own user' },
    })
  })
})

describe('manage_tickets', () => {
  test('is granted and taken by an administrator, who does not hold it', async () => {
    for (const wanted of [true, false]) {
      expect((await put(admin, target, { permissions: { manage_tickets: wanted } })).status).toBe(200)
      expect((await stored(target)).permissions).toEqual(wanted ? ['manage_tickets'] : [])
    }
    const own = await userId(portal.db, 'admin')
    expect((await put(admin, own, { permissions: { manage_tickets: true } })).status).toBe(200)
    expect((await admin.call('PUT', '/api/v1/renew')).body.permissions.manage_tickets).toBe(true)
    expect((await put(admin, own, { permissions: { manage_tickets: false } })).status).toBe(200)
  })

  test('is not granted by somebody else who lacks it, whatever else they hold', async () => {
    await hold(
      'clerk',
      permissions.filter((name) => name !== 'manage_tickets'),
    )
    const message = 'You may not grant or revoke what you do not hold: “Manage tickets”'
    expect(await put(actor, target, { permissions: { manage_tickets: true } })).toMatchObject({
      status: 403,
      body: { error: message, fields: { permissions: message } },
    })
    expect((await stored(target)).permissions).toEqual([])
  })
})

describe('somebody who holds more', () => {
  test.each(['PUT', 'DELETE', 'password'] as const)('is out of reach: %s', async (how) => {
    await hold('clerk', ['manage_users', 'manage_permissions'])
    await hold('newcomer', ['delete_merchants'])
    const answer =
      how === 'DELETE'
        ? await actor.call('DELETE', `/api/v1/user/${target}`)
        : await put(
            actor,
            target,
            how === 'PUT' ? { masteragentid: 2 } : { password, confirm_password: password },
          )
    expect(answer).toMatchObject({
      status: 403,
      body: { error: 'This user holds more than you do: “Delete merchants”' },
    })
  })
})

test('a new password set by somebody else ends the sessions of the user', async () => {
  const sent = draft()
  const { body } = await admin.call('POST', '/api/v1/user', sent)
  await portal.db.query(`insert into terms_acceptance select 1, $1, now(), ''`, [body.id])
  const user = await portal.login(sent.username, password)
  for (const [confirmation, fault] of [
    [{}, 'Confirm Password is required'],
    [{ confirm_password: 'another good phrase!' }, 'Passwords do not match'],
  ] as const)
    expect(await put(admin, body.id, { password: 'another good phrase', ...confirmation })).toMatchObject({
      status: 422,
      body: { fields: { confirm_password: fault } },
    })
  expect((await user.call('GET', '/api/v1/profit')).status).toBe(200)
  expect(
    (await put(admin, body.id, { password: 'another good phrase', confirm_password: 'another good phrase' }))
      .status,
  ).toBe(200)
  expect((await user.call('GET', '/api/v1/profit')).status).toBe(401)
})

test.each([true, false])(
  'the flag of administrators that somebody else sets to %s ends the sessions of the user',
  async (flag) => {
    const sent = draft()
    const { body } = await admin.call('POST', '/api/v1/user', { ...sent, admin: !flag })
    await portal.db.query(`insert into terms_acceptance select 1, $1, now(), ''`, [body.id])
    const user = await portal.login(sent.username, password)
    expect((await user.call('GET', '/api/v1/profit')).status).toBe(200)
    expect((await put(admin, body.id, { admin: flag })).status).toBe(200)
    expect((await user.call('GET', '/api/v1/profit')).status).toBe(401)
  },
)

test.each([{}, { import_files: true }])(
  'permissions sent as they are, %j, are no change',
  async (permissions) => {
    await hold('newcomer', ['import_files', 'lock_reports'])
    await put(admin, target, { password, confirm_password: password })
    await portal.login('newcomer', password)
    const { version } = await stored(target)
    const { body } = await put(admin, target, { permissions })
    expect(body.version).toBe(version)
    expect(await portal.db.query('select 1 from session where userid = $1', [target])).toHaveLength(1)
  },
)

test('the user name is closed once the user exists', async () => {
  expect((await put(admin, target, { username: 'renamed' })).status).toBe(403)
})

test('a scoped viewer sees and makes users of its own branch alone', async () => {
  await portal.db.query(
    `update portal_user set permissions = '{manage_users,create_users}' where username = 'agent'`,
  )
  const agent = await portal.login('agent')
  const { body } = await agent.call('GET', '/api/v1/user')
  expect(body.data.map((row: { username: string }) => row.username)).toEqual(['agent'])
  expect((await agent.call('POST', '/api/v1/user', draft({ masteragentid: 1 }))).status).toBe(422)
  expect((await agent.call('POST', '/api/v1/user', draft({ masteragentid: null }))).status).toBe(422)
  expect((await agent.call('GET', `/api/v1/user/${actorId}`)).status).toBe(404)
})
