import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { storageKey } from '../../../src/api/storedSession.ts'
import { openTab, remember, type Tab } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const { login, logout, renew } = endpoints.session
const inside = (tab: Tab) => within(tab.root).findByText('Welcome to the Technology Portal.')
const outside = (tab: Tab) => within(tab.root).findByRole('button', { name: 'Login' })
/** Browsers tell the other tabs what one of them stored; happy-dom does not. */
const tell = (newValue: string | null, key: string | null = storageKey) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
const tellWhatIsStored = () => tell(localStorage.getItem(storageKey))

const two = async (given: Parameters<typeof replyFor>[0] = {}) => {
  remember(replyFor(given))
  const server = scripted({ [renew.route]: { body: replyFor(given) } })
  const [one, other] = [
    openTab({ adapter: server.adapter }),
    openTab({ adapter: server.adapter, at: '/manage/merchants' }),
  ]
  await inside(one)
  await within(other.root).findByRole('heading', { name: 'Merchants' })
  await waitFor(() => {
    for (const tab of [one, other])
      expect(tab.portal.session.getSnapshot().matches({ active: 'waiting' })).toBe(true)
  })
  return { one, other, server }
}

describe('two tabs of one browser', () => {
  it('are both out when one logs out, and the token is revoked once', async () => {
    const { one, other, server } = await two()
    await one.user.click(within(one.root).getByRole('button', { name: 'Welcome, ann' }))
    await one.user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    await outside(one)
    tellWhatIsStored()
    await outside(other)
    expect(one.at()).toBe('/login')
    expect(other.at()).toBe('/login?returnUrl=%2Fmanage%2Fmerchants')
    expect(localStorage.getItem(storageKey)).toBeNull()
    await waitFor(() => expect(server.count(logout.route)).toBe(1))
  })

  it('are both out even before this one has stored anything itself', async () => {
    remember(replyFor())
    const tab = openTab({ adapter: scripted({ [renew.route]: new Promise(() => {}) }).adapter })
    await inside(tab)
    tell(null)
    await outside(tab)
  })

  it('are both in when one signs in, each where it wanted to be', async () => {
    const server = scripted()
    const [one, other] = [
      openTab({ adapter: server.adapter, at: '/login' }),
      openTab({ adapter: server.adapter, at: '/manage/merchants?page=2' }),
    ]
    await outside(other)
    await one.user.type(within(one.root).getByLabelText('Username'), 'ann')
    await one.user.type(within(one.root).getByLabelText('Password'), 'secret')
    await one.user.click(await outside(one))
    await inside(one)
    tellWhatIsStored()
    await within(other.root).findByRole('heading', { name: 'Merchants' })
    expect(other.at()).toBe('/manage/merchants?page=2')
    expect(server.count(login.route)).toBe(1)
  })

  it('use the token that one of them renewed', async () => {
    const { one, other, server } = await two()
    server.answer(renew.route, { body: replyFor({ token: 'token-2' }) })
    one.clock.increment(300_000)
    await waitFor(() => expect(localStorage.getItem(storageKey)).toContain('token-2'))
    tellWhatIsStored()
    expect(other.portal.session.getSnapshot().context.user?.access_token).toBe('token-2')
    const before = server.count(renew.route)
    other.clock.increment(299_999)
    expect(server.count(renew.route)).toBe(before)
  })

  it('start over when another person signs in', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const { other } = await two()
    tell(JSON.stringify({ user: { ...replyFor({ token: 'token-9' }), username: 'bob' }, renewed: 1 }))
    expect(assign.mock.calls).toEqual([['/'], ['/']])
    expect(other.portal.session.getSnapshot().context.user).toMatchObject({ username: 'bob' })
    assign.mockRestore()
  })

  it('are out when the storage is emptied or holds garbage', async () => {
    const { one, other } = await two()
    tell(null, null)
    await outside(one)
    await outside(other)
  })

  it('do not mind what else is stored', async () => {
    const { one } = await two()
    tell('whatever', 'another-program')
    expect(one.portal.session.getSnapshot().matches('active')).toBe(true)
  })
})
