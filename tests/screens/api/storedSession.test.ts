import { afterEach, describe, expect, it, test } from 'vitest'
import type { User } from '../../../schemas/api/session.ts'
import { effectivePermissions, noPermissions } from '../../../schemas/permissions.ts'
import { createStore, parseStored, renewAcrossTabs, storageKey } from '../../../src/api/storedSession.ts'

const user: User = {
  username: 'ann',
  access_token: 'abc-123',
  admin: true,
  permissions: effectivePermissions(true, noPermissions),
  tc_accepted: true,
  email: null,
  masteragentid: 7,
  seesall: true,
}
const stored = (change: object = {}) => JSON.stringify({ user: { ...user, ...change }, renewed: 5 })
afterEach(() => localStorage.clear())

describe('the stored user', () => {
  test.each([
    ['what another program stored', '{"user":7}', null],
    ['the own session', stored(), null],
    ['a newer session of another tab', stored({ access_token: 'newer' }), stored({ access_token: 'newer' })],
  ])('is taken away by its tab: of %s that leaves %j', (_, before, after) => {
    localStorage.setItem(storageKey, before)
    createStore().clear(user.access_token)
    expect(localStorage.getItem(storageKey)).toBe(after)
  })

  it('comes back as it was stored', () => {
    const store = createStore(() => 42)
    store.save(user)
    expect(store.read()).toEqual({ user, renewed: 42 })
    expect(localStorage.getItem(storageKey)).not.toMatch(/password/i)
  })

  test.each([
    null,
    '',
    'null',
    '[]',
    '"text"',
    '{',
    '{}',
    '{"user":null}',
    '{"user":[]}',
    stored({ access_token: undefined }),
    stored({ access_token: '' }),
    stored({ access_token: 7 }),
    stored({ access_token: 'a\nb' }),
    stored({ access_token: 'naïve' }),
    stored({ access_token: 'x'.repeat(201) }),
    stored({ username: '' }),
    stored({ username: 7 }),
    stored({ tc_accepted: false }),
    stored({ tc_accepted: 'yes' }),
    '{"access_token":"abc","username":"ann"}',
  ])('is nobody when the storage holds %j', (text) => {
    expect(parseStored(text)).toBeNull()
  })

  test.each([
    ['admin', 'yes', false],
    ['email', 7, null],
    ['masteragentid', '7', null],
    ['masteragentid', 1.5, null],
    ['seesall', 'true', false],
    ['permissions', { import_files: 'true', manage_users: 1 }, noPermissions],
    ['permissions', null, noPermissions],
    ['permissions', { import_files: true, unheard_of: true }, { ...noPermissions, import_files: true }],
  ])('grants nothing for a %s of %j', (field, value, read) => {
    expect(parseStored(stored({ [field]: value }))?.user).toEqual({ ...user, [field]: read })
  })

  it('has a token of up to 200 characters', () => {
    const access_token = 'x'.repeat(200)
    expect(parseStored(stored({ access_token }))?.user).toEqual({ ...user, access_token })
  })

  it('is not cleared for another token than the stored one', () => {
    const store = createStore()
    store.save(user)
    store.clear('an-older-token')
    expect(store.read()?.user).toEqual(user)
    store.clear(user.access_token)
    expect(localStorage.getItem(storageKey)).toBeNull()
  })
})

describe('a renewal', () => {
  const renewed = { ...user, email: 'ann@example.test' }
  /** Web Locks as they are specified: one holder, the others wait their turn. */
  const queue = () => {
    let last: Promise<unknown> = Promise.resolve()
    const request = (_: string, __: object, work: () => Promise<unknown>) => (last = last.then(work))
    Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  }
  afterEach(() => void Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true }))

  const tab =
    (store: ReturnType<typeof createStore>, calls: string[], name: string, now: () => number) => () =>
      renewAcrossTabs({
        user,
        store,
        now,
        signal: new AbortController().signal,
        renew: async () => {
          calls.push(name)
          await Promise.resolve()
          store.save(renewed)
          return renewed
        },
      })

  it('serves all tabs that wait for it', async () => {
    queue()
    let time = 0
    const store = createStore(() => ++time)
    const calls: string[] = []
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => tab(store, calls, name, () => 0)()),
    )
    expect(calls).toEqual(['one'])
    expect(answers).toEqual([renewed, renewed, renewed])
  })

  it('is made anew when the last one is older than this tab began to wait', async () => {
    queue()
    const store = createStore(() => 10)
    const calls: string[] = []
    store.save(user)
    await tab(store, calls, 'one', () => 10)()
    await tab(store, calls, 'two', () => 11)()
    expect(calls).toEqual(['one', 'two'])
  })

  it("does not take another person's", async () => {
    queue()
    const store = createStore(() => 10)
    store.save({ ...user, username: 'bob' })
    const calls: string[] = []
    await tab(store, calls, 'one', () => 0)()
    expect(calls).toEqual(['one'])
  })

  it('is not stored once the person has left', async () => {
    const store = createStore(() => 10)
    const leaving = new AbortController()
    const renew = async () => {
      leaving.abort()
      return renewed
    }
    await renewAcrossTabs({ user, store, renew, signal: leaving.signal })
    expect(store.read()).toBeNull()
  })

  it('is not asked for once the person has left while others had their turn', async () => {
    const calls: string[] = []
    const renew = async () => {
      calls.push('one')
      return renewed
    }
    const renewal = renewAcrossTabs({ user, store: createStore(), renew, signal: AbortSignal.abort() })
    await expect(renewal).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls).toEqual([])
  })

  it('is just made where there are no Web Locks', async () => {
    const calls: string[] = []
    await tab(createStore(), calls, 'one', () => 0)()
    expect(calls).toEqual(['one'])
  })
})
